# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/package_names, program/random; when: AbstractRNG, Sampler, SamplerType, SamplerTrivial, SamplerSimple, SamplerTag
# Random numbers of generators and of values that a program defines. Such a generator has a method
# rand(rng, ::Random.SamplerType{UInt64}), and methods for smaller integers; all other values follow from these. Such a
# value has a method rand(rng, ::Random.SamplerTrivial{T}), or a method of Random.Sampler that makes its own sampler.

module Random
import Base: rand, rand!, randn, randexp, DeviceRNG
const Repetition = Union{Val{1},Val{Inf}}
SamplerTrivial(x::T) where {T} = SamplerTrivial{T,gentype(x)}(x)
struct SamplerSimple{T,S,E} <: Sampler{E} # a value, and what its numbers are drawn from
    self::T
    data::S
end
SamplerSimple(x::T, data::S) where {T,S} = SamplerSimple{T,S,gentype(x)}(x, data)
struct SamplerTag{T,S,E} <: Sampler{E} # of type T, or of a symbol
    data::S
    SamplerTag{T}(data::S) where {T,S} = new{T,S,gentype(T)}(data)
end
Base.getindex(s::Union{SamplerTrivial,SamplerSimple}) = s.self
Base.eltype(::Type{<:Sampler{E}}) where {E} = E
Sampler(rng::AbstractRNG, x, n::Repetition=Val(Inf)) = Sampler(typeof(rng), x, n)
Sampler(::Type{<:AbstractRNG}, x, ::Repetition) = SamplerTrivial(x)
Sampler(::Type{<:AbstractRNG}, ::Type{T}, ::Repetition) where {T} = SamplerType{T}()
Sampler(::Type{<:AbstractRNG}, ::Type{T}) where {T} = SamplerType{T}()
Sampler(R::Type{<:AbstractRNG}, x) = Sampler(R, x, Val(Inf))
Sampler(::Type{<:AbstractRNG}, ::Sampler, ::Repetition) = throw(ArgumentError("Sampler for this object is not defined"))

# Parts of samplers: bits under a mask, and numbers up to a bound, which are drawn until one fits.
uniform(::Type{T}) where {T} = SamplerType{T}()
struct Masked{T,S}
    mask::T
    bits::S
end
struct LessThan{T,S}
    largest::T
    numbers::S
end
rand(rng::AbstractRNG, m::Masked) = rand(rng, m.bits) & m.mask
function rand(rng::AbstractRNG, l::LessThan)
    x = rand(rng, l.numbers)
    while x > l.largest
        x = rand(rng, l.numbers)
    end
    return x
end
ltm52(n::Int, mask::Int=nextpow(2, n) - 1) = LessThan(n - 1, Masked(mask, uniform(Int)))
rng_native_52(rng) = UInt64

# Random bits under the exponent of 1.0 make a float in [1, 2).
rand(rng::AbstractRNG, ::SamplerType{Float64}) = reinterpret(Float64, (rand(rng, UInt64) & 0x000fffffffffffff) | 0x3ff0000000000000) - 1.0
rand(rng::AbstractRNG, ::SamplerType{Float32}) = reinterpret(Float32, (rand(rng, UInt32) & 0x007fffff) | 0x3f800000) - 1.0f0
rand(rng::AbstractRNG, ::SamplerType{Float16}) = Float16(reinterpret(Float32, (UInt32(rand(rng, UInt16) & 0x03ff) << 13) | 0x3f800000) - 1.0f0)
rand(rng::AbstractRNG, ::SamplerType{Complex{T}}) where {T<:Real} = (re = rand(rng, T); Complex{T}(re, rand(rng, T)))
rand(rng::AbstractRNG, items::SamplerTrivial{<:Union{AbstractArray,Tuple}}) = items[][rand(rng, firstindex(items[]):lastindex(items[]))]
rand(rng::AbstractRNG, r::SamplerTrivial{<:AbstractUnitRange{T}}) where {T<:Base.BitInteger64} = one_of(rng, r[], sizeof(T) <= 4 ? UInt32 : UInt64)
# The high half of a random word times the number of items. Products whose low half is below 2^bits modulo that number
# are drawn again, so that all items are equally likely (Lemire: Fast random integer generation in an interval, 2019).
function one_of(rng, r::AbstractUnitRange{T}, ::Type{U}) where {T,U}
    rng isa Union{DeviceRNG,Base.Xoshiro,Base.MersenneTwister} && return rand(rng, first(r):last(r))
    isempty(r) && throw(ArgumentError("collection must be non-empty"))
    n = ((last(r) - first(r)) % U) + one(U)
    product = widen(rand(rng, U)) * n
    while n != 0 && product % U < n && product % U < mod(-n, n)
        product = widen(rand(rng, U)) * n
    end
    return first(r) + (n == 0 ? product : product >> (8 * sizeof(U))) % T
end
rand(rng::AbstractRNG, s::SamplerTrivial{<:Union{AbstractDict,AbstractSet,AbstractString}}) = rand(rng, collect(s[]))
end

rand(rng::AbstractRNG) = rand(rng, Float64)
rand(rng::AbstractRNG, X) = rand(rng, Random.Sampler(rng, X, Val(1))) # of a sampler without a method: an ArgumentError
randn(rng::AbstractRNG) = randn(rng, Float64)
randexp(rng::AbstractRNG) = randexp(rng, Float64)
randn(rng::AbstractRNG, ::Type{T}) where {T<:AbstractFloat} = T(sqrt(-2 * log(1 - rand(rng, Float64))) * cospi(2 * rand(rng, Float64)))
randn(rng::AbstractRNG, ::Type{Complex{T}}) where {T<:AbstractFloat} = (re = randn(rng, T); Complex{T}(re, randn(rng, T)) * T(0.7071067811865476))
randexp(rng::AbstractRNG, ::Type{T}) where {T<:AbstractFloat} = T(-log(1 - rand(rng, Float64)))
# A value of a type of the program. The host draws from collections of the library.
rand(X) = __drawn(DeviceRNG(), X)
__drawn(rng::AbstractRNG, X) = rand(rng, Random.Sampler(typeof(rng), X, Val(1)))
__drawn(rng::AbstractRNG, X, dims::Tuple) = __fill_drawn(rng, Array{Random.gentype(X)}(undef, dims), X)
__drawn(rng::AbstractRNG, X, dims::Integer...) = __drawn(rng, X, dims)
function __fill_drawn(rng::AbstractRNG, A, X)
    sampler = Random.Sampler(typeof(rng), X, Val(Inf))
    for k in eachindex(A)
        A[k] = rand(rng, sampler)
    end
    return A
end
__drawn_type(X::Type) = X
__drawn_type(X) = Random.gentype(X)
for (f, fill_with) in ((:rand, :rand!), (:randn, :randn!), (:randexp, :randexp!))
    @eval begin
        $fill_with(rng::AbstractRNG, A::AbstractArray) = $fill_with(rng, A, eltype(A))
        function $fill_with(rng::AbstractRNG, A::AbstractArray, X)
            for k in eachindex(A)
                A[k] = $f(rng, X)
            end
            return A
        end
        $f(rng::AbstractRNG, X, dims::Tuple{Vararg{Integer}}) = $fill_with(rng, Array{__drawn_type(X)}(undef, dims), X)
        $f(rng::AbstractRNG, n::Integer, dims::Integer...) = $f(rng, Float64, (n, dims...))
        $f(rng::AbstractRNG, X, n::Integer, dims::Integer...) = X isa Integer ? $f(rng, Float64, (X, n, dims...)) : $f(rng, X, (n, dims...))
        # The default generator is the host's.
        $f(::DeviceRNG, X, dims::Tuple{Vararg{Integer}}) = $f(X, dims)
        $f(::DeviceRNG, n::Integer, dims::Integer...) = $f(n, dims...)
        $f(::DeviceRNG, X, n::Integer, dims::Integer...) = $f(X, n, dims...)
        $fill_with(::DeviceRNG, A::AbstractArray, X) = $fill_with(A, X)
    end
end
randn(rng::AbstractRNG, dims::Tuple{Integer,Vararg{Integer}}) = randn(rng, Float64, dims)
randexp(rng::AbstractRNG, dims::Tuple{Integer,Vararg{Integer}}) = randexp(rng, Float64, dims)
rand(::DeviceRNG) = rand(Float64)
rand(rng::DeviceRNG, X::Union{Type,AbstractArray,Tuple,AbstractDict,AbstractSet,AbstractString}) = rand(X)
randn(::DeviceRNG) = randn(Float64)
randexp(::DeviceRNG) = randexp(Float64)
