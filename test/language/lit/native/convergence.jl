# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A warp exchanges values through shared memory without a barrier, in kernels whose threads pass different numbers of
# barriers. On the CPU the threads of a warp converge as on a GPU: after conditions, after loops, after an iteration.
# Expected values: each thread's formula, by hand.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
#
# Element i is i - 1, except at the ends: thread 1 begins again at element 31 before the other threads have read.
# CHECK: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 0]
# Threads 2 to 15 store 10 times their number; each thread reads its right neighbour's value.
# CHECK: [20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 16, 0]
# Thread t adds 1 in each of t iterations; its left neighbour reads the sum.
# CHECK: [2, 3, 4, 5, 6, 7, 8, 1]

using CUDA

function overtake(y, n)
    s = CuStaticSharedArray(Int32, 32)
    t = threadIdx().x
    i = t
    while i <= n
        s[t] = i
        sync_threads()
        if t >= 2 && i < n
            y[i] = s[t - 1]
        end
        i += blockDim().x - 2
    end
    return
end

# Threads that end before a barrier make a kernel one whose threads wait separately.
function joined(y)
    s = CuStaticSharedArray(Int32, 17)
    t = threadIdx().x
    s[t] = t
    t == 1 && (s[17] = 0)
    sync_threads()
    t > 1 && t < 16 && (s[t] = 10t)
    y[t] = s[t + 1]
    t > 8 && return
    sync_threads()
    return
end

function counted(y)
    s = CuStaticSharedArray(Int32, 8)
    t = threadIdx().x
    s[t] = 0
    sync_threads()
    for k in 1:t
        s[t] += 1
    end
    y[t] = s[t % 8 + 1]
    while t <= 8
        sync_threads()
        t += 2
    end
    return
end

function result(kernel, n, threads, arguments...)
    y = CUDA.zeros(Int32, n)
    @cuda threads=threads kernel(y, arguments...)
    println(Int.(Array(y)))
end
result(overtake, 40, 32, 40)
result(joined, 16, 16)
result(counted, 8, 8)
