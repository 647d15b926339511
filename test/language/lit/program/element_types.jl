# RUN: %kiln script --device cpu %s | %filecheck %s
# The element types of arrays that are written out.
abstract type Shape end
struct Circle <: Shape
    r::Float64
end
struct Square <: Shape
    s::Float64
end
println(typeof(Shape[Circle(1), Square(2)]), " ", typeof(Shape[Circle(1)]), " ", typeof(Shape[]))
# CHECK: Vector{Shape} Vector{Shape} Vector{Shape}
println(typeof([Circle(1), Square(2)]), " ", typeof([Circle(1), nothing]), " ", typeof(Any[1, 2]))
# CHECK-NEXT: Vector{Shape} Vector{Union{Nothing, Circle}} Vector{Any}
println(typeof([1, 2.0]), " ", typeof(Real[1, 2.0]), " ", typeof(Union{Int,Nothing}[1, nothing]), " ", typeof(["a", 1]))
# CHECK-NEXT: Vector{Float64} Vector{Real} Vector{Union{Nothing, Int64}} Vector{Any}
println(Float32[1, 2.5], " ", Int[], " ", typeof(UInt8[1, 2]), " ", Real[1, 2.0])
# CHECK-NEXT: Float32[1.0, 2.5] Int64[] Vector{UInt8} Real[1, 2.0]
println(typeof(convert(Vector{Shape}, [Circle(1.0)])), " ", convert(Vector{Int}, [1.0, 2.0]), " ", typeof(convert(Array{Float64}, [1 2])))
# CHECK-NEXT: Vector{Shape} [1, 2] Matrix{Float64}
c = Shape[]
push!(c, Circle(2.0), Square(3.0))
println(length(c), " ", eltype(c), " ", typeof([s for s in c]), " ", typeof(Shape[s for s in c if s isa Circle]))
# CHECK-NEXT: 2 Shape Vector{Shape} Vector{Shape}
same = [1, 2]
println(convert(Vector{Int}, same) === same, " ", convert(AbstractVector, same) === same)
# CHECK-NEXT: true true

# Texts in an empty comprehension have the type that inference finds.
println(typeof(["a$i" for i in 0:-1]), " ", typeof([(a=i,) => (b="a$i",) for i in 0:-1]), " ", eltype([(string(i), i / 2) for i in 0:-1]), " ", Base.promote_op(string, Int))
# CHECK: Vector{String} Vector{Pair{@NamedTuple{a::Int64}, @NamedTuple{b::String}}} Tuple{String, Float64} String
only_fours = Iterators.filter(t -> t.first.a == 4, ((a=i,) => (b="a$i",) for i in 1:3))
println(Base.@default_eltype(only_fours), " ", typeof(collect(only_fours)))
# CHECK-NEXT: Pair{@NamedTuple{a::Int64}, @NamedTuple{b::String}} Vector{Pair{@NamedTuple{a::Int64}, @NamedTuple{b::String}}}
