# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/tasks; when: BigInt, BigFloat, big, big_str, precision, setprecision
# Integers of any size. GMP computes with them (lib/programs/big_integers.cpp). `digits` is a sign and the bytes of the
# absolute value, the lowest first. Each BigInt is an object of its own, as in Julia.
mutable struct BigInt <: Signed
    digits::String
    BigInt(digits::String, ::Nothing) = new(digits)
end
BigInt(x::BigInt) = x
BigInt(x::BitInteger) = __big_of_integer(x)::BigInt
BigInt(x::Bool) = __big_of_integer(x)::BigInt
BigInt(x::AbstractFloat) = isinteger(x) ? trunc(BigInt, x) : throw(InexactError(:BigInt, BigInt, x))
BigInt(x::Rational) = isone(x.den) ? BigInt(x.num) : throw(InexactError(:BigInt, BigInt, x))
BigInt(x::AbstractIrrational) = throw(InexactError(:BigInt, BigInt, x))
BigInt(s::String) = parse(BigInt, s)
convert(::Type{BigInt}, x::BigInt) = x
convert(::Type{BigInt}, x::Number) = BigInt(x)
Signed(x::BigInt) = x
signed(x::BigInt) = x
unsigned(x::BigInt) = throw(ArgumentError("there is no unsigned BigInt"))
uabs(x::BigInt) = abs(x)
signed_type(::Type{BigInt}) = BigInt
big(x::BigInt) = x
big(x::Integer) = BigInt(x)
big(x::Rational) = big(x.num) // big(x.den)
big(x::Complex) = Complex(big(x.re), big(x.im))
big(x::AbstractArray) = map(big, x)
big(::Type{<:Integer}) = BigInt
big(::Type{<:Rational}) = Rational{BigInt}
big(::Type{BigInt}) = BigInt
big(::Type{Complex{T}}) where {T} = Complex{big(T)}
widen(::Type{Int128}) = BigInt
widen(::Type{UInt128}) = BigInt
widen(::Type{BigInt}) = BigInt
# ---- to other types
function rem(x::BigInt, ::Type{T}) where {T<:BitInteger}
    rem(__big_low(x)::UInt128, T)
end
rem(x::BigInt, ::Type{Bool}) = isodd(x)
rem(x::BitInteger, ::Type{BigInt}) = BigInt(x)
rem(x::Bool, ::Type{BigInt}) = BigInt(x)
rem(x::BigInt, ::Type{BigInt}) = x
for T in (:Int8, :Int16, :Int32, :Int64, :Int128, :UInt8, :UInt16, :UInt32, :UInt64, :UInt128)
    @eval function $T(x::BigInt)
        r = rem(x, $T)
        return BigInt(r) == x ? r : throw(InexactError($(QuoteNode(T)), $T, x))
    end
end
Bool(x::BigInt) = iszero(x) ? false : isone(x) ? true : throw(InexactError(:Bool, Bool, x))
# The highest 64 bits, the lowest of them set if lower bits are cut off: the conversion rounds once.
function __rounded(x::BigInt, ::Type{F}) where {F}
    n = __big_bits(x)::Int
    n <= 64 && return (f = F(rem(abs(x), UInt64)); signbit(x) ? -f : f)
    high = rem(__big_shift(abs(x), 64 - n)::BigInt, UInt64)
    __big_trailing_zeros(x)::Int < n - 64 && (high |= 0x0000000000000001)
    f = ldexp(F(high), min(n - 64, 1_000_000))
    return signbit(x) ? -f : f
end
Float64(x::BigInt) = __rounded(x, Float64)
Float32(x::BigInt) = __rounded(x, Float32)
Float16(x::BigInt) = __big_bits(x)::Int > 64 ? (signbit(x) ? -Inf16 : Inf16) : Float16(Float64(x)) # 64 bits in a Float64 are beyond Float16
AbstractFloat(x::BigInt) = BigFloat(x)
float(x::BigInt) = BigFloat(x)
float(::Type{BigInt}) = BigFloat
promote_rule(::Type{BigInt}, ::Type{<:BitInt}) = BigInt
promote_rule(::Type{BigInt}, ::Type{<:AbstractFloat}) = BigFloat
promote_rule(::Type{BigInt}, ::Type{<:AbstractIrrational}) = BigFloat
promote_type(::Type{BigInt}, ::Type{BigInt}) = BigInt
promote_type(::Type{BigInt}, ::Type{<:BitInteger}) = BigInt
promote_type(::Type{<:BitInteger}, ::Type{BigInt}) = BigInt
promote_type(::Type{BigInt}, ::Type{Bool}) = BigInt
promote_type(::Type{Bool}, ::Type{BigInt}) = BigInt
promote_type(::Type{BigInt}, ::Type{<:AbstractFloat}) = BigFloat
promote_type(::Type{<:AbstractFloat}, ::Type{BigInt}) = BigFloat
zero(::Type{BigInt}) = BigInt(0)
one(::Type{BigInt}) = BigInt(1)
typemin(::Type{BigInt}) = throw(MethodError(typemin, (BigInt,)))
typemax(::Type{BigInt}) = throw(MethodError(typemax, (BigInt,)))
# ---- arithmetic
for (f, host) in ((:+, :__big_add), (:-, :__big_subtract), (:*, :__big_multiply), (:div, :__big_div), (:rem, :__big_rem), (:fld, :__big_fld), (:mod, :__big_mod), (:cld, :__big_cld), (:gcd, :__big_gcd), (:lcm, :__big_lcm), (:&, :__big_and), (:|, :__big_or), (:xor, :__big_xor))
    @eval $f(x::BigInt, y::BigInt) = $host(x, y)::BigInt
    for T in (:BitInteger, :Bool)
        @eval $f(x::BigInt, y::$T) = $host(x, BigInt(y))::BigInt
        @eval $f(x::$T, y::BigInt) = $host(BigInt(x), y)::BigInt
    end
end
for (f, holds) in ((:(==), :(==)), (:<, :<), (:<=, :<=), (:isless, :<), (:isequal, :(==)))
    @eval $f(x::BigInt, y::BigInt) = $holds(__big_compare(x, y)::Int, 0)
    for T in (:BitInteger, :Bool)
        @eval $f(x::BigInt, y::$T) = $holds(__big_compare(x, BigInt(y))::Int, 0)
        @eval $f(x::$T, y::BigInt) = $holds(__big_compare(BigInt(x), y)::Int, 0)
    end
end
-(x::BigInt) = __big_negate(x)::BigInt
~(x::BigInt) = -x - 1
is_negative(x::BigInt) = __big_sign(x)::Int < 0
signbit(x::BigInt) = __big_sign(x)::Int < 0
sign(x::BigInt) = BigInt(__big_sign(x)::Int)
iszero(x::BigInt) = __big_sign(x)::Int == 0
isone(x::BigInt) = x == 1
isodd(x::BigInt) = isodd(__big_low(x)::UInt128)
abs(x::BigInt) = signbit(x) ? -x : x
abs2(x::BigInt) = x * x
flipsign(x::BigInt, y::Real) = signbit(y) ? -x : x
flipsign(x::BigInt, y::BigInt) = signbit(y) ? -x : x
copysign(x::BigInt, y::Real) = signbit(x) == signbit(y) ? x : -x
min(x::BigInt, y::BigInt) = y < x ? y : x
max(x::BigInt, y::BigInt) = x < y ? y : x
muladd(x::BigInt, y::BigInt, z::BigInt) = x * y + z
/(x::BigInt, y::BigInt) = BigFloat(x) / BigFloat(y)
for T in (:BitInteger, :Bool)
    @eval /(x::BigInt, y::$T) = BigFloat(x) / BigFloat(y)
    @eval /(x::$T, y::BigInt) = BigFloat(x) / BigFloat(y)
end
inv(x::BigInt) = BigFloat(1) / BigFloat(x)
mod1(x::BigInt, y::BigInt) = (m = mod(x, y); iszero(m) ? y : m)
fld1(x::BigInt, y::BigInt) = cld(x, y)
fldmod1(x::BigInt, y::BigInt) = (fld1(x, y), mod1(x, y))
for f in (:mod1, :fld1, :fldmod1, :min, :max)
    @eval $f(x::BigInt, y::BitInteger) = $f(x, BigInt(y))
    @eval $f(x::BitInteger, y::BigInt) = $f(BigInt(x), y)
end
# No operation overflows.
for (checked, f) in ((:checked_add, :+), (:checked_sub, :-), (:checked_mul, :*))
    @eval $checked(x::BigInt, y::BigInt) = $f(x, y)
end
checked_neg(x::BigInt) = -x
checked_abs(x::BigInt) = abs(x)
for (checked, f) in ((:add_with_overflow, :+), (:sub_with_overflow, :-), (:mul_with_overflow, :*))
    @eval $checked(x::BigInt, y::BigInt) = ($f(x, y), false)
end
# ---- powers, roots, number theory
function ^(x::BigInt, n::BitInteger)
    if signbit(n)
        isone(x) && return x
        x == -1 && return isodd(n) ? x : -x
        throw(DomainError(n, string("Cannot raise an integer x to a negative power ", n, ".\nConvert input to float.")))
    end
    n > typemax(Int64) && __big_bits(x)::Int > 1 && throw(OutOfMemoryError())
    return __big_power(x, rem(n, Int64) & typemax(Int64))::BigInt
end
^(x::BigInt, n::BigInt) = n > typemax(Int64) ? (isone(x) || iszero(x) ? x : x == -1 ? (isodd(n) ? x : -x) : throw(OutOfMemoryError())) : x^Int64(n)
^(x::BigInt, y::Rational) = BigFloat(x)^BigFloat(y)
^(x::BigInt, n::Bool) = n ? x : one(x)
^(x::BitInteger, n::BigInt) = BigInt(x)^n
literal_pow(f::typeof(^), x::BigInt, ::Val{p}) where {p} = x^p
function powermod(x::Integer, n::Integer, m::BigInt)
    r = __big_power_modulo(BigInt(x), BigInt(n), m)
    r === nothing && throw(DomainError((x, m), "Greatest common divisor is not 1."))
    return signbit(m) && !iszero(r) ? r + m : r
end
powermod(x::BigInt, n::Integer, m::BitInt) = oftype(m, powermod(x, n, BigInt(m)))
mulmod(a::BigInt, b::BigInt, m::BigInt) = mod(a * b, m)
isqrt(x::BigInt) = signbit(x) ? throw(DomainError(x, "isqrt will only return a real result if called with a non-negative argument.")) : __big_root(x)::BigInt
sqrt(x::BigInt) = sqrt(BigFloat(x))
factorial(n::BigInt) = signbit(n) ? throw(DomainError(n, "`n` must not be negative.")) : __big_factorial(Int64(n))::BigInt
binomial(n::BigInt, k::BitInteger) = signbit(k) ? BigInt(0) : __big_binomial(n, Int64(k))::BigInt
binomial(n::BigInt, k::BigInt) = binomial(n, Int64(k))
function gcdx(a::BigInt, b::BigInt)
    (x, s0, t0) = (a, BigInt(1), BigInt(0))
    (y, s1, t1) = (b, BigInt(0), BigInt(1))
    while !iszero(y)
        q = div(x, y)
        (x, y) = (y, x - q * y)
        (s0, s1) = (s1, s0 - q * s1)
        (t0, t1) = (t1, t0 - q * t1)
    end
    return signbit(x) ? (-x, -s0, -t0) : (x, s0, t0)
end
nextpow(base::BitInteger, x::BigInt) = (p = BigInt(1); while p < x; p *= base; end; p)
prevpow(base::BitInteger, x::BigInt) = (p = BigInt(1); while p * base <= x; p *= base; end; p)
# ---- bits
for n in (:Signed, :Unsigned)
    @eval <<(x::BigInt, n::$n) = __big_shift(x, Int64(n))::BigInt
    @eval >>(x::BigInt, n::$n) = __big_shift(x, -Int64(n))::BigInt
    @eval >>>(x::BigInt, n::$n) = __big_shift(x, -Int64(n))::BigInt
end
trailing_zeros(x::BigInt) = iszero(x) ? throw(DomainError(x, "`x` must be non-zero.")) : __big_trailing_zeros(x)::Int
count_ones(x::BigInt) = signbit(x) ? throw(DomainError(x, "`x` must be non-negative.")) : __big_count_ones(x)::Int
ispow2(x::BigInt) = __big_sign(x)::Int > 0 && __big_count_ones(x)::Int == 1
# ---- text
string(x::BigInt; base::Integer=10, pad::Integer=1) = __big_string(x, Int(base), Int(pad))
function __big_string(x::BigInt, base::Int, pad::Int)
    2 <= base <= 62 || throw(ArgumentError(string("base must be 2 ≤ base ≤ 62, got ", base)))
    s = __big_text(abs(x), base)::String
    return string(signbit(x) ? "-" : "", repeat("0", max(0, pad - length(s))), s)
end
__digits(x::BigInt, base, pad) = __big_string(x, base, pad)
print(io::IO, x::BigInt) = print(io, __big_text(x, 10)::String)
show(io::IO, x::BigInt) = print(io, __big_text(x, 10)::String)
function tryparse(::Type{BigInt}, s::String; base::Union{Nothing,Integer}=nothing)
    t = strip(s)
    minus = startswith(t, '-')
    b = base === nothing ? 10 : Int(base)
    if base === nothing
        body = minus || startswith(t, '+') ? t[2:end] : t
        for (prefix, of) in (("0x", 16), ("0o", 8), ("0b", 2))
            startswith(body, prefix) && (b = of; t = string(minus ? "-" : "", body[3:end]))
        end
    end
    return __big_of_text(String(t), b)
end
function parse(::Type{BigInt}, s::String; base::Union{Nothing,Integer}=nothing)
    x = tryparse(BigInt, s; base=base)
    x === nothing && throw(ArgumentError(string("invalid BigInt: ", repr(s))))
    return x
end
ndigits(x::BigInt; base::Integer=10, pad::Integer=1) = max(Int(pad), iszero(x) ? 1 : length(__big_text(abs(x), Int(base))::String))
# ---- ranges, random numbers
length_type(::Type{BigInt}) = Int
distance(a::BigInt, b::BigInt) = b - a
length(r::UnitRange{BigInt}) = isempty(r) ? 0 : Int(last(r) - first(r)) + 1
iterate(r::StepRange{BigInt}, state) = state[2] < uabs(r.step) ? nothing : (n = state[1] + r.step; (n, (n, state[2] - uabs(r.step))))
function __draw_big(next, r::UnitRange{BigInt})
    isempty(r) && throw(ArgumentError("collection must be non-empty"))
    span = last(r) - first(r)
    n = __big_bits(span)::Int
    while true # fewer than two rounds on average
        x = BigInt(0)
        for k in 1:cld(n, 64)
            x = (x << 64) + next()
        end
        x = x >> (64 * cld(n, 64) - n)
        x <= span && return first(r) + x
    end
end
rand(r::UnitRange{BigInt}) = __draw_big(() -> rand(UInt64), r)
rand(rng::AbstractRNG, r::UnitRange{BigInt}) = __draw_big(() -> rand(rng, UInt64), r)
rand(rng::DeviceRNG, r::UnitRange{BigInt}) = rand(r)
rand(r::UnitRange{BigInt}, n::Integer, dims::Integer...) = map(_ -> rand(r), zeros(Bool, n, dims...))
rand(rng::AbstractRNG, r::UnitRange{BigInt}, n::Integer, dims::Integer...) = map(_ -> rand(rng, r), zeros(Bool, n, dims...))
rand(rng::DeviceRNG, r::UnitRange{BigInt}, n::Integer, dims::Integer...) = rand(r, n, dims...)
macro big_str(text)
    s = filter(c -> c != '_', text)
    x = tryparse(BigInt, s)
    x === nothing || return x
    x = tryparse(BigFloat, s)
    x === nothing || return x
    throw(ArgumentError(string("invalid number format ", text, " for BigInt or BigFloat")))
end
export BigInt, big, @big_str
