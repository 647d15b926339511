# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Threads that wait for what others write, without a barrier.

using CUDA

# Each thread waits for the one before it, the highest first to begin.
function relay(o, flag)
    t = blockDim().x - threadIdx().x + 1
    while CUDA.atomic_or!(pointer(flag), Int32(0)) != t - 1
    end
    o[t] = t == 1 ? 1 : 2 * o[t - 1] % 1000003
    threadfence()
    CUDA.atomic_xchg!(pointer(flag), Int32(t))
    return
end

# The same with plain reads.
function plain_relay(o, flag)
    t = blockDim().x - threadIdx().x + 1
    while flag[1] != t - 1
        threadfence()
    end
    o[t] = t == 1 ? 1 : 2 * o[t - 1] % 1000003
    threadfence()
    flag[1] = t
    return
end

# A lock, taken by each thread in a loop that all leave together on a GPU.
function locked(total, lock, turns)
    for _ in 1:turns
        done = false
        while !done
            if CUDA.atomic_cas!(pointer(lock), Int32(0), Int32(1)) == 0
                total[1] += 1
                threadfence()
                CUDA.atomic_xchg!(pointer(lock), Int32(0))
                done = true
            end
        end
    end
    return
end

# Tickets: served in the order in which they were drawn.
function tickets(order, next, serving)
    mine = CUDA.atomic_add!(pointer(next), Int32(1))
    while CUDA.atomic_add!(pointer(serving), Int32(0)) != mine
    end
    order[mine + 1] = mine
    threadfence()
    CUDA.atomic_add!(pointer(serving), Int32(1))
    return
end

# Blocks wait for the one behind them, which comes later.
function blocks_backwards(o, flags)
    b = blockIdx().x
    if b < gridDim().x
        while CUDA.atomic_or!(pointer(flags, b + 1), Int32(0)) == 0
        end
    end
    sync_threads()
    if threadIdx().x == 1
        o[b] = b == gridDim().x ? 1 : o[b + 1] + 1
        threadfence()
        CUDA.atomic_xchg!(pointer(flags, b), Int32(1))
    end
    return
end

# A barrier of the grid, made by hand.
function meeting(o, x, arrived)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    x[i] = i
    threadfence()
    sync_threads()
    if threadIdx().x == 1
        CUDA.atomic_add!(pointer(arrived), Int32(1))
        while CUDA.atomic_add!(pointer(arrived), Int32(0)) < gridDim().x
        end
    end
    sync_threads()
    o[i] = x[length(x) - i + 1]
    return
end

# It counts how often it has looked, and gives up.
function gives_up(o, flag, limit)
    t = threadIdx().x
    if t == 1
        looks = 0
        while CUDA.atomic_or!(pointer(flag), Int32(0)) == 0 && looks < limit
            looks += 1
        end
        o[1] = looks < limit ? 1 : 2
    elseif t == 2 && o[2] != 0
        CUDA.atomic_xchg!(pointer(flag), Int32(1))
    end
    return
end

# A long computation, and one thread that waits for it.
function patient(o, flag, rounds)
    if threadIdx().x == 1
        while CUDA.atomic_or!(pointer(flag), Int32(0)) == 0
        end
        o[2] = o[1]
    elseif threadIdx().x == 2
        x = UInt32(1)
        for _ in 1:rounds
            x = x * 0x0019660d + 0x3c6ef35f
        end
        o[1] = x
        threadfence()
        CUDA.atomic_xchg!(pointer(flag), Int32(1))
    end
    return
end

function nobody_writes(flag)
    while CUDA.atomic_or!(pointer(flag), Int32(0)) == 0
    end
    return
end

function never_unlocked(total, lock)
    while CUDA.atomic_cas!(pointer(lock), Int32(0), Int32(1)) != 0
    end
    total[1] += 1
    return
end

function apart(flag)
    if threadIdx().x == 1
        sync_threads()
        CUDA.atomic_xchg!(pointer(flag), Int32(1))
    else
        while CUDA.atomic_or!(pointer(flag), Int32(0)) == 0
        end
        sync_threads()
    end
    return
end
