# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Serialization: what is read equals what was written, and shares what it shared.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines
using Serialization
module Shapes
struct Point{T}
    x::T
    y::T
    Point(x::T, y::T) where {T} = x < y ? new{T}(x, y) : error("a constructor ran")
end
mutable struct Node
    name::String
    next::Any
    const id::Int
    Node(name, id) = (n = new(name); n.next = nothing; n)
end
mutable struct Partly
    a
    b
    Partly() = new()
end
@enum Color red green
area(p) = p.x * p.y
end
function through(x)
    io = IOBuffer()
    serialize(io, x)
    seekstart(io)
    return deserialize(io)
end
same(x) = (y = through(x); typeof(y) === typeof(x) && isequal(y, x))
# CHECK: true
println(all(same, Any[1, 0x02, -3.5, 1.5f0, Float16(2), NaN, true, 'é', nothing, missing, "", "naïve\0x", :name, 1:5, 1:2:9, 3//4, 1.0 + 2im, (1, "a", :b), (a=1, b="x"), 1 => "one", big(2)^200, Int128(7)]))
# CHECK-NEXT: true
println(all(same, Any[[1, 2, 3], [1.5 2.5; 3.5 4.5], zeros(2, 0, 3), String["a", "b"], Any[1, "x", [2]], [(1, 2.0)], [:a, :b], [1, missing], Union{Int,String}[1, "a"], trues(2) .& [true, false], fill(7)]))
# CHECK-NEXT: true
println(all(same, Any[Dict(1 => "a", 2 => "b"), Dict{Any,Any}("k" => [1, 2]), Set([3, 4]), Dict{Symbol,Vector{Int}}(:a => [1]), Set{String}(), r"a+b"i]))
# CHECK-NEXT: true
println(all(x -> through(x) === x, Any[Int, Vector{Float64}, Dict, Array, Union{Int,Nothing}, Union{}, Tuple{Int,String}, Any, NamedTuple{(:a,),Tuple{Int}}, Shapes.Point{Int}, Shapes.Point, sin, +, Shapes.area, Shapes, Shapes.red, Val(3)]))
# CHECK-NEXT: 1 2 true true
println(through(Shapes.Point(1, 2)).x, " ", through(Shapes.Point(1, 2)).y, " ", same(Shapes.Point(1, 2)), " ", same([Shapes.Point(1.5, 2.5), Shapes.Point(2.5, 3.5)]))
# CHECK-NEXT: :(f(x + 1, "s")) 256 true
println(repr(through(:(f(x + 1, "s")))), " ", precision(through(big(1) / 3)), " ", same(big(1) / 3))

# Objects that are shared, and cycles.
a = Shapes.Node("a", 1)
b = Shapes.Node("b", 2)
a.next = b
b.next = a
v = [1, 2]
(c, w) = through((a, [v, v]))
# CHECK-NEXT: true true false true a
println(c.next.next === c, " ", w[1] === w[2], " ", w[1] === v, " ", c !== a, " ", c.name)
list = Any[1]
push!(list, list)
d = Dict{Any,Any}()
d[:self] = d
# CHECK-NEXT: true true
println((l = through(list); l[2] === l), " ", (e = through(d); e[:self] === e))
p = Shapes.Partly()
p.b = 3
q = through(p)
u = Vector{Any}(undef, 2)
u[2] = 5
# CHECK-NEXT: false 3 false 5
println(isdefined(q, :a), " ", q.b, " ", isassigned(through(u), 1), " ", through(u)[2])

# Files, and several values in a row.
path = tempname()
serialize(path, (x=[1.5], y="t"))
# CHECK-NEXT: (x = [1.5], y = "t")
println(deserialize(path))
open(path, "w") do io
    serialize(io, 1)
    serialize(io, "two")
    serialize(io, [3.0])
end
# CHECK-NEXT: Any[1, "two", [3.0]]
println(open(io -> Any[deserialize(io) for _ in 1:3], path))

# A type's own way to be written.
struct Cached
    key::Int
    text::String
end
Serialization.serialize(s::Serialization.AbstractSerializer, x::Cached) = (Serialization.serialize_type(s, Cached); serialize(s, x.key))
Serialization.deserialize(s::Serialization.AbstractSerializer, ::Type{Cached}) = (k = deserialize(s); Cached(k, string("text of ", k)))
# CHECK-NEXT: Cached[Cached(4, "text of 4"), Cached(5, "text of 5")]
println(through([Cached(4, "x"), Cached(5, "y")]))

# Errors.
function says(f)
    try
        f()
        println("no error")
    catch e
        println(typeof(e), ": ", sprint(showerror, e))
    end
end
bytes = (io = IOBuffer(); serialize(io, [1, 2, 3]); take!(io))
# CHECK-NEXT: ArgumentError: ArgumentError: deserialize: the data is damaged: its checksum is wrong
says(() -> (x = copy(bytes); x[end-5] = xor(x[end-5], 0x10); deserialize(IOBuffer(x))))
# CHECK-NEXT: ArgumentError: ArgumentError: deserialize: the data is damaged: {{[0-9]+}} bytes of {{[0-9]+}}
says(() -> deserialize(IOBuffer(bytes[1:end-3])))
# CHECK-NEXT: ArgumentError: ArgumentError: deserialize: this is no data that `serialize` wrote
says(() -> deserialize(IOBuffer("a text of some length")))
# CHECK-NEXT: ArgumentError: ArgumentError: deserialize: Julia wrote this data, in a format of its own. {{.*}}
says(() -> deserialize(IOBuffer(UInt8[0x37, 0x4a, 0x4c, 0x1a, 0x04, 0, 0, 0])))
# CHECK-NEXT: EOFError: EOFError: read end of file
says(() -> deserialize(IOBuffer("")))
# CHECK-NEXT: ArgumentError: ArgumentError: serialize: cannot write a {{.*}}: another program cannot find an anonymous function{{.*}}
says(() -> serialize(IOBuffer(), x -> x + 1))
# CHECK-NEXT: ArgumentError: ArgumentError: serialize: cannot write a IOBuffer: a stream belongs to this process{{.*}}
says(() -> serialize(IOBuffer(), IOBuffer()))
# CHECK-NEXT: ArgumentError: ArgumentError: deserialize: `Main.Shapes9.Here` is not defined: define it before the data is read
module Shapes2
struct Here
    x::Int
end
end
says() do
    io = IOBuffer()
    serialize(io, Shapes2.Here(1))
    text = replace(String(take!(io)), "Shapes2" => "Shapes9")
    s = Serializer(IOBuffer(text[22:end]))
    deserialize(s)
end
