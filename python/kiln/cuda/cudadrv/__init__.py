# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of numba.cuda.cudadrv that programs take: classes of arrays, streams and errors. Linkers are not here."""

from . import devicearray, devices, driver, error  # noqa: F401
