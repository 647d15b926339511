# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/code_modules
# CUDA.jl's names for the driver API: contexts, the current stream, limits and settings. A program has one device with
# one context.
struct CuContext
    handle::Int
end
context() = CuContext(1)
current_context() = context()
current_device() = device()
context!(c::CuContext) = nothing
context!(f::Function, c::CuContext) = f()
activate(c::CuContext) = nothing
isvalid(c::CuContext) = true
unique_id(c::CuContext) = c.handle
device(c::CuContext) = device()
synchronize(c::CuContext) = synchronize()
Base.show(io::Base.IO, c::CuContext) = (print(io, "CuContext(", c.handle, ")"); nothing)
Base.show(io::Base.IO, ::Base.MIME{Symbol("text/plain")}, c::CuContext) = show(io, c)
Base.show(io::Base.IO, d::CuDevice) = (print(io, "CuDevice(", d.handle, ")"); nothing)
Base.show(io::Base.IO, ::Base.MIME{Symbol("text/plain")}, d::CuDevice) = (print(io, "CuDevice(", d.handle, "): ", name(d)); nothing)

# ---- the current stream, in name only: launches without stream= use the main stream in order. A wait for another
# stream also waits for the main stream.
current_stream = nothing
has_other_stream = false
stream() = current_stream === nothing ? __new_stream(:main) : current_stream
default_stream() = __new_stream(:main)
function stream!(s::CuStream)
    global current_stream = s
    global has_other_stream = true
    return s
end
function stream!(f::Function, s::CuStream)
    before = stream()
    stream!(s)
    try
        return f()
    finally
        stream!(before)
    end
end
unique_id(s::CuStream) = objectid(s)
api_version(c::CuContext) = UInt32(12080)
compiler_version() = Base.VersionNumber(12, 8, 0)
is_capturing(s=nothing) = false
Base.convert(::Type{I}, d::CuDevice) where {I<:Integer} = convert(I, d.handle)
serial_mapreduce_threshold(d) = 256
isdone(s::CuStream) = (synchronize(s); true)
priority(s::CuStream) = 0
priority_range() = 0:0
const (STREAM_DEFAULT, STREAM_NON_BLOCKING) = (0, 1)
const (EVENT_DEFAULT, EVENT_BLOCKING_SYNC, EVENT_DISABLE_TIMING, EVENT_INTERPROCESS) = (0, 1, 2, 4)

# ---- properties of the device, and settings that have no effect in Kiln
memory_info() = (__memory_status()[4], __memory_status()[5])
const (FUNC_CACHE_PREFER_NONE, FUNC_CACHE_PREFER_SHARED, FUNC_CACHE_PREFER_L1, FUNC_CACHE_PREFER_EQUAL) = (0, 1, 2, 3)
const (SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE, SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE, SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE) = (0, 1, 2)
const (LIMIT_STACK_SIZE, LIMIT_PRINTF_FIFO_SIZE, LIMIT_MALLOC_HEAP_SIZE, LIMIT_DEV_RUNTIME_SYNC_DEPTH, LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT) = (0, 1, 2, 3, 4)
const settings = Dict{Any,Any}(:cache => 0, :shared => 0)
cache_config() = settings[:cache]
cache_config!(x) = (settings[:cache] = x; nothing)
shmem_config() = settings[:shared]
shmem_config!(x) = (settings[:shared] = x; nothing)
limit(which) = get(settings, (:limit, which), 0)
limit!(which, n) = (settings[(:limit, which)] = Int(n); nothing)
const (FAST_MATH, DEFAULT_MATH, PEDANTIC_MATH) = (:fast, :default, :pedantic)
math_mode() = get(settings, :math, DEFAULT_MATH)
math_precision() = get(settings, :precision, :TensorFloat32)
math_mode!(mode; precision=nothing) = (settings[:math] = mode; precision === nothing || (settings[:precision] = precision); nothing)
const (COMPUTEMODE_DEFAULT, COMPUTEMODE_PROHIBITED, COMPUTEMODE_EXCLUSIVE_PROCESS) = (0, 2, 3)
const DEVICE_ATTRIBUTE_COMPUTE_MODE = :compute_mode
const DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = :memory_pools
const DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = :unified_addressing
const DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED = :host_register
const DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = :shared_bytes
const fixed_attributes = Dict{Any,Any}(:compute_mode => 0, :memory_pools => 1, :unified_addressing => 1, :host_register => 0)
attribute(d::CuDevice, what::Symbol) = haskey(fixed_attributes, what) ? fixed_attributes[what] : __device_number(what)
memory_pools_supported(d) = true
is_tegra() = false
nextwarp(d::CuDevice, threads::Integer) = cld(threads, warpsize(d)) * warpsize(d)
prevwarp(d::CuDevice, threads::Integer) = fld(threads, warpsize(d)) * warpsize(d)
precompile_runtime() = nothing
versioninfo(io::Base.IO=Base.stdout) = (println(io, "Kiln, device ", __device_text()); nothing)
driver_version() = Base.VersionNumber(12, 8, 0)
runtime_version() = Base.VersionNumber(12, 8, 0)

# ---- errors of the driver
struct CuError <: Exception
    code::Int
end
const error_names = ((0, "SUCCESS", "no error"), (1, "ERROR_INVALID_VALUE", "invalid argument"), (2, "ERROR_OUT_OF_MEMORY", "out of memory"),
                     (3, "ERROR_NOT_INITIALIZED", "initialization error"), (201, "ERROR_INVALID_CONTEXT", "invalid device context"),
                     (700, "ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"), (701, "ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"),
                     (719, "ERROR_LAUNCH_FAILED", "unspecified launch failure"))
for (code, text, said) in error_names
    @eval const $(Symbol(text)) = $code
end
error_entry(e::CuError) = (i = findfirst(t -> t[1] == e.code, error_names); i === nothing ? (e.code, string("ERROR_", e.code), "unrecognized error code") : error_names[i])
name(e::CuError) = error_entry(e)[2]
description(e::CuError) = error_entry(e)[3]
Base.show(io::Base.IO, e::CuError) = (print(io, "CuError(", name(e), ")"); nothing)
Base.showerror(io::Base.IO, e::CuError) = (print(io, "CUDA error: ", description(e), " (code ", e.code, ", ", name(e), ")"); nothing)

# ---- sizes of launches
struct CuDim3
    x::UInt32
    y::UInt32
    z::UInt32
end
CuDim3(x::Integer, y::Integer=1) = CuDim3(UInt32(x), UInt32(y), UInt32(1))
CuDim3(t::Tuple) = CuDim3(map(UInt32, t)..., ntuple(_ -> UInt32(1), 3 - length(t))...)
const CuDim = Union{Integer,Tuple{Integer},Tuple{Integer,Integer},Tuple{Integer,Integer,Integer}}

# ---- parser for sizes with units, as in memory limits
function parse_limit(text::String)
    m = findfirst(c -> !isdigit(c), text)
    m === nothing && return UInt(Base.parse(Int, text))
    units = ("B" => 1, "kB" => 10^3, "KB" => 10^3, "MB" => 10^6, "GB" => 10^9, "KiB" => 2^10, "MiB" => 2^20, "GiB" => 2^30)
    i = findfirst(u -> u.first == text[m:end], units)
    i === nothing && throw(ArgumentError(string("invalid memory limit: ", text)))
    return UInt(Base.parse(Int, text[1:m-1]) * units[i].second)
end

# ---- CuIterator copies batches to the device one at a time, and frees the previous batch each time
struct CuIterator{B,A}
    batches::B
    adaptor::A
end
CuIterator(batches) = CuIterator(batches, CuArray)
CuIterator(T::Type, batches) = CuIterator(batches, T)
adapt_batch(to, x::NamedTuple) = NamedTuple{keys(x)}(map(y -> adapt_batch(to, y), Tuple(x)))
adapt_batch(to, x::Tuple) = map(y -> adapt_batch(to, y), x)
adapt_batch(to, x::Array) = isbitstype(eltype(x)) ? adapt(to, x) : map(y -> adapt_batch(to, y), x)
adapt_batch(to, x) = adapt(to, x)
free_batch(A::CuArray) = unsafe_free!(A)
free_batch(x::Union{Tuple,NamedTuple,Array}) = (foreach(free_batch, x); nothing)
free_batch(x) = nothing
function Base.iterate(c::CuIterator, state...)
    isempty(state) || free_batch(state[1][1])
    next = isempty(state) ? iterate(c.batches) : iterate(c.batches, state[1][2])
    next === nothing && return nothing
    batch = adapt_batch(c.adaptor, next[1])
    return (batch, (batch, next[2]))
end
Base.length(c::CuIterator) = length(c.batches)
Base.size(c::CuIterator) = size(c.batches)
Base.axes(c::CuIterator) = axes(c.batches)
Base.eltype(c::CuIterator) = eltype(c.batches)
Base.first(c::CuIterator) = iterate(c)[1]

# ---- names of sorting algorithms for sort!; Kiln has only one algorithm
struct SortingAlgorithm
    name::Symbol
end
const QuickSort = SortingAlgorithm(:quick)
const BitonicSort = SortingAlgorithm(:bitonic)
const QuickSortAlg = SortingAlgorithm
const BitonicSortAlg = SortingAlgorithm

export is_capturing, priority, priority_range, CuContext, CuIterator, CuError, CuDim3, context, context!, current_context, current_device, stream, stream!, deviceid, totalmem, warpsize, name, elapsed, record, nextwarp, prevwarp, has_cuda, has_cuda_gpu, ndevices, device_synchronize, limit, limit!, cache_config, cache_config!, shmem_config, shmem_config!, activate, unique_id, synchronize, memory_pools_supported
