# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Styles of dotted calls that a program defines: the style is part of the lazy call, and two unrelated styles conflict.
#
# RUN: %kiln script %s | %filecheck %s
using SparseArrays, LinearAlgebra
using Base.Broadcast: ArrayStyle, Broadcasted, combine_styles
struct Held{T,N} <: AbstractArray{T,N}
    data::Array{T,N}
end
Base.size(A::Held) = size(A.data)
Base.getindex(A::Held, i::Int...) = A.data[i...]
Base.BroadcastStyle(::Type{<:Held}) = ArrayStyle{Held}()
struct Counter <: AbstractVector{Int} end
Base.size(::Counter) = (2,)
Base.getindex(::Counter, i::Int) = i
Base.BroadcastStyle(::Type{Counter}) = ArrayStyle{Counter}()
held = Held([1.0, 2.0])
# CHECK: true true false
println(Base.broadcasted(+, held, 1:2) isa Broadcasted{ArrayStyle{Held}}, " ",
        Base.broadcasted(+, 1, Base.broadcasted(-, held)) isa Broadcasted{ArrayStyle{Held}}, " ",
        Base.broadcasted(+, [1, 2], 1:2) isa Broadcasted{ArrayStyle{Held}})
# Without a method of similar, the style cannot make its result. Of two such styles, none decides: the result is an Array.
try held .+ 1 catch e println(typeof(e)) end
# CHECK-NEXT: MethodError
println(combine_styles(held, Counter()), " ", held .+ Counter())
# CHECK-NEXT: Base.Broadcast.ArrayConflict() [2.0, 4.0]

# Dotted calls of sparse arrays are sparse. If their value for zeros is not zero, all elements are stored.
s = sparse([1, 2], [1, 2], [3.0, 4.0])
# CHECK-NEXT: sparse([1, 2], [1, 2], [6.0, 8.0], 2, 2) sparse([1, 2], [1, 2], [-3.0, -4.0], 2, 2)
println(s .* 2, " ", .-s)
# CHECK-NEXT: true 4 [4.0 1.0; 1.0 5.0]
println(s .+ 1 isa SparseMatrixCSC, " ", nnz(s .+ 1), " ", Matrix(s .+ 1))
# CHECK-NEXT: sparse([1, 2, 2], [1, 1, 2], [3.0, 7.0, 8.0], 2, 2) sparse([1, 2], [1, 2], [2.5, 4.0], 2, 2)
println(s .+ [0 0; 7 4], " ", s ./ 2 .+ Diagonal([1.0, 2.0]))
# CHECK-NEXT: sparsevec([2], [-9], 3) Matrix{Float64}
println(.-abs2.(sparsevec([2], [3], 3)), " ", typeof(s .* Held([1.0 2.0; 3.0 4.0])))

# map of named tuples needs equal names, for any number of them.
# CHECK-NEXT: (a = 10, b = 14) (10, 14) Named tuple names do not match.
println(map(+, (a=1, b=2), (a=2, b=3), (a=3, b=4), (a=4, b=5)), " ", map(+, (1, 2), (2, 3), (3, 4), (4, 5)), " ",
        try map(+, (a=1,), (b=2,)) catch e e.msg end)
# CHECK-NEXT: ComplexF64 Tuple{Int64, Int8}
println(Base.promote_op(Complex, Float64, Int), " ", Base.promote_op((x, y) -> (x, y), Int, Int8))
# Nested functions whose last parameter is narrower than a keyword.
sums = (first, rest::Int...; factor="none") -> (first + sum(rest), factor)
# CHECK-NEXT: (6, "none") (6, "three")
println(sums(1, 2, 3), " ", sums(1, 2, 3; factor="three"))
