# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Matrix instructions: one a load, product and store, of every type, in the array's own address space; fragments stay in registers.
#
# RUN: %kiln compile %s 'product(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float32,1}, Val{(16,16,16)})' --target ptx -g0 -o %t.f16.ptx
# RUN: %filecheck %s --check-prefix=F16 < %t.f16.ptx
# F16: wmma.load.a.sync.aligned.col.m16n16k16.global.f16
# F16: wmma.load.b.sync.aligned.row.m16n16k16.global.f16
# F16: wmma.load.c.sync.aligned.col.m16n16k16.global.f32
# F16-NOT: mov.b32
# F16: wmma.mma.sync.aligned.col.row.m16n16k16.f32.f32
# F16-NEXT: {%r{{[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+}}},
# F16-NEXT: {%r{{[0-9]+(, %r[0-9]+)+}}},
# F16: wmma.store.d.sync.aligned.row.m16n16k16.global.f32
#
# RUN: %kiln compile %s 'product(CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float16,1}, Val{(32,8,16)})' --target ptx -g0 -o %t.f16f16.ptx
# RUN: %filecheck %s --check-prefix=F16F16 < %t.f16f16.ptx
# F16F16: wmma.mma.sync.aligned.col.row.m32n8k16.f16.f16
#
# RUN: %kiln compile %s 'product(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{BFloat16,1}, CuDeviceMatrix{BFloat16,1}, CuDeviceMatrix{Float32,1}, Val{(8,32,16)})' --target ptx -g0 -o %t.bf16.ptx
# RUN: %filecheck %s --check-prefix=BF16 < %t.bf16.ptx
# BF16: wmma.load.a.sync.aligned.col.m8n32k16.global.bf16 {{.*}}{{{%r[0-9]+, %r[0-9]+}}}
# BF16: wmma.mma.sync.aligned.col.row.m8n32k16.f32.bf16.bf16.f32
#
# RUN: %kiln compile %s 'product(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1}, Val{(16,16,8)})' --target ptx -g0 -o %t.tf32.ptx
# RUN: %filecheck %s --check-prefix=TF32 < %t.tf32.ptx
# TF32: wmma.load.a.sync.aligned.col.m16n16k8.global.tf32
# TF32: wmma.mma.sync.aligned.col.row.m16n16k8.f32.tf32.tf32.f32
#
# RUN: %kiln compile %s 'product(CuDeviceMatrix{Float64,1}, CuDeviceMatrix{Float64,1}, CuDeviceMatrix{Float64,1}, CuDeviceMatrix{Float64,1}, Val{(8,8,4)})' --target ptx -g0 -o %t.f64.ptx
# RUN: %filecheck %s --check-prefix=F64 < %t.f64.ptx
# F64: wmma.mma.sync.aligned.col.row.m8n8k4{{(.rn)?}}.f64.f64.f64.f64
#
# RUN: %kiln compile %s 'product(CuDeviceMatrix{Int32,1}, CuDeviceMatrix{Int8,1}, CuDeviceMatrix{Int8,1}, CuDeviceMatrix{Int32,1}, Val{(16,16,16)})' --target ptx -g0 -o %t.s8.ptx
# RUN: %filecheck %s --check-prefix=S8 < %t.s8.ptx
# S8: wmma.mma.sync.aligned.col.row.m16n16k16.s32.s8.s8.s32
# RUN: %kiln compile %s 'product(CuDeviceMatrix{Int32,1}, CuDeviceMatrix{UInt8,1}, CuDeviceMatrix{UInt8,1}, CuDeviceMatrix{Int32,1}, Val{(32,8,16)})' --target ptx -g0 -o %t.u8.ptx
# RUN: %filecheck %s --check-prefix=U8 < %t.u8.ptx
# U8: wmma.mma.sync.aligned.col.row.m32n8k16.s32.u8.u8.s32
#
# What is not there is named when it is asked for.
# RUN: %status 1 %kiln compile %s 'product(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float32,1}, Val{(16,16,8)})' --target ptx 2>&1 | %filecheck %s --check-prefix=SHAPE
# SHAPE: WMMA has no such shape (M, N, K) for these element types
# RUN: %status 1 %kiln compile %s 'product(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{BFloat16,1}, CuDeviceMatrix{BFloat16,1}, CuDeviceMatrix{Float32,1}, Val{(16,16,16)})' --target ptx --arch sm_75 2>&1 | %filecheck %s --check-prefix=OLD
# OLD: the GPU that is compiled for has no matrix instructions of these elements

using CUDA

function product(d, a, b, c, ::Val{shape}) where {shape}
    conf = WMMA.Config{shape[1],shape[2],shape[3],eltype(d)}
    fa = WMMA.load_a(pointer(a), 64, WMMA.ColMajor, conf)
    fb = WMMA.load_b(pointer(b), 64, WMMA.RowMajor, conf)
    fc = WMMA.load_c(pointer(c), 64, WMMA.ColMajor, conf)
    fd = WMMA.mma(fa, fb, fc, conf)
    WMMA.store_d(pointer(d), fd, 64, WMMA.RowMajor, conf)
    return
end

# RUN: %kiln compile %s 'by_name(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float32,1})' --target ptx -g0 | %filecheck %s --check-prefix=NAMES
# NAMES: wmma.load.a.sync.aligned.col.m16n16k16.global.f16
# NAMES: wmma.load.b.sync.aligned.row.m16n16k16.f16
# NAMES: wmma.mma.sync.aligned.col.row.m16n16k16.f32.f32
# NAMES: wmma.store.d.sync.aligned.col.m16n16k16.global.f32
#
# Any intrinsic of the matrix units can be called; a wrong one is told at its line.
# RUN: %kiln compile %s 'raw(CuDeviceVector{Float32,1}, CuDeviceVector{Float16,1})' --target ptx -g0 | %filecheck %s --check-prefix=RAW
# RAW: ldmatrix.sync.aligned.m8n8.x2.shared.b16
# RAW: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
#
# RUN: %kiln compile %s 'registers(CuDeviceVector{Float32,1}, CuDeviceVector{Float16,1})' --target ptx -g0 -o %t.regs.ptx
# RUN: %filecheck %s --check-prefix=REGS < %t.regs.ptx
# REGS: ldmatrix.sync.aligned.m8n8.x4.shared.b16
# REGS: ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16
# REGS: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
# REGS: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
# REGS: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
# REGS: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
# REGS: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
# RUN: %status 1 %kiln compile %s 'unknown(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=UNKNOWN
# UNKNOWN: wmma.jl:[[#]]
# UNKNOWN-SAME: LLVM has no intrinsic `llvm.nvvm.mma.m1n1k1`

using CUDA: i32
using CUDA.WMMA

function by_name(d, a, b, c)
    fa = llvm_wmma_load_a_col_m16n16k16_global_stride_f16(pointer(a), 16)
    fb = WMMA.llvm_wmma_load_b_row_m16n16k16_stride_f16(pointer(b), 16)
    fc = llvm_wmma_load_c_col_m16n16k16_global_stride_f32(pointer(c), 16)
    llvm_wmma_store_d_col_m16n16k16_global_stride_f32(pointer(d), llvm_wmma_mma_col_row_m16n16k16_f32_f32(fa, fb, fc), 16)
    return
end

const Half2 = NTuple{2,VecElement{Float16}}
function raw(d, a)
    s = CuStaticSharedArray(Float16, 256)
    s[threadIdx().x] = a[threadIdx().x]
    sync_threads()
    words = ccall("llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16", llvmcall, NTuple{2,UInt32}, (LLVMPtr{Float16,3},), pointer(s))
    x, y = reinterpret(Float32, words[1]), reinterpret(Float32, words[2])
    half = (VecElement(a[1]), VecElement(a[2]))
    sums = ccall("llvm.nvvm.mma.m16n8k8.row.col.f32.f32", llvmcall, NTuple{4,Float32}, (Half2, Half2, Half2, Float32, Float32, Float32, Float32), half, half, half, x, y, x, y)
    d[threadIdx().x] = sums[1] + sums[4]
    return
end

function unknown(d)
    d[1] = ccall("llvm.nvvm.mma.m1n1k1", llvmcall, Float32, (Float32,), 1f0)
    return
end

function registers(d, a)
    s = CuStaticSharedArray(Float16, 256)
    s[threadIdx().x] = a[threadIdx().x]
    sync_threads()
    wa, wb = WMMA.ldmatrix(pointer(s), Val(4)), WMMA.ldmatrix(pointer(s), Val(2), Val(true))
    half(x) = (VecElement(reinterpret(Float16, x % UInt16)), VecElement(reinterpret(Float16, (x >> 16) % UInt16)))
    zeros = (0f0, 0f0, 0f0, 0f0)
    x = WMMA.mma_sync(WMMA.Config{16,8,16,Float32}, Float16, map(half, wa), map(half, wb), zeros)
    y = WMMA.mma_sync(WMMA.Config{16,8,32,Int32}, Int8, wa, wb, (0i32, 0i32, 0i32, 0i32))
    z = WMMA.mma_sync(WMMA.Config{16,8,8,Float32}, Float32, wa, wb, zeros)
    w = WMMA.mma_sync(WMMA.Config{16,8,16,Float32}, BFloat16, wa, wb, zeros)
    v = WMMA.mma_sync(WMMA.Config{8,8,4,Float64}, Float64, (Float64(a[1]),), (Float64(a[2]),), (0.0, 0.0))
    d[threadIdx().x] = x[1] + y[2] + z[3] + w[4] + v[2]
    return
end
