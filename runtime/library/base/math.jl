# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/irrational
# Mathematical functions through LLVM's intrinsics and the C library. Each GPU target overlays the methods for Float32
# and Float64. Arguments outside of a function's domain give NaN: kernels do not throw for them.

for (f, single, double) in (
    (:sin, "llvm.sin.f32", "llvm.sin.f64"), (:cos, "llvm.cos.f32", "llvm.cos.f64"), (:exp, "llvm.exp.f32", "llvm.exp.f64"),
    (:exp2, "llvm.exp2.f32", "llvm.exp2.f64"), (:log, "llvm.log.f32", "llvm.log.f64"), (:log2, "llvm.log2.f32", "llvm.log2.f64"),
    (:log10, "llvm.log10.f32", "llvm.log10.f64"), (:exp10, "extern exp10f", "extern exp10"), (:tan, "extern tanf", "extern tan"),
    (:asin, "extern asinf", "extern asin"), (:acos, "extern acosf", "extern acos"), (:atan, "extern atanf", "extern atan"),
    (:sinh, "extern sinhf", "extern sinh"), (:cosh, "extern coshf", "extern cosh"), (:tanh, "extern tanhf", "extern tanh"),
    (:asinh, "extern asinhf", "extern asinh"), (:acosh, "extern acoshf", "extern acosh"), (:atanh, "extern atanhf", "extern atanh"),
    (:expm1, "extern expm1f", "extern expm1"), (:log1p, "extern log1pf", "extern log1p"), 
    (:erf, "extern erff", "extern erf"), (:erfc, "extern erfcf", "extern erfc"), (:gamma, "extern tgammaf", "extern tgamma"),
    (:loggamma, "extern lgammaf", "extern lgamma"))
    @eval begin
        @inline $f(x::Float32) = ccall($single, llvmcall, Float32, (Float32,), x)
        @inline $f(x::Float64) = ccall($double, llvmcall, Float64, (Float64,), x)
        @inline $f(x::HalfFloat) = oftype(x, $f(Float32(x)))
        @inline $f(x::Real) = $f(float(x))
    end
end
for f in (:sinpi, :cospi)
    @eval begin
        @inline $f(x::HalfFloat) = oftype(x, $f(Float32(x)))
        @inline $f(x::Real) = $f(float(x))
    end
end
for (f, single, double) in ((:pow, "llvm.pow.f32", "llvm.pow.f64"), (:hypot, "extern hypotf", "extern hypot"), (:atan, "extern atan2f", "extern atan2"))
    @eval begin
        @inline $f(x::Float32, y::Float32) = ccall($single, llvmcall, Float32, (Float32, Float32), x, y)
        @inline $f(x::Float64, y::Float64) = ccall($double, llvmcall, Float64, (Float64, Float64), x, y)
        @inline $f(x::T, y::T) where {T<:HalfFloat} = T($f(Float32(x), Float32(y)))
    end
end
# The C library's cube root may be off by one unit in the last place; one Newton step corrects it.
for (T, name) in ((:Float32, "extern cbrtf"), (:Float64, "extern cbrt"))
    @eval @inline function cbrt(x::$T)
        y = ccall($name, llvmcall, $T, ($T,), x)
        return isfinite(x) & (x != zero(x)) ? y - (fma(y * y, y, -x) + fma(y, y, -(y * y)) * y) / (3 * (y * y)) : y
    end
end
@inline cbrt(x::HalfFloat) = oftype(x, cbrt(Float32(x)))
@inline cbrt(x::Real) = cbrt(float(x))
@inline hypot(x::T, y::T) where {T<:Integer} = hypot(float(x), float(y))
@inline atan(x::T, y::T) where {T<:Integer} = atan(float(x), float(y))
@inline hypot(x::Number, y::Number, z::Number) = hypot(hypot(x, y), z)
@inline ^(x::T, y::T) where {T<:AbstractFloat} = pow(x, y)
@inline ldexp(x::Float32, n::Integer) = ccall("extern ldexpf", llvmcall, Float32, (Float32, Int32), x, clamp(n, Int32))
@inline ldexp(x::Float64, n::Integer) = ccall("extern ldexp", llvmcall, Float64, (Float64, Int32), x, clamp(n, Int32))
@inline ldexp(x::HalfFloat, n::Integer) = oftype(x, ldexp(Float32(x), n))
@inline sqrt(x::AbstractFloat) = sqrt_llvm(x)
@inline sqrt(x::Real) = sqrt_llvm(float(x))
@inline √(x) = sqrt(x)
@inline ∛(x) = cbrt(x)
@inline rsqrt(x::AbstractFloat) = one(x) / sqrt(x)
@inline log(b::Number, x::Number) = log(x) / log(b)
@inline lgamma(x) = loggamma(x)
@inline logabsgamma(x::AbstractFloat) = (loggamma(x), (x < zero(x)) & isodd_floor(x) ? -1 : 1)
@inline isodd_floor(x) = (f = floor(x); f - 2 * floor(f / 2) == one(x)) # gamma is negative there
@inline sincos(x) = (sin(x), cos(x))
@inline sincospi(x) = (sinpi(x), cospi(x))
@inline cispi(x::Real) = Complex(cospi(x), sinpi(x))
@inline modf(x::AbstractFloat) = (copysign(x - trunc(x), x), trunc(x))
@inline deg2rad(x::AbstractFloat) = x * oftype(x, 0.017453292519943295)
@inline rad2deg(x::AbstractFloat) = x * oftype(x, 57.29577951308232)
@inline deg2rad(x::Real) = deg2rad(float(x))
@inline rad2deg(x::Real) = rad2deg(float(x))
@inline isapprox(x::Number, y::Number) = x == y || (isfinite(x) & isfinite(y) && abs(x - y) <= rtoldefault(typeof(x), typeof(y), 0) * max(abs(x), abs(y)))
@inline isapprox(x::Number, y::Number, atol, rtol) = x == y || (isfinite(x) & isfinite(y) && abs(x - y) <= max(atol, rtol * max(abs(x), abs(y))))
# Two numbers are compared with the tolerance of the less exact type. Integers are exact.
@inline rtoldefault(::Type{T}) where {T<:AbstractFloat} = sqrt(eps(T))
@inline rtoldefault(::Type{<:Real}) = 0
@inline rtoldefault(::Type{Complex{T}}) where {T} = rtoldefault(T)
@inline rtoldefault(::Type{T}) where {T} = 0
@inline rtoldefault(T::Type, S::Type, atol) = atol > 0 ? zero(max(rtoldefault(T), rtoldefault(S))) : max(rtoldefault(T), rtoldefault(S))
@inline Core.kwcall(kw::NamedTuple{(:atol,)}, ::typeof(isapprox), x::Number, y::Number) = isapprox(x, y, kw.atol, rtoldefault(typeof(x), typeof(y), kw.atol))
@inline Core.kwcall(kw::NamedTuple{(:rtol,)}, ::typeof(isapprox), x::Number, y::Number) = isapprox(x, y, 0, kw.rtol)
@inline Core.kwcall(kw::NamedTuple{(:rtol, :atol)}, ::typeof(isapprox), x::Number, y::Number) = isapprox(x, y, kw.atol, kw.rtol)
@inline Core.kwcall(kw::NamedTuple{(:atol, :rtol)}, ::typeof(isapprox), x::Number, y::Number) = isapprox(x, y, kw.atol, kw.rtol)
@inline ≈(x, y) = isapprox(x, y)
@inline Core.kwcall(kw::NamedTuple, ::typeof(≈), x, y) = Core.kwcall(kw, isapprox, x, y)
@inline ≉(x, y) = !isapprox(x, y)

# Reduction for sinpi and cospi. Reduces x exactly to a quarter turn first, so that multiples of half a turn give
# exact results.
@inline function quarter_turns(x::T) where {T<:AbstractFloat}
    n = rint_llvm(x + x)
    return (muladd(T(-0.5f0), n, x) * T(π), rem(unsafe_trunc(Int, n - 4 * trunc_llvm(n / 4)), UInt8) & 0x03)
end
for T in (:Float32, :Float64)
    @eval begin
        @inline function sinpi(x::$T)
            y = isfinite(x) ? turned(x, 0x00) : x - x
            return ifelse(y == zero(y), copysign(y, x), y)
        end
        @inline cospi(x::$T) = isfinite(x) ? turned(x, 0x01) + zero(x) : x - x
    end
end
@inline function turned(x, shift::UInt8)
    (r, n) = quarter_turns(x)
    q = (n + shift) & 0x03
    y = q & 0x01 == 0x00 ? sin(r) : cos(r)
    return q >= 0x02 ? -y : y
end
