# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Interfaces of number types, tolerances, the order of tuples, and matrices of given structure, as in Julia's manual.
#
# RUN: %kiln script %s | %filecheck %s
using LinearAlgebra
message(f) = try f() catch e sprint(showerror, e) end
# A number type needs a method of round(x, mode) alone.
struct Length <: Real
    metres::Float64
end
Base.round(x::Length, r::RoundingMode) = round(x.metres, r)
# CHECK: 2.0 3.0 2 3 3
println(floor(Length(2.5)), " ", ceil(Length(2.5)), " ", trunc(Int, Length(2.5)), " ", ceil(Int, Length(2.5)), " ", round(Int, Length(3.5) |> x -> Length(x.metres - 0.6)))
# CHECK-NEXT: 24 7 53 15
println(precision(1f0), " ", precision(Float32; base=10), " ", precision(1.0), " ", precision(1.0; base=10))
# Two numbers are compared with the tolerance of the less exact type; integers are exact.
# CHECK-NEXT: true false true false true
println(1f0 / 3 ≈ 1 / 3, " ", 10^9 ≈ 10^9 + 1, " ", [1f0 / 3, 1] ≈ [1 / 3, 1.0], " ", isapprox(1, 2; atol=0.5), " ", Float64[] ≈ Float64[])
# `<` of tuples differs from isless where an element is NaN or missing.
# CHECK-NEXT: false false true missing true
println((1, 2) < (1, NaN), " ", (1, 2) <= (1, NaN), " ", isless((1, 2), (1, NaN)), " ", (1, missing) < (1, 2), " ", (0, missing) < (1, 2))
# CHECK-NEXT: true missing true
println(isequal((a=1, b=missing), (a=1, b=missing)), " ", (a=1, b=missing) == (a=1, b=missing), " ", hash(2) === hash(2, zero(UInt)))
# CHECK-NEXT: (1, 2) 7 Float64 Int64
println(fieldnames(Tuple{Int,Float64}), " ", getproperty((7, 8), 1), " ", float(typeof(pi)), " ", promote_type(Int, Union{}))
D = Diagonal([1.0, 2.0])
D .= D .+ D
# CHECK-NEXT: [2.0 0.0; 0.0 4.0]
println(D)
# CHECK-NEXT: ArgumentError: cannot set off-diagonal entry (1, 2) to a nonzero value (3)
println(message(() -> D[1, 2] = 3))
U = UpperTriangular([1.0 2.0; 3.0 4.0])
U[2, 1] = 0
U[1, 2] = 5
# CHECK-NEXT: [1.0 5.0; 0.0 4.0]
println(U)
# CHECK-NEXT: ArgumentError: cannot set index in the lower triangular part (2, 1) of an UpperTriangular matrix to a nonzero value (3)
println(message(() -> U[2, 1] = 3))
# CHECK-NEXT: ArgumentError: cannot set index on the diagonal (1, 1) of a UnitLowerTriangular matrix to a non-unit value (3)
println(message(() -> UnitLowerTriangular([1.0 0.0; 2.0 1.0])[1, 1] = 3))
# CHECK-NEXT: [3.0 0.0 0.0; 0.0 4.0 0.0] 12.0
println(diagm(2, 3, 0 => [3.0, 4.0]), " ", dot([1.0, 2.0], [2.0 0.0; 0.0 2.5], [1.0, 2.0]))
(c, s, r) = LinearAlgebra.givensAlgorithm(3.0, 4.0)
# CHECK-NEXT: 0.6 0.8 5.0
println(c, " ", s, " ", r)
# CHECK-NEXT: [1.0, 2.0] Vector{Float64} 3
println(convert(AbstractArray{Float64}, 1:2), " ", typeof(AbstractVector{Float64}([1, 2])), " ", invoke(sum, Tuple{AbstractArray{T}} where {T<:Number}, [1, 2]))
# A definition by another module's name for a type adds a method of the type.
struct Row end
LinearAlgebra.Array(::Row) = [9]
# CHECK-NEXT: [9]
println(Array(Row()))
code = :(a.b(1))
copied = deepcopy(code)
copied.args[1].args[1] = :c
# CHECK-NEXT: a.b(1) c.b(1)
println(code, " ", copied)
# CHECK-NEXT: 5.0 true false (Base.OneTo(2),) () nothing
println(norm([[3.0], [4.0]]), " ", iszero([[0.0], [0.0]]), " ", iszero([[0.0], [1.0]]), " ", axes((7, 8)), " ", Tuple{}(), " ", Nothing())
# CHECK-NEXT: [:a, :b, :c] true 0 1 true
println(sort([:b, :a, :c]), " ", issorted([:a, :b]), " ", Base.reduce_empty(+, UInt8), " ", Base.reduce_empty(*, Int), " ", Base.reduce_empty(&, Bool))

# Numbers that are no Reals have the order that their isless gives, without promotion.
struct Graded{T} <: Number
    value::T
    slope::T
end
Base.promote_rule(::Type{Graded{T}}, ::Type{S}) where {T<:Real,S<:Real} = Graded{promote_type(T, S)}
Base.convert(::Type{Graded{T}}, x::Real) where {T} = Graded{T}(x, 0)
Base.isless(a::Graded{<:Real}, b::Graded{<:Real}) = a.value < b.value
Base.isless(a::Real, b::Graded{<:Real}) = a < b.value
Base.isless(a::Graded{<:Real}, b::Real) = a.value < b
println(1 < Graded(2.0, 1.0), " ", Graded(2.0, 1.0) <= 1, " ", clamp(Graded(2.0, 1.0), 1, 4), " ", max(Graded(1.0, 0.0), Graded(3.0, 1.0)), " ", max(5, Graded(1.0, 0.0)))
# CHECK: true false Graded{Float64}(2.0, 1.0) Graded{Float64}(3.0, 1.0) 5
println(Graded{Float64}(Graded(2.0, 1.0)), " ", Float64(2.5), " ", Complex{Float64}(1.0 + 2im), " ", BigInt(big(3)))
# CHECK-NEXT: Graded{Float64}(2.0, 1.0) 2.5 1.0 + 2.0im 3
println(try 1im < 2im catch e; sprint(showerror, e) end)
# CHECK-NEXT: MethodError: no method matching isless(::Complex{Int64}, ::Complex{Int64})
