# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What definitions and macros make: @generated methods, @eval loops that run, keyword arguments of nested functions,
# Base.Cartesian, included files, views.
import Base.Cartesian: @nexprs, @ntuple, @ncall, @nif, @nloops, @nref, @nall, @nany, @nextract

include("parts/included.jl")
include(joinpath(@__DIR__, "parts", "there_is_no_such_file.jl"))

# ---- @generated
@generated function sum_fields(t::T) where {T<:Tuple}
    code = :(t[1])
    for i in 2:fieldcount(T)
        code = :($code + t[$i])
    end
    return code
end
@generated length_of(t::NTuple{N,Any}) where {N} = N
@generated function product(t::NTuple{N,T}) where {N,T}
    Expr(:call, :*, [:(t[$i]) for i in 1:N]...)
end
@generated function added(x, ys...)
    code = :x
    for i in 1:length(ys)
        code = quote
            sofar = $code
            sofar + ys[$i]
        end
    end
    code
end
struct Times{N} end
@generated function repeated(::Times{N}, x) where {N}
    quote
        s = zero(x)
        Base.Cartesian.@nexprs $N i -> s += i * x
        s
    end
end
@inline @generated function by_kind(x; scale=2)
    x <: AbstractFloat ? :(x * scale) : :(x - scale)
end
function optionally(x)
    if @generated
        :(x + $(sizeof(x)))
    else
        x + sizeof(x)
    end
end
@generated function named_fields(x::T) where {T}
    parts = Any[]
    for name in fieldnames(T)
        push!(parts, :(x.$name))
    end
    return Expr(:tuple, parts...)
end
struct Pair3
    a::Int32
    b::Float64
    c::Int8
end
@generated function hidden_names(x)
    v = gensym("v")
    quote
        $v = x + 1
        $v * $v
    end
end

#! generates(o; 5)
function generates(o, n)
    put(o, 1, sum_fields((n, 2.0, Int32(3))))  #: f64(10)
    put(o, 2, sum_fields((n,)))  #: i64(5)
    put(o, 3, length_of((n, n, n)))  #: i64(3)
    put(o, 4, product((n, 2, 3)))  #: i64(30)
    put(o, 5, product((1.5f0, 2f0)))  #: f32(3)
    put(o, 6, added(n))  #: i64(5)
    put(o, 7, added(n, 1.5, Int32(2)))  #: f64(8.5)
    put(o, 8, repeated(Times{3}(), n))  #: i64(5 + 10 + 15)
    put(o, 9, by_kind(1.5f0))  #: f32(3)
    put(o, 10, by_kind(n; scale=3))  #: i64(2)
    put(o, 11, optionally(n))  #: i64(13)
    put(o, 12, optionally(Int16(1)))  #: i64(3)
    put(o, 13, named_fields(Pair3(1, 2.5, 3))[2])  #: f64(2.5)
    put(o, 14, named_fields(Pair3(1, 2.5, 3))[3])  #: i8(3)
    put(o, 15, hidden_names(n))  #: i64(36)
    return
end

# ---- nested functions
#! nested_keywords(o; 5)
function nested_keywords(o, x)
    g(a; b=2, c=a) = a + b + c
    put(o, 1, g(x))  #: i64(12)
    put(o, 2, g(1; b=3, c=2))  #: i64(6)
    put(o, 3, g(1; c=2.5))  #: f64(5.5)
    h(a, d=x; b=x, rest...) = a + b * d + rest.c
    put(o, 4, h(1; c=10))  #: i64(36)
    put(o, 5, h(1, 2, b=1, c=3))  #: i64(6)
    options = (b=7, c=1)
    put(o, 6, h(1, 0; options...))  #: i64(2)
    b = 100 # its own variable, not the argument
    put(o, 7, h(1, 1; c=0, b=2) + b)  #: i64(103)
    k = function (a, n=x)
        a + n
    end
    put(o, 8, k(1) + k(2, 3))  #: i64(11)
    m = (a; by=3) -> a * by
    put(o, 9, m(2))  #: i64(6)
    put(o, 10, m(2; by=x))  #: i64(10)
    return
end

# ---- code that makes code
for i in 1:3
    name = Symbol("repeat_", i)
    body = :(x)
    for j in 2:i
        body = :($body + x)
    end
    @eval $name(x) = $body - $i
end
let ops = [:+, :-]
    for op in ops
        name = op == :+ ? :plus_of : :minus_of
        @eval $name(a, b) = $op(a, b)
    end
end
for T in (:Int32, :Int64)
    name = Symbol("to_", lowercase(string(T)))
    @eval begin
        $name(x) = $T(x)
    end
end
names_and_values = [(:first_of_two, 1), (:second_of_two, 2)]
for (name, k) in names_and_values
    eval(:($name(t) = t[$k]))
end
macro twice(code)
    quote
        $(esc(code))
        $(esc(code))
    end
end
macro four_times(code)
    :(@twice @twice $(esc(code)))
end
macro each_doubled(names...)
    Expr(:block, [:($(esc(n)) *= 2) for n in names]...)
end
macro rewritten(code)
    @assert code.head === :call
    op, a, b = code.args[1], code.args[2], code.args[3]
    op === :+ ? :($(esc(a)) * $(esc(b)) + 1) : esc(code)
end
macro set_twice(name, value)
    v = gensym("v")
    quote
        $v = $(esc(value))
        $(esc(name)) = $v * 2
    end
end
macro quoted_inside(n)
    q = :(:(1 + $(Expr(:$, :n))))
    code = :(0)
    for i in 1:n
        code = :($code + $i)
    end
    code
end
macro swapped_args(code)
    code.args[2], code.args[3] = code.args[3], code.args[2]
    return esc(code)
end

#! made_code(o; 3)
function made_code(o, x)
    put(o, 1, repeat_1(x))  #: i64(2)
    put(o, 2, repeat_3(x))  #: i64(6)
    put(o, 3, plus_of(x, 20) + minus_of(10, x))  #: i64(30)
    put(o, 4, to_int32(x))  #: i32(3)
    put(o, 5, to_int64(Int8(4)))  #: i64(4)
    put(o, 6, first_of_two((x, 2f0)))  #: i64(3)
    put(o, 7, second_of_two((x, 2f0)))  #: f32(2)
    a = x
    b = 1.5
    @four_times a += 3
    put(o, 8, a)  #: i64(15)
    @each_doubled a b
    put(o, 9, a)  #: i64(30)
    put(o, 10, b)  #: f64(3)
    put(o, 11, @rewritten x + 4)  #: i64(13)
    put(o, 12, @rewritten x - 4)  #: i64(-1)
    @set_twice y x
    put(o, 13, y)  #: i64(6)
    put(o, 14, @quoted_inside 4)  #: i64(10)
    put(o, 15, @swapped_args x - 10)  #: i64(7)
    put(o, 16, from_file(x))  #: i64(43)
    return
end

# ---- Base.Cartesian
#! cartesian(o; 3; (3, 4))
function cartesian(o, x, t)
    @nexprs 3 i -> a_i = x + i
    tuple_of = @ntuple 3 i -> a_i - x
    put(o, 1, +(tuple_of...))  #: i64(6)
    put(o, 2, @ncall 3 max a)  #: i64(6)
    put(o, 3, @nif 3 d -> x < d d -> 10d d -> 30)  #: i64(30)
    put(o, 4, @nif 5 d -> x < d d -> 10d d -> 70)  #: i64(40)
    s = 0
    @nloops 2 i d -> 1:t[d] begin
        s += @ncall(2, *, i)
    end
    put(o, 5, s)  #: i64(sum(i * j for i in range(1, 4) for j in range(1, 5)))
    rows = 0
    @nloops 2 i d -> 1:t[d] d -> (d == 2 && (rows += 100)) d -> (d == 1 && (rows += 1)) nothing
    put(o, 6, rows)  #: i64(4 * 100 + 12)
    @nextract 2 n t
    put(o, 7, n_1 * 10 + n_2)  #: i64(34)
    put(o, 8, @nall 2 d -> n_d > 2)  #: true
    put(o, 9, @nany 2 d -> n_d > 3)  #: true
    put(o, 10, @nall 2 d -> n_d > 3)  #: false
    @nexprs 2 d -> b_{d + 1} = n_d
    put(o, 11, b_2 + b_3)  #: i64(7)
    put(o, 12, (@nref 2 o d -> 3 - d) == o[2, 1])  #: true
    return
end

# ---- the rest
f_of(; a, b=2) = a - b
#! various(o; zeros(2, 3); 2)
function various(o, A, n)
    @static_assert sizeof(n) == 8 "wide"
    for j in 1:3, i in 1:2
        A[i, j] = 3(i - 1) + j
    end
    @views r = A[1, 2:3]
    put(o, 1, r[2])  #: f64(3)
    @views put(o, 2, A[2, 1])  #: f64(4)
    @views A[2, 2] = 7
    put(o, 3, A[2, 2])  #: f64(7)
    put(o, 4, max(n..., 1))  #: i64(2)
    T = @NamedTuple{a::Int32, b::Float64}
    put(o, 5, fieldtype(T, :b)(1))  #: f64(1)
    put(o, 6, f_of(; a=5, (b=n,)...))  #: i64(3)
    return
end

# What cannot be generated is a fault where it is called.
@generated fails(x) = error("no code for ", x)
#! calls_fails(o; 1): status 1: the generator of fails\(::Int64\) failed: .*no code for
function calls_fails(o, x)
    o[1, 1] = fails(x)
    return
end
@generated loops_for_ever(x) = (i = 0; while true; i += 1; end; :x)
#! calls_loop(o; 1): status 1: more than [0-9]+ steps
function calls_loop(o, x)
    o[1, 1] = loops_for_ever(x)
    return
end
#! asserts(o; Int32(1)): status 1: static assertion failed: wide
function asserts(o, x)
    @static_assert sizeof(x) == 8 "wide"
    return
end
#! missing_file(o): status 1: there_is_no_such_file.jl
function missing_file(o)
    defined_in_missing_file(o)
    return
end

# ---- scratch memory of a thread
#! scratch(o; 3)
function scratch(o, x)
    a = MArray{Tuple{3},Int}(undef)
    for i in 1:3
        a[i] = i * x
    end
    put(o, 1, a[1] + a[2] + a[3])  #: i64(18)
    m = MMatrix{2,3,Float32}(undef)
    for j in 1:3, i in 1:2
        m[i, j] = 10i + j
    end
    put(o, 2, m[2, 3])  #: f32(23)
    put(o, 3, m[2])  #: f32(21)
    put(o, 4, length(m) + size(m, 2))  #: i64(9)
    v = MVector{2,Float64}(1, x)
    v[1] += v[2]
    put(o, 5, v[1])  #: f64(4)
    put(o, 6, sum(Tuple(MVector(1, 2, x))))  #: i64(6)
    return
end
