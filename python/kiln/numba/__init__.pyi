# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What type checkers read of kiln.numba: the names of kiln, and Numba's `jit`.
from kiln import *
from kiln import (
    __version__ as __version__, carray as carray, config as config, core as core, cuda as cuda, errors as errors, farray as farray, guvectorize as guvectorize,
    literal_unroll as literal_unroll, njit as njit, np as np, prange as prange, types as types, vectorize as vectorize, version_info as version_info,
)  # fmt: skip

jit = njit
