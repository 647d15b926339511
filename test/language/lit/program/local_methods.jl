# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Methods of global functions inside of local code: their signatures and bodies see local variables.
#
# RUN: %kiln script %s | %filecheck %s
struct Shape end
area(x) = 0
let
    f(x) = x
    Main.area(::typeof(f)) = 3
    # CHECK: 3 0
    println(area(f), " ", area(1))
end
let
    n = 1
    scaled(x) = 10x
    Main.area(::Val{5}) = scaled(n) + n
    n = 2                                  # the method reads the variable when it is called
    # CHECK-NEXT: 22
    println(area(Val(5)))
    Main.area(::Val{6}, a=n; b=n) = a + b
    # CHECK-NEXT: 4 8
    println(area(Val(6)), " ", area(Val(6), 5; b=3))
    list = [1, 2]
    Main.area(::Val{7}, i::T) where {T<:Integer} = begin
        s = zero(T)
        for y in list
            s += y * i
        end
        s
    end
    # CHECK-NEXT: 6
    println(area(Val(7), 2))
    g(x) = x
    (::typeof(g))(x, y) = x + y
    # CHECK-NEXT: 7 3
    println(g(3, 4), " ", g(3))
end
# A tuple of a package's own axes goes to the package's method, all others to the one of Ints.
struct Axis <: AbstractUnitRange{Int}
    length::Int
end
Base.reshape(A::AbstractArray, dims::Tuple{Vararg{Union{Integer,AbstractUnitRange}}}) = "axes"
# CHECK-NEXT: [1 3; 2 4] [1 3; 2 4] axes
println(reshape(1:4, 2, 2), " ", reshape([1, 2, 3, 4], Int8(2), :), " ", reshape([1, 2], (Axis(2),)))
# CHECK-NEXT: DimensionMismatch: array size 4 must be divisible by the product of the new dimensions (3, Colon())
try reshape(1:4, 3, :) catch e println(sprint(showerror, e)) end
