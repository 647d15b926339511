# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/float
# Operators in general: fallback methods, calls with many arguments, minima and maxima, powers.

@inline ==(x, y) = x === y
@inline !=(x, y) = !(x == y)
@inline isequal(x, y) = x == y
@inline <(x, y) = isless(x, y)
@inline >(x, y) = y < x
@inline <=(x, y) = (x < y) | (x == y)
@inline >=(x, y) = y <= x
const ≤ = <=
const ≥ = >=
const ≠ = !=
@inline cmp(x, y) = isless(x, y) ? -1 : ifelse(isless(y, x), 1, 0)
# An order in which unordered values (NaN, missing) come first; isless puts them last. With it, minima propagate
# unordered values as maxima do.
@inline isunordered(x) = false
@inline isunordered(x::AbstractFloat) = isnan(x)
@inline isgreater(x, y) = isunordered(x) | isunordered(y) ? isless(x, y) : isless(y, x)
for f in (:(==), :!=, :<, :<=, :>, :>=, :isequal, :isless)
    @eval @inline $f(y) = Fix2($f, y)
end

# Folds arguments from the left. Common numbers of arguments need no recursion.
@inline afoldl(op, a) = a
@inline afoldl(op, a, b) = op(a, b)
@inline afoldl(op, a, b, c) = op(op(a, b), c)
@inline afoldl(op, a, b, c, d) = op(op(op(a, b), c), d)
@inline afoldl(op, a, b, c, d, rest...) = afoldl(op, op(op(op(a, b), c), d), rest...)
# A fold of many arguments takes 15 of them per step, since each step makes inference one call deeper.
@inline function afoldl(op, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, rest...)
    if nfields(rest) > 48
        return long_afoldl(op, a, (b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, rest...))
    end
    x = op(op(op(op(op(a, b), c), d), e), f)
    y = op(op(op(op(op(x, g), h), i), j), k)
    return afoldl(op, op(op(op(op(op(y, l), m), n), o), p), rest...)
end
# Generates one statement for each remaining item. A recursive step would copy the remaining items.
@inline @generated function long_afoldl(op, x, rest)
    return quote
        Base.Cartesian.@nexprs $(fieldcount(rest)) i -> x = op(x, getfield(rest, i))
        x
    end
end
for op in (:+, :*, :&, :|, :xor, :min, :max)
    @eval begin
        @inline $op(a, b, c) = $op($op(a, b), c)
        @inline $op(a, b, c, d) = $op($op($op(a, b), c), d)
        @inline $op(a, b, c, d, e) = $op($op($op($op(a, b), c), d), e)
        @inline $op(a, b, c, d, e, rest...) = afoldl($op, $op($op($op($op(a, b), c), d), e), rest...)
    end
end
@inline min(x, y) = ifelse(isless(y, x), y, x)
@inline max(x, y) = ifelse(isless(y, x), x, y)
@inline min(x::Number) = x
@inline max(x::Number) = x
@inline minmax(x, y) = isless(y, x) ? (y, x) : (x, y)
@inline minmax(x::Real, y::Real) = ((p, q) = promote(x, y); (min(p, q), max(p, q)))
@inline minmax(x::T, y::T) where {T<:AbstractFloat} = (min(x, y), max(x, y))
@inline function clamp(x::X, lo::L, hi::H) where {X,L,H}
    T = promote_type(X, L, H)
    return ifelse(x > hi, convert(T, hi), ifelse(x < lo, convert(T, lo), convert(T, x)))
end
@inline clamp(x, ::Type{T}) where {T<:Integer} = rem(clamp(x, typemin(T), typemax(T)), T)

@inline in(x, items) = in_loop(x, items)
@inline function in_loop(x, items)
    for y in items
        if y == x
            return true
        end
    end
    return false
end
@inline in(x) = Fix2(in, x)
@inline ∉(x, items) = !in(x, items)
@inline ∋(items, x) = in(x, items)
const ∈ = in

@inline evalpoly(x, p::Tuple) = horner(x, p...)
macro evalpoly(x, coefficients...)
    return Expr(:call, :evalpoly, esc(x), Expr(:tuple, map(esc, coefficients)...))
end
@inline horner(x, a) = a
@inline horner(x, a, b) = muladd(x, b, a)
@inline horner(x, a, b, c) = muladd(x, muladd(x, c, b), a)
@inline horner(x, a, b, c, rest...) = muladd(x, muladd(x, horner(x, c, rest...), b), a)

# ---- powers; those of floats are in powers.jl
# Julia lowers x^2 with a literal exponent to literal_pow(^, x, Val(2)).
@inline literal_pow(f, x, ::Val{p}) where {p} = f(x, p)
@inline literal_pow(f::typeof(^), x::Number, ::Val{p}) where {p} = literal_power(x, Val(p))
@inline literal_power(x::Number, ::Val{0}) = one(x)
@inline literal_power(x::Number, ::Val{1}) = x
@inline literal_power(x::Number, ::Val{2}) = x * x
@inline literal_power(x::Number, ::Val{3}) = x * x * x
@inline literal_power(x::Number, ::Val{-1}) = inv(x)
@inline literal_power(x::Number, ::Val{-2}) = (i = inv(x); i * i)
@inline function literal_power(x::T, ::Val{p}) where {T<:Number,p}
    if p < 0
        return T <: BitInt ? Float64(x)^p : literal_power(inv(x), Val(neg_int(p)))
    elseif p > 64
        return x^p
    elseif iseven(p)
        half = literal_power(x, Val(sdiv_int(p, 2)))
        return half * half
    end
    return literal_power(x, Val(sub_int(p, 1))) * x
end

@inline ^(x::T, p::S) where {T<:BitInteger,S<:BitInteger} = integer_power(x, p)
@inline ^(x::Bool, p::BitInteger) = is_negative(p) ? (x ? x : throw(DomainError())) : x | (p == zero(p))
@inline ^(x::T, p::Bool) where {T<:Number} = p ? x : one(x)
@inline ^(x::T, p::S) where {T<:AbstractFloat,S<:BitInteger} = float_power(x, p)
@inline function integer_power(x::T, p) where {T}
    if is_negative(p)
        if x == one(T)
            return x
        elseif T <: Signed && x == rem(-1, T)
            return isodd(p) ? x : one(T)
        end
        throw(DomainError())
    end
    return squaring_power(x, unsigned(p))
end
@inline function squaring_power(x, n::BitUnsigned)
    r = one(x)
    while true
        if isodd(n)
            r *= x
        end
        n = n >> 0x01
        if n == zero(n)
            break
        end
        x *= x
    end
    return r
end
@inline power_by_squaring(x, p::Integer) = integer_power(x, p)
@inline ^(z::Number, p::BitInteger) = is_negative(p) ? squaring_power(inv(z), uabs(p)) : squaring_power(z, unsigned(p))
