# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
macro m(n); :(@m($(n + 1))); end
f(x) = @m 1
