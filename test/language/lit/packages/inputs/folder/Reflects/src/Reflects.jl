# What packages ask of types, and how they make code.
module Reflects
using LinearAlgebra: Symmetric, UpperTriangular, Diagonal
export Cells, Row, width, sides, unrolled, rebuilt, kind_of, has_size, Scratch, spread, grid, checked, diagonal_of, common, middle, @squares

abstract type Cells{S<:Tuple,T,N} <: AbstractArray{T,N} end
struct Row{S<:Tuple,T,N,L} <: Cells{S,T,N}
    data::NTuple{L,T}
end
const Line{K,T} = Row{Tuple{K},T,1,K}

sides(::Type{S}) where {S<:Tuple} = (S.parameters...,)
width(::Type{<:Cells{S}}) where {S} = prod(sides(S))
has_size(::Type{<:Cells{S}}) where {S<:Tuple} = @isdefined S
has_size(::Type{<:Cells}) = false
kind_of(x) = nameof(typeof(x))
# Line, of which the elements are known: Line{K,T} where K.
common(::Type{A}, ::Type{T}) where {A<:Cells,T} = typeintersect(A, AbstractArray{T})

@generated function unrolled(f, t::Tuple)
    calls = [:(f(t[$i])) for i in 1:length(t.parameters)]
    total = reduce((a, b) -> :($a + $b), calls)
    return quote
        $(Expr(:meta, :inline))
        $total
    end
end

# The elements of a matrix's index set, in the order of its columns.
@generated function grid(x, ::Val{dims}) where {dims}
    indices = CartesianIndices(dims)
    exprs = similar(indices, Expr)
    for (k, I) in enumerate(indices)
        exprs[k] = :(x * $(10 * I[1] + I[2]))
    end
    named = [Symbol(:e_, i, :_, j) for i in 1:dims[1], j in 1:dims[2]]
    sets = [:($(named[i, j]) = $(exprs[i, j])) for i in 1:dims[1], j in 1:dims[2]]
    size(sets) == dims || error("a comprehension of two variables is a matrix")
    return quote
        $(sets...)
        tuple($(named...))
    end
end

# An object made again with other fields, as Adapt makes closures.
@generated function rebuilt(f, x::T) where {T}
    fields = Expr(:tuple, (:(f(getfield(x, $i))) for i in 1:fieldcount(T))...)
    return Expr(:splatnew, T.name.wrapper === T ? T : :(T), fields)
end

mutable struct Scratch{L,T}
    data::NTuple{L,T}
    Scratch{L,T}() where {L,T} = new{L,T}()
end
function spread(x::T, ::Val{L}) where {T,L}
    s = Scratch{L,T}()
    GC.@preserve s begin
        p = Base.unsafe_convert(Ptr{T}, pointer_from_objref(s))
        for i in 1:L
            unsafe_store!(p, x * i, i)
        end
    end
    return s.data
end

function middle(t::NTuple{N,Any}) where {N}
    if @generated
        return :(t[$(div(N, 2) + 1)])
    else
        return t[div(N, 2)+1]
    end
end

checked(n) = n > 0 ? n : throw(DomainError(n, "expected more than $n, at least $(n + 1)"))

function diagonal_of(a, b, c)
    D = Diagonal(Pair2(a, b))
    U = UpperTriangular(Square2(a, b, c))
    S = Symmetric(Square2(a, b, c))
    return D[1, 1] + D[1, 2] + D[2, 2], U[2, 1] + U[1, 2], S[2, 1] - S[1, 2]
end
struct Pair2{T} <: AbstractVector{T}
    a::T
    b::T
end
Base.size(p::Pair2) = (2,)
Base.getindex(p::Pair2, i::Int) = i == 1 ? p.a : p.b
struct Square2{T} <: AbstractMatrix{T}
    a::T
    b::T
    c::T
end
Base.size(p::Square2) = (2, 2)
Base.getindex(p::Square2, i::Int, j::Int) = i == j ? p.a : i < j ? p.b : p.c

# The range is evaluated where the macro is called.
macro squares(range)
    values = Any[:(f($j)) for j in Core.eval(__module__, range)]
    return quote
        let
            f(i) = i * i
            tuple($(values...))
        end
    end
end
end
