# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random arrays of the device: Philox4x32 with 10 rounds (Salmon, Moraes, Dror, Shaw, SC 2011), whose counter is the
# number of the block of four words in the program and whose key is the seed. So they do not depend on the launch.

mutable struct RandomState
    seed::UInt64
    blocks::Int                                    # that were taken
end
const random_state = RandomState(0x000000006b696c6e, 0)
seed!(n::Integer) = (random_state.seed = rem(n, UInt64); random_state.blocks = 0; nothing)
seed!() = seed!(__nanoseconds())
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
# Words i, i + 1 of the numbers from block `first` on.
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
function draw!(draw, A::CuArray)
    length(A) == 0 || launch_elements(random_kernel, (A, draw, random_state.blocks, random_state.seed), length(A))
    random_state.blocks += cld(length(A), 2)
    return A
end
Base.rand!(A::CuArray) = draw!(unit, A)
Base.randn!(A::CuArray) = draw!(normal, A)
Base.randexp!(A::CuArray) = draw!(exponential, A)
rand(::Type{T}, dims::Tuple) where {T} = draw!(unit, new_array(T, dims))
rand(::Type{T}, n::Integer, dims::Integer...) where {T} = draw!(unit, new_array(T, (n, dims...)))
rand(n::Integer, dims::Integer...) = rand(Float32, n, dims...)
rand(dims::Tuple) = rand(Float32, dims)
randn(::Type{T}, dims::Tuple) where {T} = draw!(normal, new_array(T, dims))
randn(::Type{T}, n::Integer, dims::Integer...) where {T} = draw!(normal, new_array(T, (n, dims...)))
randn(n::Integer, dims::Integer...) = randn(Float32, n, dims...)
randn(dims::Tuple) = randn(Float32, dims)
rand_poisson(args...) = error("rand_poisson is not supported")
struct HostSideRNG end
default_rng() = HostSideRNG()
Base.__seed_generator(::HostSideRNG, n::Integer) = seed!(n)
Base.rand!(::HostSideRNG, A::CuArray) = draw!(unit, A)
Base.randn!(::HostSideRNG, A::CuArray) = draw!(normal, A)
Base.rand(::HostSideRNG, args...) = rand(args...)
Base.randn(::HostSideRNG, args...) = randn(args...)
# GPUArrays' own generator: the seed and the blocks it took are its own.
mutable struct RNG{A}
    seed::UInt64
    blocks::Int
    RNG{A}() where {A} = new{A}(rem(__nanoseconds(), UInt64), 0)
end
Base.__seed_generator(rng::RNG, n::Integer) = (rng.seed = rem(n, UInt64); rng.blocks = 0; nothing)
function drawn_from!(rng::RNG, draw, A)
    length(A) == 0 || launch_elements(random_kernel, (A, draw, rng.blocks, rng.seed), length(A))
    rng.blocks += cld(length(A), 2)
    return A
end
const Drawn = Union{AbstractFloat,Base.BitInteger,Bool,Complex}
const DrawnNormal = Union{AbstractFloat,Complex{<:AbstractFloat}}
Base.rand!(rng::RNG, A::CuArray{<:Drawn}) = drawn_from!(rng, unit, A)
Base.randn!(rng::RNG, A::CuArray{<:DrawnNormal}) = drawn_from!(rng, normal, A)
# Elements of the program's own types, and a generator of the host: drawn on the host.
Base.rand!(rng::RNG, A::CuArray{T}) where {T} = copyto!(A, [Base.rand(Base.DeviceRNG(), Base.Random.SamplerType{T}()) for _ in 1:length(A)])
Base.rand!(rng::Base.AbstractRNG, A::CuArray) = copyto!(A, Base.rand!(rng, Array(A)))
Base.randn!(rng::Base.AbstractRNG, A::CuArray) = copyto!(A, Base.randn!(rng, Array(A)))
