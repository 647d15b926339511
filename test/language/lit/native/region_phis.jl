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

# A value that is read behind the loop must not share the array of the loop's variable, which begins with it and
# then changes. CPython gives 1.
# RUN: %kiln run %s read_later --arg 'zeros(1)' --arg 2.5 --arg 5 --threads 1 --device cpu -O2 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=LATER
# RUN: %kiln run %s read_later --arg 'zeros(1)' --arg 2.5 --arg 5 --threads 1 --device cpu -O0 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=LATER
# LATER: values 1.0{{$}}
function count_up(p, q)
    if p < 1
        return rem(p * 2, 11.0)
    end
    while p < 5
        p += 0.5
    end
    return q
end
function read_later(o, y, n)
    c = 0.5
    if y < 3 && y > -3 && y <= n && n != 0
        c = 1.0
    end
    r = count_up(c, 1.0)
    count_up(3.0, r)
    @inbounds o[1] = c
    return
end

# A loop's last block stores the next value of a variable, whether or not the loop goes on. What reads the variable
# behind the loop needs the value of before. CPython gives 2579, 3093, 3607 and 4121 for the four threads.
# RUN: %kiln run %s passed_by --arg 'zeros(Int64, 4)' --arg 'Int64[1,2,3,4]' --arg 3 --threads 4 --device cpu -O2 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=PASSED
# RUN: %kiln run %s passed_by --arg 'zeros(Int64, 4)' --arg 'Int64[1,2,3,4]' --arg 3 --threads 4 --device cpu -O0 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=PASSED
# PASSED: values 2579 3093 3607 4121
function passed_by(o, x, n)
    t = threadIdx().x
    p = x[t]
    i = 0
    @label top
    sync_threads()
    q = 3p + x[5 - t]
    i += 1
    if i < n
        p = q
        @goto top
    end
    o[t] = 100p + q
    return
end

# Two values that one phi joins cannot both be stored in its array where they are made. With n = 3 the first one
# is stored, so the result is 1, 2, 3 and 4.
# RUN: %kiln run %s two_values --arg 'zeros(Int64, 4)' --arg 'Int64[1,2,3,4]' --arg 3 --threads 4 --device cpu -O2 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=TWO
# RUN: %kiln run %s two_values --arg 'zeros(Int64, 4)' --arg 'Int64[1,2,3,4]' --arg 3 --threads 4 --device cpu -O0 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=TWO
# TWO: values 1 2 3 4
function two_values(o, x, n)
    t = threadIdx().x
    first = x[t]
    sync_threads()
    second = x[5 - t]
    sync_threads()
    if n > 2
        sync_threads()
        joined = first
    else
        sync_threads()
        joined = second
    end
    o[t] = joined
    return
end
