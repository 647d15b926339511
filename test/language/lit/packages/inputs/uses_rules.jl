# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
using Rules
function k(o)
    o[1] = count_of(10)
    o[2] = Rules.made_by_eval(3)
    return
end
