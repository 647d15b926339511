# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that come with the package, under Numba's names."""
