# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Literals, coefficients, constants, powers, conversions.

using CUDA: i32
const answer = 42
const rate = 0.5f0
const table = (3, 1, 4, 1, 5)

#! literals(o; 0; 0f0)
function literals(o, z, f)
    put(o, 1, 1)  #: i64(1)
    put(o, 2, 1_000_000)  #: i64(1000000)
    put(o, 3, 9223372036854775807)  #: i64(2**63-1)
    put(o, 4, 1.0)  #: f64(1)
    put(o, 5, 1f0)  #: f32(1)
    put(o, 6, 1.5f-3)  #: f32(1.5e-3)
    put(o, 7, 9.05f-6)  #: f32(9.05e-6)
    put(o, 8, 1e-6)  #: f64(1e-6)
    put(o, 9, 1e3)  #: f64(1000)
    put(o, 10, .5)  #: f64(0.5)
    put(o, 11, 2.)  #: f64(2)
    put(o, 12, 0x1)  #: u8(1)
    put(o, 13, 0xff)  #: u8(255)
    put(o, 14, 0x001)  #: u16(1)
    put(o, 15, 0x0001)  #: u16(1)
    put(o, 16, 0x00001)  #: u32(1)
    put(o, 17, 0xffffffff)  #: u32(2**32-1)
    put(o, 18, 0x100000000)  #: u64(2**32)
    put(o, 19, 0x0000000000000001)  #: u64(1)
    put(o, 20, 0b1010)  #: u8(10)
    put(o, 21, 0b000000001)  #: u16(1)
    put(o, 22, 0o17)  #: u8(15)
    put(o, 23, -0x1)  #: u8(255)
    put(o, 24, true)  #: true
    put(o, 25, nothing)  #: nothing
    put(o, 26, Inf)  #: f64(inf)
    put(o, 27, -Inf32)  #: f32(-inf)
    put(o, 28, NaN32)  #: f32(nan)
    put(o, 29, NaN)  #: f64(nan)
    put(o, 30, -0.0)  #: f64(-0.0)
    put(o, 31, Inf16)  #: f16(inf)
    put(o, 32, 1i32)  #: i32(1)
    put(o, 33, 7i32 + 1i32)  #: i32(8)
    put(o, 34, 1i32 + z)  #: i64(1)
    put(o, 35, 512CUDA.u16)  #: u16(512)
    put(o, 36, answer)  #: i64(42)
    put(o, 37, rate)  #: f32(0.5)
    put(o, 38, table[3])  #: i64(4)
    put(o, 39, length(table))  #: i64(5)
    put(o, 40, 'a' === 'a')  #: true
    put(o, 41, Int('a'))  #: i64(97)
    put(o, 42, typemax(Int32))  #: i32(2**31-1)
    put(o, 43, typemin(Int64))  #: i64(-2**63)
    put(o, 44, typemax(Float32))  #: f32(inf)
    put(o, 45, typemin(Float64))  #: f64(-inf)
    put(o, 46, typemax(UInt8))  #: u8(255)
    put(o, 47, floatmax(Float32))  #: f32(3.4028234663852886e38)
    put(o, 48, floatmin(Float64))  #: f64(2.2250738585072014e-308)
    put(o, 49, eps(Float32))  #: f32(2**-23)
    put(o, 50, eps(1.0))  #: f64(2**-52)
    put(o, 51, zero(f))  #: f32(0)
    put(o, 52, one(Int32))  #: i32(1)
    put(o, 53, oneunit(0x00))  #: u8(1)
    put(o, 54, Int)  #: other
    put(o, 55, typeof(1 + 1f0) === Float32)  #: true
    put(o, 56, sizeof(Float64))  #: i64(8)
    put(o, 57, sizeof((1, 2f0, 0x1)))  #: i64(16)
    put(o, 58, sizeof(1.0f0))  #: i64(4)
    return
end

#! coefficients(o; 5; 2.5f0)
function coefficients(o, n, ρ)
    β₀ = 4
    x′ = 3.0
    put(o, 1, 2n)  #: i64(10)
    put(o, 2, 2ρ)  #: f32(5)
    put(o, 3, 2(n + 1))  #: i64(12)
    put(o, 4, 2n^2)  #: i64(50)
    put(o, 5, 1 / 2n)  #: f64(0.1)
    put(o, 6, -2n)  #: i64(-10)
    put(o, 7, 3β₀ + x′)  #: f64(15)
    put(o, 8, 1.5x′)  #: f64(4.5)
    put(o, 9, 2f0ρ)  #: f32(5)
    put(o, 10, (n + 1)ρ)  #: f32(15)
    put(o, 11, 2π)  #: f64(2*pi)
    put(o, 12, 2pi * ρ)  #: f64(2*pi*2.5)
    put(o, 13, pi * ρ)  #: f32(pi*2.5, 1)
    put(o, 14, 2 * pi * ρ)  #: f64(2*pi*2.5)
    put(o, 15, ρ * pi / 2)  #: f32(pi*1.25, 1)
    put(o, 16, Float32(pi))  #: f32(pi)
    put(o, 17, pi + 1)  #: f64(pi+1)
    put(o, 18, -π)  #: f64(-pi)
    put(o, 19, n * π)  #: f64(5*pi)
    put(o, 20, π < 4)  #: true
    put(o, 21, π > 3.2f0)  #: false
    put(o, 22, sin(π / 2))  #: f64(1)
    put(o, 23, exp(1) ≈ ℯ)  #: true
    return
end

#! powers(o; 3; -2; 2f0; 1.5; Int32(2); 0x03)
function powers(o, n, m, f, d, k, u)
    put(o, 1, n^2)  #: i64(9)
    put(o, 2, m^3)  #: i64(-8)
    put(o, 3, m^2)  #: i64(4)
    put(o, 4, -2^2)  #: i64(-4)
    put(o, 5, n^0)  #: i64(1)
    put(o, 6, n^n)  #: i64(27)
    put(o, 7, 2^n)  #: i64(8)
    put(o, 8, 2^k)  #: i64(4)
    put(o, 9, k^n)  #: i32(8)
    put(o, 10, k^k)  #: i32(4)
    put(o, 11, u^2)  #: u8(9)
    put(o, 12, u^n)  #: u8(27)
    put(o, 13, u^6)  #: u8(729 % 256)
    put(o, 14, n^-1)  #: f64(1/3)
    put(o, 15, n^-2)  #: f64(1/9, 2)
    put(o, 16, f^-1)  #: f32(0.5)
    put(o, 17, f^m)  #: f32(0.25)
    put(o, 18, f^n)  #: f32(8)
    put(o, 19, f^10)  #: f32(1024)
    put(o, 20, d^n)  #: f64(3.375)
    put(o, 21, d^2)  #: f64(2.25)
    put(o, 22, f^f)  #: f32(4)
    put(o, 23, f^d)  #: f64(2**1.5, 1)
    put(o, 24, n^f)  #: f32(9)
    put(o, 25, n^d)  #: f64(3**1.5, 1)
    put(o, 26, n^0.5)  #: f64(3**0.5, 1)
    put(o, 27, d^k)  #: f64(2.25)
    put(o, 28, 1^m)  #: i64(1)
    put(o, 29, (-1)^m)  #: i64(1)
    put(o, 30, (-1)^(m - 1))  #: i64(-1)
    put(o, 31, 2^n^2)  #: i64(512)
    put(o, 32, true^n)  #: true
    put(o, 33, 2.0^-n)  #: f64(0.125)
    put(o, 34, 10.0^-3)  #: f64(0.001, 1)
    put(o, 35, sqrt(2)^2)  #: f64(2, 2)
    put(o, 36, 3^(2 - m))  #: i64(81)
    put(o, 37, (n - 10)^3)  #: i64(-343)
    put(o, 38, √f)  #: f32(2**0.5)
    put(o, 39, √(n + 1))  #: f64(2)
    return
end

#! float_math(o; 3; 2f0; 0.5; Int32(7))
function float_math(o, n, f, d, k)
    put(o, 1, f * 2.0)  #: f64(4)
    put(o, 2, f * 2)  #: f32(4)
    put(o, 3, f / 3)  #: f32(2/3)
    put(o, 4, n / 2)  #: f64(1.5)
    put(o, 5, k / k)  #: f64(1)
    put(o, 6, f + d)  #: f64(2.5)
    put(o, 7, 0.1f0 + 0.2)  #: f64(0.10000000149011612 + 0.2)
    put(o, 8, Float32(0.1) == 0.1)  #: false
    put(o, 9, 16777217f0 == 16777217)  #: false
    put(o, 10, 16777216f0 == 16777216)  #: true
    put(o, 11, 9007199254740993 == 9007199254740992.0)  #: false
    put(o, 12, 9007199254740993 > 9007199254740992.0 * d * 2)  #: true
    put(o, 13, typemax(Int) < 9.223372036854775807e18)  #: true
    put(o, 14, typemax(Int) == Float64(typemax(Int)))  #: false
    put(o, 15, Float64(typemax(Int)))  #: f64(2.0**63)
    put(o, 16, Float32(16777217))  #: f32(16777216)
    put(o, 17, float(k))  #: f64(7)
    put(o, 18, float(f))  #: f32(2)
    put(o, 19, Float16(1) + Float16(2))  #: f16(3)
    put(o, 20, Float16(0.1) * k)  #: f16(0.0999755859375 * 7)
    put(o, 21, Float16(0.1) + f)  #: f32(0.0999755859375 + 2)
    put(o, 22, Float16(d) / Float16(3))  #: f16(0.5 / 3)
    put(o, 23, Float16(65504) * 2)  #: f16(inf)
    put(o, 24, sqrt(Float16(2)))  #: f16(2**0.5)
    put(o, 25, d < Float16(1))  #: true
    put(o, 26, sqrt(n + 1))  #: f64(2)
    put(o, 27, exp(n))  #: f64(exp(3), 1)
    put(o, 28, sin(k))  #: f64(sin(7), 2)
    put(o, 29, log(f))  #: f32(log(2), 1)
    put(o, 30, atan(n, 4))  #: f64(atan2(3, 4), 1)
    put(o, 31, hypot(n, 4))  #: f64(5)
    put(o, 32, div(7.5, f))  #: f64(3)
    put(o, 33, 7.5 % f)  #: f64(1.5)
    put(o, 34, -7.5 % f)  #: f64(-1.5)
    put(o, 35, mod(-7.5, f))  #: f64(0.5)
    put(o, 36, fld(-7.5f0, f))  #: f32(-4)
    put(o, 37, cld(-7.5f0, f))  #: f32(-3)
    put(o, 38, mod1(f, f))  #: f32(2)
    put(o, 39, round(2.5))  #: f64(2)
    put(o, 40, round(Int, 3.5))  #: i64(4)
    put(o, 41, ceil(Int, n / 2))  #: i64(2)
    put(o, 42, ceil(Int32, n / f))  #: i32(2)
    put(o, 43, floor(Int, -0.5))  #: i64(-1)
    put(o, 44, trunc(-1.7f0))  #: f32(-1)
    put(o, 45, trunc(UInt8, 200.9))  #: u8(200)
    put(o, 46, round(n))  #: i64(3)
    put(o, 47, floor(Int, k))  #: i64(7)
    put(o, 48, max(f, 1))  #: f32(2)
    put(o, 49, min(1, 2.5, d))  #: f64(0.5)
    put(o, 50, max(0.0, NaN))  #: f64(nan)
    put(o, 51, clamp(5, 1, n))  #: i64(3)
    put(o, 52, clamp(f, 0, 1))  #: f32(1)
    put(o, 53, clamp(-1.5, 0, 1))  #: f64(0)
    put(o, 54, clamp(300, UInt8))  #: u8(255)
    put(o, 55, true * d)  #: f64(0.5)
    put(o, 56, false * NaN)  #: f64(0)
    put(o, 57, false * -Inf)  #: f64(-0.0)
    put(o, 58, fma(f, 3f0, 1f0))  #: f32(7)
    put(o, 59, muladd(n, 2, 1))  #: i64(7)
    put(o, 60, muladd(f, n, d))  #: f64(6.5)
    put(o, 61, abs(-n))  #: i64(3)
    put(o, 62, sign(-f))  #: f32(-1)
    put(o, 63, inv(n + 1))  #: f64(0.25)
    put(o, 64, inv(f))  #: f32(0.5)
    put(o, 65, n \ 6)  #: f64(2)
    put(o, 66, deg2rad(180.0))  #: f64(pi, 1)
    put(o, 67, widemul(k, k))  #: i64(49)
    put(o, 68, widen(f))  #: f64(2)
    put(o, 69, minmax(n, 1)[1])  #: i64(1)
    put(o, 70, cmp(1, 2.0))  #: i64(-1)
    put(o, 71, NaN == NaN)  #: false
    put(o, 72, isequal(NaN, NaN))  #: true
    put(o, 73, isless(1.0, NaN))  #: true
    put(o, 74, 0.0 == -0.0)  #: true
    put(o, 75, isequal(0.0, -0.0))  #: false
    put(o, 76, NaN != NaN)  #: true
    put(o, 77, !(d > NaN))  #: true
    put(o, 78, f ≈ 2.0000001f0)  #: true
    put(o, 79, exponent(10.0))  #: i64(3)
    put(o, 80, significand(10.0))  #: f64(1.25)
    put(o, 81, reinterpret(UInt32, f))  #: u32(0x40000000)
    put(o, 82, reinterpret(Float64, 0x3ff0000000000000))  #: f64(1)
    put(o, 83, reinterpret(Int32, 0xffffffff))  #: i32(-1)
    return
end

#! conversions(o; 300; 2f0; -1; 3.7; 0xff)
function conversions(o, n, f, m, d, b)
    put(o, 1, Int32(n))  #: i32(300)
    put(o, 2, UInt16(n))  #: u16(300)
    put(o, 3, n % UInt8)  #: u8(44)
    put(o, 4, n % Int8)  #: i8(44)
    put(o, 5, m % UInt32)  #: u32(2**32-1)
    put(o, 6, m % UInt64)  #: u64(2**64-1)
    put(o, 7, b % Int8)  #: i8(-1)
    put(o, 8, b % Int)  #: i64(255)
    put(o, 9, Int8(m))  #: i8(-1)
    put(o, 10, Int(f))  #: i64(2)
    put(o, 11, Int32(4.0))  #: i32(4)
    put(o, 12, UInt8(f))  #: u8(2)
    put(o, 13, unsafe_trunc(Int, d))  #: i64(3)
    put(o, 14, unsafe_trunc(Int32, -d))  #: i32(-3)
    put(o, 15, Base.unsafe_trunc(UInt8, d))  #: u8(3)
    put(o, 16, trunc(Int, d))  #: i64(3)
    put(o, 17, convert(Float32, n))  #: f32(300)
    put(o, 18, convert(Int, f))  #: i64(2)
    put(o, 19, convert(Float64, f))  #: f64(2)
    put(o, 20, Float32(d))  #: f32(3.7)
    put(o, 21, Bool(1))  #: true
    put(o, 22, Bool(0.0))  #: false
    put(o, 23, Int(true))  #: i64(1)
    put(o, 24, Float32(true))  #: f32(1)
    put(o, 25, true + true)  #: i64(2)
    put(o, 26, true - 2)  #: i64(-1)
    put(o, 27, -true)  #: i64(-1)
    put(o, 28, oftype(f, n))  #: f32(300)
    put(o, 29, promote(1, f)[1])  #: f32(1)
    put(o, 30, promote_type(Int32, UInt32) === UInt32)  #: true
    put(o, 31, promote_type(Int64, UInt32) === Int64)  #: true
    put(o, 32, promote_type(Int, Float32) === Float32)  #: true
    put(o, 33, signed(b))  #: i8(-1)
    put(o, 34, unsigned(m))  #: u64(2**64-1)
    put(o, 35, Int64(b))  #: i64(255)
    put(o, 36, typeof(f)(n))  #: f32(300)
    put(o, 37, eltype(o)(f))  #: i64(2)
    put(o, 38, Int == Int64)  #: true
    put(o, 39, Int32 <: Integer)  #: true
    put(o, 40, Float32 <: Integer)  #: false
    put(o, 41, f isa AbstractFloat)  #: true
    put(o, 42, n isa Union{Int32,Int64})  #: true
    put(o, 43, isa(m, Unsigned))  #: false
    put(o, 44, typeof(n) == Int)  #: true
    put(o, 45, bitstype_sum(n, f))  #: i64(12)
    return
end
bitstype_sum(xs...) = sum(map(sizeof, xs))
