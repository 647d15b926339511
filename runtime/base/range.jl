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
# Steps of floats: the k-th element is start + k*step.
struct StepRangeLen{T} <: AbstractRange{T}
    start::T
    step::T
    len::Int
end
@inline function (:)(a::T, s::T, b::T) where {T<:AbstractFloat}
    n = (b - a) / s
    count = n < zero(T) ? 0 : unsafe_trunc(Int, n * (one(T) + 4 * eps(T)) + 4 * eps(T)) + 1
    return StepRangeLen{T}(a, s, count)
end
@inline (:)(a::Real, s::Real, b::Real) = (:)(promote(a, s, b)...)
@inline range(a, b) = a:b
@inline function range(a::Real, b::Real, n::Integer)
    x = float(a)
    return StepRangeLen{typeof(x)}(x, n == 1 ? zero(x) : (oftype(x, b) - x) / oftype(x, n - 1), Int(n))
end

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

@inline first(r::StepRangeLen) = r.start
@inline step(r::StepRangeLen) = r.step
@inline length(r::StepRangeLen) = r.len
@inline isempty(r::StepRangeLen) = r.len == 0
@inline at_step(r::StepRangeLen{T}, k::Int) where {T} = muladd(T(k), r.step, r.start)
@inline last(r::StepRangeLen) = at_step(r, r.len - 1)
@inline iterate(r::StepRangeLen) = iterate(r, 0)
@inline iterate(r::StepRangeLen, k) = k < r.len ? (at_step(r, k), k + 1) : nothing

@inline size(r::AbstractRange) = (length(r),)
@inline axes(r::AbstractRange) = (OneTo(length(r)),)
@inline firstindex(r::AbstractRange) = 1
@inline lastindex(r::AbstractRange) = length(r)
@inline eachindex(r::AbstractRange) = OneTo(length(r))
@inline minimum(r::AbstractUnitRange) = first(r)
@inline maximum(r::AbstractUnitRange) = last(r)
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
@inline function getindex(r::StepRangeLen, i::Integer)
    @boundscheck check_range(r, Int(i))
    return at_step(r, Int(i) - 1)
end
@inline getindex(r::AbstractRange, ::Colon) = r
@inline getindex(r::AbstractUnitRange, s::AbstractUnitRange{<:Integer}) = UnitRange(r[first(s)], first(r) + last(s) - 1)
@inline in(x::Number, r::AbstractUnitRange) = (first(r) <= x) & (x <= last(r)) & isinteger(x)
@inline in(x::Integer, r::AbstractUnitRange{<:Integer}) = (first(r) <= x) & (x <= last(r))
@inline in(x::Integer, r::StepRange) = !isempty(r) & (is_negative(r.step) ? (r.stop <= x) & (x <= r.start) : (r.start <= x) & (x <= r.stop)) && rem(x - r.start, r.step) == 0
@inline reverse(r::AbstractUnitRange{T}) where {T<:Integer} = StepRange{T,Int}(last(r), -1, first(r))
@inline reverse(r::StepRange{T,S}) where {T,S} = isempty(r) ? StepRange{T,S}(r.stop, -r.step, r.start) : StepRange{T,S}(last(r), -r.step, r.start)
@inline ==(a::AbstractUnitRange, b::AbstractUnitRange) = (length(a) == length(b)) & (isempty(a) | (first(a) == first(b)))
@inline +(r::AbstractUnitRange, n::Integer) = (first(r) + n):(last(r) + n)
@inline +(n::Integer, r::AbstractUnitRange) = r + n
@inline -(r::AbstractUnitRange, n::Integer) = (first(r) - n):(last(r) - n)
@inline intersect(a::AbstractUnitRange, b::AbstractUnitRange) = max(first(a), first(b)):min(last(a), last(b))
@inline sum(r::AbstractUnitRange) = length(r) * (first(r) + last(r)) ÷ 2
