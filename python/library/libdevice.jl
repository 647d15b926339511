# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# NVIDIA's device functions by name (cuda.libdevice), on every target. Argument types are libdevice's own: integers are
# signed as in its bitcode, even if the function's name says otherwise.

@inline f32(x) = cast(Float32, x)
@inline f64(x) = cast(Float64, x)
@inline i32(x) = cast(Int32, x)
@inline l64(x) = cast(Int64, x)
for (name, namef, f) in ((:acos, :acosf, :acos), (:acosh, :acoshf, :acosh), (:asin, :asinf, :asin), (:asinh, :asinhf, :asinh), (:atan, :atanf, :atan),
    (:atanh, :atanhf, :atanh), (:cbrt, :cbrtf, :cbrt), (:cos, :cosf, :cos), (:cosh, :coshf, :cosh), (:cospi, :cospif, :cospi), (:erf, :erff, :erf),
    (:erfc, :erfcf, :erfc), (:exp, :expf, :exp), (:exp10, :exp10f, :exp10), (:exp2, :exp2f, :exp2), (:expm1, :expm1f, :expm1), (:log, :logf, :log),
    (:log10, :log10f, :log10), (:log1p, :log1pf, :log1p), (:log2, :log2f, :log2), (:sin, :sinf, :sin), (:sinh, :sinhf, :sinh), (:sinpi, :sinpif, :sinpi),
    (:sqrt, :sqrtf, :sqrt), (:tan, :tanf, :tan), (:tanh, :tanhf, :tanh), (:lgamma, :lgammaf, :loggamma), (:tgamma, :tgammaf, :gamma), (:rsqrt, :rsqrtf, :rsqrt))
    @eval @inline $(Symbol(:py_libdevice_, name))(x) = Base.$f(f64(x))
    @eval @inline $(Symbol(:py_libdevice_, namef))(x) = Base.$f(f32(x))
end
# libdevice's round takes halfway cases away from zero; its logb returns the exponent.
@inline rounded_away(x) = (y = trunc_llvm(x); le_float(cast(typeof(x), 0.5), abs_float(sub_float(x, y))) ? add_float(y, copysign_float(cast(typeof(x), 1), x)) : y)
@inline exponent_of(x) = getfield(frexp(x), 2) - 1
@inline logb_of(x) = eq_float(x, cast(typeof(x), 0)) ? cast(typeof(x), -Inf) : py_isfinite(x) ? cast(typeof(x), exponent_of(x)) : abs_float(x)
@inline ilogb_of(x) = eq_float(x, cast(typeof(x), 0)) || ne_float(x, x) ? trunc_int(Int32, -2147483648) : py_isfinite(x) ? i32(exponent_of(x)) : trunc_int(Int32, 2147483647)
for (name, namef, f) in ((:ceil, :ceilf, :ceil_llvm), (:floor, :floorf, :floor_llvm), (:trunc, :truncf, :trunc_llvm), (:rint, :rintf, :rint_llvm),
    (:nearbyint, :nearbyintf, :rint_llvm), (:fabs, :fabsf, :abs_float), (:round, :roundf, :rounded_away), (:logb, :logbf, :logb_of), (:ilogb, :ilogbf, :ilogb_of))
    @eval @inline $(Symbol(:py_libdevice_, name))(x) = $f(f64(x))
    @eval @inline $(Symbol(:py_libdevice_, namef))(x) = $f(f32(x))
end
@inline py_libdevice_rcbrt(x) = div_float(1.0, Base.cbrt(f64(x)))
@inline py_libdevice_rcbrtf(x) = f32(div_float(1.0, Base.cbrt(f64(f32(x)))))
@inline py_libdevice_normcdf(x) = mul_float(0.5, Base.erfc(mul_float(f64(x), -0.7071067811865476)))
@inline py_libdevice_normcdff(x) = f32(py_libdevice_normcdf(f32(x)))
@inline py_libdevice_saturatef(x) = (y = f32(x); lt_float(f32(0), y) ? least(y, f32(1)) : f32(0))
# Fast variants: here as exact as the ordinary functions.
for f in (:sin, :cos, :tan, :exp, :exp10, :log, :log2, :log10)
    @eval @inline $(Symbol(:py_libdevice_fast_, f, :f))(x) = Base.$f(f32(x))
end
@inline py_libdevice_fast_powf(x, y) = pow_float(f32(x), f32(y))
@inline py_libdevice_fast_fdividef(x, y) = div_float(f32(x), f32(y))
@inline py_libdevice_fast_sincosf(x) = (Base.sin(f32(x)), Base.cos(f32(x)))
@inline py_libdevice_sincosf(x) = (Base.sin(f32(x)), Base.cos(f32(x)))
@inline py_libdevice_sincos(x) = (Base.sin(f64(x)), Base.cos(f64(x)))
@inline py_libdevice_sincospif(x) = (Base.sinpi(f32(x)), Base.cospi(f32(x)))
@inline py_libdevice_sincospi(x) = (Base.sinpi(f64(x)), Base.cospi(f64(x)))

# ---- two and three operands
@inline fdim_of(x, y) = ne_float(x, x) ? x : ne_float(y, y) ? y : lt_float(y, x) ? sub_float(x, y) : cast(typeof(x), 0)
@inline remainder_of(x, y) = getfield(remquo_of(x, y), 1)
@inline fmod_of(x, y) = rem_float(x, y)
# IEEE's remainder, which is exact, and the low three bits of the quotient. Takes fmod by 8 y, then subtracts multiples
# of y.
@inline function remquo_of(x::T, y::T) where {T}
    if not_int(py_isfinite(x)) || ne_float(y, y) || eq_float(y, cast(T, 0))
        return (div_float(cast(T, 0), cast(T, 0)), trunc_int(Int32, 0))
    elseif not_int(py_isfinite(y))
        return (x, trunc_int(Int32, 0))
    end
    b = abs_float(y)
    a = abs_float(x)
    low = py_isfinite(mul_float(b, cast(T, 8))) ? rem_float(a, mul_float(b, cast(T, 8))) : a
    n = 0
    for k in (4, 2, 1)
        kb = mul_float(b, cast(T, k))
        if le_float(kb, low)
            low = sub_float(low, kb)
            n += k
        end
    end
    rest = sub_float(b, low)
    if lt_float(rest, low) || (eq_float(rest, low) && and_int(n, 1) === 1)
        low = sub_float(low, b)
        n += 1
    end
    n = and_int(n, 7)
    negative = py_signbit(x) !== py_signbit(y)
    return (py_signbit(x) ? neg_float(low) : low, trunc_int(Int32, negative ? sub_int(0, n) : n))
end
for (name, namef, f) in ((:atan2, :atan2f, :(Base.atan)), (:copysign, :copysignf, :copysign_float), (:fdim, :fdimf, :fdim_of), (:fmax, :fmaxf, :most), (:fmin, :fminf, :least),
    (:fmod, :fmodf, :fmod_of), (:hypot, :hypotf, :hypot), (:nextafter, :nextafterf, :next_after), (:pow, :powf, :pow_float), (:remainder, :remainderf, :remainder_of),
    (:remquo, :remquof, :remquo_of))
    @eval @inline $(Symbol(:py_libdevice_, name))(x, y) = $f(f64(x), f64(y))
    @eval @inline $(Symbol(:py_libdevice_, namef))(x, y) = $f(f32(x), f32(y))
end
@inline py_libdevice_fma(x, y, z) = fma_float(f64(x), f64(y), f64(z))
@inline py_libdevice_fmaf(x, y, z) = fma_float(f32(x), f32(y), f32(z))
@inline py_libdevice_fma_rn(x, y, z) = fma_float(f64(x), f64(y), f64(z))
@inline py_libdevice_fmaf_rn(x, y, z) = fma_float(f32(x), f32(y), f32(z))
for name in (:ldexp, :scalbn)
    @eval @inline $(Symbol(:py_libdevice_, name))(x, n) = ldexp(f64(x), l64(n))
    @eval @inline $(Symbol(:py_libdevice_, name, :f))(x, n) = ldexp(f32(x), l64(n))
end
@inline py_libdevice_powi(x, n) = float_pow(f64(x), l64(n))
@inline py_libdevice_powif(x, n) = float_pow(f32(x), l64(n))
@inline py_libdevice_frexp(x) = py_frexp(f64(x))
@inline py_libdevice_frexpf(x) = py_frexp(f32(x))
@inline py_libdevice_modf(x) = py_modf(f64(x))
@inline py_libdevice_modff(x) = py_modf(f32(x))

# ---- directed roundings (rd, ru, rz): the nearest result, moved one step where the exact remainder requires it
@inline step_by(r, left, ::Val{:rn}) = r
@inline step_by(r, left, ::Val{:rd}) = lt_float(left, cast(typeof(left), 0)) ? prevfloat(r) : r
@inline step_by(r, left, ::Val{:ru}) = lt_float(cast(typeof(left), 0), left) ? nextfloat(r) : r
@inline step_by(r, left, ::Val{:rz}) = lt_float(r, cast(typeof(r), 0)) ? step_by(r, left, Val(:ru)) : step_by(r, left, Val(:rd))
@inline add_rounded(a, b, mode) = (s = add_float(a, b); t = sub_float(s, a); step_by(s, add_float(sub_float(a, sub_float(s, t)), sub_float(b, t)), mode))
@inline mul_rounded(a, b, mode) = (p = mul_float(a, b); step_by(p, fma_float(a, b, neg_float(p)), mode))
@inline div_rounded(a, b, mode) = (q = div_float(a, b); r = fma_float(neg_float(q), b, a); step_by(q, lt_float(b, cast(typeof(b), 0)) ? neg_float(r) : r, mode))
@inline sqrt_rounded(a, mode) = (q = sqrt_llvm(a); step_by(q, fma_float(neg_float(q), q, a), mode))
@inline narrowed(x::Float64, mode) = (y = fptrunc(Float32, x); step_by(y, sub_float(x, fpext(Float64, y)), mode))
for mode in (:rd, :rn, :ru, :rz), (T, c, to) in ((:Float64, :d, :f64), (:Float32, :f, :f32))
    @eval begin
        @inline $(Symbol(:py_libdevice_, c, :add_, mode))(a, b) = add_rounded($to(a), $to(b), Val($(QuoteNode(mode))))
        @inline $(Symbol(:py_libdevice_, c, :sub_, mode))(a, b) = add_rounded($to(a), neg_float($to(b)), Val($(QuoteNode(mode))))
        @inline $(Symbol(:py_libdevice_, c, :mul_, mode))(a, b) = mul_rounded($to(a), $to(b), Val($(QuoteNode(mode))))
        @inline $(Symbol(:py_libdevice_, c, :div_, mode))(a, b) = div_rounded($to(a), $to(b), Val($(QuoteNode(mode))))
        @inline $(Symbol(:py_libdevice_, c, :rcp_, mode))(a) = div_rounded($to(1), $to(a), Val($(QuoteNode(mode))))
        @inline $(Symbol(:py_libdevice_, c, :sqrt_, mode))(a) = sqrt_rounded($to(a), Val($(QuoteNode(mode))))
    end
end
@inline py_libdevice_frsqrt_rn(x) = f32(div_float(1.0, sqrt_llvm(f64(f32(x)))))

# ---- conversions: those to integers saturate, and a NaN becomes 0
@inline whole(x, ::Val{:rn}) = rint_llvm(x)
@inline whole(x, ::Val{:rd}) = floor_llvm(x)
@inline whole(x, ::Val{:ru}) = ceil_llvm(x)
@inline whole(x, ::Val{:rz}) = trunc_llvm(x)
@inline function saturated(::Type{T}, x, low::Float64, high::Float64) where {T}
    y = f64(x)
    return ne_float(y, y) ? cut(T, 0) : le_float(y, low) ? typemin(T) : le_float(high, y) ? typemax(T) : cast(T, y)
end
@inline back_as(::Type{S}, x) where {S} = bitcast(S, x)
for mode in (:rd, :rn, :ru, :rz)
    @eval begin
        @inline $(Symbol(:py_libdevice_double2float_, mode))(x) = narrowed(f64(x), Val($(QuoteNode(mode))))
        @inline $(Symbol(:py_libdevice_int2float_, mode))(x) = narrowed(f64(i32(x)), Val($(QuoteNode(mode))))
        @inline $(Symbol(:py_libdevice_uint2float_, mode))(x) = narrowed(f64(cast(UInt32, x)), Val($(QuoteNode(mode))))
    end
    for (from, to) in ((:double, :f64), (:float, :f32))
        @eval begin
            @inline $(Symbol(:py_libdevice_, from, Symbol("2int_"), mode))(x) = saturated(Int32, whole($to(x), Val($(QuoteNode(mode)))), -2147483648.0, 2147483647.0)
            @inline $(Symbol(:py_libdevice_, from, Symbol("2uint_"), mode))(x) = back_as(Int32, saturated(UInt32, whole($to(x), Val($(QuoteNode(mode)))), 0.0, 4294967295.0))
            @inline $(Symbol(:py_libdevice_, from, Symbol("2ll_"), mode))(x) = saturated(Int64, whole($to(x), Val($(QuoteNode(mode)))), -9.223372036854775808e18, 9.223372036854775808e18)
            @inline $(Symbol(:py_libdevice_, from, Symbol("2ull_"), mode))(x) = back_as(Int64, saturated(UInt64, whole($to(x), Val($(QuoteNode(mode)))), 0.0, 1.8446744073709551616e19))
        end
    end
end
@inline py_libdevice_int2double_rn(x) = f64(i32(x))
@inline py_libdevice_uint2double_rn(x) = f64(cast(UInt32, x))
for (name, T) in ((:ll2double_rn, :Int64), (:ull2double_rn, :UInt64))
    @eval @inline $(Symbol(:py_libdevice_, name))(x) = f64(cast($T, x))
end
for (name, T) in ((:ll2float_rn, :Int64), (:ull2float_rn, :UInt64))
    @eval @inline $(Symbol(:py_libdevice_, name))(x) = f32(cast($T, x))
end
for (name, f) in ((:llrint, :rint_llvm), (:llround, :rounded_away))
    @eval @inline $(Symbol(:py_libdevice_, name))(x) = saturated(Int64, $f(f64(x)), -9.223372036854775808e18, 9.223372036854775808e18)
    @eval @inline $(Symbol(:py_libdevice_, name, :f))(x) = saturated(Int64, $f(f32(x)), -9.223372036854775808e18, 9.223372036854775808e18)
end
@inline py_libdevice_double_as_longlong(x) = bitcast(Int64, f64(x))
@inline py_libdevice_longlong_as_double(x) = bitcast(Float64, l64(x))
@inline py_libdevice_float_as_int(x) = bitcast(Int32, f32(x))
@inline py_libdevice_int_as_float(x) = bitcast(Float32, i32(x))
@inline py_libdevice_double2hiint(x) = trunc_int(Int32, ashr_int(bitcast(Int64, f64(x)), 32))
@inline py_libdevice_double2loint(x) = trunc_int(Int32, bitcast(Int64, f64(x)))
@inline py_libdevice_hiloint2double(hi, lo) = bitcast(Float64, or_int(shl_int(zext_int(Int64, i32(hi)), 32), zext_int(Int64, i32(lo))))
@inline py_libdevice_float2half_rn(x) = bitcast(Int16, fptrunc(Float16, f32(x)))
@inline py_libdevice_half2float(x) = fpext(Float32, bitcast(Float16, cast(Int16, x)))
for (name, namef, f) in ((:isnand, :isnanf, :py_isnan), (:isinfd, :isinff, :py_isinf), (:isfinited, :finitef, :py_isfinite), (:signbitd, :signbitf, :py_signbit))
    @eval @inline $(Symbol(:py_libdevice_, name))(x) = i32($f(f64(x)))
    @eval @inline $(Symbol(:py_libdevice_, namef))(x) = i32($f(f32(x)))
end

# ---- integers
@inline u32(x) = cast(UInt32, x)
@inline py_libdevice_abs(x) = (y = i32(x); slt_int(y, trunc_int(Int32, 0)) ? neg_int(y) : y)
@inline py_libdevice_llabs(x) = (y = l64(x); slt_int(y, 0) ? neg_int(y) : y)
@inline py_libdevice_brev(x) = bitreverse_int(i32(x))
@inline py_libdevice_brevll(x) = bitreverse_int(l64(x))
@inline py_libdevice_clz(x) = ctlz_int(i32(x))
@inline py_libdevice_clzll(x) = i32(ctlz_int(l64(x)))
@inline py_libdevice_popc(x) = ctpop_int(i32(x))
@inline py_libdevice_popcll(x) = i32(ctpop_int(l64(x)))
@inline py_libdevice_ffs(x) = py_ffs(i32(x))
@inline py_libdevice_ffsll(x) = py_ffs(l64(x))
@inline py_libdevice_byte_perm(x, y, z) = CUDA.byte_perm(i32(x), i32(y), i32(z))
@inline py_libdevice_max(x, y) = most(i32(x), i32(y))
@inline py_libdevice_min(x, y) = least(i32(x), i32(y))
@inline py_libdevice_umax(x, y) = bitcast(Int32, most(u32(x), u32(y)))
@inline py_libdevice_umin(x, y) = bitcast(Int32, least(u32(x), u32(y)))
@inline py_libdevice_llmax(x, y) = most(l64(x), l64(y))
@inline py_libdevice_llmin(x, y) = least(l64(x), l64(y))
@inline py_libdevice_ullmax(x, y) = bitcast(Int64, most(cast(UInt64, x), cast(UInt64, y)))
@inline py_libdevice_ullmin(x, y) = bitcast(Int64, least(cast(UInt64, x), cast(UInt64, y)))
@inline py_libdevice_hadd(x, y) = trunc_int(Int32, ashr_int(add_int(i64(i32(x)), i64(i32(y))), 1))
@inline py_libdevice_rhadd(x, y) = trunc_int(Int32, ashr_int(add_int(add_int(i64(i32(x)), i64(i32(y))), 1), 1))
@inline py_libdevice_uhadd(x, y) = trunc_int(Int32, ashr_int(add_int(i64(u32(x)), i64(u32(y))), 1))
@inline py_libdevice_urhadd(x, y) = trunc_int(Int32, ashr_int(add_int(add_int(i64(u32(x)), i64(u32(y))), 1), 1))
@inline py_libdevice_mulhi(x, y) = trunc_int(Int32, ashr_int(mul_int(i64(i32(x)), i64(i32(y))), 32))
@inline py_libdevice_umulhi(x, y) = trunc_int(Int32, lshr_int(mul_int(i64(u32(x)), i64(u32(y))), 32))
@inline low24(x) = ashr_int(shl_int(l64(x), 40), 40)
@inline py_libdevice_mul24(x, y) = trunc_int(Int32, mul_int(low24(x), low24(y)))
@inline py_libdevice_umul24(x, y) = trunc_int(Int32, mul_int(and_int(l64(x), 16777215), and_int(l64(y), 16777215)))
@inline function py_libdevice_umul64hi(x, y)
    a = l64(x)
    b = l64(y)
    mask = 4294967295
    low = mul_int(and_int(a, mask), and_int(b, mask))
    one = add_int(mul_int(lshr_int(a, 32), and_int(b, mask)), lshr_int(low, 32))
    two = add_int(mul_int(and_int(a, mask), lshr_int(b, 32)), and_int(one, mask))
    return add_int(add_int(mul_int(lshr_int(a, 32), lshr_int(b, 32)), lshr_int(one, 32)), lshr_int(two, 32))
end
@inline function py_libdevice_mul64hi(x, y)
    a = l64(x)
    b = l64(y)
    return sub_int(sub_int(py_libdevice_umul64hi(a, b), and_int(ashr_int(a, 63), b)), and_int(ashr_int(b, 63), a))
end
@inline py_libdevice_sad(x, y, z) = trunc_int(Int32, add_int(l64(z), py_libdevice_llabs(sub_int(i64(i32(x)), i64(i32(y))))))
@inline py_libdevice_usad(x, y, z) = trunc_int(Int32, add_int(l64(z), py_libdevice_llabs(sub_int(i64(u32(x)), i64(u32(y))))))
