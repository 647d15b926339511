# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln run --time-limit: a kernel that does not end is ended, with the line of its loop.
#
# RUN: %status 1 %kiln run %s forever --arg "zeros(Int64, 64)" --threads 64 --blocks 100 --time-limit 0.1 2>&1 | %filecheck %s
# RUN: %status 1 %kiln run %s forever --arg "zeros(Int64, 64)" --threads 64 --time-limit 0.1 -O0 2>&1 | %filecheck %s
# CHECK: {{.*}}time_limit.jl:[[@LINE+11]]:{{[0-9]+}}: TimeLimitError[132]: the kernel has outlived its time limit; thread ({{[0-9]+}}, 1, 1) of block ({{[0-9]+}}, 1, 1) was in this loop
# RUN: %kiln run %s forever --arg "ones(Int64, 64)" --threads 64 --blocks 100 --time-limit 1000
#
# RUN: %kiln compile %s "forever(CuDeviceVector{Int64,1})" --emit asm | %filecheck %s --check-prefix=OFF
# OFF-NOT: kiln_native_overdue
# RUN: %status 2 %kiln run %s forever --arg "ones(Int64, 64)" --time-limit 0
# RUN: %status 2 %kiln run %s forever --arg "ones(Int64, 64)" --time-limit soon
using CUDA

function forever(y)
    i = threadIdx().x
    while y[i] == 0
        y[i] *= 2
    end
    return
end
