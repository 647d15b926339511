# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln advise: divisions in loops by what the loop does not change.
# RUN: %kiln advise %s 'scaled(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' | %filecheck %s --check-prefix=FLOAT --implicit-check-not=advice
# FLOAT: divisions.jl:[[#@LINE+20]]:24: advice: a loop divides by a value that it does not change, {{.*}}; before the loop take the inverse, inverse = 1 / value, and multiply
# RUN: %kiln advise %s 'wrapped(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Int64)' | %filecheck %s --check-prefix=WRAPPED --implicit-check-not=advice
# WRAPPED: divisions.jl:[[#@LINE+31]]:26: advice: a loop takes the remainder by an integer that it does not change and that is known only at run time: it takes tens of instructions, above a hundred for Int64; count along with the loop instead
# The same on a CPU, where the loop is the user's, not that over the threads.
# RUN: %kiln advise %s 'scaled(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --target cpu | %filecheck %s --check-prefix=FLOAT --implicit-check-not=advice
# RUN: %kiln advise %s 'once(CuDeviceVector{Float32,1}, Float32)' --target native | %filecheck %s --check-prefix=CPU --implicit-check-not=advice:
# Against: by what each iteration computes; by a constant; outside of a loop; of values that the loop does not change either;
# the inverse; @fastmath; an atomic update, which tries until it succeeds.
# RUN: %kiln advise %s 'updated(CuDeviceVector{Float32,1}, Float32)' | %empty
# RUN: %kiln advise %s 'ordered(CuDeviceVector{Float32,1}, Float32)' | %empty
# RUN: %kiln advise %s 'varying(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' | %empty
# RUN: %kiln advise %s 'wrapped(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Val{16})' | %empty
# RUN: %kiln advise %s 'once(CuDeviceVector{Float32,1}, Float32)' | %empty
# RUN: %kiln advise %s 'hoisted(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32, Float32)' | %empty
using CUDA

function scaled(y, x, a)
    i = threadIdx().x
    t = 0f0
    for k in 1:length(x)
        @inbounds t += x[k] / a
    end
    @inbounds y[i] = t
    return
end

number(n) = n
number(::Val{N}) where {N} = N

function wrapped(y, x, n)
    i = threadIdx().x
    t = 0f0
    for k in 1:length(x)
        @inbounds t += x[k % number(n) + 1]
    end
    @inbounds y[i] = t
    return
end

function varying(y, x)
    i = threadIdx().x
    t = 0f0
    for k in 1:length(x)
        @inbounds t += 1f0 / x[k] + (k ÷ (k + 1))
    end
    @inbounds y[i] = t
    return
end

function once(y, a)
    i = threadIdx().x
    @inbounds y[i] = y[i] / a
    return
end

function hoisted(y, x, a, b)
    i = threadIdx().x
    t = 0f0
    inverse = 1 / a
    for k in 1:length(x)
        @inbounds t += x[k] * inverse + b / a + @fastmath(x[k] / b)
    end
    @inbounds y[i] = t
    return
end

function updated(y, a)
    CUDA.@atomic y[1] /= a
    return
end
function ordered(y, a)
    Atomix.modify!(Atomix.IndexableRef(y, (threadIdx().x,)), /, a)
    return
end
# CPU: not checked: wide-integer, local-memory, spills, occupancy, stride, bank-conflict, lockstep, serial-products: they are about GPUs, and the target is a CPU
# What a function of the library divides by in a loop of its own is nobody's to change; circshift! takes remainders.
# RUN: %kiln advise %s 'shifted(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Int64)' | %empty
function shifted(w, v, n)
    circshift!(w, v, n)
    return
end

# A loop around another spends its time in that.
# RUN: %kiln advise %s 'around(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Int32)' | %empty
function around(y, x, n)
    tile = 0i32
    while tile < Int32(length(y))
        row = div(tile, n)
        t = 0f0
        k = threadIdx().x
        while k <= Int32(length(x))
            @inbounds t += x[k]
            k += blockDim().x
        end
        @inbounds y[row + threadIdx().x] = t
        tile += gridDim().x
    end
    return
end
