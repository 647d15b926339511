# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln advise: Int64 arithmetic that a literal brought into a kernel of Int32. An integer literal is an Int64.
# RUN: %kiln advise %s 'remainder(CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1})' | %filecheck %s --check-prefix=REM --implicit-check-not=advice
# REM: wide_integer.jl:[[#@LINE+14]]:29: advice: the literal 3 makes this Int64 arithmetic on Int32 values, {{.*}}; write 3i32
# REM: wide_integer.jl:[[#@LINE+13]]:33: advice: the literal 7 makes this Int64 arithmetic on Int32 values, {{.*}}; write 7i32
# RUN: %kiln advise %s 'raised(CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1})' | %filecheck %s --check-prefix=RAISED --implicit-check-not=advice
# RAISED: wide_integer.jl:[[#@LINE+17]]:29: advice: the literal 1 makes this Int64 {{.*}}checked when the result is stored; write 1i32
# Against: literals of Int32; Int64 arrays; index arithmetic, which Julia does in Int64; a CPU, where Int64 costs nothing.
# RUN: %kiln advise %s 'narrow(CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1})' | %empty
# RUN: %kiln advise %s 'remainder(CuDeviceVector{Int64,1}, CuDeviceVector{Int64,1})' | %empty
# RUN: %kiln advise %s 'remainder(CuDeviceVector{Int64,1}, CuDeviceVector{Int32,1})' | %empty
# RUN: %kiln advise %s 'picked(CuDeviceVector{Float32,1}, CuDeviceVector{Int32,1})' | %empty
# RUN: %kiln advise %s 'remainder(CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1})' --target native | %filecheck %s --check-prefix=CPU --implicit-check-not=advice:
using CUDA

function remainder(y, x)
    i = threadIdx().x
    @inbounds y[i] = x[i] * 3 % 7
    return
end

function raised(y, x)
    i = threadIdx().x
    @inbounds y[i] = x[i] + 1
    return
end

function narrow(y, x)
    i = threadIdx().x
    @inbounds y[i] = x[i] * 3i32 % 7i32 + Int32(1)
    return
end

function picked(y, x)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    @inbounds y[i] = y[x[i] % 7 + 1]
    return
end
# CPU: not checked: wide-integer, local-memory, spills, occupancy, stride, bank-conflict, lockstep, serial-products: they are about GPUs, and the target is a CPU
