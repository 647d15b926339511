# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module P
export tripled
tripled(x) = 3x
hidden(x) = x + 1
module Inner
deep(x) = 2x
end
end
