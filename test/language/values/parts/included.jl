# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Read by language.jl.
from_file(x) = x + step_of_file
const step_of_file = 40
