# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Functions of the modules math and numpy, on single numbers. Integers are float64, as in both.

@inline real64(x::AnyInt) = cast(Float64, x)
@inline real64(x::Union{Float32,Float64}) = x
@inline real64(x::Float16) = cast(Float32, x)
@inline back(x, y) = x isa Float16 ? cast(Float16, y) : y
for (name, f) in ((:sqrt, :sqrt), (:exp, :exp), (:exp2, :exp2), (:expm1, :expm1), (:log, :log), (:log2, :log2), (:log10, :log10), (:log1p, :log1p),
    (:sin, :sin), (:cos, :cos), (:tan, :tan), (:asin, :asin), (:acos, :acos), (:atan, :atan), (:sinh, :sinh), (:cosh, :cosh), (:tanh, :tanh),
    (:asinh, :asinh), (:acosh, :acosh), (:atanh, :atanh), (:erf, :erf), (:erfc, :erfc), (:gamma, :gamma), (:lgamma, :loggamma), (:cbrt, :cbrt))
    @eval @inline $(Symbol(:py_, name))(x::AnyReal) = back(x, Base.$f(real64(x)))
end
for (name, f) in ((:sqrt, :sqrt), (:exp, :exp), (:log, :log), (:sin, :sin), (:cos, :cos), (:tan, :tan), (:sinh, :sinh), (:cosh, :cosh), (:tanh, :tanh))
    @eval @inline $(Symbol(:py_, name))(z::Complex) = Base.$f(z)
end
@inline py_log(x::AnyReal, base::AnyReal) = py_truediv(py_log(x), py_log(base))
for (name, by) in ((:floor, :floor_llvm), (:ceil, :ceil_llvm), (:trunc, :trunc_llvm), (:rint, :rint_llvm))
    @eval begin
        @inline $(Symbol(:py_, name))(x::AnyFloat) = $by(x)
        @inline $(Symbol(:py_, name))(x::AnyInt) = cast(Float64, x)
    end
end
@inline py_fabs(x::AnyFloat) = abs_float(x)
@inline py_fabs(x::AnyInt) = abs_float(cast(Float64, x))
@inline float_pair(x, y) = (T = x isa Float32 && y isa Float32 ? Float32 : x isa AnyFloat && y isa AnyFloat ? arith(typeof(x), typeof(y)) : x isa Float32 && holds16(typeof(y)) ? Float32 : y isa Float32 && holds16(typeof(x)) ? Float32 : Float64; (cast(T, x), cast(T, y)))
@inline py_math_pow(x::AnyReal, y::AnyReal) = (p = float_pair(x, y); pow_float(getfield(p, 1), getfield(p, 2)))
@inline py_math_pow(x::Float64, y::AnyInt) = float_pow(x, i64(y))
@inline py_atan2(x::AnyReal, y::AnyReal) = (p = float_pair(x, y); atan(getfield(p, 1), getfield(p, 2)))
@inline py_hypot(x::AnyReal, y::AnyReal) = (p = float_pair(x, y); hypot(getfield(p, 1), getfield(p, 2)))
@inline py_copysign(x::AnyReal, y::AnyReal) = (p = float_pair(x, y); copysign_float(getfield(p, 1), getfield(p, 2)))
@inline py_fmod(x::AnyReal, y::AnyReal) = (p = float_pair(x, y); rem_float(getfield(p, 1), getfield(p, 2)))
@inline py_remainder(x::AnyReal, y::AnyReal) = (p = float_pair(x, y); a = getfield(p, 1); b = getfield(p, 2); sub_float(a, mul_float(b, rint_llvm(div_float(a, b)))))
@inline py_nextafter(x::AnyReal, y::AnyReal) = (p = float_pair(x, y); next_after(getfield(p, 1), getfield(p, 2)))
@inline next_after(a, b) = a == b ? b : a < b ? nextfloat(a) : isnan(a) ? a : isnan(b) ? b : prevfloat(a)
@inline py_isnan(x::AnyFloat) = ne_float(x, x)
@inline py_isnan(x::AnyInt) = false
@inline py_isinf(x::AnyFloat) = eq_float(abs_float(x), cast(typeof(x), Inf))
@inline py_isinf(x::AnyInt) = false
@inline py_isfinite(x::AnyFloat) = lt_float(abs_float(x), cast(typeof(x), Inf))
@inline py_isfinite(x::AnyInt) = true
@inline py_isnan(z::Complex) = or_int(py_isnan(re(z)), py_isnan(im(z)))
@inline py_isinf(z::Complex) = or_int(py_isinf(re(z)), py_isinf(im(z)))
@inline py_isfinite(z::Complex) = and_int(py_isfinite(re(z)), py_isfinite(im(z)))
@inline py_signbit(x::AnyFloat) = lt_float(copysign_float(cast(typeof(x), 1), x), cast(typeof(x), 0))
@inline py_radians(x::AnyReal) = (y = real64(x); mul_float(y, cast(typeof(y), 0.017453292519943295)))
@inline py_degrees(x::AnyReal) = (y = real64(x); mul_float(y, cast(typeof(y), 57.29577951308232)))
@inline py_ldexp(x::AnyReal, n::AnyInt) = ldexp(real64(x), i64(n))
@inline py_frexp(x::AnyReal) = (p = frexp(real64(x)); (getfield(p, 1), cast(Int32, getfield(p, 2))))
@inline py_modf(x::AnyReal) = (y = real64(x); (copysign_float(sub_float(y, trunc_llvm(y)), y), trunc_llvm(y)))
@inline py_gcd(a::AnyInt, b::AnyInt) = i64(common(magnitude(a), magnitude(b)))
@inline magnitude(a::SInt) = u64(py_abs(i64(a)))
@inline magnitude(a::Enter) = u64(a)
@inline function common(a::UInt64, b::UInt64)
    while b !== 0x0000000000000000
        a, b = b, urem_int(a, b)
    end
    return a
end
@inline py_isclose(a, b) = py_isclose(a, b, nothing, nothing)
@inline py_isclose(a, b, rel, abs_) = (x = cast(Float64, a); y = cast(Float64, b); r = rel === nothing ? 1.0e-9 : rel; t = abs_ === nothing ? 0.0 : abs_;
    x == y || (isfinite(x) && isfinite(y) && abs(x - y) <= most(r * most(abs(x), abs(y)), t)))
@inline py_sign(x::AnyFloat) = ne_float(x, x) ? x : cast(typeof(x), i64(lt_float(cast(typeof(x), 0), x)) - i64(lt_float(x, cast(typeof(x), 0))))
@inline py_sign(x::AnyInt) = cut(typeof(py_int(x)), i64(py_lt(0, x)) - i64(py_lt(x, 0)))
@inline py_square(x) = py_mul(x, x)
@inline py_reciprocal(x) = py_truediv(1.0, x)
@inline py_where(c, a::AnyReal, b::AnyReal) = (T = unified(typeof(a), typeof(b)); ifelse(py_truth(c), cast(T, a), cast(T, b)))
@inline py_clip(x, low, high) = py_min(py_max(x, low), high)
@inline py_logical_and(a, b) = and_int(py_truth(a), py_truth(b))
@inline py_logical_or(a, b) = or_int(py_truth(a), py_truth(b))
@inline py_logical_xor(a, b) = xor_int(py_truth(a), py_truth(b))
@inline py_logical_not(a) = not_int(py_truth(a))

# ---- cmath: complex numbers; reals are complex128
@inline to_complex(z::Complex) = z
@inline to_complex(x::Float32) = ComplexF32(x, fptrunc(Float32, 0.0))
@inline to_complex(x::AnyReal) = ComplexF64(cast(Float64, x), 0.0)
@inline times_i(z::Complex{T}) where {T} = Complex{T}(neg_float(im(z)), re(z))
@inline by_i(z::Complex{T}) where {T} = Complex{T}(im(z), neg_float(re(z)))
@inline complex_one(z::Complex{T}) where {T} = Complex{T}(cast(T, 1), cast(T, 0))
@inline one_minus(z::Complex{T}) where {T} = Complex{T}(sub_float(cast(T, 1), re(z)), neg_float(im(z)))
@inline one_plus(z::Complex{T}) where {T} = Complex{T}(add_float(cast(T, 1), re(z)), im(z))
# A product in which 0 times what is infinite or no number is 0, as C's functions have it.
@inline part_product(a, b) = eq_float(a, cast(typeof(a), 0)) || eq_float(b, cast(typeof(b), 0)) ?
    (py_signbit(a) === py_signbit(b) ? cast(typeof(a), 0) : neg_float(cast(typeof(a), 0))) : mul_float(a, b)
@inline function c_sqrt(z::Complex{T}) where {T}
    if py_isinf(im(z))
        return Complex{T}(abs_float(im(z)), im(z))
    elseif py_isinf(re(z))
        return lt_float(re(z), cast(T, 0)) ? Complex{T}(abs_float(sub_float(im(z), im(z))), copysign_float(cast(T, Inf), im(z))) :
               Complex{T}(re(z), copysign_float(sub_float(im(z), im(z)), im(z)))
    end
    return Base.sqrt(z)
end
@inline c_exp(z::Complex{T}) where {T} = (r = Base.exp(re(z)); Complex{T}(part_product(r, Base.cos(im(z))), part_product(r, Base.sin(im(z)))))
@inline c_log(z) = Base.log(z)
@inline c_log10(z::Complex{T}) where {T} = (w = Base.log(z); k = cast(T, 0.4342944819032518); Complex{T}(mul_float(re(w), k), mul_float(im(w), k)))
@inline c_sinh(z::Complex{T}) where {T} = Complex{T}(part_product(Base.sinh(re(z)), Base.cos(im(z))), part_product(Base.cosh(re(z)), Base.sin(im(z))))
@inline c_cosh(z::Complex{T}) where {T} = Complex{T}(part_product(Base.cosh(re(z)), Base.cos(im(z))), part_product(Base.sinh(re(z)), Base.sin(im(z))))
@inline c_sin(z) = by_i(c_sinh(times_i(z)))
@inline c_cos(z) = c_cosh(times_i(z))
# tanh by halves that do not overflow: where |x| is large it is the sign of x.
@inline function c_tanh(z::Complex{T}) where {T}
    x, y = re(z), im(z)
    if eq_float(y, cast(T, 0))
        return Complex{T}(Base.tanh(x), y)
    elseif lt_float(cast(T, 20), abs_float(x))
        e = Base.exp(mul_float(cast(T, -2), abs_float(x)))
        return Complex{T}(copysign_float(cast(T, 1), x), part_product(mul_float(cast(T, 4), mul_float(Base.sin(y), Base.cos(y))), e))
    end
    t, s = Base.tan(y), Base.sinh(x)
    b = add_float(cast(T, 1), mul_float(t, t))
    r = Base.sqrt(add_float(cast(T, 1), mul_float(s, s)))
    d = add_float(cast(T, 1), mul_float(b, mul_float(s, s)))
    return Complex{T}(div_float(mul_float(b, mul_float(r, s)), d), div_float(t, d))
end
@inline c_tan(z) = by_i(c_tanh(times_i(z)))
# asinh and acosh by square roots of sums, as in Kahan's "Branch cuts".
@inline function c_acos(z::Complex{T}) where {T}
    py_isinf(z) && return Complex{T}(Base.atan(abs_float(im(z)), re(z)), copysign_float(cast(T, Inf), neg_float(im(z))))
    a = Base.sqrt(one_minus(z))
    b = Base.sqrt(one_plus(z))
    p = mul_float(cast(T, 2), Base.atan(re(a), re(b)))
    return Complex{T}(p, Base.asinh(sub_float(mul_float(re(b), im(a)), mul_float(im(b), re(a)))))
end
@inline function c_asin(z::Complex{T}) where {T}
    py_isinf(z) && return Complex{T}(Base.atan(re(z), abs_float(im(z))), copysign_float(cast(T, Inf), im(z)))
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
@inline c_asinh(z) = by_i(c_asin(times_i(z)))
@inline function c_atanh(z::Complex{T}) where {T}
    x, y = re(z), im(z)
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
@inline py_cmath_rect(r::AnyReal, phi::AnyReal) = (p = float_pair(r, phi); T = typeof(getfield(p, 1)); a = getfield(p, 1); b = getfield(p, 2);
    Complex{T}(mul_float(a, Base.cos(b)), mul_float(a, Base.sin(b))))
