# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Bounds checks that others above them decide are gone, however far above: that y[9] exists says that y[1] to y[8] do.
# Those that nothing decides stay. A check compares the length; the code that reports exceptions compares others.
#
# RUN: %kiln compile %s 'decided(CuDeviceVector{Float32,1})' --target ptx -g 0 --emit llvm-opt -o - | %filecheck %s --check-prefix=DECIDED
# DECIDED: define ptx_kernel void @{{.*}}decided
# DECIDED-COUNT-1: icmp {{[a-z]+}} i64 %1,
# DECIDED-NOT: icmp {{[a-z]+}} i64 %1,
# DECIDED: ret void
# RUN: %kiln compile %s 'undecided(CuDeviceVector{Float32,1})' --target ptx -g 0 --emit llvm-opt -o - | %filecheck %s --check-prefix=STAYS
# STAYS: define ptx_kernel void @{{.*}}undecided
# STAYS-COUNT-3: icmp {{[a-z]+}} i64 %2,
# STAYS-NOT: icmp {{[a-z]+}} i64 %2,
# STAYS: ret void

using CUDA

function decided(y)
    y[9] = 1f0
    y[8] = y[1] + y[7]
    y[2] = y[3] * 2f0
    return
end
function undecided(y)
    y[1] = 1f0
    y[5] = 2f0
    y[3] = 3f0
    y[9] = 4f0
    return
end
