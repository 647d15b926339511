# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Adapt from its own sources: what structs of a program and of packages are to a kernel, at a launch. The same with the one
# that Kiln brings.
#
# RUN: %kiln script --load-path %S/inputs/adapt --from-source Adapt %s | %filecheck %s --check-prefixes=CHECK,OWN
# RUN: %kiln script --load-path %S/inputs/adapt %s | %filecheck %s --check-prefixes=CHECK,BROUGHT

using CUDA, Adapt, Holds
println(isdefined(Adapt, :is_this_one))
# OWN: true
# BROUGHT: false
struct Grid{A,N}
    data::A
    n::N
end
Adapt.@adapt_structure Grid
struct Pair2{A,B}
    a::A
    b::B
    text::String
end
struct KernelPair{A,B}
    a::A
    b::B
end
Adapt.adapt_structure(to, p::Pair2) = KernelPair(adapt(to, p.a), adapt(to, p.b))
function add!(g, p)
    i = threadIdx().x
    i <= g.n && (g.data[i] += p.a[i] * p.b.data[1])
    return
end
g = Grid(CuArray(Float32[1, 2, 3, 4]), 3)
p = Pair2(CuArray(Float32[10, 20, 30, 40]), Grid(CuArray(Float32[2]), 1), "no bits")
@cuda threads = 4 add!(g, p)
println(Array(g.data))
# CHECK: Float32[21.0, 42.0, 63.0, 4.0]
fill_from!(y, f) = (y[threadIdx().x] = f.values[threadIdx().x] + 1; return)
y = CUDA.zeros(2)
@cuda threads = 2 fill_from!(y, Field(CuArray(Float32[5, 6]), "named"))
println(Array(y))
# CHECK-NEXT: Float32[6.0, 7.0]
h = adapt(Array, g)
println(h.data isa Array, " ", h.n)
# CHECK-NEXT: true 3
println(adapt(CuArray, h).data isa CuArray)
# CHECK-NEXT: true
struct Rounded end
Adapt.adapt_storage(::Rounded, x::AbstractFloat) = round(Int, x)
println(adapt(Rounded(), (1.7, (2.2, "s"))), " ", adapt(Rounded())(2.6))
# CHECK-NEXT: (2, (2, "s")) 3
# A closure's arrays go with it.
scale!(y, f) = (y[threadIdx().x] = f(y[threadIdx().x]); return)
by = let t = CuArray(Float32[100])
    x -> x + t[1]
end
@cuda threads = 2 scale!(y, by)
println(Array(y))
# CHECK-NEXT: Float32[106.0, 107.0]
