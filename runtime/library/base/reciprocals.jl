# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/c_library
# Functions of one number that call functions of math.jl: reciprocals of trigonometric and hyperbolic functions and
# their inverses, sinc, tanpi, nested roots. Arguments outside of the domain give NaN.

for (f, of) in ((:sec, :cos), (:csc, :sin), (:cot, :tan), (:sech, :cosh), (:csch, :sinh), (:coth, :tanh), (:secd, :cosd), (:cscd, :sind), (:cotd, :tand))
    @eval @inline $f(x::Number) = inv($of(x))
end
for (f, of) in ((:asec, :acos), (:acsc, :asin), (:acot, :atan), (:asech, :acosh), (:acsch, :asinh), (:acoth, :atanh), (:asecd, :acosd), (:acscd, :asind), (:acotd, :atand))
    @eval @inline $f(x::Number) = $of(inv(x))
end
@inline fourthroot(x::Number) = sqrt(sqrt(x))
@inline ∜(x) = fourthroot(x)

# sinc(x) = sin(πx)/(πx) and its derivative cosc(x). Near 0 the derivative's terms cancel, so cosc uses the power
# series there.
@inline sinc(x::Real) = sinc(float(x))
@inline function sinc(x::T) where {T<:AbstractFloat}
    s = (T(π) * x) * (T(π) * x)
    # Below 2^-8, a quotient of two rounded numbers may be off by a unit in the last place. The power series has an
    # error below 2^-69 there.
    if abs(x) < T(0.00390625)
        return evalpoly(s, (one(T), T(-1 / 6), T(1 / 120), T(-1 / 5040)))
    end
    return isinf(x) ? zero(T) : sinpi(x) / (T(π) * x)
end
@inline sinc(x::HalfFloat) = oftype(x, sinc(Float32(x)))
@inline cosc(x::Real) = cosc(float(x))
@inline cosc(x::HalfFloat) = oftype(x, cosc(Float32(x)))
@inline function cosc(x::T) where {T<:AbstractFloat}
    if abs(x) < T(0.5)
        s = (T(π) * x) * (T(π) * x)
        # The term with s^k is (-1)^(k+1) (2k+2)/(2k+3)! times π²x. The last term is below half a unit in the last
        # place at s = π²/4.
        return -(T(π) * (T(π) * x)) * evalpoly(s, (T(1 / 3), T(-1 / 30), T(1 / 840), T(-1 / 45360), T(1 / 3991680), T(-1 / 518918400),
                   T(1 / 93405312000), T(-1 / 22230464256000), T(1 / 6758061133824000), T(-1 / 2554547108585472000)))
    end
    return isinf(x) ? zero(T) : (cospi(x) - sinc(x)) / x
end
@inline tanpi(x::Real) = tanpi(float(x))
@inline tanpi(x::HalfFloat) = oftype(x, tanpi(Float32(x)))
@inline tanpi(x::AbstractFloat) = sinpi(x) / cospi(x)

# Largest number up to which a float type represents all integers; with a second type, all integers of that type.
@inline maxintfloat(::Type{T}) where {T<:AbstractFloat} = ldexp(one(T), precision(T))
@inline maxintfloat(::Type{T}, ::Type{I}) where {T<:AbstractFloat,I<:Integer} = precision(T) < 8 * sizeof_type(I) - (I <: Signed) ? maxintfloat(T) : T(typemax(I))
@inline maxintfloat(x::AbstractFloat) = maxintfloat(typeof(x))
@inline maxintfloat() = maxintfloat(Float64)
