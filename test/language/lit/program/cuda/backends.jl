# RUN: %kiln script --device cpu %s | %filecheck %s
# KernelAbstractions alone, on the host's arrays: names that CUDA exports too.
using KernelAbstractions
@kernel function mul2!(A)
    I = @index(Global)
    A[I] = 2 * A[I]
end
backend = CPU()
A = ones(1024, 4)
mul2!(backend, 64)(A, ndrange=size(A))
synchronize(backend)
println(all(A .== 2.0))
# CHECK: true
KernelAbstractions.synchronize(backend)
using CUDA
x = CUDA.ones(128)
kb = KernelAbstractions.get_backend(x)
mul2!(kb, 64)(x, ndrange=length(x))
synchronize(kb)
synchronize()
println(sum(x))
# CHECK-NEXT: 256.0
