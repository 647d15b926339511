# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The tiers of kernels on the CPU: equal results, entries of their own in the cache's folder, a wrong name.
# RUN: rm -rf %t && mkdir %t
# RUN: env KILN_CPU_TIER=first %kiln run %s sines --arg 'zeros(Float32, 500)' --device cpu --cache %t/c --threads 128 --blocks 4 --out 1=%t/first.npy
# RUN: env KILN_CPU_TIER=optimized %kiln run %s sines --arg 'zeros(Float32, 500)' --device cpu --cache %t/c --threads 128 --blocks 4 --out 1=%t/optimized.npy
# RUN: env KILN_CPU_TIER=auto %kiln run %s sines --arg 'zeros(Float32, 500)' --device cpu --no-cache --threads 128 --blocks 4 --out 1=%t/auto.npy
# RUN: cmp %t/first.npy %t/optimized.npy
# RUN: cmp %t/first.npy %t/auto.npy
# RUN: %kiln cache ls --cache %t/c --json | %filecheck %s --check-prefix=ENTRIES
# RUN: env KILN_CPU_TIER=first %kiln run %s sines --arg 'zeros(Float32, 500)' --device cpu --no-cache --threads 128 --timings 2>&1 | %filecheck %s --check-prefix=TIMINGS
# RUN: env KILN_CPU_TIER=quick %status 2 %kiln run %s sines --arg 'zeros(Float32, 500)' --device cpu 2>&1 | %filecheck %s --check-prefix=WRONG
#
# ENTRIES-COUNT-2: sines(
# TIMINGS: machine-code generation
# TIMINGS-NOT: optimise in the background
# WRONG: KILN_CPU_TIER takes auto, optimized or first, not `quick`

using CUDA

function sines(y)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        s = 0f0
        for k in 1:3
            s += sin(0.5f0 * k) * cos(0.25f0 * i) + pow(abs(s), 0.3f0 * k)
        end
        @inbounds y[i] = muladd(s, s, 0.1f0) / 3f0
    end
    return
end
