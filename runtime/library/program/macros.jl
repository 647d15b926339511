# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/errors
# Macros that measure time and memory, and names of the running script.
macro time(ex)
    quote
        local t0 = time_ns()
        local val = $(esc(ex))
        Base.__report_time(time_ns() - t0)
        val
    end
end
macro time(text, ex)
    quote
        local t0 = time_ns()
        local val = $(esc(ex))
        print($(esc(text)), ": ")
        Base.__report_time(time_ns() - t0)
        val
    end
end
macro elapsed(ex)
    quote
        local t0 = time_ns()
        $(esc(ex))
        Float64(time_ns() - t0) / 1e9
    end
end
macro timed(ex)
    quote
        local t0 = time_ns()
        local val = $(esc(ex))
        (value=val, time=Float64(time_ns() - t0) / 1e9, bytes=0, gctime=0.0)
    end
end
macro allocated(ex)
    quote
        $(esc(ex))
        0
    end
end
__report_time(ns) = println("  ", __format("%.6f", Float64(ns) / 1e9), " seconds")
struct __Environment end
const ENV = __Environment()
function getindex(::__Environment, name::String)
    v = __environment(name)
    v === nothing && throw(KeyError(name))
    return v
end
get(::__Environment, name::String, default) = (v = __environment(name); v === nothing ? default : v)
haskey(::__Environment, name::String) = __environment(name) !== nothing
setindex!(::__Environment, v, name::String) = (__set_environment(name, string(v)); v)
delete!(::__Environment, name::String) = __set_environment(name, nothing)
isinteractive() = false
abspath_of_program() = abspath(PROGRAM_FILE)
# Pointers on the host: programs can make and compare them and pass them to kernels, but not read through them.
const C_NULL = Ptr{Nothing}(UInt64(0))
(::Type{P})(n::Integer) where {P<:Ptr} = int_to_pointer(P, rem(n, UInt64))
convert(::Type{P}, n::Integer) where {P<:Ptr} = P(n)
reinterpret(::Type{P}, n::Union{Int64,UInt64}) where {P<:Union{Ptr,LLVMPtr}} = int_to_pointer(P, rem(n, UInt64))
reinterpret(::Type{P}, p::Ptr) where {P<:LLVMPtr} = pointer_cast(P, p)
reinterpret(::Type{P}, p::LLVMPtr) where {P<:Ptr} = pointer_cast(P, p)
print(io::IO, p::Union{Ptr,LLVMPtr}) = show(io, p)
show(io::IO, p::Ptr) = print(io, __type_text(typeof(p)), "(0x", string(UInt64(p); base=16, pad=16), ")")

const Cchar = Int8
const Cuchar = UInt8
const Cshort = Int16
const Cushort = UInt16
const Culong = UInt64
const Clonglong = Int64
const Culonglong = UInt64
const Cssize_t = Int64
const Cptrdiff_t = Int64
module SpecialFunctions
import Base: erf, erfc, gamma, loggamma
export erf, erfc, gamma, loggamma
end
rtoldefault(x, y, atol) = atol > 0 ? 0 : max(rtoldefault(real(x)), rtoldefault(real(y)))
# Converts a tuple to a number of the same size in bytes, or a number to such a tuple.
reinterpret(::Type{T}, x::Tuple) where {T} = __same_bytes(T, x)
reinterpret(::Type{T}, x::Number) where {T<:Tuple} = __same_bytes(T, x)
__same_bytes(T, x) = sizeof(T) == sizeof(x) ? only(__reinterpreted(T, [x], (1,))) : throw(ArgumentError(string("Packed size of source type ", typeof(x), " and of ", T, " differ")))
(::Type{Colon})() = (:)
module BFloat16s
import Base: BFloat16
export BFloat16
end
module Printf
macro sprintf(text, args...)
    Expr(:call, :__format, text, map(esc, args)...)
end
macro printf(first, args...)
    if first isa String
        return :(print(stdout, $(Expr(:call, :__format, first, map(esc, args)...))))
    end
    return :(print($(esc(first)), $(Expr(:call, :__format, args[1], map(esc, args[2:end])...))))
end
format(text::String, args...) = __format(text, args...)
struct Format
    text::String
end
macro format_str(text)
    :(Format($text))
end
format(f::Format, args...) = __format(f.text, args...)
format(io::IO, f::Format, args...) = write(io, __format(f.text, args...))
export @printf, @sprintf
end
module Statistics
median(A; dims=:) = dims === (:) ? median_of_all(A) : mapslices(median, A; dims=dims)
function median_of_all(A)
    isempty(A) && throw(ArgumentError("median of an empty array is undefined"))
    v = vec(collect(A))
    any(ismissing, v) && return missing
    any(x -> x isa Number && isnan(x), v) && return convert(eltype(v), NaN)
    v = sort(v)
    n = length(v)
    return isodd(n) ? middle(v[div(n, 2)+1]) : middle(v[div(n, 2)], v[div(n, 2)+1])
end
middle(x::Number) = (x + zero(x)) / 1
middle(x::Number, y::Number) = x / 2 + y / 2
middle(A) = middle(minimum(A), maximum(A))
function quantile(A, p::Real)
    v = sort(collect(A))
    h = (length(v) - 1) * p + 1
    i = floor(Int, h)
    i >= length(v) && return float(v[end])
    return v[i] + (h - i) * (v[i+1] - v[i])
end
export median, quantile, middle
end
module BenchmarkTools
# Repeats f for about 0.2 s and returns the shortest time.
function measured(f)
    f()
    best = typemax(Int)
    spent = 0
    runs = 0
    while runs < 3 || (spent < 200_000_000 && runs < 10_000)
        t0 = time_ns()
        f()
        t = Int(time_ns() - t0)
        best = min(best, t)
        spent += t
        runs += 1
    end
    return best / 1e9
end
function pretty(t)
    t < 1e-6 && return Base.__format("%.3f ns", t * 1e9)
    t < 1e-3 && return Base.__format("%.3f μs", t * 1e6)
    t < 1 && return Base.__format("%.3f ms", t * 1e3)
    return Base.__format("%.3f s", t)
end
__without_dollar(x) = x
__without_dollar(x::Expr) = x.head === :$ ? x.args[1] : Expr(x.head, map(__without_dollar, x.args)...)
# The code after the code of `setup = ...`, which runs once.
function __after_setup(rest, code)
    setup = [esc(__without_dollar(r.args[2])) for r in rest if r isa Expr && r.head in (:(=), :kw) && r.args[1] === :setup]
    return isempty(setup) ? code : Expr(:let, Expr(:block), Expr(:block, setup..., code))
end
macro belapsed(ex, rest...)
    __after_setup(rest, :(measured(() -> $(esc(__without_dollar(ex))))))
end
macro btime(ex, rest...)
    __after_setup(rest, quote
        local f = () -> $(esc(__without_dollar(ex)))
        println("  ", pretty(measured(f)))
        f()
    end)
end
macro benchmark(ex, rest...)
    __after_setup(rest, :(measured(() -> $(esc(__without_dollar(ex))))))
end
macro ballocated(ex, rest...)
    __after_setup(rest, :(@allocated $(esc(__without_dollar(ex)))))
end
export @ballocated, @belapsed, @btime, @benchmark
end
copy(ex::Expr) = Expr(ex.head, map(x -> x isa Expr ? copy(x) : x, ex.args)...)
module NVTX
macro range(text, ex)
    esc(ex)
end
macro mark(text)
    nothing
end
macro annotate(ex...)
    esc(ex[end])
end
export @range, @mark, @annotate
end
macro raw_str(text)
    text
end
NamedTuple() = (;)
ismutable(x) = ismutabletype(typeof(x))
function __seed_generator end # methods in another module seed its generator
# Module Threads for a program with one thread: @threads runs the loop's iterations in order.
module Threads
nthreads(pool=nothing) = 1
threadid() = 1
maxthreadid() = 1
macro threads(ex...)
    esc(ex[end])
end
mutable struct Atomic{T}
    value::T
end
Atomic{T}() where {T} = Atomic{T}(zero(T))
Base.getindex(a::Atomic) = a.value
Base.setindex!(a::Atomic{T}, v) where {T} = (a.value = convert(T, v); v)
function __updated!(a::Atomic{T}, v) where {T}
    old = a.value
    a.value = convert(T, v)
    old
end
atomic_add!(a::Atomic, v) = __updated!(a, a.value + v)
atomic_sub!(a::Atomic, v) = __updated!(a, a.value - v)
atomic_and!(a::Atomic, v) = __updated!(a, a.value & v)
atomic_or!(a::Atomic, v) = __updated!(a, a.value | v)
atomic_xor!(a::Atomic, v) = __updated!(a, xor(a.value, v))
atomic_max!(a::Atomic, v) = __updated!(a, max(a.value, v))
atomic_min!(a::Atomic, v) = __updated!(a, min(a.value, v))
atomic_xchg!(a::Atomic, v) = __updated!(a, v)
function atomic_cas!(a::Atomic, expected, v)
    a.value === expected ? __updated!(a, v) : a.value
end
atomic_fence() = nothing
export @threads, nthreads, threadid, Atomic, atomic_add!, atomic_sub!, atomic_and!, atomic_or!, atomic_xor!, atomic_max!, atomic_min!, atomic_xchg!, atomic_cas!, atomic_fence
end
module InteractiveUtils
versioninfo(io::Base.IO=Base.stdout; keywords...) = println(io, "Kiln, which follows Julia ", VERSION)
export versioninfo
end
