# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in the package, under Numba's names."""
