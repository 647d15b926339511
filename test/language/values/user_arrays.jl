# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels as users of CUDA.jl write them: arrays and views, traits, enumerations. Values of random numbers and
# counts were computed in Python.

using CUDA: i32

# ---- arrays, views, ranges, tuples of tuples
struct Body
    pos::NTuple{2,Float32}
    mass::Float64
    tag::UInt8
end
#! arrays2(o; reshape(collect(1.0:24.0), 2, 3, 4); [Body((1f0, 2f0), 3.0, 0x04), Body((5f0, 6f0), 7.0, 0x08)]; zeros(Int32, 6))
function arrays2(o, A, bodies, out)
    put(o, 1, A[end])  #: f64(24.0)
    put(o, 2, A[1, end, 2])  #: f64(11.0)
    put(o, 3, sum(A))  #: f64(300.0)
    put(o, 4, maximum(view(A, :, 2, 3)))  #: f64(16.0)
    v = @view A[:, 2, :]
    put(o, 5, size(v, 2) * v[2, 4])  #: f64(4.0 * 22)
    R = reshape(A, 6, 4)
    put(o, 6, R[6, 4] + R[1, 2])  #: f64(31.0)
    s = 0.0
    for I in CartesianIndices(A)
        i, j, k = Tuple(I)
        s += A[I] * (i == j == k)
    end
    put(o, 7, s)  #: f64(1.0 + 10.0)
    L = LinearIndices(A)
    put(o, 8, L[2, 3, 1])  #: i64(6)
    put(o, 9, CartesianIndices(A)[7][3])  #: i64(2)
    δ = CartesianIndex(1, 0, 0)
    put(o, 10, A[CartesianIndex(1, 2, 3) + δ])  #: f64(16.0)
    t = 0
    for i in eachindex(out)
        out[i] = 2i
    end
    for (i, x) in pairs(out)
        t += i * x
    end
    put(o, 11, t)  #: i64(182)
    b = bodies[2]
    put(o, 12, b.pos[1] * b.mass + b.tag)  #: f64(43.0)
    bodies[1] = Body(b.pos .+ 1, bodies[1].mass, 0x01)
    put(o, 13, bodies[1].pos[2])  #: f32(7.0)
    T = ((1, 2), (3f0, (4, 5.0)))
    put(o, 14, T[2][2][2] + T[1][1])  #: f64(6.0)
    put(o, 15, sum(sum, ((1, 2), (3, 4))))  #: i64(10)
    put(o, 16, length(1:2:10) + step(1:2:10) + last(1:2:10))  #: i64(16)
    put(o, 17, 5 in 1:2:9)  #: true
    put(o, 18, sum(out[i] for i in 1:3 if i != 2))  #: i64(8)
    a, b2, rest... = (1, 2, 3, 4)
    put(o, 19, length(rest) + rest[2])  #: i64(6)
    first_ = bodies[1]
    put(o, 20, first_.tag)  #: u8(1)
    out[1], out[2] = out[2], out[1]
    put(o, 21, out[1])  #: i32(4)
    out .= out .* 2 .+ (1:6)
    put(o, 22, out[6])  #: i32(30)
    @. out = clamp(out, 10, 20)
    put(o, 23, out[1])  #: i32(10)
    put(o, 24, count(isodd, out))  #: i64(1)
    put(o, 25, any(==(20), out))  #: true
    put(o, 26, axes(A, 3)[end])  #: i64(4)
    put(o, 27, ndims(A) + length(size(A)))  #: i64(6)
    put(o, 28, checkbounds(Bool, A, 2, 3, 4) & !checkbounds(Bool, A, 3, 1, 1))  #: true
    put(o, 30, sum(Tuple(CartesianIndex(2, 3))))  #: i64(5)
    put(o, 31, first(CartesianIndices((2:3, 4:6)))[2])  #: i64(4)
    W = CartesianIndex(2, 2) - CartesianIndex(1, 1):CartesianIndex(2, 2) + CartesianIndex(1, 1)
    put(o, 32, length(W))  #: i64(9)
    put(o, 33, extrema(out)[2])  #: i32(20)
    put(o, 34, argmax(out) + argmin(out))  #: i64(5)
    put(o, 35, eltype(A) === Float64 && A isa AbstractArray{Float64,3})  #: true
    put(o, 36, sum(A[i, 1, 1] * A[i, 2, 1] for i in axes(A, 1)))  #: f64(1 * 3 + 2 * 4)
    put(o, 37, stride(A, 2) + strides(A)[3])  #: i64(8)
    put(o, 38, mapreduce(abs2, +, v))  #: f64(1612)
    put(o, 39, sum(vec(A)))  #: f64(300.0)
    return
end

# ---- dispatch on values, traits and unions
abstract type Boundary end
struct Periodic <: Boundary end
struct Clamped <: Boundary end
struct Fixed{T} <: Boundary
    value::T
end
at(A, i, ::Periodic) = A[mod1(i, length(A))]
at(A, i, ::Clamped) = A[clamp(i, 1, length(A))]
at(A, i, b::Fixed) = checkbounds(Bool, A, i) ? A[i] : b.value
is_linear(::Type{<:Boundary}) = Val(false)
is_linear(::Type{Periodic}) = Val(true)
cost(b::B) where {B<:Boundary} = cost(is_linear(B), b)
cost(::Val{true}, b) = 1
cost(::Val{false}, b) = 2
tile(A, ::Val{N}, f::F=identity) where {N,F} = ntuple(i -> f(A[i]), Val(N))
const WIDTH = 4
const TABLE = (1.0, 0.5, 0.25)
typename(x::Integer) = 1
typename(x::AbstractFloat) = 2
typename(x::Union{Nothing,Missing}) = 3
typename(x::Tuple{Vararg{Integer}}) = 4
typename(x::Tuple{Any,AbstractFloat}) = 5
typename(x) = 6
maybe(x) = x > 2 ? x : nothing

#! dispatched(o; [1f0, 2f0, 3f0, 4f0]; 3)
function dispatched(o, A, n)
    put(o, 1, at(A, 0, Periodic()))  #: f32(4.0)
    put(o, 2, at(A, 9, Clamped()))  #: f32(4.0)
    put(o, 3, at(A, 9, Fixed(7f0)))  #: f32(7.0)
    put(o, 4, cost(Periodic()) + 10cost(Clamped()))  #: i64(21)
    put(o, 5, sum(tile(A, Val(WIDTH - 1), abs2)))  #: f32(14.0)
    put(o, 6, TABLE[n])  #: f64(0.25)
    put(o, 10, typename(1) + 10typename(1f0) + 100typename(nothing))  #: i64(321)
    put(o, 11, typename((1, 0x02)) + 10typename((1, 2.0)) + 100typename(:a))  #: i64(654)
    s = 0
    for i in 1:5
        x = maybe(i)
        x === nothing && continue
        s += x
    end
    put(o, 12, s)  #: i64(12)
    y = maybe(n)
    put(o, 13, y isa Int ? y + 1 : -1)  #: i64(4)
    put(o, 14, coalesce(missing, 3))  #: i64(3)
    u = n > 2 ? 1 : 2.5
    put(o, 15, u + 1)  #: i64(2)
    put(o, 16, convert(Float32, u))  #: f32(1.0)
    put(o, 17, promote_type(Int32, Float16) === Float16)  #: true
    put(o, 18, typeof(1i32 + 0x01) === Int32)  #: true
    put(o, 19, oneunit(Float32) + one(Int8))  #: f32(2.0)
    put(o, 20, A isa AbstractVector ? length(A) : 0)  #: i64(4)
    f = n == 3 ? sin : cos
    put(o, 21, f(0.0))  #: f64(0.0)
    k = ifelse(n > 2, 1, 2)
    put(o, 22, (sin, cos, tan)[k](0.0))  #: f64(0.0)
    return
end

# ---- enumerations, destructured arrays, types as arguments of dotted calls
@enum Mode copying=1 adding doing_nothing=7
@enum Fruit::UInt8 begin
    apple
    pear = 4
    plum
end
apply(m::Mode, a, b) = m == copying ? a : m == adding ? a + b : zero(a)
module Inner
@enum Kind small large
end
using .Inner
#! enums(o; 3; pear; Mode(2))
function enums(o, n, p, w)
    put(o, 1, apply(adding, 3, 4))  #: i64(7)
    put(o, 2, apply(Mode(7), 3, 4))  #: i64(0)
    put(o, 3, Int(doing_nothing))  #: i64(7)
    put(o, 4, Integer(plum))  #: u8(5)
    put(o, 5, p < plum)  #: true
    put(o, 6, sizeof(Mode))  #: i64(4)
    put(o, 7, length(instances(Fruit)))  #: i64(3)
    put(o, 8, Fruit(n + 1) === pear)  #: true
    put(o, 9, w === adding)  #: true
    put(o, 10, Int32(Inner.large))  #: i32(1)
    return
end
#! no_member(3): status 1: ArgumentError
function no_member(n)
    Mode(n) == adding && return
    return
end
#! various2(o; [1, 2, 3]; 5; 0; (1, 2); zeros(Float32, 4, 3))
function various2(o, A, n, z, t, M)
    a, b = A
    put(o, 1, a + b)  #: i64(3)
    f, = A
    put(o, 2, f)  #: i64(1)
    put(o, 3, rem(-7, 3, RoundDown))  #: i64(2)
    put(o, 4, div(7, 2, RoundUp))  #: i64(4)
    put(o, 5, Base.Checked.checked_add(n, z))  #: i64(5)
    put(o, 6, Base.Checked.mul_with_overflow(typemax(Int32), Int32(2))[2])  #: true
    put(o, 7, Tuple(n)[1])  #: i64(5)
    put(o, 8, checkindex(Bool, 1:3, n))  #: false
    put(o, 9, all(checkindex.(Bool, UnitRange.(1, (3, 4)), (3, 4))))  #: true
    put(o, 10, length(reinterpret(reshape, UInt64, reinterpret(UInt32, reshape(A, 1, 3)))))  #: i64(3)
    put(o, 11, size(reinterpret(reshape, UInt32, A))[1])  #: i64(2)
    put(o, 12, size(reinterpret(UInt16, M))[1])  #: i64(8)
    put(o, 13, A == A && view(A, 1:2) == view(A, 1:2) && view(A, 1:2) != view(A, 2:3))  #: true
    put(o, 14, A == (1:3))  #: true
    return
end
#! short_array([1]): status 1: BoundsError
function short_array(A)
    a, b = A
    A[1] = b
    return
end
#! dotted_types(o; 3)
function dotted_types(o, n)
    put(o, 1, all(checkindex.(Bool, UnitRange.(1, (3, 4)), (3, 4))))  #: true
    put(o, 2, sum(convert.(Float32, (1, n))))  #: f32(4.0)
    put(o, 3, round.(Int, (1.5, 2.5))[1])  #: i64(2)
    put(o, 4, sum(unsafe_trunc.(Int32, (1.5, 2.5))))  #: i64(3)
    put(o, 5, sum(Float32.((1, 2)) .* (n, n)))  #: f32(9.0)
    return
end

# ---- exchanges of elements, structs and dotted calls that hold arrays as arguments
using KernelAbstractions: @atomic, @atomicswap, @atomicreplace
#! swaps(o; Int32[5, 6, 7]; reshape([1.5, 3.5, 2.5, 4.5], 2, 2))
function swaps(o, A, M)
    put(o, 1, @atomicswap A[2] = 9)  #: i32(6)
    put(o, 2, A[2])  #: i32(9)
    r = @atomicreplace A[1] 5 => 8
    put(o, 3, r.success)  #: true
    put(o, 4, r.old)  #: i32(5)
    old, ok = @atomicreplace A[1] 5 => 3
    put(o, 5, ok)  #: false
    put(o, 6, old)  #: i32(8)
    put(o, 7, @atomicswap M[2, 1] = 7)  #: f64(3.5)
    put(o, 8, M[2])  #: f64(7.0)
    return
end
#! adapted(o; Base.broadcasted(+, [1.0, 2.0, 3.0], (10, 20, 30)); Holder([1f0, 2f0], 3))
function adapted(o, b, h)
    put(o, 1, b[Int32(2)])  #: f64(22.0)
    put(o, 2, h.items[2] * h.n)  #: f32(6.0)
    put(o, 3, sum(h))  #: f32(3.0)
    return
end
struct Holder{A<:AbstractVector}
    items::A
    n::Int
end
Base.sum(h::Holder) = sum(h.items)
