# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: KernelAbstractions; with: program/cuda/show
# Host side of KernelAbstractions: back-ends, and kernels that run on them. CPU() runs kernels on host arrays.

struct Kernel{B,F}
    backend::B
    f::F
    workgroupsize                                  # nothing, or a tuple
    ndrange
end
size_tuple(::Nothing) = nothing
size_tuple(n::Integer) = (Int(n),)
size_tuple(t::Tuple) = map(Int, t)
kernel_for(backend, f) = Kernel{typeof(backend),typeof(f)}(backend, f, nothing, nothing)
kernel_for(backend, f, size) = Kernel{typeof(backend),typeof(f)}(backend, f, size_tuple(size), nothing)
kernel_for(backend, f, size, range) = Kernel{typeof(backend),typeof(f)}(backend, f, size_tuple(size), size_tuple(range))
workgroupsize(k::Kernel) = k.workgroupsize
ndrange(k::Kernel) = k.ndrange
backend(k::Kernel) = k.backend
# Group size if neither kernel nor caller states one: 256 items, filled from the first dimension on.
function group_of(range)
    left = 256
    return map(range) do n
        m = max(1, min(n, left))
        left = div(left, m)
        m
    end
end
function (k::Kernel)(args...; ndrange=nothing, workgroupsize=nothing)
    range = ndrange === nothing ? k.ndrange : size_tuple(ndrange)
    range === nothing && error("can not launch kernel without ndrange argument")
    if k.ndrange !== nothing && ndrange !== nothing && size_tuple(ndrange) != k.ndrange
        error(string("Static NDRange ", k.ndrange, " and launch NDRange ", range, " differ"))
    end
    group = workgroupsize === nothing ? k.workgroupsize : size_tuple(workgroupsize)
    if k.workgroupsize !== nothing && workgroupsize !== nothing && size_tuple(workgroupsize) != k.workgroupsize
        error(string("Static WorkgroupSize ", k.workgroupsize, " and launch WorkgroupSize ", group, " differ"))
    end
    prod(range) == 0 && return nothing
    static_group = k.workgroupsize !== nothing
    group === nothing && (group = group_of(range))
    while length(group) < length(range)
        group = (group..., 1)
    end
    space = static_group ? NDIteration.StaticSize(group) : group
    ctx = k.ndrange === nothing ? context(range, space) : context(NDIteration.StaticSize(range), space)
    (threads, blocks) = launch_shape(ctx)
    if !(k.backend isa CPU)
        CUDA.launch_now(k.f, (ctx, args...), threads, blocks, 0, nothing)
        return nothing
    end
    seen = CUDA.__convert((ctx, args...), true)
    compiled = CUDA.compile_converted(k.f, seen, true)
    CUDA.launch_converted(compiled, seen, (ctx, args...); threads=threads, blocks=blocks)
    return nothing
end

get_backend(A::CUDA.AnyCuArray) = CUDABackend(false, false)
get_backend(A::Array) = CPU(false)
function get_backend(A::AbstractArray)
    P = Base.parent(A)
    return P === A ? throw(ArgumentError(string("get_backend is not implemented for ", typeof(A)))) : get_backend(P)
end
get_backend(A::Union{Base.Bidiagonal,Base.SymTridiagonal}) = get_backend(A.dv)
get_backend(A::Base.Tridiagonal) = get_backend(A.d)
CUDA.adapt_storage(::CUDABackend, A::Array) = CUDA.CuArray(A)
CUDA.adapt_storage(::CPU, A::CUDA.CuArray) = Array(A)
import CUDA: synchronize # exports the same function with and without `using CUDA`
synchronize(::CPU) = nothing
synchronize(::CUDABackend) = synchronize()
allocate(::CPU, ::Type{T}, dims::Tuple) where {T} = CUDA.__host_array(T, map(Int, dims))
allocate(::CUDABackend, ::Type{T}, dims::Tuple) where {T} = CUDA.new_array(T, dims)
allocate(b::Backend, ::Type{T}, dims::Integer...) where {T} = allocate(b, T, dims)
function Core.kwcall(kw::NamedTuple{(:unified,)}, ::typeof(allocate), b::Backend, ::Type{T}, dims...) where {T}
    kw.unified === true && !supports_unified(b) && throw(ArgumentError(string(typeof(b), " does not support unified memory")))
    return allocate(b, T, dims...)
end
zeros(b::Backend, ::Type{T}, dims::Tuple) where {T} = fill!(allocate(b, T, dims), zero(T))
zeros(b::Backend, ::Type{T}, dims::Integer...) where {T} = zeros(b, T, dims)
ones(b::Backend, ::Type{T}, dims::Tuple) where {T} = fill!(allocate(b, T, dims), one(T))
ones(b::Backend, ::Type{T}, dims::Integer...) where {T} = ones(b, T, dims)
copyto!(::Backend, B, A) = Base.copyto!(B, A)
unsafe_free!(A) = CUDA.unsafe_free!(A)
functional(::Backend) = missing
functional(::CPU) = true
functional(::CUDABackend) = CUDA.functional()
supports_atomics(::Backend) = true
supports_float64(::Backend) = true
supports_unified(::Backend) = false
supports_unified(::CPU) = true
pagelock!(b, x) = missing
device(::Backend) = 1
ndevices(::Backend) = 1
device!(b::Backend, i::Integer) = 1 <= i <= ndevices(b) ? nothing : throw(ArgumentError(string("device ", i, " does not exist: the devices of ", typeof(b), " are 1 to ", ndevices(b))))
isgpu(::CPU) = false
isgpu(::GPU) = true
priority!(::Backend, p::Symbol) = p in (:high, :normal, :low) ? nothing : error("priority must be one of :high, :normal, :low")

# Launches of KernelIntrinsics: KI.@kernel backend workgroupsize=64 numworkgroups=4 f(args...)
struct IntrinsicKernel{B,K}
    backend::B
    kernel::K
end
function intrinsic_kernel(backend, f, args; launch=true, workgroupsize=1, numworkgroups=1)
    k = IntrinsicKernel(backend, CUDA.compile_kernel(f, args, backend isa CPU))
    launch && k(args...; workgroupsize=workgroupsize, numworkgroups=numworkgroups)
    return k
end
IntrinsicKernel(backend, kernel) = IntrinsicKernel{typeof(backend),typeof(kernel)}(backend, kernel)
function (k::IntrinsicKernel)(args...; workgroupsize=1, numworkgroups=1)
    k.kernel(args...; threads=workgroupsize, blocks=numworkgroups)
    return nothing
end
max_group_size(::CPU) = 1024
max_group_size(::CUDABackend) = Int(CUDA.attribute(CUDA.device(), CUDA.DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK))
num_processors(::CPU) = Sys.CPU_THREADS
num_processors(::CUDABackend) = Int(CUDA.attribute(CUDA.device(), CUDA.DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT))
max_group_size(k::IntrinsicKernel{CPU}) = max_group_size(k.backend)
max_group_size(k::IntrinsicKernel) = Int(CUDA.maxthreads(k.kernel))
module KernelIntrinsics
import KernelAbstractions: intrinsic_kernel, max_group_size, num_processors
max_work_group_size(backend) = max_group_size(backend)
multiprocessor_count(backend) = num_processors(backend)
kernel_max_work_group_size(k; max_work_items::Int=typemax(Int)) = min(max_group_size(k), max_work_items)
macro kernel(backend, ex...)
    keywords = [k isa Symbol ? Expr(:kw, k, esc(k)) : Expr(:kw, k.args[1], esc(k.args[2])) for k in ex[1:end-1]]
    call = ex[end]
    return Expr(:call, :intrinsic_kernel, Expr(:parameters, keywords...), esc(backend), esc(call.args[1]), Expr(:tuple, map(esc, call.args[2:end])...))
end
end
module Extras
macro unroll(rest...)                              # LLVM decides
    return esc(rest[end])
end
export @unroll
end

export get_backend, allocate, synchronize
