# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
macro b(n); n == 0 ? 1 : :(@b($(n - 1)) + @b($(n - 1))); end
f(x) = @b 22
