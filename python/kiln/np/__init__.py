# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``numba.np``: :mod:`numpy_support` alone."""
