# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/launch
# Device addresses (CuPtr). Programs compare them, add to them and pass them to kernels, which receive an LLVMPtr.
struct CuPtr{T}
    address::UInt64
    CuPtr{T}(n::UInt64) where {T} = new{T}(n)
end
const CU_NULL = CuPtr{Nothing}(UInt64(0))
(::Type{CuPtr{T}})(n::Integer) where {T} = CuPtr{T}(rem(n, UInt64))
(::Type{CuPtr{T}})(p::CuPtr) where {T} = CuPtr{T}(p.address)
Base.eltype(::Type{CuPtr{T}}) where {T} = T
Base.eltype(::CuPtr{T}) where {T} = T
Base.:(==)(p::CuPtr, q::CuPtr) = p.address == q.address
Base.isless(p::CuPtr, q::CuPtr) = isless(p.address, q.address)
Base.:+(p::CuPtr{T}, n::Integer) where {T} = CuPtr{T}(p.address + rem(n, UInt64))
Base.:+(n::Integer, p::CuPtr) = p + n
Base.:-(p::CuPtr{T}, n::Integer) where {T} = CuPtr{T}(p.address - rem(n, UInt64))
Base.:-(p::CuPtr, q::CuPtr) = p.address - q.address
(::Type{UInt64})(p::CuPtr) = p.address
(::Type{Int64})(p::CuPtr) = rem(p.address, Int64)
Base.convert(::Type{Int64}, p::CuPtr) = Int64(p)
Base.convert(::Type{UInt64}, p::CuPtr) = p.address
Base.convert(::Type{CuPtr{T}}, p::CuPtr) where {T} = CuPtr{T}(p.address)
Base.convert(::Type{CuPtr{T}}, n::Integer) where {T} = CuPtr{T}(n)
Base.convert(::Type{P}, p::CuPtr) where {P<:Ptr} = throw(ArgumentError("cannot convert a GPU pointer to a CPU pointer"))
Base.reinterpret(::Type{P}, p::CuPtr) where {P<:Union{Ptr,LLVMPtr}} = reinterpret(P, p.address)
Base.reinterpret(::Type{CuPtr{T}}, p::CuPtr) where {T} = CuPtr{T}(p.address)
Base.reinterpret(::Type{CuPtr{T}}, p::Union{Ptr,LLVMPtr}) where {T} = CuPtr{T}(UInt64(p))
Base.reinterpret(::Type{CuPtr{T}}, n::Union{Int64,UInt64}) where {T} = CuPtr{T}(n)
Base.show(io::Base.IO, p::CuPtr) = (print(io, Base.__type_text(typeof(p)), "(0x", string(p.address; base=16, pad=16), ")"); nothing)
Base.pointer(A::CuArray{T}) where {T} = CuPtr{T}(__address(A.storage) + A.offset)
Base.pointer(A::CuArray{T}, i::Integer) where {T} = pointer(A) + (Int(i) - 1) * sizeof(T)
Base.unsafe_convert(::Type{Ptr{T}}, A::CuArray) where {T} = throw(ArgumentError("cannot take the CPU address of a $(typeof(A))"))
Base.unsafe_convert(::Type{CuPtr{T}}, A::CuArray) where {T} = CuPtr{T}(pointer(A))
Base.elsize(A::CuArray{T}) where {T} = sizeof(T)
Base.strides(A::CuArray) = ntuple(d -> Base.dims_product(ntuple(k -> size(A, k), d - 1)), ndims(A))
Base.stride(A::CuArray, d::Integer) = Base.dims_product(ntuple(k -> size(A, k), min(Int(d) - 1, ndims(A))))

# Types of strided arrays: whole arrays, and views with a constant distance between elements.
const DenseCuArray{T,N} = CuArray{T,N}
const DenseCuVector{T} = CuArray{T,1}
const DenseCuMatrix{T} = CuArray{T,2}
const EvenIndex = Union{Int,AbstractRange{Int},Colon}
const StridedCuArray{T,N} = Union{CuArray{T,N},SubArray{T,N,<:CuArray,<:Tuple{Vararg{EvenIndex}}}}
const StridedCuVector{T} = StridedCuArray{T,1}
const StridedCuMatrix{T} = StridedCuArray{T,2}
const StridedCuVecOrMat{T} = Union{StridedCuVector{T},StridedCuMatrix{T}}

# ---- unsafe_wrap: finds the program's array that owns the memory at an address
function Base.unsafe_wrap(::Type{CuArray}, p::CuPtr{T}, dims::Tuple; own=false) where {T}
    sizes = flat_dims(dims)
    (storage, offset) = __memory_at(p.address, UInt64(Base.dims_product(sizes) * sizeof(T)))
    return CuArray{T,length(sizes),DeviceMemory}(storage, offset, sizes)
end
Base.unsafe_wrap(::Type{A}, p::CuPtr, n::Integer; keywords...) where {A<:CuArray} = unsafe_wrap(A, p, (n,); keywords...)
Base.unsafe_wrap(::Type{CuArray{T}}, p::CuPtr{T}, dims::Tuple; keywords...) where {T} = unsafe_wrap(CuArray, p, dims; keywords...)
Base.unsafe_wrap(::Type{CuArray{T,N}}, p::CuPtr{T}, dims::NTuple{N,Integer}; keywords...) where {T,N} = unsafe_wrap(CuArray, p, dims; keywords...)
Base.unsafe_wrap(::Type{CuArray{T,N,M}}, p::CuPtr{T}, dims::NTuple{N,Integer}; keywords...) where {T,N,M<:AnyMemory} = as_memory(unsafe_wrap(CuArray, p, dims; keywords...), M)

# ---- tests for shared memory
memory_of(A::CuArray) = (pointer(A).address, pointer(A).address + sizeof(A))
memory_of(A::Union{SubArray,Transpose,Adjoint}) = memory_of(parent(A))
memory_of(A::Base.ReshapedArray) = memory_of(A.parent)
function Base.mightalias(A::AnyCuArray, B::AnyCuArray)
    (a, b) = (memory_of(A), memory_of(B))
    return a[1] < b[2] && b[1] < a[2]
end
Base.unaliascopy(A::CuArray) = copy(A)

# ---- kinds of memory
memory_kind(A::CuArray{T,N,M}) where {T,N,M} = M
memory_kind(A) = memory_kind(parent(A))
memory_kind(A::Base.ReshapedArray) = memory_kind(A.parent)
is_device(A) = memory_kind(A) === DeviceMemory
is_unified(A) = memory_kind(A) === UnifiedMemory
is_host(A) = memory_kind(A) === HostMemory
is_managed(p) = false
is_inplaceable_destination(A::CuArray) = true
device(A::AnyCuArray) = device()
context(A::AnyCuArray) = context()
enable_synchronization!(A::AnyCuArray, on::Bool=true) = A
synchronize(A::AnyCuArray) = synchronize()

export CuPtr, CU_NULL, DenseCuArray, DenseCuVector, DenseCuMatrix, StridedCuArray, StridedCuVector, StridedCuMatrix, StridedCuVecOrMat, is_device, is_unified, is_host

# ---- references to a device value, for calls of CUDA's libraries
abstract type CuRef{T} end
struct CuRefValue{T} <: CuRef{T}
    array::CuArray{T,1,DeviceMemory}
end
struct CuRefArray{T,A} <: CuRef{T}
    array::A
    at::Int
end
CuRef{T}(x) where {T} = CuRefValue{T}(CuArray(T[convert(T, x)]))
(::Type{CuRef})(x) = CuRef{typeof(x)}(x)
(::Type{CuRef})(A::CuArray, i::Integer=1) = CuRefArray{eltype(A),typeof(A)}(A, Int(i))
CuRef{T}() where {T} = CuRefValue{T}(CuArray{T,1,DeviceMemory}(undef, 1))
Base.eltype(::CuRef{T}) where {T} = T
Base.eltype(::Type{<:CuRef{T}}) where {T} = T
Base.getindex(r::CuRefValue) = load_element(r.array, 1)
Base.getindex(r::CuRefArray) = load_element(r.array, r.at)
Base.setindex!(r::CuRefValue, x) = (copyto!(r.array, 1, [convert(eltype(r), x)], 1, 1); r)
Base.setindex!(r::CuRefArray, x) = (copyto!(r.array, r.at, [convert(eltype(r), x)], 1, 1); r)
Base.convert(::Type{CuRef{T}}, r::CuRef{T}) where {T} = r
Base.convert(::Type{CuRef{T}}, A::CuArray{T}) where {T} = CuRef(A)
Base.convert(::Type{CuRef{T}}, x::Number) where {T} = CuRef{T}(x)
Base.unsafe_convert(::Type{CuPtr{T}}, r::CuRefValue) where {T} = CuPtr{T}(pointer(r.array))
Base.unsafe_convert(::Type{CuPtr{T}}, r::CuRefArray) where {T} = CuPtr{T}(pointer(r.array, r.at))
Base.show(io::Base.IO, r::CuRefValue{T}) where {T} = (print(io, "CuRefValue{", T, "}(", r[], ")"); nothing)
Base.show(io::Base.IO, r::CuRefArray{T}) where {T} = (print(io, "CuRefArray{", T, "}(", r[], ")"); nothing)
export CuRef
