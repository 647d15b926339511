# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Statements of a package run when it is loaded, in programs and for kernels; those that fail are told once, and the others go on.
#
# RUN: %kiln script --load-path %S/inputs/macros --no-cache %s > %t.out 2> %t.log
# RUN: %filecheck %s < %t.out
# RUN: %filecheck %s --check-prefix=TOLD < %t.log
# TOLD: warning: {{.*}}Rules.jl:8:1: the package `Rules` is loaded without 2 of its definitions and statements: UndefVarError: `nothing_of_that_name` not defined in `Rules`; -vv tells the others
# RUN: %kiln script -vv --load-path %S/inputs/macros --no-cache %s 2>&1 | %filecheck %s --check-prefix=ALL
# ALL: Rules.jl:9:1: {{.*}}stop here
# RUN: %kiln run %S/inputs/uses_rules.jl k --arg 'zeros(Int64, 2)' --load-path %S/inputs/macros --no-cache --device cpu --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=KERNEL
# KERNEL: values 14 103

using Rules
println(late(4), " ", count_of(1), " ", Rules.table[:k3], " ", Rules.made_by_eval(1))
# CHECK: 8 5 3 101
