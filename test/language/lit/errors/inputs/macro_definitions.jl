# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
macro m(n); :(begin g() = $n; @m($(n + 1)) end); end
@m 1
