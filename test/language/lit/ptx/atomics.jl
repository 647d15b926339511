# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What hardware has is one instruction; every other update is a loop of compare-and-swap, of 16 bits where they suffice.
#
# RUN: %kiln compile %s 'native(CuDeviceVector{Int32,1}, CuDeviceVector{UInt64,1})' --target ptx -g0 | %filecheck %s --check-prefix=NATIVE
# NATIVE-DAG: {{atom|red}}.global.add.u32
# NATIVE-DAG: {{atom|red}}.global.min.s32
# NATIVE-DAG: {{atom|red}}.global.max.u64
# NATIVE-DAG: {{atom|red}}.global.and.b32
# NATIVE-DAG: {{atom|red}}.global.inc.u32
# NATIVE-DAG: {{atom|red}}.global.dec.u32
# NATIVE-DAG: atom.global.exch.b64
# NATIVE-DAG: atom.relaxed.gpu.global.cas.b32
#
# RUN: %kiln compile %s 'add(CuDeviceVector{Float32,1})' --target ptx -g0 | %filecheck %s --check-prefix=ADD32
# RUN: %kiln compile %s 'add(CuDeviceVector{Float64,1})' --target ptx -g0 | %filecheck %s --check-prefix=ADD64
# RUN: %kiln compile %s 'add(CuDeviceVector{Float16,1})' --target ptx -g0 | %filecheck %s --check-prefix=ADD16
# ADD32: {{atom|red}}.global.add.f32
# ADD64: {{atom|red}}.global.add.f64
# ADD16: {{atom|red}}.global.add.noftz.f16
#
# RUN: %kiln compile %s 'twice(CuDeviceVector{Float32,1})' --target ptx -g0 | %filecheck %s --check-prefix=LOOP32
# RUN: %kiln compile %s 'twice(CuDeviceVector{Int16,1})' --target ptx -g0 | %filecheck %s --check-prefix=LOOP16
# RUN: %kiln compile %s 'twice(CuDeviceVector{Float64,1})' --target ptx -g0 | %filecheck %s --check-prefix=LOOP64
# LOOP32: [[LOOP:\$L__BB[0-9_]+]]:
# LOOP32: atom.relaxed.gpu.global.cas.b32
# LOOP32: bra [[LOOP]]
# LOOP16: atom.global.cas.b16
# LOOP64: atom.relaxed.gpu.global.cas.b64
#
# RUN: %kiln compile %s 'shared(CuDeviceVector{Float32,1})' --target ptx -g0 | %filecheck %s --check-prefix=SHARED
# SHARED: atom.shared.add.f32
#
# Memory of one thread has no atomics.
# RUN: %status 1 %kiln compile %s 'local_memory(LLVMPtr{Int32,5})' --target ptx 2>&1 | %filecheck %s --check-prefix=LOCAL
# LOCAL: atomics require a generic, global, or shared address space

using CUDA

function native(a, b)
    @inbounds begin
        CUDA.@atomic a[1] += 3
        CUDA.@atomic a[2] = min(a[2], 3)
        CUDA.@atomic a[3] &= 3
        CUDA.@atomic b[1] = max(b[1], 3)
        CUDA.atomic_inc!(pointer(a, 4), 5i32)
        CUDA.atomic_dec!(pointer(a, 5), 5i32)
        b[2] = CUDA.atomic_xchg!(pointer(b, 3), UInt64(1))
        a[6] = CUDA.atomic_cas!(pointer(a, 7), 0i32, 1i32)
    end
    return
end

function add(a)
    CUDA.@atomic a[1] += 1
    return
end

function twice(a)
    CUDA.@atomic a[1] *= 2
    return
end

function shared(a)
    s = CuStaticSharedArray(Float32, 1)
    CUDA.@atomic s[1] += @inbounds a[threadIdx().x]
    sync_threads()
    @inbounds a[1] = s[1]
    return
end

function local_memory(p)
    CUDA.atomic_add!(p, 1i32)
    return
end
