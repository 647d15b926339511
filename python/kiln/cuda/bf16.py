# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bfloat16 and its functions in kernels, like ``numba.cuda.bf16``: ``bfloat16(x)`` converts. Its NumPy dtype needs the package ml_dtypes."""

from __future__ import annotations

from .._types import bfloat16
from ._stubs import function as _function

_ROUNDED = ("rn", "rz", "rd", "ru")
_INTEGERS = {"int": "int32", "uint": "uint32", "short": "int16", "ushort": "uint16", "ll": "int64", "ull": "uint64"}
_NAMES = """habs hadd hsub hmul hdiv hadd_rn hsub_rn hmul_rn hadd_sat hsub_sat hmul_sat hfma hfma_sat hfma_relu hneg heq hne hge hgt hle hlt hmax hmin hmax_nan hmin_nan hisinf hisnan
hequ hneu hgeu hgtu hleu hltu bfloat162float float2bfloat16 double2bfloat16 bfloat162char_rz bfloat162uchar_rz bfloat16_as_short bfloat16_as_ushort short_as_bfloat16
ushort_as_bfloat16 htrunc hceil hfloor hrint hsqrt hrsqrt hrcp hlog hlog2 hlog10 hcos hsin hexp hexp2 hexp10 htanh htanh_approx""".split()
_NAMES += [f"float2bfloat16_{mode}" for mode in _ROUNDED]
_NAMES += [f"{of}2bfloat16_{mode}" for of in _INTEGERS for mode in _ROUNDED] + [f"bfloat162{to}_{mode}" for to in _INTEGERS for mode in _ROUNDED]
for _name in _NAMES:
    globals()[_name] = _function(f"bf16.{_name}")
# Aliases with NumPy's type names.
_ALIASES = {
    "float32_to_bfloat16": "float2bfloat16", "float64_to_bfloat16": "double2bfloat16", "bfloat16_to_float32": "bfloat162float", "bfloat16_to_int8_rz": "bfloat162char_rz",
    "bfloat16_to_uint8_rz": "bfloat162uchar_rz", "bfloat16_as_int16": "bfloat16_as_short", "bfloat16_as_uint16": "bfloat16_as_ushort", "int16_as_bfloat16": "short_as_bfloat16",
    "uint16_as_bfloat16": "ushort_as_bfloat16",
}  # fmt: skip
for _mode in _ROUNDED:
    _ALIASES[f"float32_to_bfloat16_{_mode}"] = f"float2bfloat16_{_mode}"
    for _of, _name in _INTEGERS.items():
        _ALIASES[f"{_name}_to_bfloat16_{_mode}"] = f"{_of}2bfloat16_{_mode}"
        _ALIASES[f"bfloat16_to_{_name}_{_mode}"] = f"bfloat162{_of}_{_mode}"
for _alias, _name in _ALIASES.items():
    globals()[_alias] = globals()[_name]

__all__ = ["bfloat16", *_NAMES, *_ALIASES]
