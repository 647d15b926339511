# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: rm -rf %t && mkdir %t
# RUN: %kiln cache stat --cache %t/c | %filecheck %s --check-prefix=EMPTY
# RUN: %kiln cache explain %s 'f(CuDeviceVector{Float32,1})' --cache %t/c | %filecheck %s --check-prefix=NONE
# RUN: env KILN_CPU_TIER=optimized %kiln run %s f --arg 'zeros(Float32, 4)' --device cpu --cache %t/c --out 1=%t/y.npy
# RUN: env KILN_CPU_TIER=optimized %kiln run %s f --arg 'zeros(Float32, 4)' --device cpu --cache %t/c --out 1=%t/z.npy --check-cache
# RUN: cmp %t/y.npy %t/z.npy
# RUN: %kiln cache stat --cache %t/c | %filecheck %s --check-prefix=STAT
# RUN: %kiln cache verify --cache %t/c | %filecheck %s --check-prefix=VERIFY
# RUN: %kiln cache explain %s 'f(CuDeviceVector{Float32,1})' --cache %t/c | %filecheck %s --check-prefix=HIT
# RUN: %kiln cache explain %s 'f(CuDeviceVector{Float32,1})' -O3 --cache %t/c | %filecheck %s --check-prefix=MISS
# RUN: %kiln cache export %t/archive --cache %t/c | %filecheck %s --check-prefix=EXPORT
# RUN: %kiln cache import %t/archive --cache %t/d | %filecheck %s --check-prefix=IMPORT
# RUN: %kiln cache explain %s 'f(CuDeviceVector{Float32,1})' --cache %t/d | %filecheck %s --check-prefix=HIT
# RUN: mv %t/d %t/moved
# RUN: %kiln cache explain %s 'f(CuDeviceVector{Float32,1})' --cache %t/moved | %filecheck %s --check-prefix=HIT
# RUN: %kiln cache clear --cache %t/moved | %filecheck %s --check-prefix=CLEAR
# RUN: %kiln cache stat --cache %t/moved | %filecheck %s --check-prefix=EMPTY
# RUN: %status 2 %kiln cache stat --no-cache
# RUN: %status 2 %kiln cache clear --timings --cache %t/moved
# RUN: %status 1 %kiln cache import %s --cache %t/moved
# RUN: chmod go+w %t/c && %kiln run %s f --arg 'zeros(Float32, 4)' --device cpu --cache %t/c 2>&1 | %filecheck %s --check-prefix=REFUSED

# EMPTY: entries: 0
# NONE: miss
# NONE: nearest: none
# STAT: entries: 2
# STAT: hits: 1
# STAT-NEXT: misses: 1
# STAT-NEXT: hit rate: 50.0 %
# VERIFY: 2 entries are whole, 1 of them artifacts; 0 were damaged
# VERIFY-NEXT: 0 were made again
# HIT: hit: {{[0-9]+}} bytes, which took {{[0-9.]+}} ms
# MISS: miss
# MISS: nearest: f(CuDeviceArray{Float32, 1, 1}), which took {{[0-9.]+}} ms
# MISS-NEXT: opt_level: 2 there, 3 here
# MISS-NOT: there,
# EXPORT: 2 entries written
# IMPORT: 2 entries taken
# CLEAR: 2 of 2 entries dropped
# REFUSED: is not used: others than its owner can write to it

function f(y)
    y[threadIdx().x] = 1f0
    return
end
