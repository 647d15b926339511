# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numba-cuda's own tests against kiln.cuda: suite.py runs them from a folder outside of the tree."""
