# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# --coarsen-bytes 32: the second entry's threads do 32 bytes of neighbouring elements each, by one access of 256 bits.
#
# DEFINE: %{vector} = CuDeviceVector{Float32,1}
# DEFINE: %{coarse} = %kiln compile %s --target ptx -g0 --coarsen --coarsen-bytes 32 --arch
# RUN: %{coarse} sm_100 'saxpy(%{vector}, %{vector}, Float32)' --emit llvm-opt | %filecheck %s --check-prefix=IR
# IR-LABEL: define ptx_kernel void @_Z5saxpy{{.*}}_coarse({{.*}}, i32 %threads)
# IR: %first = mul nuw i32 %{{.*}}, 8
# IR-COUNT-2: load <8 x float>, ptr addrspace(1) %{{.*}}, align 32
# IR: store <8 x float> %{{.*}}, ptr addrspace(1) %{{.*}}, align 32
# RUN: %{coarse} sm_100 'saxpy(%{vector}, %{vector}, Float32)' | %filecheck %s --check-prefix=F32
# RUN: %{coarse} sm_120a 'saxpy(%{vector}, %{vector}, Float32)' | %filecheck %s --check-prefix=F32
# F32: _coarse(
# F32-COUNT-2: ld.global.v8.b32
# F32-COUNT-8: fma.rn.f32
# F32: st.global.v8.b32
# RUN: %{coarse} sm_100 'copy(CuDeviceVector{Float64,1}, CuDeviceVector{Float64,1})' | %filecheck %s --check-prefix=F64
# F64: ld.global.v4.b64
# F64: st.global.v4.b64
# RUN: %{coarse} sm_100 'copy(CuDeviceVector{Float16,1}, CuDeviceVector{Float16,1})' | %filecheck %s --check-prefix=F16
# F16: ld.global.{{v8.b32|v4.b64}}
# F16: st.global.{{v8.b32|v4.b64}}
# RUN: %{coarse} sm_100 'copy(CuDeviceVector{UInt8,1}, CuDeviceVector{UInt8,1})' | %filecheck %s --check-prefix=U8
# U8: st.global.{{v8.b32|v4.b64}}
# RUN: %{coarse} sm_100 'copy(CuDeviceVector{Float64,1}, %{vector})' | %filecheck %s --check-prefix=MIXED
# MIXED: ld.global.v4.b32
# MIXED: st.global.v4.b64
#
# By default, on older architectures and in older PTX it is 16.
# RUN: %kiln compile %s --target ptx -g0 --coarsen --arch sm_100 'saxpy(%{vector}, %{vector}, Float32)' | %filecheck %s --check-prefix=HALF
# RUN: %{coarse} sm_90 'saxpy(%{vector}, %{vector}, Float32)' | %filecheck %s --check-prefix=HALF
# RUN: %{coarse} sm_100 'saxpy(%{vector}, %{vector}, Float32)' --ptx-isa 8.7 | %filecheck %s --check-prefix=HALF
# HALF: _coarse(
# HALF: ld.global.v4.b32
# HALF: st.global.v4.b32
# HALF-NOT: .v8
#
# Elements of 16 bytes stay one a thread; what begins between two multiples of 32 bytes is not accessed so.
# RUN: %{coarse} sm_100 'copy(CuDeviceVector{Int128,1}, CuDeviceVector{Int128,1})' 2>&1 | %filecheck %s --check-prefix=WIDE
# WIDE: `copy` is not coarsened: its threads access 16 bytes at once
# RUN: %{coarse} sm_100 'shifted(%{vector}, %{vector})' 2>&1 | %filecheck %s --check-prefix=SHIFTED
# SHIFTED: `shifted` is not coarsened: its writes do not begin where 32 bytes do
# RUN: %kiln compile %s --target ptx -g0 --coarsen --arch sm_100 'shifted(%{vector}, %{vector})' | %filecheck %s --check-prefix=SHIFT16
# SHIFT16: st.global.{{v4.b32|v2.b64}}
#
# RUN: %status 2 %kiln compile %s 'saxpy(%{vector}, %{vector}, Float32)' --coarsen-bytes 32 2>&1 | %filecheck %s --check-prefix=NATIVE
# NATIVE: usage error[200]: --coarsen-bytes is for the target ptx, not native
# RUN: %status 2 %kiln compile %s --target ptx --arch sm_100 'saxpy(%{vector}, %{vector}, Float32)' --coarsen-bytes 64 2>&1 | %filecheck %s --check-prefix=BYTES
# BYTES: usage error[200]: --coarsen-bytes takes a whole number from 16 to 32, not `64`
# RUN: %if ptxas %{ %{coarse} sm_100 'copy(CuDeviceVector{UInt8,1}, CuDeviceVector{UInt8,1})' -o %t.ptx && %ptxas -arch=sm_100 %t.ptx -o %t.cubin %}

using CUDA

function saxpy(y, x, a)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = a * x[i] + y[i]
    end
    return
end
function copy(y, x)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = x[i]
    end
    return
end
function shifted(y, x)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i + 4 <= length(y)
        @inbounds y[i+4] = x[i+4]
    end
    return
end
