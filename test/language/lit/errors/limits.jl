# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Programs whose inference or evaluation would not end, or not fit: each ends in a diagnostic that names the limit
# and the function.
#
# RUN: %status 1 %kiln compile %s 'grows(Int64)' 2>&1 | %filecheck %s --check-prefix=DEPTH
# DEPTH: {{.*}}limits.jl:[[# @LINE + 1]]:1: TypeError[105]: inference of grows(::Tuple{{.*}}…{{.*}}) does not end: calls nest more than 300 deep
grows(x) = grows((x,))
# RUN: %status 1 %kiln compile %s 'doubles(Tuple{Int64, Int64})' 2>&1 | %filecheck %s --check-prefix=SIZE
# SIZE: {{.*}}limits.jl:[[# @LINE + 1]]:22: TypeError[105]: in doubles(::NTuple{16384, Int64}), a value's type has more than 20000 parts
doubles(x) = doubles((x..., x...))
# RUN: %status 1 %kiln compile %s 'pairs(Int64)' 2>&1 | %filecheck %s --check-prefix=SHARED
# SHARED: {{.*}}limits.jl:[[# @LINE + 1]]:18: TypeError[105]: in pairs(::Tuple{{.*}}), a value's type has more than 20000 parts
pairs(x) = pairs((x, x))
# RUN: %status 1 %kiln compile %s 'branches()' 2>&1 | %filecheck %s --check-prefix=COUNT
# COUNT: TypeError[105]: branches() needs more than 20000 specialised functions; the last is
# COUNT: hint: count with values, not with types
tree(::Val{N}, ::Val{M}) where {N, M} = N == 0 ? M : tree(Val(N - 1), Val(2M)) + tree(Val(N - 1), Val(2M + 1))
branches() = tree(Val(18), Val(1))
# RUN: %status 1 %kiln run %s identity --arg 'nested(100)' 2>&1 | %filecheck %s --check-prefix=EVALUATED
# EVALUATED: TypeError[105]: a type of more than 20000 parts
function nested(n)
    x = 1
    while n > 0
        x = (x, x)
        n -= 1
    end
    return x
end
# RUN: %status 1 %kiln run %s identity --arg 'forever()' 2>&1 | %filecheck %s --check-prefix=STEPS
# STEPS: evaluation took more than 50000000 steps
function forever()
    while true
    end
end
# RUN: %status 1 %kiln run %s identity --arg 'longer("ab", 60)' 2>&1 | %filecheck %s --check-prefix=STRING
# STRING: OutOfMemoryError[116]: a string of more than 1048576 bytes
longer(s, n) = n == 0 ? s : longer(string(s, s), n - 1)
