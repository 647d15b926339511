# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The examples: every command that their first lines show works, and NVIDIA's assembler takes what they compile to.
#
# RUN: rm -rf %t.d
# RUN: mkdir -p %t.d
# RUN: %examples_py run %kiln %examples %t.d
