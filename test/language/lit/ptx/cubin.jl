# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# PTX to cubins, by nvJitLink in this process and by ptxas: the same resources; complaints with the source line.
# REQUIRES: ptxas
#
# RUN: %kiln compile %s "sums(CuDeviceVector{Float32,1})" --target ptx --emit resources | %filecheck %s --check-prefixes=BOTH,LIBRARY
# RUN: env KILN_ASSEMBLER=ptxas %kiln compile %s "sums(CuDeviceVector{Float32,1})" --target ptx --emit resources | %filecheck %s --check-prefixes=BOTH,PROGRAM
# BOTH: kernel: _Z4sums
# BOTH-NEXT: architecture: sm_90
# LIBRARY-NEXT: assembler: {{nvJitLink|ptxas}} {{[0-9]+\.[0-9]+}}
# PROGRAM-NEXT: assembler: ptxas {{[0-9]+\.[0-9]+}}
# BOTH-NEXT: registers: {{[1-9][0-9]*}} a thread
# BOTH-NEXT: stack: 0 bytes a thread
# BOTH-NEXT: spills: 0 bytes stored, 0 loaded a thread
# BOTH-NEXT: shared memory: 1024 bytes a block, static
# BOTH-NEXT: constant bank 0: {{[1-9][0-9]*}} bytes
# BOTH-NEXT: barriers: 1 a block
# BOTH-NEXT: cubin: {{[1-9][0-9]*}} bytes
# BOTH: occupancy at 1024 threads a block: 100 %, 2 blocks of a multiprocessor, limited by {{.*}}
#
# RUN: %kiln compile %s "sums(CuDeviceVector{Float32,1})" --target ptx --maxthreads 256 --maxregs 16 --emit resources | %filecheck %s --check-prefix=BOUNDS
# BOUNDS: registers: {{1?[0-9]}} a thread
# BOUNDS: occupancy at 256 threads a block: 100 %, 8 blocks of a multiprocessor, limited by warps
# BOUNDS-NOT: occupancy
#
# RUN: %kiln compile %s "sums(CuDeviceVector{Float32,1})" --target ptx --emit cubin -o %t.cubin
# RUN: %kiln compile %s "sums(CuDeviceVector{Float32,1})" --target ptx --emit cubin -o %t.again.cubin
# RUN: cmp %t.cubin %t.again.cubin
# RUN: %kiln compile %s "sums(CuDeviceVector{Float32,1})" --target ptx -g2 --emit cubin -o %t.debug.cubin
#
# RUN: %status 1 %kiln compile %s "wrong(CuDeviceVector{Int32,1})" --target ptx --emit cubin -o %t.wrong.cubin 2>&1 | %filecheck %s --check-prefix=WRONG
# WRONG: {{.*}}cubin.jl:[[@LINE+22]]:{{[0-9]+}}: AssemblerError[124]: Not a name of any known instruction: 'spam' ({{nvJitLink|ptxas}} {{.*}}, line {{[0-9]+}} of the PTX)
# RUN: not ls %t.wrong.cubin
#
# RUN: %kiln compile %s "spills(CuDeviceVector{Float64,1})" --target ptx --maxregs 24 --emit resources 2>&1 | %filecheck %s --check-prefix=SPILLS
# SPILLS: spills registers: {{[1-9][0-9]*}} bytes stored and {{[1-9][0-9]*}} loaded a thread, with 24 registers
using CUDA

function sums(y)
    s = CuStaticSharedArray(Float32, 256)
    i = threadIdx().x
    @inbounds s[i] = y[i]
    step = 128
    while step > 0
        sync_threads()
        i <= step && (@inbounds s[i] += s[i + step])
        step >>= 1
    end
    i == 1 && (@inbounds y[1] = s[1])
    return
end

function wrong(y)
    @inbounds y[1] = inline_assembly(Val(Symbol("spam.b32 \$0, \$1;")), Val(Symbol("=r,r")), Int32, Tuple{Int32}, y[2])
    return
end

function spills(y)
    t = ntuple(i -> (@inbounds y[i]), 32)
    sync_threads()
    u = ntuple(i -> t[i] * t[33 - i] + sqrt(t[i]), 32)
    for i in 1:32
        @inbounds y[i] = u[i] + t[mod1(i + 5, 32)]
    end
    return
end
