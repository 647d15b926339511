# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln advise has nothing to say of the kernels of docs/examples: each is written as it should be.
# REQUIRES: libdevice
# RUN: rm -rf %t.d && mkdir %t.d
# RUN: %examples_py advise %kiln %examples %t.d
