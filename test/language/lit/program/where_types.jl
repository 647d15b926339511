# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Types with `where` in function bodies, which depend on local variables, as in Julia's manual on UnionAll types.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines
with_rank(A) = A{Int,N} where {N}
pairs_of(S) = Tuple{S,X} where {X<:Real}
above(S) = Vector{X} where {X>:S}
function of_function()
    helper(x) = x
    return Tuple{typeof(helper),T,T} where {T<:Float32}, helper
end
two(K) = Dict{K,Pair{A,B}} where {A<:K,B}
#      CHECK: true true false
println(with_rank(Array) == Array{Int}, " ", Matrix{Int} <: with_rank(Array), " ", Matrix{Float64} <: with_rank(Array))
# CHECK-NEXT: true false true
println(Tuple{String,Int} <: pairs_of(String), " ", Tuple{String,String} <: pairs_of(String), " ", Tuple{Int,Float64} <: pairs_of(Int))
# CHECK-NEXT: true true false
println(Vector{Real} <: above(Int), " ", Vector{Int} <: above(Int), " ", Vector{String} <: above(Int))
# CHECK-NEXT: true false
let (T, f) = of_function()
    println(Tuple{typeof(f),Float32,Float32} <: T, " ", Tuple{typeof(f),Float32,Float64} <: T)
end
# CHECK-NEXT: true false
println(Dict{Real,Pair{Int,String}} <: two(Real), " ", Dict{Real,Pair{String,String}} <: two(Real))
