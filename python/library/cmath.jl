# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Functions of the module cmath. Real numbers become complex128 (float32: complex64). Infinities and NaN give the
# results of CPython's tables, which are those of C99's annex G.

@inline finite(x) = py_isfinite(x)
@inline zero_of(x) = cast(typeof(x), 0)
@inline infinite(x) = cast(typeof(x), Inf)
@inline no_number(x) = cast(typeof(x), NaN)
@inline pair(x::T, y::T) where {T} = Complex{T}(x, y)
@inline is_zero(x) = eq_float(x, zero_of(x))
@inline below(x) = lt_float(x, zero_of(x))
# Returns size * (cos y, sin y), where size is 0 or infinity: only the signs of cos y and sin y matter.
@inline on_circle(size, y) = pair(copysign_float(size, Base.cos(y)), copysign_float(size, Base.sin(y)))
@inline signed_zero(x, y) = copysign_float(zero_of(x), py_signbit(x) === py_signbit(y) ? cast(typeof(x), 1) : cast(typeof(x), -1))
@inline to_complex(z::Complex) = z
@inline to_complex(x::Float32) = ComplexF32(x, fptrunc(Float32, 0.0))
@inline to_complex(x::AnyReal) = ComplexF64(cast(Float64, x), 0.0)
@inline times_i(z::Complex{T}) where {T} = Complex{T}(neg_float(im(z)), re(z))
@inline by_i(z::Complex{T}) where {T} = Complex{T}(im(z), neg_float(re(z)))
@inline complex_one(z::Complex{T}) where {T} = Complex{T}(cast(T, 1), cast(T, 0))
@inline one_minus(z::Complex{T}) where {T} = Complex{T}(sub_float(cast(T, 1), re(z)), neg_float(im(z)))
@inline one_plus(z::Complex{T}) where {T} = Complex{T}(add_float(cast(T, 1), re(z)), im(z))
@inline function c_sqrt(z::Complex{T}) where {T}
    if py_isinf(im(z))
        return Complex{T}(abs_float(im(z)), im(z))
    elseif py_isinf(re(z))
        return lt_float(re(z), cast(T, 0)) ? Complex{T}(abs_float(sub_float(im(z), im(z))), copysign_float(cast(T, Inf), im(z))) :
               Complex{T}(re(z), copysign_float(sub_float(im(z), im(z)), im(z)))
    end
    return Base.sqrt(z)
end
@inline function c_exp(z::Complex{T}) where {T}
    x, y = re(z), im(z)
    is_zero(y) && return pair(Base.exp(x), y)
    if py_isinf(x)
        finite(y) && return on_circle(below(x) ? zero_of(x) : infinite(x), y)
        return below(x) ? pair(zero_of(x), zero_of(x)) : pair(x, no_number(x))
    end
    r = Base.exp(x)
    py_isinf(r) || return pair(mul_float(r, Base.cos(y)), mul_float(r, Base.sin(y)))
    e = cast(T, 2.718281828459045)  # exp(x) overflowed, but the product may be finite: exp(x - 1) * e
    r = Base.exp(sub_float(x, cast(T, 1)))
    return pair(mul_float(mul_float(r, Base.cos(y)), e), mul_float(mul_float(r, Base.sin(y)), e))
end
@inline c_log(z) = Base.log(z)
@inline c_log10(z::Complex{T}) where {T} = (w = Base.log(z); k = cast(T, 0.4342944819032518); Complex{T}(mul_float(re(w), k), mul_float(im(w), k)))
@inline function c_sinh(z::Complex{T}) where {T}
    x, y = re(z), im(z)
    is_zero(y) && return pair(Base.sinh(x), y)
    if py_isinf(x)
        finite(y) || return pair(infinite(x), no_number(x))
        w = on_circle(infinite(x), y)
        return below(x) ? pair(neg_float(re(w)), im(w)) : w
    elseif is_zero(x) && not_int(finite(y))
        return pair(zero_of(x), no_number(x))
    end
    w = halves(x, y)
    return lt_float(cast(T, 20), abs_float(x)) ? pair(copysign_float(cast(T, 1), x) * re(w), im(w)) :
           pair(mul_float(Base.sinh(x), Base.cos(y)), mul_float(Base.cosh(x), Base.sin(y)))
end
@inline function c_cosh(z::Complex{T}) where {T}
    x, y = re(z), im(z)
    is_zero(y) && return pair(Base.cosh(x), py_isnan(x) ? zero_of(x) : is_zero(x) || py_isinf(x) ? signed_zero(x, y) : mul_float(Base.sinh(x), y))
    if py_isinf(x)
        finite(y) || return pair(infinite(x), no_number(x))
        w = on_circle(infinite(x), y)
        return below(x) ? pair(re(w), neg_float(im(w))) : w
    elseif is_zero(x) && not_int(finite(y))
        return pair(no_number(x), zero_of(x))
    end
    w = halves(x, y)
    return lt_float(cast(T, 20), abs_float(x)) ? pair(re(w), copysign_float(cast(T, 1), x) * im(w)) :
           pair(mul_float(Base.cosh(x), Base.cos(y)), mul_float(Base.sinh(x), Base.sin(y)))
end
# Returns exp(|x|) / 2 * (cos y, sin y), which is finite even if exp(|x|) overflows.
@inline halves(x, y) = (r = Base.exp(sub_float(abs_float(x), cast(typeof(x), 1))); e = cast(typeof(x), 1.3591409142295225);
    pair(mul_float(mul_float(r, Base.cos(y)), e), mul_float(mul_float(r, Base.sin(y)), e)))
@inline c_sin(z) = by_i(c_sinh(times_i(z)))
@inline c_cos(z) = c_cosh(times_i(z))
@inline function c_tanh(z::Complex{T}) where {T}
    x, y = re(z), im(z)
    one = cast(T, 1)
    is_zero(y) && return pair(Base.tanh(x), y)
    if py_isinf(x)
        return pair(copysign_float(one, x), finite(y) ? copysign_float(zero_of(x), mul_float(Base.sin(y), Base.cos(y))) : zero_of(x))
    elseif is_zero(x) && not_int(finite(y))
        return pair(no_number(x), no_number(x))
    elseif lt_float(cast(T, T === Float64 ? 350 : 40), abs_float(x))
        s = mul_float(mul_float(cast(T, 4), mul_float(Base.sin(y), Base.cos(y))), Base.exp(mul_float(cast(T, -2), abs_float(x))))
        return pair(copysign_float(one, x), s)
    end
    tx, ty, cx = Base.tanh(x), Base.tan(y), div_float(one, Base.cosh(x))
    both = mul_float(tx, ty)
    d = add_float(one, mul_float(both, both))
    return pair(div_float(mul_float(tx, add_float(one, mul_float(ty, ty))), d), mul_float(mul_float(div_float(ty, d), cx), cx))
end
@inline c_tan(z) = by_i(c_tanh(times_i(z)))
# Inverse functions, computed from square roots of sums such as 1 + z, as in Kahan's "Branch cuts".
@inline function c_acos(z::Complex{T}) where {T}
    finite(z) || return acos_of_none(re(z), im(z))
    a = Base.sqrt(one_minus(z))
    b = Base.sqrt(one_plus(z))
    p = mul_float(cast(T, 2), Base.atan(re(a), re(b)))
    return Complex{T}(p, Base.asinh(sub_float(mul_float(re(b), im(a)), mul_float(im(b), re(a)))))
end
@inline acos_of_none(x, y) = pair(
    py_isnan(x) || (py_isnan(y) && not_int(is_zero(x))) ? no_number(x) : py_isnan(y) ? cast(typeof(x), 1.5707963267948966) :
    Base.atan(py_isinf(y) ? cast(typeof(x), 1) : zero_of(x), py_isinf(x) ? copysign_float(cast(typeof(x), 1), x) : zero_of(x)),
    py_isnan(y) ? (py_isinf(x) ? infinite(x) : y) : py_isinf(x) || py_isinf(y) ? copysign_float(infinite(x), neg_float(y)) : no_number(x))
@inline asinh_of_none(x, y) = pair(
    py_isinf(x) ? x : py_isinf(y) ? (py_isnan(x) ? infinite(x) : copysign_float(infinite(x), x)) : no_number(x),
    py_isnan(y) ? y : py_isnan(x) ? (is_zero(y) ? y : no_number(x)) :
    py_isinf(y) ? copysign_float(cast(typeof(x), py_isinf(x) ? 0.7853981633974483 : 1.5707963267948966), y) : copysign_float(zero_of(x), y))
@inline atanh_of_none(x, y) = pair(
    py_isnan(x) ? (py_isinf(y) ? zero_of(x) : x) : py_isinf(x) || py_isinf(y) || is_zero(x) ? copysign_float(zero_of(x), x) : no_number(x),
    py_isnan(y) || (py_isnan(x) && finite(y)) ? no_number(x) : copysign_float(cast(typeof(x), 1.5707963267948966), y))
@inline function c_asin(z::Complex{T}) where {T}
    finite(z) || return by_i(asinh_of_none(neg_float(im(z)), re(z)))
    a = Base.sqrt(one_minus(z))
    b = Base.sqrt(one_plus(z))
    return Complex{T}(Base.atan(re(z), sub_float(mul_float(re(a), re(b)), mul_float(im(a), im(b)))),
        Base.asinh(sub_float(mul_float(re(a), im(b)), mul_float(im(a), re(b)))))
end
@inline function c_acosh(z::Complex{T}) where {T}
    py_isinf(z) && return Complex{T}(cast(T, Inf), Base.atan(im(z), re(z)))
    a = Base.sqrt(Complex{T}(sub_float(re(z), cast(T, 1)), im(z)))
    b = Base.sqrt(one_plus(z))
    return Complex{T}(Base.asinh(add_float(mul_float(re(a), re(b)), mul_float(im(a), im(b)))), mul_float(cast(T, 2), Base.atan(im(a), re(b))))
end
@inline c_asinh(z) = finite(z) ? by_i(c_asin(times_i(z))) : asinh_of_none(re(z), im(z))
@inline function c_atanh(z::Complex{T}) where {T}
    x, y = re(z), im(z)
    finite(z) || return atanh_of_none(x, y)
    if not_int(lt_float(abs_float(x), cast(T, 1e8))) || not_int(lt_float(abs_float(y), cast(T, 1e8)))
        r = py_isinf(x) || py_isinf(y) ? copysign_float(cast(T, 0), x) : div_float(div_float(x, hypot(x, y)), hypot(x, y))
        return Complex{T}(r, py_isnan(y) ? y : copysign_float(cast(T, 1.5707963267948966), y))
    end
    above = add_float(mul_float(add_float(cast(T, 1), x), add_float(cast(T, 1), x)), mul_float(y, y))
    p = sub_float(cast(T, 1), x)
    below = add_float(mul_float(p, p), mul_float(y, y))
    real_part = mul_float(cast(T, 0.25), Base.log1p(div_float(mul_float(cast(T, 4), x), below)))
    angle = mul_float(cast(T, 0.5), Base.atan(mul_float(cast(T, 2), y), sub_float(mul_float(p, add_float(cast(T, 1), x)), mul_float(y, y))))
    return Complex{T}(lt_float(below, above) || lt_float(above, below) ? real_part : copysign_float(cast(T, 0), x), angle)
end
@inline c_atan(z) = by_i(c_atanh(times_i(z)))
for f in (:sqrt, :exp, :log, :log10, :sin, :cos, :tan, :asin, :acos, :atan, :sinh, :cosh, :tanh, :asinh, :acosh, :atanh)
    @eval @inline $(Symbol(:py_cmath_, f))(z::AnyNumber) = $(Symbol(:c_, f))(to_complex(z))
end
@inline py_cmath_log(z::AnyNumber, base::AnyNumber) = py_truediv(py_cmath_log(z), py_cmath_log(base))
@inline py_cmath_isnan(z::AnyNumber) = py_isnan(to_complex(z))
@inline py_cmath_isinf(z::AnyNumber) = py_isinf(to_complex(z))
@inline py_cmath_isfinite(z::AnyNumber) = py_isfinite(to_complex(z))
@inline py_cmath_phase(z::AnyNumber) = (w = to_complex(z); Base.atan(im(w), re(w)))
@inline py_cmath_polar(z::AnyNumber) = (w = to_complex(z); (hypot(re(w), im(w)), Base.atan(im(w), re(w))))
@inline py_cmath_rect(r::AnyReal, phi::AnyReal) = (p = float_pair(r, phi); rect(getfield(p, 1), getfield(p, 2)))
@inline function rect(r, phi)
    is_zero(phi) && return pair(r, py_isnan(r) ? zero_of(r) : signed_zero(r, phi))
    if py_isinf(r)
        finite(phi) || return pair(infinite(r), no_number(r))
        w = on_circle(infinite(r), phi)
        return below(r) ? pair(neg_float(re(w)), neg_float(im(w))) : w
    elseif is_zero(r) && not_int(finite(phi))
        return pair(zero_of(r), zero_of(r))
    end
    return pair(mul_float(r, Base.cos(phi)), mul_float(r, Base.sin(phi)))
end
