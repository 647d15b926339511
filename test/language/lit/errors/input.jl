# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is wrong with the program or its input ends with status 1 and a place.
#
# RUN: %status 1 %kiln compile %t.none.jl 'f(Int64)' 2>&1 | %filecheck %s --check-prefix=NOFILE
# NOFILE: error[100]: cannot read {{.*}}.none.jl: No such file or directory
#
# RUN: echo 'function g(x' > %t.bad.jl
# RUN: %status 1 %kiln compile %t.bad.jl 'g(Int64)' 2>&1 | %filecheck %s --check-prefix=SYNTAX
# SYNTAX: .bad.jl:{{[0-9]+:[0-9]+}}: syntax error[101]:
# SYNTAX: {{\^}}
#
# RUN: %status 1 %kiln compile %s 'g(Int64)' 2>&1 | %filecheck %s --check-prefix=NOFUNCTION
# NOFUNCTION: job:1:1: {{.*}}g
#
# RUN: %status 1 %kiln compile %s 'f(Int64, Int64)' 2>&1 | %filecheck %s --check-prefix=METHOD
# METHOD: MethodError[102]: no method matching f(::Int64, ::Int64)
# METHOD: note: candidate:
#
# RUN: %status 1 %kiln compile %s 'f(Number)' 2>&1 | %filecheck %s --check-prefix=ABSTRACT
# ABSTRACT: TypeError[105]: {{.*}}Number is not a concrete type
#
# RUN: %status 1 %kiln run %s f --no-kernel --arg 'no_such_name + 1' 2>&1 | %filecheck %s --check-prefix=ARG
# ARG: --arg 1:1:1: {{.*}}no_such_name
# RUN: %status 1 %kiln run %s f --no-kernel --arg '(1' 2>&1 | %filecheck %s --check-prefix=ARGSYNTAX
# ARGSYNTAX: --arg 1:1:{{[0-9]+}}: syntax error
#
# RUN: %status 1 %kiln run %s f --no-kernel --arg @%t.none.npy 2>&1 | %filecheck %s --check-prefix=NONPY
# NONPY: cannot read {{.*}}.none.npy: No such file or directory
# RUN: echo spam > %t.npy
# RUN: %status 1 %kiln run %s f --no-kernel --arg @%t.npy 2>&1 | %filecheck %s --check-prefix=BADNPY
# BADNPY: .npy: no NumPy file

f(x) = x
