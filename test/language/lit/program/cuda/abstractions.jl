# RUN: %kiln script --device cpu %s | %filecheck %s
# KernelAbstractions' host side, on both backends.
using KernelAbstractions, CUDA

@kernel function square!(out, @Const(a))
    i = @index(Global, Linear)
    out[i] = a[i] * a[i]
end
@kernel function table!(out)
    I = @index(Global, NTuple)
    out[I...] = 10 * I[1] + I[2]
end

a = CuArray(collect(1:100))
out = similar(a)
backend = get_backend(a)
square!(backend, 64)(out, a, ndrange=length(a))
KernelAbstractions.synchronize(backend)
println(Array(out) == [i^2 for i in 1:100], " ", backend isa CUDABackend)
# CHECK: true true
k = table!(backend)
t = KernelAbstractions.zeros(backend, Int, 3, 4)
k(t, ndrange=size(t))
println(Array(t) == [10i + j for i in 1:3, j in 1:4])
# CHECK-NEXT: true

h = collect(1:10)
o = KernelAbstractions.zeros(CPU(), Int, 10)
square!(CPU(), 4)(o, h, ndrange=10)
println(o == [i^2 for i in 1:10], " ", get_backend(h) isa CPU)
# CHECK-NEXT: true true
try
    square!(backend, 64)(out, a)
catch e
    println(e.msg)
end
# CHECK-NEXT: can not launch kernel without ndrange argument
