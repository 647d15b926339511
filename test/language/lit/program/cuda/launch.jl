# RUN: %kiln script --device cpu %s | %filecheck %s
# @cuda as CUDA.jl has it.
using CUDA

function vadd(a, b, c)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= length(a)
        c[i] = a[i] + b[i]
    end
    return
end
n = 1000
a = CuArray(collect(1:n))
b = CuArray(collect(n:-1:1))
c = similar(a)
@cuda threads=256 blocks=cld(n, 256) vadd(a, b, c)
println(all(Array(c) .== n + 1))
# CHECK: true
fill!(c, 0)
kernel = @cuda launch=false vadd(a, b, c)
config = launch_configuration(kernel.fun)
threads = min(n, config.threads)
blocks = cld(n, threads)
kernel(a, b, c; threads, blocks)
CUDA.synchronize()
println(sum(c))
# CHECK-NEXT: 1001000
fill!(c, 0)
threads = (16, 16)
CUDA.@sync @cuda(threads=threads, blocks=4, (() -> nothing)())

# What a kernel captures, structs by Adapt, tuples.
function outer(c, k)
    function inner()
        c[threadIdx().x] = k
        return
    end
    @cuda threads=10 inner()
end
outer(c, 5)
println(sum(c))
# CHECK-NEXT: 50

function shared(out)
    s = @cuDynamicSharedMem(Int, blockDim().x)
    t = threadIdx().x
    s[t] = t
    sync_threads()
    out[t] = s[blockDim().x-t+1]
    return
end
out = CUDA.zeros(Int, 32)
@cuda threads=32 shmem=32*sizeof(Int) shared(out)
println(Array(out) == collect(32:-1:1))
# CHECK-NEXT: true

s = CuStream()
@cuda threads=10 stream=s vadd(a, b, c)
synchronize(s)
println(Array(c)[1])
# CHECK-NEXT: 1001
e1 = CuEvent()
e2 = CuEvent()
CUDA.record(e1)
@cuda threads=10 vadd(a, b, c)
CUDA.record(e2)
synchronize(e2)
println(CUDA.elapsed(e1, e2) >= 0, " ", device() isa CuDevice)
# CHECK-NEXT: true true
try
    @cuda threads=1 vadd(Array(a), b, c)
catch e
    println(typeof(e))
end
# CHECK-NEXT: KernelError
