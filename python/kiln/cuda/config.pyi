# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# kiln.cuda.config is kiln._config under Numba's name.
from .._config import *
