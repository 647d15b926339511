# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/linear_parts, base/package_names, program/reinterpret_array; when: unsafe_copyto!, stride, strides, chkstride1, pointer, unsafe_load, unsafe_store!, blasfunc, dgemm_, sgemm_, zgemm_, cgemm_
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
unsafe_convert(::Type{Ptr{T}}, A::Union{Array{T},SubArray{T},ReshapedArray{T},PermutedDimsArray{T}}) where {T} = pointer(A)
pointer(A::AbstractArray{T}) where {T} = unsafe_convert(Ptr{T}, cconvert(Ptr{T}, A))
pointer(A::Array, i::Integer) = pointer(A) + (i - 1) * sizeof(eltype(A))
pointer(A::AbstractArray, i::Integer) = pointer(A) + sum(map((k, s) -> (k - 1) * s, Tuple(CartesianIndices(A)[i]), strides(A)); init=0) * sizeof(eltype(A))
pointer(S::SubArray) = pointer(parent(S), 1 + sum(map((r, s) -> (first(r) - 1) * s, S.indices, strides(parent(S))); init=0))
pointer(A::Union{ReshapedArray,PermutedDimsArray,Adjoint{<:Real},Transpose}) = pointer(parent(A))
__elements_elsewhere(p) = nothing # CUDA finds elements in unified memory
# The elements at p as a vector, and the number of those before p.
function __elements_at(p::Union{Ptr{T},LLVMPtr{T}}) where {T}
    found = something(__array_at(UInt64(p)), Some(__elements_elsewhere(p)))
    found === nothing && throw(ArgumentError(string("no array of the program is at the address of ", p, ": take pointers by pointer(A), and keep A")))
    (A, offset) = found
    return (eltype(A) === T ? vec(A) : reinterpret(T, vec(A)), div(offset, sizeof(T)))
end
__load_at(p, i) = (found = __elements_at(p); found[1][found[2]+i])
__store_at(p, v, i) = (found = __elements_at(p); found[1][found[2]+i] = v; p)
function unsafe_copyto!(to::Ptr{T}, from::Ptr{T}, n::Integer) where {T}
    (A, i) = __elements_at(from)
    (B, j) = __elements_at(to)
    copyto!(B, j + 1, A, i + 1, n)
    return to
end
unsafe_copyto!(B::Array, j, A::Array, i, n) = copyto!(B, j, A, i, n)

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
    (elements, before) = __elements_at(C)
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
