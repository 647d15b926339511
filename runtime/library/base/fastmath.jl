# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/missing
# Functions for @fastmath. Floats of one type use LLVM's relaxed instructions; mixed numbers are promoted first. Other
# types have the functions without relaxation.

module FastMath
for (fast, op, intrinsic) in ((:add_fast, :+, :add_float_fast), (:sub_fast, :-, :sub_float_fast), (:mul_fast, :*, :mul_float_fast),
    (:div_fast, :/, :div_float_fast), (:rem_fast, :rem, :rem_float_fast), (:eq_fast, :(==), :eq_float_fast), (:ne_fast, :!=, :ne_float_fast),
    (:lt_fast, :<, :lt_float_fast), (:le_fast, :<=, :le_float_fast))
    @eval begin
        @inline $fast(x::T, y::T) where {T<:AbstractFloat} = $intrinsic(x, y)
        @inline $fast(x, y) = $op(x, y)
        @inline $fast(x::T, y::T) where {T<:Integer} = $op(x, y)
        @inline function $fast(x::T, y::S) where {T<:Real,S<:Real}
            R = promote_type(T, S)
            if R <: AbstractFloat && !(T === S)
                return $fast(convert(R, x), convert(R, y))
            end
            return $op(x, y)
        end
    end
end
for op in (:add_fast, :mul_fast)
    @eval begin
        @inline $op(x) = x
        @inline $op(a, b, c) = $op($op(a, b), c)
        @inline $op(a, b, c, d) = $op($op($op(a, b), c), d)
        @inline $op(a, b, c, d, rest...) = Base.afoldl($op, $op($op($op(a, b), c), d), rest...)
    end
end
@inline sub_fast(x::AbstractFloat) = neg_float_fast(x)
@inline sub_fast(x) = -x
@inline gt_fast(x, y) = lt_fast(y, x)
@inline ge_fast(x, y) = le_fast(y, x)
@inline min_fast(x, y) = ifelse(lt_fast(y, x), y, x)
@inline max_fast(x, y) = ifelse(lt_fast(y, x), x, y)
@inline min_fast(x::T, y::S) where {T<:Real,S<:Real} = T === S ? ifelse(lt_fast(y, x), y, x) : min_fast(promote(x, y)...)
@inline max_fast(x::T, y::S) where {T<:Real,S<:Real} = T === S ? ifelse(lt_fast(y, x), x, y) : max_fast(promote(x, y)...)
@inline min_fast(a, b, c, rest...) = Base.afoldl(min_fast, a, b, c, rest...)
@inline max_fast(a, b, c, rest...) = Base.afoldl(max_fast, a, b, c, rest...)
@inline minmax_fast(x, y) = (min_fast(x, y), max_fast(x, y))
@inline cmp_fast(x, y) = ifelse(eq_fast(x, y), 0, ifelse(lt_fast(x, y), -1, 1))
@inline sqrt_fast(x::AbstractFloat) = sqrt_llvm_fast(x)
@inline sqrt_fast(x) = sqrt(x)
@inline inv_fast(x::AbstractFloat) = div_fast(one(x), x)
@inline inv_fast(x) = inv(x)
@inline muladd_fast(x, y, z) = add_fast(mul_fast(x, y), z)
@inline isnan_fast(x) = false
@inline isinf_fast(x) = false
@inline isfinite_fast(x) = true
@inline issubnormal_fast(x) = false
for (fast, f) in ((:sin_fast, :sin), (:cos_fast, :cos), (:tan_fast, :tan), (:exp_fast, :exp), (:exp2_fast, :exp2), (:exp10_fast, :exp10), (:log_fast, :log),
    (:log2_fast, :log2), (:log10_fast, :log10), (:asin_fast, :asin), (:acos_fast, :acos), (:atan_fast, :atan), (:sinh_fast, :sinh), (:cosh_fast, :cosh),
    (:tanh_fast, :tanh), (:asinh_fast, :asinh), (:acosh_fast, :acosh), (:atanh_fast, :atanh), (:expm1_fast, :expm1), (:log1p_fast, :log1p), (:cbrt_fast, :cbrt),
    (:abs_fast, :abs), (:abs2_fast, :abs2), (:sign_fast, :sign), (:conj_fast, :conj), (:sincos_fast, :sincos), (:cis_fast, :cis), (:angle_fast, :angle),
    (:hypot_fast, :hypot), (:round_fast, :round), (:floor_fast, :floor), (:ceil_fast, :ceil), (:trunc_fast, :trunc), (:div_int_fast, :div), (:mod_fast, :mod))
    @eval @inline $fast(x...) = $f(x...)
end
@inline pow_fast(x, y) = x^y
@inline pow_fast(x, ::Val{p}) where {p} = Base.literal_pow(^, x, Val(p))
# Powers by plain repeated squaring, without the usual correction of rounding errors.
@inline pow_fast(x::AbstractFloat, ::Val{p}) where {p} = Base.literal_power(x, Val(p))
@inline pow_fast(x::AbstractFloat, n::Base.BitInteger) = (r = Base.squaring_power(x, Base.uabs(n)); Base.is_negative(n) ? inv(r) : r)
end
