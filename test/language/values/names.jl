# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Functions of the base library by their documented values: pairs, reciprocals of trigonometric functions, division by
# rounding modes, fractions near a float, digits, parts of ranges, characters.

takes_dims(d::Dims) = length(d)
takes_dims2(d::Dims{2}) = d[1] * d[2]
function sum_of_pair(p)
    s = 0
    for x in p
        s += x
    end
    return s
end
struct Weight; kg::Float32; n::Int; end

#! pairs1(o; 7; 2.5f0)
function pairs1(o, x, y)
    p = x => y
    put(o, 1, first(p))  #: i64(7)
    put(o, 2, last(p))  #: f32(2.5)
    put(o, 3, p.first + p.second)  #: f32(9.5)
    (a, b) = p
    put(o, 4, b)  #: f32(2.5)
    put(o, 5, sum_of_pair(x => 3))  #: i64(10)
    put(o, 6, sum_of_pair(x => y))  #: f32(9.5)
    put(o, 7, iterate(p, 3) === nothing)  #: true
    put(o, 8, length(p))  #: i64(2)
    put(o, 9, p[2])  #: f32(2.5)
    put(o, 10, p[lastindex(p)])  #: f32(2.5)
    put(o, 11, reverse(p)[1])  #: f32(2.5)
    put(o, 12, (1 => 2) == (1.0 => 2))  #: true
    put(o, 13, isless(1 => 2, 1 => 3))  #: true
    put(o, 14, isless(2 => 0, 1 => 3))  #: false
    put(o, 15, takes_dims((1, 2, 3)))  #: i64(3)
    put(o, 16, takes_dims2((4, 5)))  #: i64(20)
    put(o, 17, (4, 5) isa Dims)  #: true
    put(o, 18, (4, 5.0) isa Dims)  #: false
    r = Ref{Int}()
    r[] = x
    put(o, 19, r[] + 1)  #: i64(8)
    w = Ref{Weight}()
    w[] = Weight(y, x)
    put(o, 20, w[].kg)  #: f32(2.5)
    t = Ref{NTuple{2,Float32}}()
    t[] = (y, 1)
    put(o, 21, t[][1])  #: f32(2.5)
end

#! reciprocals(o; 0.7; 0.7f0; Float16(0.75); 2)
function reciprocals(o, x, f, h, n)
    put(o, 1, sec(x))  #: f64(1 / math.cos(0.7), 2)
    put(o, 2, csc(f))  #: f32(1 / math.sin(0.7), 2)
    put(o, 3, cot(n))  #: f64(1 / math.tan(2), 2)
    put(o, 4, sech(x))  #: f64(1 / math.cosh(0.7), 2)
    put(o, 5, csch(f))  #: f32(1 / math.sinh(0.7), 2)
    put(o, 6, coth(h))  #: f16(1 / math.tanh(0.75), 1)
    put(o, 7, sech(1000.0))  #: f64(0.0)
    put(o, 8, asec(n))  #: f64(math.pi / 3, 2)
    put(o, 9, acsc(n))  #: f64(math.pi / 6, 2)
    put(o, 10, acot(x))  #: f64(math.atan(1 / 0.7), 2)
    put(o, 11, acot(0 * n))  #: f64(math.pi / 2)
    put(o, 12, acot(-0.0 * x))  #: f64(-math.pi / 2)
    put(o, 13, acot(f))  #: f32(math.atan(1 / 0.7), 2)
    put(o, 14, asech(x))  #: f64(math.acosh(1 / 0.7), 4)
    put(o, 15, acsch(x))  #: f64(math.asinh(1 / 0.7), 2)
    put(o, 16, acoth(n))  #: f64(math.atanh(0.5), 2)
    put(o, 17, secd(60))  #: f64(2.0, 1)
    put(o, 18, cotd(45.0))  #: f64(1.0)
    put(o, 19, acotd(1))  #: f64(45.0, 1)
    put(o, 20, fourthroot(81.0))  #: f64(3.0)
    put(o, 21, fourthroot(16f0))  #: f32(2.0)
    put(o, 22, fourthroot(n))  #: f64(2 ** 0.25, 1)
    put(o, 23, ∜(256))  #: f64(4.0)
    put(o, 24, isnan(fourthroot(-x)))  #: true
    put(o, 25, sinc(x))  #: f64(math.sin(0.7 * math.pi) / (0.7 * math.pi), 3)
    put(o, 26, sinc(f))  #: f32(math.sin(0.7 * math.pi) / (0.7 * math.pi), 3)
    put(o, 27, sinc(h))  #: f16(math.sin(0.75 * math.pi) / (0.75 * math.pi), 1)
    put(o, 28, sinc(0))  #: f64(1.0)
    put(o, 29, sinc(-0f0))  #: f32(1.0)
    put(o, 30, sinc(n))  #: f64(0.0)
    put(o, 31, sinc(Inf))  #: f64(0.0)
    put(o, 32, isnan(sinc(NaN)))  #: true
    put(o, 33, sinc(1e-9))  #: f64(1.0)
    put(o, 34, cosc(x))  #: f64(math.cos(0.7 * math.pi) / 0.7 - math.sin(0.7 * math.pi) / (math.pi * 0.49), 6)
    put(o, 35, cosc(0.25))  #: f64(4 * math.cos(math.pi / 4) - 16 * math.sin(math.pi / 4) / math.pi, 8)
    put(o, 36, cosc(1e-3))  #: f64(-math.pi**2 / 3 * 1e-3 + math.pi**4 / 30 * 1e-9 - math.pi**6 / 840 * 1e-15, 2)
    put(o, 37, cosc(0.25f0))  #: f32(4 * math.cos(math.pi / 4) - 16 * math.sin(math.pi / 4) / math.pi, 2)
    put(o, 38, cosc(0))  #: f64(-0.0)
    put(o, 39, cosc(n))  #: f64(0.5)
    put(o, 40, tanpi(0.25))  #: f64(1.0, 1)
    put(o, 41, tanpi(0.5))  #: f64(inf)
    put(o, 42, tanpi(-0.5f0))  #: f32(-inf)
    put(o, 43, tanpi(1.5))  #: f64(-inf)
    put(o, 44, tanpi(n))  #: f64(0.0)
    put(o, 45, tanpi(-0.0))  #: f64(-0.0)
    put(o, 46, tanpi(f))  #: f32(math.tan(math.pi * 0.699999988079071), 3)
    put(o, 47, tanpi(1e6 + 0.125))  #: f64(math.tan(math.pi / 8), 2)
    put(o, 48, tanpi(h))  #: f16(-1.0)
    put(o, 49, maxintfloat())  #: f64(2.0 ** 53)
    put(o, 50, maxintfloat(Float32))  #: f32(2.0 ** 24)
    put(o, 51, maxintfloat(h))  #: f16(2048.0)
    put(o, 52, maxintfloat(Float64, Int32))  #: f64(2147483647.0)
    put(o, 53, maxintfloat(Float32, Int64))  #: f32(2.0 ** 24)
    put(o, 54, CUDA.saturate(1.5f0))  #: f32(1.0)
    put(o, 55, CUDA.saturate(-f))  #: f32(0.0)
    put(o, 56, CUDA.saturate(0.25f0))  #: f32(0.25)
    put(o, 57, CUDA.saturate(NaN32))  #: f32(0.0)
end

# Julia 1.11's documentation of RoundingMode, div and rem: ties of 5/2 and 7/2 both ways, signs, unsigned, floats.
#! division(o; 5; 7; -7; 2)
function division(o, five, seven, minus, two)
    put(o, 1, div(five, two, RoundNearest))  #: i64(2)
    put(o, 2, div(seven, two, RoundNearest))  #: i64(4)
    put(o, 3, div(minus, two, RoundNearest))  #: i64(-4)
    put(o, 4, div(-five, two, RoundNearest))  #: i64(-2)
    put(o, 5, div(five, two, RoundNearestTiesAway))  #: i64(3)
    put(o, 6, div(-five, two, RoundNearestTiesAway))  #: i64(-3)
    put(o, 7, div(five, two, RoundNearestTiesUp))  #: i64(3)
    put(o, 8, div(-five, two, RoundNearestTiesUp))  #: i64(-2)
    put(o, 9, div(minus, two, RoundNearestTiesUp))  #: i64(-3)
    put(o, 10, div(five, two, RoundUp))  #: i64(3)
    put(o, 11, div(-five, two, RoundUp))  #: i64(-2)
    put(o, 12, div(-five, two, RoundDown))  #: i64(-3)
    put(o, 13, div(five, two, RoundFromZero))  #: i64(3)
    put(o, 14, div(-five, two, RoundFromZero))  #: i64(-3)
    put(o, 15, div(-five, two, RoundToZero))  #: i64(-2)
    put(o, 16, div(seven, 5, RoundNearest))  #: i64(1)
    put(o, 17, div(8, five, RoundNearest))  #: i64(2)
    put(o, 18, div(typemax(Int8), Int8(2), RoundNearest))  #: i8(64)
    put(o, 19, div(typemin(Int64), 3, RoundNearest))  #: i64(-3074457345618258603)
    put(o, 20, div(typemax(Int64), typemin(Int64), RoundNearest))  #: i64(-1)
    put(o, 21, div(0xff, 0x02, RoundNearest))  #: u8(128)
    put(o, 22, div(0xfd, 0x02, RoundNearest))  #: u8(126)
    put(o, 23, div(Int32(7), two, RoundNearest))  #: i64(4)
    put(o, 24, rem(five, two, RoundNearest))  #: i64(1)
    put(o, 25, rem(seven, two, RoundNearest))  #: i64(-1)
    put(o, 26, rem(seven, 4, RoundUp))  #: i64(-1)
    put(o, 27, rem(minus, 4, RoundUp))  #: i64(-3)
    put(o, 28, rem(minus, 4, RoundDown))  #: i64(1)
    put(o, 29, rem(minus, 4, RoundFromZero))  #: i64(1)
    put(o, 30, rem(seven, 4, RoundFromZero))  #: i64(-1)
    put(o, 31, divrem(seven, two, RoundNearest)[1] * 10 + divrem(seven, two, RoundNearest)[2])  #: i64(39)
    put(o, 32, rem(5.0, 2.0, RoundNearest))  #: f64(math.remainder(5.0, 2.0))
    put(o, 33, rem(7.0, 2.0, RoundNearest))  #: f64(math.remainder(7.0, 2.0))
    put(o, 34, rem(-3.3, 0.7, RoundNearest))  #: f64(math.remainder(-3.3, 0.7))
    put(o, 35, rem(1e300, 0.7, RoundNearest))  #: f64(math.remainder(1e300, 0.7))
    put(o, 36, rem(1.5e308, 1.7e308, RoundNearest))  #: f64(math.remainder(1.5e308, 1.7e308))
    put(o, 37, rem(1.5e-323, 1e-323, RoundNearest))  #: f64(math.remainder(1.5e-323, 1e-323))
    put(o, 38, rem(-6.0, 3.0, RoundNearest))  #: f64(-0.0)
    put(o, 39, isnan(rem(1.0, 0.0, RoundNearest)))  #: true
    put(o, 40, rem(1.25, Inf, RoundNearest))  #: f64(1.25)
    put(o, 41, rem(5.5f0, 2, RoundNearest))  #: f32(math.remainder(5.5, 2))
    put(o, 42, rem(Float16(7), Float16(2), RoundNearest))  #: f16(-1.0)
    put(o, 43, rem(5.5, 2.0, RoundUp))  #: f64(-0.5)
    put(o, 44, rem(5.5, 2.0, RoundFromZero))  #: f64(-0.5)
    put(o, 45, div(5.5, 2.0, RoundNearest))  #: f64(3.0)
    put(o, 46, div(5.0, 2.0, RoundNearest))  #: f64(2.0)
    put(o, 47, mod(12, 3:7))  #: i64(7)
    put(o, 48, mod(0, 3:7))  #: i64(5)
    put(o, 49, mod(6, Base.OneTo(3)))  #: i64(3)
    put(o, 50, clamp(9, 1:5))  #: i64(5)
    put(o, 51, clamp(-2, 1:5))  #: i64(1)
    put(o, 52, clamp(3, Base.OneTo(5)))  #: i64(3)
end
#! divide_by_zero(o; 0): status 1: DivideError
divide_by_zero(o, z) = (o[1] = div(5, z, RoundNearest); return)

parts_of(r) = 1000numerator(r) + denominator(r)
#! fractions(o; 5.6; 0.25f0)
function fractions(o, x, f)
    put(o, 1, parts_of(rationalize(x)))  #: i64(28005)
    put(o, 2, parts_of(rationalize(0.1)))  #: i64(1010)
    put(o, 3, parts_of(rationalize(-f)))  #: i64(-996)
    put(o, 4, parts_of(rationalize(0.333; tol=0.01)))  #: i64(1003)
    put(o, 5, parts_of(rationalize(3.14159; tol=0.001)))  #: i64(201064)
    put(o, 6, parts_of(rationalize(Float64(pi); tol=0.01)))  #: i64(22007)
    put(o, 7, parts_of(rationalize(Int32, x)))  #: i64(28005)
    put(o, 8, numerator(rationalize(Int32, x)))  #: i32(28)
    put(o, 9, parts_of(rationalize(0.0)))  #: i64(1)
    put(o, 10, parts_of(rationalize(3.0)))  #: i64(3001)
    put(o, 11, parts_of(rationalize(7)))  #: i64(7001)
    put(o, 12, parts_of(rationalize(Float16(0.75))))  #: i64(3004)
    put(o, 13, denominator(rationalize(Inf)))  #: i64(0)
    put(o, 14, parts_of(rationalize(Int8, 0.3333333333)))  #: i64(1003)
end

#! digits1(o; 5; zeros(Int64, 4))
function digits1(o, n, a)
    digits!(a, 1234)
    put(o, 1, a[1])  #: i64(4)
    put(o, 2, a[4])  #: i64(1)
    digits!(a, 98765)
    put(o, 3, a[4])  #: i64(8)
    digits!(a, -n; base=2)
    put(o, 4, a[1])  #: i64(-1)
    put(o, 5, a[2])  #: i64(0)
    put(o, 6, a[4])  #: i64(0)
    digits!(a, 0xff; base=16)
    put(o, 7, a[2] * 16 + a[1])  #: i64(255)
    digits!(a, -6; base=-2)
    put(o, 8, a[1] - 2a[2] + 4a[3] - 8a[4])  #: i64(-6)
    put(o, 9, minimum(a))  #: i64(0)
end
#! digits2(o; 5): status 1: digits!\(A, n\) fills one that is there
digits2(o, n) = (o[1] = digits(n)[1]; return)

#! parts(o; 10; (3, 1, 4, 1); [1.0, 2.0, 3.0, 4.0, 5.0]; zeros(5); zeros(Int64, 2, 3))
function parts(o, n, t, v, w, m)
    put(o, 1, sum(first(1:n, 3)))  #: i64(6)
    put(o, 2, length(first(1:n, 30)))  #: i64(10)
    put(o, 3, length(first(1:n, 0)))  #: i64(0)
    put(o, 4, first(last(1:n, 3)))  #: i64(8)
    put(o, 5, last(first(1:2:n, 2)))  #: i64(3)
    put(o, 6, first(last(n:-3:1, 2)))  #: i64(4)
    put(o, 7, last(first(0.0:0.25:2.0, 3)))  #: f64(0.5)
    put(o, 8, first(last(0.0:0.25:2.0, 2)))  #: f64(1.75)
    put(o, 9, last(first(Base.OneTo(n), 4)))  #: i64(4)
    put(o, 10, (0.0:0.1:1.0)[3:4][2])  #: f64(0.3)
    put(o, 11, LinRange(0, 1, 5)[2:3][2])  #: f64(0.5)
    put(o, 12, circshift(t, 1)[1])  #: i64(1)
    put(o, 13, circshift(t, 1)[2])  #: i64(3)
    put(o, 14, circshift(t, -1)[1])  #: i64(1)
    put(o, 15, circshift(t, -1)[4])  #: i64(3)
    put(o, 16, circshift(t, 7)[1])  #: i64(1)
    put(o, 17, circshift(t, 7)[4])  #: i64(3)
    put(o, 18, length(circshift((), 1)))  #: i64(0)
    circshift!(w, v, 2)
    put(o, 19, w[1])  #: f64(4.0)
    put(o, 20, w[3])  #: f64(1.0)
    circshift!(w, -1)
    put(o, 21, w[1])  #: f64(5.0)
    put(o, 22, w[5])  #: f64(4.0)
    k = MMatrix{2,3,Int}(1, 2, 3, 4, 5, 6)
    circshift!(m, k, (1, 1))
    put(o, 23, m[1, 1])  #: i64(6)
    put(o, 24, m[2, 2])  #: i64(1)
    circshift!(m, k, (0, -1))
    put(o, 25, m[1, 1])  #: i64(3)
    put(o, 26, allunique(t))  #: false
    put(o, 27, allunique((3, 1, 4, 1.5)))  #: true
    put(o, 28, allunique(()))  #: true
    put(o, 29, allunique((NaN, NaN)))  #: false
    put(o, 30, allunique((0.0, -0.0)))  #: true
    put(o, 31, allunique(v))  #: true
    put(o, 32, allunique(1:n))  #: true
    put(o, 33, allunique(x % 3 for x in 1:3))  #: true
    put(o, 34, allunique(x % 3 for x in 1:4))  #: false
    put(o, 35, reverse((1, 2f0, 3, 4, 5, 6, 7, 8, 9, 10.5))[9])  #: f32(2.0)
    put(o, 36, reverse((1, 2f0, 3, 4, 5, 6, 7, 8, 9, 10.5))[1])  #: f64(10.5)
    put(o, 37, allequal(v))  #: false
    put(o, 38, allequal(x ÷ 5 for x in 5:9))  #: true
    put(o, 39, allequal(()))  #: true
end
#! negative_count(o; -1): status 1: ArgumentError
negative_count(o, n) = (o[1] = length(first(1:5, n)); return)
#! first_of_array(o; [1.0, 2.0]): status 1: makes an array, for which a kernel has no memory
first_of_array(o, v) = (o[1] = sum(first(v, 1)); return)
