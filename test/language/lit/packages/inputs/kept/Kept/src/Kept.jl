# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
Definitions of every kind, for what of them waits when the package is opened by its index.
"""
module Kept

export plain, keyword, Pair2, made_3, counted, Inner, area, grown, nested_value, greeting

const order = Int[]                     # what happens while the package is loaded
remember(n) = (push!(order, n); n)

"A definition with a text before it."
plain(x) = x + 1
plain(x::Float64) = x + 10              # the same function, another method
plain(x::Int8) = 100
plain(x::Int8) = 101                    # replaces the one above

struct Pair2{T}
    a::T
    b::T
    Pair2{T}(a, b) where {T} = new{T}(a, b)
end
Pair2(a::T, b::T) where {T} = Pair2{T}(a, b)
Pair2(a) = Pair2(a, a)
(p::Pair2)(x) = p.a * x + p.b           # a call of a value
Base.:+(p::Pair2, q::Pair2) = Pair2(p.a + q.a, p.b + q.b)
Base.show(io::IO, p::Pair2) = print(io, "<", p.a, " ", p.b, ">")

function keyword(x; scale=2, offset=x)
    x * scale + offset
end

const sizes = (2, 3, 4)
for n in sizes
    name = Symbol(:made_, n)
    @eval $name(x) = x * $n
end
for n in 1:3
    remember(10 + n)                    # more than definitions: it runs at once
    @eval counted(::Val{$n}) = $(n * n)
end
@eval begin
    grown(x) = x + length(order)
    grown(x, y) = grown(x) + y
end

macro twice(ex)
    :($(esc(ex)) + $(esc(ex)))
end
nested_value(x) = @twice(x * 3)

if length(sizes) == 3
    greeting() = "three"
else
    greeting() = "other"
end
@static if VERSION >= v"1.0"
    greeting(x) = string("new ", x)
end

_getindex(x) = string(x, " of Kept")     # a name that Base has too
same(x) = _getindex(x)
export same

module Inner
export adder
adder(n) = x -> x + n                   # a closure
helper(x) = x - 1
end
using .Inner: adder

include("area.jl")
area(x) = area(x, x)
end
