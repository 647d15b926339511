# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln advise as a program: forms of its result, exit statuses, what it refuses.
# RUN: %status 0 %kiln advise %s 'k(CuDeviceVector{Float32,1})' --json | %filecheck %s --check-prefix=JSON
# JSON: {"advice":[{"rule":"wide-float","file":"{{.*}}usage.jl","line":43,"column":41,"message":"the literal 0.1 makes this Float64 {{.*}}","hint":"write 0.1f0","stack":[{"function":"k","file":"{{.*}}usage.jl","line":43,"column":{{[0-9]+}}}]}],"not_checked":[
# RUN: %status 0 %kiln advise %s 'none(CuDeviceVector{Float32,1})' --target native --json | %filecheck %s --check-prefix=NONE
# NONE: {"advice":[],"not_checked":["wide-integer, local-memory, spills, occupancy, stride, bank-conflict, lockstep, serial-products: they are about GPUs, and the target is a CPU"],"num_checked":2}
# RUN: %kiln advise %s 'k(CuDeviceVector{Float32,1})' -o %t.txt && %filecheck %s --check-prefix=FILE < %t.txt
# FILE: usage.jl:43:41: advice: the literal 0.1
# The same twice, and with the kernel in a host function.
# RUN: %kiln advise %s 'k(CuDeviceVector{Float32,1})' > %t.1 && %kiln advise %s 'k(CuDeviceVector{Float32,1})' > %t.2 && diff %t.1 %t.2
# RUN: %kiln advise %s 'host/inner(CuDeviceVector{Float32,1})' --capture 'c=2' | %filecheck %s --check-prefix=INNER
# INNER: usage.jl:50:42: advice: the literal 0.1
# Where there is no assembler, what needs one is not checked, and said.
# RUN: env KILN_CUDA_HOME=/nowhere %status 0 %kiln advise %s 'k(CuDeviceVector{Float32,1})' 2>&1 | %filecheck %s --check-prefix=ASSEMBLER
# ASSEMBLER: usage.jl:43:41: advice: the literal 0.1
# ASSEMBLER-NEXT: not checked: spills, occupancy: there is no assembler for PTX
# What compiling refuses, advising refuses.
# RUN: %status 1 %kiln advise %s 'k(Int64)' 2>&1 | %filecheck %s --check-prefix=METHOD
# METHOD: usage.jl:43:{{[0-9]+}}:
# RUN: %status 1 %kiln advise %s 'nobody(Int64)' 2>&1 | %filecheck %s --check-prefix=NOBODY
# NOBODY: nobody
# RUN: %status 1 %kiln advise %s 'plain(Float32)' 2>&1 | %filecheck %s --check-prefix=KERNEL
# KERNEL: KernelError[126]: kernel returns a value of type `Float32`
# RUN: %status 1 %kiln advise %t.missing.jl 'k(Int64)' 2>&1 | %filecheck %s --check-prefix=MISSING
# MISSING: missing.jl
# RUN: %status 2 %kiln advise %s 2>&1 | %filecheck %s --check-prefix=CALL
# CALL: usage error[200]: advise takes files and then a call: kiln advise FILE.jl... 'f(T1, T2)'
# RUN: %status 2 %kiln advise %s 'k(CuDeviceVector{Float32,1})' --emit asm 2>&1 | %filecheck %s --check-prefix=EMIT
# EMIT: usage error[200]: advise has one result: leave --emit out
# RUN: %status 2 %kiln advise %s 'k(CuDeviceVector{Float32,1})' -g0 2>&1 | %filecheck %s --check-prefix=DEBUG
# DEBUG: usage error[200]: advice names places in the source: the job needs debug information, so leave -g0
# RUN: %status 2 %kiln advise %s 'k(CuDeviceVector{Float32,1})' -O0 2>&1 | %filecheck %s --check-prefix=LEVEL
# LEVEL: usage error[200]: advice is about optimised code: leave -O0
# RUN: %status 2 %kiln advise %s 'k(CuDeviceVector{Float32,1})' --target tpu 2>&1 | %filecheck %s --check-prefix=TARGET
# TARGET: usage error[200]: --target takes native, ptx or spirv, not `tpu`
# RUN: %status 1 %kiln advise %s 'k(CuDeviceVector{Float32,1})' -o /nowhere/x.txt 2>&1 | %filecheck %s --check-prefix=WRITE
# WRITE: /nowhere
using CUDA

function k(y)
    i = threadIdx().x
    @inbounds y[i] = sqrt(y[i] * y[i] + 0.1)
    return
end

function host(c)
    function inner(y)
        i = threadIdx().x
        @inbounds y[i] = sqrt(y[i] * c + 0.1)
        return
    end
    return inner
end

function none(y)
    i = threadIdx().x
    @inbounds y[i] = 1f0
    return
end

plain(x) = x
# An assembler that does not take the architecture, as CUDA 13's none before sm_75: what needs none is told all the same. (Where the toolkit is older,
# it takes sm_52, and nothing is left out.)
# RUN: %status 0 %kiln advise %s 'k(CuDeviceVector{Float32,1})' --arch sm_52 2>&1 | %filecheck %s --check-prefix=OLD
# OLD: usage.jl:43:41: advice: the literal 0.1 makes this Float64 arithmetic on narrower values, of which sm_52 does 1/32 as many
# What the assembler says is about kernels.
# RUN: %status 0 %kiln advise %s 'plain(Float64)' --no-kernel 2>&1 | %filecheck %s --check-prefix=FUNCTION
# FUNCTION-NOT: spills
# FUNCTION: not checked: spills, occupancy: they are a kernel's, and this is a function that kernels call
# Nothing found: standard output stays empty, and a note has the number of rules that were asked.
# RUN: %kiln advise %s 'none(CuDeviceVector{Float32,1})' --target native 2>&1 >/dev/null | %filecheck %s --check-prefix=NOTHING
# NOTHING: kiln: info: nothing found by 2 rules
# RUN: env KILN_CUDA_HOME=/nowhere %kiln advise %s 'none(CuDeviceVector{Float32,1})' 2>&1 >/dev/null | %filecheck %s --check-prefix=EIGHT
# EIGHT: kiln: info: nothing found by 8 rules
# RUN: %kiln advise %s 'none(CuDeviceVector{Float32,1})' --target native --quiet 2>&1 >/dev/null | %empty
