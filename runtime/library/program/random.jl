# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: base/random
# Random number generators and distributions. The host computes the numbers (lib/programs/random.cpp).
Xoshiro(seed::Integer=__random_seed()) = Xoshiro(__new_generator(seed), nothing)
MersenneTwister(seed::Integer=__random_seed()) = MersenneTwister(__new_generator(seed), nothing)
shuffle!(A::AbstractArray) = shuffle!(DeviceRNG(), A)
function shuffle!(rng::AbstractRNG, A::AbstractArray)
    for i in length(A):-1:2
        j = rand(rng, 1:i)
        (A[i], A[j]) = (A[j], A[i])
    end
    return A
end
shuffle(items::Union{AbstractArray,Tuple}) = shuffle(DeviceRNG(), items)
shuffle(rng::AbstractRNG, A::AbstractArray) = shuffle!(rng, collect(A))
randperm(n::Integer) = randperm(DeviceRNG(), n)
randperm(rng::AbstractRNG, n::Integer) = shuffle!(rng, collect(one(n):n))
randperm!(A::Array) = randperm!(DeviceRNG(), A)
randperm!(rng::AbstractRNG, A::Array) = copyto!(A, randperm(rng, length(A)))
randcycle(n::Integer) = randcycle(DeviceRNG(), n)
# Sattolo's algorithm: a random permutation that consists of one cycle.
function randcycle(rng::AbstractRNG, n::Integer)
    A = collect(one(n):n)
    for i in length(A):-1:2
        j = rand(rng, 1:i-1)
        (A[i], A[j]) = (A[j], A[i])
    end
    return A
end
const __string_characters = collect("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
randstring(n::Integer=8) = randstring(DeviceRNG(), __string_characters, n)
randstring(chars::Union{AbstractArray,String}, n::Integer=8) = randstring(DeviceRNG(), chars, n)
randstring(rng::AbstractRNG, n::Integer=8) = randstring(rng, __string_characters, n)
randstring(rng::AbstractRNG, chars::Union{AbstractArray,String}, n::Integer=8) = join(rand(rng, chars, n))
function rand!(A::AbstractArray, items)
    for i in eachindex(A)
        A[i] = rand(items)
    end
    return A
end
function rand!(rng::AbstractRNG, A::AbstractArray, items)
    for i in eachindex(A)
        A[i] = rand(rng, items)
    end
    return A
end
randsubseq(A::AbstractArray, p::Real) = randsubseq(DeviceRNG(), A, p)
randsubseq(rng::AbstractRNG, A::AbstractArray, p::Real) = [x for x in A if rand(rng) < p]

__seed_device(n) = nothing                            # called by __seed; cuda/random.jl has the device's
__seed(engine::Int, n::Integer) = seed_thread(n)      # in kernels, which lack the host's function
rand(::Type{BFloat16}) = BFloat16(Float32(rand(0:255)) * 0.00390625f0)
rand(::AbstractRNG, ::Type{BFloat16}) = rand(BFloat16)
rand(::Type{BFloat16}, dims::Tuple) = BFloat16.(floor.(rand(Float32, dims) .* 256.0f0) .* 0.00390625f0)
rand(::Type{BFloat16}, n::Integer, dims::Integer...) = rand(BFloat16, (n, dims...))

# Types whose random values are no numbers: by the type's sampler, or by its method of rand.
rand(::Type{T}) where {T} = __rand_of(DeviceRNG(), T)
rand(rng::AbstractRNG, ::Type{T}) where {T} = __rand_of(rng, T)
rand(rng::DeviceRNG, ::Type{T}) where {T} = __rand_of(rng, T)
function __rand_of(rng, ::Type{T}) where {T}
    R = rng isa DeviceRNG ? Xoshiro : typeof(rng)
    sampler = hasmethod(Random.Sampler, Tuple{Type{R},Type{T},Val{1}}) ? Random.Sampler(R, T, Val(1)) : Random.SamplerType{T}()
    hasmethod(rand, Tuple{R,typeof(sampler)}) || throw(ArgumentError("Sampler for this object is not defined"))
    return rand(rng, sampler)
end
for f in (:randn, :randexp)
    @eval $f(::Type{T}) where {T} = $f(DeviceRNG(), T)
    @eval $f(rng::DeviceRNG, ::Type{T}) where {T} = throw(MethodError($f, (rng, T)))
end

module Random
import Base: rand, rand!, randn!, AbstractRNG, shuffle, shuffle!, randperm, randperm!, randcycle, randstring, randsubseq, DeviceRNG
const TaskLocalRNG = DeviceRNG
seed!() = seed!(Base.__random_seed())
seed!(n::Integer) = (Base.__seed(0, n); GLOBAL_RNG)
seed!(rng::DeviceRNG, n::Integer) = (Base.__seed(0, n); rng)
seed!(rng::Union{Base.Xoshiro,Base.MersenneTwister}, n::Integer) = (Base.__seed(rng.engine, n); rng)
seed!(rng::Union{Base.Xoshiro,Base.MersenneTwister}) = seed!(rng, Base.__random_seed())
seed!(rng, n::Integer) = (Base.__seed_generator(rng, n); rng)
bitrand(dims...) = rand(Bool, dims...)
export shuffle, shuffle!, randperm, randperm!, randcycle, randstring, randsubseq, bitrand, TaskLocalRNG
end
