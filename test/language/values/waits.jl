# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Loops that wait for another thread's write and also work, in functions of their own, or within other loops.

using CUDA

# ---- functions that are not inlined
@noinline peek(flag) = CUDA.atomic_add!(pointer(flag), Int32(0))
@noinline take(lock) = CUDA.atomic_cas!(pointer(lock), Int32(0), Int32(1)) == 0
@noinline give(lock) = (threadfence(); CUDA.atomic_xchg!(pointer(lock), Int32(0)); nothing)
@noinline plain(flag) = flag[1]
@noinline function wait_until(flag, value)
    while peek(flag) != value
    end
    return
end

# A token goes from the last thread to the first, once a row. The other turns of the loop work.
function tokens(total, token, rows)
    u, n = Int(threadIdx().x), Int(blockDim().x)
    r = Int(rows)
    while r >= 1
        if u == n
            total[r, u] = r == rows ? 1 : total[r+1, u] + 1
            CUDA.@atomic token[u-1] += Int32(1)
            r -= 1
        elseif CUDA.atomic_add!(pointer(token, u), Int32(0)) > 0
            beside = total[r, u+1] + 1
            total[r, u] = r == rows ? beside : max(beside, total[r+1, u] + 1)
            CUDA.@atomic token[u] -= Int32(1)
            if u > 1
                CUDA.@atomic token[u-1] += Int32(1)
            end
            r -= 1
        end
    end
    return
end

# The same relay four times: how a thread waits for its turn differs.
function called_relay(o, flag)
    t = blockDim().x - threadIdx().x + 1
    wait_until(flag, t - 1)
    o[t] = t == 1 ? 1 : 2 * o[t-1] % 1000003
    threadfence()
    CUDA.atomic_xchg!(pointer(flag), Int32(t))
    return
end
function counting_relay(o, flag)
    t = blockDim().x - threadIdx().x + 1
    looks = 0
    while peek(flag) != t - 1
        looks += 1
    end
    o[t] = t == 1 ? 1 : 2 * o[t-1] % 1000003 + 0 * looks
    threadfence()
    CUDA.atomic_xchg!(pointer(flag), Int32(t))
    return
end
function writing_relay(o, flag)                        # plain reads, and a write in each turn
    t = blockDim().x - threadIdx().x + 1
    looks = 0
    while flag[1] != t - 1
        looks += 1
        flag[2] = looks
        threadfence()
    end
    o[t] = t == 1 ? 1 : 2 * o[t-1] % 1000003
    threadfence()
    flag[1] = t
    return
end
function plain_call_relay(o, flag)
    t = blockDim().x - threadIdx().x + 1
    while plain(flag) != t - 1
        nanosleep(20)
    end
    o[t] = t == 1 ? 1 : 2 * o[t-1] % 1000003
    threadfence()
    flag[1] = t
    return
end

# A lock in a function; the loop around it updates a Float32 by compare-and-swap, which is no wait.
function called_lock(total, lock, largest, turns)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    k = 0
    while k < turns
        if take(lock)
            total[1] += 1
            give(lock)
            k += 1
        end
        CUDA.@atomic largest[1] = max(largest[1], Float32(i))
    end
    return
end

# A semaphore: an attempt that fails is taken back, so each turn writes.
function semaphore(total, free)
    entered = false
    while !entered
        if CUDA.atomic_sub!(pointer(free), Int32(1)) > 0
            CUDA.atomic_add!(pointer(total), Int32(1))
            entered = true
        end
        CUDA.atomic_add!(pointer(free), Int32(1))
    end
    return
end

# Block by block: each waits for a value of the next one, in the turns of a loop that also sums.
function blocks_in_turn(o, ready, n)
    b = blockIdx().x
    s = Int64(0)
    k = 1
    while k <= n
        if b == gridDim().x || CUDA.atomic_or!(pointer(ready, b + 1), Int32(0)) >= k
            s += k
            k += 1
            CUDA.atomic_add!(pointer(ready, b), Int32(1))
        end
    end
    o[b] = s
    return
end

# One lane asks, and tells its warp by a shuffle; another warp answers.
function warp_asks(o, flag)
    t = threadIdx().x
    if t <= 32
        v = Int32(0)
        while v == 0
            v = t == 1 ? flag[1] : Int32(0)
            v = shfl_sync(0xffffffff, v, 1)
        end
        o[t] = v
    elseif t == 33
        threadfence()
        flag[1] = 7
    end
    return
end

# The same between blocks.
function warp_asks_block(o, flag)
    t = threadIdx().x
    if blockIdx().x == 1
        v = Int32(0)
        while v == 0
            v = t == 1 ? flag[1] : Int32(0)
            v = shfl_sync(0xffffffff, v, 1)
        end
        o[t] = v
    elseif t == 1
        flag[1] = 8
    end
    return
end

# One thread asks, and tells its block in shared memory; another block answers.
function block_asks(o, flag)
    t = threadIdx().x
    s = CuStaticSharedArray(Int32, 1)
    if blockIdx().x == 1
        going = true
        while going
            if t == 1
                s[1] = CUDA.atomic_add!(pointer(flag), Int32(0))
            end
            sync_threads()
            going = s[1] == 0
            sync_threads()
        end
        o[t] = s[1]
    elseif t == 1
        CUDA.atomic_xchg!(pointer(flag), Int32(9))
    end
    return
end

# A queue of work: each thread takes numbers until there are none.
function queue(o, next, n)
    while true
        i = CUDA.atomic_add!(pointer(next), Int32(1))
        i >= n && break
        o[i+1] = i * i
    end
    return
end

# ---- no thread writes: the launch ends with the lines of the loops
function called_never(flag)
    wait_until(flag, 1)
    return
end
function locked_never(lock)
    while !take(lock)
    end
    return
end
function same_never(flag)                              # writes what is there already
    t = threadIdx().x
    while CUDA.atomic_or!(pointer(flag), Int32(0)) == 0
        flag[t+1] = t
    end
    return
end
function nested_never(flag)
    done = false
    while !done
        looks = 0
        while looks < 3
            CUDA.atomic_or!(pointer(flag), Int32(0)) == 1 && (done = true)
            looks += 1
        end
    end
    return
end
function block_never(o, flag)
    t = threadIdx().x
    s = CuStaticSharedArray(Int32, 1)
    going = true
    while going
        if t == 1
            s[1] = CUDA.atomic_add!(pointer(flag), Int32(0))
        end
        sync_threads()
        going = s[1] == 0
        sync_threads()
    end
    o[t] = s[1]
    return
end
function row_never(total, token)
    r = 3
    while r >= 1
        if CUDA.atomic_add!(pointer(token), Int32(0)) > 0
            total[r] = 1
            CUDA.@atomic token[1] -= Int32(1)
            r -= 1
        end
    end
    return
end
