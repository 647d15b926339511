# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
area(x, y) = x * y
