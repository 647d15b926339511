# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; when: SVector, SMatrix, SArray, MVector, MMatrix, MArray, StaticArray*, StaticVec*, StaticMatrix*, SA, SA_F*
# Arrays of static size, under StaticArrays' names: SArray, which is a value (a column-major tuple), and functions for
# both SArray and MArray. An MArray is in the thread's memory.

abstract type StaticArray{S,T,N} <: AbstractArray{T,N} end
const StaticVector{N,T} = StaticArray{Tuple{N},T,1}
const StaticMatrix{R,C,T} = StaticArray{Tuple{R,C},T,2}
struct SArray{S,T,N,L} <: StaticArray{S,T,N}
    data::NTuple{L,T}
    @inline SArray{S,T,N,L}(t::NTuple{L,T}) where {S,T,N,L} = new{S,T,N,L}(t)
end
const SVector{N,T} = SArray{Tuple{N},T,1,N}
const SMatrix{R,C,T,L} = SArray{Tuple{R,C},T,2,L}
const StaticVecOrMat{T} = Union{StaticArray{<:Tuple,T,1},StaticArray{<:Tuple,T,2}}

# ---- size and elements that a type states. SVector states neither, SVector{3} only its size.
struct SideOf{S} <: Function end
@inline (::SideOf{S})(i) where {S} = type_parameter(S, i)
@inline sides_of(::Type{S}) where {S} = ntuple(SideOf{S}(), fieldcount_(S))
@inline sides_in(::Type{<:StaticArray{S}}) where {S} = isa(S, DataType) ? Val(sides_of(S)) : nothing # Tuple{N} with a free type variable N states no size
@inline sides_in(::Type{A}) where {A<:StaticArray} = nothing
@inline element_in(::Type{<:StaticArray{S,T}}, other) where {S,T} = T
@inline element_in(::Type{A}, other) where {A<:StaticArray} = other
@inline size_type(::Val{dims}) where {dims} = apply_type(Tuple, dims...)
@inline common_type(t::Tuple{}) = Union{}
@inline common_type(t::Tuple) = promote_type(map(typeof, t)...)

# ---- constructors from a tuple, from elements, or from another array
@inline (::Type{A})(t::Tuple) where {A<:SArray} = static_made(A, sides_or(sides_in(A), t), t)
@inline (::Type{A})(x, rest...) where {A<:SArray} = A((x, rest...))
@inline (::Type{A})() where {A<:SArray} = A(())
@inline (::Type{A})(items::AbstractArray) where {A<:SArray} = A(sized_items(sides_in(A), items))
@inline (::Type{A})(items::StaticArray) where {A<:SArray} = static_made(A, sides_or_size(sides_in(A), items), Tuple(items))
@inline sides_or(dims::Val, t) = dims
@inline sides_or(::Nothing, t) = Val((nfields(t),))
@inline sides_or_size(dims::Val, items) = dims
@inline sides_or_size(::Nothing, items) = Val(size(items))
@inline sized_items(::Nothing, items) = static_error("a static array made of an array must say its size: SVector{3}(A)")
@inline function sized_items(::Val{dims}, items) where {dims}
    length(items) == dims_product(dims) || throw(DimensionMismatch("as many elements as the static array has"))
    return ntuple(ItemOf(items), Val(dims_product(dims)))
end
@inline static_made(::Type{A}, dims::Val, t::Tuple) where {A<:SArray} = static_filled(SArray, dims, element_in(A, common_type(t)), t)
@inline function static_filled(::Type{SArray}, ::Val{dims}, ::Type{T}, t::Tuple) where {dims,T}
    nfields(t) === dims_product(dims) || static_error("a static array of ", dims_product(dims), " elements cannot be made of ", nfields(t))
    return SArray{size_type(Val(dims)),T,nfields(dims),nfields(t)}(map(Fix1(convert, T), t))
end
# Makes an array of the kind of A (SArray or MArray) with another size or element type.
@inline static_like(A::StaticArray, dims::Val, t::Tuple) = static_filled(static_kind(A), dims, like_type(A, t), t)
@inline static_kind(::SArray) = SArray
@inline like_type(A, t::Tuple) = common_type(t)
@inline like_type(A, t::Tuple{}) = eltype(A)

@inline Tuple(A::SArray) = getfield(A, :data)
struct ItemOf{A} <: Function
    items::A
end
@inline (f::ItemOf)(i) = @inbounds f.items[i]
@inline convert(::Type{A}, x::A) where {A<:SArray} = x
@inline convert(::Type{A}, x::AbstractArray) where {A<:SArray} = A(x)
@inline convert(::Type{A}, x::Tuple) where {A<:SArray} = A(x)
@inline splatted(A::StaticArray) = Tuple(A)

# ---- size and elements
@inline IndexStyle(::Type{A}) where {A<:StaticArray} = IndexLinear()
@inline size(::StaticArray{S}) where {S} = sides_of(S)
@inline size(::Type{<:StaticArray{S}}) where {S} = sides_of(S)
@inline length(::StaticArray{S}) where {S} = dims_product(sides_of(S))
@inline length(::Type{<:StaticArray{S}}) where {S} = dims_product(sides_of(S))
@inline function getindex(A::SArray, i::Int)
    @boundscheck ult_int(sub_int(i, 1), length(A)) || throw(BoundsError(A, i))
    return getfield(getfield(A, :data), i, false)
end
setindex!(A::SArray, v, I...) = static_error("an SArray is a value and cannot be changed: A = setindex(A, v, i) makes another one, an MArray can be changed")
@inline indexed_iterate(A::SArray, i::Int, state=1) = (getfield(getfield(A, :data), i), add_int(i, 1))
@inline function getproperty(A::StaticArray{S,T,1}, name::Symbol) where {S,T}
    return name === :x ? A[1] : name === :y ? A[2] : name === :z ? A[3] : name === :w ? A[4] : getfield(A, name)
end
# Indexing with colons or static indices gives a static array.
@inline getindex(A::StaticArray, ::Colon) = static_like(A, Val((length(A),)), Tuple(A))
@inline getindex(A::StaticMatrix, ::Colon, ::Colon) = static_like(A, Val(size(A)), Tuple(A))
@inline rows(A) = getfield(size(A), 1) # number of rows: a constant that follows from the type
@inline columns(A) = nfields(size(A)) === 1 ? 1 : getfield(size(A), 2)
@inline function getindex(A::StaticMatrix, ::Colon, j::Integer)
    @boundscheck ult_int(sub_int(rem(j, Int), 1), columns(A)) || throw(BoundsError(A, (:, j)))
    return static_like(A, Val((rows(A),)), ntuple(Shifted(ItemOf(A), rows(A) * (rem(j, Int) - 1)), Val(rows(A))))
end
@inline function getindex(A::StaticMatrix, i::Integer, ::Colon)
    @boundscheck ult_int(sub_int(rem(i, Int), 1), rows(A)) || throw(BoundsError(A, (i, :)))
    return static_like(A, Val((columns(A),)), ntuple(InRow(A, rem(i, Int)), Val(columns(A))))
end
struct InRow{A} <: Function
    items::A
    i::Int
end
@inline (r::InRow)(j) = @inbounds r.items[r.i, j]
@propagate_inbounds getindex(A::AbstractArray, I::StaticArray{S,<:Integer}) where {S} = static_like(I, Val(size(I)), map(Fix1(getindex, A), Tuple(I)))

# ---- setindex(A, v, i): a copy of A with element i replaced by v
@inline function setindex(A::SArray{S,T,N,L}, v, i::Integer) where {S,T,N,L}
    @boundscheck ult_int(sub_int(rem(i, Int), 1), L) || throw(BoundsError(A, i))
    return SArray{S,T,N,L}(modifiable_copy(Tuple(A), rem(i, Int), convert(T, v)))
end
@inline function setindex(A::SArray, v, I::Union{Integer,AbstractCartesianIndex}...)
    J = flat_indices(I)
    @boundscheck in_bounds(size(A), J) || throw(BoundsError(A, J))
    return @inbounds setindex(A, v, offset_of(size(A), J) + 1)
end
@inline push(A::StaticVector, x) = static_like(A, Val((length(A) + 1,)), (Tuple(A)..., x))
@inline pushfirst(A::StaticVector, x) = static_like(A, Val((length(A) + 1,)), (x, Tuple(A)...))
@inline pop(A::StaticVector) = static_like(A, Val((length(A) - 1,)), front(Tuple(A)))
@inline popfirst(A::StaticVector) = static_like(A, Val((length(A) - 1,)), tail(Tuple(A)))
@inline reverse(A::StaticVector) = static_like(A, Val(size(A)), reverse(Tuple(A)))
@inline sort(A::StaticVector) = static_like(A, Val(size(A)), sort(Tuple(A)))
@inline circshift(A::StaticVector, n::Integer) = static_like(A, Val(size(A)), circshift(Tuple(A), n))
@inline accumulate(op, A::StaticVector) = static_like(A, Val(size(A)), accumulate(op, Tuple(A)))
@inline cumsum(A::StaticVector) = accumulate(add_sum, A)
@inline cumprod(A::StaticVector) = accumulate(mul_prod, A)
@inline vcat(A::StaticVector) = A
@inline vcat(A::Union{Number,StaticVector}, B::StaticVector, rest...) = vcat(joined(A, A, B), rest...)
@inline vcat(A::StaticVector, b::Number, rest...) = vcat(joined(A, A, b), rest...)
@inline joined(A::StaticVector, a, b) = static_like(A, Val((length(a) + length(b),)), (Tuple(a)..., Tuple(b)...))
@inline joined(a::Number, x, B) = joined(B, a, B)
@inline hcat(A::StaticVector, B::StaticVector, rest::StaticVector...) = static_like(A, Val((length(A), nfields(rest) + 2)), all_items(A, B, rest...))
@inline all_items(A) = Tuple(A)
@inline all_items(A, rest...) = (Tuple(A)..., all_items(rest...)...)

# ---- filled arrays: zero(A), zeros(SMatrix{2,2,Float32}), one(A). The default element type is Float64.
@inline zero(A::StaticArray) = zero(typeof(A))
@inline one(A::StaticArray) = one(typeof(A))
@inline zero(::Type{A}) where {A<:StaticArray} = filled_with(zero(element_in(A, Float64)), A)
@inline zeros(::Type{A}) where {A<:StaticArray} = filled_with(zero(element_in(A, Float64)), A)
@inline ones(::Type{A}) where {A<:StaticArray} = filled_with(one(element_in(A, Float64)), A)
@inline fill(x, ::Type{A}) where {A<:StaticArray} = filled_with(x, A)
struct Draw{F,T} <: Function
    draw::F
    element::Type{T}
end
@inline (d::Draw)(i) = d.draw(d.element)
for f in (:rand, :randn, :randexp)
    @eval @inline $f(::Type{A}) where {A<:StaticArray} = A(ntuple(Draw($f, element_in(A, Float64)), item_count(sides_in(A))))
end
@inline filled_with(x, ::Type{A}) where {A<:StaticArray} = A(ntuple(Returns(x), item_count(sides_in(A))))
@inline item_count(::Val{dims}) where {dims} = Val(dims_product(dims))
item_count(::Nothing) = static_error("the size of a static array must be known, as in SVector{3}")
@inline one(::Type{A}) where {A<:StaticArray} = A(identity_items(sides_in(A), one(element_in(A, Float64))))
@inline function identity_items(::Val{dims}, x) where {dims}
    nfields(dims) === 2 && getfield(dims, 1) === getfield(dims, 2) || throw(DimensionMismatch("only a square matrix has an identity"))
    return ntuple(OnDiagonal(x, getfield(dims, 1)), Val(dims_product(dims)))
end
struct OnDiagonal{T} <: Function
    x::T
    n::Int
end
@inline (d::OnDiagonal)(p) = rem(p - 1, d.n + 1) === 0 ? d.x : zero(d.x)

# ---- map, reductions and comparison, computed on the tuples of elements
@inline map(f, A::StaticArray) = static_like(A, Val(size(A)), map(f, Tuple(A)))
@inline function map(f, A::StaticArray, B::StaticArray, rest::StaticArray...)
    same_sizes(size(A), B, rest...) || throw(DimensionMismatch("static arrays differ in size"))
    return static_like(A, Val(size(A)), map(f, Tuple(A), map(Tuple, (B, rest...))...))
end
@inline same_sizes(dims) = true
@inline same_sizes(dims, A, rest...) = size(A) === dims && same_sizes(dims, rest...)
for f in (:sum, :prod, :minimum, :maximum, :extrema, :all, :any, :count)
    @eval @inline $f(A::SArray) = length(A) === 0 ? reduced_empty($f, A) : $f(Tuple(A))
    @eval @inline $f(f, A::SArray) = $f(f, Tuple(A))
end
@inline reduced_empty(f, A) = f(Tuple(A))
@inline reduced_empty(::typeof(sum), A::SArray{S,T}) where {S,T} = widen_sum(zero(T))
@inline reduced_empty(::typeof(prod), A::SArray{S,T}) where {S,T} = widen_product(one(T))
for f in (:reduce, :foldl, :foldr)
    @eval @inline $f(op, A::SArray) = $f(op, Tuple(A))
end
for f in (:mapreduce, :mapfoldl)
    @eval @inline $f(f, op, A::SArray) = $f(f, op, Tuple(A))
end
@inline mapreduce(f, op, A::SArray, B::SArray) = reduce(op, map(f, Tuple(A), Tuple(B)))
@inline ==(A::SArray, B::SArray) = size(A) === size(B) && Tuple(A) == Tuple(B)
@inline isequal(A::SArray, B::SArray) = size(A) === size(B) && isequal(Tuple(A), Tuple(B))
@inline isapprox(A::StaticArray, B::StaticArray) = norm(A - B) <= rtoldefault(eltype(A), eltype(B), 0) * max(norm(A), norm(B))

# ---- dotted calls. Static arrays may be combined with tuples and scalars; the result is a static array of the first
# array's kind.
struct OfStatic end
@inline broadcast_kind(A::StaticArray) = OfStatic()
@inline kind_rank(::OfStatic) = 2                  # between tuples and ranges
@inline materialize_as(::OfStatic, b) = static_like(first_array(b), Val(broadcast_size(b)), static_items(b, Val(broadcast_size(b))))
@inline static_items(b, ::Val{dims}) where {dims} = is_linear_in(dims, b) ? ntuple(Fix1(broadcast_at, b), Val(dims_product(dims))) : ntuple(AtPlace(b, dims), Val(dims_product(dims)))
struct AtPlace{B,D} <: Function
    source::B
    dims::D
end
@inline (a::AtPlace)(i) = broadcast_at(a.source, split_offset(a.dims, i - 1))
