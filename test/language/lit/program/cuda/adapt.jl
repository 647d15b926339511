# RUN: %kiln script --device cpu %s | %filecheck %s
# cu and adapt take structures apart as Adapt.jl does: structs of the program, tuples, closures, wrapped arrays; ranges stay.
using CUDA, Adapt, KernelAbstractions, LinearAlgebra
struct P2{A}; a::A; end
Adapt.@adapt_structure P2
struct Nested{A,B}; p::A; q::B; end
Adapt.@adapt_structure Nested
struct Plain; a::Vector{Float64}; end
struct Wrapped{T,A} <: AbstractVector{T}; data::A; end
Wrapped(a) = Wrapped{eltype(a),typeof(a)}(a)
Base.size(w::Wrapped) = size(w.data)
Base.getindex(w::Wrapped, i::Int) = w.data[i]
Adapt.@adapt_structure Wrapped
struct Flat <: AbstractVector{Float64}; data::Vector{Float64}; end
Base.size(w::Flat) = size(w.data)
Base.getindex(w::Flat, i::Int) = w.data[i]
kind(x) = string(nameof(typeof(x)), x isa AbstractArray ? string("{", eltype(x), "}") : "")
#      CHECK: CuArray{Float32} CuArray{Float32} 2 CuArray{Float32} CuArray{Float32} Array{Float32}
println(kind(cu(P2([1.0])).a), " ", kind(cu((a=[1.0], b=2)).a), " ", cu((a=[1.0], b=2)).b, " ", kind(cu(([1.0], 2))[1]), " ", kind(adapt(CUDABackend(), [1f0])), " ", kind(adapt(CPU(), CUDA.zeros(2))))
# Numbers of what types become Float32; cu[...] keeps them.
# CHECK-NEXT: CuArray{Int64} CuArray{Float16} CuArray{ComplexF32} CuArray{Bool} CuArray{Float64} CuArray{Float32} CuArray{Float64}
println(kind(cu([1, 2])), " ", kind(cu(Float16[1])), " ", replace(kind(cu([1.0 + 2im])), "Complex{Float32}" => "ComplexF32"), " ", kind(cu([true])), " ", kind(adapt(CuArray, [1.0])), " ", kind(adapt(CuArray{Float32}, [1.0])), " ", kind(cu[1.0, 2.0]))
# CHECK-NEXT: CuArray{Float32} CuArray{Int64} CuArray{Float64} Array{Float64} Array{Float64} Array{Int64}
n = Nested(P2([1.0]), (x=[1, 2], y=1:3))
m = cu(n)
println(kind(m.p.a), " ", kind(m.q.x), " ", kind(adapt(CuArray, n).p.a), " ", kind(n.p.a), " ", kind(adapt(Array, adapt(CuArray, n)).p.a), " ", kind(adapt(CPU(), m).q.x))
# Ranges and numbers stay; a struct without a method stays; wrappers stay around what they wrap; without a method they are flat.
# CHECK-NEXT: UnitRange{Int64} 1.5 Array{Float64} Wrapped{Float32} CuArray{Float32} CuArray{Float32} nothing ab
println(kind(m.q.y), " ", cu(1.5), " ", kind(cu(Plain([1.0])).a), " ", kind(cu(Wrapped([1.0]))), " ", kind(cu(Wrapped([1.0])).data), " ", kind(cu(Flat([1.0]))), " ", cu(nothing), " ", cu("ab"))
# CHECK-NEXT: Transpose CuArray{Float32} Adjoint CuArray{Float32} Diagonal CuArray{Float32} SubArray CuArray{Float32} Float32[2.0 6.0]
M = [1.0 2.0 3.0; 4.0 5.0 6.0]
V = cu(view(M, 1:1, 1:2:3))
println(nameof(typeof(cu(transpose(M)))), " ", kind(parent(cu(transpose(M)))), " ", nameof(typeof(cu(M'))), " ", kind(parent(cu(M'))), " ", nameof(typeof(cu(Diagonal([1.0])))), " ", kind(cu(Diagonal([1.0])).diag), " ", nameof(typeof(V)), " ", kind(parent(V)), " ", Array(V .* 2))
# CHECK-NEXT: CuArray{Float32} Float32[4.0, 8.0] CuArray{Int64} [3, 4]
scale(a) = x -> a[1] * x
f = cu(scale([4.0]))
print(kind(f.a), " ")
g = CUDA.zeros(2)
function call(y, f)
  i = threadIdx().x
  y[i] = f(i)
  return
end
@cuda threads=2 call(g, f)
println(Array(g), " ", kind(adapt(CuArray, Base.broadcasted(+, [1, 2], 2)).args[1]), " ", Array(Base.materialize(adapt(CuArray, Base.broadcasted(+, [1, 2], 2)))))
# Arrays that are on the device already: as they are, or with elements of Float32. Kinds of memory.
a = CUDA.zeros(2)
# CHECK-NEXT: true true CuArray{Float32} true UnifiedMemory HostMemory true
println(cu(a) === a, " ", adapt(CUDABackend(), a) === a, " ", kind(cu(CUDA.zeros(Float64, 2))), " ", adapt(CuArray, a) === a, " ", nameof(typeof(cu(P2([1.0]); unified=true).a).parameters[3]), " ", nameof(typeof(cu([1.0]; host=true)).parameters[3]), " ", adapt(CPU(), [1.0]) isa Vector{Float64})
