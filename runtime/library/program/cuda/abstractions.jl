# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: KernelAbstractions; with: program/cuda/show
# Host side of KernelAbstractions: back-ends, and kernels that run on them. CPU() runs kernels on host arrays.

# W and R are the sizes of a group and of the iteration space: StaticSize, or DynamicSize if the launch states it.
struct Kernel{B,W<:NDIteration._Size,R<:NDIteration._Size,F}
    backend::B
    f::F
end
size_tuple(::Nothing) = nothing
size_tuple(n::Integer) = (Int(n),)
size_tuple(t::Tuple) = map(Int, t)
size_type(::Nothing) = NDIteration.DynamicSize
size_type(s::NDIteration._Size) = typeof(s)
size_type(n) = NDIteration.StaticSize{size_tuple(n)}
kernel_for(backend, f, size=nothing, range=nothing) = Kernel{typeof(backend),size_type(size),size_type(range),typeof(f)}(backend, f)
workgroupsize(::Kernel{B,W,R}) where {B,W,R} = W
ndrange(::Kernel{B,W,R}) where {B,W,R} = R
backend(k::Kernel) = k.backend
# The size of a launch: the kernel's own one, or the one that the launch states.
launch_size(::Type{NDIteration.DynamicSize}, stated, name) = size_tuple(stated)
function launch_size(::Type{NDIteration.StaticSize{S}}, stated, name) where {S}
    stated === nothing || size_tuple(stated) == S || error(string("Static ", name, " ", S, " and launch ", name, " ", size_tuple(stated), " differ"))
    return S
end
# Divides the iteration space into groups. Returns the space, and whether its last groups extend beyond it.
function partition(k::Kernel{B,W,R}, ndrange, workgroupsize) where {B,W,R}
    range = launch_size(R, ndrange, "NDRange")
    group = launch_size(W, workgroupsize, "WorkgroupSize")
    (range === nothing || group === nothing) && error("can not partition a kernel without sizes: give ndrange and workgroupsize to the kernel or to the launch")
    (blocks, size, check) = NDIteration.partition(range, group)
    has_blocks = R <: NDIteration.StaticSize && W <: NDIteration.StaticSize
    static_blocks = has_blocks ? NDIteration.StaticSize{blocks} : NDIteration.DynamicSize
    static_items = W <: NDIteration.StaticSize ? NDIteration.StaticSize{size} : W
    space = NDIteration.NDRange{length(range),static_blocks,static_items}(has_blocks ? nothing : CartesianIndices(blocks), W <: NDIteration.StaticSize ? nothing : CartesianIndices(size))
    return space, check
end
mkcontext(k::Kernel, ndrange, space) = mkcontext(k, nothing, ndrange, space, Val(NDIteration.DynamicCheck()))
mkcontext(::Kernel{B,W,R}, group, ndrange, space, ::Val{check}) where {B,W,R,check} =
    CompilerMetadata{R,typeof(check)}(R <: NDIteration.StaticSize ? nothing : size_tuple(ndrange), space)
# Group size if neither kernel nor caller states one: 256 items, filled from the first dimension on.
function group_of(range)
    left = 256
    return map(range) do n
        m = max(1, min(n, left))
        left = div(left, m)
        m
    end
end
function (k::Kernel{B,W,R})(args...; ndrange=nothing, workgroupsize=nothing) where {B,W,R}
    range = launch_size(R, ndrange, "NDRange")
    range === nothing && error("can not launch kernel without ndrange argument")
    group = launch_size(W, workgroupsize, "WorkgroupSize")
    prod(range) == 0 && return nothing
    group === nothing && (group = group_of(range))
    while length(group) < length(range)
        group = (group..., 1)
    end
    space = W <: NDIteration.StaticSize ? NDIteration.StaticSize(group) : group
    ctx = R <: NDIteration.StaticSize && W <: NDIteration.StaticSize ? context(NDIteration.StaticSize(range), space) : context(range, space)
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
    P = Base.__storage(A)
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
