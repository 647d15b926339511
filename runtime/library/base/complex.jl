# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/host_array
# Complex numbers: construction, arithmetic and functions.

struct Complex{T<:Real} <: Number
    re::T
    im::T
end
const ComplexF16 = Complex{Float16}
const ComplexF32 = Complex{Float32}
const ComplexF64 = Complex{Float64}
const im = Complex{Bool}(false, true)
@inline Complex(x::Real, y::Real) = Complex(promote(x, y)...)
@inline Complex(x::Real) = Complex(x, zero(x))
@inline Complex(z::Complex) = z
@inline (::Type{Complex{T}})(x::Real) where {T} = Complex{T}(convert(T, x), zero(T))
@inline (::Type{Complex{T}})(z::Complex) where {T} = Complex{T}(convert(T, z.re), convert(T, z.im))
@inline complex(x::Real, y::Real) = Complex(x, y)
@inline complex(x::Real) = Complex(x)
@inline complex(z::Complex) = z
@inline complex(::Type{T}) where {T<:Real} = Complex{T}
@inline function (::Type{T})(z::Complex) where {T<:Real}
    if iszero(z.im)
        return T(z.re)
    end
    throw(InexactError())
end
@inline promote_rule(::Type{Complex{T}}, ::Type{S}) where {T,S<:Real} = Complex{promote_type(T, S)}
@inline promote_rule(::Type{Complex{T}}, ::Type{Complex{S}}) where {T,S} = Complex{promote_type(T, S)}
@inline real(z::Complex) = z.re
@inline imag(z::Complex) = z.im
@inline real(x::Real) = x
@inline imag(x::Real) = zero(x)
@inline reim(z) = (real(z), imag(z))
@inline real(::Type{Complex{T}}) where {T} = T
@inline real(::Type{T}) where {T<:Real} = T
@inline float(z::Complex) = Complex(float(z.re), float(z.im))
@inline isreal(z::Complex) = iszero(z.im)
@inline isnan(z::Complex) = isnan(z.re) | isnan(z.im)
@inline isinf(z::Complex) = isinf(z.re) | isinf(z.im)
@inline isfinite(z::Complex) = isfinite(z.re) & isfinite(z.im)
@inline conj(z::Complex) = Complex(z.re, -z.im)
@inline adjoint(x::Number) = conj(x)
@inline transpose(x::Number) = x
@inline abs2(z::Complex) = z.re * z.re + z.im * z.im
@inline abs(z::Complex) = hypot(z.re, z.im)
@inline angle(z::Complex) = atan(z.im, z.re)
@inline angle(x::Real) = atan(zero(float(x)), float(x))
@inline zero(::Type{Complex{T}}) where {T} = Complex{T}(zero(T), zero(T))
@inline one(::Type{Complex{T}}) where {T} = Complex{T}(one(T), zero(T))
@inline isequal(z::Complex, w::Complex) = isequal(z.re, w.re) & isequal(z.im, w.im)
@inline isequal(z::Complex, x::Real) = isequal(z.re, x) & isequal(z.im, zero(z.im))
@inline isequal(x::Real, z::Complex) = isequal(z, x)
@inline ==(z::Complex, w::Complex) = (z.re == w.re) & (z.im == w.im)
@inline ==(z::Complex, x::Real) = isreal(z) & (z.re == x)
@inline ==(x::Real, z::Complex) = z == x
@inline -(z::Complex) = Complex(-z.re, -z.im)
@inline +(z::Complex, w::Complex) = Complex(z.re + w.re, z.im + w.im)
@inline -(z::Complex, w::Complex) = Complex(z.re - w.re, z.im - w.im)
@inline *(z::Complex, w::Complex) = Complex(z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re)
@inline +(x::Real, z::Complex) = Complex(x + z.re, z.im)
@inline +(z::Complex, x::Real) = Complex(z.re + x, z.im)
@inline -(z::Complex, x::Real) = Complex(z.re - x, z.im)
@inline -(x::Real, z::Complex) = Complex(x - z.re, -z.im)
@inline *(x::Real, z::Complex) = Complex(x * z.re, x * z.im)
@inline *(z::Complex, x::Real) = Complex(z.re * x, z.im * x)
@inline /(z::Complex, x::Real) = Complex(z.re / x, z.im / x)
@inline /(x::Real, z::Complex) = x * inv(z)
@inline function /(z::Complex, w::Complex)
    # scale by the larger part of the divisor, so that no intermediate value overflows
    if abs(w.re) >= abs(w.im)
        r = w.im / w.re
        d = w.re + r * w.im
        return Complex((z.re + z.im * r) / d, (z.im - z.re * r) / d)
    end
    r = w.re / w.im
    d = w.im + r * w.re
    return Complex((z.re * r + z.im) / d, (z.im * r - z.re) / d)
end
@inline inv(z::Complex) = Complex(one(z.re), zero(z.re)) / z
@inline muladd(x::Complex, y::Complex, z::Complex) = Complex(muladd(x.re, y.re, z.re) - x.im * y.im, muladd(x.re, y.im, muladd(x.im, y.re, z.im)))
@inline muladd(x::Complex, y::Complex, z::Real) = Complex(muladd(x.re, y.re, z) - x.im * y.im, muladd(x.re, y.im, x.im * y.re))
@inline muladd(x::Complex, y::Real, z::Complex) = Complex(muladd(x.re, y, z.re), muladd(x.im, y, z.im))
@inline muladd(x::Complex, y::Real, z::Real) = Complex(muladd(x.re, y, z), x.im * y)
@inline muladd(x::Real, y::Complex, z::Number) = muladd(y, x, z)
@inline muladd(x::Real, y::Real, z::Complex) = Complex(muladd(x, y, z.re), z.im)
@inline fma(x::Complex, y::Complex, z::Complex) = x * y + z
# Adds a product to a sum, in products and dot products of this library. For floats of one type, the target may fuse
# both operations.
@inline add_product(x::T, y::T, sum::T) where {T<:Union{AbstractFloat,Complex{<:AbstractFloat}}} = muladd(x, y, sum)
@inline add_product(x, y, sum) = sum + x * y
@inline cis(x::Real) = Complex(cos(x), sin(x))
@inline exp(z::Complex) = (r = exp(z.re); Complex(r * cos(z.im), r * sin(z.im)))
@inline log(z::Complex) = Complex(log(abs(z)), angle(z))
@inline function sqrt(z::Complex)
    m = abs(z)
    re = sqrt((m + abs(z.re)) / 2)
    if iszero(re)
        return Complex(re, float(z.im))
    end
    im_ = z.im / (2 * re)
    return z.re < 0 ? Complex(abs(im_), copysign(re, z.im)) : Complex(re, im_)
end
@inline ^(z::Complex, w::Complex) = iszero(z) ? zero(exp(w)) : exp(w * log(z))
@inline ^(z::Complex, x::AbstractFloat) = iszero(z) ? zero(exp(z)) : exp(x * log(z))
@inline sin(z::Complex) = Complex(sin(z.re) * cosh(z.im), cos(z.re) * sinh(z.im))
@inline cos(z::Complex) = Complex(cos(z.re) * cosh(z.im), -(sin(z.re) * sinh(z.im)))
@inline tan(z::Complex) = sin(z) / cos(z)
@inline sinh(z::Complex) = Complex(sinh(z.re) * cos(z.im), cosh(z.re) * sin(z.im))
@inline cosh(z::Complex) = Complex(cosh(z.re) * cos(z.im), sinh(z.re) * sin(z.im))
@inline tanh(z::Complex) = sinh(z) / cosh(z)
@inline expm1(z::Complex) = exp(z) - one(z)
@inline log1p(z::Complex) = log(one(z) + z)
@inline round(z::Complex) = Complex(round(z.re), round(z.im))
@inline widen(::Type{Complex{T}}) where {T} = Complex{widen(T)}
@inline float(::Type{Complex{T}}) where {T} = Complex{float(T)}
@inline sign(x::Number) = iszero(x) ? x / abs(oneunit(x)) : x / abs(x)
