# RUN: %kiln script --device cpu %s | %filecheck %s
# Arrays of a program whose axes do not begin at 1: iteration, copies, comparisons, views, comprehensions and dotted
# calls follow the axes, as Julia's AbstractArray does.
struct From{T,N,A<:AbstractArray{T,N}} <: AbstractArray{T,N}
    parent::A
    before::NTuple{N,Int} # index of the first element, less 1
end
struct Side <: AbstractUnitRange{Int}
    r::UnitRange{Int}
end
Base.first(s::Side) = first(s.r)
Base.last(s::Side) = last(s.r)
Base.length(s::Side) = length(s.r)
Base.axes(s::Side) = (s,)
Base.getindex(s::Side, i::Int) = (checkbounds(s, i); i)
Base.size(A::From) = size(A.parent)
Base.axes(A::From) = map((r, b) -> Side(first(r)+b:last(r)+b), axes(A.parent), A.before)
Base.getindex(A::From{T,N}, I::Vararg{Int,N}) where {T,N} = (checkbounds(A, I...); A.parent[map(-, I, A.before)...])
Base.setindex!(A::From{T,N}, x, I::Vararg{Int,N}) where {T,N} = (checkbounds(A, I...); A.parent[map(-, I, A.before)...] = x)
Base.similar(A::AbstractArray, ::Type{T}, sides::Tuple{Side,Vararg{Side}}) where {T} = From(Array{T}(undef, map(length, sides)), map(s -> first(s) - 1, sides))
Base.similar(::Type{A}, sides::Tuple{Side,Vararg{Side}}) where {A<:AbstractArray} = From(Array{eltype(A)}(undef, map(length, sides)), map(s -> first(s) - 1, sides))
Base.fill(x, sides::Tuple{Side,Vararg{Side}}) = fill!(similar(Array{typeof(x)}, sides), x)

v = From([10, 20, 30], (-2,))
m = From([1 3 5; 2 4 6], (4, -1))
# CHECK: [10, 20, 30] 60 10 30 3
println(collect(v), " ", sum(v), " ", first(v), " ", last(v), " ", count(x -> x > 0, v))
# CHECK-NEXT: -1 1 -1 5
println(firstindex(v), " ", lastindex(v), " ", v[begin] == 10 ? -1 : 0, " ", firstindex(m, 1))
# CHECK-NEXT: [-1 => 10, 0 => 20, 1 => 30]
println(collect(pairs(v)))
# CHECK-NEXT: (5, 0) (6, 2) 4 6
println(first(CartesianIndices(m)).I, " ", last(CartesianIndices(m)).I, " ", m[4], " ", m[6, 2])
# CHECK-NEXT: true false true
println(v == From([10, 20, 30], (-2,)), " ", v == [10, 20, 30], " ", isequal(m, copy(m)))
# CHECK-NEXT: 5:6 0:2 [2 6 10; 4 8 12]
println(join(map(s -> string(first(s), ":", last(s)), axes(2 .* m)), " "), " ", collect(2 .* m))
# CHECK-NEXT: -1 [11, 22, 33]
w = v .+ From([1, 2, 3], (-2,))
println(first(axes(w, 1)), " ", collect(w))
w .= v
# CHECK-NEXT: [10, 20, 30] -1 -1 [100, 400, 900]
println(collect(w), " ", firstindex(map(x -> x^2, v)), " ", firstindex([x^2 for x in v]), " ", collect(map(x -> x^2, v)))
# CHECK-NEXT: 20 3 [3, 4]
println(view(v, 0:1)[1], " ", view(m, 5, :)[1], " ", view(m, :, 1).parent === m ? collect(view(m, :, 1)) : 0)
# CHECK-NEXT: [0] -1
println(findall(==(20), v), " ", firstindex(fill(7, axes(v))))
# CHECK-NEXT: [7, 8, 9] [7, 8, 9]
println(collect(copyto!(similar(v), [7, 8, 9])), " ", copyto!(zeros(Int, 3), From([7, 8, 9], (5,))))
# CHECK-NEXT: BoundsError
println(try v[2] catch e; typeof(e) end)
# CHECK-NEXT: BoundsError
println(try m[1, 1] catch e; typeof(e) end)
