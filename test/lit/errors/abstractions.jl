# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What @kernel and @index do not take.
#
# RUN: printf '@kernel fast = true function f(A)\n A[1] = 1\nend\n' > %t.option.jl
# RUN: %status 1 %kiln compile %t.option.jl 'f(CuDeviceVector{Int,1})' 2>&1 | %filecheck %s --check-prefix=OPTION
# OPTION: option.jl:1:9: syntax error: @kernel takes unsafe_indices, inbounds or cpu = true or false, not `fast = true`
# RUN: printf '@kernel function f(A)\n A[@index(Everywhere)] = 1\nend\n' > %t.index.jl
# RUN: %status 1 %kiln compile %t.index.jl 'f(CuDeviceVector{Int,1})' 2>&1 | %filecheck %s --check-prefix=INDEX
# INDEX: index.jl:2:4: InvalidIRError: unsupported: @index takes Global, Local or Group first
# A launch gives no keyword arguments, so a kernel's defaults hold.
# RUN: printf '@kernel function f(A; b = 7)\n A[1] = b\nend\n' > %t.keyword.jl
# RUN: %kiln run %t.keyword.jl f --arg 'zeros(Int, 1)' --ndrange 1 --workgroupsize 1 --out 1=%t.npy && %npy show %t.npy | %filecheck %s --check-prefix=KEYWORD
# KEYWORD: values 7
