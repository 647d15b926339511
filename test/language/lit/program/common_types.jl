# RUN: %kiln script --device cpu %s | %filecheck %s
# Common types, as Julia's typejoin and promote_type: the nearest common type name, with the parameters that agree.
abstract type Shape{T} end
struct Disc{T} <: Shape{T} r::T end
struct Box{T,N} <: Shape{T} sides::NTuple{N,T} end
abstract type Face <: AbstractVector{Int} end
struct Tri <: Face end
struct Quad <: Face end
# CHECK: true true true true
println(typejoin(Disc{Int}, Box{Int,2}) == Shape{Int}, " ", typejoin(Disc{Int}, Box{Float64,2}) == Shape, " ", typejoin(Box{Int,2}, Box{Int,3}) == Box{Int}, " ",
        typejoin(Tri, Quad) == Face)
# CHECK-NEXT: true true true true
println(typejoin(Vector{Int}, Vector{Float64}) == Vector, " ", typejoin(Tuple{Int,Int}, Tuple{Float64,Int}) == Tuple{Real,Int}, " ",
        typejoin(Tuple{Int}, Tuple{Int,Int}) == Tuple{Int,Vararg{Int}}, " ", typejoin(Int, String) == Any)
# CHECK-NEXT: Vector{Pair{Float64, Int64}} Vector{Vector{Float64}} Vector{Tuple{Real, Int64}} Vector{Union{Nothing, Float64}}
println(typeof([1 => 2, 2.0 => 3]), " ", typeof([[1], [2.0]]), " ", typeof([(1, 2), (1.0, 2)]), " ", typeof([1.0, nothing, 2.0]))
# CHECK-NEXT: true Vector{Any} Any
println(typeof([Disc(1), Box((1, 2))]) == Vector{Shape{Int}}, " ", typeof([1, "a"]), " ", promote_type(Int, String))
struct Cents <: Real n::Int end
Base.:<(a::Cents, b::Cents) = a.n < b.n
# CHECK-NEXT: Cents(3) Cents(1) true true false
println(max(Cents(1), Cents(3)), " ", min(Cents(1), Cents(3)), " ", isless(Cents(1), Cents(2)), " ", Cents(2) == Cents(2), " ", isequal(Cents(1), Cents(2)))
# CHECK-NEXT: ErrorException
println(try Cents(1) + Cents(2) catch e; typeof(e) end)

# The fields of a type with variables
# CHECK-NEXT: Any true
println(fieldtype(Disc, 1), " ", fieldtype(Box{Int}, :sides) == (NTuple{N,Int} where {N}))

# A method for P{<:A,<:B} precedes one for P, whatever P's own bounds are.
struct Ranged{T<:Integer,R<:AbstractUnitRange{T}} r::R end
kind(x::Ranged, rest...) = "any"
kind(x::Ranged{<:Integer,<:Base.OneTo}, rest...) = "OneTo"
# CHECK-NEXT: any OneTo
println(kind(Ranged{Int,UnitRange{Int}}(1:2)), " ", kind(Ranged{Int,Base.OneTo{Int}}(Base.OneTo(2))))

# One value of a variable outside cannot equal all values of a variable inside.
abstract type Sized{S} end
struct Square{N} <: Sized{Tuple{N,N}} end
has_size(::Type{<:Sized{S}}) where {S} = true
has_size(::Type{<:Sized}) = false
# CHECK-NEXT: true false
println(has_size(Square{3}), " ", has_size(Square))

# Keywords are pairs of names and values.
keywords(; kw...) = kw
kw = keywords(a=1, b=2)
# CHECK-NEXT: (:a, :b) (a = 1, b = 2) [:a => 1, :b => 2] 2 7
println(keys(kw), " ", values(kw), " ", collect(kw), " ", kw[:b], " ", get(kw, :c, 7))
# CHECK-NEXT: a1 b2 (z = 0, a = 1, b = 2) (a = 1, b = 2)
println(join([string(k, v) for (k, v) in kw], " "), " ", merge((z=0,), kw), " ", (; kw...))
# CHECK-NEXT: true (a = 1, b = 2)
println(isempty(keywords()), " ", values(keywords(; kw...)))

# CHECK-NEXT: 3 true false 4
struct M end
Base. *(::M, ::M) = 3
function (Base. /(x::T, y::T)
        where {T<:M})
    return 4
end
println(M() * M(), " ", !>(1, 2), " ", !<(1, 2), " ", M() / M())

# The less exact number decides about equality up to rounding; integers are exact.
# CHECK-NEXT: true false true
println(8.602325f0 ≈ 8.602325267042627, " ", 100000000 ≈ 100000001, " ", 100000000 ≈ 100000001.0)

# CHECK-NEXT: 5 (2, 1, 3, 2, 2) Tuple{Int64, Float64}
println(length(Iterators.product(1:5)), " ", size(collect(Iterators.product(1:2, 1:1, 1:3, 1:2, 1:2))), " ", eltype(collect(Iterators.product([1], [2.0]))))

# Old names are exported, as in Julia.
module Old
sum_of(a, b=1; c=0) = a + b + c
@deprecate total(args...; kwargs...) sum_of(args...; kwargs...)
@deprecate added sum_of
end
using .Old
# CHECK-NEXT: 8 5 (1, 2)
println(total(1, 2; c=5), " ", added(2; c=2), " ", fieldnames(Tuple{Int,Int}))
# CHECK-NEXT: [3, 5] [2, 3] (2, [3, 4])
v = [1, 2, 3, 4, 5]
first_of, rest_of... = [2, 3, 4]
println(filter!(x -> isodd(x) && x > 1, view(v, 1:5) |> collect), " ", sort!(@view([9, 3, 2][2:3])), " ", (first_of, rest_of))
D = zeros(2, 1, 3)
D[:] .= 1.0:6.0
# CHECK-NEXT: 6.0 true true
println(D[2, 1, 3], " ", isequal((a=missing,), (a=missing,)), " ", convert(@NamedTuple{a::Union{Missing,Int}}, (a=missing,)) isa @NamedTuple{a::Union{Missing,Int}})
# The tolerance of isapprox comes from the numbers in nested arrays: sqrt(eps) of the less exact float.
println([[1.0], [2.0]] ≈ [[1.0], [2.0 + 1e-12]], [[1.0], [2.0]] ≈ [[1.0], [2.1]], Any[1.0, 2] ≈ Any[1.0 + 1e-12, 2], Any[1, 2] ≈ Any[1, 3])
# CHECK-NEXT: truefalsetruefalse
println([[1.0f0, 2.0f0]] ≈ [[1.0001f0, 2.0f0]], [[1.0, 2.0]] ≈ [[1.0001, 2.0]], [[1.0f0, 2.0f0]] ≈ [[1.0001, 2.0]], [[1, 2]] ≈ [[1, 2]])
# CHECK-NEXT: truefalsetruetrue
