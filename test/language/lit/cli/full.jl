# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Output that a full device does not take is an error with words, for every command that prints.
# REQUIRES: programs
# RUN: %status 3 bash -c "%kiln script --device cpu %s > /dev/full" 2>&1 | %filecheck %s
# RUN: %status 3 bash -c "echo 'println(1)' | %kiln repl --device cpu > /dev/full" 2>&1 | %filecheck %s
# RUN: %status 3 bash -c "%kiln compile %s 'f(Int64)' > /dev/full" 2>&1 | %filecheck %s
# RUN: %status 3 bash -c "%kiln compile %s 'f(Int64)' --timings=json:- -o %t.s > /dev/full" 2>&1 | %filecheck %s
# RUN: %status 3 bash -c "%kiln run %s f --no-kernel --arg 1 > /dev/full" 2>&1 | %filecheck %s
# RUN: %status 3 bash -c "%kiln doctor > /dev/full" 2>&1 | %filecheck %s
# RUN: %status 3 bash -c "%kiln --help > /dev/full" 2>&1 | %filecheck %s
# RUN: %status 3 bash -c "%kiln script --help > /dev/full" 2>&1 | %filecheck %s
# RUN: %status 3 bash -c "%kiln --version > /dev/full" 2>&1 | %filecheck %s
# CHECK-COUNT-1: error[300]: cannot write to standard output: No space left on device
# CHECK-NOT: cannot write
#
# A report on standard error that is lost is an error too; words of no result are not.
# RUN: %status 3 bash -c "%kiln compile %s 'f(Int64)' --timings -o %t.s 2> /dev/full"
# RUN: bash -c "%kiln script --device cpu %s 2> /dev/full" | %filecheck %s --check-prefix=PRINTED
# PRINTED: printed
#
# A program that failed keeps its own status.
# RUN: %status 1 bash -c "%kiln script --device cpu %S/inputs/fails.jl > /dev/full" 2>&1 | %filecheck %s --check-prefix=FAILED
# FAILED: mine
# FAILED: error[300]: cannot write to standard output

f(x) = x + 1
println("printed")
@warn "careful"
