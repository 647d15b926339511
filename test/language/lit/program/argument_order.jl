# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arguments are evaluated from left to right: a variable is read, and found undefined, before what stands behind
# it runs. The right lines follow from the manual ("Evaluation order") by hand.
# RUN: %kiln script %s | %filecheck %s
g = 1
next() = (global g = g + 5; 1)

sum_of_both() = g + next()
println(sum_of_both(), " ", g)
# CHECK: 2 6
in_a_tuple() = (g, next(), g)
println(in_a_tuple())
# CHECK-NEXT: (6, 1, 11)
in_an_array() = [g, next(), g]
println(in_an_array())
# CHECK-NEXT: [11, 1, 16]
in_a_named_tuple() = (a = g, b = next(), c = g)
println(in_a_named_tuple())
# CHECK-NEXT: (a = 16, b = 1, c = 21)
in_a_string() = "$g $(next()) $g"
println(in_a_string())
# CHECK-NEXT: 21 1 26
keywords(; a, b) = (a, b)
println(keywords(a = g, b = next()))
# CHECK-NEXT: (26, 1)
splatted() = tuple(g, (next(), 0)..., g)
println(splatted())
# CHECK-NEXT: (31, 1, 0, 36)
compared() = g < next() < g
println(compared())
# CHECK-NEXT: false
updated() = (global g += next(); g)
println(updated(), " ", g)
# CHECK-NEXT: 42 42
function exchanged()
    a, b = g, next()
    (a, b)
end
println(exchanged())
# CHECK-NEXT: (42, 1)

# Not defined: the call behind it does not run.
function of_a_local()
    local z
    try
        z + next()
    catch e
        println(typeof(e))
    end
    z = 1
end
of_a_local()
# CHECK-NEXT: UndefVarError
of_a_global() = not_there + next()
try
    of_a_global()
catch e
    println(typeof(e))
end
# CHECK-NEXT: UndefVarError
println(g)
# CHECK-NEXT: 47
# `A[g] += y` is `A[g] = A[g] + y`: the place is read again.
A = zeros(Int, 60)
g = 1
in_place() = (A[g] += next(); nothing)
in_place()
println(A[1], " ", A[6])
# CHECK-NEXT: 0 1
