# RUN: %kiln script --device cpu %s | %filecheck %s
# Types as values, by Julia's manual: application, fields, dispatch on repeated parameters, methods of a call.
println(NTuple{0,Int}, " ", NTuple{2,Int}, " ", fieldtype(NamedTuple{(:a,),T} where {T<:Tuple}, 1))
# CHECK: Tuple{} Tuple{Int64, Int64} Any
struct Sized{S,N,M,D<:AbstractArray{S,M}}
    data::D
    Sized{S,N,1,D}(::Val{:new}) where {S,N,D<:AbstractVector{S}} = new{S,N,1,D}(D(undef, N))
    Sized{S,N,N,D}(::Val{:new}) where {S,N,D<:AbstractArray{S,N}} = new{S,N,N,D}(D(undef, ntuple(i -> N, N)))
end
println(size(Sized{Int,1,1,Vector{Int}}(Val(:new)).data), " ", size(Sized{Int,2,2,Matrix{Int}}(Val(:new)).data))
# CHECK-NEXT: (1,) (2, 2)
taken(::Type{S}) where {T,S<:Sized{T}} = (T, S === typeintersect(Sized{Int}, Sized{T,2}) ? "both" : "other")
println(taken(typeintersect(Sized{Int}, Sized{<:Any,2})))
# CHECK-NEXT: (Int64, "both")
println(Core.Compiler.return_type(+, Tuple{Float64,Int}), " ", Base.promote_op(*, Int8, Float32), " ", Core.Compiler.return_type(sqrt, Tuple{Real}))
# CHECK-NEXT: Float64 Float32 Any

area(x::Int) = x
area(x) = 2x
println(which(area, Tuple{Int}) === which(area, (Int,)), " ", which(area, Tuple{Int}) === which(area, Tuple{Float64}), " ", (@which area(1.0)).sig)
# CHECK-NEXT: true false Tuple{typeof(area), Any}
println(which(area, (Int,)).line, " ", which(area, (Int,)).name, " ", hasmethod(area, (String,)))
# CHECK-NEXT: 18 area true

mutable struct Unset
    x::Float64
    name::String
    Unset() = new()
end
u = Unset()
println(u.x isa Float64, " ", try
    u.name
catch e
    typeof(e)
end)
# CHECK-NEXT: true UndefRefError

println((((1, 2), (3,))...)..., " ", (((4, 5)...)...,), " ", (7, 8, 9)[[3, 1]], " ", (a=1, b=2, c=3)[(:c, :a)], " ", get((1, 2), 3, 0))
# CHECK-NEXT: 123 (4, 5) (9, 7) (c = 3, a = 1) 0
println(convert(UnitRange{UInt8}, 1:3) == 1:3, " ", typeof(UnitRange{Int32}(1:3)), " ", merge((a=1,), Dict(:b => 2)), " ", (; [:k => 1]...))
# CHECK-NEXT: true UnitRange{Int32} (a = 1, b = 2) (k = 1,)
a = [1, 2, 3]
println(Base.mightalias(a, view(a, 1:2)), " ", Base.mightalias(a, copy(a)), " ", axes(Base.broadcasted(convert, Float64, a)))
# CHECK-NEXT: true false (Base.OneTo(3),)
# Types with bounds that are only known at run time.
struct Sized{N} end
fits(n, x) = x isa Pair{<:Any,<:Sized{n}}
above(T, x) = x isa Vector{>:T}
of(::Val{n}) where {n} = Pair{Int,<:Sized{n}}
println(fits(3, 1 => Sized{3}()), fits(3, 1 => Sized{4}()), fits(4, "a" => Sized{4}()), above(Int, Any[1]), above(Int, [1.0]), " ", of(Val(2)), " ", of(Val(2)) == (Pair{Int,<:Sized{2}}))
# CHECK-NEXT: truefalsetruetruefalse Pair{Int64, <:Sized{2}} true
bound_of(x) = Pair{<:x,Int}
try
    bound_of(3)
catch e
    println(e)
end
# CHECK-NEXT: TypeError("3 is not a type, so it is no bound")
