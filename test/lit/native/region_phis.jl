# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A loop's variable and its next value may share an array of the threads. Code that is computed again in a later
# region must not read the next value in place of the variable. CPython gives -70 for the same text.
# RUN: %kiln run %s rounds --arg 'zeros(Int64, 1)' --arg 3 --threads 1 --device cpu -O2 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s
# RUN: %kiln run %s rounds --arg 'zeros(Int64, 1)' --arg 3 --threads 1 --device cpu -O0 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s
# CHECK: values -70
function rounds(o, n)
    out = 0; x = 8; y = 3; z = 4
    i = 0
    while i < 3
        if out + out < i
            out += ((i < out ? out : (n < i ? z : x)) - mod(mod(x * i, 97) * x, 97))
        end
        i += 1
    end
    j = 0
    while j < 3
        out += 2
        c = 0
        while c < 1
            c += 1
            x = ((mod(y * out, 97) - (j + y)) != (x - mod(j * j, 97)) ? (y + 7 - z) : j)
        end
        j += 1
    end
    @inbounds o[1] = out + n
    return
end

# A region that may go on to the loop or past it must not overwrite what the loop's end hands on. CPython gives 11.
# RUN: %kiln run %s handed_on --arg 'zeros(Int64, 1)' --arg 3 --threads 1 --device cpu -O2 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=HANDED
# RUN: %kiln run %s handed_on --arg 'zeros(Int64, 1)' --arg 3 --threads 1 --device cpu -O0 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=HANDED
# HANDED: values 11
function handed_on(o, n)
    out = 0; x = 4; y = 6; z = 0
    i = 0
    while i < 1
        z = i
        j = 0
        while j < 2
            out += j
            j += 1
        end
        i += 1
    end
    if y < z
        r = Base.srem_int(n, 97)
        y += r != 0 && (r ⊻ 97) < 0 ? r + 97 : r
    end
    if out != 8
        z = y
        i = 0
        while i < 1
            out += x
            i += 1
        end
    end
    @inbounds o[1] = out + z
    return
end
