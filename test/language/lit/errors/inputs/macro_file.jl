# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
macro d(); Core.eval(__module__, :(h(y) = y + 1)); Core.eval(__module__, :(import Printf)); :(h(5)); end
f(x) = @d() + x
