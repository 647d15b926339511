# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/math
# Functions of C's mathematical libraries that packages call by ccall((:name, library), ...), named clib_name:
# SpecialFunctions and others call OpenLibm and OpenSpecFun. These definitions call the C library. GPU targets overlay
# the functions that their device library has. Other names become ccalls of host functions, which kernels cannot call.

@inline c_argument(::Type{T}, x) where {T} = convert(T, x)
@inline c_argument(::Type{Ref{T}}, x) where {T} = convert(T, x) # C gets a pointer to it, the function here the value
for (name, f) in ((:erf, :erf), (:erfc, :erfc), (:tgamma, :gamma), (:lgamma, :loggamma), (:exp, :exp), (:log, :log), (:log1p, :log1p), (:expm1, :expm1))
    @eval @inline $(Symbol(:clib_, name))(x::Float64) = $f(x)
    @eval @inline $(Symbol(:clib_, name, :f))(x::Float32) = $f(x)
end
for name in (:j0, :j1, :y0, :y1)
    single = Symbol(name, :f)
    @eval @inline $(Symbol(:clib_, name))(x::Float64) = ccall($(string("extern ", name)), llvmcall, Float64, (Float64,), x)
    @eval @inline $(Symbol(:clib_, single))(x::Float32) = ccall($(string("extern ", single)), llvmcall, Float32, (Float32,), x)
end
@inline clib_pow(x::Float64, y::Float64) = ccall("extern pow", llvmcall, Float64, (Float64, Float64), x, y)
@inline clib_powf(x::Float32, y::Float32) = ccall("extern powf", llvmcall, Float32, (Float32, Float32), x, y)
for name in (:jn, :yn)
    single = Symbol(name, :f)
    @eval @inline $(Symbol(:clib_, name))(n::Int32, x::Float64) = ccall($(string("extern ", name)), llvmcall, Float64, (Int32, Float64), n, x)
    @eval @inline $(Symbol(:clib_, single))(n::Int32, x::Float32) = ccall($(string("extern ", single)), llvmcall, Float32, (Int32, Float32), n, x)
end
# Computes exp(x^2) * erfc(x). Splits x^2 in two parts, since the exponential would magnify the rounding error of the
# square. From x = 10 on, 12 terms of the asymptotic series are exact to 2^-53.
@inline function clib_Faddeeva_erfcx_re(x::Float64)
    if x >= 10.0
        t = 1.0 / (2.0 * x) / x
        sum = term = 1.0
        for k in 1:12
            term = -term * (2k - 1) * t
            sum += term
        end
        return 0.5641895835477563 / x * sum
    end
    x < -26.7 && return Inf
    square = x * x
    return exp(square) * (1.0 + fma(x, x, -square)) * erfc(x)
end
