# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Loops by strides of the whole grid or block, in the forms in which kernels have them.

using CUDA

function range_saxpy(y, x, a)
    for i in (blockIdx().x - 1) * blockDim().x + threadIdx().x : blockDim().x * gridDim().x : length(y)
        y[i] = a * x[i] + y[i]
    end
    return
end

function while_saxpy(y, x, a)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    while i <= length(y)
        @inbounds y[i] = a * x[i] + y[i]
        i += blockDim().x * gridDim().x
    end
    return
end

function short_saxpy(y, x, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    stride = blockDim().x * gridDim().x
    while i <= Int32(length(y))
        y[i] = a * x[i] + y[i]
        i += stride
    end
    return
end

function backwards(y, x, a)
    stride = blockDim().x * gridDim().x
    for i in length(y) - ((blockIdx().x - 1) * blockDim().x + threadIdx().x) + 1 : -stride : 1
        y[i] = a * x[i] + y[i]
    end
    return
end

# The index counts rows of threads too.
function plane_saxpy(y, x, a)
    width = blockDim().x * blockDim().y
    i = (blockIdx().x - 1) * width + (threadIdx().y - 1) * blockDim().x + threadIdx().x
    while i <= length(y)
        y[i] = a * x[i] + y[i]
        i += width * gridDim().x
    end
    return
end

function range_dot(o, x, y)
    sum = 0f0
    for i in (blockIdx().x - 1) * blockDim().x + threadIdx().x : blockDim().x * gridDim().x : length(x)
        sum += x[i] * y[i]
    end
    o[(blockIdx().x - 1) * blockDim().x + threadIdx().x] = sum
    return
end

function while_dot(o, x, y)
    sum = 0f0
    last = 0
    t = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    i = t
    while i <= length(x)
        @inbounds sum += x[i] * y[i]
        last = i
        i += blockDim().x * gridDim().x
    end
    @inbounds o[t] = sum + Float32(last + i)
    return
end

# Two loops, the second backwards through what the first has written by this thread.
function twice(y, x)
    t = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    stride = blockDim().x * gridDim().x
    for i in t:stride:length(y)
        y[i] = 2 * x[i]
    end
    for i in t:stride:length(y)
        y[i] += i
    end
    return
end

# A sum of a block: by strides, and then by halves.
function block_dot(o, x, y)
    s = CuStaticSharedArray(Float32, 64)
    t = threadIdx().x
    sum = 0f0
    for i in (blockIdx().x - 1) * blockDim().x + t : blockDim().x * gridDim().x : length(x)
        sum += x[i] * y[i]
    end
    s[t] = sum
    d = blockDim().x >> 1
    while d > 0
        sync_threads()
        if t <= d
            s[t] += s[t + d]
        end
        d >>= 1
    end
    if t == 1
        o[blockIdx().x] = s[1]
    end
    return
end

function some_leave(y, x, every)
    t = threadIdx().x
    if t % every == 0
        return
    end
    for i in (blockIdx().x - 1) * blockDim().x + t : blockDim().x * gridDim().x : length(y)
        y[i] = x[i] + 1
    end
    return
end

# Ends early, each thread elsewhere.
function first_above(o, x, limit)
    t = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    found = 0
    for i in t : blockDim().x * gridDim().x : length(x)
        if x[i] > limit
            found = i
            break
        end
    end
    o[t] = found
    return
end

# The end of the range is the largest integer there is: one step more would wrap around.
function up_to_the_end(o, first)
    for i in first + threadIdx().x : blockDim().x : typemax(Int64)
        o[i - first] += 1
    end
    return
end

function through_picks(y, x, picks)
    for i in (blockIdx().x - 1) * blockDim().x + threadIdx().x : blockDim().x * gridDim().x : length(y)
        y[i] += x[picks[i]]
    end
    return
end

function counts(bins, picks)
    for i in (blockIdx().x - 1) * blockDim().x + threadIdx().x : blockDim().x * gridDim().x : length(picks)
        CUDA.@atomic bins[picks[i]] += Int32(1)
    end
    return
end

# What is read may be shorter than the range: the threads that come to its end throw, the others tell what they have summed up.
function sum_to_the_end(x, n)
    t = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    i = t
    sum = 0f0
    while i <= n
        sum += x[i]
        i += blockDim().x * gridDim().x
    end
    @cuprintln("thread ", t, " has ", sum)
    return
end

# A thread that has thrown before takes no turn.
function sum_of_some(marks, x)
    t = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    sum = marks[t]
    for i in t : blockDim().x * gridDim().x : length(x)
        sum += x[i]
    end
    @cuprintln("thread ", t, " has ", sum)
    return
end

# One check stands in front of another, and one under a condition that most turns do not meet.
function look_back(y, x, far)
    for i in (blockIdx().x - 1) * blockDim().x + threadIdx().x : blockDim().x * gridDim().x : length(y)
        y[i] += x[i]
        if x[i] > 8f0
            y[i] += x[i - far]
        end
    end
    return
end

# What a turn needs is counted as well as strided to: both are checked.
function counted(y, x, w)
    k = 1
    for i in (blockIdx().x - 1) * blockDim().x + threadIdx().x : blockDim().x * gridDim().x : length(y)
        y[i] = x[i] * w[k]
        k += 1
    end
    return
end
