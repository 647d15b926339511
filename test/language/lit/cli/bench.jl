# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln bench: as run, and times of launches.
#
# RUN: %kiln bench %s scale --arg 'ones(Float32, 1000)' --threads 100 --blocks 10 --batch 4 --reps 5 --warmup 2 --bytes 8000 --flops 1000 --out 1=%t.npy | %filecheck %s --match-full-lines
#      CHECK: 5 batches of 4 launches on the CPU, after 2 to warm up
# CHECK-NEXT: kernel and host time a launch: median {{[0-9.]+}} us, min {{[0-9.]+}}, max {{[0-9.]+}}, coefficient of variation {{[0-9.]+}}
# CHECK-NEXT: rate: {{[0-9.]+}} GB/s
# CHECK-NEXT: rate: {{[0-9.]+}} GFLOP/s
#
# Every launch ran: 22 of them.
# RUN: %kiln run %s same --arg @%t.npy --arg 2f0^22 --threads 1000
#
# RUN: %status 1 %kiln bench %s same --arg 'ones(Float32, 4)' --arg 2f0 --threads 4 2>&1 | %filecheck %s --check-prefix=THROWS
# THROWS: ErrorException[114]: another value
# RUN: %status 2 %kiln bench %s scale --arg 'ones(Float32, 4)' --reps 0 2>&1 | %filecheck %s --check-prefix=REPS
# REPS: --reps
# RUN: %status 2 %kiln bench %s plain --arg 1 --no-kernel 2>&1 | %filecheck %s --check-prefix=PLAIN
# PLAIN: usage error[200]: bench launches kernels

using CUDA

function scale(x)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    @inbounds x[i] *= 2
    return
end

function same(x, value)
    x[threadIdx().x] == value || error("another value")
    return
end

plain(x) = x
