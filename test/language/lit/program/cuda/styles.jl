# RUN: %kiln script --device cpu %s | %filecheck %s
# Arrays of a program that wrap one of the device, with a style of broadcasting of their own: as GPUArrays' users write it. Expected values by hand;
# the meaning is that of Julia's manual, "Customizing broadcasting".
using CUDA, Adapt

# By ArrayStyle: similar makes the result, copyto! fills it.
struct Wrapped{T,N,A<:AbstractArray{T,N}} <: AbstractArray{T,N}
    data::A
    name::String
end
Base.size(w::Wrapped) = size(w.data)
Base.getindex(w::Wrapped, I...) = w.data[I...]
Base.parent(w::Wrapped) = w.data
Base.BroadcastStyle(::Type{<:Wrapped}) = Broadcast.ArrayStyle{Wrapped}()
Base.BroadcastStyle(::Broadcast.ArrayStyle{Wrapped}, ::CUDA.CuArrayStyle) = Broadcast.ArrayStyle{Wrapped}()
find_wrapped(b::Base.Broadcast.Broadcasted) = find_wrapped(b.args)
find_wrapped(args::Tuple) = find_wrapped(find_wrapped(args[1]), Base.tail(args))
find_wrapped(x) = x
find_wrapped(::Tuple{}) = nothing
find_wrapped(w::Wrapped, rest) = w
find_wrapped(::Any, rest) = find_wrapped(rest)
function Base.similar(bc::Broadcast.Broadcasted{Broadcast.ArrayStyle{Wrapped}}, ::Type{T}) where {T}
    w = find_wrapped(bc)
    return Wrapped(similar(parent(w), T, axes(bc)), w.name)
end
unwrap(x) = x
unwrap(w::Wrapped) = w.data
unwrap(bc::Broadcast.Broadcasted) = Broadcast.broadcasted(bc.f, map(unwrap, bc.args)...)
function Base.copyto!(dest::Wrapped, bc::Broadcast.Broadcasted{Broadcast.ArrayStyle{Wrapped}})
    dest.data .= Broadcast.materialize(unwrap(bc))
    return dest
end
w = Wrapped(CuArray([1.0, 2.0, 3.0]), "w")
v = w .+ 1
println(typeof(v) == typeof(w), " ", v.name, " ", Array(v.data))
# CHECK: true w [2.0, 3.0, 4.0]
v .= 2 .* w .+ v
println(Array(v.data), " ", v isa Wrapped)
# CHECK-NEXT: [4.0, 7.0, 10.0] true
r = sqrt.(v .* v) .- CuArray([1.0, 1.0, 1.0])
println(r isa Wrapped, " ", Array(parent(r)))
# CHECK-NEXT: true [3.0, 6.0, 9.0]
println(Array(parent(w .> 1.5)), " ", eltype(w .> 1.5))
# CHECK-NEXT: Bool[0, 1, 1] Bool

# By a style with dimensions, which says what becomes of it and CuArrayStyle; Adapt gives kernels what it wraps.
struct Field{T,N,A<:AbstractArray{T,N}} <: AbstractArray{T,N}
    data::A
    tag::Symbol
end
Base.size(f::Field) = size(f.data)
Base.axes(f::Field) = axes(f.data)
Base.getindex(f::Field, i::Int...) = f.data[i...]
struct FieldStyle{N} <: Broadcast.AbstractArrayStyle{N} end
FieldStyle(::Val{N}) where {N} = FieldStyle{N}()
FieldStyle{M}(::Val{N}) where {M,N} = FieldStyle{N}()
Base.BroadcastStyle(::Type{<:Field{T,N}}) where {T,N} = FieldStyle{N}()
Base.BroadcastStyle(a::FieldStyle{N}, ::CUDA.CuArrayStyle{M}) where {N,M} = FieldStyle{max(N, M)}()
Adapt.adapt_structure(to, f::Field) = Adapt.adapt(to, f.data)
Base.similar(bc::Broadcast.Broadcasted{<:FieldStyle}, ::Type{T}) where {T} = Field(similar(CuArray{T}, axes(bc)), :new)
function Base.copyto!(dest::Field, bc::Broadcast.Broadcasted{<:FieldStyle})
    copyto!(dest.data, bc)
    return dest
end
f = Field(CuArray(Float32[1, 2, 3]), :a)
g = f .* 2 .+ CuArray(Float32[1, 1, 1])
println(g.tag, " ", Array(g.data), " ", g isa Field)
# CHECK-NEXT: new Float32[3.0, 5.0, 7.0] true
m = Field(CuArray([1 2; 3 4]), :m)
h = m .+ CuArray([10, 20])
println(Array(h.data), " ", size(h .* 1.5), " ", eltype(h .* 1.5))
# CHECK-NEXT: [11 12; 23 24] (2, 2) Float64
h .= m .- 1
println(h.tag, " ", Array(h.data))
# CHECK-NEXT: new [0 1; 2 3]
c = CuArray([0, 0, 0])
c .= CuArray([1, 2, 3]) .* 2                       # no style of the program's in it
println(Array(c), " ", Broadcast.BroadcastStyle(typeof(c)) == CUDA.CuArrayStyle{1,CUDA.DeviceMemory}())
# CHECK-NEXT: [2, 4, 6] true

# The example of Julia's manual, on the host.
struct ArrayAndChar{T,N} <: AbstractArray{T,N}
    data::Array{T,N}
    char::Char
end
Base.size(A::ArrayAndChar) = size(A.data)
Base.getindex(A::ArrayAndChar{T,N}, inds::Vararg{Int,N}) where {T,N} = A.data[inds...]
Base.setindex!(A::ArrayAndChar{T,N}, val, inds::Vararg{Int,N}) where {T,N} = A.data[inds...] = val
Base.BroadcastStyle(::Type{<:ArrayAndChar}) = Broadcast.ArrayStyle{ArrayAndChar}()
function Base.similar(bc::Broadcast.Broadcasted{Broadcast.ArrayStyle{ArrayAndChar}}, ::Type{ElType}) where ElType
    A = find_aac(bc)
    ArrayAndChar(similar(Array{ElType}, axes(bc)), A.char)
end
find_aac(bc::Base.Broadcast.Broadcasted) = find_aac(bc.args)
find_aac(args::Tuple) = find_aac(find_aac(args[1]), Base.tail(args))
find_aac(x) = x
find_aac(::Tuple{}) = nothing
find_aac(a::ArrayAndChar, rest) = a
find_aac(::Any, rest) = find_aac(rest)
a = ArrayAndChar([1 2; 3 4], 'x')
b = a .+ 1
println(b isa ArrayAndChar, " ", b.char, " ", b.data)
# CHECK-NEXT: true x [2 3; 4 5]
d = a .+ [5, 10]
println(d.char, " ", d.data, " ", typeof(a .* 0.5) == ArrayAndChar{Float64,2})
# CHECK-NEXT: x [6 7; 13 14] true

# Stores into plain arrays of the host beside all this.
h = zeros(2, 2)
h .= [1 2; 3 4] .* 2
h .+= [10, 20]
println(h)
# CHECK-NEXT: [12.0 14.0; 26.0 28.0]
h .= a .+ 0.5
println(h)
# CHECK-NEXT: [1.5 2.5; 3.5 4.5]
