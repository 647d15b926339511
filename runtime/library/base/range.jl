# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/powers
# Ranges. A loop over `a:b` compares two integers. A loop over `a:s:b` needs no division: the range stores b
# unchanged, and the loop continues while at least one step is left.

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
    stop::T # end as written in a:s:b; `last` returns the actual last element
end
@inline (:)(a::T, b::T) where {T<:Real} = UnitRange{T}(a, ifelse(b >= a, b, a - one(T)))
const Colon = typeof(:)

@inline UnitRange(a::T, b::T) where {T<:Real} = UnitRange{T}(a, ifelse(b >= a, b, a - one(T)))
@inline UnitRange(a::Real, b::Real) = UnitRange(promote(a, b)...)
@inline UnitRange(r::AbstractUnitRange) = UnitRange(first(r), last(r))
@inline OneTo(n::T) where {T<:Integer} = OneTo{T}(ifelse(n < zero(T), zero(T), n))
@inline OneTo(r::AbstractRange{T}) where {T<:Integer} = OneTo(to_one_based(r))
@inline to_one_based(r) = first(r) == 1 && step(r) == 1 ? last(r) : throw(ArgumentError("a OneTo needs a range that begins with 1 and has the step 1"))
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
# Type of a range's length. Small integers give an Int, since the difference of two may not fit their type. Wider
# integers give their own type, in which the length of the full range wraps to 0. Code that counts in Int uses
# `int_length`.
@inline length_type(::Type{T}) where {T} = slt_int(sizeof_type(T), 8) ? Int : T
@inline length(r::UnitRange{T}) where {T<:BitInteger} = (L = length_type(T); rem(r.stop, L) - rem(r.start, L) + one(L))
@inline length(r::UnitRange{T}) where {T} = isempty(r) ? 0 : Int(floor(r.stop - r.start)) + 1
@inline length(r::OneTo{T}) where {T} = rem(r.stop, length_type(T))
@inline int_length(r) = length(r)
@inline int_length(r::OrdinalRange{<:BitInteger}) = rem(length(r), Int)
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
# True if the range has an element after i: at least one step fits between i and the end. Since i is in the range, the
# distance fits an unsigned number.
@inline function can_step(r::StepRange{T,S}, i::T) where {T,S}
    if is_negative(r.step)
        return distance(r.stop, i) >= uabs(r.step)
    end
    return distance(i, r.stop) >= uabs(r.step)
end
@inline distance(a::T, b::T) where {T<:BitInteger} = unsigned(b - a)
# The loop state consists of an element and its distance to the end. Ranges in both directions need one comparison per
# iteration.
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
@inline function length(r::StepRange{T}) where {T}
    L = length_type(T)
    return isempty(r) ? zero(L) : rem(steps_of(r), L) + one(L)
end
@inline steps_of(r::AbstractUnitRange) = distance(first(r), last(r))
@inline steps_of(r::StepRange) = div(is_negative(r.step) ? distance(r.stop, r.start) : distance(r.start, r.stop), uabs(r.step))
@inline function last(r::StepRange{T}) where {T}
    if isempty(r)
        return is_negative(r.step) ? r.start + one(T) : r.start - one(T)
    end
    return r.start + rem(steps_of(r), T) * rem(r.step, T)
end

# Sizes and indices of a range are Ints, for all element types.
@inline size(r::AbstractRange) = (int_length(r),)
@inline axes(r::AbstractRange) = (OneTo(int_length(r)),)
@inline firstindex(r::AbstractRange) = 1
@inline lastindex(r::AbstractRange) = int_length(r)
@inline eachindex(r::AbstractRange) = axes(r, 1)
@inline check_range(r, i) = ult_int(sub_int(i, 1), length(r)) || throw(BoundsError(r, i))
# Bounds checks compare distances, because the length of a type's full range wraps to 0.
@inline check_range(r::UnitRange{<:BitInteger}, i) = (slt_int(0, i) & !isempty(r)) && unsigned(sub_int(i, 1)) <= distance(r.start, r.stop) || throw(BoundsError(r, i))
@inline check_range(r::OneTo{<:BitInteger}, i) = slt_int(0, i) & (i <= r.stop) || throw(BoundsError(r, i))
@inline check_range(r::StepRange{<:BitInteger}, i) = (slt_int(0, i) & !isempty(r)) && unsigned(sub_int(i, 1)) <= steps_of(r) || throw(BoundsError(r, i))
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
    return r.start + rem(Int(i) - 1, T) * rem(r.step, T)
end
@inline getindex(r::AbstractRange, ::Colon) = r
@inline function getindex(r::AbstractUnitRange{T}, s::AbstractUnitRange{<:Integer}) where {T}
    @boundscheck isempty(s) || (check_range(r, Int(first(s))); check_range(r, Int(last(s))))
    a = first(r) + rem(Int(first(s)) - 1, T)
    return UnitRange{T}(a, a + rem(int_length(s), T) - one(T))
end
@inline function getindex(r::OrdinalRange{T}, s::OrdinalRange{<:Integer}) where {T}
    @boundscheck isempty(s) || (check_range(r, Int(first(s))); check_range(r, Int(last(s))))
    a = first(r) + (first(s) - one(first(s))) * step(r)
    width = step(r) * step(s)
    return StepRange{T,typeof(width)}(rem(a, T), width, rem(a + (length(s) - 1) * width, T))
end
@inline in(x::Number, r::AbstractUnitRange) = (first(r) <= x) & (x <= last(r)) & isinteger(x)
@inline in(x::Integer, r::AbstractUnitRange{<:Integer}) = (first(r) <= x) & (x <= last(r))
@inline function in(x::Integer, r::StepRange{T}) where {T}
    if is_negative(r.step)
        return ((r.stop <= x) & (x <= r.start)) && iszero(rem(distance(rem(x, T), r.start), uabs(r.step)))
    end
    return ((r.start <= x) & (x <= r.stop)) && iszero(rem(distance(r.start, rem(x, T)), uabs(r.step)))
end
@inline in(x::AbstractFloat, r::StepRange{T}) where {T<:BitInteger} = isinteger(x) && (is_negative(r.step) ? (r.stop <= x) & (x <= r.start) : (r.start <= x) & (x <= r.stop)) && in(unsafe_trunc(T, x), r)
@inline reverse(r::AbstractUnitRange{T}) where {T<:Integer} = StepRange{T,Int}(last(r), -1, first(r))
# Step of a reversed range: a signed number.
@inline step_back(s::BitSigned) = is_negative(s) ? checked_sub(zero(s), s) : neg_int(s)
@inline step_back(s::BitUnsigned) = slt_int(sizeof(s), 8) ? neg_int(rem(s, Int)) : neg_int(signed_type(typeof(s))(s))
@inline reverse(r::StepRange{T}) where {T} = (s = step_back(r.step); StepRange{T,typeof(s)}(isempty(r) ? r.stop : last(r), s, r.start))
@inline ==(a::AbstractUnitRange, b::AbstractUnitRange) = (length(a) == length(b)) & (isempty(a) | (first(a) == first(b)))
@inline ==(a::OrdinalRange, b::OrdinalRange) = (length(a) == length(b)) && (isempty(a) || (first(a) == first(b) && (length(a) == 1 || step(a) == step(b))))
@inline intersect(a::AbstractUnitRange, b::AbstractUnitRange) = max(first(a), first(b)):min(last(a), last(b))
# The sum has the promoted type of length, first and step. For small integers that is Int, for unsigned ones too. For
# m steps, the sum of the step numbers is m (m + 1) / 2. Halving the even factor first keeps the result right modulo
# 2^N.
@inline function sum(r::OrdinalRange{T}) where {T<:BitInteger}
    L = length_type(T)
    m = rem(steps_of(r), unsigned_type(L))
    half = m >> 0x01
    triangle = ifelse(iseven(m), half * (m + one(m)), m * (half + one(m)))
    return length(r) * first(r) + step(r) * ifelse(isempty(r), zero(L), rem(triangle, L))
end
@inline full_range(r) = isempty(r) ? throw(ArgumentError("range must be non-empty")) : r
@inline minimum(r::OrdinalRange) = (full_range(r); min(first(r), last(r)))
@inline maximum(r::OrdinalRange) = (full_range(r); max(first(r), last(r)))
@inline extrema(r::OrdinalRange) = (full_range(r); (min(first(r), last(r)), max(first(r), last(r))))

# ---- arithmetic: ranges stay ranges
@inline function stepped(a::T, s::S, n) where {T,S}
    if iszero(n) # an empty range: its ends are one apart, and not below the smallest number
        low = ifelse(a == typemin(T), a + one(T), a)
        return is_negative(s) ? StepRange{T,S}(low - one(T), s, low) : StepRange{T,S}(low, s, low - one(T))
    end
    return StepRange{T,S}(a, s, a + rem(n - one(n), T) * rem(s, T))
end
@inline +(r::AbstractUnitRange, x::Integer) = (first(r) + x):(last(r) + x)
@inline -(r::AbstractUnitRange, x::Integer) = (first(r) - x):(last(r) - x)
@inline +(r::StepRange, x::Integer) = stepped(first(r) + x, step(r), length(r))
@inline -(r::StepRange, x::Integer) = stepped(first(r) - x, step(r), length(r))
@inline -(r::OrdinalRange) = stepped(-first(r), -step(r), length(r))
@inline *(r::OrdinalRange, x::Integer) = iszero(x) ? throw(ArgumentError("the step of a range cannot be zero")) : stepped(first(r) * x, step(r) * x, length(r))
@inline +(x::Real, r::AbstractRange) = r + x
@inline -(x::Real, r::AbstractRange) = -r + x
@inline *(x::Real, r::AbstractRange) = r * x
@inline +(r::OrdinalRange, x::AbstractFloat) = make_range(first(r) + x, oftype(x, step(r)), nothing, int_length(r))
@inline -(r::OrdinalRange, x::AbstractFloat) = make_range(first(r) - x, oftype(x, step(r)), nothing, int_length(r))
@inline *(r::AbstractRange, x::AbstractFloat) = make_range(first(r) * x, step(r) * x, nothing, int_length(r))
@inline /(r::AbstractRange, x::Real) = make_range(first(r) / x, step(r) / x, nothing, int_length(r))
