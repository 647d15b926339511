# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every stage of a job, on both targets.
#
# Lowered code is the same on both: untyped calls, with lines, by the names that the file uses.
# RUN: %kiln compile %s 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --emit lowered > %t.native
# RUN: %kiln compile %s 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --emit lowered --target ptx > %t.ptx
# RUN: cmp %t.native %t.ptx
# RUN: %filecheck %s --check-prefix=LOWERED < %t.native
# LOWERED: {{^}}saxpy(y, x, a){{$}}
# LOWERED: %[[BLOCK:[0-9]+]] = Main.blockIdx() {{.*}}stages.jl:[[@LINE+61]]{{$}}
# LOWERED: = Base.getproperty(%[[BLOCK]], :x)
# LOWERED: i = %
# LOWERED: %[[I:[0-9]+]] = i
# LOWERED: %[[INSIDE:[0-9]+]] = Main.:<=(%[[I]], %
# LOWERED: goto [[OUT:[0-9]+]] if not %[[INSIDE]]
# LOWERED: Base.getindex(x, i) @inbounds
# LOWERED: Base.setindex!(y, %{{[0-9]+}}, i) @inbounds
# LOWERED: {{^ *}}[[OUT]] return nothing
#
# Typed code: what each call reaches, and what it yields. Operands are named as their lines are.
# RUN: %kiln compile %s 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --emit typed | %filecheck %s --check-prefix=TYPED
# RUN: %kiln compile %s 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --emit typed --target ptx | %filecheck %s --check-prefix=TYPED
# TYPED: {{^}}saxpy(::CuDeviceArray{Float32, 1, 1}, ::CuDeviceArray{Float32, 1, 1}, ::Float32)::Const(nothing){{$}}
# TYPED: %[[BLOCK:[0-9]+]] {{ *}}= invoke Main.blockIdx() # blockIdx()::@NamedTuple{x::Int32, y::Int32, z::Int32}
# TYPED: invoke Base.getproperty(%[[BLOCK]], :x) # {{.*}}::Int32
# TYPED: %[[I:[0-9]+]] {{ *}}= invoke Main.:+({{.*}}) # +(::Int32, ::Int32)::Int32
# TYPED: %[[N:[0-9]+]] {{ *}}= invoke Main.length(y) # length(::CuDeviceArray{Float32, 1, 1})::Int64
# TYPED: %[[INSIDE:[0-9]+]] {{ *}}= invoke Main.:<=(%[[I]], %[[N]]) # <=(::Int32, ::Int64)::Bool
# TYPED: goto block {{[0-9]+}} if not %[[INSIDE]]
# TYPED: %[[X:[0-9]+]] {{ *}}= invoke Base.getindex(x, %[[I]]) @inbounds # getindex(::CuDeviceArray{Float32, 1, 1}, ::Int32)::Float32
# TYPED: invoke Main.:*(a, %[[X]]) @inbounds # *(::Float32, ::Float32)::Float32
# TYPED: return nothing
#
# LLVM IR before optimisation, its entry and its lines; after it, no call is left of what has one instruction.
# RUN: %kiln compile %s 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --emit llvm | %filecheck %s --check-prefixes=LLVM,LLVM-NATIVE
# RUN: %kiln compile %s 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --emit llvm --target ptx | %filecheck %s --check-prefixes=LLVM,LLVM-PTX
# LLVM-PTX: target triple = "nvptx64-nvidia-cuda"
# LLVM-NATIVE: define void @saxpy(
# LLVM-PTX: define ptx_kernel void @_Z5saxpy
# LLVM-NATIVE: fmul float
# LLVM-NATIVE: fadd float
# LLVM-PTX: fmul contract float
# LLVM-PTX: fadd contract float
# LLVM: !DIFile(filename: "{{.*}}stages.jl"
# RUN: %kiln compile %s 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --emit llvm-opt | %filecheck %s --check-prefixes=OPT
# RUN: %kiln compile %s 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --emit llvm-opt --target ptx | %filecheck %s --check-prefixes=OPT,OPT-PTX
# OPT-PTX: define ptx_kernel void @_Z5saxpy
# OPT-NOT: call i32 @kiln.
# OPT: load float
# OPT: store float
#
# An object, which is a file's and not a terminal's; --emit obj is for the CPU.
# RUN: %kiln compile %s 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --emit obj -o %t.o
# RUN: head -c 4 %t.o | %filecheck %s --check-prefix=OBJECT
# OBJECT: ELF
# RUN: %status 2 %kiln compile %s 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --emit obj --target ptx 2>&1 | %filecheck %s --check-prefix=NOOBJECT
# NOOBJECT: usage error[200]: --emit obj is for --target native
#
# Assembly.
# RUN: %kiln compile %s 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --name entry_of_mine | %filecheck %s --check-prefix=ASM
# ASM: {{^}}entry_of_mine:
# RUN: %kiln compile %s 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --target ptx | %filecheck %s --check-prefix=PTX
# PTX: .visible .entry _Z5saxpy
# PTX: ld.global.b32
# PTX: fma.rn.f32
# PTX: st.global.b32

using CUDA

function saxpy(y, x, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = a * x[i] + y[i]
    end
    return
end
