# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# `end` and `begin` in the code of a macro belong to the index around them, as in Julia.
macro last_of(x)
    return :($(esc(x))[end])
end
macro middle(x)
    quote
        v = $(esc(x))
        v[begin+1:min(end - 1, 100)]
    end
end
macro corner(A)
    return :($(esc(A))[end, begin])
end
macro add_last!(v, x)
    return :($(esc(v))[end] += $(esc(x)))
end
v = [1, 2, 3, 4]
# CHECK: 4 [2, 3] 3
println((@last_of v), " ", (@middle v), " ", (@corner [1 2; 3 4]))
@add_last! v 10
# CHECK-NEXT: [1, 2, 3, 14]
println(v)
