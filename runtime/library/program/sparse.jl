# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/broadcast_styles, program/linear_parts, program/styles; when: SparseArrays
# SparseArrays: matrices by compressed columns and sparse vectors, on the host. Sums, products with numbers, products of
# sparse matrices and dotted calls are sparse. Other operations use the generic array functions and give dense arrays.
module SparseArrays
import Base: size, getindex, setindex!, copy, similar, zero, map, +, -, *, ==, permutedims, show, iszero, count
abstract type AbstractSparseArray{Tv,Ti,N} <: AbstractArray{Tv,N} end
const AbstractSparseVector{Tv,Ti} = AbstractSparseArray{Tv,Ti,1}
const AbstractSparseMatrix{Tv,Ti} = AbstractSparseArray{Tv,Ti,2}
abstract type AbstractSparseMatrixCSC{Tv,Ti<:Integer} <: AbstractSparseArray{Tv,Ti,2} end
struct SparseMatrixCSC{Tv,Ti<:Integer} <: AbstractSparseMatrixCSC{Tv,Ti}
    m::Int
    n::Int
    colptr::Vector{Ti}                             # column j has the places colptr[j] to colptr[j+1]-1
    rowval::Vector{Ti}
    nzval::Vector{Tv}
    function SparseMatrixCSC{Tv,Ti}(m::Integer, n::Integer, colptr::Vector{Ti}, rowval::Vector{Ti}, nzval::Vector{Tv}) where {Tv,Ti<:Integer}
        length(colptr) == n + 1 && colptr[1] == 1 || throw(ArgumentError("colptr of a sparse matrix with $n columns has $(n + 1) elements, of which the first is 1"))
        length(rowval) == length(nzval) >= colptr[end] - 1 || throw(ArgumentError("rowval and nzval of a sparse matrix have colptr[end] - 1 elements"))
        return new{Tv,Ti}(Int(m), Int(n), colptr, rowval, nzval)
    end
end
SparseMatrixCSC(m::Integer, n::Integer, colptr::Vector{Ti}, rowval::Vector{Ti}, nzval::Vector{Tv}) where {Tv,Ti} = SparseMatrixCSC{Tv,Ti}(m, n, colptr, rowval, nzval)
SparseMatrixCSC(A::AbstractMatrix) = sparse(A)
SparseMatrixCSC{Tv}(A::AbstractMatrix) where {Tv} = SparseMatrixCSC{Tv,Int}(A)
SparseMatrixCSC{Tv,Ti}(A::AbstractMatrix) where {Tv,Ti} = (S = sparse(A); SparseMatrixCSC{Tv,Ti}(S.m, S.n, Vector{Ti}(S.colptr), Vector{Ti}(S.rowval), Vector{Tv}(S.nzval)))
struct SparseVector{Tv,Ti<:Integer} <: AbstractSparseArray{Tv,Ti,1}
    n::Int
    nzind::Vector{Ti}
    nzval::Vector{Tv}
    SparseVector{Tv,Ti}(n::Integer, nzind::Vector{Ti}, nzval::Vector{Tv}) where {Tv,Ti<:Integer} =
        length(nzind) == length(nzval) ? new{Tv,Ti}(Int(n), nzind, nzval) : throw(ArgumentError("index and value vectors must be the same length"))
end
SparseVector(n::Integer, nzind::Vector{Ti}, nzval::Vector{Tv}) where {Tv,Ti} = SparseVector{Tv,Ti}(n, nzind, nzval)
SparseVector(v::AbstractVector) = sparsevec(v)
size(A::SparseMatrixCSC) = (A.m, A.n)
size(v::SparseVector) = (v.n,)
getcolptr(A::SparseMatrixCSC) = A.colptr
rowvals(A::SparseMatrixCSC) = A.rowval
nonzeros(A::Union{SparseMatrixCSC,SparseVector}) = A.nzval
Base.__storage(A::Union{SparseMatrixCSC,SparseVector}) = A.nzval
nonzeroinds(v::SparseVector) = v.nzind
nzrange(A::SparseMatrixCSC, j::Integer) = Int(A.colptr[j]):Int(A.colptr[j+1] - 1)
nnz(A::SparseMatrixCSC) = Int(A.colptr[end] - 1)
nnz(v::SparseVector) = length(v.nzind)
issparse(A) = A isa AbstractSparseArray || (A isa AbstractArray && parent(A) !== A && issparse(parent(A)))
indtype(::AbstractSparseArray{Tv,Ti}) where {Tv,Ti} = Ti

# ---- elements
function getindex(A::SparseMatrixCSC, i::Int, j::Int)
    checkbounds(A, i, j)
    k = searchsortedfirst(view(A.rowval, nzrange(A, j)), i) + A.colptr[j] - 1
    return k < A.colptr[j+1] && A.rowval[k] == i ? A.nzval[k] : zero(eltype(A))
end
function setindex!(A::SparseMatrixCSC, x, i::Int, j::Int)
    checkbounds(A, i, j)
    k = searchsortedfirst(view(A.rowval, nzrange(A, j)), i) + A.colptr[j] - 1
    if k < A.colptr[j+1] && A.rowval[k] == i
        A.nzval[k] = x
    elseif !iszero(x)
        insert!(A.rowval, k, i)
        insert!(A.nzval, k, x)
        for c in j+1:A.n+1
            A.colptr[c] += 1
        end
    end
    return A
end
function getindex(v::SparseVector, i::Int)
    checkbounds(v, i)
    k = searchsortedfirst(v.nzind, i)
    return k <= length(v.nzind) && v.nzind[k] == i ? v.nzval[k] : zero(eltype(v))
end
function setindex!(v::SparseVector, x, i::Int)
    checkbounds(v, i)
    k = searchsortedfirst(v.nzind, i)
    if k <= length(v.nzind) && v.nzind[k] == i
        v.nzval[k] = x
    elseif !iszero(x)
        insert!(v.nzind, k, i)
        insert!(v.nzval, k, x)
    end
    return v
end
function findnz(A::SparseMatrixCSC{Tv,Ti}) where {Tv,Ti}
    columns = Ti[j for j in 1:A.n for _ in nzrange(A, j)]
    return (A.rowval[1:nnz(A)], columns, A.nzval[1:nnz(A)])
end
findnz(v::SparseVector) = (copy(v.nzind), copy(v.nzval))

# ---- construction
function sparse(I::AbstractVector, J::AbstractVector, V::AbstractVector, m::Integer=isempty(I) ? 0 : maximum(I), n::Integer=isempty(J) ? 0 : maximum(J), combine=eltype(V) === Bool ? (|) : +)
    length(I) == length(J) == length(V) || throw(ArgumentError("the first three arguments' lengths must match"))
    all(i -> 1 <= i <= m, I) && all(j -> 1 <= j <= n, J) || throw(ArgumentError("row indices I[k] must satisfy 1 <= I[k] <= m, and column indices J[k] 1 <= J[k] <= n"))
    order = sort(collect(1:length(I)); by=k -> (J[k], I[k]))
    (rows, values, counts) = (Int[], eltype(V)[], zeros(Int, n))
    for (at, k) in enumerate(order)
        if at > 1 && I[k] == I[order[at-1]] && J[k] == J[order[at-1]]
            values[end] = combine(values[end], V[k])
        else
            push!(rows, I[k])
            push!(values, V[k])
            counts[J[k]] += 1
        end
    end
    return SparseMatrixCSC(m, n, cumsum([1; counts]), rows, values)
end
sparse(I::AbstractVector, J::AbstractVector, v::Number, rest...) = sparse(I, J, fill(v, length(I)), rest...)
function sparse(A::AbstractMatrix{T}) where {T}
    places = [(i, j) for j in 1:size(A, 2) for i in 1:size(A, 1) if !iszero(A[i, j])]
    return sparse(Int[p[1] for p in places], Int[p[2] for p in places], T[A[p[1], p[2]] for p in places], size(A, 1), size(A, 2))
end
sparse(A::Union{SparseMatrixCSC,SparseVector}) = copy(A)
sparse(v::AbstractVector) = sparsevec(v)
function sparsevec(I::AbstractVector{<:Integer}, V::AbstractVector, n::Integer=isempty(I) ? 0 : maximum(I))
    A = sparse(I, ones(Int, length(I)), V, n, 1)
    return SparseVector(n, A.rowval, A.nzval)
end
sparsevec(v::AbstractVector{T}) where {T} = (places = Int[i for i in 1:length(v) if !iszero(v[i])]; SparseVector(length(v), places, T[v[i] for i in places]))
spzeros(m::Integer, n::Integer) = spzeros(Float64, m, n)
spzeros(n::Integer) = spzeros(Float64, n)
spzeros(::Type{T}, m::Integer, n::Integer) where {T} = SparseMatrixCSC(m, n, ones(Int, n + 1), Int[], T[])
spzeros(::Type{T}, n::Integer) where {T} = SparseVector(n, Int[], T[])
function sprand(m::Integer, n::Integer, p::Real)
    places = [(i, j) for j in 1:n for i in 1:m if rand() < p]
    return sparse(Int[q[1] for q in places], Int[q[2] for q in places], rand(length(places)), m, n)
end
sprand(n::Integer, p::Real) = (places = Int[i for i in 1:n if rand() < p]; SparseVector(n, places, rand(length(places))))
sprand(::Type{T}, m::Integer, n::Integer, p::Real) where {T} = (A = sprand(m, n, p); SparseMatrixCSC(m, n, A.colptr, A.rowval, rand(T, nnz(A))))
copy(A::SparseMatrixCSC) = __with(A, copy(A.nzval))
copy(v::SparseVector) = __with(v, copy(v.nzval))
# A matrix with the same places and other values.
__with(A::SparseMatrixCSC, values) = SparseMatrixCSC(A.m, A.n, copy(A.colptr), A.rowval[1:nnz(A)], values[1:nnz(A)])
__with(v::SparseVector, values) = SparseVector(v.n, copy(v.nzind), values)
similar(A::Union{SparseMatrixCSC,SparseVector}) = __with(A, similar(A.nzval))
similar(A::Union{SparseMatrixCSC,SparseVector}, ::Type{T}) where {T} = __with(A, similar(A.nzval, T))
similar(A::Union{SparseMatrixCSC,SparseVector}, ::Type{T}, dims::Base.Dims{2}) where {T} = spzeros(T, dims...)
similar(A::Union{SparseMatrixCSC,SparseVector}, ::Type{T}, dims::Base.Dims{1}) where {T} = spzeros(T, dims...)
zero(A::SparseMatrixCSC) = spzeros(eltype(A), A.m, A.n)
zero(v::SparseVector) = spzeros(eltype(v), v.n)
function dropzeros(A::SparseMatrixCSC)
    (I, J, V) = findnz(A)
    kept = findall(!iszero, V)
    return sparse(I[kept], J[kept], V[kept], A.m, A.n)
end
dropzeros(v::SparseVector) = (kept = findall(!iszero, v.nzval); SparseVector(v.n, v.nzind[kept], v.nzval[kept]))

# ---- arithmetic
for op in (:+, :-)
    @eval function $op(A::SparseMatrixCSC, B::SparseMatrixCSC)
        size(A) == size(B) || throw(DimensionMismatch(string("dimensions must match: a has dims ", axes(A), ", b has dims ", axes(B))))
        (a, b) = (findnz(A), findnz(B))
        return sparse([a[1]; b[1]], [a[2]; b[2]], [a[3]; map($op, b[3])], A.m, A.n, +)
    end
    @eval function $op(v::SparseVector, w::SparseVector)
        v.n == w.n || throw(DimensionMismatch(string("dimensions must match: a has dims ", axes(v), ", b has dims ", axes(w))))
        return sparsevec([v.nzind; w.nzind], [v.nzval; map($op, w.nzval)], v.n)
    end
end
-(A::Union{SparseMatrixCSC,SparseVector}) = __with(A, -A.nzval)
*(x::Number, A::Union{SparseMatrixCSC,SparseVector}) = __with(A, x * A.nzval)
*(A::Union{SparseMatrixCSC,SparseVector}, x::Number) = __with(A, A.nzval * x)
function *(A::SparseMatrixCSC, x::AbstractVector)
    A.n == length(x) || throw(DimensionMismatch("a matrix of $(A.n) columns and a vector of $(length(x)) elements"))
    y = zeros(promote_type(eltype(A), eltype(x)), A.m)
    for j in 1:A.n, k in nzrange(A, j)
        y[A.rowval[k]] += A.nzval[k] * x[j]
    end
    return y
end
*(A::SparseMatrixCSC, B::SparseMatrixCSC) = sparse(hcat([A * B[:, j] for j in 1:B.n]...))
==(A::SparseMatrixCSC, B::SparseMatrixCSC) = size(A) == size(B) && all(I -> A[I] == B[I], CartesianIndices(size(A)))

function show(io::IO, A::SparseMatrixCSC)
    (I, J, V) = findnz(A)
    print(io, "sparse(", I, ", ", J, ", ", V, ", ", A.m, ", ", A.n, ")")
end
show(io::IO, v::SparseVector) = print(io, "sparsevec(", v.nzind, ", ", v.nzval, ", ", v.n, ")")
export AbstractSparseArray, AbstractSparseMatrix, AbstractSparseVector, SparseMatrixCSC, SparseVector, dropzeros, findnz, issparse, nnz, nonzeros, nzrange, rowvals, sparse, sparsevec, sprand, spzeros
end
