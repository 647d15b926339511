# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Elements side by side go as one access where the type, or Val(align), says that they lie at a multiple of their size.
#
# RUN: %kiln compile %s 'copy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Type{NTuple{4,VecElement{Float32}}})' --target ptx -g0 | %filecheck %s --check-prefix=F32X4
# F32X4: ld.global.v4.b32
# F32X4: st.global.v4.b32
# RUN: %kiln compile %s 'copy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Type{NTuple{2,VecElement{Float64}}})' --target ptx -g0 | %filecheck %s --check-prefix=F64X2
# F64X2: ld.global.v2.b64
# F64X2: st.global.v2.b64
# RUN: %kiln compile %s 'copy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Type{NTuple{8,VecElement{Float16}}})' --target ptx -g0 | %filecheck %s --check-prefix=F16X8
# F16X8: ld.global.v4.b32
# F16X8: st.global.v4.b32
# RUN: %kiln compile %s 'copy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Type{NTuple{16,VecElement{UInt8}}})' --target ptx -g0 | %filecheck %s --check-prefix=U8X16
# U8X16: ld.global.v4.b32
# U8X16: st.global.v4.b32
# RUN: %kiln compile %s 'copy(CuDeviceVector{Float32,1}, Const{Float32,1,1}, Type{NTuple{4,VecElement{Float32}}})' --target ptx -g0 | %filecheck %s --check-prefix=CONST
# CONST: ld.global.nc.v4.b32
# CONST: st.global.v4.b32
#
# A plain tuple needs no more alignment than its elements.
# RUN: %kiln compile %s 'copy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Type{NTuple{4,Float32}})' --target ptx -g0 | %filecheck %s --check-prefix=TUPLE
# TUPLE-NOT: .v4.
# RUN: %kiln compile %s 'aligned(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Type{NTuple{4,Float32}})' --target ptx -g0 | %filecheck %s --check-prefix=ALIGNED
# ALIGNED: ld.global.v4.b32
# ALIGNED: ld.global.nc.v4.b32
# ALIGNED: st.global.v4.b32
#
# RUN: %kiln compile %examples/adam.jl 'adam4(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32, Float32, Float32, Float32)' --target ptx -g0 | %filecheck %s --check-prefix=ADAM
# ADAM-COUNT-3: ld.global.v4.b32
# ADAM-COUNT-3: st.global.v4.b32

using CUDA

function copy(o, a, ::Type{V}) where {V}
    i = threadIdx().x
    @inbounds reinterpret(V, o)[i] = reinterpret(V, a)[i]
    return
end

function aligned(o, a, ::Type{V}) where {V}
    i = threadIdx().x
    from, to = reinterpret(LLVMPtr{V,1}, pointer(a)), reinterpret(LLVMPtr{V,1}, pointer(o))
    x, y = unsafe_load(from, i, Val(16)), unsafe_cached_load(from, i + 32, Val(16))
    unsafe_store!(to, ntuple(k -> x[k] + y[k], Val(4)), i, Val(16))
    return
end
