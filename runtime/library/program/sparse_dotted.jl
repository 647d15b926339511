# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: program/sparse
# Dotted calls of sparse arrays on the host give sparse arrays, as in Julia, if their other arrays are structured or
# Arrays. The function is called at stored places, and once for zeros. Also random sparse arrays and diagonals.
module SparseArrays
struct SparseStyle{N} <: Base.Broadcast.AbstractArrayStyle{N} end
SparseStyle{M}(::Val{N}) where {M,N} = SparseStyle{N}()
Base.Broadcast.BroadcastStyle(::Type{<:AbstractSparseArray{Tv,Ti,N}}) where {Tv,Ti,N} = SparseStyle{N}()
gives_sparse(x) = true
gives_sparse(x::AbstractArray) = false
gives_sparse(x::Union{Array,AbstractSparseArray,Base.Diagonal,Base.Tridiagonal,Base.Bidiagonal,Base.SymTridiagonal}) = true
gives_sparse(x::Union{Base.Transpose,Base.Adjoint}) = gives_sparse(parent(x))
gives_sparse(b::Base.Broadcasted) = all(gives_sparse, b.args)
copy(b::Base.Broadcasted{SparseStyle{N}}) where {N} = gives_sparse(b) && N <= 2 ? dotted(b) : Base.Broadcast.copy_plain(b, axes(b))

Base.map(f, A::Union{SparseMatrixCSC,SparseVector}) = f.(A)

# Value of a dotted call where all its arrays are zero.
value_at_zeros(x) = Base.broadcast_at(x, 1)
value_at_zeros(A::AbstractArray) = zero(eltype(A))
value_at_zeros(b::Base.Broadcasted) = b.f(map(value_at_zeros, b.args)...)
# True if all arrays of a dotted call have these dimensions, and it has no tuples.
fills(x, dims) = true
fills(t::Tuple, dims) = false
fills(A::AbstractArray, dims) = ndims(A) == 0 || size(A) == dims
fills(b::Base.Broadcasted, dims) = all(x -> fills(x, dims), b.args)
# Linear places of all elements of a call's arrays that are not zero.
add_places!(places, x) = places
add_places!(places, A::AbstractArray) = append!(places, findall(!iszero, vec(A)))
add_places!(places, v::SparseVector) = append!(places, v.nzind)
add_places!(places, A::SparseMatrixCSC) = ((I, J, _) = findnz(A); append!(places, (J .- 1) .* A.m .+ I))
add_places!(places, b::Base.Broadcasted) = (for x in b.args add_places!(places, x) end; places)
function dotted(b)
    dims = Base.broadcast_size(b)
    z = fills(b, dims) ? value_at_zeros(b) : nothing
    skips = z isa Number
    places = skips ? unique(sort(add_places!(Int[], b))) : collect(1:prod(dims))
    values = [Base.broadcast_at(b, length(dims) == 1 ? k : Base.split_offset(dims, k - 1)) for k in places]
    isempty(values) && (values = typeof(z)[])
    if skips && iszero(z)
        kept = findall(!iszero, values)
        (places, values) = (places[kept], values[kept])
    elseif skips                                   # one call gives the value of all zeros
        all = fill!(Vector{promote_type(typeof(z), eltype(values))}(undef, prod(dims)), z)
        all[places] = values
        (places, values) = (collect(1:prod(dims)), all)
    end
    return from_places(dims, places, values)
end
# Array with these values at sorted linear places.
from_places(dims::Tuple{Int}, places, values) = SparseVector(dims[1], places, values)
function from_places(dims::Tuple{Int,Int}, places, values)
    (m, n) = dims
    colptr = Int[searchsortedfirst(places, (j - 1) * m + 1) for j in 1:n+1]
    return SparseMatrixCSC(m, n, colptr, Int[mod1(k, m) for k in places], values)
end

sprand(::Type{T}, n::Integer, p::Real) where {T} = (v = sprand(n, p); SparseVector(n, v.nzind, rand(T, nnz(v))))
sprandn(m::Integer, n::Integer, p::Real) = sprandn(Float64, m, n, p)
sprandn(n::Integer, p::Real) = sprandn(Float64, n, p)
sprandn(::Type{T}, m::Integer, n::Integer, p::Real) where {T} = (A = sprand(m, n, p); SparseMatrixCSC(m, n, A.colptr, A.rowval, randn(T, nnz(A))))
sprandn(::Type{T}, n::Integer, p::Real) where {T} = (v = sprand(n, p); SparseVector(n, v.nzind, randn(T, nnz(v))))
function dropzeros!(A::SparseMatrixCSC)
    B = dropzeros(A)
    for name in (:colptr, :rowval, :nzval)
        copy!(getfield(A, name), getfield(B, name))
    end
    return A
end
dropzeros!(v::SparseVector) = (w = dropzeros(v); copy!(v.nzind, w.nzind); copy!(v.nzval, w.nzval); v)
spdiagm(v::AbstractVector) = spdiagm(0 => v)
function spdiagm(ps::Pair...)
    n = maximum(map(p -> length(p.second) + abs(p.first), ps))
    return spdiagm(n, n, ps...)
end
function spdiagm(m::Integer, n::Integer, ps::Pair...)
    I = reduce(vcat, [collect(1:length(p.second)) .+ max(-p.first, 0) for p in ps])
    J = reduce(vcat, [collect(1:length(p.second)) .+ max(p.first, 0) for p in ps])
    return sparse(I, J, reduce(vcat, [collect(p.second) for p in ps]), m, n)
end
export dropzeros!, sprandn, spdiagm
end
