# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# wgmma products of a kernel that may throw run asynchronously: the kernel calls no function. ptxas -c assembles as nvJitLink does,
# and says in message C7509 when it makes products wait for each other.
# REQUIRES: ptxas
# RUN: %kiln compile %s 'product(CuDeviceVector{Float32,1}, Int64)' --target ptx --arch sm_90a > %t.ptx
# RUN: %filecheck %s --input-file %t.ptx --check-prefix=ENTRY
# RUN: %ptxas -c -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | %empty
# RUN: %kiln compile %s 'product(CuDeviceVector{Float32,1}, Int64)' --target ptx --arch sm_90a -g0 > %t.g0.ptx
# RUN: %filecheck %s --input-file %t.g0.ptx --check-prefix=ENTRY
# RUN: %ptxas -c -arch=sm_90a %t.g0.ptx -o %t.cubin 2>&1 | %empty
# RUN: %kiln advise %s 'product(CuDeviceVector{Float32,1}, Int64)' --arch sm_90a | %empty
# ENTRY: .entry
# ENTRY-NOT: call
# ENTRY: wgmma.mma_async
# ENTRY: exit;
# A call that the user keeps.
# RUN: %kiln compile %s 'with_call(CuDeviceVector{Float32,1}, Int64)' --target ptx --arch sm_90a > %t.call.ptx
# RUN: %ptxas -c -arch=sm_90a %t.call.ptx -o %t.cubin 2>&1 | %filecheck %s --check-prefix=SERIAL
# SERIAL: C7509
# RUN: %kiln advise %s 'with_call(CuDeviceVector{Float32,1}, Int64)' --arch sm_90a | %filecheck %s --check-prefix=ADVICE --implicit-check-not=advice
# ADVICE: serial_products.jl:[[#@LINE+24]]:22: advice: this call makes the assembler wait for each wgmma product of `with_call` before the next; mark the called function @inline, or issue the products in a function without calls
using CUDA

@inline function multiplied(n)
    a = Hopper.shared_matrix(pointer(CuStaticSharedArray(Float16, 64 * 64)), Val(:k), Val(128))
    sums = ntuple(_ -> 0f0, Val(8))
    for k in 1:n
        Hopper.wgmma_fence()
        sums = Hopper.wgmma(sums, a, a)
        sums = Hopper.wgmma(sums, a, a)
        Hopper.wgmma_commit()
        Hopper.wgmma_wait(Val(1))
    end
    return Hopper.wgmma_wait(Val(0), sums)
end

function product(y, n)
    y[threadIdx().x] = sum(multiplied(n))
    return
end

@noinline scaled(x) = 2x + 1
function with_call(y, n)
    s = sum(multiplied(n))
    @inbounds y[1] = scaled(s)
    return
end
