# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Hopper's own instructions as text; tensor maps as parameters by reference.
#
# RUN: %kiln compile %s 'copies(CuDeviceVector{Float32,1}, Hopper.TensorMap{Float32,2}, Hopper.TensorMap{Float32,2})' --target ptx -g0 > %t.ptx
# RUN: %filecheck %s --input-file %t.ptx --check-prefix=COPIES
# COPIES: .target sm_90{{$}}
# COPIES: .param .align 8 .b8 {{.*}}[32]
# COPIES-NEXT: .param .align 64 .b8 {{.*}}[128]
# COPIES-NEXT: .param .align 64 .b8 {{.*}}[128]
# COPIES-DAG: prefetch.tensormap [%rd{{[0-9]+}}];
# COPIES-DAG: mbarrier.init.shared::cta.b64 [%r{{[0-9]+}}], %r{{[0-9]+}};
# COPIES-DAG: fence.mbarrier_init.release.cluster;
# COPIES: mbarrier.arrive.expect_tx.release.cta.shared::cta.b64
# COPIES: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r{{[0-9]+}}], [%rd{{[0-9]+}}, {%r{{[0-9]+}}, %r{{[0-9]+}}}], [%r{{[0-9]+}}];
# COPIES: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
# COPIES: mbarrier.try_wait.parity.shared::cta.b64 done
# COPIES: fence.proxy.async.shared::cta;
# COPIES: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
# COPIES: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group
# COPIES: cp.async.bulk.commit_group;
# COPIES: cp.async.bulk.wait_group.read 1;
# COPIES: cp.async.bulk.wait_group 0;
# RUN: %kiln compile %s 'copies(CuDeviceVector{Float32,1}, Hopper.TensorMap{Float32,2}, Hopper.TensorMap{Float32,2})' --target ptx -O0 -g2 | %filecheck %s --check-prefix=PLAIN
# PLAIN: .param .align 64 .b8 {{.*}}[128]
# PLAIN: cp.async.bulk.tensor.2d.shared::cluster.global.tile
#
# A map within a struct lies behind what stands before it.
# RUN: %kiln compile %s 'of_struct(Both)' --target ptx -g0 | %filecheck %s --check-prefix=BOTH
# BOTH: .param .align 64 .b8 {{.*}}[256]
# BOTH: cvta.param.u64 [[GENERIC:%rd[0-9]+]], %rd{{[0-9]+}};
# BOTH: add.s64 [[SECOND:%rd[0-9]+]], [[GENERIC]], 128;
# BOTH: prefetch.tensormap {{\[}}[[SECOND]]];
# RUN: %status 1 %kiln compile %s 'chosen(Hopper.TensorMap{Float32,2}, Hopper.TensorMap{Float32,2}, Int64)' --target ptx 2>&1 | %filecheck %s --check-prefix=CHOSEN
# CHOSEN: hopper.jl:[[@LINE+81]]:{{.*}}a tensor map must be an argument of the kernel, or a field of one at a multiple of 64 bytes
#
# RUN: %kiln compile %s 'clustered(CuDeviceVector{Float32,1}, Hopper.TensorMap{Float32,1})' --target ptx -g0 | %filecheck %s --check-prefix=CLUSTER
# CLUSTER: mapa.shared::cluster.u32
# CLUSTER: mbarrier.arrive.shared::cluster.b64 _,
# CLUSTER: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
# CLUSTER: cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster
# RUN: %status 1 %kiln compile %s 'clustered(CuDeviceVector{Float32,1}, Hopper.TensorMap{Float32,1})' --target native 2>&1 | %filecheck %s --check-prefix=CPU
# CPU: bulk_copy_multicast writes into several blocks of a cluster: the CPU has clusters of one block only
# RUN: %status 1 %kiln compile %s 'all_get(Hopper.TensorMap{Float32,1})' --target native 2>&1 | %filecheck %s --check-prefix=CPUMAP
# CPUMAP: tensor_load_multicast writes into several blocks of a cluster: the CPU has clusters of one block only
#
# RUN: %kiln compile %s 'product(CuDeviceVector{Float32,1})' --target ptx --arch sm_90a -g0 | %filecheck %s --check-prefix=PRODUCT
# PRODUCT: .target sm_90a
# PRODUCT: setmaxnreg.dec.sync.aligned.u32 40;
# PRODUCT: wgmma.fence.sync.aligned;
# PRODUCT: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, keep, 1, 1, 0, 1;
# PRODUCT: wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, keep;
# PRODUCT: wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {{.*}}, keep, 1, 1;
# PRODUCT: wgmma.commit_group.sync.aligned;
# PRODUCT: wgmma.wait_group.sync.aligned 0;
#
# RUN: %status 1 %kiln compile %s 'product(CuDeviceVector{Float32,1})' --target ptx --arch sm_90 2>&1 | %filecheck %s --check-prefix=PLAIN90
# RUN: %status 1 %kiln compile %s 'product(CuDeviceVector{Float32,1})' --target ptx --arch sm_80 -O0 2>&1 | %filecheck %s --check-prefix=PLAIN90
# PLAIN90: setmaxnreg needs an architecture with a or f: compile for sm_90a, sm_100f, sm_110f or sm_120f
# RUN: %status 1 %kiln compile %s 'product(CuDeviceVector{Float32,1})' --target ptx --arch sm_100a 2>&1 | %filecheck %s --check-prefix=NEWER
# NEWER: wgmma is sm_90a's alone: compile for sm_90a, for GPUs of compute capability 9.0
# RUN: %kiln compile %s 'gives(CuDeviceVector{Float32,1})' --target ptx --arch sm_120f | %filecheck %s --check-prefix=GIVES
# GIVES: .target sm_120f
# GIVES: setmaxnreg.dec.sync.aligned.u32 40;
# RUN: %status 1 %kiln compile %s 'clustered(CuDeviceVector{Float32,1}, Hopper.TensorMap{Float32,1})' --target ptx --arch sm_80 2>&1 | %filecheck %s --check-prefix=OLD
# OLD: mbarrier and bulk copies as Hopper has them need sm_90 or newer
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1}, Val{1})' --target native 2>&1 | %filecheck %s --check-prefix=WRONG1
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1}, Val{1})' --target ptx --arch sm_90a 2>&1 | %filecheck %s --check-prefix=WRONG1
# WRONG1: wgmma has 8, 16, ... 256 columns
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1}, Val{2})' --target native 2>&1 | %filecheck %s --check-prefix=WRONG2
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1}, Val{2})' --target ptx --arch sm_90a 2>&1 | %filecheck %s --check-prefix=WRONG2
# WRONG2: wgmma takes matrices contiguous along :i of 16-bit elements alone
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1}, Val{3})' --target native 2>&1 | %filecheck %s --check-prefix=WRONG3
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1}, Val{3})' --target ptx --arch sm_90a 2>&1 | %filecheck %s --check-prefix=WRONG3
# WRONG3: wgmma multiplies Float16, BFloat16 and Float32 into Float32, Int8 and UInt8 into Int32
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1}, Val{4})' --target native 2>&1 | %filecheck %s --check-prefix=WRONG4
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1}, Val{4})' --target ptx --arch sm_90a 2>&1 | %filecheck %s --check-prefix=WRONG4
# WRONG4: a matrix in shared memory is swizzled over 128, 64 or 32 bytes, or over 0
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1}, Val{5})' --target native 2>&1 | %filecheck %s --check-prefix=WRONG5
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1}, Val{5})' --target ptx --arch sm_90a 2>&1 | %filecheck %s --check-prefix=WRONG5
# WRONG5: a matrix in shared memory is contiguous along :k or :i
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1}, Val{6})' --target native 2>&1 | %filecheck %s --check-prefix=WRONG6
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1}, Val{6})' --target ptx --arch sm_90a 2>&1 | %filecheck %s --check-prefix=WRONG6
# WRONG6: setmaxnreg takes a multiple of 8 from 24 to 256
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1}, Val{7})' --target native 2>&1 | %filecheck %s --check-prefix=WRONG7
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Float32,1}, Val{7})' --target ptx --arch sm_90a 2>&1 | %filecheck %s --check-prefix=WRONG7
# WRONG7: tensor_add takes Float16, BFloat16, Float32, Int32, UInt32 and UInt64

using CUDA

struct Both
    first::Hopper.TensorMap{Float32,2}
    second::Hopper.TensorMap{Float32,2}
end

function copies(A, to, from)
    s = pointer(CuStaticSharedArray(Float32, 1024))
    b = pointer(CuStaticSharedArray(UInt64, 1))
    Hopper.tensor_map_prefetch(from)
    Hopper.mbarrier_init(b, 1)
    Hopper.fence_mbarrier_init()
    Hopper.mbarrier_arrive_expect_tx(b, 1088)
    Hopper.tensor_load(s, from, (0, threadIdx().x), b)
    Hopper.bulk_copy(s + 1024, pointer(A), 64, b)
    Hopper.mbarrier_wait_parity(b, 0)
    Hopper.fence_proxy_async_shared()
    Hopper.tensor_store(to, (0, 0), s)
    Hopper.tensor_add(to, (8, 0), s)
    Hopper.bulk_commit()
    Hopper.bulk_wait_read(Val(1))
    Hopper.bulk_wait()
    return
end
of_struct(both) = (Hopper.tensor_map_prefetch(both.second); nothing)
function chosen(a, b, n)
    Hopper.tensor_map_prefetch(n > 0 ? a : b)
    return
end
function clustered(A, map)
    s = pointer(CuStaticSharedArray(Float32, 1024))
    b = pointer(CuStaticSharedArray(UInt64, 1))
    Hopper.mbarrier_arrive_remote(b, 2)
    Hopper.bulk_copy_multicast(s, pointer(A), 64, b, 3)
    Hopper.tensor_load_multicast(s, map, (0,), b, 0x3)
    return
end
function product(A)
    p = Hopper.align_pointer(pointer(CuDynamicSharedArray(Float16, 1)), Val(1024))
    Hopper.setmaxnreg_dec(Val(40))
    a, b = Hopper.shared_matrix(p, Val(:k), Val(128)), Hopper.shared_matrix(p + 8192, Val(:i), Val(64))
    bytes = Hopper.shared_matrix(reinterpret(LLVMPtr{Int8,3}, p), Val(:k), Val(0); stride=256, lead=128)
    floats = Hopper.shared_matrix(reinterpret(LLVMPtr{Float32,3}, p), Val(:k), Val(32))
    sums, counts, wide = ntuple(_ -> 0f0, Val(8)), ntuple(_ -> Int32(0), Val(4)), ntuple(_ -> 0f0, Val(4))
    Hopper.wgmma_fence()
    sums = Hopper.wgmma(sums, a, b)
    counts = Hopper.wgmma(counts, bytes, bytes, false)
    wide = Hopper.wgmma(wide, floats, floats)
    Hopper.wgmma_commit()
    sums = Hopper.wgmma_wait(Val(0), sums)
    A[threadIdx().x] = sum(sums) + sum(counts) + sum(wide)
    return
end
all_get(map) = (Hopper.tensor_load_multicast(pointer(CuStaticSharedArray(Float32, 1024)), map, (0,), pointer(CuStaticSharedArray(UInt64, 1)), 0x3); nothing)

halves() = pointer(CuStaticSharedArray(Float16, 1024))
floats() = reinterpret(LLVMPtr{Float32,3}, halves())
tile() = Hopper.shared_matrix(halves(), Val(:k), Val(128))
wrong(A, ::Val{1}) = (A[1] = sum(Hopper.wgmma(ntuple(_ -> 0f0, Val(6)), tile(), tile())); nothing)
wrong(A, ::Val{2}) = (A[1] = sum(Hopper.wgmma(ntuple(_ -> 0f0, Val(4)), Hopper.shared_matrix(floats(), Val(:k), Val(128)), Hopper.shared_matrix(floats(), Val(:i), Val(128)))); nothing)
wrong(A, ::Val{3}) = (A[1] = sum(Hopper.wgmma(ntuple(_ -> 0.0, Val(4)), tile(), tile())); nothing)
wrong(A, ::Val{4}) = (A[1] = sum(Hopper.wgmma(ntuple(_ -> 0f0, Val(4)), tile(), Hopper.shared_matrix(halves(), Val(:k), Val(96)))); nothing)
wrong(A, ::Val{5}) = (A[1] = sum(Hopper.wgmma(ntuple(_ -> 0f0, Val(4)), tile(), Hopper.shared_matrix(halves(), Val(:j), Val(128)))); nothing)
gives(A) = (Hopper.setmaxnreg_dec(Val(40)); A[1] = 1f0; return)
wrong(A, ::Val{6}) = Hopper.setmaxnreg_inc(Val(100))
wrong(A, ::Val{7}) = (Hopper.tensor_add(Hopper.TensorMap{Int16,1}(ntuple(_ -> UInt64(0), Val(16))), (0,), reinterpret(LLVMPtr{Int16,3}, halves())); nothing)
