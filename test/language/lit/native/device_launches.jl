# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Grids that a kernel launches are checked, and under the launch's time limit, as it is.
#
# RUN: %kiln run --check --device cpu %s reverses --arg "zeros(Float32,4)" --arg "ones(Float32,4)" --threads 4 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s
# CHECK: 2.0 2.0 2.0 2.0
# RUN: %status 1 %kiln run --check --device cpu %s wrong --arg "zeros(Float32,4)" --arg "ones(Float32,4)" 2>&1 | %filecheck %s --check-prefix=OUTSIDE
# OUTSIDE: OutOfBoundsAccess[134]: thread (1, 1, 1) of block (1, 1, 1) writes 4 bytes 20 bytes behind the end of argument 1, an array of 16 bytes; 3 more such accesses here
# RUN: %status 1 %kiln run --time-limit 0.2 --device cpu %s spins --arg "zeros(Float32,4)" 2>&1 | %filecheck %s --check-prefix=LIMIT
# LIMIT: TimeLimitError[132]: the kernel has outlived its time limit; thread (1, 1, 1) of block (1, 1, 1) was in this loop

using CUDA
function reversed(out, a)
    s = CuStaticSharedArray(Float32, 4)
    t = threadIdx().x
    @inbounds s[t] = a[t]
    sync_threads()
    @inbounds out[t] = s[5-t]
    return
end
function reverses(out, a)
    t = threadIdx().x
    @inbounds a[t] *= 2.0f0
    sync_threads()
    threads = 4
    t == 1 && @cuda dynamic=true threads reversed(out, a)
    return
end
outside(out) = (@inbounds out[9+threadIdx().x] = 1.0f0; nothing)
wrong(out, a) = (CUDA.launch_dynamic(outside, (out,), Val(true); threads=4); nothing)
function endless(out)
    n = 0.0f0
    while out[1] < 100.0f0
        n += 1.0f0
        out[2] = n
    end
    return
end
spins(out) = (CUDA.launch_dynamic(endless, (out,), Val(true)); nothing)
