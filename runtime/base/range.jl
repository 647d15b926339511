# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Ranges. A loop over `a:b` is the test of two integers; one over `a:s:b` needs no division: the range keeps its
# end as given, and the loop goes on while at least one step is left.

struct UnitRange{T} <: AbstractUnitRange{T}
    start::T
    stop::T                       # start - 1 if empty
end
struct OneTo{T} <: AbstractUnitRange{T}
    stop::T                       # 0 if empty
end
struct StepRange{T,S} <: OrdinalRange{T,S}
    start::T
    step::S
    stop::T                       # as given: `last` says where the range really ends
end
@inline (:)(a::T, b::T) where {T<:Real} = UnitRange{T}(a, ifelse(b >= a, b, a - one(T)))
const Colon = typeof(:)

@inline UnitRange(a::T, b::T) where {T<:Real} = UnitRange{T}(a, ifelse(b >= a, b, a - one(T)))
@inline UnitRange(a::Real, b::Real) = UnitRange(promote(a, b)...)
@inline UnitRange(r::AbstractUnitRange) = UnitRange(first(r), last(r))
@inline OneTo(n::T) where {T<:Integer} = OneTo{T}(ifelse(n < zero(T), zero(T), n))
@inline (:)(a::Real, b::Real) = (:)(promote(a, b)...)
@inline function (:)(a::T, s::S, b::T) where {T<:Integer,S<:Integer}
    if s == zero(S)
        throw(ArgumentError("the step of a range cannot be zero"))
    end
    return StepRange{T,S}(a, s, b)
end
@inline function (:)(a::Integer, s::Integer, b::Integer)
    R = promote_type(typeof(a), typeof(b))
    return (:)(convert(R, a), s, convert(R, b))
end
@inline (:)(a::Real, s::Real, b::Real) = (:)(promote(a, s, b)...)

@inline first(r::UnitRange) = r.start
@inline last(r::UnitRange) = r.stop
@inline first(r::OneTo{T}) where {T} = one(T)
@inline last(r::OneTo) = r.stop
@inline step(r::AbstractUnitRange{T}) where {T} = one(T)
@inline isempty(r::UnitRange) = r.stop < r.start
@inline isempty(r::OneTo) = r.stop < one(r.stop)
@inline length(r::UnitRange{T}) where {T} = Int(r.stop - r.start + one(T))
@inline length(r::OneTo) = Int(r.stop)
@inline iterate(r::UnitRange) = r.stop < r.start ? nothing : (r.start, r.start)
@inline function iterate(r::UnitRange{T}, i) where {T}
    if i == r.stop
        return nothing
    end
    n = i + one(T)
    return (n, n)
end
@inline iterate(r::OneTo{T}) where {T} = r.stop < one(T) ? nothing : (one(T), one(T))
@inline function iterate(r::OneTo{T}, i) where {T}
    if i == r.stop
        return nothing
    end
    n = i + one(T)
    return (n, n)
end

@inline first(r::StepRange) = r.start
@inline step(r::StepRange) = r.step
@inline isempty(r::StepRange) = is_negative(r.step) ? r.start < r.stop : r.stop < r.start
# Whether at least one step fits between i and the end; i is in the range, so the difference has no sign.
@inline function can_step(r::StepRange{T,S}, i::T) where {T,S}
    if is_negative(r.step)
        return distance(r.stop, i) >= uabs(r.step)
    end
    return distance(i, r.stop) >= uabs(r.step)
end
@inline distance(a::T, b::T) where {T<:BitInteger} = unsigned(b - a)
# The state of a loop is the element and how far the end is from it: one comparison a turn, whatever the direction.
@inline iterate(r::StepRange) = isempty(r) ? nothing : (r.start, (r.start, is_negative(r.step) ? distance(r.stop, r.start) : distance(r.start, r.stop)))
@inline function iterate(r::StepRange{T,S}, state) where {T,S}
    left = getfield(state, 2)
    size = uabs(r.step)
    if left >= size
        n = add_int(getfield(state, 1), rem(r.step, T))
        return (n, (n, sub_int(left, rem(size, unsigned_type(T)))))
    end
    return nothing
end
@inline function length(r::StepRange)
    if isempty(r)
        return 0
    end
    span = is_negative(r.step) ? distance(r.stop, r.start) : distance(r.start, r.stop)
    return Int(div(span, uabs(r.step))) + 1
end
@inline last(r::StepRange{T}) where {T} = rem(r.start + (length(r) - 1) * r.step, T)

@inline size(r::AbstractRange) = (length(r),)
@inline axes(r::AbstractRange) = (OneTo(length(r)),)
@inline firstindex(r::AbstractRange) = 1
@inline lastindex(r::AbstractRange) = length(r)
@inline eachindex(r::AbstractRange) = OneTo(length(r))
@inline check_range(r, i) = ult_int(sub_int(i, 1), length(r)) || throw(BoundsError())
@inline function getindex(r::UnitRange{T}, i::Integer) where {T}
    @boundscheck check_range(r, Int(i))
    return r.start + rem(Int(i) - 1, T)
end
@inline function getindex(r::OneTo{T}, i::Integer) where {T}
    @boundscheck check_range(r, Int(i))
    return rem(i, T)
end
@inline function getindex(r::StepRange{T}, i::Integer) where {T}
    @boundscheck check_range(r, Int(i))
    return rem(r.start + (Int(i) - 1) * r.step, T)
end
@inline getindex(r::AbstractRange, ::Colon) = r
@inline function getindex(r::AbstractUnitRange{T}, s::AbstractUnitRange{<:Integer}) where {T}
    @boundscheck isempty(s) || (check_range(r, Int(first(s))); check_range(r, Int(last(s))))
    a = first(r) + rem(Int(first(s)) - 1, T)
    return UnitRange{T}(a, a + rem(length(s), T) - one(T))
end
@inline function getindex(r::OrdinalRange{T}, s::OrdinalRange{<:Integer}) where {T}
    @boundscheck isempty(s) || (check_range(r, Int(first(s))); check_range(r, Int(last(s))))
    a = first(r) + (first(s) - one(first(s))) * step(r)
    width = step(r) * step(s)
    return StepRange{T,typeof(width)}(rem(a, T), width, rem(a + (length(s) - 1) * width, T))
end
@inline in(x::Number, r::AbstractUnitRange) = (first(r) <= x) & (x <= last(r)) & isinteger(x)
@inline in(x::Integer, r::AbstractUnitRange{<:Integer}) = (first(r) <= x) & (x <= last(r))
@inline in(x::Integer, r::StepRange) = !isempty(r) & (is_negative(r.step) ? (r.stop <= x) & (x <= r.start) : (r.start <= x) & (x <= r.stop)) && rem(x - r.start, r.step) == 0
@inline reverse(r::AbstractUnitRange{T}) where {T<:Integer} = StepRange{T,Int}(last(r), -1, first(r))
@inline reverse(r::StepRange{T,S}) where {T,S} = isempty(r) ? StepRange{T,S}(r.stop, -r.step, r.start) : StepRange{T,S}(last(r), -r.step, r.start)
@inline ==(a::AbstractUnitRange, b::AbstractUnitRange) = (length(a) == length(b)) & (isempty(a) | (first(a) == first(b)))
@inline ==(a::OrdinalRange, b::OrdinalRange) = (length(a) == length(b)) && (isempty(a) || (first(a) == first(b) && (length(a) == 1 || step(a) == step(b))))
@inline intersect(a::AbstractUnitRange, b::AbstractUnitRange) = max(first(a), first(b)):min(last(a), last(b))
@inline sum(r::AbstractUnitRange{<:Integer}) = sum_of_range(r)
@inline sum(r::StepRange{<:Integer}) = sum_of_range(r)
@inline function sum_of_range(r)                   # one of the factors is even
    n = length(r)
    ends = widen_sum(first(r)) + widen_sum(last(r))
    return iseven(n) ? div(n, 2) * ends : n * div(ends, oftype(ends, 2))
end
@inline minimum(r::OrdinalRange) = min(first(r), last(r))
@inline maximum(r::OrdinalRange) = max(first(r), last(r))
@inline extrema(r::OrdinalRange) = (minimum(r), maximum(r))

# ---- arithmetic: ranges stay ranges
@inline stepped(a, s, n::Int) = StepRange{typeof(a),typeof(s)}(a, s, oftype(a, a + (n - 1) * s))
@inline +(r::AbstractUnitRange, x::Integer) = (first(r) + x):(last(r) + x)
@inline -(r::AbstractUnitRange, x::Integer) = (first(r) - x):(last(r) - x)
@inline +(r::StepRange, x::Integer) = stepped(first(r) + x, step(r), length(r))
@inline -(r::StepRange, x::Integer) = stepped(first(r) - x, step(r), length(r))
@inline -(r::OrdinalRange) = stepped(-first(r), -step(r), length(r))
@inline *(r::OrdinalRange, x::Integer) = stepped(first(r) * x, step(r) * x, length(r))
@inline +(x::Real, r::AbstractRange) = r + x
@inline -(x::Real, r::AbstractRange) = -r + x
@inline *(x::Real, r::AbstractRange) = r * x
@inline +(r::OrdinalRange, x::AbstractFloat) = make_range(first(r) + x, oftype(x, step(r)), nothing, length(r))
@inline -(r::OrdinalRange, x::AbstractFloat) = make_range(first(r) - x, oftype(x, step(r)), nothing, length(r))
@inline *(r::AbstractRange, x::AbstractFloat) = make_range(first(r) * x, step(r) * x, nothing, length(r))
@inline /(r::AbstractRange, x::Real) = make_range(first(r) / x, step(r) / x, nothing, length(r))
