# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A cubin with lines is the same bytes wherever it is assembled: no assembler writes when the source file was changed.
# REQUIRES: nvjitlink, ptxas
#
# RUN: rm -rf %t && mkdir -p %t/a %t/b
# RUN: cp %s %t/a/k.jl && cp %s %t/b/k.jl && touch -d 2001-02-03 %t/b/k.jl
# RUN: cd %t/a && %kiln compile k.jl 'k(CuDeviceVector{Float32,1})' --target ptx -g1 | %filecheck %s
# CHECK: .file 1 "k.jl", 1, 0
# RUN: cd %t/a && %kiln compile k.jl 'k(CuDeviceVector{Float32,1})' --target ptx -g1 --emit cubin -o %t/a1
# RUN: cd %t/b && %kiln compile k.jl 'k(CuDeviceVector{Float32,1})' --target ptx -g1 --emit cubin -o %t/b1
# RUN: cmp %t/a1 %t/b1
# RUN: cd %t/a && %kiln compile k.jl 'k(CuDeviceVector{Float32,1})' --target ptx -g2 --emit cubin -o %t/a2
# RUN: cd %t/b && %kiln compile k.jl 'k(CuDeviceVector{Float32,1})' --target ptx -g2 --emit cubin -o %t/b2
# RUN: cmp %t/a2 %t/b2
# RUN: cd %t/a && env KILN_ASSEMBLER=ptxas %kiln compile k.jl 'k(CuDeviceVector{Float32,1})' --target ptx -g1 --emit cubin -o %t/a3
# RUN: cd %t/b && env KILN_ASSEMBLER=ptxas %kiln compile k.jl 'k(CuDeviceVector{Float32,1})' --target ptx -g1 --emit cubin -o %t/b3
# RUN: cmp %t/a3 %t/b3

using CUDA

function k(y)
    @inbounds y[threadIdx().x] += 1f0
    return
end
