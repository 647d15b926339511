# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: ptxas
# RUN: rm -rf %t.d
# RUN: mkdir -p %t.d
# RUN: %examples_py assemble %kiln %examples %t.d %ptxas
