# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/operators
# Powers of floats by integers. Repeated squaring keeps rounding errors: the sum x + low represents a factor in about
# twice the precision. Only the last product is rounded. The error is at most 0.51 units in the last place (1 for
# subnormals) if |n| <= 2^45 for Float64 (beyond that, add a relative error of n * 2^-104), and for all n with Float16
# and Float32. All targets use the same code, so they agree to the bit.

@inline function twice_product(x::T, low::T, y::T, ylow::T) where {T}
    p = x * y
    return (p, fma(x, ylow, fma(low, y + ylow, fma(x, y, -p))))
end
@inline function twice_square(x::T, low::T) where {T}
    p = x * x
    return (p, fma(x + x + low, low, fma(x, x, -p)))
end
# Computes the last product, rounded once. Overflow and the sign of zero come from the high parts only.
@inline function last_product(x::T, low::T, y::T, ylow::T) where {T}
    p = x * y
    rest = fma(x, ylow, low * (y + ylow))
    return ifelse(isfinite(p) & isfinite(rest) & (p != zero(T)), fma(x, y, rest), p)
end
@inline function inverse_factor(x::T) where {T}
    r = inv(x)
    return (r, -fma(x, r, -one(T)) * r)
end
@inline function carried_power(x::T, n) where {T}
    low = zero(T)
    if is_negative(n)
        (x, low) = inverse_factor(x)
    end
    y = one(T)
    ylow = zero(T)
    m = uabs(n)
    if iszero(m)
        return y
    end
    while m > one(m)
        if isodd(m)
            (y, ylow) = twice_product(x, low, y, ylow)
        end
        (x, low) = twice_square(x, low)
        if slt_int(4, sizeof(m)) && m > 0x0000000100000000
            s = rounded_sum(x, low) # many squares follow: make low smaller than half a unit of x. Use a sum that is not fused, since x is a product
            if isfinite(s)
                low -= rounded_sum(s, -x)
                x = s
            end
        end
        m = m >> 0x01
    end
    return last_product(x, low, y, ylow)
end
@inline float_power(x::Float64, n) = carried_power(x, n)
# Twice the precision of Float32 suffices for exponents up to 8192. It avoids slow Float64 arithmetic on GPUs.
@inline float_power(x::Float32, n) = uabs(n) <= 0x00002000 ? carried_power(x, n) : Float32(carried_power(Float64(x), n))
@inline float_power(x::Float32, n::Union{Int8,UInt8}) = carried_power(x, n)
@inline float_power(x::HalfFloat, n) = oftype(x, float_power(Float32(x), n))

# Constant exponents unroll the same squaring steps. Exponents from -2 to 3 use the plain products that other number
# types use.
@inline literal_pow(f::typeof(^), x::AbstractFloat, ::Val{p}) where {p} = slt_int(p, 4) && slt_int(-3, p) ? literal_power(x, Val(p)) : chained_power(x, Val(p))
@inline chained_power(x::HalfFloat, ::Val{p}) where {p} = oftype(x, chained_power(Float32(x), Val(p)))
@inline function chained_power(x::T, ::Val{p}) where {T,p}
    if slt_int(64, p) || slt_int(p, -64)
        return float_power(x, p)
    elseif slt_int(p, 0)
        (r, low) = inverse_factor(x)
        return power_steps(r, low, nothing, nothing, Val(neg_int(p)))
    end
    return power_steps(x, zero(T), nothing, nothing, Val(p))
end
@inline function power_steps(x, low, y, ylow, ::Val{m}) where {m}
    if m === 1
        return y === nothing ? last_product(x, low, one(x), zero(x)) : last_product(x, low, y, ylow)
    end
    (z, zlow) = isodd(m) ? times_first(x, low, y, ylow) : (y, ylow)
    (x, low) = twice_square(x, low)
    return power_steps(x, low, z, zlow, Val(sdiv_int(m, 2)))
end
@inline times_first(x, low, y::Nothing, ylow) = (x, low)
@inline times_first(x, low, y, ylow) = twice_product(x, low, y, ylow)
