# RUN: %kiln script --device cpu %s | %filecheck %s
# A number is an iterator without dimensions; tolerances are those of the numbers in arrays of arrays; an alias of a type
# checks the bounds of the type's parameters. Values as in Julia's documentation.
using LinearAlgebra, StaticArrays
# CHECK: (6,) (2, 3) (6,) ()
println(size([a + b for a in 0.5, b in 1:6]), " ", size([(a, b, c) for a in 1:2, b in 7, c in 1:3]), " ", size(collect(Iterators.product(0.5, 1:6))), " ", size([x for x in 3]))
# CHECK-NEXT: fill(2.5) 3 0
println(repr([x / 2 for x in 5]), " ", [x for x in 3][], " ", ndims(collect(i for i in 3.0)))

a = [SVector(1f0, 2f0, 3f0), SVector(4f0, 5f0, 6f0)]
b = [SVector(1f0, 2f0, 3f0), SVector(4f0, 5f0, 6.000001f0)]
# CHECK-NEXT: true false true false true
println(a ≈ b, " ", isapprox(a, b; rtol=0), " ", [[1.0], [2.0, 3.0]] ≈ [[1.0], [2.0, 3.0 + 1e-10]], " ", [[1.0]] ≈ [[1.001]], " ", Any[1.0, 2.0] ≈ Any[1.0, 2.0 + 1e-9])
# CHECK-NEXT: Float32 Float64 Float64
println(LinearAlgebra.promote_leaf_eltypes(a), " ", LinearAlgebra.promote_leaf_eltypes([[1.0], [2.0]]), " ", LinearAlgebra.promote_leaf_eltypes(Any[1, 2.0]))

struct Cells{T<:Union{Number,SArray},N,A<:AbstractArray{E,3} where {E}}
    data::A
end
const HostCells{T,N,E} = Cells{T,N,Array{E,3}}
HostCells{T}(n::Int) where {T<:Union{Number,SArray}} = n
# CHECK-NEXT: 3
println(HostCells{Int}(3))
# CHECK-NEXT: TypeError TypeError TypeError
println(join(map(f -> (try f() catch e; typeof(e) end), (() -> HostCells{Array}(3), () -> HostCells{String}, () -> (Vector{Cells{T}} where {T}){Symbol})), " "))
