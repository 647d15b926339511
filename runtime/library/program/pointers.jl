# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/linear_parts, base/package_names, program/substring; when: unsafe_wrap, unsafe_string, unsafe_copyto!, stride, strides, chkstride1, pointer, unsafe_load, unsafe_store!, blasfunc, dgemm_, sgemm_, zgemm_, cgemm_
# Strides of views, and pointers to elements of host arrays. A pointer is a number, by which the host finds the array (lib/programs/addresses.cpp).

stride(A::AbstractArray, k::Integer) = k <= ndims(A) ? strides(A)[k] : ndims(A) == 0 ? 1 : maximum(strides(A) .* size(A))
strides(S::SubArray) = __kept_strides(strides(parent(S)), S.indices)
__kept_strides(steps::Tuple{}, indices::Tuple{}) = ()
__kept_strides(steps::Tuple, indices::Tuple) = (__kept_stride(steps[1], indices[1])..., __kept_strides(tail(steps), tail(indices))...)
__kept_stride(s, i::Integer) = ()
__kept_stride(s, r::AbstractRange) = (s * step(r),)
strides(A::PermutedDimsArray{T,N,perm}) where {T,N,perm} = map(d -> strides(parent(A))[d], perm)
strides(A::Union{Adjoint{T,<:AbstractMatrix},Transpose{T,<:AbstractMatrix}}) where {T} = reverse(strides(parent(A)))
strides(A::Union{Adjoint{T,<:AbstractVector},Transpose{T,<:AbstractVector}}) where {T} = (stride(parent(A), 2), stride(parent(A), 1))
function strides(R::ReshapedArray)
    strides(parent(R)) == __dense_strides(size(parent(R))) || throw(ArgumentError("a reshaped array whose parent has gaps has no strides"))
    return __dense_strides(size(R))
end
__dense_strides(dims) = ntuple(k -> prod(dims[1:k-1]), length(dims))
function pointer(A::Array{T}) where {T}
    address = isbitstype(T) ? __address_of(A) : nothing
    address === nothing && throw(ArgumentError(string("the elements of a ", typeof(A), " have no address")))
    return Ptr{T}(address)
end
pointer(s::String) = Ptr{UInt8}(__address_of(s))
pointer(s::SubString{String}) = pointer(s.string) + s.offset
pointer(s::Union{String,SubString{String}}, i::Integer) = pointer(s) + (i - 1)
unsafe_convert(::Type{Ptr{T}}, s::Union{String,SubString{String}}) where {T<:Union{UInt8,Int8}} = Ptr{T}(pointer(s))
unsafe_convert(::Type{Ptr{T}}, A::Union{Array{T},SubArray{T},ReshapedArray{T},PermutedDimsArray{T}}) where {T} = pointer(A)
pointer(A::AbstractArray{T}) where {T} = unsafe_convert(Ptr{T}, cconvert(Ptr{T}, A))
pointer(A::Array, i::Integer) = pointer(A) + (i - 1) * sizeof(eltype(A))
pointer(A::AbstractArray, i::Integer) = pointer(A) + sum(map((k, s) -> (k - 1) * s, Tuple(CartesianIndices(A)[i]), strides(A)); init=0) * sizeof(eltype(A))
pointer(S::SubArray) = pointer(parent(S), 1 + sum(map((r, s) -> (first(r) - 1) * s, S.indices, strides(parent(S))); init=0))
pointer(A::Union{ReshapedArray,PermutedDimsArray,Adjoint{<:Real},Transpose}) = pointer(parent(A))
__elements_elsewhere(p) = nothing # CUDA finds elements in unified memory
# The elements at p as a vector, and the number of those before p. The bytes of a string are copied.
function __elements_at(p::Union{Ptr{T},LLVMPtr{T}}, to_write=false) where {T}
    found = something(__array_at(T, UInt64(p), to_write), Some(__elements_elsewhere(p)))
    found === nothing && __no_array_at(p)
    return found
end
__no_array_at(p) = throw(ArgumentError(string("no array of the program is at the address of ", p, ": take pointers by pointer(A), and keep A")))
__load_at(p, i) = (found = __elements_at(p); found[1][found[2]+i])
__store_at(p, v, i) = (found = __elements_at(p, true); found[1][found[2]+i] = v; p)
function unsafe_copyto!(to::Ptr{T}, from::Ptr{T}, n::Integer) where {T}
    n == 0 && return to
    (A, i) = __elements_at(from)
    (B, j) = __elements_at(to, true)
    copyto!(B, j + 1, A, i + 1, n)
    return to
end
unsafe_copyto!(B::Array, j, A::Array, i, n) = copyto!(B, j, A, i, n)

function unsafe_string(p::Union{Ptr{UInt8},Ptr{Int8}}, n::Integer=-1)
    UInt64(p) == 0 && throw(ArgumentError("cannot convert NULL to string"))
    text = n == 0 ? "" : __text_at(UInt64(p), Int(n))
    text === nothing && __no_array_at(p)
    return text
end
# Arrays over the memory at a pointer. They share it with the array that the pointer is from, and keep it.
unsafe_wrap(::Union{Type{Array},Type{Array{T}},Type{Array{T,N}}}, p::Ptr{T}, dims::NTuple{N,Int}; own::Bool=false) where {T,N} = __wrap_at(p, dims, own)
unsafe_wrap(::Union{Type{Array},Type{Array{T}},Type{Array{T,N}}}, p::Ptr{T}, dims::NTuple{N,Integer}; own::Bool=false) where {T,N} = __wrap_at(p, map(Int, dims), own)
unsafe_wrap(::Union{Type{Array},Type{Array{T}},Type{Array{T,1}}}, p::Ptr{T}, n::Integer; own::Bool=false) where {T} = __wrap_at(p, (Int(n),), own)
unsafe_wrap(::Type{Vector{UInt8}}, s::String) = Vector{UInt8}(codeunits(s))
function __wrap_at(p::Ptr{T}, dims, own) where {T}
    own && throw(ArgumentError("unsafe_wrap: own=true takes memory from malloc, which a program of Kiln has not"))
    isbitstype(T) || throw(ArgumentError(string("unsafe_wrap: elements of type ", T, " have no address")))
    all(n -> n >= 0, dims) || throw(ArgumentError("invalid Array dimensions"))
    align = alignof_type(T)
    UInt64(p) % align == 0 || throw(ArgumentError(string("unsafe_wrap: pointer 0x", string(UInt64(p); base=16), " is not properly aligned to ", align, " bytes")))
    any(iszero, dims) && return Array{T}(undef, dims...)
    made = __wrapped_at(T, UInt64(p), dims)
    return made === nothing ? __no_array_at(p) : made
end

# ---- products of matrices at pointers, as BLAS gets them
macro blasfunc(name)
    QuoteNode(name)
end
for (name, T) in ((:sgemm_, Float32), (:dgemm_, Float64), (:cgemm_, ComplexF32), (:zgemm_, ComplexF64))
    @eval $(Symbol(:clib_, name))(ta, tb, m, n, k, a::$T, A::Ptr{$T}, lda, B::Ptr{$T}, ldb, b::$T, C::Ptr{$T}, ldc) = __multiply_at(Char(ta), Char(tb), m, n, k, a, A, lda, B, ldb, b, C, ldc)
end
function __multiply_at(ta, tb, m, n, k, a, A, lda, B, ldb, b, C, ldc)
    X = ta == 'N' ? __matrix_at(A, m, k, lda) : __matrix_at(A, k, m, lda)
    Y = tb == 'N' ? __matrix_at(B, k, n, ldb) : __matrix_at(B, n, k, ldb)
    (elements, before) = __elements_at(C, true)
    places = __places(before, m, n, ldc)
    product = a .* (LinearAlgebra.BLAS.form(ta, X) * LinearAlgebra.BLAS.form(tb, Y))
    elements[places] = iszero(b) ? product : product .+ b .* elements[places]
    return nothing
end
__matrix_at(p, m, n, stride) = (found = __elements_at(p); found[1][__places(found[2], m, n, stride)])
__places(before, m, n, stride) = [before + i + (j - 1) * stride for i in 1:m, j in 1:n]
module LinearAlgebra
import Base: @blasfunc
module BLAS
import Base: @blasfunc, chkstride1
const libblastrampoline = :libblastrampoline
end
export @blasfunc
end
