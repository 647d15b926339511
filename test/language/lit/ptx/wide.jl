# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Integers of 128 bits have every operation on a GPU: no run-time library is called, there is none.
#
# RUN: %kiln compile %s 'signed(CuDeviceVector{Float64,1}, CuDeviceVector{Int128,1})' --target ptx | %filecheck %s
# RUN: %kiln compile %s 'signed(CuDeviceVector{Float64,1}, CuDeviceVector{Int128,1})' --target ptx -O0 | %filecheck %s
# RUN: %kiln compile %s 'unsigned_(CuDeviceVector{Float16,1}, CuDeviceVector{UInt128,1})' --target ptx | %filecheck %s
# RUN: %kiln compile %s 'checked(CuDeviceVector{Float32,1}, CuDeviceVector{Int128,1})' --target ptx | %filecheck %s
# RUN: %kiln compile %s 'arithmetic(CuDeviceVector{Int128,1})' --target ptx | %filecheck %s
# RUN: %kiln compile %s 'arithmetic(CuDeviceVector{UInt128,1})' --target ptx -O0 | %filecheck %s
# CHECK: .visible .entry
# CHECK-NOT: __{{[a-z]+}}ti
# CHECK: ret;
#
# Linked code may bring what has no instruction: the message names the operation and the line that calls it.
# RUN: %status 1 %kiln compile %s 'linked(CuDeviceVector{Float64,1}, Int64)' --target ptx --link %S/inputs/wide.ll 2>&1 | %filecheck %s --check-prefix=LINKED
# LINKED: wide.jl:[[@LINE+37]]:{{[0-9]+}}: InvalidIRError[121]: unsupported conversion on ptx: sitofp from 128 to 64 bits
# LINKED: wide.jl:[[@LINE+37]]:{{[0-9]+}}: InvalidIRError[121]: unsupported conversion on ptx: fptoui from 64 to 128 bits
# LINKED: wide.jl:[[@LINE+37]]:{{[0-9]+}}: InvalidIRError[121]: unsupported operation on ptx: fpext of floats of 128 bits
#
# RUN: %status 1 %kiln compile %s 'linked_atomics(CuDeviceVector{Int64,1}, Float64)' --target ptx --link %S/inputs/wide.ll 2>&1 | %filecheck %s --check-prefix=ATOMICS
# ATOMICS-DAG: InvalidIRError[121]: unsupported operation on ptx: atomicrmw of 128 bits, for which the linked code needs a run-time library that no GPU has: at most 64 bits are atomic
# ATOMICS-DAG: InvalidIRError[121]: unsupported operation on ptx: load of 128 bits
# ATOMICS-DAG: InvalidIRError[121]: unsupported conversion on ptx: llvm.fptosi.sat.i128.f64 from 64 to 128 bits
# ATOMICS-DAG: [1] linked_atomics @ {{.*}}wide.jl
#
# What is not called does not matter.
# RUN: %kiln compile %s 'signed(CuDeviceVector{Float64,1}, CuDeviceVector{Int128,1})' --target ptx --link %S/inputs/wide.ll | %filecheck %s

using CUDA

function signed(y, x)
    y[1] = Float64(x[1])
    x[2] = unsafe_trunc(Int128, y[2])
    return
end
function unsigned_(y, x)
    y[1] = Float16(x[1])
    x[2] = round(UInt128, y[2])
    return
end
function checked(y, x)
    x[1] = Int128(y[1])
    x[2] = y[2] < x[3] ? isqrt(x[4]) : x[5]
    return
end
function arithmetic(x)
    x[1] = div(x[2], x[3]) + rem(x[2], x[3]) * mod(x[4], x[5]) - x[6]^3
    x[7] = (x[8] << (x[9] % Int)) >> 3 + (x[8] >>> 70)
    x[10] = Base.checked_mul(x[11], x[12]) + gcd(x[13], x[14])
    return
end
function linked(y, x)
    y[1] = ccall("extern wide_to_double", llvmcall, Float64, (Int64,), x)
    y[2] = ccall("extern double_to_wide", llvmcall, Int64, (Float64,), y[3])
    y[4] = ccall("extern quadruple", llvmcall, Float64, (Float64,), y[5])
    return
end

function linked_atomics(y, x)
    y[1] = ccall("extern atomic_wide", llvmcall, Int64, (Core.LLVMPtr{Int64,1}, Float64), pointer(y), x)
    return
end

# A product that overflows is infinite before anything is added: converting has none that could fuse with the addition.
# RUN: %kiln compile %s 'converted_sum(CuDeviceVector{Float32,1}, CuDeviceVector{UInt128,1})' --target ptx -g0 | %filecheck %s --check-prefix=SUM
# RUN: %kiln compile %s 'converted_sum(CuDeviceVector{Float64,1}, CuDeviceVector{UInt128,1})' --target ptx -g0 | %filecheck %s --check-prefix=SUM
# SUM: .visible .entry
# SUM-NOT: {{(fma|mul)(\.rn)?\.f}}
# SUM: add{{(\.rn)?}}.f
# SUM-NOT: {{(fma|mul)(\.rn)?\.f}}
# SUM: ret;
function converted_sum(y, x)
    @inbounds y[1] = y[2] + eltype(y)(x[1])
    return
end
