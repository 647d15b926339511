# RUN: %kiln script --device cpu %s 2>&1 | %filecheck %s
# What a GPU says in other words, or not at all without -g2: test/system/gpu/programs.py leaves this folder out.
using CUDA
println(CUDA.functional())
# CHECK: false

# An exception of a kernel is heard of where somebody waits.
function broken(a)
    a[threadIdx().x+1000] = 1
    return
end
@cuda threads=1 broken(CUDA.zeros(Int, 1000))
try
    synchronize()
catch e
    println(typeof(e))
end
# CHECK: exceptions.jl:9:5: BoundsError[108]: thrown in thread (1, 1, 1) of block (1, 1, 1)
# CHECK: KernelException
