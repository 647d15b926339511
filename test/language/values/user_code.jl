# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels as packages write them: wrappers of arrays, functions kept in constants, symbols as arguments, macros with
# defaults, modules that name themselves. Expected values were worked out by hand.

# ---- wrappers of arrays
#! wrappers(o; reshape(collect(1.0:6.0), 2, 3); reshape([1im, 3+1im, 2+0im, 4+0im], 2, 2); reshape(collect(1:24), 2, 3, 4))
function wrappers(o, m, z, A)
    t = transpose(m)                       # m = [1 3 5; 2 4 6]
    put(o, 1, t[3, 1])  #: f64(5)
    put(o, 2, size(t, 1) * 10 + size(t, 2))  #: i64(32)
    put(o, 3, m'[2, 2])  #: f64(4)
    put(o, 4, imag(z'[1, 2]))  #: i64(-1)
    put(o, 5, imag(transpose(z)[1, 2]))  #: i64(1)
    t[2, 1] = 30.0
    put(o, 6, m[1, 2])  #: f64(30)
    put(o, 7, sum(t))  #: f64(21 + 27)
    p = PermutedDimsArray(A, (3, 1, 2))
    put(o, 8, p[4, 2, 3])  #: i64(24)
    put(o, 9, p[2, 1, 3])  #: i64(1 + 0 + 4 + 6)
    put(o, 10, size(p, 1) * 100 + size(p, 2) * 10 + size(p, 3))  #: i64(423)
    put(o, 11, transpose(transpose(m)) === m)  #: true
    s = selectdim(A, 2, 3)
    put(o, 12, s[2, 4])  #: i64(2 + 4 + 18)
    return
end
#! boxes(o; reshape(collect(1:20), 4, 5))
function boxes(o, A)
    inner = CartesianIndices(A)[2:end-1, 2:end-1]
    s = 0
    for I in inner
        s += A[I]
    end
    put(o, 1, s)  #: i64(6 + 7 + 10 + 11 + 14 + 15)
    put(o, 2, length(inner))  #: i64(6)
    column = CartesianIndices(A)[:, 3:3]
    put(o, 3, A[first(column)] + A[last(column)])  #: i64(9 + 12)
    put(o, 4, A[inner[1, 2]])  #: i64(10)
    odd = CartesianIndices(A)[1:2:4, 1:2]
    put(o, 5, A[odd[2, 2]])  #: i64(7)
    return
end
#! sorted(o; [1.0, 2.0, 2.0, 2.0, 5.0]; [9, 7, 7, 1])
function sorted(o, v, falling)
    put(o, 1, searchsortedfirst(v, 2.0))  #: i64(2)
    put(o, 2, searchsortedlast(v, 2.0))  #: i64(4)
    put(o, 3, searchsortedfirst(v, 9.0))  #: i64(6)
    put(o, 4, searchsortedlast(v, 0.5))  #: i64(0)
    put(o, 5, length(searchsorted(v, 2.0)))  #: i64(3)
    put(o, 6, searchsortedfirst(falling, 7; rev=true))  #: i64(2)
    put(o, 7, searchsortedlast(falling, 7; rev=true))  #: i64(3)
    put(o, 8, searchsortedfirst(v, -4.5; by=abs))  #: i64(5)
    put(o, 9, insorted(5.0, v) & !insorted(3.0, v))  #: true
    return
end
#! splatted_updates(o; ones(Float32, 3, 3); (2, 3))
function splatted_updates(o, A, I)
    A[I...] *= 3
    A[1, I[2]...] += 1
    A[I[1:0]..., 5] -= 4
    put(o, 1, A[2, 3])  #: f32(3)
    put(o, 2, A[1, 3])  #: f32(2)
    put(o, 3, A[2, 2])  #: f32(-3)
    return
end

# ---- functions kept in constants
const Square = x -> x^2
half = function (x)
    return x / 2
end
const Operators = (twice = x -> 2x, sine = sin)
const Chosen = (+, (a, b) -> a * b)
#! constant_functions(o; 3)
function constant_functions(o, x)
    put(o, 1, Square(x))  #: i64(9)
    put(o, 2, half(x))  #: f64(1.5)
    put(o, 3, Operators.twice(x))  #: i64(6)
    put(o, 4, Chosen[2](x, 5))  #: i64(15)
    put(o, 5, sum(map(Square, (1, 2, x))))  #: i64(14)
    return
end

# ---- symbols
#! symbols(o; :left; 3)
function symbols(o, side::Symbol, n)
    put(o, 1, side === :left)  #: true
    put(o, 2, side == :right)  #: false
    other = n > 2 ? :right : side
    put(o, 3, other === :right)  #: true
    put(o, 4, side == :left ? 1 : 2)  #: i64(1)
    return
end

# ---- macros
macro scaled(x, by=2, add=:(zero(n)))
    return :($(esc(x)) * $by + $(esc(add)))
end
#! macro_defaults(o; 5)
function macro_defaults(o, n)
    put(o, 1, @scaled(n))  #: i64(10)
    put(o, 2, @scaled(n, 3))  #: i64(15)
    put(o, 3, @scaled n 3 n)  #: i64(20)
    put(o, 4, @evalpoly(n, 1, 2, 3))  #: i64(1 + 10 + 75)
    return
end

# ---- loops
#! outer_loops(o; 7)
function outer_loops(o, n)
    i = 0
    for outer i in 1:n
        i * i > 10 && break
    end
    put(o, 1, i)  #: i64(4)
    j = -1
    for outer j = 1:2, k in 1:3
        k == 2 && break
    end
    put(o, 2, j)  #: i64(1)
    a, rest... = (n, 2, 3.0)
    put(o, 3, rest[1] + rest[2])  #: f64(5)
    (a, b), more... = ((1, 2), n, 4.0, 0x05)
    put(o, 4, more[3])  #: u8(5)
    put(o, 5, length(more))  #: i64(3)
    return
end

# ---- missing
#! unknown(o; 4; 0)
function unknown(o, a, b)
    x = a > 2 ? a : missing
    y = b > 2 ? b : missing
    put(o, 1, coalesce(x + 1, -1))  #: i64(5)
    put(o, 2, coalesce(y + 1, -1))  #: i64(-1)
    put(o, 3, ismissing(x * y))  #: true
    put(o, 4, isequal(y, missing))  #: true
    put(o, 5, coalesce(ismissing(y) | missing, false))  #: true
    return
end

# ---- modules as packages have them
module Package
module Constants
const scale = 40
export scale
end
module Uses
using Package.Constants
import Package.Constants: scale as factor
scaled(x) = scale * x + factor
end
end
#! modules(o; 2)
function modules(o, x)
    put(o, 1, Package.Uses.scaled(x))  #: i64(120)
    return
end

# ---- long sums
#! long_sum(o; 3)
function long_sum(o, x)
    put(o, 1, x + 1 + x + 2 + x + 3 + x + 4 + x + 5 + x + 6 + x + 7 + x + 8 + x + 9 + x + 10 + x + 11 + x + 12 + x + 13 + x + 14 + x + 15 + x + 16 + x + 17 + x + 18)  #: i64(18 * 3 + 171)
    put(o, 2, max(x, 1, 8, 2, 9, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7, 8, 2, 1, 0))  #: i64(9)
    return
end

# ---- @inbounds and @propagate_inbounds: a check is left out in what an @inbounds call names, and in what that calls only if it
# propagates.
@inline function checked(n)
    unchecked = true
    @boundscheck unchecked = false
    return unchecked ? n : -n
end
Base.@propagate_inbounds passes(n) = checked(n)
Base.@propagate_inbounds passes_twice(n, m=1) = passes(n) + m
@inline stops(n) = checked(n)
@noinline far(n) = checked(n)
#! inbounds_contexts(o; 5)
function inbounds_contexts(o, n)
    put(o, 1, checked(n))  #: i64(-5)
    put(o, 2, @inbounds checked(n))  #: i64(5)
    put(o, 3, passes(n))  #: i64(-5)
    put(o, 4, @inbounds passes(n))  #: i64(5)
    put(o, 5, @inbounds stops(n))  #: i64(-5)
    put(o, 6, @inbounds far(n))  #: i64(-5)
    put(o, 7, @inbounds passes_twice(n))  #: i64(6)
    @inbounds begin
        put(o, 8, passes(n) + stops(n))  #: i64(0)
    end
    return
end

# ---- the forms of Atomix' macros
#! atomic_forms(o; zeros(Float32, 8); 2f0)
function atomic_forms(o, y, x)
    Atomix.@atomic y[1] += x
    put(o, 1, y[1])  #: f32(2)
    Atomix.@atomic y[2] = x + 3
    put(o, 2, Atomix.@atomic y[2])  #: f32(5)
    p = Atomix.@atomic y[3] max x
    put(o, 3, p.second - p.first)  #: f32(2)
    q = Atomix.@atomic max(y[1], 1f0)
    put(o, 4, q.first + q.second)  #: f32(4)
    put(o, 5, Atomix.@atomicswap y[5] = 9f0)  #: f32(0)
    put(o, 6, y[5])  #: f32(9)
    r = Atomix.@atomicreplace y[6] 0f0 => 3f0
    put(o, 7, r.success)  #: true
    put(o, 8, (Atomix.@atomicreplace y[6] 0f0 => 4f0).old)  #: f32(3)
    @atomic :monotonic y[7] = min(x, 1f0)
    put(o, 9, y[7])  #: f32(1)
    return
end
