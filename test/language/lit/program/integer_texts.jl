# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Texts and digits of integers, and loops over the bytes and characters of strings, interpreted and compiled. Sums and counts are computed
# in Python; the others follow from Julia's documentation of digits, ndigits and string.
#
# RUN: env KILN_LOG=debug %kiln script --device cpu %s > %t.out 2> %t.err
# RUN: %filecheck %s --match-full-lines < %t.out
# RUN: %filecheck %s --check-prefix=COMPILED < %t.err
#      CHECK: [0] [3, 2, 1] [-3, -2, -1] [15, 15] [5, 0, 0, 0] UInt8[0x00, 0x05, 0x02]
println(digits(0), " ", digits(123), " ", digits(-123), " ", digits(255; base=16), " ", digits(5; pad=4), " ", digits(UInt8, 250))
# 7 = 16 - 8 - 2 + 1, -7 = -27 + 2 * 9 + 2
# CHECK-NEXT: [1, 1, 0, 1, 1] [2, 0, 2, 1] Int8[0, 1, 0, 1, 0, 0] [1]
println(digits(7; base=-2), " ", digits(-7; base=-3), " ", digits(Int8, 10; base=2, pad=6), " ", digits(true))
# CHECK-NEXT: 1 1 2 8 5 19 3 6
println(join([ndigits(0), ndigits(9), ndigits(-10), ndigits(255; base=2), ndigits(7; base=-2), ndigits(typemin(Int64)), ndigits(0x80; base=7), ndigits(3; pad=6)], " "))
# CHECK-NEXT: ff -00000101 z Z zz -9223372036854775808 18446744073709551615 -3
println(join([string(255; base=16), string(-5; base=2, pad=8), string(61; base=62), string(35; base=62), string(1295; base=36), string(typemin(Int64)), string(typemax(UInt64)), string(Int128(-3))], " "))
# CHECK-NEXT: ArgumentError DomainError DomainError
println(join([try f(); catch e; typeof(e) end for f in (() -> string(5; base=1), () -> digits(5; base=1), () -> ndigits(5; base=0))], " "))
function palindromes(n)
    count = 0
    for k in 1:n
        s = string(k)
        same = true
        for l in 1:length(s)÷2
            s[l] == s[end-l+1] || (same = false; break)
        end
        count += same
    end
    return count
end
digit_sums(n) = sum(k -> sum(digits(k)), 1:n)
function letters(n)
    count = 0
    for k in 1:n, c in string(k; base=16)
        count += c in ('a', 'e')
    end
    return count
end
bytes(s, n) = sum(k -> s[k % 7 + 1] == 'l' ? Int(codeunit(s, k % 7 + 1)) : 1, 1:n)
# CHECK-NEXT: 108 1098 45 2250001 32 22730 442 6314408
println(join([palindromes(999), palindromes(100_000), digit_sums(9), digit_sums(100_000), letters(255) ÷ 2, letters(50_000), bytes("hello w", 14), bytes("hello w", 200_000)], " "))
# COMPILED-DAG: palindromes(::Int64) runs as compiled code
# COMPILED-DAG: letters(::Int64) runs as compiled code
function late(s, n)
    count = 0
    for k in 1:n
        count += s[k < n ? 1 : 3] == 'x'
    end
    return count
end
# CHECK-NEXT: StringIndexError: invalid index [3], valid nearby indices [2]=>'é'
println(sprint(showerror, try late("aé", 3_000_000) catch e; e end))
# CHECK-NEXT: BoundsError: attempt to access 2-codeunit String at index [3]
println(sprint(showerror, try late("ab", 3_000_000) catch e; e end))
