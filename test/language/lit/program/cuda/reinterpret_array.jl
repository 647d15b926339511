# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reinterpreted arrays of the host in copies and kernels, and reinterpreted views in kernels. Values are from
# Python's struct.
#
# RUN: %kiln script %s | %filecheck %s
using CUDA, KernelAbstractions, Adapt
f = Float32[1, 2, 3, 4]
u = reinterpret(UInt32, f)
# CHECK: CuArray{UInt32, 1, CUDA.DeviceMemory} CuArray{UInt32, 1, CUDA.DeviceMemory} [1065353216, 1073741824, 1077936128, 1082130432]
println(typeof(adapt(CuArray, u)), " ", typeof(cu(u)), " ", Int.(Array(CuArray(u))))
e = CUDA.zeros(UInt32, 4)
copyto!(e, u)
copyto!(u, e .+ 0x00800000)
# CHECK-NEXT: Float32[2.0, 4.0, 6.0, 8.0]
println(f)
copyto!(e, 1, u, 2, 2)
copyto!(u, 3, e, 1, 2)
# CHECK-NEXT: Float32[2.0, 4.0, 4.0, 6.0]
println(f)
@kernel function double!(a)
    i = @index(Global)
    a[i] += 0x00800000
end
double!(CPU())(u; ndrange=4)
KernelAbstractions.synchronize(CPU())
# CHECK-NEXT: Float32[4.0, 8.0, 8.0, 12.0]
println(f)
function bits(o, v)
    i = threadIdx().x
    o[i] = reinterpret(eltype(o), v)[i]
    return
end
x = CuArray(Float32.(1:8))
o = CUDA.zeros(UInt32, 4)
@cuda threads=4 bits(o, view(x, 1:2:8))
# CHECK-NEXT: [1065353216, 1077936128, 1084227584, 1088421888]
println(Int.(Array(o)))
o = CUDA.zeros(Float64, 2)
@cuda threads=2 bits(o, view(x, 2:2:8))
# CHECK-NEXT: [512.0001220703125, 131072.03161621094]
println(Array(o))
