# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A thread's asynchronous copies, and memory of the thread alone.
#
# RUN: %kiln compile %s 'staged(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Type{Float32})' --target ptx -g0 | %filecheck %s --check-prefix=FOUR
# FOUR: cp.async.ca.shared.global {{.*}}, 4;
# FOUR: cp.async.commit_group
# FOUR: cp.async.wait_group 1;
# FOUR: cp.async.wait_all
# FOUR: cp.async.wait_group 0;
# RUN: %kiln compile %s 'staged(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Type{ComplexF32})' --target ptx -g0 | %filecheck %s --check-prefix=EIGHT
# EIGHT: cp.async.ca.shared.global {{.*}}, 8;
# RUN: %kiln compile %s 'staged(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Type{NTuple{4,VecElement{Float32}}})' --target ptx -g0 -o %t.16.ptx
# RUN: %filecheck %s --check-prefix=SIXTEEN < %t.16.ptx
# SIXTEEN: cp.async.cg.shared.global {{.*}}, 16;
# RUN: %status 1 %kiln compile %s 'staged(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Type{Int16})' --target ptx 2>&1 | %filecheck %s --check-prefix=TWO
# TWO: an asynchronous copy is of 4, 8 or 16 bytes
# RUN: %kiln compile %s 'staged(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Type{Float32})' --target ptx --arch sm_75 -g0 | %filecheck %s --check-prefix=OLD
# OLD-NOT: cp.async
# OLD: st.shared
#
# Scratch of 8 words, in registers once optimised; none for none.
# RUN: %kiln compile %s 'scratch(CuDeviceVector{Int32,1}, Val{8})' --target ptx -O0 --emit llvm -g0 | %filecheck %s --check-prefix=ALLOCA
# ALLOCA: alloca [8 x i32], align 4
# RUN: %kiln compile %s 'scratch(CuDeviceVector{Int32,1}, Val{8})' --target ptx --emit llvm-opt -g0 | %filecheck %s --check-prefix=PROMOTED
# PROMOTED-NOT: alloca

using CUDA

function staged(o, a, ::Type{T}) where {T}
    s = CuStaticSharedArray(Float32, 128)
    to, from = reinterpret(LLVMPtr{T,3}, pointer(s)), reinterpret(LLVMPtr{T,1}, pointer(a))
    at = (threadIdx().x - 1i32) * sizeof(T)
    CG.pipeline_memcpy_async(to + at, from + at)
    CG.pipeline_commit()
    CG.pipeline_wait_prior(1)
    CG.pipeline_wait_all()
    CG.pipeline_wait_prior(Val(0))
    sync_threads()
    @inbounds o[threadIdx().x] = s[threadIdx().x]
    return
end

function scratch(o, ::Val{N}) where {N}
    p = CUDA.alloca(Int32, Val(N))
    unsafe_store!(p, o[1], 3)
    o[2] = unsafe_load(p, 3)
    return
end
