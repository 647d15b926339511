# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What numbers refuse, with what to do instead.
#
# A type above Int128 is BigInt in Julia.
# RUN: %status 1 %kiln compile %s 'wide(CuDeviceVector{Int128,1}, Int128)' --target ptx 2>&1 | %filecheck %s --check-prefix=WIDE
# WIDE: numbers.jl:[[@LINE+15]]:{{[0-9]+}}: InvalidIRError[123]: static assertion failed: widen(Int128) is BigInt in Julia, {{.*}}mul_with_overflow(x, y)
#
# RUN: %status 1 %kiln compile %s 'both(CuDeviceVector{Float64,1}, Float64)' --target ptx 2>&1 | %filecheck %s --check-prefix=BOTH
# BOTH: numbers.jl:[[@LINE+16]]:{{[0-9]+}}: InvalidIRError[123]: static assertion failed: a number is rounded to `digits` or to `sigdigits`, not to both
#
# RUN: %status 1 %kiln compile %s 'other(CuDeviceVector{Float64,1}, Float64)' --target ptx 2>&1 | %filecheck %s --check-prefix=OTHER
# OTHER: numbers.jl:[[@LINE+17]]:{{[0-9]+}}: InvalidIRError[123]: static assertion failed: rounding knows the keywords digits, sigdigits and base
#
# A division by a mode that no method has ends in an error, not in calls without end.
# RUN: %status 1 %kiln compile %s 'ties(CuDeviceVector{Float64,1}, Float64)' --target ptx 2>&1 | %filecheck %s --check-prefix=TIES
# TIES: numbers.jl:[[@LINE+17]]:{{[0-9]+}}: InvalidIRError[123]: static assertion failed: integers and Rational are divided with every rounding mode, floats with

using CUDA

function wide(y, x)
    y[1] = widemul(x, x)
    return
end
function both(y, x)
    y[1] = round(x; digits=2, sigdigits=3)
    return
end
function other(y, x)
    y[1] = round(x; digit=2)
    return
end
function ties(y, x)
    y[1] = div(x, 2.0, RoundNearestTiesAway)
    return
end
