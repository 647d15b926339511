# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# @atomic of Atomix gives the new value, also by its name alone and by another name; CUDA's gives the old one. (Their documentations.)
#
# RUN: %kiln run %s k --arg 'zeros(Float64, 9)' --device cpu --no-cache --out 1=%t.npy && %npy show %t.npy | %filecheck %s
# CHECK: values 1.5 3.0 4.5 6.0 4.5 4.0 6.0 5.0 3.0
# RUN: %kiln run %s k --arg 'zeros(Float64, 9)' --device cpu --cache %t.cache --out 1=%t.npy && %npy show %t.npy | %filecheck %s
# RUN: %kiln run %s old --arg 'zeros(Float64, 3)' --device cpu --no-cache --out 1=%t.npy && %npy show %t.npy | %filecheck %s --check-prefix=OLD
# OLD: values 0.0 1.5 1.5
using Atomix: Atomix, @atomic, @atomicswap, @atomicreplace
module Renamed
using Atomix: @atomic as @together
second(y) = @together y[4] += 1.5
end
module Old
using CUDA: @atomic
function add(y)
    a = @atomic y[3] += 1.5
    return a
end
end
function k(y)
    y[1] = @atomic y[4] += 1.5
    y[2] = Atomix.@atomic y[4] += 1.5
    y[3] = Renamed.second(y)
    y[5] = @atomicswap y[4] = 4.0
    y[6] = (@atomicreplace y[4] 4.0 => 6.0).old
    y[7] = @atomic y[4]
    y[8] = (@atomic y[9] + 3.0).second + 2.0
    return
end
function old(y)
    y[1] = Old.add(y)
    y[2] = y[3]
    return
end
