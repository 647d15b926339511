# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of NumPy's dtypes and back, under Numba's names."""

from .._types import as_dtype, from_dtype  # noqa: F401
