# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Host code of a program: scopes at top level, exceptions, closures that share variables. Values as Julia gives them.
#
# RUN: %kiln script %s one two | %filecheck %s --match-full-lines --strict-whitespace
#      CHECK:2 one two
println(length(ARGS), " ", ARGS[1], " ", ARGS[2])

# CHECK-NEXT:15
total = 0
for i in 1:5
    global total += i
end
println(total)

# A loop in a file makes a variable of its own; `begin` and `if` do not.
# CHECK-NEXT:1 2 3
outer = 1
for i in 1:3
    outer = i
end
begin
    inside = 2
end
if inside == 2
    also = 3
end
println(outer, " ", inside, " ", also)

# CHECK-NEXT:caught boom 3
# CHECK-NEXT:always
# CHECK-NEXT:after
function attempts(a)
    try
        error("boom ", a)
    catch e
        println("caught ", e.msg)
    finally
        println("always")
    end
    return "after"
end
println(attempts(3))

# `finally` runs whichever way a try is left, and a return value is what it was before.
# CHECK-NEXT:leaving 1
# CHECK-NEXT:1
# CHECK-NEXT:leaving 2
# CHECK-NEXT:[1, 3]
function leaves(x)
    try
        return x
    finally
        x += 10
        println("leaving 1")
    end
end
println(leaves(1))
function skips()
    kept = Int[]
    for i in 1:3
        try
            i == 2 && continue
            push!(kept, i)
        finally
            i == 2 && println("leaving 2")
        end
    end
    return kept
end
println(skips())

# An exception inside a catch block, and one thrown again.
# CHECK-NEXT:first, then second
# CHECK-NEXT:again: first
inner() = try
    error("first")
catch e
    error(e.msg, ", then second")
end
try
    inner()
catch e
    println(e.msg)
end
try
    try
        error("first")
    catch
        rethrow()
    end
catch e
    println("again: ", e.msg)
end
# CHECK-NEXT:7
println(try
    7
catch
    8
end)
# CHECK-NEXT:else
try
    1
catch
    println("not here")
else
    println("else")
end

# CHECK-NEXT:3
counter = let n = 0
    () -> (n += 1)
end
counter()
counter()
println(counter())
# Each round of a loop has its own variable.
# CHECK-NEXT:[1, 2, 3]
makers = []
for i in 1:3
    x = i
    push!(makers, () -> (x += 0; x))
end
println([f() for f in makers])

# CHECK-NEXT:ArgumentError: bad value
struct Checked
    x::Int
    Checked(x) = x < 0 ? throw(ArgumentError("bad value")) : new(x)
end
try
    Checked(-1)
catch e
    println(sprint(showerror, e))
end
