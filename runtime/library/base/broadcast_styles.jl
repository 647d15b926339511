# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; when: [package], axes, BroadcastStyle, ArrayStyle, AbstractArrayStyle, DefaultArrayStyle; after: base/lazy_iterators, base/random, base/structured
# Broadcasting by styles, for packages: functions of Base.Broadcast that packages extend, with Julia's names and
# meaning. Only nests of dotted calls with an array of such a package use them.

module Broadcast
abstract type BroadcastStyle end
struct Unknown <: BroadcastStyle end
struct Style{T} <: BroadcastStyle end
abstract type AbstractArrayStyle{N} <: BroadcastStyle end
struct ArrayStyle{A} <: AbstractArrayStyle{Any} end
struct DefaultArrayStyle{N} <: AbstractArrayStyle{N} end
struct ArrayConflict <: AbstractArrayStyle{Any} end
DefaultArrayStyle(::Val{N}) where {N} = DefaultArrayStyle{N}()
DefaultArrayStyle{M}(::Val{N}) where {M,N} = DefaultArrayStyle{N}()
ArrayStyle{A}(::Val) where {A} = ArrayStyle{A}()
ArrayConflict(::Val) = ArrayConflict()

struct Extruded{T,K,D}
    x::T
    keeps::K
    defaults::D
end
struct BroadcastFunction{F} <: Function
    f::F
end
@inline (op::BroadcastFunction)(x...) = op.f.(x...)

# Wraps an argument that a nest of dotted calls does not index: a function, symbol or type.
struct Held{T} <: Ref{T}
    x::T
end
@inline held(x) = Held(x)
@inline held(x::Union{Number,AbstractChar,AbstractArray,Tuple,Ref,Some,Held,Base.OfType,Base.Broadcasted}) = x

# ---- the style of a type, and the joined style of two
@inline BroadcastStyle(::Type{T}) where {T} = DefaultArrayStyle{0}()
@inline BroadcastStyle(::Type{<:Tuple}) = Style{Tuple}()
@inline BroadcastStyle(::Type{A}) where {A<:AbstractArray} = DefaultArrayStyle{ndims(A)}()
@inline BroadcastStyle(::Type{<:Base.Broadcasted{S}}) where {S<:BroadcastStyle} = S()
BroadcastStyle(::BroadcastStyle, ::BroadcastStyle) = Unknown()
BroadcastStyle(::Unknown, ::Unknown) = Unknown()
BroadcastStyle(a::BroadcastStyle, ::Unknown) = a
BroadcastStyle(::AbstractArrayStyle{0}, b::Style{Tuple}) = b
BroadcastStyle(a::AbstractArrayStyle, ::Style{Tuple}) = a
BroadcastStyle(a::Style{T}, ::Style{T}) where {T} = a
BroadcastStyle(a::S, ::S) where {S<:ArrayStyle} = a
BroadcastStyle(::ArrayStyle, ::ArrayStyle) = Unknown()
BroadcastStyle(a::S, ::S) where {S<:AbstractArrayStyle} = a
BroadcastStyle(a::AbstractArrayStyle{M}, b::AbstractArrayStyle{N}) where {M,N} = same_wrapper(typeof(a), typeof(b)) ? typeof(a)(Val(max(M, N))) : Unknown()
BroadcastStyle(a::AbstractArrayStyle{Any}, ::DefaultArrayStyle) = a
BroadcastStyle(a::AbstractArrayStyle{N}, ::DefaultArrayStyle{N}) where {N} = a
BroadcastStyle(a::DefaultArrayStyle{N}, ::DefaultArrayStyle{N}) where {N} = a
BroadcastStyle(a::AbstractArrayStyle{M}, ::DefaultArrayStyle{N}) where {M,N} = typeof(a)(Val(max(M, N)))
@inline same_wrapper(::Type{S}, ::Type{T}) where {S,T} = S.name.wrapper === T.name.wrapper

@inline combine_styles() = DefaultArrayStyle{0}()
@inline combine_styles(x) = BroadcastStyle(typeof(x))
@inline combine_styles(x, y) = result_style(combine_styles(x), combine_styles(y))
@inline combine_styles(x, y, rest...) = result_style(combine_styles(x), combine_styles(y, rest...))
@inline result_style(s) = s
@inline result_style(s::S, ::S) where {S<:BroadcastStyle} = s
# Joins two styles. Packages define BroadcastStyle(s, t) for one order of the two only.
@inline result_style(s, t) = joined_style(s, t, BroadcastStyle(s, t), BroadcastStyle(t, s))
@inline joined_style(s, t, ::Unknown, ::Unknown) = Unknown()
@inline joined_style(s::AbstractArrayStyle, t::AbstractArrayStyle, ::Unknown, ::Unknown) = ArrayConflict()
@inline joined_style(s, t, ::Unknown, v) = v
@inline joined_style(s, t, u, ::Unknown) = u
@inline joined_style(s, t, u::S, ::S) where {S<:BroadcastStyle} = u
joined_style(s, t, u, v) = Base.static_error("two styles of broadcasting each want a result of their own: ", typeof(u), " and ", typeof(v))

# ---- nests with styles
@inline of_style(style, f, args::Tuple) = Base.Broadcasted{typeof(style),Nothing,typeof(f),typeof(args)}(style, f, args, nothing)
@inline styled(x) = held(broadcastable(x))
@inline styled(b::Base.Broadcasted{Nothing}) = restyled(b.f, map(styled, b.args))
@inline restyled(f, args::Tuple) = Base.broadcasted(combine_styles(args...), f, args...)
@inline copy_styled(b::Base.Broadcasted) = Base.copy(instantiate(b))
@inline copy_styled(x) = x                         # a package computed it eagerly
@inline store_styled!(A, b) = materialize!(combine_styles(A, b), A, b)
@inline materialize!(style::BroadcastStyle, A, b::Base.Broadcasted{S}) where {S} = Base.copyto!(A, instantiate(Base.Broadcasted{S}(b.f, b.args, Base.axes(A))))
@inline materialize!(style::BroadcastStyle, A, x) = Base.store_broadcast!(A, x)

@inline instantiate(x) = x
@inline instantiate(b::Base.Broadcasted) = checked_nest(b) # packages invoke this one for Tuple{Broadcasted}
@inline checked_nest(b) = b
@inline checked_nest(b::Base.Broadcasted{S}) where {S<:BroadcastStyle} = with_axes(b, b.axes)
@inline with_axes(b::Base.Broadcasted{S}, ::Nothing) where {S} = Base.Broadcasted{S}(b.f, b.args, combine_axes(b.args...))
@inline with_axes(b, axes) = (check_broadcast_axes(axes, b.args...); b)
@inline _axes(b, ::Nothing) = combine_axes(b.args...)
@inline _axes(b, axes) = axes

# ---- shapes
@inline combine_axes() = ()
@inline combine_axes(x) = axes_of(x)
@inline combine_axes(x, y) = broadcast_shape(axes_of(x), axes_of(y))
@inline combine_axes(x, rest...) = broadcast_shape(axes_of(x), combine_axes(rest...))
@inline axes_of(x) = ()
@inline axes_of(x::Union{AbstractArray,Base.Broadcasted}) = Base.axes(x)
@inline axes_of(t::Tuple) = (Base.OneTo(nfields(t)),)
@inline broadcast_shape(s::Tuple) = s
@inline broadcast_shape(s::Tuple, t::Tuple, rest::Tuple...) = broadcast_shape(_bcs(s, t), rest...)
@inline _bcs(::Tuple{}, ::Tuple{}) = ()
@inline _bcs(::Tuple{}, t::Tuple) = t
@inline _bcs(s::Tuple, ::Tuple{}) = s
@inline _bcs(s::Tuple, t::Tuple) = (_bcs1(s[1], t[1]), _bcs(Base.tail(s), Base.tail(t))...)
@inline _bcs1(a, b) = _bcsm(b, a) ? b : _bcsm(a, b) ? a : throw(DimensionMismatch("arrays could not be broadcast to a common size"))
@inline _bcsm(a, b) = a == b || length(b) == 1
@inline check_broadcast_axes(shape) = nothing
@inline check_broadcast_axes(shape, x, rest...) = (check_broadcast_shape(shape, axes_of(x)); check_broadcast_axes(shape, rest...))
@inline check_broadcast_shape(shape, ::Tuple{}) = nothing
@inline check_broadcast_shape(::Tuple{}, ::Tuple{}) = nothing
@inline check_broadcast_shape(::Tuple, ::Tuple{}) = nothing
@inline check_broadcast_shape(::Tuple{}, s::Tuple) = all(r -> length(r) == 1, s) ? nothing : throw(DimensionMismatch("cannot broadcast array to have fewer non-singleton dimensions"))
@inline check_broadcast_shape(shape::Tuple, s::Tuple) = _bcsm(shape[1], s[1]) ? check_broadcast_shape(Base.tail(shape), Base.tail(s)) : throw(DimensionMismatch("array could not be broadcast to match destination"))
throwdm(a, b) = throw(DimensionMismatch("destination axes are not compatible with source axes"))

# ---- one element
@inline newindex(x, I::CartesianIndex) = CartesianIndex(Base.kept_in(Base.axes(x), x, I.I))
@inline newindex(x, i::Integer) = ifelse(length(x) == 1, 1, i)
@inline newindex(t::Tuple, I::CartesianIndex) = ifelse(nfields(t) == 1, 1, I.I[1])
@inline _broadcast_getindex(x, I) = x
@inline _broadcast_getindex(x::Union{Ref,Held,Some}, I) = Base.broadcast_at(x, I)
@inline _broadcast_getindex(::Base.OfType{T}, I) where {T} = T
@inline _broadcast_getindex(x::Union{AbstractArray,Tuple}, I) = Base.broadcast_at(x, indices_of(I))
@inline _broadcast_getindex(b::Base.Broadcasted, I) = Base.broadcast_at(b, indices_of(I))
@inline indices_of(i::Integer) = i
@inline indices_of(I::CartesianIndex) = I.I

# ---- results of nests whose style is Base's own, not a package's
@inline copy_plain(b, ::Tuple{}) = Base.broadcast_at(b, 1)
@inline copy_plain(b::Base.Broadcasted{Style{Tuple}}, axes::Tuple{Any}) = ntuple(Base.Fix1(Base.broadcast_at, b), length(axes[1]))
copy_plain(b, axes) = Base.static_error("a dotted call of arrays makes an array, for which a kernel has no memory: store it in one with `.=`")

# ---- flattening: converts a nest of dotted calls to one call of a combined function with all arguments
struct Pick{k} <: Function end
@inline (::Pick{k})(x...) where {k} = getfield(x, k)
struct CallOf{F,P} <: Function
    f::F
    parts::P
end
struct PartOf{X} <: Function
    x::X
end
@inline (p::PartOf)(part) = part(p.x...)
@inline (c::CallOf)(x...) = c.f(map(PartOf(x), c.parts)...)
@inline flatten(b::Base.Broadcasted{S}) where {S} = is_flat(b.args...) ? b : Base.Broadcasted{S}(CallOf(b.f, first(number_args(b.args, Val(1)))), flat_args(b.args...), b.axes)
@inline is_flat() = true
@inline is_flat(x, rest...) = is_flat(rest...)
@inline is_flat(b::Base.Broadcasted, rest...) = false
@inline flat_args() = ()
@inline flat_args(x, rest...) = (x, flat_args(rest...)...)
@inline flat_args(b::Base.Broadcasted, rest...) = (flat_args(b.args...)..., flat_args(rest...)...)
@inline number_args(::Tuple{}, k::Val) = ((), k)
@inline function number_args(args::Tuple, k::Val)
    (part, next) = number_arg(args[1], k)
    (parts, behind) = number_args(Base.tail(args), next)
    return ((part, parts...), behind)
end
@inline number_arg(x, ::Val{k}) where {k} = (Pick{k}(), Val(k + 1))
@inline function number_arg(b::Base.Broadcasted, k::Val)
    (parts, next) = number_args(b.args, k)
    return (CallOf(b.f, parts), next)
end
end

struct OfStyled end
@inline kind_rank(::OfStyled) = 5                  # precedes all others
@inline broadcast_kind(A::AbstractArray) = styled_kind(Broadcast.BroadcastStyle(typeof(A)), A)
@inline styled_kind(style, A) = OfStyled()
@inline styled_kind(style::Broadcast.DefaultArrayStyle, A) = ndims(A) === 0 ? OfScalars() : kind_by_axes(axes(A))
@inline kind_by_axes(::Tuple{Vararg{OneTo}}) = OfArrays()
@inline kind_by_axes(sides) = OfStyled()           # the result takes over the axes
@inline materialize_as(::OfStyled, b) = Broadcast.copy_styled(Broadcast.styled(b))
# A single method of materialize! and of copyto! accepts every nest. Device arrays define theirs for every nest too.
@inline materialize!(A::AbstractArray, b::Broadcasted) = store_nest!(A, b)
@inline store_nest!(A, b) = store_as!(stronger_kind(broadcast_kind(A), broadcast_kind(b)), A, b)
@inline store_as!(kind, A, b) = store_broadcast!(A, b)
@inline store_as!(::OfStyled, A, b) = Broadcast.store_styled!(A, Broadcast.styled(b))
# Methods for a nest that already has a style.
@inline materialize(b::Broadcasted{<:Broadcast.BroadcastStyle}) = Broadcast.copy_styled(b)
@inline store_nest!(A, b::Broadcasted{<:Broadcast.BroadcastStyle}) = Broadcast.store_styled!(A, b)
@inline broadcasted(style::Broadcast.BroadcastStyle, f, args...) = Broadcast.of_style(style, f, args)
@inline broadcast_at(h::Broadcast.Held, i) = h.x
@inline axes(b::Broadcasted{<:Broadcast.BroadcastStyle}) = Broadcast._axes(b, b.axes)
@inline axes(b::Broadcasted{<:Broadcast.BroadcastStyle}, d::Integer) = d <= nfields(axes(b)) ? axes(b)[d] : OneTo(1)
@inline size(b::Broadcasted{<:Broadcast.BroadcastStyle}) = map(length, axes(b))
@inline length(b::Broadcasted{<:Broadcast.BroadcastStyle}) = dims_product(size(b))
@inline ndims(b::Broadcasted{<:Broadcast.BroadcastStyle}) = nfields(axes(b))
@inline eachindex(b::Broadcasted{<:Broadcast.BroadcastStyle}) = nfields(axes(b)) === 1 ? axes(b)[1] : CartesianIndices(axes(b))
@inline convert(::Type{Broadcasted{S}}, b::Broadcasted) where {S<:Broadcast.BroadcastStyle} = Broadcasted{S}(b.f, b.args, b.axes)
@inline copy_nest!(A, b::Broadcasted{<:Broadcast.BroadcastStyle}) = store_broadcast!(A, b)
@inline copy(b::Broadcasted) = copy_by_style(b.style, b)
@inline copy_by_style(::Nothing, b) = materialize(b)
@inline copy_by_style(style, b) = Broadcast.copy_plain(b, axes(b))
@inline getindex(h::Broadcast.Held) = h.x
