# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Dispatch, Val, static parameters, structs, functions as values, closures, definitions made by @eval and macros.

kind(x) = 0
kind(x::Integer) = 1
kind(x::Int32) = 2
kind(x::AbstractFloat) = 3
kind(x::Float32) = 4
kind(x::Tuple) = 5
kind(x::Tuple{Int,Vararg{Int}}) = 6
kind(::Type{Float32}) = 7
kind(::Type{<:Integer}) = 8
kind(::Val{1}) = 9
kind(::Val{:sym}) = 10
kind(::Val{N}) where {N} = 11
kind(::Nothing) = 12
kind(f::Function) = 13
kind(x::Union{Int8,UInt8}) = 14
kind(x, y) = 20
kind(x::T, y::T) where {T} = 21
kind(x::T, y::T) where {T<:AbstractFloat} = 22
kind(x::Number, y::Tuple) = 23
kind(x::AbstractArray{T,1}) where {T} = 30
kind(x::AbstractArray{T,2}) where {T<:Integer} = 31
kind(x::AbstractMatrix) = 32

unroll(::Val{N}, x) where {N} = N <= 0 ? zero(x) : x + unroll(Val(N - 1), x)
width_of(::Type{T}) where {T} = 8 * sizeof(T)
zero_like(::Type{T}, n::Int) where {T<:Real} = T(n)
const_branch(::Val{true}) = 1f0
const_branch(::Val{false}) = 2
chosen(::Val{flag}, x) where {flag} = flag ? x : -x
named_val(::Val{S}) where {S} = S === :fast ? 1 : 2
apply(f, x...) = f(x...)
apply_twice(f::F, x) where {F} = f(f(x))
compose(f, g) = x -> f(g(x))
function fib(n)
    n < 2 ? n : fib(n - 1) + fib(n - 2)
end
is_even(n) = n == 0 ? true : is_odd(n - 1)
is_odd(n) = n == 0 ? false : is_even(n - 1)
returns_float(x)::Float64 = x + 1
scaled(x; by=2, plus=0) = x * by + plus
required(x; y) = x - y
collect_keywords(; kw...) = length(kw)
times(x, y=3; z=y) = x * y + z
const alias = kind
unused(::Int, ::Float32, _) = 1

for (name, op) in ((:add_, :+), (:mul_, :*))
    @eval $name(a, b) = $op(a, b)
end
for T in (Int8, Int16)
    @eval size_name(::Type{$T}) = $(sizeof(T))
end
for n in 1:3
    @eval $(Symbol(:times, n))(x) = $n * x
end
for (i, T) in enumerate((Float32, Float64))
    @eval float_number(::Type{$T}) = $i
end
macro twice(x)
    esc(:(2 * $x))
end
macro power_sum(a, b)
    :($(esc(a))^2 + $(esc(b))^2)
end
macro unrolled(n, x)
    body = :(0)
    for i in 1:n
        body = :($body + $(esc(x)))
    end
    return body
end

#! dispatch(o; 5; Int32(3); 2f0; 1.5; Val(3); zeros(Int, 4); zeros(Float32, 2, 2))
function dispatch(o, n, k, f, d, v, vec, mat)
    put(o, 1, kind(n))  #: i64(1)
    put(o, 2, kind(k))  #: i64(2)
    put(o, 3, kind(d))  #: i64(3)
    put(o, 4, kind(f))  #: i64(4)
    put(o, 5, kind((f,)))  #: i64(5)
    put(o, 6, kind((n, n)))  #: i64(6)
    put(o, 7, kind(()))  #: i64(5)
    put(o, 8, kind(Float32))  #: i64(7)
    put(o, 9, kind(UInt16))  #: i64(8)
    put(o, 10, kind(Val(1)))  #: i64(9)
    put(o, 11, kind(Val(:sym)))  #: i64(10)
    put(o, 12, kind(v))  #: i64(11)
    put(o, 13, kind(nothing))  #: i64(12)
    put(o, 14, kind(+))  #: i64(13)
    put(o, 15, kind(x -> x))  #: i64(13)
    put(o, 16, kind(0x01))  #: i64(14)
    put(o, 17, kind(true))  #: i64(1)
    put(o, 18, kind("text"))  #: i64(0)
    put(o, 19, kind(n, f))  #: i64(20)
    put(o, 20, kind(n, n))  #: i64(21)
    put(o, 21, kind(f, f))  #: i64(22)
    put(o, 22, kind(f, (f,)))  #: i64(23)
    put(o, 23, kind(vec))  #: i64(30)
    put(o, 24, kind(mat))  #: i64(32)
    put(o, 25, kind(o))  #: i64(31)
    put(o, 26, alias(f))  #: i64(4)
    put(o, 27, unroll(v, f))  #: f32(6)
    put(o, 28, unroll(Val(10), n))  #: i64(50)
    put(o, 29, width_of(UInt16))  #: i64(16)
    put(o, 30, width_of(typeof(f)))  #: i64(32)
    put(o, 31, zero_like(Float32, 3))  #: f32(3)
    put(o, 32, const_branch(Val(true)))  #: f32(1)
    put(o, 33, const_branch(Val(false)))  #: i64(2)
    put(o, 34, chosen(Val(false), n))  #: i64(-5)
    put(o, 35, named_val(Val(:fast)))  #: i64(1)
    put(o, 36, named_val(Val(:slow)))  #: i64(2)
    put(o, 37, apply(+, n, 1))  #: i64(6)
    put(o, 38, apply(max, n, f, d))  #: f64(5)
    put(o, 39, apply(Float32, n))  #: f32(5)
    put(o, 40, apply_twice(x -> 3x, n))  #: i64(45)
    put(o, 41, compose(abs, -)(n))  #: i64(5)
    put(o, 42, (sqrt ∘ abs)(-4.0))  #: f64(2)
    put(o, 43, fib(15))  #: i64(610)
    put(o, 44, fib(n))  #: i64(5)
    put(o, 45, is_even(n))  #: false
    put(o, 46, returns_float(n))  #: f64(6)
    put(o, 47, scaled(n))  #: i64(10)
    put(o, 48, scaled(n; by=3))  #: i64(15)
    put(o, 49, scaled(n, plus=f, by=k))  #: f32(17)
    put(o, 50, required(n; y=1))  #: i64(4)
    put(o, 51, collect_keywords(a=1, b=2))  #: i64(2)
    put(o, 52, times(2))  #: i64(9)
    put(o, 53, times(2, 5))  #: i64(15)
    put(o, 54, times(2, 5; z=1))  #: i64(11)
    put(o, 55, unused(1, f, nothing))  #: i64(1)
    put(o, 56, add_(n, f))  #: f32(7)
    put(o, 57, mul_(n, n))  #: i64(25)
    put(o, 58, size_name(Int16))  #: i64(2)
    put(o, 59, times3(n))  #: i64(15)
    put(o, 60, float_number(Float64))  #: i64(2)
    put(o, 61, @twice(n + 1))  #: i64(12)
    put(o, 62, @power_sum(n, f))  #: f32(29)
    put(o, 63, @unrolled(4, n))  #: i64(20)
    put(o, 64, Base.add_sum(n, 1))  #: i64(6)
    put(o, 65, invoke(kind, Tuple{Integer}, k))  #: i64(1)
    put(o, 66, f |> abs)  #: f32(2)
    put(o, 67, @fastmath f * 3f0 + 1f0)  #: f32(7)
    put(o, 68, @fastmath sqrt(f + 2))  #: f32(2)
    put(o, 69, @fastmath(f / 4) isa Float32)  #: true
    return
end

#! closures(o; 5; 2f0)
function closures(o, n, f)
    add_n(x) = x + n
    put(o, 1, add_n(1))  #: i64(6)
    g = x -> x * f
    put(o, 2, g(3))  #: f32(6)
    put(o, 3, map(x -> x + n, (1, 2))[2])  #: i64(7)
    t = ntuple(3) do i
        i * n
    end
    put(o, 4, t[3])  #: i64(15)
    inner(x, y=n) = x * y
    put(o, 5, inner(2))  #: i64(10)
    put(o, 6, inner(2, f))  #: f32(4)
    recursive(k) = k == 0 ? 0 : k + recursive(k - 1)
    put(o, 7, recursive(4))  #: i64(10)
    h = let m = n + 1
        x -> x + m
    end
    put(o, 8, h(1))  #: i64(7)
    put(o, 9, sum(i -> i * n, 1:3))  #: i64(30)
    k = (a, b) -> a - b
    put(o, 10, k(n, 1))  #: i64(4)
    put(o, 11, (((a, b),) -> a + b)((n, f)))  #: f32(7)
    put(o, 12, Base.Fix1(-, n)(1))  #: i64(4)
    put(o, 13, (==(5))(n))  #: true
    put(o, 14, (!iszero)(n))  #: true
    nested = x -> y -> x + y + n
    put(o, 15, nested(1)(f))  #: f32(8)
    multi(x::Int) = 1
    multi(x::Float32) = 2
    put(o, 16, multi(f))  #: i64(2)
    return
end

struct Point{T}
    x::T
    y::T
end
struct Particle
    position::Point{Float32}
    mass::Float64
    alive::Bool
end
struct Range2
    lo::Int
    hi::Int
    Range2(a, b) = a < b ? new(a, b) : new(b, a)
end
struct Scale{T,N}
    factor::T
    Scale{N}(f::T) where {T,N} = new{T,N}(f)
end
struct Empty end
struct Adder{T} <: Function
    n::T
end
(a::Adder)(x) = x + a.n
Base.:+(a::Point, b::Point) = Point(a.x + b.x, a.y + b.y)
Base.zero(::Type{Point{T}}) where {T} = Point(zero(T), zero(T))
norm2(p::Point) = p.x^2 + p.y^2
power(::Scale{T,N}) where {T,N} = N
@kwdef struct Options
    a::Int = 1
    b::Float32 = 2
end
const origin = Point(0, 0)
abstract type Shape end
struct Circle <: Shape
    r::Float32
end
struct Square <: Shape
    a::Float32
end
area(s::Circle) = 3 * s.r^2
area(s::Square) = s.a^2
total(shapes...) = sum(map(area, shapes))

#! structs(o; 5; 2f0; Point(1f0, 2f0); Range2(9, 4))
function structs(o, n, f, given, range)
    p = Point(1, 2)
    put(o, 1, p.x + p.y)  #: i64(3)
    put(o, 2, Point(f, f).y)  #: f32(2)
    put(o, 3, Point{Float64}(1, 2).x)  #: f64(1)
    put(o, 4, given.y)  #: f32(2)
    put(o, 5, range.lo)  #: i64(4)
    put(o, 6, range.hi)  #: i64(9)
    put(o, 7, Range2(n, 1).lo)  #: i64(1)
    put(o, 8, norm2(p))  #: i64(5)
    put(o, 9, (given + Point(1, 1)).x)  #: f32(2)
    put(o, 10, zero(Point{Float32}).x)  #: f32(0)
    q = Particle(Point(1f0, 2f0), 3, true)
    put(o, 11, q.position.y)  #: f32(2)
    put(o, 12, q.mass)  #: f64(3)
    put(o, 13, q.alive)  #: true
    put(o, 14, sizeof(Particle))  #: i64(24)
    put(o, 15, sizeof(Point{Int8}))  #: i64(2)
    put(o, 16, power(Scale{3}(f)))  #: i64(3)
    put(o, 17, Scale{3}(f).factor)  #: f32(2)
    put(o, 18, Empty() === Empty())  #: true
    put(o, 19, Adder(n)(f))  #: f32(7)
    put(o, 20, sum(map(Adder(1), (1, 2))))  #: i64(5)
    put(o, 21, Options(b=3).b)  #: f32(3)
    put(o, 22, Options().a)  #: i64(1)
    put(o, 23, origin.x)  #: i64(0)
    put(o, 24, total(Circle(1), Square(f)))  #: f32(7)
    put(o, 25, Circle(1) isa Shape)  #: true
    put(o, 26, p === Point(1, 2))  #: true
    put(o, 27, p == Point(1, 3))  #: false
    put(o, 28, typeof(given) === Point{Float32})  #: true
    put(o, 29, getfield(p, :y))  #: i64(2)
    put(o, 30, fieldnames_count(p))  #: i64(2)
    (; x, y) = p
    put(o, 31, 10x + y)  #: i64(12)
    z = Complex(1f0, 2f0)
    put(o, 32, real(z * z))  #: f32(-3)
    put(o, 33, imag(z * z))  #: f32(4)
    put(o, 34, abs2(z))  #: f32(5)
    put(o, 35, abs(3.0 + 4.0im))  #: f64(5)
    put(o, 36, imag(conj(z)))  #: f32(-2)
    put(o, 37, real(z + 1))  #: f32(2)
    put(o, 38, imag(2im * z))  #: f32(2)
    put(o, 39, real(z / z))  #: f32(1, 1)
    put(o, 40, imag(z^2))  #: f32(4)
    put(o, 41, real(exp(1im * π)))  #: f64(-1)
    put(o, 42, real(ComplexF32(1, 2)))  #: f32(1)
    put(o, 43, imag(cis(0.0)))  #: f64(0)
    put(o, 44, z == 1 + 2im)  #: true
    return
end
fieldnames_count(x) = fieldcount(typeof(x))
