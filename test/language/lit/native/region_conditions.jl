# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Where a region runs only if a condition holds, the rest of the kernel must still test that condition.
# CPython gives 5 for the same text with n = 3.
# RUN: %kiln run %s branches --arg 'zeros(Int64, 1)' --arg 3 --threads 1 --device cpu -O2 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s
# RUN: %kiln run %s branches --arg 'zeros(Int64, 1)' --arg 3 --threads 1 --device cpu -O0 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s
# CHECK: values 5
py_mod(a) = (r = Base.srem_int(a, 97); r != 0 && (r ⊻ 97) < 0 ? r + 97 : r)
f9(x, n, z) = n < z && z < x ? n : n
function branches(o, n)
    x = 2; z = 0; out = 0
    i = 0
    while i < 1
        z = py_mod(n)
        i += 1
    end
    if z < py_mod(py_mod((1 != z) * (n * z)))
        if f9(x, n, z) < f9(z, n, z)
            out = z
        elseif 1 != z
            out = f9(x, n, z)
        else
            out = f9(x, n, z)
        end
        c = 0
        while c < 3
            c += 1
        end
    end
    @inbounds o[1] = out + x
    return
end
