# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Recursion runs as deep as the stack of a host thread holds. Deeper, its thread ends with an exception, and neither the
# process nor other threads do.
#
# RUN: %kiln run %s triangle --arg "zeros(Int64, 4)" --arg 1000 --threads 4 --out 1=%t.npy && %npy show %t.npy | %filecheck %s --check-prefix=V500500
# V500500: values 500500 500500 500500 500500
# RUN: %status 1 %kiln run %s triangle --arg "zeros(Int64, 4)" --arg 100000000 --threads 4 2>&1 | %filecheck %s --check-prefix=DEEP
# DEEP: {{.*}}recursion.jl:[[@LINE+24]]:1: StackOverflowError[117]: calls nest deeper than the stack of a thread on this device holds, in thread (1, 1, 1) of block (1, 1, 1)
# DEEP: [1] sum_to @ {{.*}}recursion.jl:
#
# In kernels whose threads wait for each other: in loops over threads between barriers, and as coroutines.
# RUN: %kiln run %s between_barriers --arg "zeros(Int64, 4)" --arg 100 --threads 4 --out 1=%t.npy && %npy show %t.npy | %filecheck %s --check-prefix=V5050
# V5050: values 5050 5050 5050 5050
# RUN: %status 1 %kiln run %s between_barriers --arg "zeros(Int64, 4)" --arg 100000000 --threads 4 2>&1 | %filecheck %s --check-prefix=OTHER
# OTHER: StackOverflowError[117]: {{.*}} in thread (3, 1, 1) of block (1, 1, 1)
# RUN: %kiln run %s in_warp --arg "zeros(Int64, 4)" --arg 10 --threads 4 --out 1=%t.npy && %npy show %t.npy | %filecheck %s --check-prefix=V57
# V57: values 57 57 57 57
#
# What is thrown far down ends the thread there as well: the others go on, over a barrier.
# RUN: %status 1 %kiln run %s some_throw --arg "zeros(Int64, 4)" --arg 5 --threads 4 2>&1 | %filecheck %s --check-prefix=THROWS
# THROWS: ErrorException[114]: too small, in thread (2, 1, 1) of block (1, 1, 1)
#
# RUN: %kiln run %s returns --arg "zeros(Int64, 4)" --arg 5 --threads 4 --out 1=%t.npy && %npy show %t.npy | %filecheck %s --check-prefix=V15
# V15: values 15 15 15 15
#
# RUN: %status 1 %kiln run %s waits --arg "zeros(Int64, 4)" --arg 3 --threads 4 2>&1 | %filecheck %s --check-prefix=WAITS
# WAITS: KernelError[120]: the recursive function `julia_meet_1` waits for other threads; the native target cannot run that
# WAITS: make it a loop
using CUDA

# Not a tail call, which would be a loop.
@noinline sum_to(n) = n <= 0 ? 0 : n + sum_to(n - 1)

function triangle(y, n)
    y[threadIdx().x] = sum_to(n)
    return
end

function between_barriers(y, n)
    i = threadIdx().x
    y[i] = i
    sync_threads()
    y[i] = i == 3 || n < 1000 ? sum_to(n) : 0
    sync_threads()
    return
end

function in_warp(y, n)
    i = threadIdx().x
    v = shfl_sync(0xffffffff, i + 1, 1)
    y[i] = sum_to(n) + v
    return
end

@noinline checked(n, least) = n < least ? error("too small") : n == 0 ? 0 : n + checked(n - 1, least)

function some_throw(y, n)
    i = threadIdx().x
    y[i] = shfl_sync(0xffffffff, i, 1)
    y[i] += checked(n, i == 2 ? 3 : 0)
    sync_threads()
    return
end

function returns(y, n)
    i = threadIdx().x
    v = checked(n, 0)
    sync_threads()
    y[i] = v
    return
end

@noinline function meet(n)
    sync_threads()
    return n == 0 ? 0 : 1 + meet(n - 1)
end
function waits(y, n)
    y[threadIdx().x] = meet(n)
    return
end
