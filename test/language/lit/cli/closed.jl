# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Standard streams that are closed at the start: what is printed goes into no file, and a lost result is an error.
# REQUIRES: programs
# RUN: rm -rf %t && mkdir %t
# RUN: %status 3 bash -c "cd %t && %kiln script --device cpu --cache cache %s >&-" 2>&1 | %filecheck %s --check-prefix=OUT
# OUT: error[300]: cannot write to standard output: Bad file descriptor
# RUN: %filecheck %s --check-prefix=DATA < %t/mine.txt
# RUN: not grep -rl hello %t
# RUN: bash -c "cd %t && %kiln script --device cpu --cache other %s 2>&-" | %filecheck %s --check-prefix=HELLO
# HELLO: hello
# RUN: %filecheck %s --check-prefix=DATA < %t/mine.txt
# DATA-NOT: {{careful|hello}}
# DATA: data
# DATA-NOT: {{careful|hello}}
# RUN: not grep -rl careful %t
# RUN: bash -c "cd %t && %kiln script --device cpu --no-cache %s <&- 2>&-" | %filecheck %s --check-prefix=HELLO
# RUN: bash -c "cd %t && %kiln script --device cpu --no-cache %s <&- >&- 2>&-; test $? = 3"
# RUN: %filecheck %s --check-prefix=DATA < %t/mine.txt
#
# Nothing is printed, and nothing is lost.
# RUN: bash -c "cd %t && %kiln compile %s 'k(Int64)' -o k.s --cache third <&- >&- 2>&-"
# RUN: grep -q k %t/k.s

k(x) = x + 1
f = open("mine.txt", "w")
println("hello")
@warn "careful"
println(f, "data")
close(f)
