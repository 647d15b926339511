# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Control flow, loops, ranges, scopes.

function count_up(r)
    n = 0
    for _ in r
        n += 1
    end
    return n
end
function weigh(r)
    s = 0
    k = 1
    for x in r
        s += k * x
        k += 1
    end
    return s
end

#! ranges(o; 5; 1; Int32(4); 0x03; 0)
function ranges(o, n, one_, k, u, z)
    put(o, 1, weigh(1:n))  #: i64(sum(i*x for i, x in enumerate(range(1, 6), 1)))
    put(o, 2, weigh(n:1))  #: i64(0)
    put(o, 3, weigh(1:0))  #: i64(0)
    put(o, 4, weigh(n:n))  #: i64(5)
    put(o, 5, weigh(0:n-1))  #: i64(sum(i*x for i, x in enumerate(range(0, 5), 1)))
    put(o, 6, weigh(n:-1:1))  #: i64(sum(i*x for i, x in enumerate(range(5, 0, -1), 1)))
    put(o, 7, weigh(1:2:n))  #: i64(1+6+15)
    put(o, 8, weigh(1:2:n+1))  #: i64(1+6+15)
    put(o, 9, weigh(10:-3:1))  #: i64(10+14+12+4)
    put(o, 10, weigh(1:-1:n))  #: i64(0)
    put(o, 11, weigh(n:2:1))  #: i64(0)
    put(o, 12, weigh(-2:2))  #: i64(-2-2+0+4+10)
    put(o, 13, weigh(-n:n:n))  #: i64(-5+0+15)
    put(o, 14, weigh(k:n))  #: i64(4+10)
    put(o, 15, weigh((8, 4, 2, 1)))  #: i64(8+8+6+4)
    put(o, 16, weigh(7))  #: i64(7)
    put(o, 17, weigh(reverse(1:n)))  #: i64(5+8+9+8+5)
    put(o, 18, weigh(Base.OneTo(n)))  #: i64(55)
    put(o, 19, first(1:k))  #: i64(1)
    put(o, 20, first(k:k))  #: i32(4)
    put(o, 21, first(Int32(1):n))  #: i64(1)
    put(o, 22, first(u:0x05))  #: u8(3)
    put(o, 23, last(1:2:6))  #: i64(5)
    put(o, 24, last(1:0))  #: i64(0)
    put(o, 25, length(1:n))  #: i64(5)
    put(o, 26, length(n:1))  #: i64(0)
    put(o, 27, length(1:3:n))  #: i64(2)
    put(o, 28, length(k:-1:1))  #: i64(4)
    put(o, 29, step(1:3:n))  #: i64(3)
    put(o, 30, (2:n)[2])  #: i64(3)
    put(o, 31, (2:2:20)[3])  #: i64(6)
    put(o, 32, (1:n)[end])  #: i64(5)
    put(o, 33, 3 in 1:n)  #: true
    put(o, 34, 6 ∈ 1:n)  #: false
    put(o, 35, 4 in 1:2:n)  #: false
    put(o, 36, isempty(1:z))  #: true
    put(o, 37, sum(1:n))  #: i64(15)
    put(o, 38, maximum(1:n))  #: i64(5)
    put(o, 39, count_up(typemax(Int)-2:typemax(Int)))  #: i64(3)
    put(o, 40, count_up(0xfd:0xff))  #: i64(3)
    put(o, 41, count_up(0xfd:0x02:0xff))  #: i64(2)
    put(o, 42, count_up(typemin(Int):typemin(Int)+1))  #: i64(2)
    put(o, 43, count_up(0x01:0x00))  #: i64(0)
    put(o, 44, count_up(0.0:0.25:1.0))  #: i64(5)
    put(o, 45, last(0f0:0.5f0:2f0))  #: f32(2)
    put(o, 46, (0.0:0.1:1.0)[4])  #: f64(0.3, 1)
    put(o, 47, count_up(0.0:0.1:1.0))  #: i64(11)
    put(o, 48, sum(x^2 for x in 1:n))  #: i64(55)
    put(o, 49, sum(i * j for i in 1:3, j in 1:2))  #: i64(18)
    put(o, 50, sum(i for i in 1:10 if i % 3 == 0))  #: i64(18)
    put(o, 51, maximum(x -> -x, 1:n))  #: i64(-1)
    put(o, 52, any(x -> x > 4, 1:n))  #: true
    put(o, 53, all(isodd, 1:2:n))  #: true
    put(o, 54, count(iseven, 1:n))  #: i64(2)
    return
end

#! loops(o; 10; 3)
function loops(o, n, m)
    s = 0
    for i in 1:n
        i == m && continue
        i > 7 && break
        s += i
    end
    put(o, 1, s)  #: i64(1+2+4+5+6+7)
    s = 0
    for i = 1:m, j = i:m
        s = 10s + i * j
    end
    put(o, 2, s)  #: i64(123469)
    s = 0
    for i in 1:3, j in 1:3
        j == 2 && break
        s += 10i + j
    end
    put(o, 3, s)  #: i64(11)
    s = 0
    for i in 1:3
        for j in 1:3
            j == 2 && break
            s += 10i + j
        end
    end
    put(o, 4, s)  #: i64(63)
    s = 0
    for i in 1:3, j in 1:3
        j == i && continue
        s += 1
    end
    put(o, 5, s)  #: i64(6)
    i = 0
    while i < n
        i += m
    end
    put(o, 6, i)  #: i64(12)
    s = n
    while true
        s -= 1
        if s == 4
            continue
        elseif s < 2
            break
        end
    end
    put(o, 7, s)  #: i64(1)
    i = 5
    for i in 1:3
    end
    put(o, 8, i)  #: i64(5)
    last_seen = 0
    for i in 1:n
        last_seen = i
    end
    put(o, 9, last_seen)  #: i64(10)
    t = 0
    for i in 1:3
        local_value = i * 2
        t += local_value
    end
    put(o, 10, t)  #: i64(12)
    a, b = 0, 1
    for _ in 1:n
        a, b = b, a + b
    end
    put(o, 11, a)  #: i64(55)
    s = 0
    for (k, x) in enumerate((5, 6, 7))
        s += k * x
    end
    put(o, 12, s)  #: i64(5+12+21)
    s = 0
    for (x, y) in zip(1:3, 4:6)
        s += x * y
    end
    put(o, 13, s)  #: i64(4+10+18)
    s = 0
    for i in n:-1:1
        i % 2 == 0 || continue
        s = 3s + i
    end
    put(o, 14, s)  #: i64((((10*3+8)*3+6)*3+4)*3+2)
    offset = 8
    s = 0
    while offset > 0
        s += offset
        offset >>= 1
    end
    put(o, 15, s)  #: i64(15)
    s = 0
    for x in (1, 2.5, 3)
        s += x
    end
    put(o, 16, s)  #: f64(6.5)
    s = 0
    for i in 1:5
        j = i
        while j > 0
            j -= 2
            s += 1
        end
    end
    put(o, 17, s)  #: i64(1+1+2+2+3)
    return
end

function early(x)
    x < 0 && return -1
    if x > 10
        return 100
    end
    x
end
function value_of_if(c)
    if c
        1
    else
        2
    end
end
function no_else(c)
    if c
        1
    end
end
function chain(x)
    if x < 0
        "negative"
    elseif x == 0
        :zero
    else
        x
    end
    x > 0 ? :positive : :other
end
function many(x)
    y = if x == 1
        10
    elseif x == 2
        20
    elseif x == 3
        30
    else
        40
    end
    return y
end
side(o, i) = (o[1, i] = 9; true)

#! conditions(o; 5; 2; 0; true; false)
function conditions(o, n, m, z, t, f)
    put(o, 1, n > m ? 1 : 2)  #: i64(1)
    put(o, 2, n > m > z)  #: true
    put(o, 3, z <= m < n)  #: true
    put(o, 4, z < m > n)  #: false
    put(o, 5, 1 < m <= 2 < n)  #: true
    put(o, 6, z == z == z)  #: true
    put(o, 7, t && f)  #: false
    put(o, 8, t || f)  #: true
    put(o, 9, t & !f)  #: true
    put(o, 10, xor(t, f))  #: true
    put(o, 11, t ⊻ t)  #: false
    put(o, 12, f || t && n == 5)  #: true
    put(o, 13, t && 7)  #: i64(7)
    put(o, 14, f && side(o, 1))  #: false
    put(o, 15, t || side(o, 1))  #: true
    put(o, 16, early(-5) + early(50) + early(n))  #: i64(104)
    put(o, 17, value_of_if(t) * 10 + value_of_if(f))  #: i64(12)
    put(o, 18, no_else(true))  #: i64(1)
    put(o, 19, no_else(false))  #: nothing
    put(o, 20, many(1) + many(2) + many(3) + many(n))  #: i64(100)
    x = if n == 5 m else z end
    put(o, 21, x)  #: i64(2)
    y = begin
        a = n + 1
        a * 2
    end
    put(o, 22, y)  #: i64(12)
    w = let a = 3, b = a + 1
        a * b
    end
    put(o, 23, w)  #: i64(12)
    # What a binding's value assigns for the first time is the let's own; what is known outside is assigned there.
    outside = 0
    u = let first_value = (own = n + 1; own * 2), second_value = (within = first_value + own - 5; outside = within - 7; within)
        second_value + within - own
    end
    put(o, 24, u + outside)  #: i64(26)
    for i in (first_end = 2; 1:first_end), j in (second_end = i; 1:second_end)
        u += j
    end
    put(o, 25, u + first_end)  #: i64(26)
    put(o, 26, a)  #: i64(6)
    put(o, 27, (p = 4; q = p + 1; q * 2))  #: i64(10)
    if t
        defined_inside = 11
    end
    put(o, 28, defined_inside)  #: i64(11)
    v = 1
    v = v + 0.5
    put(o, 29, v)  #: f64(1.5)
    s::Float32 = 1
    s = s * 2.5
    put(o, 30, s)  #: f32(2.5)
    s += 1
    put(o, 31, s)  #: f32(3.5)
    local c::Int32 = 7
    c ÷= 2
    put(o, 32, c)  #: i32(3)
    acc = zero(Float32)
    acc += n
    put(o, 33, acc)  #: f32(5)
    r = 7
    r -= 2; r *= 3; r ÷= 2; r %= 4; r <<= 3; r |= 1; r ⊻= 3; r &= 0xfe
    put(o, 34, r)  #: i64(((((15 // 2) % 4) << 3 | 1) ^ 3) & 0xfe)
    h = 10
    h /= 4
    put(o, 35, h)  #: f64(2.5)
    h ^= 2
    put(o, 36, h)  #: f64(6.25)
    put(o, 37, ifelse(n > 3, 1, 2))  #: i64(1)
    put(o, 38, ifelse(t, 1, 2f0) isa Int)  #: true
    put(o, 39, n != m)  #: true
    put(o, 40, n ≠ n)  #: false
    put(o, 41, n ≥ 5 && m ≤ 2)  #: true
    put(o, 42, !(n == m))  #: true
    put(o, 43, n === 5)  #: true
    put(o, 44, n === 5.0)  #: false
    put(o, 45, n !== 5)  #: false
    put(o, 46, chain(n) === :positive)  #: true
    put(o, 47, nothing === nothing)  #: true
    put(o, 48, isnothing(no_else(false)))  #: true
    put(o, 49, something(no_else(false), 3))  #: i64(3)
    max = 3
    min = max + 1
    put(o, 50, max * min)  #: i64(12)
    sum = 0
    for step in 1:3
        sum += step
    end
    put(o, 51, sum)  #: i64(6)
    π = 3
    put(o, 52, π + 1)  #: i64(4)
    e = 2; N = 3; I = 4; T = 5
    put(o, 53, e + N + I + T)  #: i64(14)
    z1 = z2 = n
    put(o, 54, z1 + z2)  #: i64(10)
    return
end

# One name, different types in different places; defined under a condition and used under the same.
#! variables(o; 5; Int32(2))
function variables(o, n, k)
    i = k + 1i32
    put(o, 1, i)  #: i32(3)
    i = n + 1
    put(o, 2, i)  #: i64(6)
    i = 2.5
    put(o, 3, i)  #: f64(2.5)
    if n > 3
        only_here = n * 2
    end
    if n > 3
        put(o, 4, only_here)  #: i64(10)
    end
    f = 1f0
    for j in 1:n
        f = f * j
    end
    put(o, 5, f)  #: f32(120)
    g = 0
    for j in 1:3
        g = j == 2 ? j : g
    end
    put(o, 6, g)  #: i64(2)
    k2 = k
    k2 += 1i32
    put(o, 7, k2)  #: i32(3)
    k2 += 1
    put(o, 8, k2)  #: i64(4)
    idx = k
    while idx < 10
        idx = idx * 2i32
    end
    put(o, 9, idx)  #: i32(16)
    acc = 0
    for j in 1:3
        acc += 0.5
    end
    put(o, 10, acc)  #: f64(1.5)
    return
end
