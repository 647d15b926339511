# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/bool
# Floating-point numbers: conversion, arithmetic, comparison, rounding, classification.

# ---- conversion
@inline (::Type{F})(x::BitSigned) where {F<:AbstractFloat} = sitofp(F, x)
@inline (::Type{F})(x::BitUnsigned) where {F<:AbstractFloat} = uitofp(F, x)
@inline (::Type{F})(x::Bool) where {F<:AbstractFloat} = uitofp(F, zext_int(UInt8, x))
@inline function (::Type{F})(x::G) where {F<:AbstractFloat,G<:AbstractFloat}
    if F === G
        return x
    elseif slt_int(sizeof_type(G), sizeof_type(F))
        return fpext(F, x)
    elseif slt_int(sizeof_type(F), sizeof_type(G))
        return fptrunc(F, x)
    end
    return fptrunc(F, fpext(Float32, x))           # Float16 and BFloat16
end
@inline AbstractFloat(x::AbstractFloat) = x
@inline AbstractFloat(x::BitSigned) = Float64(x)
@inline AbstractFloat(x::BitUnsigned) = Float64(x)
@inline AbstractFloat(x::Bool) = Float64(x)
@inline Integer(x::AbstractFloat) = Int(x)
@inline float(x::AbstractFloat) = x
@inline float(x::BitInt) = Float64(x)
@inline float(x::Number) = AbstractFloat(x)
@inline float(::Type{T}) where {T<:AbstractFloat} = T
@inline float(::Type{T}) where {T<:Integer} = Float64

@inline unsafe_trunc(::Type{T}, x::AbstractFloat) where {T<:BitSigned} = fptosi(T, x)
@inline unsafe_trunc(::Type{T}, x::AbstractFloat) where {T<:BitUnsigned} = fptoui(T, x)

# int_limit: typemax(T) rounded to a float. int_limit_exact: the power of two that is typemax(T) + 1.
@inline int_limit(::Type{F}, ::Type{T}) where {F,T<:BitUnsigned} = uitofp(F, typemax(T))
@inline int_limit(::Type{F}, ::Type{T}) where {F,T<:BitSigned} = sitofp(F, typemax(T))
@inline function int_limit_exact(::Type{F}, ::Type{T}) where {F,T}
    half = uitofp(F, shl_int(rem(1, T), rem(8 * sizeof_type(T) - (T <: Signed ? 2 : 1), UInt8)))
    return add_float(half, half)
end
# Converts a float x with an integral value to T; InexactError if T cannot hold it.
@inline function whole_to_int(::Type{T}, x::F) where {T<:BitInteger,F<:AbstractFloat}
    limit = int_limit_exact(F, T)
    if lt_float(x, limit) & (T <: Signed ? le_float(neg_float(limit), x) : lt_float(sitofp(F, -1), x))
        return unsafe_trunc(T, x)
    end
    throw(InexactError())
end
@inline whole_to_int(::Type{T}, x::HalfFloat) where {T<:BitInteger} = whole_to_int(T, fpext(Float32, x))
@inline function whole_to_int(::Type{Bool}, x::AbstractFloat)
    if x == one(x)
        return true
    elseif x == zero(x)
        return false
    end
    throw(InexactError())
end
@inline function (::Type{T})(x::AbstractFloat) where {T<:BitInteger}
    if eq_float(trunc_llvm(x), x)
        return whole_to_int(T, x)
    end
    throw(InexactError())
end
@inline Bool(x::AbstractFloat) = whole_to_int(Bool, x)
@inline reinterpret(::Type{T}, x) where {T} = bitcast(T, x)

# ---- constants
const Inf16 = bitcast(Float16, 0x7c00)
const NaN16 = bitcast(Float16, 0x7e00)
const Inf32 = bitcast(Float32, 0x7f800000)
const NaN32 = bitcast(Float32, 0x7fc00000)
const Inf64 = bitcast(Float64, 0x7ff0000000000000)
const NaN64 = bitcast(Float64, 0x7ff8000000000000)
const Inf = Inf64
const NaN = NaN64
for (F, U, inf, one_, eps_, tiny, big) in (
    (:Float16, :UInt16, 0x7c00, 0x3c00, 0x1400, 0x0400, 0x7bff),
    (:BFloat16, :UInt16, 0x7f80, 0x3f80, 0x3c00, 0x0080, 0x7f7f),
    (:Float32, :UInt32, 0x7f800000, 0x3f800000, 0x34000000, 0x00800000, 0x7f7fffff),
    (:Float64, :UInt64, 0x7ff0000000000000, 0x3ff0000000000000, 0x3cb0000000000000, 0x0010000000000000, 0x7fefffffffffffff))
    @eval begin
        typemax(::Type{$F}) = bitcast($F, $inf)
        eps(::Type{$F}) = bitcast($F, $eps_)
        floatmin(::Type{$F}) = bitcast($F, $tiny)
        floatmax(::Type{$F}) = bitcast($F, $big)
        one(::Type{$F}) = bitcast($F, $one_)
        @inline bits_type(::Type{$F}) = $U
    end
end
@inline typemin(::Type{T}) where {T<:AbstractFloat} = neg_float(typemax(T))
@inline zero(::Type{T}) where {T<:AbstractFloat} = sitofp(T, 0)
eps() = eps(Float64)
@inline floatmin(x::AbstractFloat) = floatmin(typeof(x))
@inline floatmax(x::AbstractFloat) = floatmax(typeof(x))
@inline bits_of(x::T) where {T<:AbstractFloat} = bitcast(bits_type(T), x)

# ---- arithmetic
@inline -(x::AbstractFloat) = neg_float(x)
@inline +(x::T, y::T) where {T<:AbstractFloat} = add_float(x, y)
@inline -(x::T, y::T) where {T<:AbstractFloat} = sub_float(x, y)
@inline *(x::T, y::T) where {T<:AbstractFloat} = mul_float(x, y)
@inline /(x::T, y::T) where {T<:AbstractFloat} = div_float(x, y)
@inline rem(x::T, y::T) where {T<:AbstractFloat} = rem_float(x, y)
@inline muladd(x::T, y::T, z::T) where {T<:AbstractFloat} = muladd_float(x, y, z)
@inline fma(x::T, y::T, z::T) where {T<:AbstractFloat} = fma_float(x, y, z)
# Sums and products that are always rounded separately. Some targets (ptx) fuse a plain product with a following sum,
# but never these.
@inline rounded_product(x::T, y::T) where {T<:AbstractFloat} = x * y
@inline rounded_sum(x::T, y::T) where {T<:Union{Float32,Float64}} = x + y
@inline inv(x::AbstractFloat) = one(x) / x
@inline inv(x::Number) = one(x) / x
@inline function mod(x::T, y::T) where {T<:AbstractFloat}
    r = rem(x, y)
    if r == zero(T)
        return copysign(r, y)
    end
    return ifelse((r > zero(T)) === (y > zero(T)), r, r + y)
end
@inline div(x::T, y::T) where {T<:AbstractFloat} = rint_llvm((x - rem(x, y)) / y)
@inline fld(x::T, y::T) where {T<:AbstractFloat} = rint_llvm((x - mod(x, y)) / y)
@inline cld(x::T, y::T) where {T<:AbstractFloat} = -fld(-x, y)
for f in (:div, :fld, :cld) # half precision may not represent x - rem(x, y): compute in Float32
    @eval @inline $f(x::T, y::T) where {T<:HalfFloat} = T($f(fpext(Float32, x), fpext(Float32, y)))
end
@inline function mod1(x::T, y::T) where {T<:AbstractFloat}
    m = mod(x, y)
    return ifelse(m == zero(T), y, m)
end
@inline abs(x::AbstractFloat) = abs_float(x)
@inline copysign(x::T, y::T) where {T<:AbstractFloat} = copysign_float(x, y)
@inline copysign(x::T, y::Real) where {T<:AbstractFloat} = copysign_float(x, ifelse(signbit(y), -one(T), one(T)))
@inline flipsign(x::T, y::T) where {T<:AbstractFloat} = ifelse(signbit(y), neg_float(x), x)
@inline signbit(x::T) where {T<:AbstractFloat} = slt_int(signed(bits_of(x)), signed(zero(bits_type(T))))
@inline sign(x::T) where {T<:AbstractFloat} = ifelse(isnan(x) | (x == zero(T)), x, copysign_float(one(T), x))
@inline widemul(x::Float64, y::Float64) = x * y

# ---- comparison
@inline ==(x::T, y::T) where {T<:AbstractFloat} = eq_float(x, y)
@inline !=(x::T, y::T) where {T<:AbstractFloat} = ne_float(x, y)
@inline <(x::T, y::T) where {T<:AbstractFloat} = lt_float(x, y)
@inline <=(x::T, y::T) where {T<:AbstractFloat} = le_float(x, y)
@inline isequal(x::T, y::T) where {T<:AbstractFloat} = (eq_float(x, y) & (signbit(x) === signbit(y))) | (isnan(x) & isnan(y))
@inline isless(x::T, y::T) where {T<:AbstractFloat} = !isnan(x) & (isnan(y) | lt_float(x, y) | (eq_float(x, y) & signbit(x) & !signbit(y)))
@inline min(x::T, y::T) where {T<:AbstractFloat} = min_float(x, y)
@inline max(x::T, y::T) where {T<:AbstractFloat} = max_float(x, y)

# Compares a float with an integer that floats cannot represent exactly. Compares both as floats, and, if these are
# equal, as integers. `limit` is typemax rounded to a float: it exceeds all integers of the type.
const WideInt = Union{Int64,UInt64,Int128,UInt128}
const WideFloat = Union{Float32,Float64}
@inline function back_to_int(::Type{T}, fx::F) where {T,F}
    limit = int_limit(F, T)
    at_limit = eq_float(fx, limit)
    return (at_limit, unsafe_trunc(T, ifelse(at_limit, zero(F), fx)))
end
@inline function ==(x::T, y::F) where {T<:WideInt,F<:WideFloat}
    fx = F(x)
    (at_limit, back) = back_to_int(T, fx)
    return eq_float(fx, y) & !at_limit & (back == x)
end
@inline ==(x::WideFloat, y::WideInt) = y == x
@inline function <(x::T, y::F) where {T<:WideInt,F<:WideFloat}
    fx = F(x)
    (at_limit, back) = back_to_int(T, fx)
    return lt_float(fx, y) | (eq_float(fx, y) & (at_limit | (x < back)))
end
@inline function <=(x::T, y::F) where {T<:WideInt,F<:WideFloat}
    fx = F(x)
    (at_limit, back) = back_to_int(T, fx)
    return lt_float(fx, y) | (eq_float(fx, y) & (at_limit | (x <= back)))
end
@inline function <(x::F, y::T) where {F<:WideFloat,T<:WideInt}
    fy = F(y)
    (at_limit, back) = back_to_int(T, fy)
    return lt_float(x, fy) | (eq_float(x, fy) & !at_limit & (back < y))
end
@inline function <=(x::F, y::T) where {F<:WideFloat,T<:WideInt}
    fy = F(y)
    (at_limit, back) = back_to_int(T, fy)
    return lt_float(x, fy) | (eq_float(x, fy) & !at_limit & (back <= y))
end

# Narrower integers are compared in a float type that represents both operands.
for op in (:(==), :<, :<=), (F, T, G) in ((:Float16, :WideInt, :Float64), (:Float16, :(Union{Int32,UInt32}), :Float64), (:Float32, :(Union{Int32,UInt32}), :Float64), (:Float16, :(Union{Int16,UInt16}), :Float32))
    @eval begin
        @inline $op(x::$F, y::$T) = $op($G(x), $G(y))
        @inline $op(x::$T, y::$F) = $op($G(x), $G(y))
    end
end
# isless for mixed real types: -0.0 comes before other zeros, NaN last.
@inline isless(x::Real, y::AbstractFloat) = !isnan(x) & (isnan(y) | (signbit(x) & !signbit(y) & (x == y))) | (x < y)
@inline isless(x::AbstractFloat, y::Real) = !isnan(x) & (isnan(y) | (signbit(x) & !signbit(y) & (x == y))) | (x < y)
@inline isless(x::AbstractFloat, y::AbstractFloat) = !isnan(x) & (isnan(y) | (signbit(x) & !signbit(y) & (x == y))) | (x < y)
@inline isequal(x::Real, y::AbstractFloat) = (isnan(x) & isnan(y)) | ((signbit(x) === signbit(y)) & (x == y))
@inline isequal(x::AbstractFloat, y::Real) = (isnan(x) & isnan(y)) | ((signbit(x) === signbit(y)) & (x == y))
@inline isequal(x::AbstractFloat, y::AbstractFloat) = (isnan(x) & isnan(y)) | ((signbit(x) === signbit(y)) & (x == y))

# ---- rounding
struct RoundingMode{mode} end
const RoundNearest = RoundingMode{:Nearest}()
const RoundToZero = RoundingMode{:ToZero}()
const RoundUp = RoundingMode{:Up}()
const RoundDown = RoundingMode{:Down}()
const RoundNearestTiesAway = RoundingMode{:NearestTiesAway}()
@inline floor(x::AbstractFloat) = floor_llvm(x)
@inline ceil(x::AbstractFloat) = ceil_llvm(x)
@inline trunc(x::AbstractFloat) = trunc_llvm(x)
@inline round(x::AbstractFloat) = rint_llvm(x)
@inline round(x::AbstractFloat, ::RoundingMode{:Nearest}) = rint_llvm(x)
@inline round(x::AbstractFloat, ::RoundingMode{:ToZero}) = trunc_llvm(x)
@inline round(x::AbstractFloat, ::RoundingMode{:Up}) = ceil_llvm(x)
@inline round(x::AbstractFloat, ::RoundingMode{:Down}) = floor_llvm(x)
@inline function round(x::T, ::RoundingMode{:NearestTiesAway}) where {T<:AbstractFloat}
    t = trunc_llvm(x)
    return ifelse(abs_float(x - t) >= T(0.5f0), t + copysign(one(T), x), t)
end
# As in Julia, a number type needs a method of round(x, mode) alone.
for (f, mode) in ((:floor, :RoundDown), (:ceil, :RoundUp), (:trunc, :RoundToZero), (:round, :RoundNearest))
    @eval begin
        @inline $f(x::Integer) = x
        @inline $f(::Type{T}, x::AbstractFloat) where {T<:BitInt} = whole_to_int(T, $f(x))
        @inline $f(::Type{T}, x::Integer) where {T<:BitInt} = T(x)
        @inline $f(::Type{T}, x::Real) where {T<:AbstractFloat} = T($f(x))
        @inline $f(::Type{Integer}, x::AbstractFloat) = whole_to_int(Int, $f(x))
        @inline $f(x::Real) = round(x, $mode)
        @inline $f(::Type{T}, x::Real) where {T<:BitInt} = T(round(x, $mode))
    end
end
@inline round(x::Integer, r::RoundingMode) = x
@inline round(::Type{T}, x::AbstractFloat, r::RoundingMode) where {T<:BitInt} = whole_to_int(T, round(x, r))

# ---- classification and parts
@inline isnan(x::AbstractFloat) = ne_float(x, x)
@inline isinf(x::T) where {T<:AbstractFloat} = eq_float(abs_float(x), typemax(T))
@inline isfinite(x::T) where {T<:AbstractFloat} = lt_float(abs_float(x), typemax(T))
@inline isinteger(x::T) where {T<:AbstractFloat} = eq_float(sub_float(x, trunc_llvm(x)), zero(T))
@inline issubnormal(x::T) where {T<:AbstractFloat} = (abs_float(x) < floatmin(T)) & (x != zero(T))
@inline iseven(x::AbstractFloat) = isinteger(x) & isinteger(x / 2)
@inline isodd(x::AbstractFloat) = isinteger(x) & !isinteger(x / 2)
@inline isnan(x::Real) = isnan(float(x))
@inline isinf(x::Real) = isinf(float(x))
@inline isfinite(x::Real) = isfinite(float(x))
@inline nextfloat(x::T) where {T<:AbstractFloat} = step_float(x, !signbit(x))
@inline prevfloat(x::T) where {T<:AbstractFloat} = -step_float(-x, signbit(x))
@inline function step_float(x::T, away::Bool) where {T<:AbstractFloat}
    U = bits_type(T)
    if isnan(x) | (x == typemax(T))
        return x
    elseif x == zero(T)
        return bitcast(T, one(U))
    end
    return bitcast(T, away ? bits_of(x) + one(U) : bits_of(x) - one(U))
end
@inline exponent_bits(::Type{Float16}) = (10, 15)
@inline exponent_bits(::Type{BFloat16}) = (7, 127)
@inline exponent_bits(::Type{Float32}) = (23, 127)
@inline exponent_bits(::Type{Float64}) = (52, 1023)
@inline precision(::Type{T}) where {T<:AbstractFloat} = exponent_bits(T)[1] + 1
@inline precision(x::AbstractFloat) = precision(typeof(x))
@inline function exponent(x::T) where {T<:AbstractFloat}
    if !isfinite(x) | (x == zero(T))
        throw(DomainError())
    end
    (bits, bias) = exponent_bits(T)
    magnitude = bits_of(abs_float(x))
    e = rem(magnitude >> bits, Int)
    if e == 0 # subnormal: the position of the leading bit gives the exponent
        return 8 * sizeof_type(T) - leading_zeros(magnitude) - bits - bias
    end
    return e - bias
end
@inline significand(x::AbstractFloat) = (isfinite(x) & (x != zero(x))) ? ldexp(x, -exponent(x)) : x
# Distance to the next larger float; for the largest float, to the previous one.
@inline function eps(x::T) where {T<:AbstractFloat}
    a = abs_float(x)
    next = nextfloat(a)
    return isfinite(next) ? next - a : isfinite(a) ? a - prevfloat(a) : typemax(T) - typemax(T)
end
