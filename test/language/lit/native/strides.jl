# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Loops by strides of the grid: while all threads of a block have a turn, and no bounds check fails in it, a turn is one vectorised loop.
# Threads that have ended are looked for behind these turns alone: once in a kernel that checks in the loop only.
#
# RUN: %kiln compile %s 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --kernel --arch x86-64-v3 --emit llvm-opt -g 0 | %filecheck %s --check-prefix=CHECKED
# CHECKED-LABEL: define void @_Z
# CHECKED-COUNT-1: call i32 @kiln.next_ended
# CHECKED-NOT: call i32 @kiln.next_ended
# CHECKED-LABEL: define internal i32 @kiln.next_ended
#
# A value that goes on from turn to turn is kept in one place: as many vectors are stored as are added to it.
# RUN: %kiln compile %s 'dot(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --kernel --arch x86-64-v3 --emit llvm-opt -g 0 | %filecheck %s --check-prefix=SUM
# SUM: {{^}}vector.body:
# SUM-COUNT-2: fadd <8 x float>
# SUM-COUNT-2: store <8 x float>
# SUM-NOT: store
# SUM: br i1

using CUDA

function saxpy(y, x, a)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    while i <= length(y)
        y[i] = a * x[i] + y[i]
        i += blockDim().x * gridDim().x
    end
    return
end

function dot(o, x, y)
    sum = 0f0
    t = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    for i in t : blockDim().x * gridDim().x : length(x)
        sum += x[i] * y[i]
    end
    o[t] = sum
    return
end
