# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The entry's symbol is the mangled signature, or what --name says; launch bounds stand behind its parameters.
#
# RUN: %kiln compile %s 'kernel(CuDeviceMatrix{Float64,1}, Int64, Val{3})' --target ptx -g0 > %t.ptx
# RUN: %filecheck %s < %t.ptx
# CHECK: .visible .entry [[NAME:_Z6kernel13CuDeviceArrayI7Float64Ll2ELl1EE5Int643ValILl3EE]](
# CHECK-NEXT: .param .align 8 .b8 [[NAME]]_param_0[8],
# CHECK-NEXT: .param .align 8 .b8 [[NAME]]_param_1[40],
# CHECK-NEXT: .param .u64 [[NAME]]_param_2
# CHECK-NEXT: )
# A kernel without bounds says nothing about them.
# CHECK-NOT: .maxntid
# CHECK-NOT: .reqntid
# CHECK-NOT: .minnctapersm
# CHECK-NOT: .maxnreg
# CHECK: st.global
#
# RUN: %kiln compile %s 'kernel(CuDeviceMatrix{Float64,1}, Int64, Val{3})' --target ptx --name chosen_1 --maxthreads 32,8,2 --minblocks 4 --maxregs 64 | %filecheck %s --check-prefix=BOUNDS
# BOUNDS: .visible .entry chosen_1(
# BOUNDS: .maxntid 32, 8, 2
# BOUNDS: .minnctapersm 4
# BOUNDS: .maxnreg 64
# RUN: %kiln compile %s 'kernel(CuDeviceMatrix{Float64,1}, Int64, Val{3})' --target ptx --maxthreads 42 | %filecheck %s --check-prefix=LINE
# LINE: .maxntid 42
# LINE-NOT: .minnctapersm
# LINE-NOT: .maxnreg
#
# A plain function is a .func, and takes no state.
# RUN: %kiln compile %s 'twice(Int64)' --target ptx --no-kernel -g0 | %filecheck %s --check-prefix=PLAIN
# PLAIN-NOT: .entry
# PLAIN: .visible .func (.param .b64 func_retval0) twice(
# PLAIN-NEXT: .param .b64 twice_param_0
# PLAIN-NEXT: )
#
# What ptxas would not take is found before.
# RUN: %status 2 %kiln compile %s 'kernel(CuDeviceMatrix{Float64,1}, Int64, Val{3})' --target ptx --name 1st 2>&1 | %filecheck %s --check-prefix=SYMBOL
# RUN: %status 2 %kiln compile %s 'kernel(CuDeviceMatrix{Float64,1}, Int64, Val{3})' --target ptx --name a.b 2>&1 | %filecheck %s --check-prefix=SYMBOL
# SYMBOL: usage error[200]: the entry's name `{{1st|a.b}}` is no symbol: it is made of letters, digits, _ and $, and does not begin with a digit
# RUN: %status 2 %kiln compile %s 'kernel(CuDeviceMatrix{Float64,1}, Int64, Val{3})' --target ptx --maxthreads 2000 2>&1 | %filecheck %s --check-prefix=THREADS
# THREADS: usage error[200]: maxthreads 2000,1,1 is no shape of a block: {{.*}}their product at most 1024
# RUN: %status 2 %kiln compile %s 'kernel(CuDeviceMatrix{Float64,1}, Int64, Val{3})' --target ptx --maxregs 300 2>&1 | %filecheck %s --check-prefix=REGISTERS
# REGISTERS: usage error[200]: --maxregs takes a whole number from 0 to 255, not `300`

using CUDA

function kernel(a, n, ::Val{N}) where {N}
    @inbounds a[1, 1] = n + N
    return
end

twice(n) = 2 * n
