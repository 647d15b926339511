# RUN: %kiln script --device cpu %s | %filecheck %s
# What an array type has to define, by Julia's manual (Interfaces), and internal names of Base that packages use.
using Random
struct Grid{T,N} <: AbstractArray{T,N}
    items::Array{T,N}
end
Base.size(g::Grid, d...) = size(g.items, d...)   # precedes the library's size(A, d), which is ambiguous with it
Base.getindex(g::Grid, i::Int...) = g.items[i...]
Base.setindex!(g::Grid, v, i::Int...) = (g.items[i...] = v)
Base.similar(g::Grid, ::Type{T}, dims::Dims) where {T} = Grid(Array{T}(undef, dims))
g = Grid([1.0 2.0; 3.0 4.0])
println(size(g, 1), " ", size(g), " ", axes(g, 2), " ", parent([1]))
# CHECK: 2 (2, 2) Base.OneTo(2) [1]
println(map(typeof, (similar(g), similar(g, Int), similar(g, 3), similar(g, Int, (2,)), similar(g, Bool, 1:2 |> length, 2))))
# CHECK-NEXT: (Grid{Float64, 2}, Grid{Int64, 2}, Grid{Float64, 1}, Grid{Int64, 1}, Grid{Bool, 2})
println(typeof(similar(Vector{Int}, 3)), " ", size(similar(Array{Int}, axes([1 2]))), " ", reshape([1 2; 3 4], Val(1)), " ", copyto!([1, 2, 3], (7, 8)))
# CHECK-NEXT: Vector{Int64} (1, 2) [1, 3, 2, 4] [7, 8, 3]

struct Die end
Random.rand(rng::AbstractRNG, ::Random.SamplerType{Die}) = Die()
println(rand(Die), " ", rand(Die, 2), " ", rand(MersenneTwister(1), Die), " ", try
    rand(Grid)
catch e
    sprint(showerror, e)
end)
# CHECK-NEXT: Die() Die[Die(), Die()] Die() ArgumentError: Sampler for this object is not defined

mutable struct Cells
    data::NTuple{3,Float64}
end
c = Cells((1.0, 2.0, 3.0))
p = Base.unsafe_convert(Ptr{Float64}, pointer_from_objref(c))
unsafe_store!(p, 9, 2)
println(c.data, " ", unsafe_load(p, 3), " ", unsafe_load(p + 8))
# CHECK-NEXT: (1.0, 9.0, 3.0) 3.0 9.0
struct Inner
    a::Int8
    b::Int32
    c::Float64
end
mutable struct Deep
    x::Int16
    inner::Inner
    s::String
    n::Int
end
d = Deep(1, Inner(2, 3, 4.5), "s", 7)
q = pointer_from_objref(d)
unsafe_store!(Ptr{Int}(q + 32), -1)
println(unsafe_load(Ptr{Int16}(q)), " ", unsafe_load(Ptr{Int32}(q + 12)), " ", unsafe_load(Ptr{Float64}(q + 16)), " ", d.n)
# By C's rules the struct begins at byte 8, and the pointer at 24.
# CHECK-NEXT: 1 3 4.5 -1
unsafe_store!(Ptr{UInt32}(pointer_from_objref(c)), 0x3ff00000, 6) # the upper half of 1.0
println(c.data, " ", unsafe_load(Ptr{UInt32}(pointer_from_objref(c)), 2))
# CHECK-NEXT: (1.0, 9.0, 1.0) 1072693248
try
    unsafe_load(p, 4)
catch e
    println(e.msg)
end
# CHECK-NEXT: an object of type Cells has no element at byte 24
println(Base.haslength(1:2), Base.haslength(x for x in 1:2 if x > 1), Base.isiterable(Int), " ", fieldcount(NamedTuple{(:a, :b),T} where {T<:Tuple}))
# CHECK-NEXT: truefalsetrue 2
println(Base.merge_names((:a, :b), (:b, :c)), " ", merge((a=1,), [:b => 2]), " ", Base.tail((a=1, b=2)), " ", :a < :b, " ", Core.Typeof(Int), " ", Core.Typeof(1))
# CHECK-NEXT: (:a, :b, :c) (a = 1, b = 2) (b = 2,) true Type{Int64} Int64
Base.print_matrix(stdout, [1 20; 3 4])
# CHECK-NEXT: 1  20
# CHECK-NEXT: 3   4
