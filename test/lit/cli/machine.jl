# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is missing on the machine ends with status 3.
#
# RUN: %status 3 %kiln run %s f --arg 1 --no-kernel --device cuda 2>&1 | %filecheck %s
# RUN: %status 3 %kiln run %s f --arg 1 --no-kernel --device cuda:1 2>&1 | %filecheck %s
# CHECK: error: --device cuda{{(:1)?}}: there is no CUDA device runtime in this version
# CHECK: hint: --device cpu
#
# RUN: %status 3 %kiln compile %s 'f(Int64)' -o /dev/full 2>&1 | %filecheck %s --check-prefix=FULL
# FULL: /dev/full: No space left on device

f(x) = x
