# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/array; when: CuTexture*, CuDeviceTexture, NearestNeighbour, LinearInterpolation, CubicInterpolation, ADDRESS_MODE*
# Textures in kernels: arrays that are read at Float32 coordinates. Plain loads and Float32 arithmetic take the place of
# the GPU's texture units, so that all devices compute the same values. The formulas are those of the CUDA C++
# Programming Guide, appendix "Texture Fetching", without its rounding of weights to 8 bits.

abstract type TextureInterpolationMode end
struct NearestNeighbour <: TextureInterpolationMode end
struct LinearInterpolation <: TextureInterpolationMode end
struct CubicInterpolation <: TextureInterpolationMode end
abstract type TextureMemorySource end
struct ArrayMemorySource <: TextureMemorySource end
struct LinearMemorySource <: TextureMemorySource end
const ADDRESS_MODE_WRAP = Int32(0)
const ADDRESS_MODE_CLAMP = Int32(1)
const ADDRESS_MODE_MIRROR = Int32(2)
const ADDRESS_MODE_BORDER = Int32(3)

# NC: coordinates are normalized, from 0 to 1. Otherwise element i has its centre at coordinate i.
struct CuDeviceTexture{T,N,M,NC,I} <: AbstractArray{T,N}
    array::CuDeviceArray{T,N,1}
    modes::NTuple{N,Int32} # address mode of each dimension
end
@inline Base.size(t::CuDeviceTexture) = size(t.array)
@inline Base.length(t::CuDeviceTexture) = length(t.array)
@inline Base.sizeof(t::CuDeviceTexture) = sizeof(t.array)

# ---- places
# The whole part of a coordinate, bounded so that every Float32 has one.
@inline function whole(x::Float32)
    y = ifelse(x > -1.0f9, ifelse(x < 1.0f9, x, 1.0f9), -1.0f9)
    return unsafe_trunc(Int, floor(y))
end
# Index of an element, counted from 0. -1: outside, where a texture with a border is zero.
@inline function texel(i::Int, n::Int, mode::Int32)
    if mode === ADDRESS_MODE_WRAP
        return mod(i, n)
    elseif mode === ADDRESS_MODE_MIRROR
        k = mod(i, 2n)
        return ifelse(k < n, k, 2n - 1 - k)
    elseif mode === ADDRESS_MODE_BORDER
        return ifelse((i >= 0) & (i < n), i, -1)
    end
    return clamp(i, 0, n - 1)
end
# Linear place of element k of a dimension of length n, within the places that later dimensions chose.
@inline place_in(place::Int, k::Int, n::Int) = (place < 0) | (k < 0) ? -1 : place * n + k
# Elements along one dimension that a coordinate reads, with their weights. Coordinate 0 is the edge of the first
# element.
@inline taps(::Type{NearestNeighbour}, x::Float32) = ((whole(x), 1.0f0),)
@inline function taps(::Type{LinearInterpolation}, x::Float32)
    i = whole(x - 0.5f0)
    a = (x - 0.5f0) - Float32(i)
    return ((i, 1.0f0 - a), (i + 1, a))
end
# The cubic B-spline.
@inline function taps(::Type{CubicInterpolation}, x::Float32)
    i = whole(x - 0.5f0)
    a = (x - 0.5f0) - Float32(i)
    b = 1.0f0 - a
    return ((i - 1, b * b * b / 6.0f0), (i, (4.0f0 - 3.0f0 * a * a * (2.0f0 - a)) / 6.0f0), (i + 1, (4.0f0 - 3.0f0 * b * b * (2.0f0 - b)) / 6.0f0), (i + 2, a * a * a / 6.0f0))
end

# ---- values: a tuple has a channel for each of its numbers
@inline channels(x::Real) = (Float32(x),)
@inline channels(x::Tuple) = map(Float32, x)
@inline from_channels(::Type{T}, v::Tuple) where {T<:Real} = convert(T, v[1])
@inline from_channels(::Type{NTuple{C,T}}, v::Tuple) where {C,T} = ntuple(k -> convert(T, v[k]), Val(C))
@inline no_light(::Type{T}) where {T<:Real} = zero(T)
@inline no_light(::Type{NTuple{C,T}}) where {C,T} = ntuple(k -> zero(T), Val(C))
@inline element(t::CuDeviceTexture{T}, k::Int) where {T} = k < 0 ? no_light(T) : load_at(t.array, k)

@inline sum_of(p::Tuple{Any}) = p[1]
@inline sum_of(p::Tuple) = map(+, p[1], sum_of(Base.tail(p)))
# The weighted sum over the last dimension's elements, for each element that the dimensions before it choose.
@inline weighted(t, ::Tuple{}, ::Tuple{}, ::Tuple{}, place::Int) = channels(element(t, place))
@inline function weighted(t, all::Tuple, dims::Tuple, modes::Tuple, place::Int)
    n = dims[end]
    rest = (Base.front(all), Base.front(dims), Base.front(modes))
    return sum_of(map(all[end]) do (i, w)
        inner = weighted(t, rest..., place_in(place, texel(i, n, modes[end]), n))
        map(c -> w * c, inner)
    end)
end
@inline nearest(t, ::Tuple{}, ::Tuple{}, ::Tuple{}, place::Int) = element(t, place)
@inline function nearest(t, x::Tuple, dims::Tuple, modes::Tuple, place::Int)
    k = texel(whole(x[end]), dims[end], modes[end])
    return nearest(t, Base.front(x), Base.front(dims), Base.front(modes), place_in(place, k, dims[end]))
end
@inline sampled(t::CuDeviceTexture{T,N,M,NC,NearestNeighbour}, x) where {T,N,M,NC} = nearest(t, x, size(t), t.modes, 0)
@inline sampled(t::CuDeviceTexture{T,N,M,NC,I}, x) where {T,N,M,NC,I} = from_channels(T, weighted(t, map(y -> taps(I, y), x), size(t), t.modes, 0))
@inline Base.getindex(t::CuDeviceTexture{T,N,M,false}, x::Vararg{Real,N}) where {T,N,M} = sampled(t, map(y -> Float32(y) - 0.5f0, x))
@inline Base.getindex(t::CuDeviceTexture{T,N,M,true}, x::Vararg{Real,N}) where {T,N,M} = sampled(t, map((y, n) -> Float32(y) * Float32(n), x, size(t)))

export CuDeviceTexture
