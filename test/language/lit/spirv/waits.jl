# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# OpenCL promises no progress of other threads: a loop that waits for another thread's write is an error at the loop's
# line. Loops that end by their own work compile.
using CUDA

# ---- refused
# RUN: %status 1 %kiln compile %s 'on_flag(CuDeviceVector{Int32,1})' --target spirv --kernel 2>&1 | %filecheck %s --check-prefix=FLAG
# FLAG: {{.*}}waits.jl:[[@LINE+5]]:{{[0-9]+}}: KernelError[120]: this loop waits for a write of another thread, and OpenCL does not promise that the other thread runs
# FLAG: Stacktrace:
# FLAG-NEXT: [1] on_flag @ {{.*}}waits.jl:[[@LINE+3]]
# FLAG-NEXT: hint: use a barrier of the block, or split the kernel into two launches, or choose the CPU or a CUDA device
function on_flag(flag)
    while CUDA.atomic_or!(pointer(flag), Int32(0)) != threadIdx().x
    end
    return
end

# RUN: %status 1 %kiln compile %s 'plain_flag(CuDeviceVector{Int32,1})' --target spirv --kernel 2>&1 | %filecheck %s --check-prefix=PLAIN
# PLAIN: {{.*}}waits.jl:[[@LINE+2]]:{{[0-9]+}}: KernelError[120]: this loop waits for a write of another thread
function plain_flag(flag)
    while flag[1] != 1
        threadfence()
    end
    return
end

# RUN: %status 1 %kiln compile %s 'swapped_lock(CuDeviceVector{Int64,1}, CuDeviceVector{Int32,1}, Int64)' --target spirv --kernel 2>&1 | %filecheck %s --check-prefix=SWAPPED
# SWAPPED: {{.*}}waits.jl:[[@LINE+4]]:{{[0-9]+}}: KernelError[120]: this loop waits for a write of another thread
function swapped_lock(total, lock, turns)
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

# RUN: %status 1 %kiln compile %s 'exchanged_lock(CuDeviceVector{Int64,1}, CuDeviceVector{Int32,1})' --target spirv --kernel 2>&1 | %filecheck %s --check-prefix=EXCHANGED
# EXCHANGED: {{.*}}waits.jl:[[@LINE+2]]:{{[0-9]+}}: KernelError[120]: this loop waits for a write of another thread
function exchanged_lock(total, lock)
    while CUDA.atomic_xchg!(pointer(lock), Int32(1)) == 1
    end
    total[1] += 1
    threadfence()
    CUDA.atomic_xchg!(pointer(lock), Int32(0))
    return
end

# A lock in a function that is not inlined, in a loop whose turns all change another array.
# RUN: %status 1 %kiln compile %s 'called_lock(CuDeviceVector{Int64,1}, CuDeviceVector{Int32,1}, CuDeviceVector{Float32,1}, Int64)' --target spirv --kernel 2>&1 | %filecheck %s --check-prefix=CALLED
# CALLED: {{.*}}waits.jl:[[@LINE+4]]:{{[0-9]+}}: KernelError[120]: this loop waits for a write of another thread
@noinline take(lock) = CUDA.atomic_cas!(pointer(lock), Int32(0), Int32(1)) == 0
function called_lock(total, lock, largest, turns)
    k = 0
    while k < turns
        if take(lock)
            total[1] += 1
            threadfence()
            CUDA.atomic_xchg!(pointer(lock), Int32(0))
            k += 1
        end
        CUDA.@atomic largest[1] = max(largest[1], Float32(threadIdx().x))
    end
    return
end

# RUN: %status 1 %kiln compile %s 'tickets(CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1})' --target spirv --kernel 2>&1 | %filecheck %s --check-prefix=TICKETS
# TICKETS: {{.*}}waits.jl:[[@LINE+3]]:{{[0-9]+}}: KernelError[120]: this loop waits for a write of another thread
function tickets(order, next, serving)
    mine = CUDA.atomic_add!(pointer(next), Int32(1))
    while CUDA.atomic_add!(pointer(serving), Int32(0)) != mine
    end
    order[mine+1] = mine
    threadfence()
    CUDA.atomic_add!(pointer(serving), Int32(1))
    return
end

# Each turn writes, and takes back what it wrote.
# RUN: %status 1 %kiln compile %s 'semaphore(CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1})' --target spirv --kernel 2>&1 | %filecheck %s --check-prefix=SEMAPHORE
# SEMAPHORE: {{.*}}waits.jl:[[@LINE+3]]:{{[0-9]+}}: KernelError[120]: this loop waits for a write of another thread
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

# RUN: %status 1 %kiln compile %s 'meeting(CuDeviceVector{Int32,1})' --target spirv --kernel 2>&1 | %filecheck %s --check-prefix=MEETING
# MEETING: {{.*}}waits.jl:[[@LINE+5]]:{{[0-9]+}}: KernelError[120]: this loop waits for a write of another thread
function meeting(arrived)
    sync_threads()
    if threadIdx().x == 1
        CUDA.atomic_add!(pointer(arrived), Int32(1))
        while CUDA.atomic_add!(pointer(arrived), Int32(0)) < gridDim().x
        end
    end
    sync_threads()
    return
end

# The outer loop waits, by an inner loop that ends.
# RUN: %status 1 %kiln compile %s 'in_outer_loop(CuDeviceVector{Int32,1})' --target spirv --kernel 2>&1 | %filecheck %s --check-prefix=OUTER
# OUTER: {{.*}}waits.jl:[[@LINE+3]]:{{[0-9]+}}: KernelError[120]: this loop waits for a write of another thread
function in_outer_loop(flag)
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

# One thread asks another block, and tells its own block at a barrier.
# RUN: %status 1 %kiln compile %s 'asks_block(CuDeviceVector{Int32,1})' --target spirv --kernel 2>&1 | %filecheck %s --check-prefix=BLOCK
# BLOCK: {{.*}}waits.jl:[[@LINE+4]]:{{[0-9]+}}: KernelError[120]: this loop waits for a write of another thread
function asks_block(flag)
    told = CuStaticSharedArray(Int32, 1)
    going = true
    while going
        threadIdx().x == 1 && (told[1] = CUDA.atomic_add!(pointer(flag), Int32(0)))
        sync_threads()
        going = told[1] == 0
        sync_threads()
    end
    return
end

# RUN: %status 1 %kiln compile %s 'grid_barrier(CuDeviceVector{Int32,1})' --target spirv --kernel 2>&1 | %filecheck %s --check-prefix=GRID
# GRID: {{.*}}waits.jl:[[@LINE+3]]:{{[0-9]+}}: KernelError[120]: this barrier of the grid needs all blocks to run at once, which OpenCL does not promise
# GRID: hint: split the kernel here into two launches, or choose the CPU or a CUDA device
function grid_barrier(o)
    CG.sync(CG.this_grid())
    o[1] = 1
    return
end

# RUN: %status 1 %kiln compile %s 'launches(CuDeviceVector{Int32,1})' --target spirv --kernel 2>&1 | %filecheck %s --check-prefix=LAUNCH
# LAUNCH: {{.*}}waits.jl:[[@LINE+4]]:{{[0-9]+}}: KernelError[120]: kernels on OpenCL devices cannot launch other kernels
# LAUNCH: hint: launch the other kernel from the host, or choose the CPU or a CUDA device
launched(o) = (o[1] = 1; return)
function launches(o)
    @cuda threads=2 dynamic=true launched(o)
    return
end

# ---- accepted
# RUN: %kiln compile %s 'takes_work(CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1}, Int32)' --target spirv --kernel --emit obj -o %t
function takes_work(o, next, n)
    taken = CuStaticSharedArray(Int32, 1)
    while true
        threadIdx().x == 1 && (taken[1] = CUDA.atomic_add!(pointer(next), Int32(1)))
        sync_threads()
        i = taken[1]
        sync_threads()
        i >= n && break
        o[i + 1] = i
    end
    return
end

# RUN: %kiln compile %s 'updates(CuDeviceVector{Float32,1}, CuDeviceVector{Int32,1})' --target spirv --kernel --emit obj -o %t
function updates(largest, count)
    i = threadIdx().x
    CUDA.@atomic largest[1] = max(largest[1], Float32(i))
    CUDA.@atomic largest[2] *= 1.5f0
    CUDA.atomic_op!(pointer(count), (a, b) -> a + 2b, Int32(1))
    while true
        seen = UnsafeAtomics.load(pointer(count, 2), UnsafeAtomics.acquire, UnsafeAtomics.device)
        UnsafeAtomics.cas!(pointer(count, 2), seen, seen + Int32(1), UnsafeAtomics.acq_rel, UnsafeAtomics.monotonic,
                           UnsafeAtomics.device).success && break
    end
    old = count[3]
    while true
        assumed = old
        old = CUDA.atomic_cas!(pointer(count, 3), assumed, assumed * Int32(3))
        old == assumed && break
    end
    return
end

# RUN: %kiln compile %s 'inserted(CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1}, Int64)' --target spirv --kernel --emit obj -o %t
function inserted(table, keys, n)                      # the place changes in each turn
    key = keys[threadIdx().x]
    place = rem(key, n)
    while true
        found = CUDA.atomic_cas!(pointer(table, place + 1), Int32(0), key)
        (found == 0 || found == key) && break
        place = rem(place + 1, n)
    end
    return
end

# RUN: %kiln compile %s 'queue(CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1}, Int64)' --target spirv --kernel --emit obj -o %t
function queue(o, next, bins, n)
    while true
        i = CUDA.atomic_add!(pointer(next), Int32(1))
        i >= n && break
        o[i+1] = i * i
        CUDA.@atomic bins[rem(i, 8)+1] += Int32(1)
    end
    return
end

# RUN: %kiln compile %s 'gives_up(CuDeviceVector{Int64,1}, CuDeviceVector{Int32,1}, Int64)' --target spirv --kernel --emit obj -o %t
function gives_up(o, flag, limit)                      # ends by itself
    looks = 0
    while CUDA.atomic_or!(pointer(flag), Int32(0)) == 0 && looks < limit
        looks += 1
    end
    o[1] = looks
    return
end

# RUN: %kiln compile %s 'search(CuDeviceVector{Int64,1}, CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1})' --target spirv --kernel --emit obj -o %t
function search(out, sorted, keys)
    k = keys[threadIdx().x]
    lo, hi = 1, length(sorted) + 1
    while lo < hi
        mid = (lo + hi) >>> 1
        sorted[mid] < k ? (lo = mid + 1) : (hi = mid)
    end
    out[threadIdx().x] = lo
    return
end

# RUN: %kiln compile %s 'until_unchanged(CuDeviceVector{Int32,1})' --target spirv --kernel --emit obj -o %t
function until_unchanged(labels)                       # all threads of the block meet in each turn
    t = threadIdx().x
    changed = CuStaticSharedArray(Int32, 1)
    going = true
    while going
        t == 1 && (changed[1] = Int32(0))
        sync_threads()
        if t > 1 && CUDA.atomic_min!(pointer(labels, t), labels[t-1]) > labels[t-1]
            changed[1] = Int32(1)
        end
        sync_threads()
        going = changed[1] != 0
        sync_threads()
    end
    return
end

# RUN: %kiln compile %s 'list_lengths(CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1})' --target spirv --kernel --emit obj -o %t
function list_lengths(visits, next, first)             # plain reads decide, and each turn visits another node
    node = first[threadIdx().x]
    while node != 0
        CUDA.@atomic visits[node] += Int32(1)
        node = next[node]
    end
    return
end
