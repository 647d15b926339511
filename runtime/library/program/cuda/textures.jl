# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/textures, program/cuda/modules; when: CuTexture*, CuDeviceTexture, ArrayMemory, CuArrayPtr
# Textures and texture arrays of the host (kernels: device/textures.jl). A texture array is a device array.

struct CuArrayPtr{T}
    address::UInt64
end
Base.eltype(::Type{CuArrayPtr{T}}) where {T} = T
Base.eltype(::CuArrayPtr{T}) where {T} = T
Base.isless(p::CuArrayPtr, q::CuArrayPtr) = isless(p.address, q.address)
Base.:<(p::CuArrayPtr, q::CuArrayPtr) = p.address < q.address
Base.:+(p::CuArrayPtr{T}, n::Integer) where {T} = CuArrayPtr{T}(p.address + rem(n, UInt64))
Base.:+(n::Integer, p::CuArrayPtr) = p + n
Base.:-(p::CuArrayPtr{T}, n::Integer) where {T} = CuArrayPtr{T}(p.address - rem(n, UInt64))
(::Type{UInt64})(p::CuArrayPtr) = p.address
Base.convert(::Type{UInt64}, p::CuArrayPtr) = p.address
Base.convert(::Type{P}, p::CuArrayPtr) where {P<:Ptr} = throw(ArgumentError("cannot convert a GPU array pointer to a CPU pointer"))
# memory.jl copies between addresses.
Base.unsafe_copyto!(to::P, from::CuArrayPtr{T}, n::Integer) where {T,P<:Union{Ptr{T},CuPtr{T}}} = unsafe_copyto!(to, CuPtr{T}(from.address), n)
Base.unsafe_copyto!(to::CuArrayPtr{T}, from::P, n::Integer) where {T,P<:Union{Ptr{T},CuPtr{T}}} = (unsafe_copyto!(CuPtr{T}(to.address), from, n); to)

struct ArrayMemory{T,N}
    array::CuArray{T,N,DeviceMemory}
end
Base.size(m::ArrayMemory) = size(m.array)
Base.length(m::ArrayMemory) = length(m.array)
Base.ndims(m::ArrayMemory{T,N}) where {T,N} = N
Base.sizeof(m::ArrayMemory) = error("Opaque array memory does not have a definite size")
Base.pointer(m::ArrayMemory{T}) where {T} = CuArrayPtr{T}(pointer(m.array).address)
Base.convert(::Type{CuArrayPtr{T}}, m::ArrayMemory{T}) where {T} = pointer(m)
Base.show(io::Base.IO, m::ArrayMemory{T,N}) where {T,N} =
    (print(io, N == 1 ? string(length(m), "-element") : join(size(m), '×'), " ArrayMemory{", T, ",", N, "}(0x", string(pointer(m).address; base=16), ")"); nothing)

channel_type(::Type{T}) where {T} = T
channel_type(::Type{NTuple{C,T}}) where {C,T} = T
channel_count(::Type{T}) where {T} = 1
channel_count(::Type{NTuple{C,T}}) where {C,T} = C
function check_texture(::Type{T}, N) where {T}
    channel_type(T) in (UInt8, UInt16, UInt32, Int8, Int16, Int32, Float16, Float32) && channel_count(T) in (1, 2, 4) ||
        throw(ArgumentError(string("a texture has elements of 1, 2 or 4 channels of UInt8, UInt16, UInt32, Int8, Int16, Int32, Float16 or Float32, not of type ", T)))
    1 <= N <= 3 || throw(ArgumentError(string("a texture has 1 to 3 dimensions, not ", N)))
    return nothing
end

struct CuTextureArray{T,N}
    mem::ArrayMemory{T,N}
    function CuTextureArray{T,N}(::UndefInitializer, dims::Dims{N}) where {T,N}
        check_texture(T, N)
        all(d -> d >= 1, dims) || throw(ArgumentError(string("a texture array has at least one element in each dimension, not ", dims)))
        return new{T,N}(ArrayMemory{T,N}(CuArray{T,N,DeviceMemory}(undef, dims)))
    end
end
CuTextureArray{T,N}(A::AbstractArray{<:Any,N}) where {T,N} = copyto!(CuTextureArray{T,N}(undef, size(A)), A)
CuTextureArray{T,N}(A::CuTextureArray{T,N}) where {T,N} = A
CuTextureArray(A::CuTextureArray) = A
CuTextureArray(A::AbstractArray{T,N}) where {T,N} = CuTextureArray{T,N}(A)
Base.size(t::CuTextureArray) = size(t.mem)
Base.length(t::CuTextureArray) = length(t.mem)
Base.ndims(t::CuTextureArray{T,N}) where {T,N} = N
Base.eltype(t::CuTextureArray{T}) where {T} = T
Base.sizeof(t::CuTextureArray) = sizeof(t.mem.array)
Base.pointer(t::CuTextureArray) = pointer(t.mem)
function Base.copyto!(t::CuTextureArray{T,N}, A::AbstractArray{<:Any,N}) where {T,N}
    size(t) == size(A) || throw(DimensionMismatch("source and destination sizes must match"))
    copyto!(t.mem.array, A)
    return t
end
Base.copyto!(t::CuTextureArray{T,N}, s::CuTextureArray{T,N}) where {T,N} = copyto!(t, s.mem.array)

struct CuTexture{T,N,P,I} <: AbstractArray{T,N}
    parent::P
    interpolation::I
    normalized_coordinates::Bool
    modes::NTuple{N,Int32}
end
function CuTexture(A::Union{CuTextureArray,CuArray}; address_mode=ADDRESS_MODE_CLAMP, interpolation=NearestNeighbour(), normalized_coordinates=false)
    (T, N) = (eltype(A), ndims(A))
    check_texture(T, N)
    A isa CuArray && N > 2 && throw(ArgumentError("Only 1 or 2D CuArray objects can be wrapped in a texture"))
    if interpolation isa CubicInterpolation
        normalized_coordinates && throw(ArgumentError("Cubic interpolation is only supported with non-normalized coordinates"))
        N > 2 && throw(ArgumentError("Cubic interpolation is only implemented for 1 and 2D textures"))
    end
    interpolation isa NearestNeighbour || channel_type(T) <: AbstractFloat ||
        throw(ArgumentError(string("only textures of Float16 and Float32 interpolate, not of ", T, ": use CUDA.NearestNeighbour()")))
    modes = address_mode isa Tuple ? address_mode : ntuple(_ -> address_mode, N)
    length(modes) == N && all(m -> m isa Int32 && 0 <= m <= 3, modes) || throw(ArgumentError("address_mode is one of CUDA.ADDRESS_MODE_CLAMP, _WRAP, _MIRROR and _BORDER, or a tuple of one for each dimension"))
    # CUDA clamps where coordinates are not normalized.
    modes = map(m -> normalized_coordinates || m == ADDRESS_MODE_BORDER ? m : ADDRESS_MODE_CLAMP, modes)
    return CuTexture{T,N,typeof(A),typeof(interpolation)}(A, interpolation, normalized_coordinates, modes)
end
CuTexture{T,N}(A::Union{CuTextureArray{T,N},CuArray{T,N}}; keywords...) where {T,N} = CuTexture(A; keywords...)
Base.parent(t::CuTexture) = t.parent
Base.size(t::CuTexture) = size(t.parent)
Base.length(t::CuTexture) = length(t.parent)
Base.sizeof(t::CuTexture) = sizeof(t.parent)
Base.show(io::Base.IO, t::CuTexture{T,N,P}) where {T,N,P} =
    (print(io, N == 1 ? string(length(t), "-element") : join(size(t), '×'), " ", channel_count(T), "-channel CuTexture(::", nameof(P), ") with eltype ", T); nothing)
Base.show(io::Base.IO, ::MIME"text/plain", t::CuTexture) = show(io, t)
memory_source(::CuArray) = LinearMemorySource
memory_source(::CuTextureArray) = ArrayMemorySource
source_array(A::CuArray) = A
source_array(t::CuTextureArray) = t.mem.array
adapt_storage(to::KernelAdaptor, t::CuTexture) = device_texture(to, t)
adapt_storage(to::HostAdaptor, t::CuTexture) = device_texture(to, t)
device_texture(to, t::CuTexture{T,N,P,I}) where {T,N,P,I} =
    CuDeviceTexture{T,N,memory_source(t.parent),t.normalized_coordinates,I}(adapt(to, source_array(t.parent)), t.modes)

export CuTexture, CuTextureArray
