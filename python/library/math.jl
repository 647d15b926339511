# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Functions of the modules math and numpy on single numbers. Integers become float64, as in both modules.

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
@inline py_modf(x::AnyReal) = (y = real64(x); whole = trunc_llvm(y); (copysign_float(py_isinf(y) ? cast(typeof(y), 0) : sub_float(y, whole), y), whole))
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
