# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; when: rand*, Random, AbstractRNG
# Random numbers in kernels: Philox 2x32 with 10 rounds (Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy
# as 1, 2, 3; SC 2011), a function of a counter and a key. The counter consists of the thread's number of calls and
# its index in the grid; the key is the seed. A thread's numbers depend only on these, on every target.

abstract type AbstractRNG end
@inline broadcastable(rng::AbstractRNG) = Ref(rng)
struct DeviceRNG <: AbstractRNG end
# Generators of the host. Programs have their other constructors.
struct Xoshiro <: AbstractRNG
    engine::Int
    Xoshiro(engine::Int, ::Nothing) = new(engine)
end
struct MersenneTwister <: AbstractRNG
    engine::Int
    MersenneTwister(engine::Int, ::Nothing) = new(engine)
end

# State of each thread: two words, initially zero, with the number of calls and the seed
# (lib/rewrite/random_state.cpp).
@inline random_state() = ccall("extern kiln.random_state", llvmcall, LLVMPtr{UInt32,0}, ())
@inline function philox(a::UInt32, b::UInt32, key::UInt32)
    for round in 1:10
        product = 0x00000000d256d193 * zext_int(UInt64, a)
        (a, b) = (xor_int(xor_int(trunc_int(UInt32, lshr_int(product, 32)), key), b), trunc_int(UInt32, product))
        key = add_int(key, 0x9e3779b9)
    end
    return (a, b)
end
@inline function thread_in_grid()
    (t, n) = (CUDA.threadIdx(), CUDA.blockDim())
    (b, m) = (CUDA.blockIdx(), CUDA.gridDim())
    block = (Int(b.z) - 1) * m.y * m.x + (Int(b.y) - 1) * m.x + (b.x - 1)
    return rem(((block * n.z + (t.z - 1)) * n.y + (t.y - 1)) * n.x + (t.x - 1), UInt32)
end
function random_words()
    state = random_state()
    calls = pointer_load(state, 0, Val(0))
    pointer_store(state, calls + 0x00000001, 0, Val(0))
    return philox(calls, thread_in_grid(), pointer_load(state, 1, Val(0)))
end
@inline function seed_thread(seed::Integer)
    s = rem(seed, UInt64)
    state = random_state()
    pointer_store(state, 0x00000000, 0, Val(0))
    pointer_store(state, xor_int(trunc_int(UInt32, s), trunc_int(UInt32, lshr_int(s, 32))), 1, Val(0))
    return nothing
end

# ---- uniform numbers: integers over their whole range, floats in [0, 1) in multiples of the type's precision
@inline rand() = rand(Float64)
@inline rand(::Type{T}) where {T<:Union{Int8,UInt8,Int16,UInt16,Int32,UInt32}} = rem(random_words()[1], T)
@inline rand(::Type{Bool}) = trunc_int(Bool, random_words()[1])
@inline function rand(::Type{UInt64})
    (a, b) = random_words()
    return or_int(shl_int(zext_int(UInt64, a), 32), zext_int(UInt64, b))
end
@inline rand(::Type{Int64}) = rem(rand(UInt64), Int64)
@inline rand(::Type{UInt128}) = (high = rand(UInt64); or_int(shl_int(zext_int(UInt128, high), 64), zext_int(UInt128, rand(UInt64))))
@inline rand(::Type{Int128}) = rem(rand(UInt128), Int128)
@inline rand(::Type{Float64}) = uitofp(Float64, lshr_int(rand(UInt64), 11)) * 1.1102230246251565e-16
@inline rand(::Type{T}) where {T<:AbstractFloat} = unit_float(T, random_words()[1])
@inline unit_float(::Type{T}, bits::UInt32) where {T} = T(uitofp(Float32, lshr_int(bits, rem(32 - precision(T), UInt8))) * bitcast(Float32, rem((127 - precision(T)) << 23, UInt32)))
@inline rand(::Type{Complex{T}}) where {T} = (re = rand(T); Complex{T}(re, rand(T)))
# A random element of a collection of n items. The upper half of n times 64 random bits is its 0-based index.
@inline rand(items::AbstractArray) = items[one_of(length(items))]
@inline rand(items::Tuple) = items[one_of(nfields(items))]
@inline one_of(n::Int) = n > 0 ? rem(mulhi(rand(UInt64), rem(n, UInt64)), Int) + 1 : throw(ArgumentError("collection must be non-empty"))
@inline rand(rng::DeviceRNG, args::Union{Type,AbstractArray,Tuple,Integer}...) = rand(args...)

# ---- normal distribution (Box and Muller) and exponential distribution. The argument of the logarithm is positive.
@inline randn() = randn(Float64)
@inline function randn(::Type{Float32})
    (a, b) = random_words()
    return sqrt(-2.0f0 * log(above_zero(a))) * cospi(2.0f0 * unit_float(Float32, b))
end
@inline randn(::Type{Float64}) = (u = 1.0 - rand(Float64); sqrt(-2.0 * log(u)) * cospi(2.0 * rand(Float64)))
@inline randn(::Type{T}) where {T<:AbstractFloat} = T(randn(Float32))
@inline randn(::Type{Complex{T}}) where {T} = (re = randn(T); Complex{T}(re, randn(T)) * T(0.7071067811865476))
@inline randn(rng::DeviceRNG, args...) = randn(args...)
@inline randexp() = randexp(Float64)
@inline randexp(::Type{Float32}) = -log(above_zero(random_words()[1]))
@inline randexp(::Type{Float64}) = -log(1.0 - rand(Float64))
@inline randexp(::Type{T}) where {T<:AbstractFloat} = T(randexp(Float32))
@inline randexp(rng::DeviceRNG, args...) = randexp(args...)
@inline above_zero(bits::UInt32) = (uitofp(Float32, bits) + 0.5f0) * bitcast(Float32, 0x2f800000)

# ---- arrays: fills existing ones
for (f, fill_with) in ((:rand, :rand!), (:randn, :randn!), (:randexp, :randexp!))
    @eval begin
        @inline function $fill_with(A::AbstractArray)
            for i in eachindex(A)
                @inbounds A[i] = $f(eltype(A))
            end
            return A
        end
        @inline $fill_with(rng::DeviceRNG, A::AbstractArray) = $fill_with(A)
        $f(::Type{T}, n::Integer, dims::Integer...) where {T} = no_random_array()
        $f(n::Integer, dims::Integer...) = no_random_array()
    end
end
no_random_array() = static_error("random numbers with dimensions make an array, for which a kernel has no memory: rand!(A), randn!(A) and randexp!(A) fill one that is there")

module Random
import Base: rand, randn, randexp, rand!, randn!, randexp!, AbstractRNG, seed_thread, DeviceRNG, Xoshiro, MersenneTwister
abstract type Sampler{E} end
struct SamplerType{T} <: Sampler{T} end
const GLOBAL_RNG = DeviceRNG()
@inline seed!(seed::Integer) = seed_thread(seed)
@inline seed!(rng::DeviceRNG, seed::Integer) = (seed_thread(seed); rng)
@inline default_rng() = DeviceRNG()
export rand, randn, randexp, rand!, randn!, randexp!, AbstractRNG, Xoshiro, MersenneTwister
end
