# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``numba.cuda.kernels.reduction``."""

from .._reduction import Reduce  # noqa: F401
