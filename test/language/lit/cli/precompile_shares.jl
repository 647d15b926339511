# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Jobs of a merged precompile have their stages, and their shares of the assembly, in the report.
# REQUIRES: nvjitlink
#
# RUN: rm -rf %t && mkdir %t && cp %s %t/k.jl && cd %t
# RUN: echo '{"files": ["k.jl"], "targets": [{"target": "ptx", "arch": "sm_90"}], "configs": [{"g": 0}], "jobs": ["a(CuDeviceVector{Float32,1})", "b(CuDeviceVector{Float32,1})", "c(CuDeviceVector{Float32,1})", "d(CuDeviceVector{Float32,1})"]}' > m.json
# RUN: %kiln precompile m.json --cache cache --jobs 2 --timings=json:report.json | %filecheck %s
# CHECK: 4 jobs: 0 were there, 4 compiled, 0 failed
# RUN: %timings shares report.json
# RUN: %kiln precompile m.json --cache other --jobs 1 --timings 2>&1 | %filecheck %s --check-prefix=TABLE
# TABLE: Job {{.*}}time {{.*}}share  key
# TABLE-COUNT-4: ptx sm_90 {{.*}}ms {{.*}}ms
# TABLE: share: its part of assembling several jobs at once, by the size of its text; in time

using CUDA

function a(y)
    @inbounds y[threadIdx().x] = sqrt(y[threadIdx().x])
    return
end
function b(y)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = y[i] > 0f0 ? 2f0 * y[i] : y[i] / 3f0
    end
    return
end
function c(y)
    s = 0f0
    for i in 1:length(y)
        @inbounds s += y[i] * y[i]
    end
    @inbounds y[1] = s
    return
end
function d(y)
    s = CuStaticSharedArray(Float32, 64)
    @inbounds s[threadIdx().x] = y[threadIdx().x]
    sync_threads()
    @inbounds y[threadIdx().x] = s[65 - threadIdx().x]
    return
end
