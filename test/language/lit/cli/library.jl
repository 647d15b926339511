# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every definition of the runtime library and of the targets' overlays can be evaluated: none is left out in silence.
#
# RUN: env KILN_LOG=debug %kiln compile %s 'f(Int64)' --no-kernel --target ptx -o %t.ptx 2>&1 | %filecheck %s --allow-empty
# CHECK-NOT: runtime library

f(x) = x
