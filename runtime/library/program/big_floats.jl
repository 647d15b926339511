# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: program/big_integers
# Floats of any precision, 256 bits by default. MPFR computes with them and rounds to nearest
# (lib/programs/big_floats.cpp). `number` holds precision, exponent, sign and digits, as MPFR stores them.
mutable struct BigFloat <: AbstractFloat
    number::String
    BigFloat(number::String, ::Nothing) = new(number)
end
const __default_precision = Ref(256)
precision(::Type{BigFloat}; base::Integer=2) = base == 2 ? __default_precision[] : floor(Int, __default_precision[] / log2(base))
precision(x::BigFloat; base::Integer=2) = base == 2 ? __wide_parts(x)[1] : floor(Int, __wide_parts(x)[1] / log2(base))
setprecision(::Type{BigFloat}, bits::Integer; base::Integer=2) = setprecision(base == 2 ? bits : ceil(Int, bits * log2(base)))
function setprecision(bits::Integer; base::Integer=2)
    base == 2 || return setprecision(ceil(Int, bits * log2(base)))
    1 <= bits <= 8_000_000_000 || throw(DomainError(bits, "`precision` must be at least 1 and fit into memory."))
    return __default_precision[] = Int(bits)
end
function setprecision(f::Function, ::Type{BigFloat}, bits::Integer; base::Integer=2)
    before = __default_precision[]
    setprecision(BigFloat, bits; base=base)
    try
        return f()
    finally
        __default_precision[] = before
    end
end
setprecision(f::Function, bits::Integer; base::Integer=2) = setprecision(f, BigFloat, bits; base=base)
__bits() = __default_precision[]
BigFloat(x::BigFloat; precision::Integer=0) = precision == 0 ? x : __wide_set(x, Int(precision))::BigFloat
BigFloat(x::Union{Float16,Float32,Float64}; precision::Integer=__bits()) = __wide_of_float(Float64(x), Int(precision))::BigFloat
BigFloat(x::BigInt; precision::Integer=__bits()) = __wide_of_integer(x, Int(precision))::BigFloat
for T in (:BitSigned, :BitUnsigned, :Bool)
    @eval BigFloat(x::$T; precision::Integer=__bits()) = __wide_of_integer(BigInt(x), Int(precision))::BigFloat
end
BigFloat(x::Rational; precision::Integer=__bits()) = __wide_div(BigFloat(x.num; precision=precision), BigFloat(x.den; precision=precision), Int(precision))::BigFloat
BigFloat(::Irrational{:π}; precision::Integer=__bits()) = __wide_constant(:pi, Int(precision))::BigFloat
BigFloat(::Irrational{:γ}; precision::Integer=__bits()) = __wide_constant(:euler, Int(precision))::BigFloat
BigFloat(::Irrational{:catalan}; precision::Integer=__bits()) = __wide_constant(:catalan, Int(precision))::BigFloat
BigFloat(::Irrational{:ℯ}; precision::Integer=__bits()) = __wide_exp(BigFloat(1), Int(precision))::BigFloat
BigFloat(::Irrational{:φ}; precision::Integer=__bits()) = setprecision(() -> (1 + sqrt(BigFloat(5))) / 2, precision)
BigFloat(s::String; precision::Integer=__bits()) = parse(BigFloat, s; precision=precision)
AbstractFloat(x::BigFloat) = x
convert(::Type{BigFloat}, x::BigFloat) = x
convert(::Type{BigFloat}, x::Number) = BigFloat(x)
big(x::AbstractFloat) = BigFloat(x)
big(x::BigFloat) = x
big(x::AbstractIrrational) = BigFloat(x)
big(::Type{<:AbstractFloat}) = BigFloat
widen(::Type{Float64}) = BigFloat
widen(::Type{BigFloat}) = BigFloat
function tryparse(::Type{BigFloat}, s::String; precision::Integer=__bits())
    t = String(strip(s))
    return isempty(t) || occursin(' ', t) ? nothing : __wide_of_text(t, Int(precision))
end
function parse(::Type{BigFloat}, s::String; precision::Integer=__bits())
    x = tryparse(BigFloat, s; precision=precision)
    x === nothing && throw(ArgumentError(string("cannot parse ", repr(s), " as BigFloat")))
    return x
end
Float64(x::BigFloat) = __wide_to_float(Float64, x)
Float32(x::BigFloat) = __wide_to_float(Float32, x)
Float16(x::BigFloat) = Float16(__wide_to_float(Float64, __wide_set(x, 53)::BigFloat))
function trunc(::Type{BigInt}, x::BigFloat)
    n = __wide_to_integer(x)
    return n === nothing ? throw(InexactError(:trunc, BigInt, x)) : n
end
trunc(::Type{BigInt}, x::Union{Float16,Float32,Float64}) = trunc(BigInt, BigFloat(x; precision=53))
trunc(::Type{T}, x::BigFloat) where {T<:BitInt} = T(trunc(BigInt, x))
for f in (:floor, :ceil, :round)
    @eval $f(::Type{T}, x::BigFloat) where {T<:BitInt} = T(trunc(BigInt, $f(x)))
    @eval $f(::Type{BigInt}, x::BigFloat) = trunc(BigInt, $f(x))
    @eval $f(::Type{BigInt}, x::Union{Float16,Float32,Float64}) = trunc(BigInt, $f(x))
end
(::Type{T})(x::BigFloat) where {T<:BitInteger} = isinteger(x) ? T(trunc(BigInt, x)) : throw(InexactError(nameof(T), T, x))
Bool(x::BigFloat) = isinteger(x) ? Bool(trunc(BigInt, x)) : throw(InexactError(:Bool, Bool, x))
unsafe_trunc(::Type{T}, x::BigFloat) where {T<:BitInt} = rem(trunc(BigInt, x), T)
promote_rule(::Type{BigFloat}, ::Type{<:Real}) = BigFloat
promote_rule(::Type{BigFloat}, ::Type{<:AbstractFloat}) = BigFloat
promote_rule(::Type{<:AbstractFloat}, ::Type{BigFloat}) = BigFloat
promote_type(::Type{BigFloat}, ::Type{BigFloat}) = BigFloat
for T in (:BigInt, :BitInteger, :Bool)
    @eval promote_type(::Type{BigFloat}, ::Type{<:$T}) = BigFloat
    @eval promote_type(::Type{<:$T}, ::Type{BigFloat}) = BigFloat
end
zero(::Type{BigFloat}) = BigFloat(0)
one(::Type{BigFloat}) = BigFloat(1)
typemax(::Type{BigFloat}) = BigFloat(Inf)
typemin(::Type{BigFloat}) = BigFloat(-Inf)
eps(::Type{BigFloat}) = __wide_scale(BigFloat(1), 1 - __bits(), __bits())::BigFloat
eps(x::BigFloat) = isfinite(x) ? __wide_scale(BigFloat(1), exponent(x) + 1 - precision(x), __bits())::BigFloat : BigFloat(NaN)
floatmax(::Type{BigFloat}) = throw(ArgumentError("floatmax(BigFloat): the largest exponent has 62 bits: compare exponents"))
# ---- arithmetic
for (f, host) in ((:+, :__wide_add), (:-, :__wide_sub), (:*, :__wide_mul), (:/, :__wide_div), (:^, :__wide_pow), (:atan, :__wide_atan2), (:hypot, :__wide_hypot), (:rem, :__wide_fmod))
    @eval $f(x::BigFloat, y::BigFloat) = $host(x, y, __bits())::BigFloat
end
for (f, host) in ((:(==), :__wide_equal), (:<, :__wide_less), (:<=, :__wide_lessequal))
    @eval $f(x::BigFloat, y::BigFloat) = $host(x, y)::Bool
end
for (f, host) in ((:-, :__wide_neg), (:abs, :__wide_abs), (:cbrt, :__wide_cbrt), (:exp, :__wide_exp), (:exp2, :__wide_exp2), (:exp10, :__wide_exp10), (:expm1, :__wide_expm1), (:sin, :__wide_sin), (:cos, :__wide_cos), (:tan, :__wide_tan), (:atan, :__wide_atan), (:sinh, :__wide_sinh), (:cosh, :__wide_cosh), (:tanh, :__wide_tanh), (:asinh, :__wide_asinh))
    @eval $f(x::BigFloat) = $host(x, __bits())::BigFloat
end
for (f, host, low, high) in ((:sqrt, :__wide_sqrt, 0, Inf), (:log, :__wide_log, 0, Inf), (:log2, :__wide_log2, 0, Inf), (:log10, :__wide_log10, 0, Inf), (:log1p, :__wide_log1p, -1, Inf), (:asin, :__wide_asin, -1, 1), (:acos, :__wide_acos, -1, 1), (:acosh, :__wide_acosh, 1, Inf), (:atanh, :__wide_atanh, -1, 1))
    @eval function $f(x::BigFloat)
        (x < $low || x > $high) && throw(DomainError(x, string("NaN result for non-NaN input.")))
        return $host(x, __bits())::BigFloat
    end
end
log(b::Real, x::BigFloat) = log(x) / log(BigFloat(b))
sincos(x::BigFloat) = (sin(x), cos(x))
for (f, host) in ((:floor, :__wide_rint_floor), (:ceil, :__wide_rint_ceil), (:trunc, :__wide_rint_trunc), (:round, :__wide_rint_roundeven))
    @eval $f(x::BigFloat) = $host(x, precision(x))::BigFloat
end
round(x::BigFloat, ::RoundingMode{:Nearest}) = round(x)
round(x::BigFloat, ::RoundingMode{:Down}) = floor(x)
round(x::BigFloat, ::RoundingMode{:Up}) = ceil(x)
round(x::BigFloat, ::RoundingMode{:ToZero}) = trunc(x)
round(x::BigFloat, ::RoundingMode{:NearestTiesAway}) = __wide_rint_round(x, precision(x))::BigFloat
div(x::BigFloat, y::BigFloat) = trunc(x / y)
fld(x::BigFloat, y::BigFloat) = floor(x / y)
cld(x::BigFloat, y::BigFloat) = ceil(x / y)
function mod(x::BigFloat, y::BigFloat)
    r = rem(x, y)
    return iszero(r) ? copysign(r, y) : signbit(r) != signbit(y) ? r + y : r
end
for T in (:BitInteger, :Bool, :BigInt, :Float16, :Float32, :Float64, :Rational, :AbstractIrrational)
    @eval ^(x::BigFloat, y::$T) = x^BigFloat(y)
end
literal_pow(f::typeof(^), x::BigFloat, ::Val{p}) where {p} = x^BigFloat(p)
inv(x::BigFloat) = BigFloat(1) / x
fma(x::BigFloat, y::BigFloat, z::BigFloat) = __wide_fma(x, y, z, __bits())::BigFloat
muladd(x::BigFloat, y::BigFloat, z::BigFloat) = x * y + z
ldexp(x::BigFloat, n::Integer) = __wide_scale(x, Int(n), __bits())::BigFloat
exponent(x::BigFloat) = (p = __wide_parts(x); p[3] == 1 ? p[4] - 1 : throw(DomainError(x, "`x` must be non-zero and finite.")))
significand(x::BigFloat) = ldexp(x, -exponent(x))
frexp(x::BigFloat) = iszero(x) ? (x, 0) : (ldexp(x, -exponent(x) - 1), exponent(x) + 1)
signbit(x::BigFloat) = __wide_parts(x)[2]
sign(x::BigFloat) = isnan(x) || iszero(x) ? x : signbit(x) ? BigFloat(-1) : BigFloat(1)
copysign(x::BigFloat, y::Real) = signbit(x) == signbit(y) ? x : -x
copysign(x::BigFloat, y::BigFloat) = signbit(x) == signbit(y) ? x : -x
flipsign(x::BigFloat, y::Real) = signbit(y) ? -x : x
iszero(x::BigFloat) = __wide_parts(x)[3] == 0
isone(x::BigFloat) = x == 1
isinf(x::BigFloat) = __wide_parts(x)[3] == 2
isnan(x::BigFloat) = __wide_parts(x)[3] == 3
isfinite(x::BigFloat) = __wide_parts(x)[3] < 2
isinteger(x::BigFloat) = isfinite(x) && trunc(x) == x
isequal(x::BigFloat, y::BigFloat) = isnan(x) && isnan(y) || x == y && signbit(x) == signbit(y)
isless(x::BigFloat, y::BigFloat) = !isnan(x) && isnan(y) || x < y || x == y && signbit(x) && !signbit(y)
min(x::BigFloat, y::BigFloat) = isnan(x) ? x : isnan(y) || y < x ? y : x
max(x::BigFloat, y::BigFloat) = isnan(x) ? x : isnan(y) || x < y ? y : x
# ---- text: positional for exponents from -5 to 5, as in Julia
function __wide_text(x::BigFloat)
    isfinite(x) || return isnan(x) ? "NaN" : signbit(x) ? "-Inf" : "Inf"
    sign = signbit(x) ? "-" : ""
    iszero(x) && return string(sign, "0.0")
    (digits, e) = __wide_digits(x, 0)
    s = rstrip(signbit(x) ? digits[2:end] : digits, '0')
    e -= 1 # of d.ddd
    if -5 < e < 0
        return string(sign, "0.", repeat("0", -e - 1), s)
    elseif 0 <= e < 6
        s = rpad(s, e + 2, '0')
        return string(sign, s[1:e+1], ".", s[e+2:end])
    end
    return string(sign, s[1:1], ".", length(s) > 1 ? s[2:end] : "0", "e", e < 0 ? "-" : "+", lpad(string(abs(e)), 2, '0'))
end
print(io::IO, x::BigFloat) = print(io, __wide_text(x))
show(io::IO, x::BigFloat) = print(io, __wide_text(x))
rand(::Type{BigFloat}) = BigFloat(rand(big(0):(big(1)<<__bits())-1)) / (big(1) << __bits())
rand(rng::AbstractRNG, ::Type{BigFloat}) = BigFloat(rand(rng, big(0):(big(1)<<__bits())-1)) / (big(1) << __bits())
export BigFloat, precision, setprecision
