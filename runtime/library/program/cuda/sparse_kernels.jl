# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/sparse
# CUSPARSE in kernels: sparse arrays as arguments, and products of sparse and dense arrays.
module CUSPARSE
# ---- sparse arrays in kernels: elements are looked up
struct CuSparseDeviceVector{Tv,Ti,P,V} <: AbstractSparseArray{Tv,Ti,1}
    iPtr::P
    nzVal::V
    len::Int
    nnz::Int
end
struct CuSparseDeviceMatrixCSC{Tv,Ti,P,V} <: AbstractSparseArray{Tv,Ti,2}
    colPtr::P
    rowVal::P
    nzVal::V
    dims::NTuple{2,Int}
    nnz::Int
end
struct CuSparseDeviceMatrixCSR{Tv,Ti,P,V} <: AbstractSparseArray{Tv,Ti,2}
    rowPtr::P
    colVal::P
    nzVal::V
    dims::NTuple{2,Int}
    nnz::Int
end
for (S, D) in ((:CuSparseVector, :CuSparseDeviceVector), (:CuSparseMatrixCSC, :CuSparseDeviceMatrixCSC), (:CuSparseMatrixCSR, :CuSparseDeviceMatrixCSR))
    @eval function CUDA.adapt_structure(to::CUDA.KernelAdaptor, A::$S{Tv,Ti}) where {Tv,Ti}
        parts = map(x -> CUDA.adapt(to, x), ntuple(k -> getfield(A, k), nfields(A)))
        return $D{Tv,Ti,typeof(parts[1]),typeof(A isa CuSparseVector ? parts[2] : parts[3])}(parts...)
    end
end
const DeviceCompressed = Union{CuSparseDeviceMatrixCSC,CuSparseDeviceMatrixCSR}
@inline Base.size(v::CuSparseDeviceVector) = (v.len,)
@inline Base.size(A::DeviceCompressed) = A.dims
@inline Base.IndexStyle(::Type{<:DeviceCompressed}) = IndexCartesian()
@inline nnz(A::Union{CuSparseDeviceVector,DeviceCompressed}) = A.nnz
@inline nonzeros(A::Union{CuSparseDeviceVector,DeviceCompressed}) = A.nzVal
@inline function Base.getindex(v::CuSparseDeviceVector, i::Int)
    @boundscheck checkbounds(v, i)
    return ValueAt(v.iPtr, v.nzVal)(i)
end
@inline Base.getindex(A::CuSparseDeviceMatrixCSC, i::Int, j::Int) = (@boundscheck checkbounds(A, i, j); stored_value(A.colPtr, A.rowVal, A.nzVal, i, j))
@inline Base.getindex(A::CuSparseDeviceMatrixCSR, i::Int, j::Int) = (@boundscheck checkbounds(A, i, j); stored_value(A.rowPtr, A.colVal, A.nzVal, j, i))
@inline function stored_value(pointers, minors, values, minor, major)
    @inbounds low, high = Int(pointers[major]) - 1, Int(pointers[major+1])
    last = high
    while high - low > 1
        middle = (low + high) >>> 1
        @inbounds minors[middle] < minor ? (low = middle) : (high = middle)
    end
    return high < last && (@inbounds minors[high] == minor) ? (@inbounds values[high]) : zero(eltype(values))
end

# ---- products: a thread computes one element
function sparse_product(C, pointers, minors, values, B, alpha, beta)
    t = global_index() - 1
    if t < length(C)
        j = div(t, size(C, 1))
        i = t - j * size(C, 1)
        value = zero(eltype(C))
        @inbounds for k in pointers[i+1]:pointers[i+2]-1
            value = Base.add_product(values[k], B[minors[k], j+1], value)
        end
        CUDA.set_product!(C, i + 1, j + 1, value, alpha, beta)
    end
    return nothing
end
# The transpose of a matrix by columns is a matrix by rows with the same pointers.
const Flipped = Union{Transpose{T,<:Compressed} where {T},Adjoint{T,<:Compressed} where {T}}
plain(A::Compressed) = A
plain(A::Transpose) = flipped(parent(A), parent(A).nzVal)
plain(A::Adjoint) = flipped(parent(A), conj(parent(A).nzVal))
flipped(A, values) = (A isa CuSparseMatrixCSC ? CuSparseMatrixCSR : CuSparseMatrixCSC)(pointers(A), minors(A), values, reverse(A.dims))
Base.copy(A::Flipped) = in_form(form(parent(A)), plain(A))
function Base.mul!(C::CUDA.CuFlat, A::Union{Compressed,Flipped}, B::CUDA.AnyCuArray, alpha::Number=true, beta::Number=false)
    size(A, 2) == size(B, 1) && size(C, 1) == size(A, 1) && size(C, 2) == size(B, 2) || throw(DimensionMismatch(string("C has axes ", axes(C), ", A has axes ", axes(A), ", B has axes ", axes(B))))
    R = in_form(CuSparseMatrixCSR, plain(A))
    length(C) == 0 || launch_elements(sparse_product, (CUDA.as_matrix(C), R.rowPtr, R.colVal, R.nzVal, CUDA.as_matrix(B), alpha, beta), length(C), length(C))
    return C
end
Base.:*(A::Union{Compressed,Flipped}, B::CUDA.AnyCuArray) = Base.mul!(new_array(CUDA.product_type(A, B), ndims(B) == 1 ? (size(A, 1),) : (size(A, 1), size(B, 2))), A, B)
end
