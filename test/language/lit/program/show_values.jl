# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Values as Julia prints them, alone and in collections. The expected texts follow Base's show.jl (typeinfo_prefix, show_delim_array), ryu/shortest.jl,
# complex.jl and strings/io.jl, by hand: a collection says its element type once, and what is in it says only what that leaves open.
#
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines --strict-whitespace
struct P
    x::Float32
    v
end
shown(xs...) = println(join(map(repr, xs), " | "))

# ---- integers
println(Int8(-128), " ", UInt8(7), " ", UInt128(7), " ", typemax(UInt128), " ", typemin(Int128))
#      CHECK:-128 7 7 340282366920938463463374607431768211455 -170141183460469231731687303715884105728
shown(Int8(-1), 0x07, 0x0007, UInt64(7), UInt128(7))
# CHECK-NEXT:-1 | 0x07 | 0x0007 | 0x0000000000000007 | 0x00000000000000000000000000000007
println(string(typemin(Int128); base=16), " ", string(typemax(UInt128); base=2) == "1"^128, " ", ndigits(typemax(UInt128)), " ", digits(Int128(10)^20 + 3)[1])
# CHECK-NEXT:-80000000000000000000000000000000 true 39 3

# ---- floats: print writes e, show of a Float32 writes f
println(1f0, " ", 1f-7, " ", 1f10, " ", -0f0, " ", NaN32, " ", -Inf32, " ", Float16(0.1), " ", Float16(1000))
# CHECK-NEXT:1.0 1.0e-7 1.0e10 -0.0 NaN -Inf 0.1 1.0e3
shown(1f0, 1f-7, 1.5f10, -0f0, 1f5, 1f6, NaN32, -Inf32, 1f-45)
# CHECK-NEXT:1.0f0 | 1.0f-7 | 1.5f10 | -0.0f0 | 100000.0f0 | 1.0f6 | NaN32 | -Inf32 | 1.0f-45
shown(Float16(1), Float16(999), Float16(1000), Float16(0.001), NaN16, -Inf16, Float16(-0.0))
# CHECK-NEXT:Float16(1.0) | Float16(999.0) | Float16(1.0e3) | Float16(0.001) | NaN16 | -Inf16 | Float16(-0.0)
shown(1e5, 1e6, 123456.7, 0.0001, 0.00001, 5e-324, -1.7976931348623157e308, NaN, -Inf, 1e22)
# CHECK-NEXT:100000.0 | 1.0e6 | 123456.7 | 0.0001 | 1.0e-5 | 5.0e-324 | -1.7976931348623157e308 | NaN | -Inf | 1.0e22
println([1f-7], " ", [1f0, 2.5f0], " ", [NaN32, Inf32], " ", Float16[1, 1000], " ", Any[1f0], " ", Real[1f0, 2])
# CHECK-NEXT:Float32[1.0f-7] Float32[1.0, 2.5] Float32[NaN, Inf] Float16[1.0, 1.0e3] Any[1.0f0] Real[1.0f0, 2]
println(sprint(show, 123456.7; context=:compact => true), " ", sprint(show, 0.1234575; context=:compact => true), " ", sprint(show, 1f0 / 3; context=:compact => true), " ",
        sprint(show, 999999.96; context=:compact => true), " ", sprint(show, Float16(1); context=:compact => true))
# CHECK-NEXT:1.23457e5 0.123458 0.333333 1.0e6 1.0

# ---- Bool, Complex, Rational
println([true, false], " ", Any[true], " ", (true, false), " ", [true, missing], " ", [(true, 1)])
# CHECK-NEXT:Bool[1, 0] Any[true] (true, false) Union{Missing, Bool}[1, missing] Tuple{Bool, Int64}[(1, 1)]
println(im, " ", 2im, " ", 1f0 + 2f0im, " ", 1 - 2im, " ", Complex(1.0, -0.0), " ", Complex(1.0, NaN), " ", Complex(1.0, -Inf), " ", Complex(true, true), " ", Complex(0x01, 0x02))
# CHECK-NEXT:im 0 + 2im 1.0f0 + 2.0f0im 1 - 2im 1.0 - 0.0im 1.0 + NaN*im 1.0 - Inf*im Complex(true,true) 0x01 + 0x02im
println([1.0 + 2im], " ", [1f0 + 2f0im], " ", [im], " ", [1 + 2im 3], " ", Complex(1, typemin(Int)), " ", Complex{Float16}(1, 2))
# CHECK-NEXT:ComplexF64[1.0 + 2.0im] ComplexF32[1.0f0 + 2.0f0im] Complex{Bool}[im] Complex{Int64}[1 + 2im 3 + 0im] 1 - 9223372036854775808im Float16(1.0) + Float16(2.0)im
println(1 // 2, " ", -3 // 1, " ", 0x01 // 0x02, " ", [1 // 2])
# CHECK-NEXT:1//2 -3//1 0x01//0x02 Rational{Int64}[1//2]

# ---- characters, strings, symbols
shown('a', '\'', '"', '\n', '\0', '\x01', 'é', '\u200b', '\U10ffff', '\\', '$')
# CHECK-NEXT:'a' | '\'' | '"' | '\n' | '\0' | '\x01' | 'é' | '\u200b' | '\U10ffff' | '\\' | '$'
shown("a\"b", "a\$b", "\0", "\0" * "7", "\x01\e\x7f", "é中", "\u200b", "\u200bf", "\xff", "\\")
# CHECK-NEXT:"a\"b" | "a\$b" | "\0" | "\x007" | "\x01\e\x7f" | "é中" | "\u200b" | "\u200bf" | "\xff" | "\\"
println(escape_string("a\"b\$c\n"), " ", ["a\nb"], " ", ['a', '\n'], " ", ("a", 'b'))
# CHECK-NEXT:a"b$c\n ["a\nb"] ['a', '\n'] ("a", 'b')
shown(:a, Symbol("a b"), :+, :(=), :(==), :(::), Symbol(""), Symbol("1a"), :é, :a!, Symbol("end"))
# CHECK-NEXT::a | Symbol("a b") | :+ | :(=) | :(==) | :(::) | Symbol("") | Symbol("1a") | :é | :a! | :end
println(:a, " ", [:a, :b], " ", (x = :a, var"b c" = 1))
# CHECK-NEXT:a [:a, :b] (x = :a, var"b c" = 1)

shown(QuoteNode(:a), :(a + b), :(x.y), :(a.f).args[2])
# CHECK-NEXT::(:a) | :(a + b) | :(x.y) | :(:f)

# ---- nothing, missing, types, functions, references
println(nothing, " ", [nothing], " ", [1, nothing], " ", Any[missing, nothing], " ", [1.5, missing], " ", [1f0, missing])
# CHECK-NEXT:nothing [nothing] Union{Nothing, Int64}[1, nothing] Any[missing, nothing] Union{Missing, Float64}[1.5, missing] Union{Missing, Float32}[1.0, missing]
println([Int, Float32], " ", (Int, "a"), " ", [sin], " ", sin, " ", [sin, cos], " ", Ref(1), " ", Ref(1f0), " ", Ref{Any}(1f0), " ", Some(1))
# CHECK-NEXT:DataType[Int64, Float32] (Int64, "a") [sin] sin Function[sin, cos] Base.RefValue{Int64}(1) Base.RefValue{Float32}(1.0f0) Base.RefValue{Any}(1.0f0) Some(1)

# ---- tuples, named tuples, pairs
println((), " ", (1,), " ", (1f0, 2), " ", [(1f0, 2)], " ", ([1f0],), " ", [(1, 2.0)], " ", [("a", 'b')], " ", Any[(1f0,)])
# CHECK-NEXT:() (1,) (1.0f0, 2) Tuple{Float32, Int64}[(1.0, 2)] (Float32[1.0],) [(1, 2.0)] [("a", 'b')] Any[(1.0f0,)]
println((a=1f0,), " ", (a=1, b="x"), " ", NamedTuple(), " ", [(a=1,)], " ", [(a=1f0,)])
# CHECK-NEXT:(a = 1.0f0,) (a = 1, b = "x") NamedTuple() [(a = 1,)] @NamedTuple{a::Float32}[(a = 1.0,)]
println(1 => 2f0, " ", (1 => 2) => 3, " ", 1 => (2 => 3), " ", [1 => 2], " ", [1 => 2f0], " ", Pair{Any,Int}(1, 2), " ", Pair{Any,Int}[1 => 2], " ", (+) => 1, " ", sin => 1)
# CHECK-NEXT:1 => 2.0f0 (1 => 2) => 3 1 => (2 => 3) [1 => 2] Pair{Int64, Float32}[1 => 2.0] Pair{Any, Int64}(1, 2) Pair{Any, Int64}[1 => 2] (+) => 1 sin => 1

# ---- dictionaries and sets
println(Dict(1 => 2), " ", Dict("a" => 1f0), " ", Dict{Any,Any}(1 => 2), " ", Dict{Int,Int}(), " ", [Dict(1 => 2)], " ", [Dict(1 => 2f0)], " ", Dict(1 => [1f0]))
# CHECK-NEXT:Dict(1 => 2) Dict{String, Float32}("a" => 1.0) Dict{Any, Any}(1 => 2) Dict{Int64, Int64}() [Dict(1 => 2)] Dict{Int64, Float32}[Dict(1 => 2.0)] Dict{Int64, Vector{Float32}}(1 => [1.0])
println(Set([1]), " ", Set([1f0]), " ", Set{Int}(), " ", [Set([1])], " ", Set(Any[1]))
# CHECK-NEXT:Set([1]) Set(Float32[1.0]) Set{Int64}() Set{Int64}[Set([1])] Set(Any[1])

# ---- arrays in arrays, empty ones, several dimensions
println([[1f0]], " ", [[1]], " ", [[1.0], [2.0]], " ", Any[[1f0]], " ", [Any[1]], " ", [[1f0 2f0]], " ", [Int[]], " ", [[[1f0]]], " ", Vector[[1], [1f0]])
# CHECK-NEXT:Vector{Float32}{{[[][[]}}1.0]] {{[[][[]}}1]] {{[[][[]}}1.0], [2.0]] Any[Float32[1.0]] Vector{Any}{{[[][[]}}1]] Matrix{Float32}{{[[][[]}}1.0 2.0]] [Int64[]] Vector{Vector{Float32}}{{[[][[][[]}}1.0]]] Vector{{[[][[]}}1], Float32[1.0]]
println(Any[], " ", Float32[], " ", Int[], " ", String[], " ", zeros(0, 3), " ", zeros(Float32, 0, 3, 2), " ", Union{Int,Missing}[])
# CHECK-NEXT:Any[] Float32[] Int64[] String[] Matrix{Float64}(undef, 0, 3) Array{Float32, 3}(undef, 0, 3, 2) Union{Missing, Int64}[]
println([1 2; 3 4], " ", [1f0 2f0], " ", reshape([1, 2], 2, 1), " ", Any[1 2f0], " ", fill(1.5), " ", fill(1f0))
# CHECK-NEXT:[1 2; 3 4] Float32[1.0 2.0] [1; 2;;] Any[1 2.0f0] fill(1.5) fill(1.0f0)
println(zeros(1, 2, 1), " ", zeros(2, 1, 2), " ", zeros(1, 1, 1, 2), " ", zeros(2, 2, 1, 1), " ", zeros(Float32, 1, 1, 2), " ", zeros(1, 1, 2, 2))
# CHECK-NEXT:[0.0 0.0;;;] [0.0; 0.0;;; 0.0; 0.0] [0.0;;;; 0.0] [0.0 0.0; 0.0 0.0;;;;] Float32[0.0;;; 0.0] [0.0;;; 0.0;;;; 0.0;;; 0.0]

# ---- ranges and structs
println(1:3, " ", 1:2:5, " ", 0.0:0.5:1.0, " ", 0f0:0.5f0:1f0, " ", 0x01:0x03, " ", Base.OneTo(3), " ", [1:2], " ", CartesianIndex(1, 2), " ", [CartesianIndex(1, 2)])
# CHECK-NEXT:1:3 1:2:5 0.0:0.5:1.0 0.0f0:0.5f0:1.0f0 0x01:0x03 Base.OneTo(3) UnitRange{Int64}[1:2] CartesianIndex(1, 2) CartesianIndex{2}[CartesianIndex(1, 2)]
println(P(1, [1f0]), " ", [P(1, 2f0)], " ", (P(1, nothing),))
# CHECK-NEXT:P(1.0f0, Float32[1.0]) P[P(1.0f0, 2.0f0)] (P(1.0f0, nothing),)

# ---- code: loops of a generator from the outermost, in parentheses outside of brackets
println(:(sum(x for x in 1:3)), " ", :((x + 1 for x in a)), " ", :([x for i in a for x in i if x > 1]), " ", :(Int[i + j for i in a, j in b]))
# CHECK-NEXT:sum((x for x = 1:3)) (x + 1 for x = a) [x for i = a for x = i if x > 1] Int[i + j for i = a, j = b]
println(:(f(x for i in a for j in i for x in j)), " ", eval(Meta.parse(string(:([10i + j for i in 1:2 for j in i:2])))))
# CHECK-NEXT:f((x for i = a for j = i for x = j)) [11, 12, 22]

# ---- at the prompt
display([1f0, 1f-7])
# CHECK-NEXT:2-element Vector{Float32}:
# CHECK-NEXT: 1.0
# CHECK-NEXT: 1.0f-7
display([1f0 2.123456789f0])
# CHECK-NEXT:1×2 Matrix{Float32}:
# CHECK-NEXT: 1.0  2.12346
display([1.0 + 2im 3])
# CHECK-NEXT:1×2 Matrix{ComplexF64}:
# CHECK-NEXT: 1.0+2.0im  3.0+0.0im
display(Dict("é" => 1f0))
# CHECK-NEXT:Dict{String, Float32} with 1 entry:
# CHECK-NEXT:  "é" => 1.0
display(Float32[])
# CHECK-NEXT:Float32[]
# Products of a number and a name, powers, and operands of equal precedence print as in Julia.
println(:(2x + 1.5y), " ", :(2 * x^2), " ", :((2x)^2), " ", :(a - b + c), " ", :(a && b && c), " ", :(-f(x)), " ", :(2e1 * e), " ", :(2 * 3), " ", :(1:n))
# CHECK-NEXT:2x + 1.5y 2 * x ^ 2 (2x) ^ 2 (a - b) + c a && (b && c) -(f(x)) 20.0 * e 2 * 3 1:n
