# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tuples, named tuples, destructuring, splats, varargs, reductions over tuples.

swap(a, b) = (b, a)
sum_all() = 0
sum_all(x, rest...) = x + sum_all(rest...)
count_args(x...) = length(x)
first_of((a, b)) = a
diff_of((a, b), c) = a - b + c
function with_default(a, b=2a, c=b + 1)
    return 100a + 10b + c
end
typed_rest(x::Int...) = 1
typed_rest(x...) = 2
pack(n, xs...) = (n, xs)
three() = (1, 2f0, 0x3)
pair_sum(t::NTuple{2,T}) where {T} = t[1] + t[2]
len(::NTuple{N,Any}) where {N} = N

#! tuples(o; 5; 2f0; Int32(3); (4, 5.5, 0x06))
function tuples(o, n, f, k, t)
    put(o, 1, (n, f)[1])  #: i64(5)
    put(o, 2, (n, f)[2])  #: f32(2)
    put(o, 3, t[3])  #: u8(6)
    put(o, 4, t[end])  #: u8(6)
    put(o, 5, length(t))  #: i64(3)
    put(o, 6, first(t))  #: i64(4)
    put(o, 7, last(t))  #: u8(6)
    x, y = swap(n, f)
    put(o, 8, x)  #: f32(2)
    put(o, 9, y)  #: i64(5)
    (p, q, r) = three()
    put(o, 10, q + r)  #: f32(5)
    p, q = q, p
    put(o, 11, q)  #: i64(1)
    _, second = t
    put(o, 12, second)  #: f64(5.5)
    a, (b, c) = 1, (2, 3)
    put(o, 13, 100a + 10b + c)  #: i64(123)
    head, tail... = t
    put(o, 14, length(tail))  #: i64(2)
    put(o, 15, tail[1])  #: f64(5.5)
    put(o, 16, Base.tail(t)[1])  #: f64(5.5)
    put(o, 17, Base.front((1, 2, 3))[2])  #: i64(2)
    put(o, 18, first_of((7, 8)))  #: i64(7)
    put(o, 19, diff_of((7, 8), 3))  #: i64(2)
    put(o, 20, sum_all(1, 2, 3, n))  #: i64(11)
    put(o, 21, sum_all(t...))  #: f64(15.5)
    put(o, 22, sum_all(1, t..., 2))  #: f64(18.5)
    put(o, 23, +(1, 2, 3, 4, 5, n))  #: i64(20)
    put(o, 24, max((3, 9, 4)...))  #: i64(9)
    put(o, 25, count_args())  #: i64(0)
    put(o, 26, count_args(t, t...))  #: i64(4)
    put(o, 27, pack(n, f, k)[2][2])  #: i32(3)
    put(o, 28, typed_rest(1, 2))  #: i64(1)
    put(o, 29, typed_rest(1, f))  #: i64(2)
    put(o, 30, with_default(1))  #: i64(123)
    put(o, 31, with_default(1, 5))  #: i64(156)
    put(o, 32, with_default(1, 5, 9))  #: i64(159)
    put(o, 33, pair_sum((f, f)))  #: f32(4)
    put(o, 34, len((1, 2f0, nothing)))  #: i64(3)
    put(o, 35, ntuple(i -> i^2, 4)[3])  #: i64(9)
    put(o, 36, ntuple(i -> i * f, Val(3))[2])  #: f32(4)
    put(o, 37, sum(ntuple(identity, Val(20))))  #: i64(210)
    put(o, 38, map(x -> 2x, (1, f))[2])  #: f32(4)
    put(o, 39, map(+, (1, 2), (10, 20))[2])  #: i64(22)
    put(o, 40, sum((1, 2, 3)))  #: i64(6)
    put(o, 41, sum((0x80, 0x80)))  #: u64(256)
    put(o, 42, sum((k, k)))  #: i64(6)
    put(o, 43, sum((f, n)))  #: f32(7)
    put(o, 44, sum(abs2, (1, 2, 3)))  #: i64(14)
    put(o, 45, prod((2, 3, 7)))  #: i64(42)
    put(o, 46, prod((n, f)))  #: f32(10)
    put(o, 47, maximum((1, 7, 3)))  #: i64(7)
    put(o, 48, minimum((4.5, f)) isa Float64)  #: true
    put(o, 49, any(x -> x > 2, (1, 2, 3)))  #: true
    put(o, 50, all(x -> x > 2, (1, 2, 3)))  #: false
    put(o, 51, all((true, true)))  #: true
    put(o, 52, any(iszero, (1, 0)))  #: true
    put(o, 53, reduce(*, (1, 2, 3, 4)))  #: i64(24)
    put(o, 54, foldl(-, (10, 2, 3)))  #: i64(5)
    put(o, 55, foldr(-, (10, 2, 3)))  #: i64(11)
    put(o, 56, mapreduce(x -> x + 1, *, (1, 2, 3)))  #: i64(24)
    put(o, 57, reverse((1, 2, 3))[1])  #: i64(3)
    put(o, 58, n in (1, 5, 7))  #: true
    put(o, 59, (1, 2) == (1, 2))  #: true
    put(o, 60, (1, 2.0) == (1.0, 2))  #: true
    put(o, 61, (1, 2) === (1, 2.0))  #: false
    put(o, 62, (1, 2) < (1, 3))  #: true
    put(o, 63, (1, 2, 3)[n - 3])  #: i64(2)
    put(o, 64, (1, 2, 3)[2:3][1])  #: i64(2)
    put(o, 65, typeof(t) === Tuple{Int,Float64,UInt8})  #: true
    put(o, 66, t isa Tuple{Integer,Real,Unsigned})  #: true
    put(o, 67, eltype((1, 2)) === Int)  #: true
    put(o, 68, (t..., 7)[4])  #: i64(7)
    put(o, 69, ((1, 2), (3, (4, n)))[2][2][2])  #: i64(5)
    put(o, 70, isempty(()))  #: true
    put(o, 71, Base.setindex((1, 2, 3), 9, 2)[2])  #: i64(9)
    put(o, 72, tuple(n, f)[1])  #: i64(5)
    put(o, 73, (x -> x + 1)(n))  #: i64(6)
    # Reductions count and add in Int, of one element too.
    put(o, 74, count(isodd, (k,)))  #: i64(1)
    put(o, 75, count(isodd, (n, n)))  #: i64(2)
    put(o, 76, count(isodd, ()))  #: i64(0)
    put(o, 77, sum((0x80,)))  #: u64(128)
    put(o, 78, sum(x -> Int8(x), (n,)))  #: i64(5)
    put(o, 79, prod((Int16(7),)))  #: i64(7)
    put(o, 80, sum((n < 9,)))  #: i64(1)
    return
end

#! named(o; 5; (x = 1f0, n = 7))
function named(o, n, given)
    t = (a = n, b = 2f0)
    put(o, 1, t.a)  #: i64(5)
    put(o, 2, t.b)  #: f32(2)
    put(o, 3, t[1])  #: i64(5)
    put(o, 4, t[:b])  #: f32(2)
    put(o, 5, length(t))  #: i64(2)
    put(o, 6, given.x)  #: f32(1)
    put(o, 7, given.n)  #: i64(7)
    put(o, 8, keys(t)[2] === :b)  #: true
    put(o, 9, values(t)[1])  #: i64(5)
    x = 4
    u = (; x, y = 2)
    put(o, 10, u.x * u.y)  #: i64(8)
    (; y) = u
    put(o, 11, y)  #: i64(2)
    a, b = t
    put(o, 12, a + b)  #: f32(7)
    put(o, 13, merge(t, (a = 1, c = 3)).a)  #: i64(1)
    put(o, 14, merge(t, (a = 1, c = 3)).c)  #: i64(3)
    put(o, 15, (; t..., c = 9).c)  #: i64(9)
    put(o, 16, haskey(t, :a))  #: true
    put(o, 17, haskey(t, :z))  #: false
    put(o, 18, NamedTuple{(:p, :q)}((1, 2)).q)  #: i64(2)
    i = threadIdx()
    put(o, 19, i.x)  #: i32(1)
    put(o, 20, blockDim().y)  #: i32(1)
    tx, ty, tz = threadIdx()
    put(o, 21, tx + ty + tz)  #: i32(3)
    put(o, 22, (blockIdx().x - 1) * blockDim().x + threadIdx().x)  #: i64(1)
    put(o, 23, (blockIdx().x - 1i32) * blockDim().x + threadIdx().x)  #: i32(1)
    put(o, 24, (blockIdx().x - Int32(1)) * blockDim().x + threadIdx().x)  #: i32(1)
    put(o, 25, gridDim().x)  #: i32(1)
    return
end
