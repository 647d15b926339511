# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Files of the user's that are linked into a job: LLVM's text and bitcode into its module, only what is called.
#
# RUN: %llvm_as %S/inputs/halves.ll -o %t.halves.bc
# RUN: %kiln compile %s 'halve(CuDeviceVector{Float32,1})' --target ptx -g0 --link %t.halves.bc | %filecheck %s --check-prefix=HALF
# HALF-NOT: nobody_calls
# HALF-NOT: host_sets
# HALF-NOT: tripled
# HALF: .visible .entry _Z5halve
# HALF: call.uni (retval0), scaled,
# HALF: .func (.param .b32 func_retval0) scaled(
# HALF: mul.f32 {{.*}}, 0f3F000000;
# HALF-NOT: nobody_calls
#
# One file may need another, in either order; it may call libdevice.
# RUN: %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx -g0 --link %t.halves.bc --link %S/inputs/tripled.ll > %t.1.ptx
# RUN: %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx -g0 --link %S/inputs/tripled.ll --link %t.halves.bc > %t.2.ptx
# RUN: cmp %t.1.ptx %t.2.ptx
# RUN: %filecheck %s --check-prefix=TRIPLE < %t.1.ptx
# TRIPLE-NOT: call
# TRIPLE: fma.rn.f32 {{.*}}, 0f40400000, 0f3F800000;
#
# A variable that the host sets keeps its name.
# RUN: %kiln compile %s 'set(CuDeviceVector{Int32,1})' --target ptx -g0 --link %t.halves.bc | %filecheck %s --check-prefix=SET
# SET: .visible .global .align 4 .u32 host_sets = 7;
# SET: ld.global.b32 {{.*}}, [host_sets];
#
# The same on the CPU, with values.
# RUN: %npy write %t.x.npy '<f4' '(4,)' 1 2 3 4
# RUN: %kiln run --device cpu %s triple --arg @%t.x.npy --threads 4 --out 1=%t.y.npy --link %t.halves.bc --link %S/inputs/tripled.ll
# RUN: %npy show %t.y.npy | %filecheck %s --check-prefix=VALUES
# VALUES: 4.0 7.0 10.0 13.0
#
# What nobody defines, and bad files.
# RUN: %status 1 %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --link %t.halves.bc 2>&1 | %filecheck %s --check-prefix=MISSING
# MISSING: link.jl:[[@LINE+31]]:{{[0-9]+}}: InvalidIRError[121]: unsupported call to an unknown function (call to tripled)
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1})' --target ptx --link %t.halves.bc 2>&1 | %filecheck %s --check-prefix=TYPES
# TYPES: error[100]: the function 'half_of' of {{.*}}.halves.bc is called with other types than it has: as double (float), and it is float (float)
# RUN: %llvm_as %S/inputs/x86.ll -o %t.x86.bc
# RUN: %status 1 %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --link %t.x86.bc 2>&1 | %filecheck %s --check-prefix=TRIPLEERROR
# RUN: %status 1 %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --link %S/inputs/x86.ll 2>&1 | %filecheck %s --check-prefix=TRIPLEERROR
# TRIPLEERROR: error[100]: {{.*}}x86.{{bc|ll}} cannot be linked: it is for x86_64-pc-linux-gnu, and the job for nvptx64-nvidia-cuda
# TRIPLEERROR: hint: compile it for nvptx64
# RUN: head -c 400 %t.halves.bc > %t.half.bc
# RUN: %status 1 %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --link %t.half.bc 2>&1 | %filecheck %s --check-prefix=HALFFILE
# HALFFILE: error[100]: reading the library {{.*}}half.bc: {{.+}}
# RUN: %status 1 %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --link %s 2>&1 | %filecheck %s --check-prefix=KIND
# KIND: error[100]: {{.*}}link.jl cannot be linked: it is neither LLVM bitcode or text, nor PTX, a cubin, LTO-IR, a fatbin, an object or an archive
# RUN: echo 'define float @tripled(floaty %%x) { ret float 0.0 }' > %t.bad.ll
# RUN: %status 1 %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --link %t.bad.ll 2>&1 | %filecheck %s --check-prefix=SYNTAX
# SYNTAX: syntax error[101]: {{.*}}bad.ll:1:23: expected type
# RUN: %status 1 %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --link %t.nowhere 2>&1 | %filecheck %s --check-prefix=NOWHERE
# NOWHERE: error[100]: cannot read {{.*}}nowhere: No such file or directory
# RUN: %status 1 %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --link %S/inputs/tripled.ptx 2>&1 | %filecheck %s --check-prefix=NATIVE
# NATIVE: error[100]: {{.*}}tripled.ptx cannot be linked into a job for the CPU: it is code for GPUs or an object; the CPU takes LLVM bitcode or text

using CUDA

function halve(y)
    i = threadIdx().x
    @inbounds y[i] = ccall("extern half_of", llvmcall, Float32, (Float32,), y[i])
    return
end

function triple(y)
    i = threadIdx().x
    @inbounds y[i] = ccall("extern tripled_and_one", llvmcall, Float32, (Float32,), y[i])
    return
end

function set(y)
    @inbounds y[1] = ccall("extern setting", llvmcall, Int32, ())
    return
end

function wrong(y)
    @inbounds y[1] = ccall("extern half_of", llvmcall, Float64, (Float32,), y[1])
    return
end
