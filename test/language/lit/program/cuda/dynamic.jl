# RUN: %kiln script --device cpu %s | %filecheck %s
# @cuda dynamic=true: kernels that launch kernels.
using CUDA

# A grid for each thread: 1 and 2 by the parent, then 10 i at 1..3 and 5..7.
function child(y, base, n)
    i = threadIdx().x + (blockIdx().x - 1) * blockDim().x
    i <= n && (y[base+i] += 10.0f0 * i)
    return
end
function parent(y, n)
    t = threadIdx().x
    y[t] = Float32(t)
    sync_threads()
    @cuda dynamic = true threads = 2 blocks = 2 child(y, (t - 1) * 4, n)
    return
end
y = CUDA.zeros(Float32, 8)
@cuda threads = 2 parent(y, 3)
println(Array(y))
# CHECK: Float32[11.0, 22.0, 30.0, 0.0, 10.0, 20.0, 30.0, 0.0]

# Recursion: each element once, of grids that halve their range.
function halve(y, low, high)
    if high - low == 1
        y[low] += low * low
        return
    end
    middle = (low + high) ÷ 2
    @cuda dynamic = true halve(y, low, middle)
    @cuda dynamic = true halve(y, middle, high)
    return
end
y = CUDA.zeros(Int, 13)
@cuda halve(y, 1, 14)
println(Array(y))
# CHECK: [1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169]

# Grids of a block run in the order of their launches, each with what it launches itself before the next.
function note(log, at, x)
    k = CUDA.atomic_add!(pointer(at), 1)
    log[k+1] = x
    return
end
function noted(log, at, x)
    note(log, at, x)
    @cuda dynamic = true note(log, at, x + 1)
    return
end
function in_order(log, at)
    note(log, at, 1)
    @cuda dynamic = true noted(log, at, 10)
    @cuda dynamic = true noted(log, at, 20)
    return
end
log_of = CUDA.zeros(Int, 5)
@cuda in_order(log_of, CUDA.zeros(Int, 1))
println(Array(log_of))
# CHECK: [1, 10, 11, 20, 21]

# Barriers, static and dynamic shared memory on both sides.
function reversed(out, a)
    s = CuDynamicSharedArray(Int, blockDim().x)
    t = threadIdx().x
    s[t] = a[t]
    sync_threads()
    out[t] = s[blockDim().x-t+1] + 1
    return
end
function twice_reversed(out, a)
    s = CuStaticSharedArray(Int, 4)
    t = threadIdx().x
    s[t] = a[t] * 10
    sync_threads()
    a[t] = s[5-t]
    sync_threads()
    if t == 1
        @cuda dynamic = true threads = 4 shmem = 4 * sizeof(Int) reversed(out, a)
    end
    return
end
a = CuArray([1, 2, 3, 4])
out = CUDA.zeros(Int, 4)
@cuda threads = 4 twice_reversed(out, a)
println(Array(a), Array(out))
# CHECK: [40, 30, 20, 10][11, 21, 31, 41]

# Closures, kernels as objects, splats, Bools, streams, sizes as tuples.
function closures(y, c, flag)
    f = (z, k, b) -> (b && (z[k] = c + k); nothing)
    kernel = @cuda dynamic = true launch = false f(y, 1, flag)
    kernel(y, 1, flag)
    kernel(y, 2, !flag)
    rest = (y, 3, flag)
    s = CuDeviceStream()
    @cuda dynamic = true stream = s threads = (1, 1) blocks = (1,) f(rest...)
    CUDA.unsafe_destroy!(s)
    return
end
y = CUDA.zeros(Int, 3)
@cuda closures(y, 100, true)
println(Array(y))
# CHECK: [101, 0, 103]

# A function that calls itself and gives nothing is called for what it writes.
function count_down(y, n)
    y[1] += 1
    n > 0 && count_down(y, n - 1)
    return
end
counts(y, n) = (count_down(y, n); nothing)
y = CUDA.zeros(Int, 1)
@cuda counts(y, 5)
println(Array(y))
# CHECK: [6]
