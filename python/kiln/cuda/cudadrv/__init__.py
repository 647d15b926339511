# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of numba.cuda.cudadrv used by programs: classes of arrays, streams and errors. Linkers are missing."""

from . import devicearray, devices, driver, error  # noqa: F401
