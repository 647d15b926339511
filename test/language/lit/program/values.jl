# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Values of Base's functions on the host, by Julia's rules (expr.jl, reduce.jl, accumulate.jl, parse.jl, checked.jl, strings/unicode.jl), worked out by hand.
#
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
using CUDA, Random, StaticArrays
message(f) =
    try
        string(f())
    catch e
        first(split(sprint(showerror, e), "\n"))
    end

# ---- code is equal by what it says
println(:(a.f) == :(a.f), " ", isequal(:(x + 1), :(x + 1)), " ", :(x + 1) == :(x + 2), " ", QuoteNode(:a) == QuoteNode(:a), " ", :(a.f) === :(a.f))
#      CHECK: true true false true false
println(:(f(x) = [x, "a", :b, 1.5, (2, $(nothing))]) == :(f(x) = [x, "a", :b, 1.5, (2, $(nothing))]), " ", Expr(:call, NaN) == Expr(:call, NaN), " ", Expr(:call, 0.0) == Expr(:call, -0.0))
# CHECK-NEXT: true true false
println(:(a.f) in [:(a.g), :(a.f)], " ", length(unique(Any[:(a.f), :(a.f), :(a.g)])), " ", Dict(:(a.f) => 1)[:(a.f)], " ", hash(:(a + b)) == hash(:(a + b)), " ", length(Set([:(a.f), :(a.f)])))
# CHECK-NEXT: true 2 1 true 1
println(Dict(typemax(UInt64) => 1, -1 => 2)[typemax(UInt64)], " ", length(Set(Any[Int128(2)^64, Int128(2)^65, 0])), " ", Dict(Int128(5) => 1)[5])
# CHECK-NEXT: 1 3 1

# ---- sums and products of small integers are Ints; accumulate keeps its operator's type
println(cumsum(Int8[100, 100]), " ", cumsum(Int32[2^30, 2^30, 2^30])[3], " ", cumprod(Int8[100, 100]), " ", typeof(cumsum(UInt8[1])), " ", cumsum([true, true]), " ", cumprod([true, false]))
# CHECK-NEXT: [100, 200] 3221225472 [100, 10000] Vector{UInt64} [1, 2] Bool[1, 0]
println(accumulate(+, Int8[100, 100]), " ", cumsum(Int8[100 1; 100 2]; dims=1), " ", cumprod(Int8[100 1; 100 2]; dims=1), " ", cumsum(Int8[1 2]; dims=2), " ", cumsum(Int8[]), " ", cumsum(1:3))
# CHECK-NEXT: Int8[100, -56] [100 1; 200 3] [100 1; 10000 2] [1 3] Int64[] [1, 3, 6]
println(sum(Int8[100, 100]), " ", prod(Int8[100, 100]), " ", prod([true, true]), " ", prod([true, false]), " ", prod((true, true)), " ", prod(Bool[]), " ", prod([true]), " ", sum([true, true]), " ", prod(x -> x > 0, [1, 2]))
# CHECK-NEXT: 200 10000 true false true true true 2 true
println(sum(Int8[100 1; 100 2]; dims=1), " ", prod([true true; true false]; dims=1), " ", sum(UInt8[200, 100]), " ", mapreduce(identity, +, Int8[100, 100]))
# CHECK-NEXT: [200 3] Bool[1 0] 300 -56

# ---- sums of many floats: 10^6 times 0.1f0 is 100000.0015; one after the other they give 100958.34
tenths = fill(0.1f0, 10^6)
is_near(x) = abs(x - 100000) < 1
println(is_near(sum(tenths)), " ", is_near(cumsum(tenths)[end]), " ", is_near(sum(x -> x, tenths)), " ", is_near(reduce(+, tenths)), " ", is_near(mapreduce(abs, +, tenths)), " ", is_near(sum(view(tenths, 1:10^6))), " ", sum([-0.0, -0.0]))
# CHECK-NEXT: true true true true true true -0.0

device = CUDA.fill(0.1f0, 10^7)
println(abs(sum(device) - 10^6) < 2, " ", is_near(Array(cumsum(CuArray(tenths)))[end]), " ", abs(Array(sum(reshape(device, 10^6, 10); dims=1))[1] - 10^5) < 1, " ", reduce(+, CuArray(fill(Int8(100), 1000)); init=0))
# CHECK-NEXT: true true true 100000
println(cumsum(CuArray(Int8[100, 100])), " ", cumprod(CuArray(Int8[100, 100])), " ", accumulate(+, CuArray(Int8[100, 100])), " ", prod(CuArray([true, true])), " ", prod(CuArray([true false; true true]); dims=1), " ", [CUDA.zeros(2)])
# CHECK-NEXT: [100, 200] [100, 10000] Int8[100, -56] true Bool[1 0] CuArray{Float32, 1, CUDA.DeviceMemory}{{[[][[]}}0.0, 0.0]]
states = (CUDA.seed!(1); Array(CUDA.rand(3))), (CUDA.seed!(1); Array(CUDA.rand(3))), (Random.seed!(2); Array(CUDA.rand(3))), (Random.seed!(2); Array(CUDA.rand(3)))
println(states[1] == states[2], " ", states[3] == states[4], " ", states[1] == states[3])
# CHECK-NEXT: true true false

# ---- checked arithmetic of 128 bits, conversions
println(Base.checked_add(Int128(1), Int128(2)), " ", Base.checked_mul(Int128(2)^63, Int128(2)^63), " ", message(() -> Base.checked_mul(Int128(2)^64, Int128(2)^63)), " ", Base.checked_sub(UInt128(5), UInt128(3)))
# CHECK-NEXT: 3 85070591730234615865843651857942052864 OverflowError: 18446744073709551616 * 9223372036854775808 overflowed for type Int128 2
println(Base.mul_with_overflow(typemin(Int128), Int128(-1)), " ", Base.add_with_overflow(typemax(UInt128), UInt128(1)), " ", Base.sub_with_overflow(typemin(Int128), Int128(1))[2], " ", Base.mul_with_overflow(typemin(Int128), Int128(1)))
# CHECK-NEXT: (-170141183460469231731687303715884105728, true) (0x00000000000000000000000000000000, true) true (-170141183460469231731687303715884105728, false)
println(Float16(typemax(Int64)), " ", Float16(2^62), " ", Float16(Int64(65519)), " ", Float16(Int64(65520)), " ", Float16(UInt128(2049)), " ", Float16(-2^60))
# CHECK-NEXT: Inf Inf 6.55e4 Inf 2.048e3 -Inf

# ---- numbers read from text
println(message(() -> parse(Int8, "200")), "; ", message(() -> parse(UInt8, "256")), "; ", message(() -> parse(Int, "9223372036854775808")), "; ", parse(Int8, "-128"), " ", typemax(Int128) == parse(Int128, string(typemax(Int128))))
# CHECK-NEXT: OverflowError: overflow parsing "200"; OverflowError: overflow parsing "256"; OverflowError: overflow parsing "9223372036854775808"; -128 true
println(message(() -> parse(Int, "1x")), "; ", message(() -> parse(Int, "")), "; ", message(() -> parse(Int, "1 2")), "; ", message(() -> parse(UInt8, "-1")), "; ", message(() -> parse(Int, "0x")))
# CHECK-NEXT: ArgumentError: invalid base 10 digit 'x' in "1x"; ArgumentError: input string is empty or only contains whitespace; ArgumentError: extra characters after whitespace in "1 2"; ArgumentError: invalid base 10 digit '-' in "-1"; ArgumentError: premature end of integer: "0x"
println(parse(Int, " 42 "), " ", parse(Int, "0x1f"), " ", parse(Int, "-0b101"), " ", parse(Int, "ff"; base=16), " ", parse(Int, "zZ"; base=62), " ", parse(UInt128, "340282366920938463463374607431768211455") == typemax(UInt128), " ", tryparse(Int8, "128"), " ", tryparse(Int, "7"))
# CHECK-NEXT: 42 31 -5 255 3817 true nothing 7
println(message(() -> parse(Int, "12"; base=2)), "; ", message(() -> parse(Int, "1"; base=1)), "; ", message(() -> parse(Int, "0x1f"; base=16)), "; ", message(() -> parse(Bool, "maybe")), "; ", message(() -> parse(Int, 'z')), "; ", parse(Int, 'z'; base=36), " ", parse(Bool, " true "), " ", parse(Bool, "0"))
# CHECK-NEXT: ArgumentError: invalid base 2 digit '2' in "12"; ArgumentError: invalid base: base must be 2 ≤ base ≤ 62, got 1; ArgumentError: invalid base 16 digit 'x' in "0x1f"; ArgumentError: invalid Bool representation: "maybe"; ArgumentError: invalid base 10 digit 'z'; 35 true false
println(parse(Float32, "0.1") === 0.1f0, " ", parse(Float64, "1e400"), " ", parse(Float64, "-1e-400"), " ", parse(Float32, "16777217.0000000001"), " ", parse(Float64, "Inf"), " ", parse(Float64, "0x1p-2"), " ", message(() -> parse(Float64, "1.x")), " ", tryparse(Float16, "0.5"))
# CHECK-NEXT: true Inf -0.0 1.6777218e7 Inf 0.25 ArgumentError: cannot parse "1.x" as Float64 0.5

# ---- characters: simple mappings, one character to one
println(uppercase("é"), lowercase("ÀÉ"), uppercase("straße"), lowercase("İ") == "i", " ", uppercase("ŉﬁ"), " ", titlecase("ǆ éa-b c"), " ", uppercasefirst("ǆx"), " ", lowercasefirst("Éa"), " ", uppercase('я'), lowercase('Ω'), titlecase('ǆ'))
# CHECK-NEXT: Éàé{{STRAẞE}}true ŉﬁ ǅ Éa-B C ǅx éa Яωǅ
println(isuppercase('É'), islowercase('я'), isletter('中'), isnumeric('½'), isnumeric('٣'), ispunct('«'), isprint('\u200b'), isuppercase('ǅ'), islowercase('ª'), isletter('_'), isspace('\u2003'))
# CHECK-NEXT: truetruetruetruetruetruefalsefalsefalsefalsetrue
println(textwidth("é中"), " ", textwidth("e\u0301"), " ", textwidth('\u200b'), " ", lpad("中", 4), "|", rpad("é", 3), "|", map(uppercase, "àb"), " ", filter(isletter, "1é2я"), " ", all(isuppercase, "ÀÉ"))
# CHECK-NEXT: 3 1 0   中|é  |ÀB éя true
function letters(text, n)
    count = 0
    for _ in 1:n, c in text
        count += isletter(c)
    end
    return count
end
println(letters("aé1я", 20000))                   # compiled on the way, for Latin letters
# CHECK-NEXT: 60000
display('я')
# CHECK-NEXT: 'я': Unicode U+044F (category Ll: Letter, lowercase)

# ---- static arrays are made of their types
println(zeros(SVector{3,Float64}), " ", typeof(ones(SMatrix{2,2,Float32})), " ", fill(2, SVector{2,Int}), " ", typeof(rand(SVector{3,Float32})), " ", typeof(randn(SVector{2})), " ", size(zeros(SVector{2,Int}, 3)), " ", length(rand(SVector{2,Float64}, 4)))
# CHECK-NEXT: [0.0, 0.0, 0.0] SMatrix{2, 2, Float32, 4} [2, 2] SVector{3, Float32} SVector{2, Float64} (3,) 4

# ---- types as they print; those that are too long to be written out are refused by their own names
println(typeof((1, 2, 3)), " ", typeof((1, 2, 3, 4)), " ", typeof((1, 2.0, 2.0, 2.0, 2.0)), " ", typeof(([1f0],)), " ", message(() -> NTuple{100000,Int64}))
# CHECK-NEXT: Tuple{Int64, Int64, Int64} NTuple{4, Int64} Tuple{Int64, Vararg{Float64, 4}} Tuple{Vector{Float32}} TypeError: a type of more than 20000 parts: NTuple{100000, Int64}
