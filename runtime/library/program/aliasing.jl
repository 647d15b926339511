# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/compiled_arrays
# Sources of an assignment that share memory with its destination. Host code copies them first, as Julia does; kernels
# have no memory for copies.

# True if the arrays in a source do not share memory with A, except A itself: then each element is read before it is
# written.
@inline __is_apart(A, x) = true
@inline __is_apart(A, x::AbstractArray) = x === A || !__shares_memory(A, x)
@inline __is_apart(A, b::Broadcasted) = __all_apart(A, b.args...)
@inline __all_apart(A) = true
@inline __all_apart(A, x, rest...) = __is_apart(A, x) && __all_apart(A, rest...)
@inline __copied_apart(A, x) = x
@inline __copied_apart(A, x::AbstractArray) = __is_apart(A, x) ? x : unaliascopy(x)
@inline __copied_apart(A, b::Broadcasted{S,X,F,Args}) where {S,X,F,Args} = Broadcasted{S,X,F,Args}(b.style, b.f, map(Fix1(__copied_apart, A), b.args), b.axes)

@inline __shares_memory(A, B) = __same_root(__root(A), __root(B))
@inline __shares_memory(A::SubArray, B::SubArray) = __same_root(__root(A), __root(B)) && !(A.parent === B.parent && __are_disjoint(A.indices, B.indices))
@inline __same_root(a, b) = false
@inline __same_root(a::Array, b::Array) = __same_memory(a, b)
# The array that holds the elements of a wrapped array. `nothing`: an array type without a parent.
@inline __root(A::Array) = A
@inline __root(A) = nothing
@inline __root(A::AbstractArray) = __root_of(parent(A), A)
@inline __root_of(P::T, A::T) where {T} = nothing
@inline __root_of(P, A) = __root(P)
# The interpreter's function of this name also knows arrays of other elements than bits that share them.
@inline function __same_memory(A::Array{T}, B::Array{S}) where {T,S}
    isbitstype(T) && isbitstype(S) || return false
    (a, b) = (__memory(A), __memory(B))
    return pointer_to_int(a.ptr) < pointer_to_int(b.ptr) + rem(sizeof(b), UInt64) && pointer_to_int(b.ptr) < pointer_to_int(a.ptr) + rem(sizeof(a), UInt64)
end

# Indices of two views of one array that have no element in common.
@inline __are_disjoint(I::Tuple{}, J::Tuple) = false
@inline __are_disjoint(I::Tuple, J::Tuple) = nfields(I) === nfields(J) && (__ends_before(getfield(I, 1), getfield(J, 1)) || __ends_before(getfield(J, 1), getfield(I, 1)) || __are_disjoint(tail(I), tail(J)))
const __Side = Union{Integer,AbstractUnitRange}
@inline __ends_before(i, j) = false
@inline __ends_before(i::__Side, j::__Side) = last(i) < first(j)

# A copy of the same type, whose memory is its own.
unaliascopy(A::AbstractArray) = copy(A)
unaliascopy(S::V) where {V<:SubArray} = V(unaliascopy(S.parent), S.indices)
unaliascopy(R::ReshapedArray{T,N,P}) where {T,N,P} = ReshapedArray{T,N,P}(unaliascopy(R.parent), R.dims)
unaliascopy(A::W) where {W<:Union{Transpose,Adjoint,PermutedDimsArray}} = W(unaliascopy(A.parent))
