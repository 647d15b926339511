# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What throws whenever it is reached compiles, with a warning at its place; what may throw has none.
#
# RUN: %kiln compile %s 'below(CuDeviceVector{Float32,1})' --target ptx -o %t.ptx 2>&1 | %filecheck %s --check-prefix=BELOW --match-full-lines
#      BELOW: kiln: warning: {{.*}}certain_throws.jl:[[@LINE+37]]:5: this index is always out of bounds: a thread that comes here throws a BoundsError
# BELOW-NEXT: {{.*}} |     x[0] = 1f0
# BELOW-NEXT: {{.*}} |     ^{{~*}}
# BELOW-NEXT: hint: indices count from 1 to the length
#  BELOW-NOT: warning
# RUN: %kiln compile %s 'below(CuDeviceVector{Float32,1})' -O0 -o %t.s 2>&1 | %filecheck %s --check-prefix=COUNT
# RUN: %kiln compile %s 'below(CuDeviceVector{Float32,1})' -g0 --target ptx -o %t.ptx 2>&1 | %filecheck %s --check-prefix=COUNT
# RUN: %kiln compile %s 'negative(CuDeviceMatrix{Float32,1})' --target ptx -o %t.ptx 2>&1 | %filecheck %s --check-prefix=COUNT
# RUN: %kiln compile %s 'past_the_end(CuDeviceVector{Float32,1})' --target ptx -o %t.ptx 2>&1 | %filecheck %s --check-prefix=COUNT
# RUN: %kiln compile %s 'of_tuple(CuDeviceVector{Float32,1}, NTuple{2,Float32})' --target ptx -o %t.ptx 2>&1 | %filecheck %s --check-prefix=COUNT
# RUN: %kiln compile %s 'shared(CuDeviceVector{Float32,1})' --target ptx -o %t.ptx 2>&1 | %filecheck %s --check-prefix=COUNT
# RUN: %kiln compile %s 'in_a_branch(CuDeviceVector{Float32,1})' --target ptx -o %t.ptx 2>&1 | %filecheck %s --check-prefix=COUNT
# RUN: %kiln compile %s 'in_a_loop(CuDeviceVector{Float32,1})' --target ptx -o %t.ptx 2>&1 | %filecheck %s --check-prefix=COUNT
# RUN: %kiln compile %s 'after_a_join(CuDeviceVector{Float32,1}, NTuple{2,Float32})' --target ptx -o %t.ptx 2>&1 | %filecheck %s --check-prefix=COUNT
# RUN: %kiln compile %s 'in_a_callee(CuDeviceVector{Float32,1})' --target ptx -o %t.ptx 2>&1 | %filecheck %s --check-prefix=COUNT
# COUNT: certain_throws.jl:{{[0-9]+}}:{{[0-9]+}}: this index is always out of bounds
# COUNT-NOT: warning
#
# RUN: %kiln compile %s 'throws(CuDeviceVector{Float32,1})' --target ptx -o %t.ptx 2>&1 | %filecheck %s --check-prefix=THROWS
# THROWS: kiln: warning: {{.*}}certain_throws.jl:{{[0-9]+}}:{{[0-9]+}}: the kernel never returns: it throws a DivideError here
#
# No warning: it depends, or cannot be reached; a plain function may be there to throw; --no-validate.
# RUN: %kiln compile %s 'fine(CuDeviceVector{Float32,1}, NTuple{2,Float32}, Int64)' --target ptx -o %t.ptx 2>&1 | %empty
# RUN: %kiln compile %s 'fine(CuDeviceVector{Float32,1}, NTuple{3,Float32}, Int64)' -o %t.s 2>&1 | %empty
# RUN: %kiln compile %s 'refuse(Int64)' --no-kernel -o %t.s 2>&1 | %empty
# RUN: %kiln compile %s 'below(CuDeviceVector{Float32,1})' --target ptx --no-validate -o %t.ptx 2>&1 | %empty
#
# The program runs all the same, and says what happened.
# RUN: %status 1 %kiln run %s below --arg 'zeros(Float32, 3)' --device cpu 2>&1 | %filecheck %s --check-prefix=RAN
# RAN: warning: {{.*}}always out of bounds
# RAN: BoundsError

using CUDA



function below(x)
    x[0] = 1f0
    return
end

negative(x) = (x[1, -2] = 1f0; nothing)
past_the_end(x) = (x[end + 1] = 1f0; nothing)
of_tuple(x, t) = (x[1] = t[3]; nothing)
function shared(x)
    s = CuStaticSharedArray(Float32, 16)
    s[17] = x[1]
    return
end
function in_a_branch(x)
    i = threadIdx().x
    if i < 5 && x[i] > 0
        x[0] = 2f0
    end
    return
end
function in_a_loop(x)
    for i in 1:length(x)
        x[i] = x[-1]
    end
    return
end
function after_a_join(x, t)
    a = x[1] > 0 ? 1f0 : 2f0
    x[2] = a + t[5]
    return
end
@noinline callee(x) = x[0]
in_a_callee(x) = (x[1] = callee(x); nothing)

function throws(x)
    x[1] = 2f0
    div(1, 0)
    return
end
refuse(x) = error("not for this type")

function fine(x, t, n)
    x[1] = 1f0
    x[n] = t[n]
    x[end] = 2f0
    if length(t) > 2
        x[2] = t[3]
    end
    for v in t
        x[3] += v
    end
    n > 5 && throw(BoundsError())
    n > 6 && error("too many")
    x[4] = sum(t) + maximum(t) + first(t) + last(t)
    return
end
