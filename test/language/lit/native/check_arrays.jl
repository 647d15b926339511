# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln run --check knows the arrays of a block's shared memory one by one: an access past the end of one is found though
# it hits another, and though nothing else happens there.
#
# RUN: %status 1 %kiln run %s neighbours --arg "zeros(Float32, 32)" --arg 1 --threads 32 --check 2>&1 | %filecheck %s --check-prefix=BEHIND
# RUN: %status 1 %kiln run %s neighbours --arg "zeros(Float32, 32)" --arg -33 --threads 32 --check 2>&1 | %filecheck %s --check-prefix=BEFORE
# RUN: %kiln run %s neighbours --arg "zeros(Float32, 32)" --arg 0 --threads 32 --check 2>&1 | %filecheck %s --allow-empty --check-prefix=NOTHING
# RUN: %kiln run %s chosen --arg "zeros(Float32, 32)" --threads 32 --check 2>&1 | %filecheck %s --allow-empty --check-prefix=NOTHING
# NOTHING-NOT: {{.}}
using CUDA

function neighbours(y, shift)
    a = CuStaticSharedArray(Float32, 32)
    b = CuStaticSharedArray(Float32, 32)
    i = threadIdx().x
    b[i] = 1f0
    @inbounds a[i] = 2f0
    sync_threads()
    # BEHIND: check_arrays.jl:[[@LINE+2]]:{{[0-9]+}}: OutOfBoundsAccess[134]: thread (32, 1, 1) of block (1, 1, 1) reads 4 bytes right behind the end of its shared array, which has 128 bytes
    # BEFORE: check_arrays.jl:[[@LINE+1]]:{{[0-9]+}}: OutOfBoundsAccess[134]: thread (1, 1, 1) of block (1, 1, 1) reads 4 bytes 132 bytes before {{its shared array|the block's shared memory}}, which has {{[0-9]+}} bytes; 31 more such accesses here
    @inbounds y[i] = a[i+shift] + b[i]
    return
end

# Which array it is is known at run time only.
function chosen(y)
    a = CuStaticSharedArray(Float32, 32)
    b = CuStaticSharedArray(Float32, 32)
    i = threadIdx().x
    a[i] = 1f0
    b[i] = 2f0
    sync_threads()
    c = i > 16 ? a : b
    @inbounds y[i] = c[33-i]
    return
end
