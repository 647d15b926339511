# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# --coarsen: a second entry, NAME_coarse, whose threads do 16 bytes of neighbouring elements each, and which takes the number
# of threads of the launch as written behind the kernel's own parameters. The first entry is the same to the byte as without.
#
# DEFINE: %{vector} = CuDeviceVector{Float32,1}
# DEFINE: %{coarse} = %kiln compile %s --target ptx -g0 --coarsen
# RUN: %{coarse} 'saxpy(%{vector}, %{vector}, Float32)' --emit llvm-opt | %filecheck %s --check-prefix=IR
# IR-LABEL: define ptx_kernel void @_Z5saxpy
# IR-NOT: <4 x float>
# IR-LABEL: define ptx_kernel void @_Z5saxpy{{.*}}_coarse({{.*}}, i32 %threads)
# IR: %first = mul nuw i32 %{{.*}}, 4
# IR: icmp ult i32 %{{.*}}, %threads
# IR: together:
# IR-COUNT-2: load <4 x float>, ptr addrspace(1) %{{.*}}, align 16
# IR-COUNT-4: fadd contract float
# IR: store <4 x float> %{{.*}}, ptr addrspace(1) %{{.*}}, align 16
# IR: tail:
# IR: load float
# IR: store float
#
# Each element's operations are those of the kernel as it is written.
# RUN: %{coarse} 'saxpy(%{vector}, %{vector}, Float32)' | %filecheck %s --check-prefix=PTX
# PTX: .entry [[NAME:_Z5saxpy[A-Za-z0-9_]*]](
# PTX: fma.rn.f32
# PTX: .entry [[NAME]]_coarse(
# PTX: ld.global.v4.b32
# PTX: ld.global.v4.b32
# PTX-COUNT-4: fma.rn.f32
# PTX: st.global.v4.b32
# PTX: fma.rn.f32
# PTX-NOT: .entry
#
# Without the option there is one entry.
# RUN: %kiln compile %s 'saxpy(%{vector}, %{vector}, Float32)' --target ptx -g0 | %filecheck %s --check-prefix=PLAIN
# PLAIN: .entry
# PLAIN-NOT: .entry
# PLAIN-NOT: .v4
#
# The largest element decides: two Float64, eight Float16; halves beside doubles two.
# RUN: %{coarse} 'copy(CuDeviceVector{Float64,1}, CuDeviceVector{Float64,1})' | %filecheck %s --check-prefix=F64
# F64: st.global.v2.b64
# RUN: %{coarse} 'copy(CuDeviceVector{Float16,1}, CuDeviceVector{Float16,1})' | %filecheck %s --check-prefix=F16
# F16: ld.global.v4.b32
# F16: st.global.v4.b32
# RUN: %{coarse} 'copy(CuDeviceVector{UInt8,1}, CuDeviceVector{UInt8,1})' | %filecheck %s --check-prefix=U8
# U8: _coarse
# U8: st.global.v4
# RUN: %{coarse} 'copy(CuDeviceVector{Float64,1}, CuDeviceVector{Float32,1})' | %filecheck %s --check-prefix=MIXED
# MIXED: ld.global.v2.b32
# MIXED: st.global.v2.b64
#
# Indices in 64 bits and in another order, several tests, leaving early: all the same. What is read elsewhere is read by element.
# RUN: %{coarse} 'around(%{vector}, %{vector}, Int32)' | %filecheck %s --check-prefix=AROUND
# AROUND: _coarse
# AROUND: ld.global.b32
# AROUND: st.global.v4.b32
# RUN: %{coarse} 'gather(%{vector}, %{vector}, CuDeviceVector{Int32,1})' | %filecheck %s --check-prefix=GATHER
# GATHER: ld.global.v4.b32
# GATHER-COUNT-4: ld.global.b32
# GATHER: st.global.v4.b32
# RUN: %{coarse} 'early(%{vector}, Int)' | %filecheck %s --check-prefix=EARLY
# EARLY: st.global.v4.b32
#
# What cannot be coarsened is compiled as it is, and told.
# RUN: %{coarse} 'condition(%{vector}, %{vector})' 2>&1 | %filecheck %s --check-prefix=CONDITION
# CONDITION: coarsen.jl:[[#]]:{{[0-9]+}}: `condition` is not coarsened: it writes only where a condition holds besides its bounds test
# CONDITION: .entry
# CONDITION-NOT: .entry
# RUN: %{coarse} 'checked(%{vector}, %{vector})' 2>&1 | %filecheck %s --check-prefix=CHECKED
# CHECKED: it may throw an exception
# RUN: %{coarse} 'barrier(%{vector})' 2>&1 | %filecheck %s --check-prefix=BARRIER
# BARRIER: its threads wait at barriers
# RUN: %{coarse} 'shuffle(%{vector})' 2>&1 | %filecheck %s --check-prefix=SHUFFLE
# SHUFFLE: its threads exchange values within their warp
# RUN: %{coarse} 'atomic(CuDeviceVector{Int32,1})' 2>&1 | %filecheck %s --check-prefix=ATOMIC
# ATOMIC: it has atomic operations
# RUN: %{coarse} 'stride(%{vector})' 2>&1 | %filecheck %s --check-prefix=STRIDE
# STRIDE: it reads %nctaid.x
# RUN: %{coarse} 'rows(CuDeviceMatrix{Float32,1})' 2>&1 | %filecheck %s --check-prefix=ROWS
# ROWS: it reads %
# RUN: %{coarse} 'thread(%{vector})' 2>&1 | %filecheck %s --check-prefix=THREAD
# THREAD: it takes threadIdx(), blockIdx() or blockDim() in another way than for the linear index
# RUN: %{coarse} 'in_place(%{vector})' 2>&1 | %filecheck %s --check-prefix=IN_PLACE
# IN_PLACE: it accesses other elements of an array that it writes to
# RUN: %{coarse} 'reversed(%{vector}, %{vector})' 2>&1 | %filecheck %s --check-prefix=REVERSED
# REVERSED: neighbouring threads do not write side by side
# RUN: %{coarse} 'shifted(%{vector}, %{vector})' 2>&1 | %filecheck %s --check-prefix=SHIFTED
# SHIFTED: its writes do not begin where 16 bytes do
# RUN: %{coarse} 'sums(%{vector}, %{vector}, Int32)' 2>&1 | %filecheck %s --check-prefix=SUMS
# SUMS: it has a loop
# RUN: %{coarse} 'bare(Core.LLVMPtr{Float32,1})' 2>&1 | %filecheck %s --check-prefix=POINTER
# POINTER: it accesses memory of which the arguments do not tell the array
# RUN: %{coarse} 'nothing_at_all()' 2>&1 | %filecheck %s --check-prefix=NOTHING
# NOTHING: its threads do not take elements by the linear index
# RUN: %{coarse} 'copy(CuDeviceVector{ComplexF64,1}, CuDeviceVector{ComplexF64,1})' 2>&1 | %filecheck %s --check-prefix=STRUCTS
# STRUCTS: is not coarsened
# RUN: %{coarse} 'rows_around(%{vector}, %{vector}, Int)' 2>&1 | %filecheck %s --check-prefix=APART
# APART: 4 of its loads do not lie side by side, or do not begin where 16 bytes do; up to 2 are taken one by one
#
# A product that elements have in common could change which product of a sum is rounded.
# RUN: %{coarse} 'common(%{vector}, %{vector}, Float32, Float32)' 2>&1 | %filecheck %s --check-prefix=COMMON
# COMMON: a sum takes two products, of which its elements may have one in common
# RUN: %{coarse} 'weighted(%{vector}, %{vector}, Float32)' 2>&1 | %filecheck %s --check-prefix=COMMON
#
# RUN: %status 2 %kiln compile %s 'saxpy(%{vector}, %{vector}, Float32)' --coarsen 2>&1 | %filecheck %s --check-prefix=NATIVE
# NATIVE: usage error[200]: --coarsen is for the target ptx, not native
# RUN: %status 2 %kiln run %s saxpy --device cuda --coarsen --no-coarsen 2>&1 | %filecheck %s --check-prefix=BOTH
# BOTH: usage error[200]: --coarsen and --no-coarsen exclude each other

using CUDA
linear_index() = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x

function saxpy(y, x, a)
    i = linear_index()
    if i <= length(y)
        @inbounds y[i] = a * x[i] + y[i]
    end
    return
end
function copy(c, a)
    i = linear_index()
    if i <= length(c)
        @inbounds c[i] = a[i]
    end
    return
end
function around(y, x, n)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if 1 < i < n
        @inbounds y[i] = x[i-1] + x[i] + x[i+1]
    end
    return
end
function gather(y, x, index)
    i = threadIdx().x + blockDim().x * (blockIdx().x - 1i32)
    i > length(y) && return
    @inbounds y[i] = x[index[i]]
    return
end
function early(y, n)
    i = Int(blockDim().x) * (Int(blockIdx().x) - 1) + Int(threadIdx().x)
    i > n && return
    @inbounds y[i] = i
    return
end
function condition(y, x)
    i = linear_index()
    if i <= length(y)
        @inbounds v = x[i]
        if v > 0
            @inbounds y[i] = v
        end
    end
    return
end
function checked(y, x)
    i = linear_index()
    if i <= length(y)
        y[i] = x[i]
    end
    return
end
function barrier(y)
    i = linear_index()
    sync_threads()
    @inbounds y[i] = 1
    return
end
function shuffle(y)
    i = linear_index()
    @inbounds y[i] = shfl_sync(0xffffffff, y[i], 1)
    return
end
function atomic(y)
    i = linear_index()
    CUDA.atomic_add!(pointer(y, i), Int32(1))
    return
end
function stride(y)
    i = linear_index()
    while i <= length(y)
        @inbounds y[i] = 1
        i += blockDim().x * gridDim().x
    end
    return
end
function rows(y)
    i, j = linear_index(), threadIdx().y
    @inbounds y[i, j] = 1
    return
end
function thread(y)
    i = linear_index()
    @inbounds y[i] = threadIdx().x
    return
end
function in_place(y)
    i = linear_index()
    if i < length(y)
        @inbounds y[i] = y[i+1]
    end
    return
end
function reversed(y, x)
    i = linear_index()
    if i <= length(y)
        @inbounds y[length(y)-i+1] = x[i]
    end
    return
end
function shifted(y, x)
    i = linear_index()
    if i < length(y)
        @inbounds y[i+1] = x[i]
    end
    return
end
function sums(y, x, n)
    i = linear_index()
    s = 0f0
    for k in 1:n
        @inbounds s += x[k]
    end
    @inbounds y[i] = s
    return
end
function bare(p)
    i = linear_index()
    unsafe_store!(p, 1f0, i)
    return
end
nothing_at_all() = nothing
function common(y, x, a, b)
    i = linear_index()
    if i <= length(y)
        @inbounds y[i] = x[i] * x[i] + a * b
    end
    return
end
function weighted(y, x, w)
    i = linear_index()
    if 1 < i < length(y)
        @inbounds y[i] = w * x[i-1] + w * x[i+1]
    end
    return
end
function rows_around(y, x, n)
    i = linear_index()
    if n < i <= length(y) - n
        @inbounds y[i] = x[i-n] + x[i-1] + x[i] + x[i+1] + x[i+n]
    end
    return
end
