# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which method a call takes: Vararg with a count (the manual's "Parametrically-constrained Varargs methods"), methods for kernels
# alone (CUDA.@device_override of CUDA.jl); and loops behind macros as expressions (the manual's "Macros": @m x and @m(x) are the same).

using CUDA: @device_override

bar(a, b, x::Vararg{Any,2}) = (a, b, x)          # the manual's own example
bar2(a::AbstractVector{T}, x::Vararg{T,N}) where {T,N} = N * sizeof(T)
exactly(a::Vararg{Int,2}) = 2
exactly(a::Vararg{Int,3}) = 3
exactly(a::Vararg{Int}) = -length(a)
mean_of(a::Vararg{Float32,N}) where {N} = sum(a) / N
pairs_of(a::Vararg{Tuple{T,T},2}) where {T} = a[1][1] + a[2][2]
scaled_sum(a::Vararg{Int,2}; by = 3) = (a[1] + a[2]) * by
call_with(f, a...) = f(a...)

#! varargs(o; 5)
function varargs(o, x)
    put(o, 1, bar(1, 2, 3, x)[3][2])  #: i64(5)
    put(o, 2, length(bar(1, 2, 3, x)[3]))  #: i64(2)
    put(o, 3, exactly(x, 1))  #: i64(2)
    put(o, 4, exactly(x, 1, 2))  #: i64(3)
    put(o, 5, exactly(x, 1, 2, 3))  #: i64(-4)
    put(o, 6, exactly(x))  #: i64(-1)
    put(o, 7, mean_of(1f0, 2f0, 6f0))  #: f32(3)
    put(o, 8, pairs_of((1, 2), (3, x)))  #: i64(6)
    put(o, 9, scaled_sum(x, 2))  #: i64(21)
    put(o, 10, scaled_sum(x, 2; by = 10))  #: i64(70)
    put(o, 11, call_with(exactly, x, x, x))  #: i64(3)
    f = (a, b::Vararg{Int,2}) -> a * b[1] + b[2]
    put(o, 12, f(x, 2, 3))  #: i64(13)
    put(o, 13, exactly((x, 1)...))  #: i64(2)
    return
end
#! counts_wrongly(o): status 1: MethodError: no method matching bar\(::Int64, ::Int64, ::Int64\)
function counts_wrongly(o)
    o[1, 1] = length(bar(1, 2, 3))
    return
end

host_value() = 1
@device_override host_value() = 2
const Evaluated = host_value()
macro evaluated() host_value() end
nested(x) = x + host_value()
Base.sign(x::Int16) = Int16(5)
@device_override Base.sign(x::Int16) = Int16(6)

#! overrides(o; host_value())
function overrides(o, passed)
    put(o, 1, host_value())  #: i64(2)
    put(o, 2, passed)  #: i64(1)
    put(o, 3, Evaluated)  #: i64(1)
    put(o, 4, @evaluated)  #: i64(1)
    put(o, 5, nested(10))  #: i64(12)
    put(o, 6, map(nested, (1, 2))[2])  #: i64(4)
    put(o, 7, sign(Int16(-3)))  #: i16(6)
    put(o, 8, sign(-3))  #: i64(-1)
    return
end

last_of(a, b = nothing) = a
#! blocks(o; (1, 2, 3))
function blocks(o, t)
    s = 0
    (@inbounds for i in 1:3; s += t[i]; end)
    put(o, 1, s)  #: i64(6)
    last_of((@inbounds for i in 1:3; s += t[i]; end), (@fastmath if s > 3; s += 1; end))
    put(o, 2, s)  #: i64(13)
    put(o, 3, last_of(@inbounds begin; s += 1; s; end))  #: i64(14)
    put(o, 4, s > 0 ? (@inbounds let k = 2; t[k]; end) : 0)  #: i64(2)
    put(o, 5, sum(@inbounds t[i] for i in 1:2))  #: i64(3)
    put(o, 6, (@inbounds while s < 20; s += 7; end) === nothing)  #: true
    put(o, 7, s)  #: i64(21)
    return
end
