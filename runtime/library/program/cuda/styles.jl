# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; when: BroadcastStyle, ArrayStyle, AbstractArrayStyle, DefaultArrayStyle; after: program/styles, program/cuda/modules
# Broadcast style of device arrays, for programs and packages that define styles of their own. Their arrays wrap a
# device array, or occur with one in a dotted call. Dotted calls of device arrays alone do not use this file.
abstract type AbstractGPUArrayStyle{N} <: Base.Broadcast.AbstractArrayStyle{N} end
struct CuArrayStyle{N,M} <: AbstractGPUArrayStyle{N} end
CuArrayStyle{M,K}(::Val{N}) where {M,K,N} = CuArrayStyle{N,K}()
CuArrayStyle{M}(::Val{N}) where {M,N} = CuArrayStyle{N,DeviceMemory}()
(::Type{CuArrayStyle{N}})() where {N} = CuArrayStyle{N,DeviceMemory}()
Base.Broadcast.BroadcastStyle(::Type{<:CuArray{T,N,K}}) where {T,N,K} = CuArrayStyle{N,K}()
Base.Broadcast.BroadcastStyle(::Type{A}) where {A<:WrappedCuArray} = CuArrayStyle{ndims(A),DeviceMemory}()

struct OfBoth end                                  # device arrays and a style
Base.kind_rank(::OfBoth) = 7
Base.stronger_kind(::OfDevice, ::Base.OfStyled) = OfBoth()
Base.stronger_kind(::Base.OfStyled, ::OfDevice) = OfBoth()
Base.materialize_as(::OfBoth, b) = result_of_style(Base.Broadcast.styled(b), b)
result_of_style(s, b) = Base.Broadcast.copy_styled(s)
result_of_style(s::Base.Broadcasted{Base.Broadcast.Unknown}, b) = new_of_nest(b)
Base.copy(b::Base.Broadcasted{<:CuArrayStyle}) = new_of_nest(b)
Base.copyto!(A::CuArray, b::Base.Broadcasted{<:Base.Broadcast.BroadcastStyle}) = __broadcast_into(A, b)
Base.copyto!(A::WrappedCuArray, b::Base.Broadcasted{<:Base.Broadcast.BroadcastStyle}) = __broadcast_into(A, b)
# Stores into an array of a program or package that wraps a device array: the kernel calls its setindex!.
function Base.Broadcast.materialize!(::CuArrayStyle, A, b::Base.Broadcasted{S}) where {S}
    c = Base.Broadcast.instantiate(Base.Broadcasted{S}(b.f, b.args, Base.axes(A)))
    A isa AnyCuArray || !holds_device(A) ? copyto!(A, c) : length(A) == 0 || launch_elements(broadcast_cartesian, (A, c), length(A), length(A))
    return A
end
Base.similar(b::Base.Broadcasted{<:CuArrayStyle}, ::Type{T}) where {T} = new_array(T, size(b))
Base.similar(b::Base.Broadcasted{<:CuArrayStyle}, ::Type{T}, dims::Tuple) where {T} = new_array(T, dims)

# Element type of a dotted call with a device array. It follows from the arguments' types, since the host cannot read
# the elements.
function Base.__style_element(b::Base.Broadcasted)
    holds_device(b) || return invoke(Base.__style_element, Tuple{Any}, b)
    T = element_type(b)
    isbitstype(T) || throw(ArgumentError(string("broadcast operation resulting in ", T, " is not GPU compatible")))
    return T
end
element_type(x) = typeof(x)
element_type(x::Union{AbstractArray,Ref,Tuple}) = eltype(x)
element_type(h::Base.Broadcast.Held) = typeof(h.x)
element_type(::Base.OfType{T}) where {T} = Type{T}
element_type(b::Base.Broadcasted) = __return_type(__convert(b.f), map(element_type, b.args)...)
holds_device(x) = false
holds_device(A::AnyCuArray) = true
holds_device(b::Base.Broadcasted) = any(map(holds_device, b.args))
holds_device(A::Array) = false
holds_device(A::AbstractArray) = any(k -> holds_device(getfield(A, k)), 1:nfields(A))
