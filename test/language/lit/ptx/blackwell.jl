# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Module Blackwell: each function's instruction, what older architectures have for it, and each error.
# The test architectures_assemble assembles test/language/values/blackwell.jl.
#
# DEFINE: %{ptx} = %kiln compile %s --target ptx -g0 --arch
# DEFINE: %{fp8} = 'fp8(CuDeviceVector{UInt16,1}, CuDeviceVector{Float16,1}, CuDeviceVector{Float32,1})'
# DEFINE: %{fp6} = 'fp6(CuDeviceVector{UInt16,1}, CuDeviceVector{Float16,1}, CuDeviceVector{BFloat16,1}, CuDeviceVector{Float32,1})'
# DEFINE: %{vectors} = CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}
# DEFINE: %{integers} = CuDeviceVector{UInt32,1}
#
# ---- small floats: the second of the pair is the upper half, the instruction's first operand
# RUN: %{ptx} sm_89 %{fp8} | %filecheck %s --check-prefix=FP8
# RUN: %{ptx} sm_120 %{fp8} -O0 | %filecheck %s --check-prefix=FP8
# FP8-DAG: cvt.rn.satfinite.e4m3x2.f32 %rs{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}};
# FP8-DAG: cvt.rn.satfinite.e5m2x2.f32 %rs{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}};
# FP8-DAG: cvt.rn.f16x2.e4m3x2
# FP8-DAG: cvt.rn.f16x2.e5m2x2
# RUN: %{ptx} sm_90 'ordered(CuDeviceVector{UInt16,1}, Float32, Float32)' | %filecheck %s --check-prefix=ORDER
# ORDER-DAG: ld.param.b32 [[FIRST:%r[0-9]+]], [{{.*}}_param_2];
# ORDER-DAG: ld.param.b32 [[SECOND:%r[0-9]+]], [{{.*}}_param_3];
# ORDER: cvt.rn.satfinite.e4m3x2.f32 %rs{{[0-9]+}}, [[SECOND]], [[FIRST]];
# RUN: %{ptx} sm_86 %{fp8} | %filecheck %s --check-prefix=SOFT
# RUN: %{ptx} sm_100 %{fp6} | %filecheck %s --check-prefix=SOFT
# RUN: %{ptx} sm_90a %{fp6} -O0 | %filecheck %s --check-prefix=SOFT
# SOFT-NOT: {{cvt.*(e[2-5]m[1-3]|ue8m0)x2}}
# SOFT: ret;
# RUN: %{ptx} sm_100f %{fp6} | %filecheck %s --check-prefix=FP6
# RUN: %{ptx} sm_121a %{fp6} | %filecheck %s --check-prefix=FP6
# FP6-DAG: cvt.rn.satfinite.e2m3x2.f32
# FP6-DAG: cvt.rn.satfinite.e3m2x2.f32
# FP6-DAG: cvt.rn.satfinite.e2m1x2.f32
# FP6-DAG: cvt.rz.satfinite.ue8m0x2.f32
# FP6-DAG: cvt.rp.satfinite.ue8m0x2.f32
# FP6-DAG: cvt.rn.f16x2.e2m3x2
# FP6-DAG: cvt.rn.f16x2.e3m2x2
# FP6-DAG: cvt.rn.f16x2.e2m1x2
# FP6-DAG: cvt.rn.bf16x2.ue8m0x2
#
# ---- pairs: no operation is joined with another, though contraction is on
# RUN: %{ptx} sm_100 'packed(%{vectors})' | %filecheck %s --check-prefix=PACKED
# RUN: %{ptx} sm_120 'packed(%{vectors})' -O0 | %filecheck %s --check-prefix=PACKED
# PACKED-NOT: mul.rn.f32x2
# PACKED-DAG: mul.rn.f32 %r
# PACKED-DAG: mul.rn.f32 %r
# PACKED-DAG: add.rn.f32x2 %rd{{[0-9]+}}, %rd{{[0-9]+}}, %rd{{[0-9]+}};
# PACKED-DAG: sub.rn.f32x2 %rd{{[0-9]+}}, %rd{{[0-9]+}}, %rd{{[0-9]+}};
# PACKED-DAG: fma.rn.f32x2 %rd{{[0-9]+}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, %rd{{[0-9]+}};
# RUN: %{ptx} sm_90 'packed(%{vectors})' | %filecheck %s --check-prefix=SCALAR
# SCALAR-NOT: f32x2
# SCALAR-DAG: mul.rn.f32
# SCALAR-DAG: add.rn.f32
# SCALAR-DAG: fma.rn.f32
# A text without effects is computed once, and not at all where nobody needs it.
# RUN: %{ptx} sm_100 'needless(%{vectors})' | %filecheck %s --check-prefix=NEEDLESS
# NEEDLESS-COUNT-1: add.rn.f32x2
# NEEDLESS-NOT: .rn.f32x2
#
# ---- 256 bits
# RUN: %{ptx} sm_100 'wide(%{integers}, %{integers}, Type{NTuple{8,UInt32}}, Val{:plain})' | %filecheck %s --check-prefix=PLAIN
# RUN: %{ptx} sm_120 'wide(CuDeviceVector{UInt64,1}, CuDeviceVector{UInt64,1}, Type{NTuple{4,UInt64}}, Val{:plain})' | %filecheck %s --check-prefix=PLAIN
# PLAIN: ld.global.v4.b64
# PLAIN: st.global.v4.b64
# RUN: %{ptx} sm_100 'wide(%{integers}, %{integers}, Type{NTuple{8,UInt32}}, Val{:streaming})' | %filecheck %s --check-prefix=STREAM8
# STREAM8: ld.global.cs.v8.b32 {{{(%r[0-9]+, ){7}%r[0-9]+}}}, [%rd{{[0-9]+}}];
# STREAM8: st.global.cs.v8.b32 [%rd{{[0-9]+}}], {{{(%r[0-9]+, ){7}%r[0-9]+}}};
# RUN: %{ptx} sm_100 'wide(CuDeviceVector{UInt64,1}, CuDeviceVector{UInt64,1}, Type{NTuple{4,UInt64}}, Val{:once})' | %filecheck %s --check-prefix=ONCE4
# ONCE4: ld.global.L1::no_allocate.L2::cache_hint.v4.b64 {{{(%rd[0-9]+, ){3}%rd[0-9]+}}}, [%rd{{[0-9]+}}], once;
# ONCE4: st.global.L1::no_allocate.L2::cache_hint.v4.b64 [%rd{{[0-9]+}}], {{{(%rd[0-9]+, ){3}%rd[0-9]+}}}, once;
# RUN: %{ptx} sm_90 'wide(CuDeviceVector{UInt64,1}, CuDeviceVector{UInt64,1}, Type{NTuple{4,UInt64}}, Val{:streaming})' | %filecheck %s --check-prefix=HALVES
# RUN: %{ptx} sm_80 'wide(%{integers}, %{integers}, Type{NTuple{8,UInt32}}, Val{:streaming})' | %filecheck %s --check-prefix=HALVES
# HALVES-COUNT-2: ld.global.cs.v4.b32
# HALVES-COUNT-2: st.global.cs.v4.b32
# RUN: %{ptx} sm_100 'aligned(%{vectors})' | %filecheck %s --check-prefix=ALIGNED
# ALIGNED: ld.global.v8.b32
# ALIGNED: st.global.v8.b32
# RUN: %{ptx} sm_100 'aligned(%{vectors})' --ptx-isa 8.7 | %filecheck %s --check-prefix=ISA87
# ISA87-COUNT-2: ld.global.v4.b32
#
# ---- cluster launch control
# RUN: %{ptx} sm_100 'control(CuDeviceVector{Int32,1})' | %filecheck %s --check-prefix=CONTROL
# RUN: %{ptx} sm_120a 'control(CuDeviceVector{Int32,1})' -O0 | %filecheck %s --check-prefix=CONTROL
# CONTROL: mbarrier.arrive.expect_tx
# CONTROL: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r{{[0-9]+}}], [%r{{[0-9]+}}];
# CONTROL: mbarrier.try_wait.parity
# CONTROL: clusterlaunchcontrol.query_cancel.is_canceled.pred.b128
# CONTROL-DAG: clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128
# CONTROL-DAG: clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128
# CONTROL-DAG: clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128
# RUN: %status 1 %{ptx} sm_90a 'control(CuDeviceVector{Int32,1})' 2>&1 | %filecheck %s --check-prefix=OLD
# OLD: blackwell.jl:[[#]]:{{.*}}cluster launch control needs sm_100 or newer
#
# ---- tensor memory
# RUN: %{ptx} sm_100f 'tensor(%{vectors})' | %filecheck %s --check-prefix=TENSOR
# RUN: %{ptx} sm_110a 'tensor(%{vectors})' -O0 | %filecheck %s --check-prefix=TENSOR
# TENSOR: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r{{[0-9]+}}], 64;
# TENSOR: tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
# TENSOR: tcgen05.fence::before_thread_sync;
# TENSOR: bar{{.*}}sync
# TENSOR: tcgen05.fence::after_thread_sync;
# TENSOR: tcgen05.st.sync.aligned.32x32b.x2.b32 [%r{{[0-9]+}}], {%r{{[0-9]+}}, %r{{[0-9]+}}};
# TENSOR: tcgen05.wait::st.sync.aligned;
# TENSOR: tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [%r{{[0-9]+}}];
# TENSOR: tcgen05.wait::ld.sync.aligned;
# TENSOR: tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r{{[0-9]+}}}, [%r{{[0-9]+}}];
# TENSOR: tcgen05.wait::ld.sync.aligned;
# TENSOR: tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r{{[0-9]+}}, 64;
# What was loaded is used after the wait, also where the program uses it first.
# RUN: %{ptx} sm_100a 'waits(%{vectors})' | %filecheck %s --check-prefix=WAITS
# WAITS: tcgen05.ld.sync.aligned.32x32b.x2.b32
# WAITS-NOT: add.f32
# WAITS: tcgen05.wait::ld.sync.aligned;
# WAITS: add.f32
# RUN: %{ptx} sm_103a 'columns(%{integers}, Val{128})' | %filecheck %s --check-prefix=COLUMNS
# COLUMNS: tcgen05.ld.sync.aligned.32x32b.x128.b32 {{{(%r[0-9]+, ){127}%r[0-9]+}}}, [%r{{[0-9]+}}];
# COLUMNS: tcgen05.st.sync.aligned.32x32b.x128.b32 [%r{{[0-9]+}}], {{{(%r[0-9]+, ){127}%r[0-9]+}}};
#
# ---- products. Instruction descriptors by the PTX manual's table: D Float32 0x10, N/8 << 17, M/16 << 24, A's format << 7, B's << 10,
# B contiguous along :i 1 << 16. 64 columns of Float16: 0x8100010 + 0x10000; 256 of BFloat16: 0x8400490; 16 of TF32: 0x8040910;
# 16 of E4M3 by E5M2: 0x8040410; 16 of Float16: 0x8040010.
# RUN: %{ptx} sm_100f 'products(%{integers})' | %filecheck %s --check-prefix=PRODUCTS
# RUN: %{ptx} sm_103a 'products(%{integers})' | %filecheck %s --check-prefix=PRODUCTS
# PRODUCTS-DAG: mov.b32 [[F16:%r[0-9]+]], 135331856;
# PRODUCTS-DAG: mov.b32 [[BF16:%r[0-9]+]], 138413200;
# PRODUCTS-DAG: mov.b32 [[TF32:%r[0-9]+]], 134482192;
# PRODUCTS-DAG: mov.b32 [[BYTE_FLOAT:%r[0-9]+]], 134480912;
# PRODUCTS-DAG: mov.b32 [[LAST:%r[0-9]+]], 134479888;
# PRODUCTS-DAG: tcgen05.mma.cta_group::1.kind::f16 [%r{{[0-9]+}}], %rd{{[0-9]+}}, %rd{{[0-9]+}}, [[F16]], keep; }
# PRODUCTS-DAG: tcgen05.mma.cta_group::1.kind::f16 [%r{{[0-9]+}}], %rd{{[0-9]+}}, %rd{{[0-9]+}}, [[BF16]], keep; }
# PRODUCTS-DAG: tcgen05.mma.cta_group::1.kind::tf32 [%r{{[0-9]+}}], %rd{{[0-9]+}}, %rd{{[0-9]+}}, [[TF32]], keep; }
# PRODUCTS-DAG: tcgen05.mma.cta_group::1.kind::f8f6f4 [%r{{[0-9]+}}], %rd{{[0-9]+}}, %rd{{[0-9]+}}, [[BYTE_FLOAT]], keep; }
# PRODUCTS-DAG: tcgen05.mma.cta_group::1.kind::f16 [%r{{[0-9]+}}], [%r{{[0-9]+}}], %rd{{[0-9]+}}, [[LAST]], keep; }
# PRODUCTS: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r{{[0-9]+}}];
# Matrix descriptors: stride 1024, 512, 256, 128 bytes over 16 in bits 32 to 45, lead 16 bytes in bit 16, constant 1 << 46, swizzle in bits 61 to 63.
# RUN: %{ptx} sm_100a 'operand(%{integers}, Val{128})' | %filecheck %s --check-prefix=DESC128
# DESC128: or.b64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, 4611756662049538048;
# RUN: %{ptx} sm_100a 'operand(%{integers}, Val{64})' | %filecheck %s --check-prefix=DESC64
# DESC64: or.b64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, -9223301530671579136;
# RUN: %{ptx} sm_100a 'operand(%{integers}, Val{32})' | %filecheck %s --check-prefix=DESC32
# DESC32: or.b64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, -4611615580963667968;
# RUN: %{ptx} sm_100a 'operand(%{integers}, Val{0})' | %filecheck %s --check-prefix=DESC0
# DESC0: or.b64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, 70403103981568;
# RUN: %{ptx} sm_100a 'bytes(%{integers})' | %filecheck %s --check-prefix=BYTES
# RUN: %{ptx} sm_110a 'bytes(%{integers})' | %filecheck %s --check-prefix=BYTES
# BYTES-DAG: tcgen05.mma.cta_group::1.kind::i8
# BYTES-DAG: mov.b32 %r{{[0-9]+}}, 134743200;
#
# ---- errors, at the line that calls
# RUN: %status 1 %{ptx} sm_90a 'tensor(%{vectors})' 2>&1 | %filecheck %s --check-prefix=NEED
# RUN: %status 1 %{ptx} sm_100 'tensor(%{vectors})' -O0 2>&1 | %filecheck %s --check-prefix=NEED
# RUN: %status 1 %{ptx} sm_120a 'products(%{integers})' 2>&1 | %filecheck %s --check-prefix=NEED
# NEED: blackwell.jl:[[#]]:{{.*}}tcgen05 and tensor memory need an architecture with a or f: compile for sm_100f or sm_110f
# RUN: %status 1 %{ptx} sm_100f 'bytes(%{integers})' 2>&1 | %filecheck %s --check-prefix=NEEDA
# RUN: %status 1 %{ptx} sm_103a 'bytes(%{integers})' 2>&1 | %filecheck %s --check-prefix=NEEDA
# NEEDA: blackwell.jl:[[#]]:{{.*}}tcgen05_mma of Int8 and UInt8 is of two chips: compile for sm_100a or sm_110a
#
# DEFINE: %{cpu} = %kiln compile %s --target native -g0
# RUN: %status 1 %{cpu} 'wrong(%{integers}, Val{1})' 2>&1 | %filecheck %s --check-prefix=WRONG1
# RUN: %status 1 %{ptx} sm_100a 'wrong(%{integers}, Val{1})' 2>&1 | %filecheck %s --check-prefix=WRONG1
# WRONG1: tensor memory is allocated in 32, 64, 128, 256 or 512 columns
# RUN: %status 1 %{cpu} 'wrong(%{integers}, Val{2})' 2>&1 | %filecheck %s --check-prefix=WRONG1
# RUN: %status 1 %{ptx} sm_100a 'wrong(%{integers}, Val{2})' 2>&1 | %filecheck %s --check-prefix=WRONG1
# RUN: %status 1 %{cpu} 'wrong(%{integers}, Val{3})' 2>&1 | %filecheck %s --check-prefix=WRONG3
# RUN: %status 1 %{ptx} sm_100a 'wrong(%{integers}, Val{3})' 2>&1 | %filecheck %s --check-prefix=WRONG3
# RUN: %status 1 %{cpu} 'wrong(%{integers}, Val{4})' 2>&1 | %filecheck %s --check-prefix=WRONG3
# RUN: %status 1 %{ptx} sm_100a 'wrong(%{integers}, Val{4})' 2>&1 | %filecheck %s --check-prefix=WRONG3
# WRONG3: tcgen05_ld and tcgen05_st move 1, 2, 4, ... 128 columns of UInt32, Int32 or Float32
# RUN: %status 1 %{cpu} 'wrong(%{integers}, Val{5})' 2>&1 | %filecheck %s --check-prefix=WRONG5
# RUN: %status 1 %{ptx} sm_100a 'wrong(%{integers}, Val{5})' 2>&1 | %filecheck %s --check-prefix=WRONG5
# WRONG5: tcgen05_mma has 16, 32, ... 256 columns
# RUN: %status 1 %{cpu} 'wrong(%{integers}, Val{6})' 2>&1 | %filecheck %s --check-prefix=WRONG6
# RUN: %status 1 %{ptx} sm_100a 'wrong(%{integers}, Val{6})' 2>&1 | %filecheck %s --check-prefix=WRONG6
# RUN: %status 1 %{cpu} 'wrong(%{integers}, Val{7})' 2>&1 | %filecheck %s --check-prefix=WRONG6
# RUN: %status 1 %{ptx} sm_100a 'wrong(%{integers}, Val{7})' 2>&1 | %filecheck %s --check-prefix=WRONG6
# WRONG6: tcgen05_mma multiplies Float16, BFloat16, Float32, Int8 and UInt8 with their like, E4M3 and E5M2 with both
# RUN: %status 1 %{cpu} 'wrong(%{integers}, Val{8})' 2>&1 | %filecheck %s --check-prefix=WRONG8
# RUN: %status 1 %{ptx} sm_100a 'wrong(%{integers}, Val{8})' 2>&1 | %filecheck %s --check-prefix=WRONG8
# WRONG8: tcgen05_mma takes matrices of Float32 contiguous along :k alone
# RUN: %status 1 %{cpu} 'wrong(%{integers}, Val{9})' 2>&1 | %filecheck %s --check-prefix=WRONG9
# RUN: %status 1 %{ptx} sm_100a 'wrong(%{integers}, Val{9})' 2>&1 | %filecheck %s --check-prefix=WRONG9
# WRONG9: ue8m0 rounds towards zero, Val(:rz), or up, Val(:rp)

using CUDA

function fp8(codes, values, x)
    i = threadIdx().x
    a = Blackwell.to_e4m3x2((x[2i-1], x[2i]))
    b = Blackwell.to_e5m2x2((x[2i-1], x[2i]))
    codes[1], codes[2] = a, b
    values[1], values[2] = Blackwell.from_e4m3x2(codes[3])
    values[3], values[4] = Blackwell.from_e5m2x2(codes[4])
    return
end
function fp6(codes, values, scales, x)
    i = threadIdx().x
    pair = (x[2i-1], x[2i])
    codes[1], codes[2], codes[3] = Blackwell.to_e2m3x2(pair), Blackwell.to_e3m2x2(pair), UInt16(Blackwell.to_e2m1x2(pair))
    codes[4], codes[5] = Blackwell.to_ue8m0x2(pair, Val(:rz)), Blackwell.to_ue8m0x2(pair, Val(:rp))
    values[1], values[2] = Blackwell.from_e2m3x2(codes[6])
    values[3], values[4] = Blackwell.from_e3m2x2(codes[7])
    values[5], values[6] = Blackwell.from_e2m1x2(codes[8] % UInt8)
    scales[1], scales[2] = Blackwell.from_ue8m0x2(codes[9])
    return
end
function packed(out, x)
    i = 8 * threadIdx().x
    a, b, c = (x[i], x[i+1]), (x[i+2], x[i+3]), (x[i+4], x[i+5])
    out[i], out[i+1] = Blackwell.add_f32x2(Blackwell.mul_f32x2(a, b), c)
    out[i+2], out[i+3] = Blackwell.sub_f32x2(a, c)
    out[i+4], out[i+5] = Blackwell.fma_f32x2(a, b, c)
    return
end
function wide(to, from, ::Type{T}, hint) where {T}
    i = threadIdx().x
    x = CUDA.hinted_load(reinterpret(LLVMPtr{T,1}, pointer(from)), i, hint)
    CUDA.hinted_store!(reinterpret(LLVMPtr{T,1}, pointer(to)), x, i, hint)
    return
end
function aligned(to, from)
    i = threadIdx().x
    x = unsafe_load(reinterpret(LLVMPtr{NTuple{8,Float32},1}, pointer(from)), i, Val(32))
    unsafe_store!(reinterpret(LLVMPtr{NTuple{8,Float32},1}, pointer(to)), ntuple(k -> x[k] + 1f0, Val(8)), i, Val(32))
    @inbounds reinterpret(NTuple{4,VecElement{Float64}}, to)[i+32] = reinterpret(NTuple{4,VecElement{Float64}}, from)[i+32]
    return
end
function control(out)
    answer, b = pointer(CuStaticSharedArray(UInt128, 1)), pointer(CuStaticSharedArray(UInt64, 1))
    Hopper.mbarrier_arrive_expect_tx(b, 16)
    Blackwell.try_cancel(answer, b)
    Hopper.mbarrier_wait_parity(b, 0)
    if Blackwell.is_canceled(answer)
        block = Blackwell.first_block(answer)
        out[1], out[2], out[3] = block.x, block.y, block.z
    end
    return
end
function tensor(out, x)
    place = CuStaticSharedArray(UInt32, 1)
    Blackwell.tcgen05_alloc(pointer(place), Val(64))
    Blackwell.tcgen05_relinquish_alloc_permit()
    Blackwell.tcgen05_fence_before_thread_sync()
    sync_threads()
    Blackwell.tcgen05_fence_after_thread_sync()
    at = place[1]
    i = 8 * threadIdx().x
    Blackwell.tcgen05_st(at, (x[i], x[i+1]))
    Blackwell.tcgen05_wait_st()
    y = Blackwell.tcgen05_wait_ld(Blackwell.tcgen05_ld(Float32, at, Val(4)))
    z = Blackwell.tcgen05_wait_ld(Blackwell.tcgen05_ld(UInt32, at + 8, Val(1)))
    out[i] = sum(y) + z[1]
    Blackwell.tcgen05_dealloc(at, Val(64))
    return
end
function products(x)
    p = Hopper.align_pointer(pointer(CuDynamicSharedArray(Float16, 1)), Val(1024))
    b = pointer(CuStaticSharedArray(UInt64, 1))
    of(T, along, swizzle) = Blackwell.shared_matrix(reinterpret(LLVMPtr{T,3}, p), along, swizzle)
    d = x[1]
    Blackwell.tcgen05_mma(d, of(Float16, Val(:k), Val(128)), of(Float16, Val(:i), Val(64)), Val(64), x[2] > 0)
    Blackwell.tcgen05_mma(d, of(BFloat16, Val(:k), Val(32)), of(BFloat16, Val(:k), Val(0)), Val(256))
    Blackwell.tcgen05_mma(d, of(Float32, Val(:k), Val(128)), of(Float32, Val(:k), Val(128)), Val(16))
    Blackwell.tcgen05_mma(d, of(Blackwell.E4M3, Val(:k), Val(128)), of(Blackwell.E5M2, Val(:k), Val(128)), Val(16))
    Blackwell.tcgen05_mma(d, Blackwell.tensor_matrix(Float16, d + 64), of(Float16, Val(:k), Val(128)), Val(16))
    Blackwell.tcgen05_commit(b)
    return
end
function ordered(codes, a, b)
    codes[1] = Blackwell.to_e4m3x2((a, b))
    return
end
function needless(out, x)
    a, b = (x[1], x[2]), (x[3], x[4])
    Blackwell.sub_f32x2(a, b)
    out[1], out[2] = Blackwell.add_f32x2(a, b)
    out[3], out[4] = Blackwell.add_f32x2(a, b)
    return
end
function waits(out, x)
    y = Blackwell.tcgen05_ld(Float32, 0, Val(2))
    y = Blackwell.tcgen05_wait_ld(y)
    out[1] = y[1] + x[1]
    out[2] = y[2] + x[2]
    return
end
function columns(x, ::Val{n}) where {n}
    Blackwell.tcgen05_st(x[2], Blackwell.tcgen05_wait_ld(Blackwell.tcgen05_ld(UInt32, x[1], Val(n))))
    return
end
function operand(x, ::Val{swizzle}) where {swizzle}
    a = Blackwell.shared_matrix(pointer(CuDynamicSharedArray(Float16, 1)), Val(:k), Val(swizzle))
    Blackwell.tcgen05_mma(x[1], a, a, Val(32))
    return
end
function bytes(x)
    a = Blackwell.shared_matrix(pointer(CuDynamicSharedArray(Int8, 1)), Val(:k), Val(128))
    Blackwell.tcgen05_mma(x[1], a, a, Val(32), false)
    return
end

place() = pointer(CuStaticSharedArray(UInt32, 1))
tile(T, along=Val(:k)) = Blackwell.shared_matrix(pointer(CuStaticSharedArray(T, 1024)), along, Val(128))
wrong(x, ::Val{1}) = Blackwell.tcgen05_alloc(place(), Val(48))
wrong(x, ::Val{2}) = Blackwell.tcgen05_dealloc(x[1], Val(16))
wrong(x, ::Val{3}) = (x[1] = Blackwell.tcgen05_ld(UInt32, 0, Val(3))[1]; nothing)
wrong(x, ::Val{4}) = Blackwell.tcgen05_st(0, (1.0, 2.0))
wrong(x, ::Val{5}) = Blackwell.tcgen05_mma(0, tile(Float16), tile(Float16), Val(24))
wrong(x, ::Val{6}) = Blackwell.tcgen05_mma(0, tile(Float16), tile(BFloat16), Val(32))
wrong(x, ::Val{7}) = Blackwell.tcgen05_mma(0, tile(Float64), tile(Float64), Val(32))
wrong(x, ::Val{8}) = Blackwell.tcgen05_mma(0, tile(Float32), tile(Float32, Val(:i)), Val(32))
wrong(x, ::Val{9}) = (x[1] = Blackwell.to_ue8m0x2((1f0, 2f0), Val(:rn)); nothing)
