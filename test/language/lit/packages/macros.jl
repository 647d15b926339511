# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Macros of packages run with what programs have, in kernels and programs.
#
# RUN: %kiln run %s k --arg 'zeros(Float64, 12)' --arg '[3.0]' --load-path %S/inputs/macros --device cpu --no-cache --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s
# CHECK: values 13.0 27.0 2.0 15.0 100.0 202.0 300.0 400.0 5.0 4.0 42.0 0.0
# RUN: rm -rf %t.cache && %kiln run %s k --arg 'zeros(Float64, 12)' --arg '[3.0]' --load-path %S/inputs/macros --device cpu --cache %t.cache --out 1=%t.a.npy
# RUN: %kiln run %s k --arg 'zeros(Float64, 12)' --arg '[3.0]' --load-path %S/inputs/macros --device cpu --cache %t.cache --out 1=%t.b.npy
# RUN: %npy show %t.b.npy | %filecheck %s
#
# What a macro throws is said at the call.
# RUN: %status 1 %kiln compile %s 'bad(Float64)' --no-kernel --load-path %S/inputs/macros --no-cache -o %t.s 2>&1 | %filecheck %s --check-prefix=BAD
# BAD: macros.jl:[[@LINE+3]]:{{[0-9]+}}: {{.*}}macro @power: {{.*}}no power 9

using Tools
bad(y) = (@power(9))(y)
function k(o, x)
    y = x[1]
    o[1] = @renamed plus(times(y, 4.0), 1.0)
    o[2] = (@power(3))(y)
    o[3] = @kind a
    o[4] = @kind 5
    o[5] = @kind f(x)
    o[6] = @kind :ab
    o[7] = @kind a[1]
    o[8] = @kind 2.5
    o[9] = (@named first = y + 2.0).first
    o[10] = @fields_of (a + b * a)
    o[11] = @matches "abc_42"
    o[12] = @matches "abc42"
    return
end
