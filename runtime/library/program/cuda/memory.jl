# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: program/pointers, program/cuda/modules; when: alloc, free, memset, unsafe_copyto!, unsafe_copy2d!, unsafe_copy3d!, prefetch, advise
# Memory without an element type (CUDA.alloc), and copies between addresses of the host and of the device. Each copy is
# complete when its call returns.

const MEMHOSTALLOC_PORTABLE = 0x01
const MEMHOSTALLOC_DEVICEMAP = 0x02
const MEMHOSTALLOC_WRITECOMBINED = 0x04
const MEMORYTYPE_HOST = 0x01
const MEMORYTYPE_DEVICE = 0x02
const MEM_ADVISE_SET_READ_MOSTLY = 1
const MEM_ADVISE_SET_PREFERRED_LOCATION = 3
const MEM_ADVISE_SET_ACCESSED_BY = 5
struct DEVICE_CPU end

const unified_places = Dict{UInt64,Int}() # bytes of unified memory, by address

function alloc(::Type{M}, bytes::Integer, flags...) where {M<:Union{DeviceMemory,UnifiedMemory,HostMemory}}
    bytes >= 0 || throw(ArgumentError(string("CUDA.alloc of ", bytes, " bytes")))
    mem = M(M === HostMemory ? Vector{UInt8}(undef, bytes) : __allocate(Int(bytes)), Int(bytes))
    M === UnifiedMemory && (unified_places[address_of(mem)] = mem.bytes)
    return mem
end
free(mem::DeviceMemory) = __free(mem.storage)
free(mem::UnifiedMemory) = (delete!(unified_places, address_of(mem)); __free(mem.storage))
free(mem::HostMemory) = nothing # the array is freed with its last reference
const Memory = Union{DeviceMemory,UnifiedMemory,HostMemory}
address_of(mem::Union{DeviceMemory,UnifiedMemory}) = UInt64(__address(mem.storage))
address_of(mem::HostMemory) = UInt64(pointer(mem.storage))
Base.sizeof(mem::Memory) = mem.bytes
Base.pointer(mem::Union{DeviceMemory,UnifiedMemory}) = CuPtr{Nothing}(address_of(mem))
Base.pointer(mem::HostMemory) = Ptr{Nothing}(address_of(mem))
Base.convert(::Type{CuPtr{T}}, mem::Union{DeviceMemory,UnifiedMemory}) where {T} = CuPtr{T}(address_of(mem))
Base.convert(::Type{CuPtr{T}}, mem::HostMemory) where {T} = throw(ArgumentError("Kiln maps no host memory into a GPU: copy it by unsafe_copyto! to memory of CUDA.alloc(CUDA.DeviceMemory, bytes)"))
Base.convert(::Type{Ptr{T}}, mem::HostMemory) where {T} = Ptr{T}(address_of(mem))
Base.convert(::Type{Ptr}, mem::HostMemory) = Ptr{Nothing}(address_of(mem))
Base.convert(::Type{Ptr{T}}, mem::UnifiedMemory) where {T} = Ptr{T}(address_of(mem))
Base.convert(::Type{P}, mem::DeviceMemory) where {P<:Ptr} = throw(ArgumentError("cannot convert DeviceMemory to a CPU pointer: copy it by unsafe_copyto!"))
Base.show(io::Base.IO, mem::Memory) = (print(io, nameof(typeof(mem)), "(", bytes_text(mem.bytes), " at ", pointer(mem), ")"); nothing)

# ---- attributes of an address
memory_type(p::CuPtr) = MEMORYTYPE_DEVICE
memory_type(p::Ptr) = MEMORYTYPE_HOST
# Bytes of unified memory from an address on; 0: none.
function unified_bytes(address)
    for (first, bytes) in unified_places
        first <= address < first + bytes && return Int(first + bytes - address)
    end
    return 0
end
is_managed(p::Union{Ptr,CuPtr}) = unified_bytes(UInt64(p)) > 0
function Base.__elements_elsewhere(p::Ptr{T}) where {T}
    n = div(unified_bytes(UInt64(p)), sizeof(T))
    return n == 0 ? nothing : (as_memory(unsafe_wrap(CuArray, CuPtr{T}(UInt64(p)), n), UnifiedMemory), 0)
end
device(p::Union{Ptr,CuPtr}) = device()
context(p::Union{Ptr,CuPtr}) = context()
function prefetch(mem::UnifiedMemory, bytes::Integer=sizeof(mem); device=device(), stream=nothing)
    0 <= bytes <= sizeof(mem) || throw(BoundsError(mem, bytes))
    return nothing # unified memory stays on the device
end
function advise(mem::UnifiedMemory, advice, bytes::Integer=sizeof(mem); device=device())
    0 <= bytes <= sizeof(mem) || throw(BoundsError(mem, bytes))
    return nothing
end

# ---- copies between addresses
const AnyPtr{T} = Union{Ptr{T},CuPtr{T}}
# An array and the index of the element that lies at an address.
elements_at(p::CuPtr, n, to_write=false) = (unsafe_wrap(CuArray, p, n), 1)
function elements_at(p::Ptr{T}, n, to_write=false) where {T}
    (A, before) = Base.__elements_at(p, to_write)
    return (A, before + 1)
end
function copy_elements(to::AnyPtr{T}, from::AnyPtr{T}, n) where {T}
    n >= 0 || throw(ArgumentError(string("tried to copy n=", n, " elements, but n should be non-negative")))
    n == 0 && return to
    (A, i) = elements_at(from, n)
    (B, j) = elements_at(to, n, true)
    check_copy(n, B, j, A, i)
    copyto!(B, j, A, i, n)
    return to
end
Base.unsafe_copyto!(to::CuPtr{T}, from::Ptr{T}, n::Integer; async=false, stream=nothing) where {T} = copy_elements(to, from, n)
Base.unsafe_copyto!(to::Ptr{T}, from::CuPtr{T}, n::Integer; async=false, stream=nothing) where {T} = copy_elements(to, from, n)
Base.unsafe_copyto!(to::CuPtr{T}, from::CuPtr{T}, n::Integer; async=false, stream=nothing) where {T} = copy_elements(to, from, n)
memset(p::CuPtr{T}, value::T, n::Integer; async=false, stream=nothing) where {T<:Union{UInt8,Int8,UInt16,Int16,UInt32,Int32,Float32,Float16}} = (fill!(unsafe_wrap(CuArray, p, n), value); nothing)

# Copies a box of elements row by row. Positions count from 1, pitches are in bytes, heights in rows.
function unsafe_copy3d!(to::AnyPtr{T}, ::Type{<:Memory}, from::AnyPtr{T}, ::Type{<:Memory}, width::Integer, height::Integer=1, depth::Integer=1;
                        dstPos=(1, 1, 1), srcPos=(1, 1, 1), dstPitch::Integer=0, dstHeight::Integer=0, srcPitch::Integer=0, srcHeight::Integer=0, async=false, stream=nothing) where {T}
    place(p, at, pitch, rows, y, z) = p + (at[1] - 1) * sizeof(T) + ((at[3] - 1 + z) * (rows == 0 ? height : rows) + at[2] - 1 + y) * (pitch == 0 ? width * sizeof(T) : pitch)
    for z in 0:depth-1, y in 0:height-1
        copy_elements(place(to, dstPos, dstPitch, dstHeight, y, z), place(from, srcPos, srcPitch, srcHeight, y, z), width)
    end
    return to
end
unsafe_copy2d!(to::AnyPtr{T}, M::Type{<:Memory}, from::AnyPtr{T}, L::Type{<:Memory}, width::Integer, height::Integer=1; dstPos=(1, 1), srcPos=(1, 1), keywords...) where {T} =
    unsafe_copy3d!(to, M, from, L, width, height; dstPos=(dstPos..., 1), srcPos=(srcPos..., 1), keywords...)
