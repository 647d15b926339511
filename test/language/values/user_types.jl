# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels as users of CUDA.jl write them: types of their own with operators, random numbers, nested loops. Values of random numbers and
# counts were computed in Python.

using CUDA
using CUDA: i32

# ---- a vector type with operators, used through generic code
struct Vec3{T<:Real}
    x::T
    y::T
    z::T
end
Vec3(x, y, z) = Vec3(promote(x, y, z)...)
Vec3(t::NTuple{3,T}) where {T} = Vec3{T}(t...)
Base.:+(a::Vec3, b::Vec3) = Vec3(a.x + b.x, a.y + b.y, a.z + b.z)
Base.:-(a::Vec3, b::Vec3) = Vec3(a.x - b.x, a.y - b.y, a.z - b.z)
Base.:-(a::Vec3) = Vec3(-a.x, -a.y, -a.z)
Base.:*(s::Number, a::Vec3) = Vec3(s * a.x, s * a.y, s * a.z)
Base.:*(a::Vec3, s::Number) = s * a
Base.:/(a::Vec3, s::Number) = a * inv(s)
Base.zero(::Type{Vec3{T}}) where {T} = Vec3(zero(T), zero(T), zero(T))
Base.zero(v::Vec3) = zero(typeof(v))
Base.getindex(v::Vec3, i::Integer) = i == 1 ? v.x : i == 2 ? v.y : v.z
Base.eltype(::Type{Vec3{T}}) where {T} = T
Base.convert(::Type{Vec3{T}}, v::Vec3) where {T} = Vec3{T}(v.x, v.y, v.z)
norm2(v::Vec3) = v.x^2 + v.y^2 + v.z^2
cross(a::Vec3, b::Vec3) = Vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
Base.map(f, v::Vec3) = Vec3(f(v.x), f(v.y), f(v.z))

abstract type Shape end
struct Sphere{T} <: Shape
    center::Vec3{T}
    radius::T
end
struct Plane{T} <: Shape
    normal::Vec3{T}
    offset::T
end
struct Ray{T}
    from::Vec3{T}
    along::Vec3{T}
end
dot3(a::Vec3, b::Vec3) = a.x * b.x + a.y * b.y + a.z * b.z
hit(r::Ray, s::Sphere) = begin
    oc = r.from - s.center
    b = dot3(oc, r.along)
    c = norm2(oc) - s.radius^2
    d = b^2 - c
    d < 0 && return nothing
    t = -b - sqrt(d)
    t > 0 ? t : nothing
end
function hit(r::Ray, p::Plane)
    d = dot3(r.along, p.normal)
    abs(d) < 1e-6 && return nothing
    t = (p.offset - dot3(r.from, p.normal)) / d
    return t > 0 ? t : nothing
end
nearest(r, shapes::Tuple{}, best) = best
function nearest(r, shapes::Tuple, best)
    t = hit(r, first(shapes))
    best = t === nothing ? best : best === nothing ? t : min(t, best)
    return nearest(r, Base.tail(shapes), best)
end

#! ray(o; Ray(Vec3(0.0, 0.0, 0.0), Vec3(0.0, 0.0, 1.0)); (Sphere(Vec3(0.0, 0.0, 5.0), 1.0), Plane(Vec3(0.0, 0.0, 1.0), 3.0), Sphere(Vec3(9.0, 0.0, 0.0), 1.0)))
function ray(o, r, shapes)
    put(o, 1, nearest(r, shapes, nothing))  #: f64(3.0)
    put(o, 2, nearest(r, (shapes[1], shapes[3]), nothing))  #: f64(4.0)
    put(o, 3, nearest(r, (shapes[3],), nothing))  #: nothing
    t = hit(r, shapes[1])
    put(o, 4, isnothing(t) ? 0.0 : 2t)  #: f64(8.0)
    p = something(hit(r, shapes[3]), -1.0)
    put(o, 5, p)  #: f64(-1.0)
    v = 2 * Vec3(1, 2.0, 3f0) - Vec3((1.0, 1.0, 1.0)) / 2
    put(o, 6, v.x)  #: f64(1.5)
    put(o, 7, v[3])  #: f64(5.5)
    put(o, 8, cross(Vec3(1, 0, 0), Vec3(0, 1, 0)).z)  #: i64(1)
    put(o, 9, map(abs2, -v).y)  #: f64(12.25)
    put(o, 10, sum(ntuple(i -> v[i], 3)))  #: f64(10.5)
    put(o, 11, zero(v).x)  #: f64(0.0)
    put(o, 12, eltype(typeof(v)) === Float64)  #: true
    w::Vec3{Float32} = v
    put(o, 13, w.y)  #: f32(3.5)
    return
end

# ---- random numbers: Philox 2x32 and xorshift
@inline function mulhilo(a::UInt32, b::UInt32)
    p = widemul(a, b)
    return (p >> 32) % UInt32, p % UInt32
end
@inline function philox2x32(ctr::NTuple{2,UInt32}, key::UInt32, ::Val{R}=Val(10)) where {R}
    c0, c1 = ctr
    for _ in 1:R
        hi, lo = mulhilo(0xD256D193, c0)
        c0, c1 = hi ⊻ key ⊻ c1, lo
        key += 0x9E3779B9
    end
    return (c0, c1)
end
mutable struct XorShift
    state::UInt32
end
@inline function next!(rng::XorShift)
    s = rng.state
    s ⊻= s << 13
    s ⊻= s >> 17
    s ⊻= s << 5
    rng.state = s
    return s
end
@inline uniform(x::UInt32) = Float32(x >> 8) * Float32(2)^-24
@inline uniform(::Type{Float64}, x::UInt64) = reinterpret(Float64, 0x3ff0000000000000 | (x >> 12)) - 1
splitmix(x::UInt64) = (z = x + 0x9e3779b97f4a7c15; z = (z ⊻ (z >> 30)) * 0xbf58476d1ce4e5b9; z = (z ⊻ (z >> 27)) * 0x94d049bb133111eb; z ⊻ (z >> 31))

#! randoms(o; UInt32(7); 0x0000000000000005)
function randoms(o, seed, wide)
    r = philox2x32((seed, 0x00000001), 0x12345678)
    put(o, 1, r[1])  #: u32(3588060488)
    put(o, 2, r[2])  #: u32(4149273940)
    r7 = philox2x32((seed, zero(seed)), UInt32(3), Val(7))
    put(o, 3, last(r7))  #: u32(3359590348)
    rng = XorShift(seed)
    next!(rng)
    put(o, 4, next!(rng))  #: u32(470389255)
    put(o, 5, uniform(next!(rng)))  #: f32(0.9038963913917542)
    inside = 0
    for i in 1:100
        x, y = uniform(next!(rng)), uniform(next!(rng))
        inside += x^2 + y^2 <= 1f0
    end
    put(o, 6, inside)  #: i64(81)
    put(o, 7, splitmix(wide))  #: u64(7134611160154358618)
    put(o, 8, uniform(Float64, splitmix(wide)))  #: f64(0.386768045983934)
    total = 0x00000000
    for k in 1:5
        local_rng = XorShift(seed + k % UInt32)
        for _ in 1:k
            next!(local_rng)
        end
        total += local_rng.state
    end
    put(o, 9, total)  #: u32(2139597991)
    put(o, 10, bitrotate(seed, 9) ⊻ bitreverse(seed))  #: u32((7 << 9) ^ (7 << 29))
    put(o, 11, count_ones(wide) + leading_zeros(wide) + trailing_zeros(0x10))  #: i64(2 + 61 + 4)
    put(o, 12, bswap(0x01020304))  #: u32(0x04030201)
    return
end

# ---- loops with break and continue in loops, short circuits, chains
#! nests(o; 12; Int32(5))
function nests(o, n, m)
    found = (0, 0)
    for i in 1:n, j in i:n
        i * j == 35 || continue
        found = (i, j)
        break
    end
    put(o, 1, found[1])  #: i64(5)
    put(o, 2, found[2])  #: i64(7)
    count = 0
    i = 0
    while true
        i += 1
        i > n && break
        iseven(i) && continue
        j = i
        while j > 0
            j = j >> 1
            j == 3 && break
            count += 1
        end
    end
    put(o, 3, count)  #: i64(14)
    primes = 0
    for p in 2:50
        isprime = true
        for d in 2:p-1
            d * d > p && break
            if p % d == 0
                isprime = false
                break
            end
        end
        isprime || continue
        primes += 1
    end
    put(o, 4, primes)  #: i64(15)
    steps = 0
    x = 27
    while x != 1 && steps < 1000
        x = iseven(x) ? x ÷ 2 : 3x + 1
        steps += 1
    end
    put(o, 5, steps)  #: i64(111)
    a = m > 3 && n < 5 || m == 5
    put(o, 6, a)  #: true
    label = n < 5 ? :small : n < 20 ? :medium : :large
    put(o, 7, label === :medium)  #: true
    y = if m > 10
        1
    elseif m > 4
        2.0
    else
        nothing
    end
    put(o, 8, y)  #: f64(2.0)
    acc = 0
    for k in n:-3:1
        acc = 10acc + k % 10
    end
    put(o, 9, acc)  #: i64(2963)
    z = 0
    for (k, v) in enumerate((3f0, 1f0, 2f0))
        z += k * v
    end
    put(o, 10, z)  #: f32(11.0)
    s = 0
    for (u, v) in zip((1, 2, 3), (4, 5, 6))
        s += u * v
    end
    put(o, 11, s)  #: i64(32)
    put(o, 12, 1 < m <= 5 < n != 3)  #: true
    q = let t = m, r = 2
        t += r
        t * r
    end
    put(o, 13, q)  #: i64(14)
    w = 0
    for t in (1, 2, 3)
        t == 2 && continue
        w += t
    end
    put(o, 14, w)  #: i64(4)
    return
end

# ---- objects that loops make anew
mutable struct Acc{T}
    n::Int
    s::T
end
add!(a::Acc, x) = (a.n += 1; a.s += x; a)
#! made_anew(o; 5)
function made_anew(o, n)
    total = 0.0
    for i in 1:n
        a = Acc(0, 0.0)
        for j in 1:i
            add!(a, j)
        end
        total += a.s / a.n
    end
    put(o, 1, total)  #: f64(10.0)
    a = Acc(0, 0)
    for i in 1:n
        a = Acc(a.n + 1, a.s + i)
    end
    put(o, 2, a.s)  #: i64(15)
    put(o, 3, a.n)  #: i64(5)
    r = Ref(0)
    for i in 1:n
        r[] += i
    end
    put(o, 4, r[])  #: i64(15)
    best = Acc(0, -1.0)
    for i in 1:n
        c = Acc(i, Float64((i * 7) % 5))
        if c.s > best.s
            best = c
        end
    end
    put(o, 5, best.n)  #: i64(2)
    put(o, 6, best.s)  #: f64(4.0)
    x = n > 3 ? Acc(1, 2.0) : Acc(3, 4.0)
    add!(x, 1.0)
    put(o, 7, x.s)  #: f64(3.0)
    p, q = Acc(1, 1), Acc(2, 2)
    for i in 1:3
        p, q = q, p
        p.n += 10
    end
    put(o, 8, p.n)  #: i64(22)
    put(o, 9, q.n)  #: i64(11)
    return
end
better(a, b) = b.s > a.s ? b : a
#! carried(o; 6)
function carried(o, n)
    prev, cur = Acc(0, 0), Acc(1, 0)
    for i in 1:n
        next = Acc(prev.n + cur.n, i)
        prev = cur
        cur = next
    end
    put(o, 1, cur.n)  #: i64(13)
    put(o, 2, prev.n)  #: i64(8)
    a = Acc(0, 0)
    for i in 1:n
        for j in 1:i
            a = Acc(a.n + j, a.s + 1)
        end
        a.s += 100
    end
    put(o, 3, a.n)  #: i64(56)
    put(o, 4, a.s)  #: i64(621)
    b = Acc(0, 0)
    while true
        b = Acc(b.n + 1, b.s + b.n)
        b.n > n && break
    end
    put(o, 5, b.n)  #: i64(7)
    put(o, 6, b.s)  #: i64(21)
    best = Acc(0, -1)
    for i in 1:n
        best = better(best, Acc(i, 3i % 7))
    end
    put(o, 7, best.n)  #: i64(2)
    c = Acc(0, 0)
    i = 0
    while i < n && c.n < 4
        i += 1
        i == 2 && continue
        c = Acc(c.n + 1, c.s + i)
    end
    put(o, 8, c.s)  #: i64(1 + 3 + 4 + 5)
    return
end
