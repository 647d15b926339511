# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# pointer(A) asks cconvert and unsafe_convert, which an array type of the program may define. Expected values are those
# of Julia's documented functions.
struct Boxed{T,N} <: AbstractArray{T,N}
    data::Array{T,N}
end
Base.size(b::Boxed) = size(b.data)
Base.getindex(b::Boxed, i::Int...) = b.data[i...]
Base.cconvert(P::Type{Ptr{T}}, b::Boxed) where {T} = Base.cconvert(P, b.data)
mutable struct Pair2
    values::NTuple{2,Float64}
end
Base.unsafe_convert(::Type{Ptr{T}}, p::Pair2) where {T} = Base.unsafe_convert(Ptr{T}, pointer_from_objref(p))
b = Boxed([1.5, 2.5, 3.5])
# CHECK: true 2.5 true
println(pointer(b) === pointer(b.data), " ", unsafe_load(pointer(b), 2), " ", Base.cconvert(Ptr{Float64}, b) === b.data)
p = Pair2((4.0, 5.0))
q = Base.unsafe_convert(Ptr{Float64}, p)
# CHECK-NEXT: [4.0, 5.0] true true
println(unsafe_load.(q, 1:2), " ", UInt(q) == UInt(Base.unsafe_convert(Ptr{Float64}, p)), " ", UInt(q + 8) - UInt(q) == 8)
# CHECK-NEXT: (1, 3, 12) (Base.OneTo(1), Base.OneTo(3)) (Base.OneTo(1), Base.OneTo(1)) Base.OneTo(3)
println(Base.size_to_strides(1, 3, 4, 5), " ", Base.reduced_indices(zeros(2, 3), 1), " ", Base.reduced_indices(axes(zeros(2, 3)), (1, 2)), " ", Base.OneTo(1:3))
# CHECK-NEXT: ArgumentError ArgumentError
println(try Base.OneTo(2:3) catch e nameof(typeof(e)) end, " ", try Base.reduced_indices(axes(zeros(2)), 0) catch e nameof(typeof(e)) end)
