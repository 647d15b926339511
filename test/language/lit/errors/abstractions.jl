# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What @kernel and @index do not take.
#
# RUN: printf '@kernel fast = true function f(A)\n A[1] = 1\nend\n' > %t.option.jl
# RUN: %status 1 %kiln compile %t.option.jl 'f(CuDeviceVector{Int,1})' 2>&1 | %filecheck %s --check-prefix=OPTION
# OPTION: option.jl:1:9: syntax error[101]: @kernel takes unsafe_indices, inbounds or cpu = true or false, not `fast = true`
# RUN: printf '@kernel function f(A)\n A[@index(Everywhere)] = 1\nend\n' > %t.index.jl
# RUN: %status 1 %kiln compile %t.index.jl 'f(CuDeviceVector{Int,1})' 2>&1 | %filecheck %s --check-prefix=INDEX
# INDEX: index.jl:2:4: InvalidIRError[122]: unsupported: @index takes Global, Local or Group first
# A launch gives no keyword arguments, so a kernel's defaults hold.
# RUN: printf '@kernel function f(A; b = 7)\n A[1] = b\nend\n' > %t.keyword.jl
# RUN: %kiln run %t.keyword.jl f --arg 'zeros(Int, 1)' --ndrange 1 --workgroupsize 1 --out 1=%t.npy && %npy show %t.npy | %filecheck %s --check-prefix=KEYWORD
# KEYWORD: values 7
#
# Memory of a group is allocated before the body's statements run: its size is known when the kernel is compiled.
# RUN: printf '@kernel function f(A)\n n = length(A)\n s = @localmem Float32 (n,)\n s[1] = 1\nend\n' > %t.late.jl
# RUN: %status 1 %kiln compile %t.late.jl 'f(CuDeviceVector{Int,1})' --workgroupsize 4 --ndrange 4 2>&1 | %filecheck %s --check-prefix=LATE
# LATE: late.jl:3:25: InvalidIRError[122]: unsupported: a size that is known when the kernel runs: {{.*}}one of them assigns `n`
# RUN: printf '@kernel function f(A, n)\n s = @localmem Float32 (n,)\n s[1] = 1\nend\n' > %t.run.jl
# RUN: %status 1 %kiln compile %t.run.jl 'f(CuDeviceVector{Int,1}, Int)' --workgroupsize 4 --ndrange 4 2>&1 | %filecheck %s --check-prefix=SIZE
# SIZE: run.jl:2:6: InvalidIRError[127]: TypeError: Val{...}: a parameter of a type must be known when the kernel is compiled
