# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What a package cannot load is told once, by its name and place, and what does not depend on it works.
#
# RUN: %kiln run %s fills --load-path %S/inputs/faulty --arg 'zeros(Int64, 1)' --device cpu --out 1=%t.npy 2>&1 | %filecheck %s
# CHECK-DAG: warning: {{.*}}Faulty.jl:4:{{[0-9]+}}: the package `Faulty` is loaded without 1 of its definitions and statements: UndefVarError: `NoSuchType` not defined
# CHECK-DAG: warning: {{.*}}Faulty.jl:7:{{[0-9]+}}: `__init__` of the package `Faulty` ends in UndefVarError: `no_such_function_at_all` not defined
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=VALUES
# VALUES: values 3
#
# Two packages that need each other.
# RUN: %status 0 %kiln compile %S/inputs/uses_First.jl 'f(Int64)' --load-path %S/inputs/cycle --no-kernel -o %t.s 2>&1 | %filecheck %s --check-prefix=CYCLE
# CYCLE: warning: {{.*}}Second.jl:2:7: {{.*}}packages need each other: `First` needs `Second` needs `First`
#
# Two packages of one name: the first is loaded, the second is missing, and the rest works.
# RUN: %kiln run %S/inputs/uses_twins.jl f --project %S/inputs/twins --arg 'zeros(Int64, 2)' --device cpu --out 1=%t.npy 2>&1 | %filecheck %s --check-prefix=TWINS
# TWINS: warning: {{.*}}B.jl:2:7: the package `Q` is not known, so what it defines is missing: two packages are named `Q`: {{.*}}Q1/src/Q.jl is loaded, and here {{.*}}Q2/src/Q.jl is meant; a program has one of a name
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=BOTH
# BOTH: values 1 5

using Faulty
fills(o) = (o[1] = works_too(1); nothing)
