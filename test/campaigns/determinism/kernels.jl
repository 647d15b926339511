# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels whose code would show a counter, an address or a hash order: functions that are called, several instances of
# them, recursion, texts of exceptions, shared arrays, closures, library functions, faults.

using CUDA

@noinline child(x) = x * 2 + 1
@noinline parent_of(x, y) = child(x) + child(y)

function calls(y, z)
    @inbounds y[1] = parent_of(y[1], z[1])
    @inbounds z[1] = child(z[2])
    return
end

@noinline factorial_of(n) = n <= 1 ? one(n) : n * factorial_of(n - 1)
@noinline even_steps(n) = n == 0 ? 0 : odd_steps(n - 1) + 1
@noinline odd_steps(n) = n == 0 ? 0 : even_steps(n - 1)

function recursive(y)
    y[1] = factorial_of(y[1]) + even_steps(y[2])
    return
end

@noinline check(i, n) = i <= n || error("too many of them")
function throws(y, d)
    i = threadIdx().x
    check(i, length(y))
    y[i] = y[i] ÷ d
    y[i + 1] = Int32(y[i] * 2.5)
    return
end

function reduce_block(y, x, op)
    shared = CuStaticSharedArray(Float32, 256)
    other = CuStaticSharedArray(Float32, 256)
    i = threadIdx().x
    @inbounds shared[i] = x[i]
    @inbounds other[i] = x[i]
    step = blockDim().x ÷ 2
    while step > 0
        sync_threads()
        if i <= step
            @inbounds shared[i] = op(shared[i], shared[i+step])
            @inbounds other[i] = max(other[i], other[i+step])
        end
        step ÷= 2
    end
    if i == 1
        @inbounds y[1] = shared[1] + other[1]
    end
    return
end

@noinline apply(f, x) = f(x)
function closures(y, a)
    y[1] = apply(x -> x * a, y[1]) + apply(x -> x - a, y[2]) + apply(sin, y[3]) + apply(exp, y[4])
    return
end

@noinline lost(x) = not_here(x)
function faults(y)
    y[1] = lost(y[1])
    y[2] = neither_here(y[2])
    return
end
