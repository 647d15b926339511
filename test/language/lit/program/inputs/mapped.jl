# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
aa = 21
bb() = 4
plain(x) = x + 1
