# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions between types and NumPy's dtypes, under Numba's names."""

from .._types import as_dtype, from_dtype  # noqa: F401
from ..cuda._stubs import carray, farray  # noqa: F401
