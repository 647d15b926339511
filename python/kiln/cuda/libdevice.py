# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVIDIA's device functions by name, ``libdevice.sinf(x)``, in kernels on GPUs and on the CPU."""

from ._stubs import function as _function

_MODES = ("rd", "rn", "ru", "rz")
_NAMES = """acos acosf acosh acoshf asin asinf asinh asinhf atan atanf atanh atanhf cbrt cbrtf cos cosf cosh coshf cospi cospif erf erff erfc erfcf exp expf exp10
exp10f exp2 exp2f expm1 expm1f log logf log10 log10f log1p log1pf log2 log2f sin sinf sinh sinhf sinpi sinpif sqrt sqrtf tan tanf tanh tanhf lgamma lgammaf
tgamma tgammaf rsqrt rsqrtf ceil ceilf floor floorf trunc truncf rint rintf nearbyint nearbyintf fabs fabsf round roundf logb logbf ilogb ilogbf rcbrt rcbrtf
normcdf normcdff saturatef fast_sinf fast_cosf fast_tanf fast_expf fast_exp10f fast_logf fast_log2f fast_log10f fast_powf fast_fdividef fast_sincosf sincosf
sincos sincospif sincospi atan2 atan2f copysign copysignf fdim fdimf fmax fmaxf fmin fminf fmod fmodf hypot hypotf nextafter nextafterf pow powf remainder
remainderf remquo remquof fma fmaf fma_rn fmaf_rn ldexp ldexpf scalbn scalbnf powi powif frexp frexpf modf modff frsqrt_rn int2double_rn uint2double_rn
ll2double_rn ull2double_rn ll2float_rn ull2float_rn llrint llrintf llround llroundf double_as_longlong longlong_as_double float_as_int int_as_float double2hiint
double2loint hiloint2double float2half_rn half2float isnand isnanf isinfd isinff isfinited finitef signbitd signbitf abs llabs brev brevll clz clzll popc popcll
ffs ffsll byte_perm max min umax umin llmax llmin ullmax ullmin hadd rhadd uhadd urhadd mulhi umulhi mul24 umul24 umul64hi mul64hi sad usad""".split()
_NAMES += [f"{c}{op}_{mode}" for c in "df" for op in ("add", "sub", "mul", "div", "rcp", "sqrt") for mode in _MODES if (c, op) != ("d", "sub")]
_NAMES += [f"{a}2{b}_{mode}" for a, b in [("double", "float"), ("int", "float"), ("uint", "float")] for mode in _MODES]
_NAMES += [f"{a}2{b}_{mode}" for a in ("double", "float") for b in ("int", "uint", "ll", "ull") for mode in _MODES]

for _name in _NAMES:
    globals()[_name] = _function(f"libdevice.{_name}")

# Functions that neither Kiln nor the C library implements for the CPU. Kernels that use one get an error there.
_MISSING = """erfcinv erfcinvf erfcx erfcxf erfinv erfinvf j0 j0f j1 j1f jn jnf y0 y0f y1 y1f yn ynf normcdfinv normcdfinvf fma_rd fma_ru fma_rz fmaf_rd fmaf_ru
fmaf_rz ll2double_rd ll2double_ru ll2double_rz ull2double_rd ull2double_ru ull2double_rz ll2float_rd ll2float_ru ll2float_rz ull2float_rd ull2float_ru
ull2float_rz""".split()
for _name in _MISSING:
    globals()[_name] = _function(f"libdevice.{_name}")
del _name
