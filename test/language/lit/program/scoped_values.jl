# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Scoped values: `with` and `@with`. The expression of `@with` shares the scope around, as in Julia.
#
# RUN: %kiln script %s | %filecheck %s
using Base.ScopedValues
const level = ScopedValue(1)
const name = ScopedValue("none")
@with level => 2 seen = level[]
# CHECK: 2 1
println(seen, " ", level[])
function nested()
    @with level => 3 name => "outer" begin
        a = (level[], name[])
        @with level => 4 begin
            b = (level[], name[])
        end
    end
    return a, b, level[]
end
# CHECK-NEXT: ((3, "outer"), (4, "outer"), 1)
println(nested())
function thrown()
    kept = 0
    try
        @with level => 5 begin
            kept = level[]
            error("out")
        end
    catch e
        return (kept, e.msg, level[])
    end
end
# CHECK-NEXT: (5, "out", 1)
println(thrown())
early(x) = @with level => x (x > 6 && return "early $(level[])"; "late $(level[])")
# CHECK-NEXT: early 7 late 6 1
println(early(7), " ", early(6), " ", level[])
macro around(body)
    return Expr(:tryfinally, esc(body), :(println("finally")))
end
function loop()
    for i in 1:3
        @around (i == 2 && continue; last = i)
        println(last)
    end
end
# CHECK-NEXT: finally
# CHECK-NEXT: 1
# CHECK-NEXT: finally
# CHECK-NEXT: finally
# CHECK-NEXT: 3
loop()
