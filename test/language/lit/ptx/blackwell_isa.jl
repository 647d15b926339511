# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Instructions that need a PTX ISA as well as an architecture.
using CUDA

# A hinted access of 32 bytes: one from sm_100 with PTX ISA 8.8, else two. sm_100 came with PTX ISA 8.6.
# RUN: %kiln compile %s 'wide(CuDeviceVector{UInt32,1}, CuDeviceVector{UInt32,1})' --target ptx --arch sm_100 --ptx-isa 8.8 | %filecheck %s --check-prefix=ONE
# RUN: %kiln compile %s 'wide(CuDeviceVector{UInt32,1}, CuDeviceVector{UInt32,1})' --target ptx --arch sm_100 --ptx-isa 8.7 | %filecheck %s --check-prefix=TWO
# RUN: %kiln compile %s 'wide(CuDeviceVector{UInt32,1}, CuDeviceVector{UInt32,1})' --target ptx --arch sm_100a --ptx-isa 8.6 | %filecheck %s --check-prefix=TWO
# RUN: %kiln compile %s 'wide(CuDeviceVector{UInt32,1}, CuDeviceVector{UInt32,1})' --target ptx --arch sm_90 --ptx-isa 8.8 | %filecheck %s --check-prefix=TWO
# RUN: %kiln compile %s 'wide(CuDeviceVector{UInt32,1}, CuDeviceVector{UInt32,1})' --target ptx --arch sm_100 --ptx-isa 8.7 -O0 -o - | %filecheck %s --check-prefix=NEVER
# RUN: %if ptxas %{ %kiln compile %s 'wide(CuDeviceVector{UInt32,1}, CuDeviceVector{UInt32,1})' --target ptx --arch sm_100 --ptx-isa 8.6 -o %t.ptx && %ptxas -arch=sm_100 %t.ptx -o %t.cubin %}
# ONE: ld.global.cs.v8.b32
# ONE: st.global.L1::no_allocate.L2::cache_hint.v8.b32
# TWO-NOT: .v8.b32
# TWO: ld.global.cs.v4.b32
# TWO: ld.global.cs.v4.b32
# TWO-COUNT-2: st.global.L1::no_allocate.L2::cache_hint.v4.b32
# TWO-NOT: .v8.b32
# NEVER-NOT: .v8.b32
# NEVER: ret;
function wide(y, x)
    eight(A) = reinterpret(LLVMPtr{NTuple{8,UInt32},1}, pointer(A))
    CUDA.hinted_store!(eight(y), CUDA.hinted_load(eight(x), threadIdx().x, Val(:streaming)), threadIdx().x, Val(:once))
    return
end

# A policy of the caches came with PTX ISA 7.4, sm_80 with 7.0.
# RUN: %kiln compile %s 'once(CuDeviceVector{UInt32,1})' --target ptx --arch sm_80 --ptx-isa 7.4 | %filecheck %s --check-prefix=POLICY
# RUN: %kiln compile %s 'once(CuDeviceVector{UInt32,1})' --target ptx --arch sm_80 --ptx-isa 7.3 | %filecheck %s --check-prefix=NONE
# POLICY-COUNT-2: createpolicy
# NONE-NOT: createpolicy
# NONE: st.global
function once(y)
    tile = CuStaticSharedArray(UInt128, 1)
    four(A) = reinterpret(LLVMPtr{NTuple{4,UInt32},1}, pointer(A))
    CUDA.hinted_copy!(reinterpret(LLVMPtr{NTuple{4,UInt32},3}, pointer(tile)), four(y), Val(:once))
    CG.pipeline_commit()
    CG.pipeline_wait_all()
    CUDA.hinted_store!(four(y), unsafe_load(reinterpret(LLVMPtr{NTuple{4,UInt32},3}, pointer(tile)), 1), 2, Val(:once))
    return
end

# fp8: sm_89 with PTX ISA 8.1, sm_90 always. Both came with PTX ISA 7.8.
# RUN: %kiln compile %s 'fp8(CuDeviceVector{UInt16,1}, Float32)' --target ptx --arch sm_89 --ptx-isa 8.1 | %filecheck %s --check-prefix=FP8
# RUN: %kiln compile %s 'fp8(CuDeviceVector{UInt16,1}, Float32)' --target ptx --arch sm_90 --ptx-isa 7.8 | %filecheck %s --check-prefix=FP8
# RUN: %kiln compile %s 'fp8(CuDeviceVector{UInt16,1}, Float32)' --target ptx --arch sm_89 --ptx-isa 8.0 | %filecheck %s --check-prefix=SOFT
# RUN: %kiln compile %s 'fp8(CuDeviceVector{UInt16,1}, Float32)' --target ptx --arch sm_89 --ptx-isa 7.8 -O0 | %filecheck %s --check-prefix=SOFT
# RUN: %kiln compile %s 'fp8(CuDeviceVector{UInt16,1}, Float32)' --target ptx --arch sm_80 --ptx-isa 8.5 | %filecheck %s --check-prefix=SOFT
# FP8: cvt.rn.satfinite.e4m3x2.f32
# FP8: cvt.rn.f16x2.e5m2x2
# SOFT-NOT: x2.f32
# SOFT-NOT: .f16x2.e
# SOFT: st.global
function fp8(y, x)
    codes = Blackwell.to_e4m3x2((x, x))
    values = Blackwell.from_e5m2x2(codes)
    @inbounds y[1] = reinterpret(UInt16, values[1]) + codes
    return
end

# fp6, fp4, ue8m0: a or f from sm_100 on. The oldest PTX ISA of such an architecture has the instructions.
# RUN: %kiln compile %s 'small(CuDeviceVector{UInt16,1}, Float32)' --target ptx --arch sm_100a --ptx-isa 8.6 | %filecheck %s --check-prefix=SMALL
# RUN: %kiln compile %s 'small(CuDeviceVector{UInt16,1}, Float32)' --target ptx --arch sm_120a --ptx-isa 8.7 | %filecheck %s --check-prefix=SMALL
# RUN: %kiln compile %s 'small(CuDeviceVector{UInt16,1}, Float32)' --target ptx --arch sm_103f --ptx-isa 8.8 | %filecheck %s --check-prefix=SMALL
# RUN: %kiln compile %s 'small(CuDeviceVector{UInt16,1}, Float32)' --target ptx --arch sm_110f | %filecheck %s --check-prefix=SMALL
# RUN: %kiln compile %s 'small(CuDeviceVector{UInt16,1}, Float32)' --target ptx --arch sm_100 --ptx-isa 9.0 | %filecheck %s --check-prefix=INTEGERS
# SMALL: cvt.rn.satfinite.e2m3x2.f32
# SMALL: cvt.rn.satfinite.e2m1x2.f32
# SMALL: cvt.rp.satfinite.ue8m0x2.f32
# INTEGERS-NOT: x2.f32
# INTEGERS: st.global
function small(y, x)
    @inbounds y[1] = Blackwell.to_e2m3x2((x, x))
    @inbounds y[2] = Blackwell.to_e2m1x2((x, x))
    @inbounds y[3] = Blackwell.to_ue8m0x2((x, x), Val(:rp))
    return
end
