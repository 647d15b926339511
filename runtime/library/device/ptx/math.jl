# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; overlay: ptx; after: device/ptx/tcgen05
# ptx overlay: mathematical functions that call CUDA's device library (libdevice).

import Base: sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, exp2, exp10, expm1, log, log2, log10, log1p, cbrt
import Base: erf, erfc, gamma, loggamma, sinpi, cospi, rsqrt, pow, hypot, ldexp, rem, rounded_product, rounded_sum
import Base: clib_j0, clib_j1, clib_y0, clib_y1, clib_pow, clib_powf, clib_jn, clib_yn, clib_j0f, clib_j1f, clib_y0f, clib_y1f, clib_jnf, clib_ynf, clib_Faddeeva_erfcx_re
import Base.FastMath: sin_fast, cos_fast, tan_fast, exp_fast, exp10_fast, log_fast, log2_fast, log10_fast, pow_fast

for (f, single, double) in (
    (:sin, "extern __nv_sinf", "extern __nv_sin"), (:cos, "extern __nv_cosf", "extern __nv_cos"), (:tan, "extern __nv_tanf", "extern __nv_tan"),
    (:asin, "extern __nv_asinf", "extern __nv_asin"), (:acos, "extern __nv_acosf", "extern __nv_acos"), (:atan, "extern __nv_atanf", "extern __nv_atan"),
    (:sinh, "extern __nv_sinhf", "extern __nv_sinh"), (:cosh, "extern __nv_coshf", "extern __nv_cosh"), (:tanh, "extern __nv_tanhf", "extern __nv_tanh"),
    (:asinh, "extern __nv_asinhf", "extern __nv_asinh"), (:acosh, "extern __nv_acoshf", "extern __nv_acosh"), (:atanh, "extern __nv_atanhf", "extern __nv_atanh"),
    (:exp, "extern __nv_expf", "extern __nv_exp"), (:exp2, "extern __nv_exp2f", "extern __nv_exp2"), (:exp10, "extern __nv_exp10f", "extern __nv_exp10"),
    (:expm1, "extern __nv_expm1f", "extern __nv_expm1"), (:log, "extern __nv_logf", "extern __nv_log"), (:log2, "extern __nv_log2f", "extern __nv_log2"),
    (:log10, "extern __nv_log10f", "extern __nv_log10"), (:log1p, "extern __nv_log1pf", "extern __nv_log1p"), (:cbrt, "extern __nv_cbrtf", "extern __nv_cbrt"),
    (:erf, "extern __nv_erff", "extern __nv_erf"), (:erfc, "extern __nv_erfcf", "extern __nv_erfc"), (:gamma, "extern __nv_tgammaf", "extern __nv_tgamma"),
    (:loggamma, "extern __nv_lgammaf", "extern __nv_lgamma"), (:sinpi, "extern __nv_sinpif", "extern __nv_sinpi"), (:cospi, "extern __nv_cospif", "extern __nv_cospi"),
    (:rsqrt, "extern __nv_rsqrtf", "extern __nv_rsqrt"))
    @eval begin
        @inline $f(x::Float32) = ccall($single, llvmcall, Float32, (Float32,), x)
        @inline $f(x::Float64) = ccall($double, llvmcall, Float64, (Float64,), x)
    end
end
for name in (:j0, :j1, :y0, :y1)
    single = Symbol(name, :f)
    @eval @inline $(Symbol(:clib_, name))(x::Float64) = ccall($(string("extern __nv_", name)), llvmcall, Float64, (Float64,), x)
    @eval @inline $(Symbol(:clib_, single))(x::Float32) = ccall($(string("extern __nv_", single)), llvmcall, Float32, (Float32,), x)
end
for name in (:jn, :yn)
    single = Symbol(name, :f)
    @eval @inline $(Symbol(:clib_, name))(n::Int32, x::Float64) = ccall($(string("extern __nv_", name)), llvmcall, Float64, (Int32, Float64), n, x)
    @eval @inline $(Symbol(:clib_, single))(n::Int32, x::Float32) = ccall($(string("extern __nv_", single)), llvmcall, Float32, (Int32, Float32), n, x)
end
@inline clib_pow(x::Float64, y::Float64) = ccall("extern __nv_pow", llvmcall, Float64, (Float64, Float64), x, y)
@inline clib_powf(x::Float32, y::Float32) = ccall("extern __nv_powf", llvmcall, Float32, (Float32, Float32), x, y)
@inline clib_Faddeeva_erfcx_re(x::Float64) = ccall("extern __nv_erfcx", llvmcall, Float64, (Float64,), x)
for (f, single, double) in ((:pow, "extern __nv_powf", "extern __nv_pow"), (:hypot, "extern __nv_hypotf", "extern __nv_hypot"), (:atan, "extern __nv_atan2f", "extern __nv_atan2"), (:rem, "extern __nv_fmodf", "extern __nv_fmod"))
    @eval begin
        @inline $f(x::Float32, y::Float32) = ccall($single, llvmcall, Float32, (Float32, Float32), x, y)
        @inline $f(x::Float64, y::Float64) = ccall($double, llvmcall, Float64, (Float64, Float64), x, y)
    end
end
@inline rem(x::T, y::T) where {T<:Base.HalfFloat} = T(rem(Float32(x), Float32(y))) # the instruction divides and multiplies back
# mul.rn and add.rn: neither LLVM nor ptxas fuses these instructions. A product of two half-precision numbers is exact
# in Float32, except for BFloat16 products far below the normal numbers.
@inline rounded_product(x::Float32, y::Float32) = ccall("llvm.nvvm.mul.rn.f", llvmcall, Float32, (Float32, Float32), x, y)
@inline rounded_product(x::Float64, y::Float64) = ccall("llvm.nvvm.mul.rn.d", llvmcall, Float64, (Float64, Float64), x, y)
@inline rounded_product(x::T, y::T) where {T<:Base.HalfFloat} = T(rounded_product(Float32(x), Float32(y)))
@inline rounded_sum(x::Float32, y::Float32) = ccall("llvm.nvvm.add.rn.f", llvmcall, Float32, (Float32, Float32), x, y)
@inline rounded_sum(x::Float64, y::Float64) = ccall("llvm.nvvm.add.rn.d", llvmcall, Float64, (Float64, Float64), x, y)
@inline ldexp(x::Float32, n::Integer) = ccall("extern __nv_ldexpf", llvmcall, Float32, (Float32, Int32), x, clamp(n, Int32))
@inline ldexp(x::Float64, n::Integer) = ccall("extern __nv_ldexp", llvmcall, Float64, (Float64, Int32), x, clamp(n, Int32))

for (f, name) in ((:sin_fast, "extern __nv_fast_sinf"), (:cos_fast, "extern __nv_fast_cosf"), (:tan_fast, "extern __nv_fast_tanf"), (:exp_fast, "extern __nv_fast_expf"),
    (:exp10_fast, "extern __nv_fast_exp10f"), (:log_fast, "extern __nv_fast_logf"), (:log2_fast, "extern __nv_fast_log2f"), (:log10_fast, "extern __nv_fast_log10f"))
    @eval @inline $f(x::Float32) = ccall($name, llvmcall, Float32, (Float32,), x)
end
@inline pow_fast(x::Float32, y::Float32) = ccall("extern __nv_fast_powf", llvmcall, Float32, (Float32, Float32), x, y)
@inline saturate(x::Float32) = ccall("llvm.nvvm.saturate.f", llvmcall, Float32, (Float32,), x)
import CUDA: add_rn, add_rz, add_rm, add_rp, mul_rn, mul_rz, mul_rm, mul_rp, div_rn, div_rz, div_rm, div_rp, fma_rn, fma_rz, fma_rm, fma_rp
for (f, single, double) in (
    (:add_rn, "llvm.nvvm.add.rn.f", "llvm.nvvm.add.rn.d"), (:add_rz, "llvm.nvvm.add.rz.f", "llvm.nvvm.add.rz.d"), (:add_rm, "llvm.nvvm.add.rm.f", "llvm.nvvm.add.rm.d"), (:add_rp, "llvm.nvvm.add.rp.f", "llvm.nvvm.add.rp.d"),
    (:mul_rn, "llvm.nvvm.mul.rn.f", "llvm.nvvm.mul.rn.d"), (:mul_rz, "llvm.nvvm.mul.rz.f", "llvm.nvvm.mul.rz.d"), (:mul_rm, "llvm.nvvm.mul.rm.f", "llvm.nvvm.mul.rm.d"), (:mul_rp, "llvm.nvvm.mul.rp.f", "llvm.nvvm.mul.rp.d"),
    (:div_rn, "llvm.nvvm.div.rn.f", "llvm.nvvm.div.rn.d"), (:div_rz, "llvm.nvvm.div.rz.f", "llvm.nvvm.div.rz.d"), (:div_rm, "llvm.nvvm.div.rm.f", "llvm.nvvm.div.rm.d"), (:div_rp, "llvm.nvvm.div.rp.f", "llvm.nvvm.div.rp.d"))
    @eval begin
        @inline $f(x::Float32, y::Float32) = ccall($single, llvmcall, Float32, (Float32, Float32), x, y)
        @inline $f(x::Float64, y::Float64) = ccall($double, llvmcall, Float64, (Float64, Float64), x, y)
    end
end
for (f, single, double) in ((:fma_rn, "llvm.nvvm.fma.rn.f", "llvm.nvvm.fma.rn.d"), (:fma_rz, "llvm.nvvm.fma.rz.f", "llvm.nvvm.fma.rz.d"), (:fma_rm, "llvm.nvvm.fma.rm.f", "llvm.nvvm.fma.rm.d"), (:fma_rp, "llvm.nvvm.fma.rp.f", "llvm.nvvm.fma.rp.d"))
    @eval begin
        @inline $f(x::Float32, y::Float32, z::Float32) = ccall($single, llvmcall, Float32, (Float32, Float32, Float32), x, y, z)
        @inline $f(x::Float64, y::Float64, z::Float64) = ccall($double, llvmcall, Float64, (Float64, Float64, Float64), x, y, z)
    end
end
