# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# bfloat16, the upper half of a float32. With bfloat16, 8-bit integers or bool, arithmetic gives bfloat16, rounded once.
# With float16, float32 or 16-bit integers it gives float32; with wider types float64.

const Brain = BFloat16
@inline single(x::Brain) = fpext(Float32, x)
@inline single(x) = x
@inline brain(x) = cast(Brain, x)
@inline from_bits16(b::UInt32) = bitcast(Brain, trunc_int(UInt16, b))
@inline cast(::Type{Brain}, x::Brain) = x
# Converts subnormal numbers in software, because x86's conversion instruction flushes them to 0.
@inline cast(::Type{Brain}, x::Float32) = ult_int(and_int(bitcast(UInt32, x), 0x7fffffff), 0x00800000) ? float_to_brain(x, Val(:rn)) : fptrunc(Brain, x)
@inline cast(::Type{Brain}, x::Float16) = cast(Brain, fpext(Float32, x))
# Converts through a float32 that is rounded to odd. The second rounding is then correct for the original value.
@inline cast(::Type{Brain}, x::Float64) = cast(Brain, rounded_to_odd(x))
@inline function rounded_to_odd(x::Float64)
    y = fptrunc(Float32, x)
    z = fpext(Float64, y)
    b = bitcast(UInt32, y)
    if (lt_float(z, x) || lt_float(x, z)) && and_int(b, 0x00000001) === 0x00000000
        b = lt_float(abs_float(x), abs_float(z)) ? sub_int(b, 0x00000001) : add_int(b, 0x00000001)
    end
    return bitcast(Float32, b)
end
@inline cast(::Type{Brain}, x::AnyInt) = int_to_brain(x, Val(:rn))
for T in (:Int8, :Int16, :Int32, :Int64, :UInt8, :UInt16, :UInt32, :UInt64, :Float16, :Float64)
    @eval @inline cast(::Type{$T}, x::Brain) = cast($T, single(x))
end
@inline cast(::Type{Float32}, x::Brain) = single(x)
@inline cast(::Type{Complex{T}}, x::Brain) where {T} = Complex{T}(cast(T, x), cast(T, false))

# ---- conversions with a rounding: rn to nearest, rz to zero, rd down, ru up; a NaN becomes 0x7fff, as on NVIDIA GPUs
@inline function float_to_brain(x::Float32, ::Val{mode}) where {mode}
    b = bitcast(UInt32, x)
    high, low = lshr_int(b, 0x0000000000000010), and_int(b, 0x0000ffff)
    if ne_float(x, x)
        return from_bits16(0x00007fff)
    end
    return from_bits16(rounds_up(Val(mode), low, 0x00008000, high, slt_int(bitcast(Int32, b), trunc_int(Int32, 0))) ? add_int(high, 0x00000001) : high)
end
@inline rounds_up(::Val{:rn}, rest, half, kept, is_negative) = ult_int(half, rest) || (rest === half && and_int(kept, cut(typeof(kept), 1)) !== cut(typeof(kept), 0))
@inline rounds_up(::Val{:rz}, rest, half, kept, is_negative) = false
@inline rounds_up(::Val{:rd}, rest, half, kept, is_negative) = is_negative && rest !== cut(typeof(rest), 0)
@inline rounds_up(::Val{:ru}, rest, half, kept, is_negative) = not_int(is_negative) && rest !== cut(typeof(rest), 0)
@inline is_negative_int(x::SInt) = slt_int(x, cut(typeof(x), 0))
@inline is_negative_int(x::Enter) = false
@inline function int_to_brain(x::AnyInt, ::Val{mode}) where {mode}
    is_negative = is_negative_int(x)
    m = is_negative ? neg_int(u64(x)) : u64(x)
    if m === 0x0000000000000000
        return from_bits16(0x00000000)
    end
    e = sub_int(0x000000000000003f, ctlz_int(m))
    if ule_int(e, 0x0000000000000007)
        kept = shl_int(m, sub_int(0x0000000000000007, e))
    else
        shift = sub_int(e, 0x0000000000000007)
        kept = lshr_int(m, shift)
        rest = and_int(m, sub_int(shl_int(0x0000000000000001, shift), 0x0000000000000001))
        half = shl_int(0x0000000000000001, sub_int(shift, 0x0000000000000001))
        kept = rounds_up(Val(mode), rest, half, kept, is_negative) ? add_int(kept, 0x0000000000000001) : kept
    end
    # Adds the fraction to the shifted exponent: its leading bit and a carry of the rounding increase the exponent.
    b = add_int(shl_int(add_int(e, 0x000000000000007e), 0x0000000000000007), kept)
    return from_bits16(or_int(trunc_int(UInt32, b), is_negative ? 0x00008000 : 0x00000000))
end
for mode in (:rn, :rz, :rd, :ru)
    @eval @inline $(Symbol(:py_bf16_float2bfloat16_, mode))(x) = float_to_brain(cast(Float32, x), Val($(QuoteNode(mode))))
    for (name, T, low, high) in ((:int, :Int32, -2147483648.0, 2147483647.0), (:uint, :UInt32, 0.0, 4294967295.0), (:short, :Int16, -32768.0, 32767.0),
        (:ushort, :UInt16, 0.0, 65535.0), (:ll, :Int64, -9.223372036854775808e18, 9.223372036854775808e18), (:ull, :UInt64, 0.0, 1.8446744073709551616e19))
        @eval begin
            @inline $(Symbol(:py_bf16_, name, Symbol("2bfloat16_"), mode))(x) = int_to_brain(cast($T, x), Val($(QuoteNode(mode))))
            @inline $(Symbol(:py_bf16_bfloat162, name, :_, mode))(x) = saturated($T, whole(single(brain(x)), Val($(QuoteNode(mode)))), $low, $high)
        end
    end
end
@inline py_bf16_bfloat162char_rz(x) = saturated(Int8, single(brain(x)), -128.0, 127.0)
@inline py_bf16_bfloat162uchar_rz(x) = saturated(UInt8, single(brain(x)), 0.0, 255.0)
@inline py_bf16_bfloat162float(x) = single(brain(x))
@inline py_bf16_float2bfloat16(x) = brain(cast(Float32, x))
@inline py_bf16_double2bfloat16(x) = brain(cast(Float64, x))
@inline py_bf16_bfloat16_as_short(x) = bitcast(Int16, brain(x))
@inline py_bf16_bfloat16_as_ushort(x) = bitcast(UInt16, brain(x))
@inline py_bf16_short_as_bfloat16(x) = bitcast(Brain, cast(Int16, x))
@inline py_bf16_ushort_as_bfloat16(x) = bitcast(Brain, cast(UInt16, x))

# ---- arithmetic and comparisons, in float32: precise enough that the second rounding, to bfloat16, is correct
@inline meets(::Type{T}) where {T<:AnyReal} = T === Int8 || T === UInt8 || T === Bool ? Brain : T === Float32 || T === Float16 || T === Int16 || T === UInt16 ? Float32 : Float64
@inline meets(::Type{Complex{T}}) where {T} = Complex{T}
for op in (:py_add, :py_sub, :py_mul, :py_truediv, :py_floordiv, :py_mod, :py_pow)
    @eval begin
        @inline $op(a::Brain, b::Brain) = brain($op(single(a), single(b)))
        @inline $op(a::Brain, b::AnyNumber) = (T = meets(typeof(b)); $op(cast(T, a), cast(T, b)))
        @inline $op(a::AnyNumber, b::Brain) = (T = meets(typeof(a)); $op(cast(T, a), cast(T, b)))
    end
end
@inline py_pow(a::Brain, b::AnyInt) = brain(py_pow(single(a), b))
for op in (:py_eq, :py_ne, :py_lt, :py_le)
    @eval begin
        @inline $op(a::Brain, b::Brain) = $op(single(a), single(b))
        @inline $op(a::Brain, b::AnyReal) = $op(single(a), b)
        @inline $op(a::AnyReal, b::Brain) = $op(a, single(b))
    end
end
@inline unified(::Type{Brain}, ::Type{Brain}) = Brain
@inline unified(::Type{Brain}, ::Type{B}) where {B<:AnyReal} = meets(B)
@inline unified(::Type{A}, ::Type{Brain}) where {A<:AnyReal} = meets(A)
for (op, by) in ((:py_min, :least), (:py_max, :most))
    @eval begin
        @inline $by(a::Brain, b::Brain) = brain($by(single(a), single(b)))
        @inline $op(a::Brain, b::Brain) = $by(a, b)
        @inline $op(a::Brain, b::AnyReal) = (T = meets(typeof(b)); $by(cast(T, a), cast(T, b)))
        @inline $op(a::AnyReal, b::Brain) = (T = meets(typeof(a)); $by(cast(T, a), cast(T, b)))
        @inline $op(a::Brain) = a
    end
end
@inline py_neg(a::Brain) = neg_float(a)
@inline py_pos(a::Brain) = a
@inline py_abs(a::Brain) = abs_float(a)
@inline py_fabs(a::Brain) = abs_float(a)
@inline py_truth(a::Brain) = py_truth(single(a))
@inline py_construct(::Type{Brain}, x::AnyReal) = brain(x)
@inline py_construct(::Type{Brain}, x::Brain) = x
@inline py_construct(::Type{Brain}) = brain(0)
@inline py_construct(::Type{T}, x::Brain) where {T<:AnyNumber} = cast(T, x)
@inline py_int(x::Brain) = cast(Int64, x)
@inline py_float(x::Brain) = single(x)
@inline py_round(x::Brain) = py_round(single(x))
@inline py_real(x::Brain) = x
@inline py_type(::Val{:bfloat16}) = Brain
@inline shown(x::Brain) = single(x)

# ---- functions of the module math, and of cuda.bf16
for f in (:isnan, :isinf, :isfinite, :signbit)
    @eval @inline $(Symbol(:py_, f))(x::Brain) = $(Symbol(:py_, f))(single(x))
end
for f in (:sqrt, :exp, :exp2, :expm1, :log, :log2, :log10, :log1p, :sin, :cos, :tan, :asin, :acos, :atan, :sinh, :cosh, :tanh, :asinh, :acosh, :atanh, :erf, :erfc, :cbrt,
    :floor, :ceil, :trunc, :rint)
    @eval @inline $(Symbol(:py_, f))(x::Brain) = brain($(Symbol(:py_, f))(single(x)))
end
for (f, by) in ((:hsqrt, :sqrt), (:hexp, :exp), (:hexp2, :exp2), (:hlog, :log), (:hlog2, :log2), (:hlog10, :log10), (:hcos, :cos), (:hsin, :sin), (:htanh, :tanh),
    (:htanh_approx, :tanh), (:htrunc, :trunc), (:hceil, :ceil), (:hfloor, :floor), (:hrint, :rint))
    @eval @inline $(Symbol(:py_bf16_, f))(x) = $(Symbol(:py_, by))(brain(x))
end
@inline py_bf16_hexp10(x) = brain(Base.exp10(single(brain(x))))
@inline py_bf16_hrsqrt(x) = brain(cast(Float64, 1) / sqrt_llvm(cast(Float64, brain(x))))
@inline py_bf16_hrcp(x) = brain(div_float(cast(Float32, 1), single(brain(x))))
@inline py_bf16_habs(x) = abs_float(brain(x))
@inline py_bf16_hneg(x) = neg_float(brain(x))
for (f, by) in ((:hadd, :add), (:hsub, :sub), (:hmul, :mul), (:hdiv, :truediv), (:heq, :eq), (:hlt, :lt), (:hle, :le), (:hmax, :max), (:hmin, :min))
    @eval @inline $(Symbol(:py_bf16_, f))(a, b) = $(Symbol(:py_, by))(brain(a), brain(b))
end
for f in (:hadd, :hsub, :hmul)
    @eval @inline $(Symbol(:py_bf16_, f, :_rn))(a, b) = $(Symbol(:py_bf16_, f))(a, b)
    @eval @inline $(Symbol(:py_bf16_, f, :_sat))(a, b) = clamped($(Symbol(:py_bf16_, f))(a, b))
end
# Clamps a bfloat16 to [0, 1]; NaN becomes 0.
@inline clamped(x::Brain) = (y = single(x); brain(lt_float(cast(Float32, 0), y) ? least(y, cast(Float32, 1)) : cast(Float32, 0)))
# True if neither operand is NaN. Ordered comparisons (heq) are false for a NaN, unordered ones (hequ) true.
@inline ordered(a, b) = and_int(eq_float(a, a), eq_float(b, b))
@inline py_bf16_hne(a, b) = (x = single(brain(a)); y = single(brain(b)); ordered(x, y) && ne_float(x, y))
@inline py_bf16_hgt(a, b) = py_bf16_hlt(b, a)
@inline py_bf16_hge(a, b) = py_bf16_hle(b, a)
for f in (:heq, :hne, :hge, :hgt, :hle, :hlt)
    @eval @inline $(Symbol(:py_bf16_, f, :u))(a, b) = not_int(ordered(single(brain(a)), single(brain(b)))) || $(Symbol(:py_bf16_, f))(a, b)
end
for (f, by) in ((:hmax, :most), (:hmin, :least))
    @eval @inline $(Symbol(:py_bf16_, f, :_nan))(a, b) = (x = brain(a); y = brain(b); ordered(single(x), single(y)) ? $by(x, y) : from_bits16(0x00007fff))
end
@inline py_bf16_hisnan(x) = py_isnan(brain(x))
@inline py_bf16_hisinf(x) = (y = brain(x); py_isinf(y) ? trunc_int(Int32, lt_float(single(y), cast(Float32, 0)) ? -1 : 1) : trunc_int(Int32, 0))
# Fused multiply-add: the product is exact in float64, the sum is rounded to odd there, then once to bfloat16.
@inline function py_bf16_hfma(a, b, c)
    p = mul_float(cast(Float64, brain(a)), cast(Float64, brain(b)))
    z = cast(Float64, brain(c))
    s = add_float(p, z)
    t = sub_float(s, p)
    left = add_float(sub_float(p, sub_float(s, t)), sub_float(z, t))
    bits = bitcast(Int64, s)
    if (lt_float(left, 0.0) || lt_float(0.0, left)) && py_isfinite(s) && and_int(bits, 1) === 0
        bits = lt_float(left, 0.0) === lt_float(s, 0.0) ? add_int(bits, 1) : sub_int(bits, 1)
    end
    return brain(bitcast(Float64, bits))
end
@inline py_bf16_hfma_sat(a, b, c) = clamped(py_bf16_hfma(a, b, c))
@inline py_bf16_hfma_relu(a, b, c) = (x = py_bf16_hfma(a, b, c); lt_float(single(x), cast(Float32, 0)) ? brain(0) : x)
# Assigns a bfloat16, or a tuple of them, to a part of an array: a[:] = x.
@inline assign(a::Arrays, x::BFloat16) = fill(a, x)
@inline check_item(x::BFloat16) = nothing
