# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# PTX, cubins and LTO-IR that nvJitLink puts together with the job's PTX; ptxas alone cannot.
# REQUIRES: nvjitlink, ptxas
#
# RUN: %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx -g0 --link %S/inputs/tripled.ptx | %filecheck %s
# CHECK: .extern .func (.param .b32 func_retval0) tripled
# CHECK: call.uni (retval0), tripled,
# RUN: %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --emit resources --link %S/inputs/tripled.ptx | %filecheck %s --check-prefix=LINKED
# RUN: %ptxas -arch=sm_90 -c %S/inputs/tripled.ptx -o %t.cubin
# RUN: %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --emit resources --link %t.cubin | %filecheck %s --check-prefix=LINKED
# LINKED: assembler: nvJitLink
# LINKED-NEXT: registers: {{[1-9][0-9]*}} a thread
#
# LTO-IR, which is made code together with the rest.
# RUN: %if nvcc %{ %nvcc -dlto -ltoir -arch=sm_90 -rdc=true %S/inputs/tripled.cu -o %t.ltoir %}
# RUN: %if nvcc %{ %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --emit resources --link %t.ltoir | %filecheck %s --check-prefix=LINKED %}
#
# The function is there: no file, no link.
# RUN: %status 1 %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --emit cubin -o %t.none 2>&1 | %filecheck %s --check-prefix=UNKNOWN
# RUN: %status 1 %kiln compile %s 'other(CuDeviceVector{Float32,1})' --target ptx --emit cubin -o %t.none --link %S/inputs/tripled.ptx 2>&1 | %filecheck %s --check-prefix=UNKNOWN
# UNKNOWN: InvalidIRError[121]: unsupported call to an unknown function (call to tri{{.*}})
#
# RUN: %status 3 env KILN_ASSEMBLER=ptxas %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --emit cubin -o %t.none --link %S/inputs/tripled.ptx 2>&1 | %filecheck %s --check-prefix=ALONE
# ALONE: error[300]: {{.*}}tripled.ptx cannot be linked: ptxas {{.*}} assembles one text and links nothing
# ALONE: hint: libnvJitLink
#
# RUN: sed 's/mul.f32/spam.f32/' %S/inputs/tripled.ptx > %t.bad.ptx
# RUN: %status 1 %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --emit cubin -o %t.none --link %t.bad.ptx 2>&1 | %filecheck %s --check-prefix=BAD
# BAD: AssemblerError[124]: {{.*}}bad.ptx{{.*}}
#
# RUN: not ls %t.none

using CUDA

function triple(y)
    @inbounds y[1] = ccall("extern tripled", llvmcall, Float32, (Float32,), y[1])
    return
end

function other(y)
    @inbounds y[1] = ccall("extern tripledd", llvmcall, Float32, (Float32,), y[1])
    return
end
