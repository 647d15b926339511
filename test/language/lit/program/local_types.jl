# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# A type that local code defines is global, so that T(x) = ... after it adds a constructor, as in Julia.
let
    struct Sum
        x::Int
    end
    Sum(a, b) = Sum(a + b)
    Sum(s::String) = Sum(parse(Int, s))
    # CHECK: Sum(3) Sum(41)
    println(Sum(1, 2), " ", Sum("41"))
end
# CHECK-NEXT: Sum(9)
println(Sum(4, 5))
let
    primitive type Three 24 end
    Three(n) = Base.trunc_int(Three, n)
    offset = 1
    mutable struct Cell{T}
        x::T
    end
    Cell{T}() where {T} = Cell{T}(zero(T))
    area(x) = x + offset # a local function
    # CHECK-NEXT: 4 true 0.0 3
    println(length(Three.(1:4)), " ", Three(7) === Three(7), " ", Cell{Float64}().x, " ", area(2))
end
