# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels as users of CUDA.jl write them: configurations, integers and floats of all kinds. Values of random numbers and
# counts were computed in Python.

using CUDA: i32

# ---- configuration in named tuples, keywords, defaults, do blocks
config(; tile=16, scale::Float32=1f0, op=+, rest...) = (; tile, scale, op, extra=length(rest))
function reduce_with(f, op, init, xs...; skip=0, scale=1)
    acc = init
    for (i, x) in enumerate(xs)
        i <= skip && continue
        acc = op(acc, f(x) * scale)
    end
    acc
end
struct Poly{N,T}
    c::NTuple{N,T}
end
(p::Poly)(x) = evalpoly(x, p.c)
struct Scale{F}
    f::F
    by::Float64
end
(s::Scale)(xs...) = s.by * s.f(xs...)

#! configured(o; 3; (tile = 8, limits = (lo = 1, hi = (2.5, 3f0))))
function configured(o, n, cfg)
    c = config(; tile=4, op=*)
    put(o, 1, c.tile + c.extra)  #: i64(4)
    put(o, 2, c.op(3, 4) * c.scale)  #: f32(12.0)
    d = config(scale=2f0, more=1, other=2)
    put(o, 3, d.extra)  #: i64(2)
    put(o, 4, cfg.limits.hi[2])  #: f32(3.0)
    (; tile, limits) = cfg
    (; lo, hi) = limits
    put(o, 5, tile + lo)  #: i64(9)
    a, (b, e) = lo, hi
    put(o, 6, a + b + e)  #: f64(6.5)
    merged = merge(cfg, (tile=3, added=7))
    put(o, 7, merged.tile * merged.added)  #: i64(21)
    r = reduce_with(+, 0, 1, 2, 3; skip=1, scale=10) do x
        x + n
    end
    put(o, 8, r)  #: i64(110)
    p = Poly((1.0, 0.0, 2.0))
    put(o, 9, p(3))  #: f64(19.0)
    put(o, 10, Scale(p, 0.5)(3))  #: f64(9.5)
    put(o, 11, (sqrt ∘ abs)(-16.0))  #: f64(4.0)
    put(o, 12, mapreduce(x -> x^2, +, (1, 2, 3)))  #: i64(14)
    put(o, 13, sum(x -> x * n, (1, 2, 3)))  #: i64(18)
    total = sum(map((5, 6, 7)) do v
        v
    end)
    put(o, 14, total)  #: i64(18)
    add(x) = y -> x + y
    put(o, 15, add(3)(4))  #: i64(7)
    put(o, 16, map((x, y) -> x => y, (1, 2), (3.0, 4.0))[2].second)  #: f64(4.0)
    put(o, 17, haskey(cfg, :tile) && !haskey(cfg, :depth))  #: true
    put(o, 18, get(cfg, :depth, 5))  #: i64(5)
    put(o, 19, keys(cfg)[1] === :tile)  #: true
    put(o, 20, foldl((a, x) -> 2a + x, (1, 0, 1, 1)))  #: i64(11)
    put(o, 21, any(x -> x > 2, (1, 2, 3)) & all(>(0), (1, 2)))  #: true
    put(o, 22, findfirst(==(3), (5, 3, 1)))  #: i64(2)
    put(o, 23, sum(abs2, (i - 2 for i in 1:4)))  #: i64(6)
    return
end

# ---- integers and floats of all kinds
#! numeric(o; 17; -5; 2.75f0; Int32(9))
function numeric(o, a, b, x, m)
    put(o, 1, mod1(a, 5))  #: i64(2)
    put(o, 2, fld(b, 3))  #: i64(-2)
    put(o, 3, cld(a, m))  #: i64(2)
    q, r = divrem(b, 3)
    put(o, 4, 10q + r)  #: i64(-12)
    q, r = fldmod(b, 3)
    put(o, 5, 10q + r)  #: i64(-19)
    q, r = fldmod1(a, 4)
    put(o, 6, 10q + r)  #: i64(51)
    put(o, 7, clamp(x, 0, 1))  #: f32(1.0)
    put(o, 8, clamp(a, 1, 10))  #: i64(10)
    put(o, 9, muladd(x, 2, 1))  #: f32(6.5)
    put(o, 10, fma(x, 2f0, 1f0))  #: f32(6.5)
    put(o, 11, hypot(3f0, 4f0))  #: f32(5.0)
    s, c = sincos(0.0)
    put(o, 12, s + c)  #: f64(1.0)
    put(o, 13, sincospi(0.5)[1])  #: f64(1.0)
    put(o, 14, round(Int, x))  #: i64(3)
    put(o, 15, floor(Int32, -x))  #: i32(-3)
    put(o, 16, trunc(x))  #: f32(2.0)
    put(o, 17, ceil(UInt8, x))  #: u8(3)
    put(o, 18, round(2.5) + round(3.5))  #: f64(6.0)
    put(o, 19, sign(b) * signbit(x))  #: i64(0)
    put(o, 20, copysign(x, b))  #: f32(-2.75)
    put(o, 21, flipsign(a, b))  #: i64(-17)
    put(o, 22, ldexp(x, 2))  #: f32(11.0)
    f, e = frexp(12.0)
    put(o, 23, f * e)  #: f64(3.0)
    put(o, 24, exponent(12.0) + significand(12.0))  #: f64(4.5)
    put(o, 25, gcd(12, 18) + lcm(4, 6))  #: i64(18)
    put(o, 26, powermod(3, 5, 7))  #: i64(5)
    put(o, 27, isqrt(a))  #: i64(4)
    put(o, 28, nextpow(2, a) + prevpow(2, a))  #: i64(48)
    put(o, 29, ispow2(16) && !ispow2(a))  #: true
    put(o, 30, mod(-7, 3))  #: i64(2)
    put(o, 31, modf(x)[1])  #: f32(0.75)
    put(o, 32, deg2rad(180.0))  #: f64(pi)
    put(o, 33, Float16(1.5) * x)  #: f32(4.125)
    z = Complex(1f0, 2f0)
    w = z * conj(z) + im
    put(o, 34, real(w))  #: f32(5.0)
    put(o, 35, imag(w))  #: f32(1.0)
    put(o, 36, abs(3 + 4im))  #: f64(5.0)
    put(o, 37, abs2(z))  #: f32(5.0)
    put(o, 38, real(cis(0.0)))  #: f64(1.0)
    put(o, 39, (z / 2).im)  #: f32(1.0)
    put(o, 40, real(z^2))  #: f32(-3.0)
    put(o, 41, reinterpret(UInt32, 1f0))  #: u32(0x3f800000)
    put(o, 42, reinterpret(Int64, -0.0))  #: i64(-2**63)
    put(o, 43, (1 // 3 + 1 // 6) == 1 // 2)  #: true
    put(o, 44, rem(10.5, 3))  #: f64(1.5)
    put(o, 45, mod(-1f0, 3))  #: f32(2.0)
    put(o, 46, cbrt(27.0))  #: f64(3.0)
    put(o, 47, exp2(3f0) + log2(8f0) + exp10(0f0) + log10(100f0))  #: f32(14.0)
    put(o, 48, unsigned(b) >> 60)  #: u64(15)
    put(o, 49, b >>> 60 == 15)  #: true
    put(o, 50, typemax(Int8) % UInt8 + 0x01)  #: u8(128)
    put(o, 51, nextfloat(1f0) - 1f0 == eps(Float32))  #: true
    put(o, 52, isapprox(1.0, 1.0 + 1e-10) && 1f0 ≈ 1.0000001f0)  #: true
    put(o, 55, digits_sum(9075))  #: i64(21)
    put(o, 56, tanh(0.0) + asinh(0.0) + expm1(0.0) + log1p(0.0) + sinpi(1.0) + cospi(1.0))  #: f64(-1.0)
    put(o, 57, max(1, 2.0, 3f0))  #: f64(3.0)
    put(o, 58, minmax(b, a)[1])  #: i64(-5)
    put(o, 59, widen(m) * widen(m))  #: i64(81)
    put(o, 60, 0b1011 ⊻ 0o17)  #: u8(4)
    put(o, 61, 'a' + 1 == 'b')  #: true
    put(o, 62, Int('0'))  #: i64(48)
    return
end
function digits_sum(n)
    s = 0
    while n > 0
        n, d = divrem(n, 10)
        s += d
    end
    return s
end

# ---- tuples of generators and ranges, jumps, tables of functions, nested functions
#! items_of(o; 4; [1.0, 2.0, 3.0])
function items_of(o, n, A)
    t = Tuple(i^2 for i in (1, 2, 3))
    put(o, 1, t[3])  #: i64(9)
    u = ntuple(i -> i * n, 3)
    put(o, 2, sum(u))  #: i64(24)
    put(o, 3, sum(x * y for x in (1, 2), y in (3, 4)))  #: i64(21)
    put(o, 4, maximum(abs(x - 2) for x in A))  #: f64(1.0)
    v = (u..., 1:3...)
    put(o, 5, sum(v))  #: i64(30)
    put(o, 6, max((1:3)...))  #: i64(3)
    put(o, 7, all(x > 0 for x in A))  #: true
    put(o, 8, count(x > 1 for x in A))  #: i64(2)
    w = map(x -> x + 1, (1, 2.0))
    put(o, 9, w[2])  #: f64(3.0)
    s = 0
    for (i, (a, b)) in enumerate(zip((1, 2), (3, 4)))
        s += i * a * b
    end
    put(o, 10, s)  #: i64(19)
    put(o, 11, prod(size(A)) + length(axes(A, 1)))  #: i64(6)
    put(o, 12, reduce(max, (3, 1, 2); init=5))  #: i64(5)
    put(o, 13, sum(A; init=1.0))  #: f64(7.0)
    put(o, 14, mapfoldl(x -> 2x, +, A; init=0.0))  #: f64(12.0)
    return
end
#! gotos(o; 5)
function gotos(o, n)
    i = 0
    s = 0
    @label again
    i += 1
    s += i
    i < n && @goto again
    put(o, 1, s)  #: i64(15)
    for a in 1:3
        for b in 1:3
            if a * b == 4
                @goto out
            end
        end
    end
    s = -1
    @label out
    put(o, 2, s)  #: i64(15)
    return
end
#! function_table(o; 2)
function function_table(o, n)
    put(o, 1, TABLE2[n](0.0))  #: f64(1.0)
    return
end
const TABLE2 = (sin, cos)
#! nested_functions(o; 3)
function nested_functions(o, n)
    s = 0
    for i in 1:3
        f = x -> x + i
        s += f(1)
    end
    put(o, 1, s)  #: i64(9)
    g(x, k=2; scale=1) = (x + k) * scale
    put(o, 2, g(1) + g(1, 3; scale=n))  #: i64(15)
    h = let c = 10
        x -> x * c
    end
    put(o, 3, h(n))  #: i64(30)
    fact(m) = m <= 1 ? 1 : m * fact(m - 1)
    put(o, 4, fact(5))  #: i64(120)
    compose(fs...) = x -> foldl((a, f) -> f(a), fs; init=x)
    put(o, 5, compose(sqrt, x -> x + 1, abs2)(4.0))  #: f64(9.0)
    z = map(+, (1, 2), (3, 4), (5, 6))
    put(o, 6, z[2])  #: i64(12)
    put(o, 7, (x -> x^2).((1, 2, 3))[3])  #: i64(9)
    y = (1, 2, 3)[2] 
    put(o, 8, y)  #: i64(2)
    return
end
