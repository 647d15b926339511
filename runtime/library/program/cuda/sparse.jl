# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; when: CUSPARSE, cuSPARSE, CuSparse*; after: program/sparse_dotted, program/cuda/styles
# CUSPARSE: sparse vectors and matrices of the device, with Kiln's own kernels. Matrices are stored by columns (CSC) or
# by rows (CSR): `major` is the dimension that the pointers number, `minor` the other. A key is a linear place,
# (major - 1) * length of minor + minor; the keys of an array are sorted.
module CUSPARSE
import CUDA: CUDA, CuArray, new_array, launch_elements, global_index, reduction_type, neutral_element, InitialValue
using Base.SparseArrays
import Base.SparseArrays: SparseArrays, AbstractSparseArray, SparseVector, SparseMatrixCSC, nnz, nonzeros, nonzeroinds, rowvals, value_at_zeros, fills

abstract type AbstractCuSparseArray{Tv,Ti,N} <: AbstractSparseArray{Tv,Ti,N} end
const AbstractCuSparseVector{Tv,Ti} = AbstractCuSparseArray{Tv,Ti,1}
const AbstractCuSparseMatrix{Tv,Ti} = AbstractCuSparseArray{Tv,Ti,2}
struct CuSparseVector{Tv,Ti} <: AbstractCuSparseArray{Tv,Ti,1}
    iPtr::CuArray{Ti,1}
    nzVal::CuArray{Tv,1}
    len::Int
    nnz::Int
end
struct CuSparseMatrixCSC{Tv,Ti} <: AbstractCuSparseArray{Tv,Ti,2}
    colPtr::CuArray{Ti,1}
    rowVal::CuArray{Ti,1}
    nzVal::CuArray{Tv,1}
    dims::NTuple{2,Int}
    nnz::Int
end
struct CuSparseMatrixCSR{Tv,Ti} <: AbstractCuSparseArray{Tv,Ti,2}
    rowPtr::CuArray{Ti,1}
    colVal::CuArray{Ti,1}
    nzVal::CuArray{Tv,1}
    dims::NTuple{2,Int}
    nnz::Int
end
for S in (:CuSparseMatrixCSC, :CuSparseMatrixCSR)
    @eval $S(pointers::CuArray{Ti}, minors::CuArray{Ti}, values::CuArray{Tv}, dims::Tuple) where {Tv,Ti} = $S{Tv,Ti}(pointers, minors, values, dims, length(values))
end
CuSparseVector(places::CuArray{Ti}, values::CuArray{Tv}, n::Integer) where {Tv,Ti} = CuSparseVector{Tv,Ti}(places, values, Int(n), length(values))
const Compressed = Union{CuSparseMatrixCSC,CuSparseMatrixCSR}
Base.size(v::CuSparseVector) = (v.len,)
Base.size(A::Compressed) = A.dims
Base.IndexStyle(::Type{<:AbstractCuSparseArray}) = IndexCartesian()
nnz(A::AbstractCuSparseArray) = A.nnz
nonzeros(A::AbstractCuSparseArray) = A.nzVal
nonzeroinds(v::CuSparseVector) = v.iPtr
rowvals(v::CuSparseVector) = v.iPtr
rowvals(A::CuSparseMatrixCSC) = A.rowVal
pointers(A::CuSparseMatrixCSC) = A.colPtr
pointers(A::CuSparseMatrixCSR) = A.rowPtr
minors(A::CuSparseMatrixCSC) = A.rowVal
minors(A::CuSparseMatrixCSR) = A.colVal
# Lengths of the minor and the major dimension.
lengths(::Type{<:CuSparseMatrixCSC}, dims) = dims
lengths(::Type{<:CuSparseMatrixCSR}, dims) = (dims[2], dims[1])
lengths(A::Compressed) = lengths(typeof(A), A.dims)
form(::CuSparseVector) = CuSparseVector
form(::CuSparseMatrixCSC) = CuSparseMatrixCSC
form(::CuSparseMatrixCSR) = CuSparseMatrixCSR
# Copies the places of an array and takes other values. `index_type` is the type of its indices.
with_values(v::CuSparseVector, values) = CuSparseVector(v.iPtr, values, v.len)
with_values(A::Compressed, values) = form(A)(pointers(A), minors(A), values, A.dims)
index_type(::AbstractCuSparseArray{Tv,Ti}) where {Tv,Ti} = Ti

# ---- functions of kernels
# Number of items of a sorted vector that are at most x.
@inline function num_up_to(v, x)
    low, high = 0, length(v) + 1
    while high - low > 1
        middle = (low + high) >>> 1
        @inbounds v[middle] <= x ? (low = middle) : (high = middle)
    end
    return low
end
struct KeyOf{P} <: Function
    pointers::P
    minor::Int
end
@inline (f::KeyOf)(i, k) = (num_up_to(f.pointers, k) - 1) * f.minor + Int(i)
struct PointerOf{K,Ti} <: Function
    keys::K
    minor::Int
    zero::Ti
end
@inline (f::PointerOf)(j) = oftype(f.zero, num_up_to(f.keys, (j - 1) * f.minor) + 1)
struct MinorOf{Ti} <: Function
    minor::Int
    zero::Ti
end
@inline (f::MinorOf)(key) = oftype(f.zero, mod1(key, f.minor))
struct MajorOf{Ti} <: Function
    minor::Int
    zero::Ti
end
@inline (f::MajorOf)(key) = oftype(f.zero, div(key - 1, f.minor) + 1)
struct Turned <: Function                          # keys of the transposed layout
    minor::Int
    major::Int
end
@inline (f::Turned)(key) = (j = div(key - 1, f.minor); (key - 1 - j * f.minor) * f.major + j + 1)
struct ValueAt{K,V} <: Function
    keys::K
    values::V
end
@inline function (f::ValueAt)(key)
    k = num_up_to(f.keys, key)
    return k > 0 && (@inbounds f.keys[k] == key) ? (@inbounds f.values[k]) : zero(eltype(f.values))
end
mapped(f, arrays...) = Base.materialize(Base.Broadcasted(CUDA.as_function(f), arrays))

# ---- keys
keys_of(v::CuSparseVector) = mapped(Int, v.iPtr)
keys_of(A::Compressed) = A.nnz == 0 ? new_array(Int, (0,)) : mapped(KeyOf(pointers(A), lengths(A)[1]), minors(A), 1:A.nnz)
from_keys(::Type{CuSparseVector}, ::Type{Ti}, dims, keys, values) where {Ti} = CuSparseVector(mapped(Ti, keys), values, dims[1])
function from_keys(S::Type{<:Compressed}, ::Type{Ti}, dims, keys, values) where {Ti}
    (minor, major) = lengths(S, dims)
    pointers = CUDA.__broadcast_into(new_array(Ti, (major + 1,)), Base.Broadcasted(PointerOf(keys, minor, zero(Ti)), (1:major+1,)))
    return S(pointers, mapped(MinorOf(minor, zero(Ti)), keys), values, dims)
end
# Stores a matrix in the other layout.
function other_form(A::Compressed)
    keys = mapped(Turned(lengths(A)...), keys_of(A))
    order = sortperm(keys)
    S = A isa CuSparseMatrixCSC ? CuSparseMatrixCSR : CuSparseMatrixCSC
    return from_keys(S, index_type(A), A.dims, keys[order], A.nzVal[order])
end
in_form(::Type{S}, A) where {S} = A isa S ? A : other_form(A)

# ---- construction and conversion
CuSparseVector{Tv,Ti}(v::SparseVector) where {Tv,Ti} = CuSparseVector(CuArray(Vector{Ti}(v.nzind)), CuArray(Vector{Tv}(v.nzval)), v.n)
CuSparseMatrixCSC{Tv,Ti}(A::SparseMatrixCSC) where {Tv,Ti} =
    CuSparseMatrixCSC(CuArray(Vector{Ti}(A.colptr)), CuArray(Vector{Ti}(A.rowval[1:nnz(A)])), CuArray(Vector{Tv}(A.nzval[1:nnz(A)])), size(A))
CuSparseMatrixCSR{Tv,Ti}(A::SparseMatrixCSC) where {Tv,Ti} = other_form(CuSparseMatrixCSC{Tv,Ti}(A))
as_matrix(A::SparseMatrixCSC) = A
as_matrix(v::SparseVector) = SparseMatrixCSC(v.n, 1, [1, nnz(v) + 1], v.nzind, v.nzval)
as_matrix(A::AbstractMatrix) = SparseArrays.sparse(A)
as_matrix(v::AbstractVector) = as_matrix(SparseArrays.sparsevec(v))
CuSparseVector(v::SparseVector) = CuSparseVector{eltype(v),Int32}(v)
CuSparseVector(v::AbstractVector) = CuSparseVector(SparseArrays.sparsevec(v))
for S in (:CuSparseMatrixCSC, :CuSparseMatrixCSR)
    @eval begin
        $S(A::AbstractVecOrMat) = $S{eltype(A),Int32}(as_matrix(A))
        $S{Tv}(A::AbstractVecOrMat) where {Tv} = $S{Tv,Int32}(as_matrix(A))
        $S(A::CUDA.CuArray{T,2}) where {T} = from_dense($S, A)
        $S(A::Compressed) = in_form($S, A)
    end
end
CuSparseVector(v::CuArray{T,1}) where {T} = from_dense(CuSparseVector, v)
CuSparseVector(v::CuSparseVector) = v
function from_dense(S, A)
    D = S <: CuSparseMatrixCSR ? permutedims(A) : A
    keys = findall(mapped(!iszero, vec(D)))
    return from_keys(S, Int32, size(A), keys, vec(D)[keys])
end
SparseVector(v::CuSparseVector) = SparseVector(v.len, Vector{Int}(Array(v.iPtr)), Array(v.nzVal))
SparseMatrixCSC(A::CuSparseMatrixCSC) = SparseMatrixCSC(A.dims..., Vector{Int}(Array(A.colPtr)), Vector{Int}(Array(A.rowVal)), Array(A.nzVal))
SparseMatrixCSC(A::CuSparseMatrixCSR) = SparseMatrixCSC(other_form(A))
function CUDA.CuArray(A::AbstractCuSparseArray)
    by_rows = A isa CuSparseMatrixCSR
    D = CUDA.zeros(eltype(A), by_rows ? reverse(size(A)) : size(A))
    nnz(A) == 0 || (view(vec(D), keys_of(A)) .= A.nzVal)
    return by_rows ? permutedims(D) : D
end
Base.__dense(A::AbstractCuSparseArray) = CuArray(A) # for collect and Array
Base.copy(A::AbstractCuSparseArray) = with_values(A, copy(A.nzVal))
Base.similar(A::AbstractCuSparseArray) = with_values(A, similar(A.nzVal))
Base.similar(A::AbstractCuSparseArray, ::Type{T}) where {T} = with_values(A, similar(A.nzVal, T))
Base.similar(A::AbstractCuSparseArray, dims::Dims) = similar(A, eltype(A), dims)
Base.similar(A::AbstractCuSparseArray, ::Type{T}, n::Integer, dims::Integer...) where {T} = similar(A, T, (Int(n), map(Int, dims)...))
Base.similar(A::AbstractCuSparseArray, ::Type{T}, dims::Dims) where {T} = from_keys(length(dims) == 1 ? CuSparseVector : A isa CuSparseVector ? CuSparseMatrixCSC : form(A), index_type(A), dims, new_array(Int, (0,)), new_array(T, (0,)))
SparseArrays.sparse(A::CuArray{T,2}; fmt::Symbol=:csc) where {T} = fmt === :csr ? CuSparseMatrixCSR(A) : CuSparseMatrixCSC(A)
SparseArrays.sparse(v::CuArray{T,1}) where {T} = CuSparseVector(v)

SparseArrays.sparse(I::CuArray{Ti,1}, J::CuArray, V::CuArray, rest...; fmt::Symbol=:csc) where {Ti} =
    (fmt === :csr ? CuSparseMatrixCSR : CuSparseMatrixCSC){eltype(V),Int32}(SparseArrays.sparse(Array(I), Array(J), Array(V), rest...)) # sorted on the host
SparseArrays.findnz(v::CuSparseVector) = (copy(v.iPtr), copy(v.nzVal))
function SparseArrays.findnz(A::Compressed)
    minor = lengths(A)[1]
    majors = mapped(MajorOf(minor, zero(index_type(A))), keys_of(A))
    return A isa CuSparseMatrixCSC ? (copy(A.rowVal), majors, copy(A.nzVal)) : (majors, copy(A.colVal), copy(A.nzVal))
end
# cu and adapt keep sparse arrays sparse.
for (H, S, D) in ((:SparseMatrixCSC, :CuSparseMatrixCSC, :Compressed), (:SparseVector, :CuSparseVector, :CuSparseVector))
    @eval begin
        CUDA.adapt_storage(::Type{T}, A::$H) where {T<:CuArray} = $S(A)
        CUDA.adapt_storage(::CUDA.CuArrayAdaptor{M}, A::$H) where {M} = $S{CUDA.cu_element(eltype(A)),Int32}(A)
        CUDA.adapt_storage(::Type{T}, A::$D) where {T<:Array} = $H(A)
    end
end

# ---- elements and parts
function Base.getindex(v::CuSparseVector, i::Int)
    checkbounds(v, i)
    CUDA.assertscalar("getindex")
    return ValueAt(v.iPtr, v.nzVal)(i)
end
function Base.getindex(A::Compressed, i::Int, j::Int)
    checkbounds(A, i, j)
    CUDA.assertscalar("getindex")
    (minor, major) = A isa CuSparseMatrixCSC ? (i, j) : (j, i)
    (first, last) = (Int(pointers(A)[major]), Int(pointers(A)[major+1]) - 1)
    return ValueAt(view(minors(A), first:last), view(A.nzVal, first:last))(minor)
end
Base.getindex(A::Compressed, k::Int) = (checkbounds(A, k); A[Base.split_offset(A.dims, k - 1)...])
Base.getindex(A::AbstractCuSparseArray, I::Tuple) = A[I...]
Base.getindex(A::AbstractCuSparseArray, i::Integer) = A[Int(i)]
Base.getindex(A::AbstractCuSparseArray, i::Integer, j::Integer) = A[Int(i), Int(j)]
Base.getindex(v::CuSparseVector, ::Colon) = copy(v)
Base.getindex(A::Compressed, ::Colon, ::Colon) = copy(A)
Base.getindex(A::CuSparseMatrixCSC, ::Colon, j::Integer) = (checkbounds(A, 1:0, j); segment(A, Int(j), A.dims[1]))
Base.getindex(A::CuSparseMatrixCSR, i::Integer, ::Colon) = (checkbounds(A, i, 1:0); segment(A, Int(i), A.dims[2]))
Base.getindex(A::AbstractCuSparseArray, I...) = CuArray(A)[I...]
function segment(A, j, n)
    (first, last) = Array(view(pointers(A), j:j+1))
    return CuSparseVector(minors(A)[first:last-1], A.nzVal[first:last-1], n)
end

# ---- dotted calls
struct OfDeviceSparse end
Base.kind_rank(::OfDeviceSparse) = 8
Base.broadcast_kind(A::AbstractCuSparseArray) = OfDeviceSparse()
Base.materialize_as(::OfDeviceSparse, b) = dotted(b)
leaves(x) = ()
leaves(A::AbstractArray) = (A,)
leaves(b::Base.Broadcasted) = all_leaves(b.args)
all_leaves(::Tuple{}) = ()
all_leaves(args::Tuple) = (leaves(args[1])..., all_leaves(Base.tail(args))...)
# The call with each sparse array replaced.
replaced(f, x) = x
replaced(f, A::AbstractCuSparseArray) = f(A)
replaced(f, b::Base.Broadcasted) = Base.Broadcasted(b.f, map(x -> replaced(f, x), b.args))
function dotted(b)
    dims = Base.broadcast_size(b)
    arrays = leaves(b)
    if fills(b, dims) && all(A -> A isa AbstractCuSparseArray, arrays)
        z = value_at_zeros(b)
        z isa Number && iszero(z) && return sparse_result(b, arrays[1], arrays)
    end
    return Base.materialize(replaced(CuArray, b))
end
function sparse_result(b, A, arrays)
    length(arrays) == 1 && return with_values(A, Base.materialize(replaced(nonzeros, b)))
    alike = map(B -> B isa CuSparseVector ? B : in_form(form(A), B), arrays)
    own = map(keys_of, alike)
    keys = merged(own)
    k = Ref(0)
    found = replaced(b) do _
        k[] += 1
        Base.Broadcasted(ValueAt(own[k[]], alike[k[]].nzVal), (keys,))
    end
    return from_keys(form(A), index_type(A), size(A), keys, Base.materialize(found))
end
function merged(lists)
    all = sort(reduce(vcat, lists))
    n = length(all)
    n <= 1 && return all
    return all[vcat(CuArray([true]), view(all, 2:n) .!= view(all, 1:n-1))]
end
Base.:*(x::Number, A::AbstractCuSparseArray) = with_values(A, x * A.nzVal)
Base.:*(A::AbstractCuSparseArray, x::Number) = with_values(A, A.nzVal * x)
Base.:/(A::AbstractCuSparseArray, x::Number) = with_values(A, A.nzVal / x)
Base.:-(A::AbstractCuSparseArray) = with_values(A, -A.nzVal)
Base.:+(A::AbstractCuSparseArray, B::AbstractCuSparseArray) = same_size(+, A, B)
Base.:-(A::AbstractCuSparseArray, B::AbstractCuSparseArray) = same_size(-, A, B)
same_size(f, A, B) = size(A) == size(B) ? Base.materialize(Base.Broadcasted(f, (A, B))) : throw(DimensionMismatch(string("dimensions must match: a has dims ", axes(A), ", b has dims ", axes(B))))
Base.:(==)(A::AbstractCuSparseArray, B::AbstractArray) = size(A) == size(B) && collect(A) == collect(B)
Base.:(==)(A::AbstractArray, B::AbstractCuSparseArray) = B == A
Base.:(==)(A::AbstractCuSparseArray, B::AbstractCuSparseArray) = size(A) == size(B) && CuArray(A) == CuArray(B)

# ---- reductions. Elements that are not stored count as zeros.
const Adds = Union{typeof(+),typeof(Base.add_sum)}
const Idempotent = Union{typeof(max),typeof(min),typeof(&),typeof(|)}
@inline with_zeros(op::Adds, value, z, n) = iszero(z) ? value : op(value, oftype(value, n * z))
@inline with_zeros(op::Idempotent, value, z, n) = n > 0 ? op(value, z) : value
@inline with_zeros(op, value, z, n) = (for _ in 1:n value = op(value, z) end; value)
function reduce_segments(out, f, op, start, pointers, values, minor)
    j = global_index()
    if j <= length(out)
        value = start
        @inbounds first, last = pointers[j], pointers[j+1] - 1
        for k in first:last
            @inbounds value = convert(eltype(out), op(value, f(values[k])))
        end
        @inbounds out[j] = convert(eltype(out), with_zeros(op, value, f(zero(eltype(values))), minor - (last - first + 1)))
    end
    return nothing
end
function reduced(f, op, A, dims, init)
    z = f(zero(eltype(A)))
    if dims isa Colon
        value = init isa InitialValue ? mapreduce(f, op, A.nzVal) : mapreduce(f, op, A.nzVal; init=init)
        return with_zeros(op, value, z, length(A) - nnz(A))
    end
    d = dims isa Integer ? Int(dims) : length(dims) == 1 ? Int(first(dims)) : 0
    A isa Compressed && (d == 1 || d == 2) || return mapreduce(f, op, CuArray(A); dims=dims, init=init)
    S = in_form(d == 1 ? CuSparseMatrixCSC : CuSparseMatrixCSR, A)
    T = init isa InitialValue ? reduction_type(op, typeof(z)) : typeof(op(init, z))
    start = convert(T, init isa InitialValue ? neutral_element(op, T) : init)
    (minor, major) = lengths(S)
    out = new_array(T, d == 1 ? (1, major) : (major, 1))
    major == 0 || launch_elements(reduce_segments, (out, CUDA.as_function(f), op, start, pointers(S), S.nzVal, minor), major, major)
    return out
end
Base.mapreduce(f, op, A::AbstractCuSparseArray; dims=:, init=InitialValue()) = reduced(f, op, A, dims, init)
Base.reduce(op, A::AbstractCuSparseArray; dims=:, init=InitialValue()) = reduced(identity, op, A, dims, init)
for (name, op) in ((:sum, :(Base.add_sum)), (:prod, :(Base.mul_prod)), (:maximum, :max), (:minimum, :min))
    @eval Base.$name(A::AbstractCuSparseArray; dims=:, init=InitialValue()) = reduced(identity, $op, A, dims, init)
    @eval Base.$name(f, A::AbstractCuSparseArray; dims=:, init=InitialValue()) = reduced(f, $op, A, dims, init)
end
Base.map(f, A::AbstractCuSparseArray, rest::AbstractCuSparseArray...) = dotted(Base.Broadcasted(f, (A, rest...)))
Base.iszero(A::AbstractCuSparseArray) = all(iszero, A.nzVal)
Base.norm(A::AbstractCuSparseArray, p::Real=2) = p > 0 ? Base.norm(A.nzVal, p) : Base.norm(CuArray(A), p)
Base.issymmetric(A::Compressed) = size(A, 1) == size(A, 2) && Base.issymmetric(CuArray(A))
Base.ishermitian(A::Compressed) = size(A, 1) == size(A, 2) && Base.ishermitian(CuArray(A))
function Base.opnorm(A::Compressed, p::Real=2)
    p == 1 || p == Inf || throw(ArgumentError(string("p=", p, " is not supported for sparse matrices of the device: use 1 or Inf")))
    T = typeof(float(real(zero(eltype(A)))))
    return isempty(A) ? zero(T) : convert(T, maximum(sum(Base.__wide_abs, A; dims=p == 1 ? 1 : 2)))
end

Base.show(io::IO, A::CuSparseVector) = show(io, SparseVector(A))
Base.show(io::IO, A::Compressed) = show(io, SparseMatrixCSC(A))
Base.show(io::IO, ::MIME{Symbol("text/plain")}, A::AbstractCuSparseArray) = print(io, summary(A), " with ", nnz(A), " stored entries: ", A)
export CuSparseVector, CuSparseMatrixCSC, CuSparseMatrixCSR, AbstractCuSparseArray, AbstractCuSparseVector, AbstractCuSparseMatrix
end
import CUDA.CUSPARSE: CuSparseVector, CuSparseMatrixCSC, CuSparseMatrixCSR
const cuSPARSE = CUSPARSE
export CUSPARSE
