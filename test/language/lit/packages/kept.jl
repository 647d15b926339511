# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A package is opened by its index in the second process: what waits is defined when it is asked for, with the same results.
#
# RUN: rm -rf %t.cache %t.packages && cp -r %S/inputs/kept %t.packages
# RUN: %kiln script -vv --load-path %t.packages --cache %t.cache %s > %t.first 2> %t.first_log
# RUN: %filecheck %s < %t.first
# RUN: not grep 'opened by its index' %t.first_log
# RUN: %kiln script -vv --load-path %t.packages --cache %t.cache %s > %t.second 2> %t.second_log
# RUN: diff %t.first %t.second
# RUN: %filecheck %s --check-prefix=FOLLOWS < %t.second_log
# FOLLOWS: `Kept` is opened by its index: {{[0-9]+}} statements of 2 files wait
#
# Another text of a file that it includes is another package.
# RUN: sed -i 's/x \* y/x * y + 1000/' %t.packages/Kept/src/area.jl
# RUN: %kiln script -vv --load-path %t.packages --cache %t.cache %s 2>&1 | %filecheck %s --check-prefix=CHANGED
# CHANGED-NOT: opened by its index
# CHANGED: area 1012 1025
# RUN: %kiln script -vv --load-path %t.packages --cache %t.cache %s 2>&1 | %filecheck %s --check-prefix=AGAIN
# AGAIN: opened by its index
# AGAIN: area 1012 1025
#
# Wherever it lies.
# RUN: rm -rf %t.moved && mv %t.packages %t.moved
# RUN: %kiln script -vv --load-path %t.moved --cache %t.cache %s 2>&1 | %filecheck %s --check-prefix=AGAIN
#
# Nothing kept, nothing lost; damaged entries are dropped.
# RUN: %kiln script -vv --load-path %t.moved --no-cache %s 2>&1 | %filecheck %s --check-prefix=CHANGED
# RUN: find %t.cache/v1 -type f -size +64c -exec sh -c 'printf X | dd of="$1" bs=1 seek=70 conv=notrunc status=none' _ {} ';'
# RUN: %kiln script --load-path %t.moved --cache %t.cache %s 2>/dev/null | %filecheck %s --check-prefix=CHANGED

using Kept

println("plain ", plain(1), " ", plain(1.0), " ", plain(Int8(1)))
# CHECK: plain 2 11.0 101
println("pair ", Pair2(1, 2) + Pair2(3), " ", Pair2(2, 5)(10), " ", Pair2(1.5))
# CHECK: pair <4 5> 25 <1.5 1.5>
println("keyword ", keyword(3), " ", keyword(3; scale=10), " ", keyword(3; offset=0))
# CHECK: keyword 9 33 6
println("made ", Kept.made_2(5), " ", made_3(5), " ", Kept.made_4(5))
# CHECK: made 10 15 20
println("counted ", counted(Val(1)), " ", counted(Val(2)), " ", counted(Val(3)))
# CHECK: counted 1 4 9
println("order ", Kept.order)
# CHECK: order [11, 12, 13]
println("grown ", grown(1), " ", grown(1, 2))
# CHECK: grown 4 6
println("nested ", nested_value(2), " ", greeting(), " ", greeting(7))
# CHECK: nested 12 three new 7
println("inner ", Kept.adder(3)(4), " ", Inner.helper(1), " ", Inner.adder(1)(1))
# CHECK: inner 7 0 2
println("area ", area(3, 4), " ", area(5))
# CHECK: area 12 25
Kept.plain(x::String) = x * "!"         # a method of the program's for a function that waits
println("same ", same(3))
# CHECK: same 3 of Kept
println("own ", plain("a"), " ", plain(2))
# CHECK: own a! 3
