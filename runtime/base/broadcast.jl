# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Dotted calls of numbers, tuples and arrays. A nest of dotted calls is one lazy object that is read element by
# element; `A .= ...` stores it in a loop of the calling thread.

struct Broadcasted{F,A}
    f::F
    args::A
end
@inline broadcasted(f, args...) = Broadcasted(f, args)

@inline materialize(x) = x
@inline materialize(b::Broadcasted) = materialize_shape(broadcast_length(b), b)
@inline materialize_shape(n::Nothing, b) = broadcast_at(b, 1)
@inline materialize_shape(n::Val{N}, b) where {N} = ntuple(Fix1(broadcast_at, b), Val(N))
# The common length of the tuples among the leaves as a Val; nothing where all are scalars.
@inline broadcast_length(x) = nothing
@inline broadcast_length(t::Tuple) = Val(nfields(t))
@inline broadcast_length(b::Broadcasted) = common_length(map(broadcast_length, b.args)...)
@inline common_length() = nothing
@inline common_length(n) = n
@inline common_length(n::Nothing, m::Nothing, rest...) = common_length(nothing, rest...)
@inline common_length(n::Nothing, m, rest...) = common_length(m, rest...)
@inline common_length(n, m::Nothing, rest...) = common_length(n, rest...)
@inline function common_length(n::Val{N}, m::Val{M}, rest...) where {N,M}
    if N === M || M === 1
        return common_length(n, rest...)
    elseif N === 1
        return common_length(m, rest...)
    end
    throw(DimensionMismatch("tuples of a dotted call differ in length"))
end
@inline broadcast_at(x, i) = x
@inline broadcast_at(t::Tuple, i::Int) = nfields(t) === 1 ? getfield(t, 1) : getfield(t, i)
@inline broadcast_at(A::AbstractArray, I) = A[I]
@inline broadcast_at(r::RefValue, i) = r.x
@inline broadcast_at(b::Broadcasted, i) = broadcast_call(b.f, i, b.args)
@inline broadcast_call(f, i, args::Tuple{Any}) = f(broadcast_at(getfield(args, 1), i))
@inline broadcast_call(f, i, args::Tuple{Any,Any}) = f(broadcast_at(getfield(args, 1), i), broadcast_at(getfield(args, 2), i))
@inline broadcast_call(f, i, args::Tuple{Any,Any,Any}) = f(broadcast_at(getfield(args, 1), i), broadcast_at(getfield(args, 2), i), broadcast_at(getfield(args, 3), i))
@inline broadcast_call(f, i, args::Tuple) = f(map(AtIndex(i), args)...)
struct AtIndex{I} <: Function
    i::I
end
@inline (a::AtIndex)(x) = broadcast_at(x, a.i)

@inline function materialize!(A::AbstractArray, source)
    for i in eachindex(A)
        A[i] = broadcast_at(source, i)
    end
    return A
end
@inline broadcast(f, args...) = materialize(broadcasted(f, args...))
