# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sums, products, quotients and fma that round to the nearest, towards zero, up and down. Expected bits are those of
# exact fractions: 0.1, -3.3 and 1e-5 in each precision.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
# RUN: %kiln compile %s 'all_modes(CuDeviceMatrix{UInt32,1}, Float32, Float32, Float32)' --target ptx | %filecheck %s --check-prefix=PTX
using CUDA
bits(x::Float32) = reinterpret(UInt32, x)
bits(x::Float64) = reinterpret(UInt64, x)
function all_modes(A, x, y, z)
    # PTX-DAG: add.rz.f32
    # PTX-DAG: mul.rp.f32
    # PTX-DAG: div.rm.f32
    # PTX-DAG: fma.rz.f32
    A[1, 1], A[2, 1], A[3, 1], A[4, 1] = bits(CUDA.add_rn(x, y)), bits(CUDA.add_rz(x, y)), bits(CUDA.add_rp(x, y)), bits(CUDA.add_rm(x, y))
    A[1, 2], A[2, 2], A[3, 2], A[4, 2] = bits(CUDA.sub_rn(x, y)), bits(CUDA.sub_rz(x, y)), bits(CUDA.sub_rp(x, y)), bits(CUDA.sub_rm(x, y))
    A[1, 3], A[2, 3], A[3, 3], A[4, 3] = bits(CUDA.mul_rn(x, y)), bits(CUDA.mul_rz(x, y)), bits(CUDA.mul_rp(x, y)), bits(CUDA.mul_rm(x, y))
    A[1, 4], A[2, 4], A[3, 4], A[4, 4] = bits(CUDA.div_rn(x, y)), bits(CUDA.div_rz(x, y)), bits(CUDA.div_rp(x, y)), bits(CUDA.div_rm(x, y))
    A[1, 5], A[2, 5], A[3, 5], A[4, 5] = bits(CUDA.fma_rn(x, y, z)), bits(CUDA.fma_rz(x, y, z)), bits(CUDA.fma_rp(x, y, z)), bits(CUDA.fma_rm(x, y, z))
    return
end
function show_all(T)
    A = CUDA.zeros(T === Float32 ? UInt32 : UInt64, 4, 5)
    @cuda all_modes(A, T(0.1), T(-3.3), T(1e-5))
    for column in eachcol(Array(A))
        println(join(map(repr, column), " "))
    end
end
# CHECK: 0xc04ccccd 0xc04ccccc 0xc04ccccc 0xc04ccccd
# CHECK-NEXT: 0x40599999 0x40599999 0x4059999a 0x40599999
# CHECK-NEXT: 0xbea8f5c3 0xbea8f5c2 0xbea8f5c2 0xbea8f5c3
# CHECK-NEXT: 0xbcf83e10 0xbcf83e0f 0xbcf83e0f 0xbcf83e10
# CHECK-NEXT: 0xbea8f473 0xbea8f473 0xbea8f473 0xbea8f474
show_all(Float32)
# CHECK-NEXT: 0xc009999999999999 0xc009999999999999 0xc009999999999999 0xc00999999999999a
# CHECK-NEXT: 0x400b333333333333 0x400b333333333332 0x400b333333333333 0x400b333333333332
# CHECK-NEXT: 0xbfd51eb851eb851f 0xbfd51eb851eb851e 0xbfd51eb851eb851e 0xbfd51eb851eb851f
# CHECK-NEXT: 0xbf9f07c1f07c1f09 0xbf9f07c1f07c1f08 0xbf9f07c1f07c1f08 0xbf9f07c1f07c1f09
# CHECK-NEXT: 0xbfd51e8e60807358 0xbfd51e8e60807357 0xbfd51e8e60807357 0xbfd51e8e60807358
show_all(Float64)
