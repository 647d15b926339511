# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Functions of numbers: bits, rounding, complex numbers, fractions, half precision, named tuples, references.

# v = [1.0, 2.0, ...], m = [1 2 3; 4 5 6]
function reset!(v, m)
    for i in 1:6
        v[i] = i
        m[(i - 1) ÷ 3 + 1, (i - 1) % 3 + 1] = i
    end
end

#! numbers1(o; 7; 2.5f0; (3, 1, 2); [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]; zeros(Int64, 2, 3))
function numbers1(o, x, y, t, v, m)
    put(o, 1, bitreverse(0x01))  #: u8(0x80)
    put(o, 2, bswap(0x01020304))  #: u32(0x04030201)
    put(o, 3, leading_zeros(Int32(1)))  #: i64(31)
    put(o, 4, leading_ones(-1))  #: i64(64)
    put(o, 5, trailing_zeros(8))  #: i64(3)
    put(o, 6, trailing_ones(7))  #: i64(3)
    put(o, 7, count_ones(255))  #: i64(8)
    put(o, 8, bitrotate(0x81, 1))  #: u8(0x03)
    put(o, 9, bitrotate(0x81, -1))  #: u8(0xc0)
    put(o, 10, bitrotate(0x81, 0))  #: u8(0x81)
    put(o, 11, widemul(Int32(1)<<30, Int32(4)))  #: i64(4294967296)
    put(o, 12, widemul(0xff, 0xff))  #: u16(0xfe01)
    put(o, 13, evalpoly(100, fldmod1(7, 3)))  #: i64(103)
    put(o, 14, evalpoly(100, fldmod1(6, 3)))  #: i64(302)
    put(o, 15, evalpoly(100, divrem(-7, 3)))  #: i64(-102)
    put(o, 16, evalpoly(100, fldmod(-7, 3)))  #: i64(197)
    put(o, 17, fld1(7,3))  #: i64(3)
    put(o, 18, clamp(5, 1, 3))  #: i64(3)
    put(o, 19, clamp(2.5, 1, 3))  #: f64(2.5)
    put(o, 20, evalpoly(2, (1,2,3)))  #: i64(17)
    put(o, 21, evalpoly(2.0, (1,2,3)))  #: f64(17.0)
    put(o, 22, muladd(2.0, 3.0, 1.0))  #: f64(7.0)
    put(o, 23, muladd(2, 3, 1))  #: i64(7)
    put(o, 24, fma(2.0, 3.0, 1.0))  #: f64(7.0)
    put(o, 25, fma(2f0, 3f0, 1f0))  #: f32(7.0e0)
    put(o, 26, reinterpret(Int32, 1f0))  #: i32(1065353216)
    put(o, 27, reinterpret(UInt16, Float16(1)))  #: u16(0x3c00)
    put(o, 28, round(2.5))  #: f64(2.0)
    put(o, 29, round(Int, 2.5))  #: i64(2)
    put(o, 30, round(Int, 3.5))  #: i64(4)
    put(o, 31, round(Int32, 2.7f0))  #: i32(3)
    put(o, 32, round(2.5, RoundUp))  #: f64(3.0)
    put(o, 33, round(2.5, RoundDown))  #: f64(2.0)
    put(o, 34, round(2.5, RoundToZero))  #: f64(2.0)
    put(o, 35, round(2.5, RoundNearestTiesAway))  #: f64(3.0)
    put(o, 36, round(-2.5, RoundNearestTiesUp))  #: f64(-2.0)
    put(o, 37, round(2.2, RoundFromZero))  #: f64(3.0)
    put(o, 38, round(Int, 2.2, RoundUp))  #: i64(3)
    put(o, 39, round(1.2345; digits=2))  #: f64(1.23)
    put(o, 40, round(12345; digits=-2))  #: f64(12300.0)
    put(o, 41, floor(Int, -2.5))  #: i64(-3)
    put(o, 42, ceil(Int, 2.1f0))  #: i64(3)
    put(o, 43, trunc(Int, -2.7))  #: i64(-2)
    put(o, 44, hypot(3.0, 4.0))  #: f64(5.0)
    put(o, 45, hypot(3, 4))  #: f64(5.0)
end

#! numbers2(o; 7; 2.5f0; (3, 1, 2); [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]; zeros(Int64, 2, 3))
function numbers2(o, x, y, t, v, m)
    put(o, 1, hypot(1.0,2.0,2.0))  #: f64(3.0)
    put(o, 2, cbrt(27.0))  #: f64(3.0)
    put(o, 3, expm1(0.0))  #: f64(0.0)
    put(o, 4, log1p(0.0))  #: f64(0.0)
    put(o, 5, log(2, 8))  #: f64(3.0)
    put(o, 6, log2(8))  #: f64(3.0, ulps=1)
    put(o, 7, log10(1000.0))  #: f64(3.0)
    put(o, 8, exp2(3.0))  #: f64(8.0)
    put(o, 9, exp10(2.0))  #: f64(100.0)
    put(o, 10, sinpi(0.5))  #: f64(1.0)
    put(o, 11, cospi(1.0))  #: f64(-1.0)
    put(o, 12, sind(30.0))  #: f64(0.5)
    put(o, 13, cosd(60.0))  #: f64(0.5)
    put(o, 14, tand(45.0))  #: f64(1.0)
    put(o, 15, atan(1.0, 1.0))  #: f64(0.7853981633974483)
    put(o, 16, deg2rad(180.0))  #: f64(3.141592653589793)
    put(o, 17, mod2pi(7.0))  #: f64(0.7168146928204135)
    put(o, 18, rem2pi(7.0, RoundNearest))  #: f64(0.7168146928204135)
    put(o, 19, ldexp(1.5, 3))  #: f64(12.0)
    put(o, 20, exponent(12.0))  #: i64(3)
    put(o, 21, significand(12.0))  #: f64(1.5)
    put(o, 22, nextfloat(1.0))  #: f64(1.0000000000000002)
    put(o, 23, prevfloat(1f0))  #: f32(0.99999994e0)
    put(o, 24, nextfloat(1.0, 2))  #: f64(1.0000000000000004)
    put(o, 25, eps(1f0))  #: f32(1.1920929e-7)
    put(o, 26, eps(Float16))  #: f16(0.000977)
    put(o, 27, sign(-3.0))  #: f64(-1.0)
    put(o, 28, copysign(3, -1.0))  #: i64(-3)
    put(o, 29, flipsign(3.0, -1))  #: f64(-3.0)
    put(o, 30, signbit(-0.0))  #: true
    put(o, 31, isapprox(1.0, 1.0+1e-10))  #: true
    put(o, 32, isapprox(1.0, 1.1; atol=0.2))  #: true
    put(o, 33, 1.0 ≈ 1.0 + 1e-12)  #: true
    put(o, 34, evalpoly(100, minmax(3,1)))  #: i64(301)
    put(o, 35, max(1, 2.0))  #: f64(2.0)
    put(o, 36, min(NaN, 1.0))  #: f64(nan)
    put(o, 37, ifelse(true, 1, 2))  #: i64(1)
    put(o, 38, xor(true, false))  #: true
    put(o, 39, x ⊻ 1)  #: i64(6)
    put(o, 40, 1 << 3)  #: i64(8)
    put(o, 41, -8 >> 1)  #: i64(-4)
    put(o, 42, -8 >>> 60)  #: i64(15)
    put(o, 43, ~5)  #: i64(-6)
    put(o, 44, gcd(12, 18))  #: i64(6)
    put(o, 45, lcm(4, 6))  #: i64(12)
end

#! numbers3(o; 7; 2.5f0; (3, 1, 2); [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]; zeros(Int64, 2, 3))
function numbers3(o, x, y, t, v, m)
    put(o, 1, gcdx(12, 18)[1])  #: i64(6)
    put(o, 2, invmod(3, 7))  #: i64(5)
    put(o, 3, powermod(3, 4, 5))  #: i64(1)
    put(o, 4, isqrt(17))  #: i64(4)
    put(o, 5, factorial(5))  #: i64(120)
    put(o, 6, binomial(5, 2))  #: i64(10)
    put(o, 7, iszero(0.0))  #: true
    put(o, 8, isone(1))  #: true
    put(o, 9, cmp(1, 2))  #: i64(-1)
    put(o, 10, isless(1, 2))  #: true
    put(o, 11, numerator(2//4))  #: i64(1)
    put(o, 12, 1//2 + 1//3 == 5//6)  #: true
    put(o, 13, Float64(1//4))  #: f64(0.25)
    put(o, 14, (1//2) * 2 == 1)  #: true
    put(o, 15, Complex(1,2) * Complex(3,4) == Complex(-5, 10))  #: true
    put(o, 16, (1 + 2im) * (3 - im) == 5 + 5im)  #: true
    put(o, 17, abs(3 + 4im))  #: f64(5.0)
    put(o, 18, abs2(3 + 4im))  #: i64(25)
    put(o, 19, conj(1 + 2im) == 1 - 2im)  #: true
    put(o, 20, real(1 + 2im))  #: i64(1)
    put(o, 21, imag(1.0 + 2im))  #: f64(2.0)
    put(o, 22, evalpoly(100, reim(1+2im)))  #: i64(201)
    put(o, 23, angle(1.0im))  #: f64(1.5707963267948966)
    put(o, 24, exp(im*0.0) == 1)  #: true
    put(o, 25, inv(2.0+0im) == 0.5)  #: true
    put(o, 26, sqrt(complex(-4.0)) == 2im)  #: true
    put(o, 27, muladd(1+im, 1-im, 1) == 3)  #: true
    put(o, 28, (1+2im)^2 == -3 + 4im)  #: true
    put(o, 29, cis(0.0) == 1)  #: true
    put(o, 30, abs(Complex(3f0,4f0)))  #: f32(5.0e0)
    put(o, 31, tan(0.5+0im) ≈ tan(0.5))  #: true
    put(o, 32, sinh(0.5+0.0im) ≈ sinh(0.5))  #: true
    put(o, 33, iszero(0im))  #: true
    put(o, 34, real(Complex{Float32}) == Float32)  #: true
    put(o, 35, typeof(1f0 + im) == ComplexF32)  #: true
    put(o, 36, complex(1.0, 2) == 1+2im)  #: true
    put(o, 37, Float16(1) + Float16(2))  #: f16(3.0)
    put(o, 38, Float16(1) * 2)  #: f16(2.0)
    put(o, 39, Float16(0.1) + Float16(0.2))  #: f16(0.2998)
    put(o, 40, Float16(2049.0))  #: f16(2048.0)
    put(o, 41, Float32(Float16(0.1)))  #: f32(0.099975586e0)
    put(o, 42, sqrt(Float16(2)))  #: f16(1.414)
    put(o, 43, Float16(7) / Float16(3))  #: f16(2.334)
    put(o, 44, Float16(1) < Float16(2))  #: true
    put(o, 45, Int(Float16(7)))  #: i64(7)
end

#! numbers4(o; 7; 2.5f0; (3, 1, 2); [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]; zeros(Int64, 2, 3))
function numbers4(o, x, y, t, v, m)
    put(o, 1, round(Int, Float16(2.5)))  #: i64(2)
    put(o, 2, sum((Float16(1),Float16(2))))  #: f16(3.0)
    put(o, 3, muladd(Float16(2),Float16(3),Float16(1)))  #: f16(7.0)
    put(o, 4, fma(Float16(2),Float16(3),Float16(1)))  #: f16(7.0)
    put(o, 5, Float16(5) % Float16(3))  #: f16(2.0)
    put(o, 6, Float16(2)^3)  #: f16(8.0)
    put(o, 7, floor(Float16(2.5)))  #: f16(2.0)
    put(o, 8, exp(Float16(0)))  #: f16(1.0)
    put(o, 9, max(Float16(1), Float16(2)))  #: f16(2.0)
    put(o, 10, nextfloat(Float16(1)))  #: f16(1.001)
    put(o, 11, (a=1, b=2).a)  #: i64(1)
    put(o, 12, haskey((a=1,), :a))  #: true
    put(o, 13, evalpoly(100, values((a=1,b=2))))  #: i64(201)
    put(o, 14, (; a=1, b=2)[:b])  #: i64(2)
    put(o, 15, length((a=1,b=2)))  #: i64(2)
    put(o, 16, get((a=1,), :b, 5))  #: i64(5)
    put(o, 17, evalpoly(100, Base.setindex((1,2,3), 9, 2)))  #: i64(30901)
    put(o, 18, evalpoly(100, Base.tail((1,2,3))))  #: i64(302)
    put(o, 19, evalpoly(100, Base.front((1,2,3))))  #: i64(201)
    put(o, 20, something(nothing, 3))  #: i64(3)
    put(o, 21, something(Some(2), 3))  #: i64(2)
    put(o, 22, @something(nothing, 4))  #: i64(4)
    put(o, 23, @coalesce(missing, 4))  #: i64(4)
    put(o, 24, coalesce(missing, 4))  #: i64(4)
    put(o, 25, isnothing(nothing))  #: true
    put(o, 26, ismissing(1))  #: false
    put(o, 27, Some(3).value)  #: i64(3)
    put(o, 28, (r = Ref(1); r[] += 2; r[]))  #: i64(3)
    put(o, 29, (r = Ref{Float64}(1); r[]))  #: f64(1.0)
    put(o, 30, (r = Ref(x); r[] = 4; r[]))  #: i64(4)
    put(o, 31, signed(0xff))  #: i8(-1)
    put(o, 32, unsigned(Int8(-1)))  #: u8(0xff)
    put(o, 33, 0xff % Int8)  #: i8(-1)
    put(o, 34, Int8(5))  #: i8(5)
    put(o, 35, typemax(Int32))  #: i32(2147483647)
    put(o, 36, floatmax(Float32))  #: f32(3.4028235e38)
    put(o, 37, zero(1.5))  #: f64(0.0)
    put(o, 38, one(Complex{Float32}) == 1)  #: true
    put(o, 39, dot((1,2),(3,4)))  #: i64(11)
    reset!(v, m)
    put(o, 40, dot(v,v))  #: f64(91.0)
    put(o, 41, isodd(3))  #: true
    put(o, 42, nextpow(2, 5))  #: i64(8)
    put(o, 43, prevpow(2, 5))  #: i64(4)
    put(o, 44, ispow2(8))  #: true
    put(o, 45, cld(7,2))  #: i64(4)
end

#! numbers5(o; 7; 2.5f0; (3, 1, 2); [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]; zeros(Int64, 2, 3))
function numbers5(o, x, y, t, v, m)
    put(o, 1, 3 ∈ (1,2,3))  #: true
    put(o, 2, √4.0)  #: f64(2.0)
    reset!(v, m)
    put(o, 3, !isempty(v))  #: true
    put(o, 4, (2.0)^-2)  #: f64(0.25)
    put(o, 5, 2^10)  #: i64(1024)
    put(o, 6, 2.0^0.5)  #: f64(1.4142135623730951, ulps=1)
    put(o, 7, x^2)  #: i64(49)
    put(o, 8, Base.literal_pow(^, 2, Val(3)))  #: i64(8)
    put(o, 9, Int(true))  #: i64(1)
    put(o, 10, Base.unsafe_trunc(Int32, 2.7))  #: i32(2)
    put(o, 11, mod1(6,3))  #: i64(3)
    put(o, 12, mod(-1,3))  #: i64(2)
    put(o, 13, rem(-1,3))  #: i64(-1)
    put(o, 14, abs(-3))  #: i64(3)
    put(o, 15, abs(Int8(-128)))  #: i8(-128)
    put(o, 16, evalpoly(100, ntuple(identity, 3)))  #: i64(30201)
    put(o, 17, float(3))  #: f64(3.0)
    put(o, 18, evalpoly(100, Tuple(1:3)))  #: i64(30201)
    put(o, 19, allequal((1,1)))  #: true
    put(o, 20, evalpoly(100, sort((3,1,2))))  #: i64(30201)
    put(o, 21, evalpoly(100, accumulate(+, (1,2,3))))  #: i64(60301)
    put(o, 22, evalpoly(100, cumsum((1,2,3))))  #: i64(60301)
    put(o, 23, Base.Cartesian.@nexprs(2, i -> y_i = i))  #: i64(2)
    put(o, 24, splat(+)((1,2)))  #: i64(3)
    put(o, 25, Base.splat(+)((1,2)))  #: i64(3)
end
