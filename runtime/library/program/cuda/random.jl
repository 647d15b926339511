# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/parts
# Random device arrays: Philox4x32 with 10 rounds (Salmon, Moraes, Dror, Shaw, SC 2011). The counter numbers the
# blocks of four words in the program, and the key is the seed. Numbers do not depend on the launch.

mutable struct RandomState
    seed::UInt64
    blocks::Int                                    # number of blocks used
end
const random_state = RandomState(rem(Base.__random_seed(), UInt64), 0) # state of the process with a random seed; seed! makes it reproducible
seed!(n::Integer) = (random_state.seed = rem(n, UInt64); random_state.blocks = 0; __seed_launches(rem(n, UInt64)); nothing)
seed!() = seed!(Base.__random_seed())
Base.__seed_device(n::Integer) = seed!(n)
@inline function philox4(counter::UInt64, seed::UInt64)
    a = rem(counter, UInt32)
    b = rem(counter >> 32, UInt32)
    c = 0x00000000
    d = 0x00000000
    k = rem(seed, UInt32)
    l = rem(seed >> 32, UInt32)
    for round in 1:10
        p = 0x00000000d2511f53 * UInt64(a)
        q = 0x00000000cd9e8d57 * UInt64(c)
        (a, b, c, d) = (xor(xor(rem(q >> 32, UInt32), b), k), rem(q, UInt32), xor(xor(rem(p >> 32, UInt32), d), l), rem(p, UInt32))
        k += 0x9e3779b9
        l += 0xbb67ae85
    end
    return (a, b, c, d)
end
# Returns words i and i + 1 of the random words for an array whose first block has number `first`.
@inline function words_of(i, first, seed)
    (a, b, c, d) = philox4(rem(first + div(i, 2), UInt64), seed)
    return i % 2 == 0 ? (a, b) : (c, d)
end
@inline unit(::Type{Float64}, a::UInt32, b::UInt32) = Float64((UInt64(a) << 32 | UInt64(b)) >> 11) * 1.1102230246251565e-16
@inline unit(::Type{T}, a::UInt32, b::UInt32) where {T<:AbstractFloat} = T(Float32(a >> 8) * 5.9604645f-8)
@inline unit(::Type{Float16}, a::UInt32, b::UInt32) = Float16(Float32(a >> 21) * 0.00048828125f0)
@inline unit(::Type{Bool}, a::UInt32, b::UInt32) = a & 0x00000001 == 0x00000001
@inline unit(::Type{T}, a::UInt32, b::UInt32) where {T<:Base.BitInteger} = rem(UInt64(a) << 32 | UInt64(b), T)
@inline unit(::Type{Complex{T}}, a::UInt32, b::UInt32) where {T} = Complex{T}(unit(T, a, a), unit(T, b, b))
@inline above_zero(a::UInt32) = (Float32(a) + 0.5f0) * 2.3283064f-10
@inline normal(::Type{Float64}, a::UInt32, b::UInt32) = sqrt(-2.0 * log((Float64(a) + 0.5) * 2.3283064365386963e-10)) * cospi(Float64(b) * 4.656612873077393e-10)
@inline normal(::Type{T}, a::UInt32, b::UInt32) where {T<:AbstractFloat} = T(sqrt(-2.0f0 * log(above_zero(a))) * cospi(2.0f0 * above_zero(b)))
@inline normal(::Type{Complex{T}}, a::UInt32, b::UInt32) where {T} = (r = sqrt(-log(above_zero(a))); Complex{T}(T(r * cospi(2.0f0 * above_zero(b))), T(r * sinpi(2.0f0 * above_zero(b)))))
@inline exponential(::Type{T}, a::UInt32, b::UInt32) where {T} = T(-log((Float64(a) + 0.5) * 2.3283064365386963e-10))
function random_kernel(A, draw, first, seed)
    i = global_index()
    if i <= length(A)
        (a, b) = words_of(i - 1, first, seed)
        @inbounds A[i] = draw(eltype(A), a, b)
    end
    return nothing
end
# A generator: its seed, and the number of blocks used so far. Arrays take their blocks from a generator's state or
# from the module's.
mutable struct RNG{A}
    seed::UInt64
    blocks::Int
    RNG{A}() where {A} = new{A}(rem(Base.__random_seed(), UInt64), 0)
    RNG{A}(seed) where {A} = new{A}(rem(seed, UInt64), 0)
end
RNG() = RNG{CuArray}()
RNG(seed::Integer) = RNG{CuArray}(seed)
RNG(kind::Symbol) = RNG()                          # for all of cuRAND's kinds of generators
struct HostSideRNG end                             # uses the module's state
const AnyRNG = Union{RNG,HostSideRNG}
state_of(::HostSideRNG) = random_state
state_of(rng::RNG) = rng
default_rng() = HostSideRNG()
library_rng() = HostSideRNG()
native_rng() = HostSideRNG()
gpuarrays_rng() = HostSideRNG()
Base.__seed_generator(::HostSideRNG, n::Integer) = seed!(n)
Base.__seed_generator(rng::RNG, n::Integer) = (rng.seed = rem(n, UInt64); rng.blocks = 0; nothing)
seed!(rng::AnyRNG, n::Integer) = (Base.__seed_generator(rng, n); rng)
function draw!(draw, A::CuArray, state=random_state)
    length(A) == 0 || launch_elements(random_kernel, (A, draw, state.blocks, state.seed), length(A), length(A))
    state.blocks += cld(length(A), 2)
    return A
end
draw!(draw, A::AnyCuArray, state=random_state) = copyto!(A, draw!(draw, new_array(eltype(A), size(A)), state))

# ---- distributions: functions of an element type and two random words
struct Normal{M,S} <: Function
    mean::M
    stddev::S
end
@inline (d::Normal)(::Type{T}, a::UInt32, b::UInt32) where {T} = T(d.mean + d.stddev * normal(T, a, b))
struct LogNormal{M,S} <: Function
    mean::M
    stddev::S
end
@inline (d::LogNormal)(::Type{T}, a::UInt32, b::UInt32) where {T} = T(exp(d.mean + d.stddev * normal(T, a, b)))
# Poisson distribution by inversion. For means above 64, where inversion needs many terms, by the normal distribution.
struct Poisson <: Function
    lambda::Float64
end
@inline function (d::Poisson)(::Type{T}, a::UInt32, b::UInt32) where {T}
    d.lambda > 64.0 && return unsafe_trunc(T, max(0.0, floor(d.lambda + sqrt(d.lambda) * normal(Float64, a, b) + 0.5)))
    u = unit(Float64, a, b)
    p = exp(-d.lambda)
    total = p
    k = 0
    while u > total && k < 1000
        k += 1
        p *= d.lambda / k
        total += p
    end
    return rem(k, T)
end
struct PickFrom{R} <: Function
    items::R
end
@inline (d::PickFrom)(::Type{T}, a::UInt32, b::UInt32) where {T} = convert(T, @inbounds d.items[rem(mulhi(UInt64(a) << 32 | UInt64(b), rem(length(d.items), UInt64)), Int)+1])
@inline mulhi(a::UInt64, b::UInt64) = rem((UInt128(a) * UInt128(b)) >> 64, UInt64)

# ---- existing arrays
const DrawnReal = Union{AbstractFloat,Base.BitInteger,Bool}
const Drawn = Union{DrawnReal,Complex{<:DrawnReal}}
const DrawnNormal = Union{AbstractFloat,Complex{<:AbstractFloat}}
const CuOf{T} = Union{CuArray{T},CuSubArray{T},CuReshaped{T},CuTransposed{T},CuPermuted{T}}
no_such_numbers(what, A) = error(string("random numbers of a ", what, " distribution have no elements of type ", eltype(A)))
# `state`: state of the module or of a generator; nothing: a host generator.
fill_random!(A::CuOf{<:Drawn}, state) = draw!(unit, A, state)
# Elements of a type with a sampler of its own: drawn on the host by a generator that the state seeds.
function fill_random!(A, state)
    rng = Base.Xoshiro(rem(xor(state.seed, rem(state.blocks, UInt64) * 0x9e3779b97f4a7c15), Int64) & typemax(Int64))
    state.blocks += cld(length(A), 2)
    return copyto!(A, [Base.rand(rng, Base.Random.SamplerType{eltype(A)}()) for _ in 1:length(A)])
end
fill_normal!(A::CuOf{<:DrawnNormal}, state, mean=0, stddev=1) = draw!(mean == 0 && stddev == 1 ? normal : Normal(mean, stddev), A, state)
fill_normal!(A, state, rest...) = throw(MethodError(Base.randn!, (A,)))
fill_exponential!(A::CuOf{<:AbstractFloat}, state) = draw!(exponential, A, state)
fill_exponential!(A, state) = throw(MethodError(Base.randexp!, (A,)))
fill_items!(A, items, state) = isempty(items) ? throw(ArgumentError("collection must be non-empty")) : draw!(PickFrom(items isa Base.AbstractRange || items isa Tuple ? items : CuArray(items)), A, state)
Base.rand!(A::AnyCuArray) = fill_random!(A, random_state)
Base.randn!(A::AnyCuArray; mean=0, stddev=1) = fill_normal!(A, random_state, mean, stddev)
Base.randexp!(A::AnyCuArray) = fill_exponential!(A, random_state)
Base.rand!(A::AnyCuArray, items::Union{AbstractArray,Tuple}) = fill_items!(A, items, random_state)
Base.rand!(rng::AnyRNG, A::AnyCuArray) = fill_random!(A, state_of(rng))
Base.rand!(rng::AnyRNG, A::AnyCuArray, items::Union{AbstractArray,Tuple}) = fill_items!(A, items, state_of(rng))
Base.randn!(rng::AnyRNG, A::AnyCuArray; mean=0, stddev=1) = fill_normal!(A, state_of(rng), mean, stddev)
Base.randexp!(rng::AnyRNG, A::AnyCuArray) = fill_exponential!(A, state_of(rng))
# Random numbers of a host generator: drawn on the host and copied.
Base.rand!(rng::Base.AbstractRNG, A::AnyCuArray) = copyto!(A, Base.rand!(rng, Array(A)))
Base.randn!(rng::Base.AbstractRNG, A::AnyCuArray) = copyto!(A, Base.randn!(rng, Array(A)))
rand!(args...) = Base.rand!(args...)
randn!(args...; keywords...) = Base.randn!(args...; keywords...)
randexp!(args...) = Base.randexp!(args...)
function rand_logn!(A::AnyCuArray; mean=0, stddev=1)
    eltype(A) <: AbstractFloat || no_such_numbers("log-normal", A)
    return draw!(LogNormal(mean, stddev), A)
end
function rand_poisson!(A::AnyCuArray; lambda=1)
    eltype(A) <: Base.BitInteger || no_such_numbers("Poisson", A)
    return draw!(Poisson(Float64(lambda)), A)
end

# ---- new arrays
rand(::Type{T}, dims::Tuple) where {T} = fill_random!(new_array(T, dims), random_state)
rand(::Type{T}, n::Integer, dims::Integer...) where {T} = rand(T, (n, dims...))
rand(n::Integer, dims::Integer...) = rand(Float32, (n, dims...))
rand(dims::Tuple) = rand(Float32, dims)
for (f, fill_with, T0) in ((:randn, :(Base.randn!), :Float32), (:rand_logn, :rand_logn!, :Float32), (:rand_poisson, :rand_poisson!, :UInt32), (:randexp, :(Base.randexp!), :Float32))
    @eval begin
        $f(::Type{T}, dims::Tuple; keywords...) where {T} = $fill_with(new_array(T, dims); keywords...)
        $f(::Type{T}, n::Integer, dims::Integer...; keywords...) where {T} = $f(T, (n, dims...); keywords...)
        $f(n::Integer, dims::Integer...; keywords...) = $f($T0, (n, dims...); keywords...)
        $f(dims::Tuple; keywords...) = $f($T0, dims; keywords...)
    end
end
# One random number on the host: the next of the device's sequence.
rand(::Type{T}=Float32) where {T} = load_element(rand(T, (1,)), 1)
randn(::Type{T}=Float32; keywords...) where {T} = load_element(randn(T, (1,); keywords...), 1)
rand_logn(::Type{T}=Float32; keywords...) where {T} = load_element(rand_logn(T, (1,); keywords...), 1)
rand_poisson(::Type{T}=UInt32; keywords...) where {T} = load_element(rand_poisson(T, (1,); keywords...), 1)
Base.rand(rng::AnyRNG, ::Type{T}, dims::Tuple) where {T} = fill_random!(new_array(T, dims), state_of(rng))
Base.rand(rng::AnyRNG, ::Type{T}, n::Integer, dims::Integer...) where {T} = Base.rand(rng, T, (n, dims...))
Base.rand(rng::AnyRNG, n::Integer, dims::Integer...) = Base.rand(rng, Float32, (n, dims...))
Base.rand(rng::AnyRNG, dims::Tuple) = Base.rand(rng, Float32, dims)
Base.rand(rng::AnyRNG, ::Type{T}=Float32) where {T} = load_element(Base.rand(rng, T, (1,)), 1)
Base.randn(rng::AnyRNG, ::Type{T}, dims::Tuple) where {T} = fill_normal!(new_array(T, dims), state_of(rng))
Base.randn(rng::AnyRNG, ::Type{T}, n::Integer, dims::Integer...) where {T} = Base.randn(rng, T, (n, dims...))
Base.randn(rng::AnyRNG, n::Integer, dims::Integer...) = Base.randn(rng, Float32, (n, dims...))
Base.randn(rng::AnyRNG, dims::Tuple) = Base.randn(rng, Float32, dims)
Base.randn(rng::AnyRNG, ::Type{T}=Float32) where {T} = load_element(Base.randn(rng, T, (1,)), 1)

# Module names for these functions: cuRAND, and CURAND of older versions.
module cuRAND
import CUDA: rand, randn, rand!, randn!, rand_logn, rand_logn!, rand_poisson, rand_poisson!, seed!, default_rng, library_rng, native_rng, gpuarrays_rng, RNG
const NativeRNG = RNG
const LibraryRNG = RNG
for kind in (:DEFAULT, :XORWOW, :MRG32K3A, :MTGP32, :MT19937, :PHILOX4_32_10)
    @eval const $(Symbol("CURAND_RNG_PSEUDO_", kind)) = $(QuoteNode(Symbol("CURAND_RNG_PSEUDO_", kind)))
end
end
const CURAND = cuRAND
export CURAND
