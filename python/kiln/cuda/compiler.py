# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``numba.cuda.compiler``: functions that compile to PTX."""

from ._compile import compile, compile_all, compile_for_current_device, compile_ptx, compile_ptx_for_current_device  # noqa: F401, A004
