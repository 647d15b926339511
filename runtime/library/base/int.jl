# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/promotion
# Integers: conversion, arithmetic, comparison, division, bits.

# ---- conversion
# x % T keeps the low bits; if T is wider, x is sign-extended or zero-extended. Static conditions in this file use
# intrinsics, because each call that inference skips shortens the first compile.
@inline function rem(x::S, ::Type{T}) where {S<:BitInteger,T<:BitInteger}
    if S === T
        return x
    elseif sizeof_type(T) === sizeof_type(S)
        return bitcast(T, x)
    elseif slt_int(sizeof_type(T), sizeof_type(S))
        return trunc_int(T, x)
    elseif S <: Signed
        return sext_int(T, x)
    end
    return zext_int(T, x)
end
@inline rem(x::Bool, ::Type{T}) where {T<:BitInteger} = zext_int(T, x)
@inline rem(x::BitInteger, ::Type{Bool}) = trunc_int(Bool, x)
@inline rem(x::Bool, ::Type{Bool}) = x
@inline unsafe_trunc(::Type{T}, x::BitInt) where {T<:BitInt} = rem(x, T)

@inline is_negative(x::BitSigned) = slt_int(x, sub_int(x, x))
@inline is_negative(x::BitUnsigned) = false
@inline is_negative(x::Bool) = false
@inline function (::Type{T})(x::S) where {T<:BitInteger,S<:BitInteger}
    if S === T
        return x
    elseif slt_int(sizeof_type(S), sizeof_type(T))
        if S <: Unsigned
            return zext_int(T, x)
        elseif T <: Unsigned && slt_int(x, sub_int(x, x))
            throw(InexactError())
        end
        return sext_int(T, x)
    elseif sizeof_type(S) === sizeof_type(T)
        if slt_int(x, sub_int(x, x)) # x is negative: the top bit is a sign bit in only one of the types
            throw(InexactError())
        end
        return bitcast(T, x)
    end
    r = trunc_int(T, x)
    if S <: Signed && T <: Signed
        if ne_int(sext_int(S, r), x)
            throw(InexactError())
        end
    elseif ne_int(zext_int(S, r), x) || (T <: Signed && slt_int(r, sub_int(r, r)))
        throw(InexactError())
    end
    return r
end
@inline (::Type{T})(x::Bool) where {T<:BitInteger} = zext_int(T, x)
@inline Bool(x::Bool) = x
@inline function Bool(x::T) where {T<:BitInteger}
    if ule_int(x, rem(1, T))
        return trunc_int(Bool, x)
    end
    throw(InexactError())
end
@inline Signed(x::T) where {T<:BitInteger} = signed_type(T)(x)
@inline Unsigned(x::T) where {T<:BitInteger} = unsigned_type(T)(x)
@inline Signed(x::Bool) = Int(x)
@inline Unsigned(x::Bool) = UInt(x)
@inline Integer(x::Integer) = x
@inline Real(x::Real) = x
@inline Number(x::Number) = x

@inline signed_type(::Type{T}) where {T<:BitSigned} = T
@inline unsigned_type(::Type{T}) where {T<:BitUnsigned} = T
for (s, u) in ((:Int8, :UInt8), (:Int16, :UInt16), (:Int32, :UInt32), (:Int64, :UInt64), (:Int128, :UInt128))
    @eval signed_type(::Type{$u}) = $s
    @eval unsigned_type(::Type{$s}) = $u
end
signed_type(::Type{Bool}) = Int
unsigned_type(::Type{Bool}) = UInt
@inline signed(x::BitSigned) = x
@inline signed(x::T) where {T<:BitUnsigned} = bitcast(signed_type(T), x)
@inline signed(x::Bool) = Int(x)
@inline signed(::Type{T}) where {T} = signed_type(T)
@inline unsigned(x::BitUnsigned) = x
@inline unsigned(x::T) where {T<:BitSigned} = bitcast(unsigned_type(T), x)
@inline unsigned(x::Bool) = UInt(x)
@inline unsigned(::Type{T}) where {T} = unsigned_type(T)
@inline uabs(x::BitUnsigned) = x
@inline uabs(x::BitSigned) = unsigned(abs(x))

@inline typemin(::Type{T}) where {T<:BitUnsigned} = rem(0, T)
@inline typemax(::Type{T}) where {T<:BitUnsigned} = not_int(rem(0, T))
@inline typemin(::Type{T}) where {T<:BitSigned} = not_int(typemax(T))
@inline typemax(::Type{T}) where {T<:BitSigned} = lshr_int(not_int(rem(0, T)), 0x01)
typemin(::Type{Bool}) = false
typemax(::Type{Bool}) = true
@inline typemin(x::Number) = typemin(typeof(x))
@inline typemax(x::Number) = typemax(typeof(x))
@inline zero(::Type{T}) where {T<:BitInteger} = rem(0, T)
@inline one(::Type{T}) where {T<:BitInteger} = rem(1, T)
@inline zero(::Type{T}) where {T<:Number} = convert(T, 0)
@inline one(::Type{T}) where {T<:Number} = convert(T, 1)
@inline zero(x::Number) = zero(typeof(x))
@inline one(x::Number) = one(typeof(x))
@inline oneunit(::Type{T}) where {T} = T(one(T))
@inline oneunit(x) = oneunit(typeof(x))
zero(::Type{Bool}) = false
one(::Type{Bool}) = true

# ---- arithmetic. Operands of different integer types are converted by x % T, without a check.
@inline +(x::T, y::T) where {T<:BitInteger} = add_int(x, y)
@inline -(x::T, y::T) where {T<:BitInteger} = sub_int(x, y)
@inline *(x::T, y::T) where {T<:BitInteger} = mul_int(x, y)
@inline &(x::T, y::T) where {T<:BitInteger} = and_int(x, y)
@inline |(x::T, y::T) where {T<:BitInteger} = or_int(x, y)
@inline xor(x::T, y::T) where {T<:BitInteger} = xor_int(x, y)
@inline ==(x::T, y::T) where {T<:BitInteger} = eq_int(x, y)
for (op, intrinsic) in ((:+, :add_int), (:-, :sub_int), (:*, :mul_int), (:&, :and_int), (:|, :or_int), (:xor, :xor_int))
    @eval @inline function $op(x::T, y::S) where {T<:BitInt,S<:BitInt}
        R = promote_type(T, S)
        return $intrinsic(rem(x, R), rem(y, R))
    end
end
@inline -(x::BitInteger) = neg_int(x)
@inline ~(x::BitInteger) = not_int(x)
@inline +(x::Number) = x
@inline *(x::Number) = x
@inline &(x::Integer) = x
@inline |(x::Integer) = x
@inline /(x::BitInt, y::BitInt) = float(x) / float(y)
@inline inv(x::BitInt) = 1.0 / float(x)
@inline \(x, y) = y / x
@inline muladd(x::T, y::T, z::T) where {T<:BitInteger} = x * y + z

@inline abs(x::BitSigned) = ifelse(is_negative(x), neg_int(x), x)
@inline abs(x::BitUnsigned) = x
@inline abs2(x::Real) = x * x
@inline sign(x::T) where {T<:BitSigned} = ifelse(is_negative(x), rem(-1, T), rem(x != rem(0, T), T))
@inline sign(x::T) where {T<:BitUnsigned} = rem(x != rem(0, T), T)
@inline signbit(x::BitInteger) = is_negative(x)
@inline signbit(x::Real) = x < 0
@inline flipsign(x::BitSigned, y::Real) = ifelse(signbit(y), -x, x)
@inline flipsign(x::Real, y::Real) = ifelse(signbit(y), -x, +x)
@inline copysign(x::Real, y::Real) = ifelse(signbit(x) === signbit(y), +x, -x)
@inline iseven(x::Integer) = !isodd(x)
@inline isodd(x::BitInt) = trunc_int(Bool, rem(x, Int))
@inline isinteger(x::Integer) = true
@inline isfinite(x::Integer) = true
@inline isnan(x::Integer) = false
@inline isinf(x::Integer) = false
@inline iszero(x) = x == zero(x)
@inline isone(x) = x == one(x)
@inline isreal(x::Real) = true
@inline ispositive(x::Real) = x > 0
@inline isnegative(x::Real) = signbit(x)

# ---- comparison by value, for all signs and widths of integers
@inline <(x::T, y::T) where {T<:BitSigned} = slt_int(x, y)
@inline <(x::T, y::T) where {T<:BitUnsigned} = ult_int(x, y)
@inline <=(x::T, y::T) where {T<:BitSigned} = sle_int(x, y)
@inline <=(x::T, y::T) where {T<:BitUnsigned} = ule_int(x, y)
@inline function <(x::T, y::S) where {T<:BitInt,S<:BitInt}
    R = promote_type(T, S)
    if T <: Signed && R <: Unsigned
        return is_negative(x) | (rem(x, R) < rem(y, R))
    elseif S <: Signed && R <: Unsigned
        return !is_negative(y) & (rem(x, R) < rem(y, R))
    end
    return rem(x, R) < rem(y, R)
end
@inline function <=(x::T, y::S) where {T<:BitInt,S<:BitInt}
    R = promote_type(T, S)
    if T <: Signed && R <: Unsigned
        return is_negative(x) | (rem(x, R) <= rem(y, R))
    elseif S <: Signed && R <: Unsigned
        return !is_negative(y) & (rem(x, R) <= rem(y, R))
    end
    return rem(x, R) <= rem(y, R)
end
@inline function ==(x::T, y::S) where {T<:BitInt,S<:BitInt}
    R = promote_type(T, S)
    if T <: Signed && R <: Unsigned
        return !is_negative(x) & eq_int(rem(x, R), rem(y, R))
    elseif S <: Signed && R <: Unsigned
        return !is_negative(y) & eq_int(rem(x, R), rem(y, R))
    end
    return eq_int(rem(x, R), rem(y, R))
end
@inline isless(x::BitInt, y::BitInt) = x < y
@inline isequal(x::BitInt, y::BitInt) = x == y
@inline min(x::T, y::T) where {T<:BitInteger} = ifelse(y < x, y, x)
@inline max(x::T, y::T) where {T<:BitInteger} = ifelse(y < x, x, y)

# ---- division
@inline function div(x::T, y::T) where {T<:BitSigned}
    if y == rem(0, T) || ((y == rem(-1, T)) & (x == typemin(T)))
        throw(DivideError())
    end
    return sdiv_int(x, y)
end
@inline function div(x::T, y::T) where {T<:BitUnsigned}
    if y == rem(0, T)
        throw(DivideError())
    end
    return udiv_int(x, y)
end
@inline function rem(x::T, y::T) where {T<:BitSigned}
    if y == rem(0, T)
        throw(DivideError())
    end
    return srem_int(x, ifelse(y == rem(-1, T), rem(1, T), y)) # typemin rem -1 is 0
end
@inline function rem(x::T, y::T) where {T<:BitUnsigned}
    if y == rem(0, T)
        throw(DivideError())
    end
    return urem_int(x, y)
end
@inline function mod(x::T, y::T) where {T<:BitSigned}
    r = rem(x, y)
    return ifelse((r != rem(0, T)) & is_negative(xor_int(r, y)), add_int(r, y), r)
end
@inline mod(x::T, y::T) where {T<:BitUnsigned} = rem(x, y)
@inline mod(x::BitInt, ::Type{T}) where {T<:BitInt} = rem(x, T)
@inline function fld(x::T, y::T) where {T<:BitSigned}
    d = div(x, y)
    return sub_int(d, rem(is_negative(xor_int(x, y)) & (mul_int(d, y) != x), T))
end
@inline fld(x::T, y::T) where {T<:BitUnsigned} = div(x, y)
@inline function cld(x::T, y::T) where {T<:BitInteger}
    d = div(x, y)
    return add_int(d, rem(((x > rem(0, T)) === (y > rem(0, T))) & (mul_int(d, y) != x), T))
end
@inline function mod1(x::T, y::T) where {T<:BitInteger}
    m = mod(x, y)
    return ifelse(m == rem(0, T), y, m)
end
@inline function fld1(x::T, y::T) where {T<:BitInteger}
    d = div(x, y)                                  # x - mod1(x, y) would overflow for the largest x
    return add_int(d, rem(!is_negative(xor_int(x, y)) & (mul_int(d, y) != x), T))
end
@inline fldmod1(x::T, y::T) where {T<:BitInteger} = (fld1(x, y), mod1(x, y))
@inline fldmod1(x, y) = fldmod1(promote(x, y)...)
@inline divrem(x, y) = (div(x, y), rem(x, y))
@inline fldmod(x, y) = (fld(x, y), mod(x, y))
# Operands of different signedness: the exact quotient, in the type of the dividend.
@inline div(x::BitSigned, y::BitUnsigned) = flipsign(signed(div(uabs(x), y)), x)
@inline div(x::BitUnsigned, y::BitSigned) = unsigned(flipsign(signed(div(x, uabs(y))), y))
@inline rem(x::BitSigned, y::BitUnsigned) = flipsign(signed(rem(uabs(x), y)), x)
@inline rem(x::BitUnsigned, y::BitSigned) = rem(x, uabs(y))
@inline mod(x::BitSigned, y::BitUnsigned) = (r = rem(x, y); is_negative(r) ? y + unsigned(r) : rem(unsigned(r), typeof(y + unsigned(r))))
@inline function mod(x::BitUnsigned, y::BitSigned)
    r = signed(rem(x, y))
    return ifelse((y < 0) & (r != 0), y + r, oftype(y + r, r))
end
@inline fld(x::BitSigned, y::BitUnsigned) = div(x, y) - (signbit(x) & (rem(x, y) != 0))
@inline fld(x::BitUnsigned, y::BitSigned) = div(x, y) - (signbit(y) & (rem(x, y) != 0))
@inline cld(x::BitSigned, y::BitUnsigned) = div(x, y) + (!signbit(x) & (rem(x, y) != 0))
@inline cld(x::BitUnsigned, y::BitSigned) = div(x, y) + (!signbit(y) & (rem(x, y) != 0))
const ÷ = div
const % = rem

@inline function gcd(a::T, b::T) where {T<:BitInteger}
    x = uabs(a)
    y = uabs(b)
    while y != zero(y)
        (x, y) = (y, urem_int(x, y))
    end
    r = rem(x, T)
    return is_negative(r) ? throw(OverflowError("integer overflow")) : r
end
@inline function lcm(a::T, b::T) where {T<:BitInteger}
    if (a == zero(T)) | (b == zero(T))
        return zero(T)
    end
    r = checked_mul(a, div(b, gcd(b, a)))
    return is_negative(r) ? checked_sub(zero(T), r) : r
end
@inline gcd(a::Bool, b::Bool) = a | b
@inline lcm(a::Bool, b::Bool) = a & b
@inline gcd(a::Integer, b::Integer, c::Integer, rest::Integer...) = gcd(gcd(a, b), c, rest...)
@inline lcm(a::Integer, b::Integer, c::Integer, rest::Integer...) = lcm(lcm(a, b), c, rest...)

# ---- shifts. Every count is defined; a negative count shifts in the other direction.
@inline <<(x::BitInteger, n::BitUnsigned) = shl_int(x, n)
@inline >>(x::BitSigned, n::BitUnsigned) = ashr_int(x, n)
@inline >>(x::BitUnsigned, n::BitUnsigned) = lshr_int(x, n)
@inline >>>(x::BitInteger, n::BitUnsigned) = lshr_int(x, n)
@inline <<(x::BitInteger, n::BitSigned) = is_negative(n) ? x >> unsigned(neg_int(n)) : shl_int(x, unsigned(n))
@inline >>(x::BitInteger, n::BitSigned) = is_negative(n) ? shl_int(x, unsigned(neg_int(n))) : x >> unsigned(n)
@inline >>>(x::BitInteger, n::BitSigned) = is_negative(n) ? shl_int(x, unsigned(neg_int(n))) : lshr_int(x, unsigned(n))
@inline <<(x::BitInteger, n::Bool) = shl_int(x, zext_int(UInt8, n))
@inline >>(x::BitInteger, n::Bool) = x >> zext_int(UInt8, n)
@inline >>>(x::BitInteger, n::Bool) = lshr_int(x, zext_int(UInt8, n))
@inline <<(x::Bool, n::Integer) = Int(x) << n
@inline >>(x::Bool, n::Integer) = Int(x) >> n
@inline >>>(x::Bool, n::Integer) = Int(x) >>> n
@inline function bitrotate(x::T, k::Integer) where {T<:BitInteger}
    n = rem(mod(k, 8 * sizeof_type(T)), UInt8)
    return or_int(shl_int(x, n), lshr_int(x, rem(8 * sizeof_type(T), UInt8) - n))
end

# ---- bits
@inline leading_zeros(x::BitInteger) = rem(ctlz_int(x), Int)
@inline trailing_zeros(x::BitInteger) = rem(cttz_int(x), Int)
@inline count_ones(x::BitInteger) = rem(ctpop_int(x), Int)
@inline leading_ones(x::BitInteger) = leading_zeros(not_int(x))
@inline trailing_ones(x::BitInteger) = trailing_zeros(not_int(x))
@inline count_zeros(x::BitInteger) = count_ones(not_int(x))
@inline bswap(x::BitInteger) = bswap_int(x)
@inline bitreverse(x::BitInteger) = bitreverse_int(x)
@inline ispow2(x::BitInteger) = (count_ones(x) == 1) & !is_negative(x)
@inline nextpow2(x::T) where {T<:BitInteger} = x <= one(T) ? one(T) : one(T) << (8 * sizeof_type(T) - leading_zeros(x - one(T)))
@inline prevpow2(x::T) where {T<:BitInteger} = x == zero(T) ? x : one(T) << (8 * sizeof_type(T) - 1 - leading_zeros(x))
@inline function nextpow(base::Integer, x::Integer)
    if base == 2
        return nextpow2(x)
    end
    p = oftype(x, 1)
    while p < x
        p *= oftype(x, base)
    end
    return p
end
@inline function prevpow(base::Integer, x::Integer)
    if base == 2
        return prevpow2(x)
    end
    p = oftype(x, 1)
    while p <= div(x, oftype(x, base))
        p *= oftype(x, base)
    end
    return p
end
@inline bitsizeof(::Type{T}) where {T} = 8 * sizeof_type(T)

widen(::Type{Int8}) = Int16
widen(::Type{Int16}) = Int32
widen(::Type{Int32}) = Int64
widen(::Type{Int64}) = Int128
widen(::Type{UInt8}) = UInt16
widen(::Type{UInt16}) = UInt32
widen(::Type{UInt32}) = UInt64
widen(::Type{UInt64}) = UInt128
widen(::Type{T}) where {T<:Union{Int128,UInt128}} = static_error("widen(", T, ") is BigInt in Julia, which needs memory that a kernel does not have: check with Base.mul_with_overflow(x, y), which says whether x * y fits, or compute with parts of 64 bits")
widen(::Type{Float16}) = Float32
widen(::Type{BFloat16}) = Float32
widen(::Type{Float32}) = Float64
@inline widen(x::Number) = convert(widen(typeof(x)), x)
@inline widemul(x::T, y::T) where {T<:Number} = widen(x) * widen(y)
@inline widemul(x::Number, y::Number) = widemul(promote(x, y)...)
@inline mulhi(x::T, y::T) where {T<:BitSigned} = mulhi_s(x, y)
@inline mulhi(x::T, y::T) where {T<:BitUnsigned} = mulhi_u(x, y)

# ---- checked arithmetic
@inline add_with_overflow(x::T, y::T) where {T<:BitSigned} = checked_sadd_int(x, y)
@inline add_with_overflow(x::T, y::T) where {T<:BitUnsigned} = checked_uadd_int(x, y)
@inline sub_with_overflow(x::T, y::T) where {T<:BitSigned} = checked_ssub_int(x, y)
@inline sub_with_overflow(x::T, y::T) where {T<:BitUnsigned} = checked_usub_int(x, y)
@inline mul_with_overflow(x::T, y::T) where {T<:BitSigned} = checked_smul_int(x, y)
@inline mul_with_overflow(x::T, y::T) where {T<:BitUnsigned} = checked_umul_int(x, y)
@inline unless_overflow(r::Tuple) = r[2] ? throw(OverflowError("integer overflow")) : r[1]
@inline checked_add(x, y) = unless_overflow(add_with_overflow(promote(x, y)...))
@inline checked_sub(x, y) = unless_overflow(sub_with_overflow(promote(x, y)...))
@inline checked_mul(x, y) = unless_overflow(mul_with_overflow(promote(x, y)...))

# ---- Char: 32 bits that contain UTF-8 code units, the first unit in the highest byte
@inline function UInt32(c::Char)
    u = bitcast(UInt32, c)
    if u < 0x80000000
        return u >> 0x18
    end
    n = leading_ones(u)
    b = u & (0xffffffff >> rem(n, UInt8))
    b = b >> rem(8 * (4 - n), UInt8)
    return ((b & 0x0000007f) >> 0x00) | ((b & 0x00007f00) >> 0x02) | ((b & 0x007f0000) >> 0x04) | ((b & 0x7f000000) >> 0x06)
end
@inline (::Type{T})(c::Char) where {T<:BitInteger} = T(UInt32(c))
@inline function Char(u::UInt32)
    if u < 0x00000080
        return bitcast(Char, u << 0x18)
    end
    c = ((u << 0x00) & 0x0000003f) | ((u << 0x02) & 0x00003f00) | ((u << 0x04) & 0x003f0000) | ((u << 0x06) & 0x3f000000)
    if u < 0x00000800
        return bitcast(Char, (c << 0x10) | 0xc0800000)
    elseif u < 0x00010000
        return bitcast(Char, (c << 0x08) | 0xe0808000)
    end
    return bitcast(Char, c | 0xf0808080)
end
@inline Char(x::BitInteger) = Char(UInt32(x))
@inline codepoint(c::Char) = UInt32(c)
@inline ==(a::Char, b::Char) = eq_int(bitcast(UInt32, a), bitcast(UInt32, b))
@inline isless(a::Char, b::Char) = ult_int(bitcast(UInt32, a), bitcast(UInt32, b))
@inline <(a::Char, b::Char) = isless(a, b)
@inline +(c::Char, n::Integer) = Char(Int32(UInt32(c)) + Int32(n))
@inline -(c::Char, n::Integer) = Char(Int32(UInt32(c)) - Int32(n))
@inline -(a::Char, b::Char) = Int(UInt32(a)) - Int(UInt32(b))

module Checked
import Base: checked_add, checked_sub, checked_mul, add_with_overflow, sub_with_overflow, mul_with_overflow
end
