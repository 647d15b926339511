# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Threads that wait for each other at different places: an error that names them, never a hang.
#
# RUN: %status 1 %kiln run %s branches --arg 3 --threads 8 --blocks 2 2>&1 | %filecheck %s --check-prefix=BRANCHES
# BRANCHES: SynchronizationError[133]: threads of block ({{[12]}}, 1, 1) wait for each other for ever
# BRANCHES: {{.*}}divergence.jl:[[@LINE+26]]:{{[0-9]+}}: note: thread (1, 1, 1) and 2 more wait in sync_threads
# BRANCHES: {{.*}}divergence.jl:[[@LINE+28]]:{{[0-9]+}}: note: thread (4, 1, 1) and 4 more wait in sync_threads
# RUN: %kiln run %s branches --arg 8 --threads 8
#
# RUN: %status 1 %kiln run %s pairs --threads 32 2>&1 | %filecheck %s --check-prefix=PAIRS
# PAIRS: {{.*}}divergence.jl:[[@LINE+32]]:{{[0-9]+}}: note: thread (1, 1, 1) and 15 more wait in sync_warp of the lanes 0xffffffff
# PAIRS: {{.*}}divergence.jl:[[@LINE+33]]:{{[0-9]+}}: note: thread (17, 1, 1) and 15 more wait in sync_threads
#
# RUN: %status 1 %kiln run %s numbers --threads 4 2>&1 | %filecheck %s --check-prefix=NUMBERS
# NUMBERS: thread (1, 1, 1) waits in barrier_sync(0)
# NUMBERS: thread (2, 1, 1) waits in barrier_sync(1)
#
# RUN: %status 1 %kiln run %s stranger --threads 4 2>&1 | %filecheck %s --check-prefix=STRANGER
# STRANGER: thread (1, 1, 1) and 3 more wait in a shuffle of the lanes 0x00000007, some of them without being one of these
#
# RUN: %status 1 %kiln run %s ended --threads 33 2>&1 | %filecheck %s --check-prefix=ENDED
# ENDED: note: thread (2, 1, 1) and 31 more wait in barrier_sync(16), which does not exist
# ENDED: note: 1 of its threads has ended
#
# RUN: %status 1 %kiln run %s branches --arg 3 --threads 8 -g0 2>&1 | %filecheck %s --check-prefix=LEVEL0
# LEVEL0: note: thread (4, 1, 1) and 4 more wait in sync_threads

using CUDA

function branches(n)
    if threadIdx().x <= n
        sync_threads()
    else
        threadIdx().x == 1000 && return
        sync_threads()
    end
    return
end

# As a barrier of the block, the first half would let the second one pass.
function pairs()
    if threadIdx().x <= 16
        sync_warp()
    else
        sync_threads()
    end
    return
end

function numbers()
    barrier_sync(threadIdx().x - 1)
    return
end

function stranger()
    shfl_sync(0x00000007, 1f0, 1)
    return
end

function ended()
    threadIdx().x > 1 && barrier_sync(16)
    return
end
