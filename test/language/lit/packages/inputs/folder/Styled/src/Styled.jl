# Arrays with a style of broadcasting of their own: values of three elements.
module Styled
using Base.Broadcast: AbstractArrayStyle, DefaultArrayStyle, Broadcasted
import Base.Broadcast: BroadcastStyle
export Triple

struct Triple{T} <: AbstractVector{T}
    items::NTuple{3,T}
end
Triple(a, b, c) = Triple(promote(a, b, c))
Base.size(::Triple) = (3,)
Base.getindex(t::Triple, i::Int) = t.items[i]
struct TripleStyle <: AbstractArrayStyle{1} end
TripleStyle(::Val{1}) = TripleStyle()
BroadcastStyle(::Type{<:Triple}) = TripleStyle()
function Base.copy(bc::Broadcasted{TripleStyle})
    flat = Base.Broadcast.flatten(bc)
    return Triple(ntuple(i -> flat.f(map(x -> pick(x, i), flat.args)...), Val(3)))
end
pick(x::AbstractArray, i) = x[i]
pick(x::Tuple, i) = x[i]
pick(x::Ref, i) = x[]
pick(x, i) = x
end
