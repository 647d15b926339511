# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Fractions of integers, in lowest terms with a denominator above zero.

struct Rational{T<:Integer} <: Real
    num::T
    den::T
end
@inline function //(a::T, b::T) where {T<:Integer}
    if (a == zero(T)) & (b == zero(T))
        throw(ArgumentError("0//0 is no number"))
    end
    g = gcd(a, b)
    g = is_negative(b) ? -g : g
    return Rational{T}(div(a, g), div(b, g))
end
@inline //(a::Integer, b::Integer) = //(promote(a, b)...)
@inline //(a::Rational, b::Integer) = a / b
@inline //(a::Integer, b::Rational) = a / b
@inline //(a::Rational, b::Rational) = a / b
@inline numerator(x::Rational) = x.num
@inline denominator(x::Rational) = x.den
@inline numerator(x::Integer) = x
@inline denominator(x::Integer) = one(x)
@inline Rational(a::Integer, b::Integer) = a // b
@inline Rational(x::Integer) = Rational{typeof(x)}(x, one(x))
@inline Rational(x::Rational) = x
@inline (::Type{Rational{T}})(x::Integer) where {T} = Rational{T}(convert(T, x), one(T))
@inline (::Type{Rational{T}})(x::Rational) where {T} = Rational{T}(convert(T, x.num), convert(T, x.den))
@inline (::Type{F})(x::Rational) where {F<:AbstractFloat} = F(F(x.num) / F(x.den))
@inline AbstractFloat(x::Rational) = Float64(x)
@inline function (::Type{T})(x::Rational) where {T<:BitInteger}
    if isone(x.den)
        return T(x.num)
    end
    throw(InexactError())
end
@inline promote_rule(::Type{Rational{T}}, ::Type{S}) where {T,S<:BitInt} = Rational{promote_type(T, S)}
@inline promote_rule(::Type{Rational{T}}, ::Type{Rational{S}}) where {T,S} = Rational{promote_type(T, S)}
@inline promote_rule(::Type{Rational{T}}, ::Type{F}) where {T,F<:AbstractFloat} = F
@inline +(a::Rational{T}, b::Rational{T}) where {T} = (a.num * b.den + b.num * a.den) // (a.den * b.den)
@inline -(a::Rational{T}, b::Rational{T}) where {T} = (a.num * b.den - b.num * a.den) // (a.den * b.den)
@inline *(a::Rational{T}, b::Rational{T}) where {T} = (a.num * b.num) // (a.den * b.den)
@inline /(a::Rational{T}, b::Rational{T}) where {T} = (a.num * b.den) // (a.den * b.num)
@inline -(x::Rational{T}) where {T} = Rational{T}(-x.num, x.den)
@inline inv(x::Rational{T}) where {T} = x.den // x.num
@inline abs(x::Rational{T}) where {T} = Rational{T}(abs(x.num), x.den)
@inline sign(x::Rational) = oftype(x, sign(x.num))
@inline signbit(x::Rational) = signbit(x.num)
@inline isinteger(x::Rational) = isone(x.den)
@inline zero(::Type{Rational{T}}) where {T} = Rational{T}(zero(T), one(T))
@inline one(::Type{Rational{T}}) where {T} = Rational{T}(one(T), one(T))
@inline ==(a::Rational{T}, b::Rational{T}) where {T} = (a.num == b.num) & (a.den == b.den)
@inline <(a::Rational{T}, b::Rational{T}) where {T} = a.num * b.den < b.num * a.den
@inline <=(a::Rational{T}, b::Rational{T}) where {T} = a.num * b.den <= b.num * a.den
@inline isless(a::Rational{T}, b::Rational{T}) where {T} = a < b
for (f, g) in ((:floor, :fld), (:ceil, :cld), (:trunc, :div))
    @eval @inline $f(x::Rational) = Rational($g(x.num, x.den))
    @eval @inline $f(::Type{T}, x::Rational) where {T<:BitInt} = T($g(x.num, x.den))
end
