# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; overlay: program; after: program/domain
# Random numbers in compiled code of programs: those that lib/programs/random.cpp draws for the interpreter, in the same
# order.
const HostRNG = Union{Xoshiro,MersenneTwister}
const DrawnReal = Union{BitInteger,Bool,IEEEFloat}
const Drawn = Union{DrawnReal,Complex{<:DrawnReal}}
const DrawnFloat = Union{IEEEFloat,Complex{<:IEEEFloat}}
@inline __random_word(engine) = ccall("extern kiln.reference.random_word", llvmcall, UInt64, (Int,), engine)
@inline __random_number(engine, draw::UInt8) = ccall("extern kiln.reference.random_number", llvmcall, Float64, (Int, UInt8), engine, draw)
@inline __random_below(engine, count::UInt64) = ccall("extern kiln.reference.random_below", llvmcall, UInt64, (Int, UInt64), engine, count)

@inline __uniform(engine, ::Type{Float64}) = uitofp(Float64, lshr_int(__random_word(engine), 11)) * 1.1102230246251565e-16
@inline __uniform(engine, ::Type{Float32}) = uitofp(Float32, lshr_int(__random_word(engine), 40)) * 5.9604645f-8
@inline __uniform(engine, ::Type{Float16}) = Float16(uitofp(Float32, lshr_int(__random_word(engine), 54)) * 0.0009765625f0)
@inline __uniform(engine, ::Type{Bool}) = __random_word(engine) > 0x7fffffffffffffff
@inline __uniform(engine, ::Type{T}) where {T<:BitInteger} = (low = __random_word(engine); __from_random(T, low, __random_word(engine)))
@inline __from_random(::Type{T}, low, high) where {T} = rem(low, T)
@inline __from_random(::Type{T}, low, high) where {T<:Union{Int128,UInt128}} = rem(or_int(shl_int(zext_int(UInt128, high), 64), zext_int(UInt128, low)), T)
@inline __uniform(engine, ::Type{Complex{T}}) where {T} = (re = __uniform(engine, T); Complex{T}(re, __uniform(engine, T)))
@inline __normal(engine, ::Type{T}) where {T<:IEEEFloat} = T(__random_number(engine, 0x01))
@inline __normal(engine, ::Type{Float16}) = Float16(Float32(__random_number(engine, 0x01)))
@inline __normal(engine, ::Type{Complex{T}}) where {T} = (s = T(0.7071067811865476); re = __normal(engine, T) * s; Complex{T}(re, __normal(engine, T) * s))
@inline __exponential(engine, ::Type{T}) where {T<:IEEEFloat} = T(__random_number(engine, 0x02))
@inline __exponential(engine, ::Type{Float16}) = Float16(Float32(__random_number(engine, 0x02)))
@inline one_of(n::Int) = __place_of(0, n)
@inline function __place_of(engine, n)
    n > 0 || throw(ArgumentError("collection must be non-empty"))
    return rem(__random_below(engine, rem(n, UInt64)), Int) + 1
end
@inline __element_of(engine, items) = items[__place_of(engine, length(items))]

function __draw_into!(A, draw, engine, from)
    for k in 1:length(A)
        @inbounds A[k] = draw(engine, from)
    end
    return A
end
__random_array(draw, engine, from, ::Type{T}, dims) where {T} = __draw_into!(Array{T}(undef, dims), draw, engine, from)
for (f, draw, types) in ((:rand, :__uniform, :Drawn), (:randn, :__normal, :DrawnFloat), (:randexp, :__exponential, :IEEEFloat))
    @eval begin
        @inline $f(::Type{T}) where {T<:$types} = $draw(0, T)
        @inline $f(rng::HostRNG) = $draw(rng.engine, Float64)
        @inline $f(rng::HostRNG, ::Type{T}) where {T<:$types} = $draw(rng.engine, T)
        $f(::Type{T}, n::Integer, dims::Integer...) where {T<:$types} = __random_array($draw, 0, T, T, (n, dims...))
        $f(::Type{T}, dims::Tuple) where {T<:$types} = __random_array($draw, 0, T, T, dims)
        $f(n::Integer, dims::Integer...) = __random_array($draw, 0, Float64, Float64, (n, dims...))
        $f(rng::HostRNG, ::Type{T}, n::Integer, dims::Integer...) where {T<:$types} = __random_array($draw, rng.engine, T, T, (n, dims...))
        $f(rng::HostRNG, n::Integer, dims::Integer...) = __random_array($draw, rng.engine, Float64, Float64, (n, dims...))
        $(Symbol(f, :!))(rng::HostRNG, A::Array{T}) where {T<:$types} = __draw_into!(A, $draw, rng.engine, T)
    end
end
const DrawnItems = Union{Array,AbstractRange{<:DrawnReal}}
@inline rand(rng::HostRNG, items::Union{DrawnItems,Tuple}) = __element_of(rng.engine, items)
rand(items::DrawnItems, n::Integer, dims::Integer...) = __random_array(__element_of, 0, items, eltype(items), (n, dims...))
rand(rng::HostRNG, items::DrawnItems, n::Integer, dims::Integer...) = __random_array(__element_of, rng.engine, items, eltype(items), (n, dims...))
