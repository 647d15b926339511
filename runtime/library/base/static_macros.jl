# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: base/static_linear
# Macros for static array literals: @SVector [a, b], @SMatrix [a b; c d]. They also accept calls (zeros(3),
# ones(Float32, 2, 2), fill(x, 3)) and comprehensions over constant ranges. Also SA[a, b], and module StaticArrays.

macro SVector(x)
    return static_literal(:SArray, x)
end
macro SMatrix(x)
    return static_literal(:SArray, x)
end
macro SArray(x)
    return static_literal(:SArray, x)
end
macro MVector(x)
    return static_literal(:MArray, x)
end
macro MMatrix(x)
    return static_literal(:MArray, x)
end
macro MArray(x)
    return static_literal(:MArray, x)
end
function static_literal(kind, x)
    if !(x isa Expr)
        error("a static array is written as [a, b], [a b; c d], zeros(3) or [f(i) for i in 1:3]")
    end
    head = x.head
    args = collect(x.args)
    if head === :vect
        return static_expr(kind, nothing, :static_vector, args)
    elseif head === :ref
        return static_expr(kind, args[1], :static_vector, args[2:end])
    elseif head === :hcat
        return static_expr(kind, nothing, :static_row, args)
    elseif head === :typed_hcat
        return static_expr(kind, args[1], :static_row, args[2:end])
    elseif head === :vcat
        return static_rows(kind, nothing, args)
    elseif head === :typed_vcat
        return static_rows(kind, args[1], args[2:end])
    elseif head === :comprehension
        return static_comprehension(kind, nothing, args[1])
    elseif head === :typed_comprehension
        return static_comprehension(kind, args[1], args[2])
    elseif head === :call && args[1] === :fill
        return Expr(:call, :static_fill, kind, map(esc, args[2:end])...)
    elseif head === :call
        return Expr(:call, :static_call, kind, map(esc, args)...)
    end
    error("a static array is written as [a, b], [a b; c d], zeros(3) or [f(i) for i in 1:3]")
end
element_expr(kind, T) = T === nothing ? kind : Expr(:call, :OfElements, kind, esc(T))
static_expr(kind, T, f, items) = Expr(:call, f, element_expr(kind, T), map(esc, items)...)
function static_rows(kind, T, rows)
    items = []
    lengths = []
    matrix = false
    for row in rows
        if row isa Expr && row.head === :row
            matrix = true
            push!(lengths, length(row.args))
            for item in row.args
                push!(items, esc(item))
            end
        else
            push!(lengths, 1)
            push!(items, esc(row))
        end
    end
    if matrix
        return Expr(:call, :static_matrix, element_expr(kind, T), Expr(:tuple, lengths...), items...)
    end
    return Expr(:call, :static_vector, element_expr(kind, T), items...)
end
function static_comprehension(kind, T, generator)
    names = []
    ranges = []
    for part in collect(generator.args)[2:end]
        push!(names, part.args[1])
        push!(ranges, esc(part.args[2]))
    end
    body = esc(Expr(:->, Expr(:tuple, names...), generator.args[1]))
    return Expr(:call, :static_collected, element_expr(kind, T), body, ranges...)
end

# A static array type together with the element type that its literal states.
struct OfElements{K,T} end
@inline OfElements(::Type{K}, ::Type{T}) where {K,T} = OfElements{K,T}()
@inline static_of(::Type{K}, dims::Val, t::Tuple) where {K} = static_filled(K, dims, common_type(t), t)
@inline static_of(::OfElements{K,T}, dims::Val, t::Tuple) where {K,T} = static_filled(K, dims, T, t)
@inline static_vector(kind, items...) = static_of(kind, Val((nfields(items),)), items)
@inline static_row(kind, items...) = static_of(kind, Val((1, nfields(items))), items)
@inline static_matrix(kind, lengths::Tuple, items...) = static_of_rows(kind, Val((nfields(lengths), getfield(lengths, 1))), items)
@inline function static_of_rows(kind, ::Val{dims}, items) where {dims}
    nfields(items) === dims_product(dims) || throw(DimensionMismatch("the rows of a matrix differ in length"))
    return static_of(kind, Val(dims), ntuple(ByRows{dims,typeof(items)}(items), Val(nfields(items))))
end
struct ByRows{dims,T} <: Function # the size is a type parameter, so that each item keeps its own type
    items::T
end
@inline (r::ByRows{dims})(p) where {dims} = getfield(r.items, rem(p - 1, getfield(dims, 1)) * getfield(dims, 2) + div(p - 1, getfield(dims, 1)) + 1)
@inline static_collected(kind, f, ranges...) = static_of(kind, Val(map(length, ranges)), ntuple(CollectedAt(f, ranges), Val(dims_product(map(length, ranges)))))
struct CollectedAt{F,R} <: Function
    f::F
    ranges::R
end
@inline (c::CollectedAt)(p) = c.f(map(item_at, c.ranges, split_offset(map(length, c.ranges), p - 1))...)
@inline static_fill(::Type{K}, x, dims::Integer...) where {K} = static_filled(K, Val(flat_indices(dims)), typeof(x), ntuple(Returns(x), Val(dims_product(flat_indices(dims)))))
@inline static_call(::Type{K}, f, dims::Integer...) where {K} = static_call(K, f, Float64, dims...)
@inline static_call(::Type{K}, f, ::Type{T}, dims::Integer...) where {K,T} = f(K{size_type(Val(flat_indices(dims))),T,nfields(dims),dims_product(flat_indices(dims))})

struct SA{T} end
const SA_F32 = SA{Float32}
const SA_F64 = SA{Float64}
@inline sa_kind(::Type{SA}) = SArray
@inline sa_kind(::Type{SA{T}}) where {T} = OfElements{SArray,T}()
for (T, params) in ((:SA, ()), (:(SA{T}), (:T,)))
    @eval begin
        @inline getindex(::Type{$T}, items...) where {$(params...)} = static_vector(sa_kind($T), items...)
        @inline typed_vcat(::Type{$T}, items...) where {$(params...)} = static_vector(sa_kind($T), items...)
        @inline typed_hcat(::Type{$T}, items...) where {$(params...)} = static_row(sa_kind($T), items...)
        @inline typed_hvcat(::Type{$T}, lengths::Tuple, items...) where {$(params...)} = static_matrix(sa_kind($T), lengths, items...)
    end
end

module StaticArrays
import Base: StaticArray, StaticVector, StaticMatrix, SArray, SVector, SMatrix, MArray, MVector, MMatrix, SA, SA_F32, SA_F64
import Base: @SVector, @SMatrix, @SArray, @MVector, @MMatrix, @MArray
import Base: setindex, similar, push, pushfirst, pop, popfirst, dot, norm, cross, normalize, det, tr
export StaticArray, StaticVector, StaticMatrix, SArray, SVector, SMatrix, MArray, MVector, MMatrix, SA, SA_F32, SA_F64
export @SVector, @SMatrix, @SArray, @MVector, @MMatrix, @MArray
end
