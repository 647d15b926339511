# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Single values at which the library went wrong, by Julia's manual and docstrings; the tables (table_*.jl) go through whole types.

#! lengths(o)
function lengths(o)
    put(o, 1, length(Int8(-100):Int8(100)))  #: i64(201)
    put(o, 2, length(0x00:0xff))  #: i64(256)
    put(o, 3, sum(0x00:0xff))  #: i64(32640)
    put(o, 4, sum(Int8(-100):Int8(101)))  #: i64(101)
    put(o, 5, length(Int8(-128):Int8(3):Int8(127)))  #: i64(86)
    put(o, 6, last(Int8(-128):Int8(3):Int8(127)))  #: i8(127)
    put(o, 7, length(UInt64(3):UInt64(5)))  #: u64(3)
    put(o, 8, length(Int32(3):Int32(5)))  #: i64(3)
    put(o, 9, last(5:2:1))  #: i64(4)
    put(o, 10, (0x00:0xff)[256])  #: u8(255)
    put(o, 11, (typemin(Int):typemax(Int))[1] == typemin(Int))  #: true
    put(o, 12, Int8(100) in Int8(-100):Int8(3):Int8(127))  #: false
    put(o, 13, length(1.0:3.5))  #: i64(3)
    put(o, 14, length(range(0x00, length=256)))  #: i64(256)
    put(o, 15, length(1//2:7//2))  #: i64(4)
    put(o, 16, 4.0 in 0:2:10)  #: true
    put(o, 17, 4.5 in 0:2:10)  #: false
    return
end

#! empty_maximum(o; 0): status 1: ArgumentError
empty_maximum(o, n) = (o[1] = maximum(1:n); return)
#! past_the_end(o; 257): status 1: BoundsError
past_the_end(o, n) = (o[1] = (0x00:0xff)[n]; return)
#! no_step(o; 0): status 1: ArgumentError
no_step(o, n) = (o[1] = length((1:3) * n); return)

#! extremes(o; NaN; 0.0)
function extremes(o, nan, zero)
    t = (1.0, nan, 3.0)
    z = (-zero, zero, -zero, zero)
    put(o, 1, findmax(t)[2])  #: i64(2)
    put(o, 2, findmin(t)[2])  #: i64(2)
    put(o, 3, argmax(t))  #: i64(2)
    put(o, 4, argmin(t))  #: i64(2)
    put(o, 5, findmax(t)[1])  #: f64(nan)
    put(o, 6, argmax(z))  #: i64(2)
    put(o, 7, argmin(z[2:4]))  #: i64(2)
    put(o, 8, findmin(z)[1])  #: f64(-0.0)
    put(o, 9, findmax(abs, (-3, 2, 3))[2])  #: i64(1)
    put(o, 10, argmax(abs, (-3, 2, 3)))  #: i64(-3)
    put(o, 11, argmin(x -> x * x, -2:3))  #: i64(0)
    put(o, 12, argmin((3, 1, 1)))  #: i64(2)
    put(o, 13, maximum(t))  #: f64(nan)
    put(o, 14, minimum(z))  #: f64(-0.0)
    put(o, 15, findmax(Int8(3):Int8(9))[2])  #: i64(7)
    return
end

#! rationals(o; 1; 3)
function rationals(o, a, b)
    x = a // b
    put(o, 1, x == 1 / 3)  #: false
    put(o, 2, x > 1 / 3)  #: true
    put(o, 3, x < 0.5)  #: true
    put(o, 4, a // 2a == 0.5)  #: true
    put(o, 5, round(5a // 2) === 2 // 1)  #: true
    put(o, 6, round(Int, 7a // 2))  #: i64(4)
    put(o, 7, round(5a // 2, RoundNearestTiesAway) === 3 // 1)  #: true
    put(o, 8, round(-5a // 2, RoundNearestTiesUp) === -2 // 1)  #: true
    put(o, 9, floor(-x) === -1 // 1)  #: true
    put(o, 10, mod(7a // 2, 3 // 4) === 1 // 2)  #: true
    put(o, 11, div(7a // 2, 3 // 4))  #: i64(4)
    put(o, 12, a // 0 === 1 // 0)  #: true
    put(o, 13, -a // 0 == -Inf)  #: true
    put(o, 14, (typemax(Int) - 1) * a // typemax(Int) < 1)  #: true
    put(o, 15, x * (3a // 1) == 1)  #: true
    put(o, 16, max(x, 1 // 2) === 1 // 2)  #: true
    return
end
#! rational_sum(o; 9223372036854775807): status 1: OverflowError
rational_sum(o, n) = (o[1] = numerator(n // 2 + n // 3); return)
#! rational_product(o; 4294967296): status 1: OverflowError
rational_product(o, n) = (o[1] = numerator((n // 3) * (n // 5)); return)
#! rational_nothing(o; 0): status 1: ArgumentError
rational_nothing(o, n) = (o[1] = numerator(n // n); return)
#! rational_negated(o; 0x01): status 1: OverflowError
rational_negated(o, n) = (o[1] = numerator(-(n // 0x02)); return)

#! irrationals(o; 2.0)
function irrationals(o, x)
    put(o, 1, sin(π))  #: f64(0.0)
    put(o, 2, tan(π))  #: f64(0.0)
    put(o, 3, cos(π))  #: f64(-1.0)
    put(o, 4, π == Float64(π))  #: false
    put(o, 5, π > Float64(π))  #: true
    put(o, 6, Base.MathConstants.golden < Float64(Base.MathConstants.golden))  #: true
    put(o, 7, imag(im * π))  #: f64(pi)
    put(o, 8, real(im * π))  #: f64(0.0)
    put(o, 9, π * true)  #: f64(pi)
    put(o, 10, false * π)  #: f64(0.0)
    put(o, 11, 22 // 7 > π)  #: true
    put(o, 12, π * 1 // 2)  #: f64(pi / 2)
    put(o, 13, sinpi(1))  #: f64(0.0)
    put(o, 14, log(ℯ))  #: i64(1)
    put(o, 15, ℯ^π)  #: f64(exp(pi), ulps=1)
    put(o, 16, sign(π))  #: f64(1.0)
    put(o, 17, max(π, x))  #: f64(pi)
    put(o, 18, imag(exp(im * π)))  #: f64(sin(pi), ulps=1)
    put(o, 19, Float32(π) > π)  #: true
    return
end

#! types(o; 1)
function types(o, n)
    put(o, 1, Array{Int,2} <: AbstractArray{Int,2})  #: true
    put(o, 2, Array{Int,1} <: DenseVector{Int})  #: true
    put(o, 3, Array <: DenseArray)  #: true
    put(o, 4, CuDeviceArray{Float32,2,1} <: DenseArray{Float32,2})  #: true
    put(o, 5, Array{Int,2} <: AbstractVector)  #: false
    put(o, 6, Tuple{2} <: Tuple)  #: true
    put(o, 7, Tuple{2} <: Tuple{3})  #: false
    put(o, 8, supertype(Array{Int8,1}) === DenseArray{Int8,1})  #: true
    return
end

#! compared(o; 1)
function compared(o, n)
    put(o, 1, Int32(16777217n) == 1.6777216f7)  #: false
    put(o, 2, Int32(16777217n) > 1.6777216f7)  #: true
    put(o, 3, 100000n < typemax(Float16))  #: true
    put(o, 4, Int16(2049n) == Float16(2048))  #: false
    put(o, 5, isless(9007199254740992.0, 9007199254740993n))  #: true
    put(o, 6, isless(-0.0, 0n))  #: true
    put(o, 7, isequal(0n, -0.0))  #: false
    put(o, 8, isless(1n, NaN))  #: true
    put(o, 9, mod(Int8(100n), 0xc8))  #: u8(100)
    return
end
