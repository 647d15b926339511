# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; when: CUDA*, CuArray*, CuVector*, CuMatrix*, KernelAbstractions*, Adapt*, GPUArrays*
# CuArray in host code: a part of device memory. Contiguous views, reshaped and reinterpreted arrays share the memory,
# which is freed with its last array. The host implements functions whose names start with __
# (lib/programs/cuda_*.cpp). Offsets are in bytes, counts in elements.

abstract type AbstractGPUArray{T,N} <: DenseArray{T,N} end
const AbstractGPUVector{T} = AbstractGPUArray{T,1}
const AbstractGPUMatrix{T} = AbstractGPUArray{T,2}
mutable struct DeviceBuffer end                    # memory, reference-counted by the host
struct DeviceMemory
    storage::DeviceBuffer
    bytes::Int
end
struct UnifiedMemory
    storage::DeviceBuffer
    bytes::Int
end
struct HostMemory
    storage::Vector{UInt8}
    bytes::Int
end
mutable struct CuArray{T,N,M} <: AbstractGPUArray{T,N}
    storage::DeviceBuffer
    offset::Int
    dims::NTuple{N,Int}
    maxsize::Int # bytes up to which resize! does not reallocate
    CuArray{T,N,M}(storage, offset, dims) where {T,N,M} = new{T,N,M}(storage, offset, dims, Base.dims_product(dims) * sizeof(T))
end
const CuVector{T,M} = CuArray{T,1,M}
const CuMatrix{T,M} = CuArray{T,2,M}
const CuVecOrMat{T,M} = Union{CuArray{T,1,M},CuArray{T,2,M}}
# Types of views and wrappers of a CuArray, and of wrappers of its views.
const CuSubArray{T,N} = SubArray{T,N,P} where {P<:CuArray}
const CuStrided = Union{CuArray,CuSubArray,Base.PermutedDimsArray{T,N,p,q,<:Union{CuArray,CuSubArray}} where {T,N,p,q}}
const CuReshaped{T,N} = Base.ReshapedArray{T,N,P} where {P<:CuStrided}
const CuFlat{T,N} = Union{CuArray{T,N},CuSubArray{T,N},CuReshaped{T,N}}
const CuTransposed{T} = Union{Transpose{T,<:CuFlat},Adjoint{T,<:CuFlat}}
const CuPermuted{T,N} = Base.PermutedDimsArray{T,N,perm,iperm,P} where {perm,iperm,P<:CuFlat}
const WrappedCuArray{T,N} = Union{CuSubArray{T,N},CuReshaped{T,N},CuTransposed{T},CuPermuted{T,N}}
const AnyCuArray{T,N} = Union{CuArray{T,N},WrappedCuArray{T,N}}
struct KernelRef{T}                                # a Ref in a kernel
    x::T
end
@inline Base.broadcast_at(r::KernelRef, i) = r.x
@inline Base.getindex(r::KernelRef) = r.x
Base.__host_argument(r::KernelRef) = r

Base.size(A::CuArray) = A.dims
Base.length(A::CuArray) = Base.dims_product(A.dims)
Base.sizeof(A::CuArray{T}) where {T} = length(A) * sizeof(T)

# ---- exceptions that kernels threw, reported when the program waits for the device
struct KernelException <: Exception
    dev::String
end
function raise_thrown(text)
    if text isa String && !isempty(text)
        __tell(string(text, "\n"))
        throw(KernelException(__device_text()))
    end
    return nothing
end

function cached_memory end                         # alloc_cache.jl
# ---- construction
flat_dims(dims) = Base.flat_indices(dims)
flat_dims(dims::Tuple{AbstractUnitRange,Vararg}) = map(length, dims) # axes
function check_dims(dims)
    for d in dims
        d >= 0 || throw(ArgumentError("invalid CuArray dimensions"))
    end
    return dims
end
function check_element(T)
    isbitstype(T) || error(string("CuArray only supports element types that are allocated inline.\n", T, " is not allocated inline"))
    return nothing
end
new_array(::Type{T}, dims::Tuple) where {T} = new_array(T, dims, DeviceMemory)
function new_array(::Type{T}, dims::Tuple, ::Type{M}) where {T,M}
    check_element(T)
    sizes = check_dims(flat_dims(dims))
    N = length(sizes)
    M === DeviceMemory || (global has_other_memory = true)
    return CuArray{T,N,M}(__allocate(Base.dims_product(sizes) * sizeof(T)), 0, sizes)
end
part(A::CuArray{S,N,M}, ::Type{T}, offset, dims::Tuple) where {S,N,M,T} = CuArray{T,length(dims),M}(A.storage, offset, dims)
# Converts an array to another kind of memory. In Kiln all kinds are the same memory, so that only the type changes.
function as_memory(A::CuArray{T,N}, ::Type{M}) where {T,N,M}
    M === DeviceMemory || (global has_other_memory = true)
    return CuArray{T,N,M}(A.storage, A.offset, A.dims)
end
has_other_memory = false # until a program requests another kind of memory, all results are DeviceMemory
const AnyMemory = Union{DeviceMemory,UnifiedMemory,HostMemory}
(::Type{CuArray{T}})(::UndefInitializer, dims::Tuple) where {T} = new_array(T, dims)
(::Type{CuArray{T}})(::UndefInitializer, dims::Integer...) where {T} = new_array(T, dims)
function (::Type{CuArray{T,N}})(::UndefInitializer, dims::Tuple) where {T,N}
    nfields(dims) == N || throw(MethodError(CuArray{T,N}, (undef, dims)))
    return new_array(T, dims)
end
(::Type{CuArray{T,N}})(::UndefInitializer, dims::Integer...) where {T,N} = CuArray{T,N}(undef, dims)
function (::Type{CuArray{T,N,M}})(::UndefInitializer, dims::Tuple) where {T,N,M<:AnyMemory}
    nfields(dims) == N || throw(MethodError(CuArray{T,N,M}, (undef, dims)))
    return new_array(T, dims, M)
end
(::Type{CuArray{T,N,M}})(::UndefInitializer, dims::Integer...) where {T,N,M<:AnyMemory} = CuArray{T,N,M}(undef, dims)
(::Type{CuArray{T,N,M}})() where {T,N,M<:AnyMemory} = new_array(T, ntuple(_ -> 0, N), M)

# Host elements as an Array.
host_array(A::Array) = A
function host_array(A::AbstractArray)
    B = __host_array(eltype(A), size(A))
    k = 0
    for x in A
        k += 1
        B[k] = x
    end
    return B
end
function upload(A::Array)
    check_element(eltype(A))
    B = new_array(eltype(A), size(A))
    raise_thrown(__upload(B.storage, 0, A, 0, length(A)))
    return B
end
CuArray(A::AbstractArray) = (B = Base.__dense(A); B isa CuArray ? B : upload(host_array(A)))
CuArray(A::Array) = upload(A)
CuArray(A::AnyCuArray) = copy(A)
(::Type{CuArray{T}})(A::AbstractArray) where {T} = converted_elements(T, CuArray(A))
(::Type{CuArray{T,N}})(A::AbstractArray) where {T,N} = ndims(A) == N ? converted_elements(T, CuArray(A)) : throw(MethodError(CuArray{T,N}, (A,)))
(::Type{CuArray{T,N,M}})(A::AbstractArray) where {T,N,M<:AnyMemory} = as_memory(CuArray{T,N}(A), M)
(::Type{CuVector})(A::AbstractArray) = vector_of(CuArray(A))
(::Type{CuMatrix})(A::AbstractArray) = matrix_of(CuArray(A))
vector_of(A::CuArray{T,1}) where {T} = A
matrix_of(A::CuArray{T,2}) where {T} = A
converted_elements(::Type{T}, A::CuArray{T}) where {T} = A
converted_elements(::Type{T}, A::CuArray{S,N,M}) where {T,S,N,M} = as_memory(T.(A), M)
Base.convert(::Type{A}, x::AbstractArray) where {A<:CuArray} = x isa A ? x : A(x)

function fill(x, dims::Tuple)
    A = new_array(typeof(x), dims)
    return fill!(A, x)
end
fill(x, dims::Integer...) = fill(x, dims)
zeros(::Type{T}, dims::Tuple) where {T} = fill(zero(T), dims)
zeros(::Type{T}, dims::Integer...) where {T} = fill(zero(T), dims)
zeros(dims::Tuple) = fill(0.0f0, dims)
zeros(dims::Integer...) = fill(0.0f0, dims)
ones(::Type{T}, dims::Tuple) where {T} = fill(one(T), dims)
ones(::Type{T}, dims::Integer...) where {T} = fill(one(T), dims)
ones(dims::Tuple) = fill(1.0f0, dims)
ones(dims::Integer...) = fill(1.0f0, dims)

function Base.fill!(A::CuArray{T}, x) where {T}
    v = convert(T, x)
    __fill(A.storage, A.offset, length(A), v) || __broadcast_into(A, Base.broadcasted(identity, KernelRef{T}(v)))
    return A
end
Base.fill!(A::WrappedCuArray, x) = Base.materialize!(A, Base.broadcasted(identity, Ref(convert(eltype(A), x))))

# ---- copies
function Base.copy(A::CuArray{T,N,M}) where {T,N,M}
    B = new_array(T, size(A), M)
    __copy(B.storage, 0, A.storage, A.offset, sizeof(A))
    return B
end
Base.deepcopy(A::CuArray) = copy(A)
Base.copy(A::WrappedCuArray) = Base.copyto!(new_array(eltype(A), size(A)), A)
Base.similar(A::AnyCuArray) = new_array(eltype(A), size(A))
Base.similar(A::CuArray{T,N,M}) where {T,N,M} = new_array(T, size(A), M)
Base.similar(A::AnyCuArray, ::Type{T}) where {T} = new_array(T, size(A))
Base.similar(A::AnyCuArray, dims::Tuple) = new_array(eltype(A), dims)
Base.similar(A::AnyCuArray, dims::Integer...) = new_array(eltype(A), dims)
Base.similar(A::AnyCuArray, ::Type{T}, dims::Dims) where {T} = new_array(T, dims)
Base.similar(A::AnyCuArray, ::Type{T}, dims::Integer...) where {T} = new_array(T, dims)
Base.zero(A::AnyCuArray) = zeros(eltype(A), size(A))
Base.one(A::CuArray{T,2}) where {T} = CuArray(T[i == j ? one(T) : zero(T) for i in 1:size(A, 1), j in 1:size(A, 2)])

function check_copy(n, to, at, from, of)
    n >= 0 || throw(ArgumentError(string("tried to copy n=", n, " elements, but n should be non-negative")))
    if n > 0
        check_places(to, at, n)
        check_places(from, of, n)
    end
    return nothing
end
function check_places(A, first, n)
    last = first + n - 1
    1 <= first && last <= length(A) || throw(BoundsError(A, (first < 1 || first > length(A) ? first : last,)))
    return nothing
end
function Base.copyto!(B::CuArray{T}, at::Integer, A::CuArray{T}, of::Integer, n::Integer) where {T}
    check_copy(n, B, at, A, of)
    __copy(B.storage, B.offset + (Int(at) - 1) * sizeof(T), A.storage, A.offset + (Int(of) - 1) * sizeof(T), Int(n) * sizeof(T))
    return B
end
function Base.copyto!(B::CuArray, at::Integer, A::CuArray, of::Integer, n::Integer)
    check_copy(n, B, at, A, of)
    n > 0 && Base.materialize!(view(vec(B), at:at+n-1), Base.broadcasted(identity, view(vec(A), of:of+n-1)))
    return B
end
function Base.copyto!(B::CuArray{T}, at::Integer, A::Array, of::Integer, n::Integer) where {T}
    check_copy(n, B, at, A, of)
    H = eltype(A) === T ? A : convert_host(T, A)
    raise_thrown(__upload(B.storage, B.offset + (Int(at) - 1) * sizeof(T), H, Int(of) - 1, Int(n)))
    return B
end
function Base.copyto!(B::Array, at::Integer, A::CuArray{T}, of::Integer, n::Integer) where {T}
    check_copy(n, B, at, A, of)
    if eltype(B) === T
        raise_thrown(__download(B, Int(at) - 1, Int(n), A.storage, A.offset + (Int(of) - 1) * sizeof(T)))
    else
        H = __host_array(T, (Int(n),))
        raise_thrown(__download(H, 0, Int(n), A.storage, A.offset + (Int(of) - 1) * sizeof(T)))
        for k in 1:n
            B[at+k-1] = H[k]
        end
    end
    return B
end
function convert_host(::Type{T}, A) where {T}
    B = __host_array(T, size(A))
    for k in 1:length(A)
        B[k] = A[k]
    end
    return B
end
Base.copyto!(B::CuArray, A::CuArray) = copyto!(B, 1, A, 1, length(A))
Base.copyto!(B::CuArray, A::Array) = copyto!(B, 1, A, 1, length(A))
Base.copyto!(B::CuArray, A::AbstractArray) = (C = Base.__dense(A); copyto!(B, C isa CuArray ? C : host_array(A)))
Base.copyto!(B::Array, A::CuArray) = copyto!(B, 1, A, 1, length(A))
Base.copyto!(B::Array, A::WrappedCuArray) = copyto!(B, copy(A))
Base.copyto!(B::CuArray, A::WrappedCuArray) = size(B) == size(A) ? Base.materialize!(B, Base.broadcasted(identity, A)) : copyto!(B, copy(A))
Base.copyto!(B::WrappedCuArray, A::AnyCuArray) = Base.materialize!(B, Base.broadcasted(identity, size(A) == size(B) ? A : reshape(A, size(B))))
Base.copyto!(B::WrappedCuArray, A::AbstractArray) = copyto!(B, CuArray(A))
Base.unsafe_copyto!(B::CuArray, at::Integer, A, of::Integer, n::Integer) = copyto!(B, at, A, of, n)
Base.unsafe_copyto!(B::Array, at::Integer, A::CuArray, of::Integer, n::Integer) = copyto!(B, at, A, of, n)

function download(A::CuArray{T}) where {T}
    B = __host_array(T, size(A))
    raise_thrown(__download(B, 0, length(A), A.storage, A.offset))
    return B
end
download(A::WrappedCuArray) = download(copy(A))
download(A::Array) = A
function download(A)
    B = Base.__dense(A) # A itself, unless A is a triangular, symmetric or diagonal matrix
    return B === A ? host_array(A) : download(B)
end
collected(A) = download(A)                         # called by Base's collect
collected(::Type{T}, A) where {T} = eltype(A) === T ? download(A) : convert_host(T, download(A))

unsafe_free!(A::CuArray) = __free(A.storage)
unsafe_free!(A) = nothing
is_device_array(x) = x isa AnyCuArray

export CuArray, CuVector, CuMatrix, CuVecOrMat, cu
