# RUN: %kiln script --device cpu %s 2>&1 | %filecheck %s
# Launches by kernels that go wrong.
using CUDA
y = CUDA.zeros(Int, 3)

endless(y) = (@cuda dynamic = true endless(y); nothing)
nothing_at_all(y) = nothing
too_large(y) = (@cuda dynamic = true threads = 2000 nothing_at_all(y); nothing)
negative(y) = (@cuda dynamic = true blocks = -1 nothing_at_all(y); nothing)
outside(y) = (y[7] = 1; nothing)
launches(y) = (@cuda dynamic = true threads = 2 outside(y); nothing)
for f in (endless, too_large, negative, launches)
    try
        @cuda f(y)
        synchronize()
    catch e
        println(typeof(e))
    end
end
# CHECK: ErrorException[114]: a kernel launches another while 2048 launches have not ended: launches without end
# CHECK: KernelException
# CHECK: ErrorException[114]: a kernel launches a grid of an invalid configuration
# CHECK: KernelException
# CHECK: ErrorException[114]: a kernel launches a grid of an invalid configuration
# CHECK: KernelException
# CHECK: BoundsError[108]: thrown in thread (1, 1, 1) of block (1, 1, 1)
# CHECK: outside @ {{.*}}dynamic.jl:10
# CHECK: KernelException

# What no launch can be.
gives(y) = 5
launches_that(y) = (@cuda dynamic = true gives(y); nothing)
try
    @cuda launches_that(y)
catch e
    println(first(sprint(showerror, e), 2000))
end
# CHECK: the kernel to launch returns a value of type Int64
try
    @cuda dynamic = true nothing_at_all(y)
catch e
    println(sprint(showerror, e))
end
# CHECK: a kernel's launch of another (@cuda dynamic=true) and pointers to code exist in kernels only
for wrong in (:(@cuda dynamic = d outside(y)), :(@cuda dynamic = true maxregs = 32 outside(y)), :(@cuda dynamic = true cooperative = true outside(y)),
    :(@cuda dynamic = true launch = false threads = 2 outside(y)))
    try
        eval(wrong)
    catch e
        println(sprint(showerror, e))
    end
end
# CHECK: `dynamic` keyword argument to @cuda should be a constant value
# CHECK: @cuda dynamic parallelism does not support compiler keyword arguments
# CHECK: Unsupported keyword argument 'cooperative': a kernel launches plain grids
# CHECK: @cuda with launch=false does not support launch-time keyword arguments; use them when calling the kernel
