# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: base/broadcast_styles
# Values of dotted calls whose style a package or program defines (runtime/library/base/broadcast_styles.jl): similar
# makes the array for the style, and copyto! fills it.
copy_by_style(::Broadcast.AbstractArrayStyle, b) = copyto!(similar(b, __style_element(b)), b)
copy_by_style(::Broadcast.DefaultArrayStyle, b) = Broadcast.copy_plain(b, axes(b))
similar(b::Broadcasted{<:Broadcast.BroadcastStyle}, ::Type{T}) where {T} = similar(b, T, axes(b))
const __PlainStyle = Union{Broadcast.DefaultArrayStyle,Broadcast.ArrayConflict}
similar(b::Broadcasted{<:__PlainStyle}, ::Type{T}, dims::Tuple) where {T} = similar(Array{T}, dims)
Broadcast.copy_plain(b, axes::Tuple{OneTo,Vararg{OneTo}}) = new_array(b, map(length, axes))
Broadcast.copy_plain(b, axes::Tuple{Any,Vararg}) = copyto!(similar(b, __style_element(b)), b)
function __style_element(b)
    isempty(b) && return Any
    at = map(first, axes(b))
    T = __result_type(broadcast_at, b, at)
    return T === nothing ? typeof(broadcast_at(b, at)) : T
end
# As in Julia, a dotted call has its style before it is computed.
@inline __nest_kind(x, rest...) = (kind = __argument_kind(x); kind isa OfStyled ? kind : __nest_kind(rest...))
@inline __argument_kind(x) = nothing
@inline __argument_kind(x::Array) = nothing
@inline __argument_kind(x::AbstractArray) = broadcast_kind(x)
@inline __argument_kind(x::Broadcasted{<:Broadcast.BroadcastStyle}) = OfStyled()
@inline __nest(::OfStyled, f, args) = Broadcast.restyled(f, map(Broadcast.styled, args))
isempty(b::Broadcasted) = length(b) == 0
# Stores a dotted call into a host array; programs and packages define more methods of materialize!.
materialize!(A::Array, b::Broadcasted) = __store_as!(stronger_kind(broadcast_kind(A), broadcast_kind(b)), A, b)
materialize!(A::Array, b::Broadcasted{<:Broadcast.BroadcastStyle}) = Broadcast.store_styled!(A, b)
__store_as!(kind, A, b) = invoke(materialize!, Tuple{Array,Any}, A, b)
__store_as!(::OfStyled, A, b) = Broadcast.store_styled!(A, Broadcast.styled(b))
