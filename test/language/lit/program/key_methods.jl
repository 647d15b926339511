# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Keys of dictionaries and sets compare by isequal and hash, as in Julia's manual: also by the program's methods.
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# CHECK: 1 2
# CHECK-NEXT: 2 true false
# CHECK-NEXT: 1
# CHECK-NEXT: first false
# CHECK-NEXT: 3
# CHECK-NEXT: true
# CHECK-NEXT: 2
# CHECK-NEXT: true false true
# CHECK-NEXT: true false
# CHECK-NEXT: 2 1
# CHECK-NEXT: 7
# CHECK-NEXT: 1
# CHECK-NEXT: 1 2 2
# CHECK-NEXT: 1 1 1
# CHECK-NEXT: true true true true true
# CHECK-NEXT: no hash
# CHECK-NEXT: 0
# CHECK-NEXT: (70, 1000)
# CHECK-NEXT: (7, 1000)
# CHECK-NEXT: 1 false
# CHECK-NEXT: 1
# CHECK-NEXT: promotion of types Meters and Int64 failed to change any arguments
# CHECK-NEXT: true 5//2 false true
# Equality and hash of the program.
struct Name; text::String; end
Base.:(==)(a::Name, b::Name) = lowercase(a.text) == lowercase(b.text)
Base.hash(a::Name, h::UInt) = hash(lowercase(a.text), h)
d = Dict{Name,Int}()
d[Name("Ab")] = 1
d[Name("aB")] += 1
println(length(d), " ", d[Name("AB")])
s = Set([Name("x"), Name("X"), Name("y")])
println(length(s), " ", Name("Y") in s, " ", Name("z") in s)
println(length(unique([Name("q"), Name("Q")])))
# inside tuples, pairs and arrays
t = Dict((Name("a"), 1) => :first)
println(t[(Name("A"), 1)], " ", haskey(t, (Name("A"), 2)))
v = Dict([Name("a")] => 3)
println(v[[Name("A")]])
delete!(d, Name("AB")); println(isempty(d))
# == alone: hashes differ
struct Loose; x::Float64; end
Base.:(==)(a::Loose, b::Loose) = true
println(length(Set([Loose(1), Loose(2), Loose(1)])))
# no methods: ===
struct Plain; v::Vector{Int}; end
p = Plain([1])
println(haskey(Dict(p => 1), p), " ", haskey(Dict(p => 1), Plain([1])), " ", haskey(Dict(p => 1), Plain(p.v)))
mutable struct Cell; x::Int; end
c = Cell(1); e = Dict(c => 1); c.x = 2
println(haskey(e, c), " ", haskey(e, Cell(2)))
struct Two{T}; x::T; end
println(length(Set([Two(1), Two(1.0)])), " ", length(Set(Any[1, 1.0, 0x01, true, big(1), 1//1])))
# isequal alone, and hash with one argument
struct Mod7; n::Int; end
Base.isequal(a::Mod7, b::Mod7) = mod(a.n - b.n, 7) == 0
Base.hash(a::Mod7) = hash(mod(a.n, 7))
println(length(Set(Mod7.(1:100))))
# a number of the program equals a machine number
struct Meters <: Number; x::Int; end
Base.:(==)(a::Meters, b::Int) = a.x == b
Base.:(==)(a::Int, b::Meters) = a == b.x
Base.hash(a::Meters, h::UInt) = hash(a.x, h)
m = Dict{Any,Int}(3 => 1)
println(m[Meters(3)])
# library types
println(Dict(big(10)^30 => 1)[big(10)^30], " ", Dict(1 => 2)[big(1)], " ", length(Set([Set([1, 2]), Set([2, 1]), Set([3])])))
println(Dict([1, 2, 3] => 1)[1:3], " ", Dict([2, 3] => 1)[view([1, 2, 3], 2:3)], " ", length(Set([Dict(1 => 2), Dict(1 => 2)])))
println(hash(1) == hash(1.0), " ", hash([1, 2]) == hash(1:2), " ", hash((1, 2)) == hash((1.0, 2.0)), " ", hash("a", UInt(1)) != hash("a"), " ", hash(Set([1, 2])) == hash(Set([2, 1])))
# an error of a method arrives
struct Bad; end
Base.hash(::Bad, h::UInt) = error("no hash")
try; Dict(Bad() => 1); catch e; println(e.msg); end
f = Dict{Any,Int}(); try; f[Bad()] = 1; catch; end; println(length(f))
# compiled: a type without methods, and one with
struct Point; x::Int; y::Int; end
function count_points(n); d = Dict{Point,Int}(); for i in 1:n; k = Point(i % 10, i % 7); d[k] = get(d, k, 0) + 1; end; (length(d), d[Point(3, 3)]); end
println(count_points(70_000))
function count_mod(n); d = Dict{Mod7,Int}(); for i in 1:n; k = Mod7(i); d[k] = get(d, k, 0) + 1; end; (length(d), d[Mod7(70)]); end
println(count_mod(7000))
println(Dict(Two(NaN)=>1)[Two(NaN)], " ", haskey(Dict(0.0 => 1), -0.0))
@enum Color red blue
println(Dict(red => 1)[Color(0)])
# numbers of two types without a common one
try; Meters(1) + 1; catch e; println(e.msg); end
println(1//1 == big(1), " ", big(2) + 1//2, " ", isequal(1.0 - 0.0im, 1.0), " ", isequal(1.0 + 0.0im, 1.0))
