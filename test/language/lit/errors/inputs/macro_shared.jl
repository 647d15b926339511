# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
macro s(n)
    x = :(1 + 1)
    for i in 1:n
        x = :($x + $x)
    end
    x
end
f(x) = @s 40
