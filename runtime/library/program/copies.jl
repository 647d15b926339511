# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/folds
# Parts of host arrays: copies from part to part, permuted dimensions, parts of wrapped arrays, index arrays in views.

function copy!(B::AbstractVector, A::AbstractVector)
    length(B) == length(A) || resize!(B, length(A))
    return copyto!(B, A)
end
function copy!(B::AbstractArray, A::AbstractArray)
    axes(B) == axes(A) || throw(ArgumentError(string("arrays must have the same axes for copy! (consider using `copyto!`)")))
    return copyto!(B, A)
end
copyto!(B::AbstractArray, to::AbstractRange, A::AbstractArray, from::AbstractRange) = copyto!(B, CartesianIndices((to,)), A, CartesianIndices((from,)))
function copyto!(B::AbstractArray, to::CartesianIndices, A::AbstractArray, from::CartesianIndices)
    size(to) == size(from) || throw(ArgumentError(string("source and destination must have same size (got ", size(from), " and ", size(to), ")")))
    length(to) == 0 && return B
    (checkbounds(Bool, B, last(to)) && checkbounds(Bool, A, last(from)) && checkbounds(Bool, B, first(to)) && checkbounds(Bool, A, first(from))) || throw(BoundsError(B, (to,)))
    for (I, J) in zip(to, from)
        B[I] = A[J]
    end
    return B
end
isperm(p::AbstractVector) = sort!(collect(p)) == 1:length(p)
permutedims(A::AbstractArray, perm) = permutedims!(Array{eltype(A)}(undef, map(d -> size(A, d), Tuple(perm))...), __as_array(A), perm)
# Converts to an Array. A wrapper copies its whole parent first, then takes the part.
__as_array(A::Array) = A
__as_array(A::AbstractArray) = collect(A)
__as_array(A::SubArray) = __as_array(A.parent)[A.indices...]
__as_array(A::ReshapedArray) = reshape(__as_array(A.parent), A.dims)
function permutedims!(B::AbstractArray, A::AbstractArray, perm)
    isperm(Tuple(perm)) && length(perm) == ndims(A) || throw(ArgumentError("no valid permutation of dimensions"))
    size(B) == map(d -> size(A, d), Tuple(perm)) || throw(DimensionMismatch("the destination has not the size of the result"))
    strides = cumprod([1; collect(size(A))])
    __permute_into!(B, A, collect(size(B)), [strides[d] for d in perm])
    return B
end
function __permute_into!(B, A, sizes, strides)
    for k in 0:length(B)-1
        rest = k
        at = 1
        for d in 1:length(sizes)
            q = div(rest, sizes[d])
            at += (rest - q * sizes[d]) * strides[d]
            rest = q
        end
        B[k+1] = A[at]
    end
    return nothing
end
for (f, g) in ((:transpose!, :transpose), (:adjoint!, :adjoint))
    @eval function $f(B::AbstractVecOrMat, A::AbstractVecOrMat)
        (size(B, 1), size(B, 2)) == (size(A, 2), size(A, 1)) || throw(DimensionMismatch($(string(f, ": the destination has not the size of the result"))))
        for j in 1:size(A, 2), i in 1:size(A, 1)
            B[j, i] = $g(A[i, j])
        end
        return B
    end
end
function copytri!(A::AbstractMatrix, uplo::AbstractChar, conjugate::Bool=false, diag::Bool=false)
    n = checksquare(A)
    (uplo == 'U' || uplo == 'L') || throw(ArgumentError(string("uplo argument must be 'U' (upper) or 'L' (lower), got ", uplo)))
    for i in 1:n, j in (diag ? i : i + 1):n
        (from, to) = uplo == 'U' ? (A[i, j], (j, i)) : (A[j, i], (i, j))
        A[to...] = conjugate ? conj(from) : from
    end
    return A
end
function copytrito!(B::AbstractMatrix, A::AbstractMatrix, uplo::AbstractChar)
    (uplo == 'U' || uplo == 'L') || throw(ArgumentError(string("uplo argument must be 'U' (upper) or 'L' (lower), got ", uplo)))
    for j in 1:size(A, 2), i in 1:size(A, 1)
        (uplo == 'U' ? i <= j : i >= j) && (B[i, j] = A[i, j])
    end
    return B
end
function circshift(A::AbstractArray, shifts::Tuple)
    I = ntuple(d -> (k = d <= length(shifts) ? Int(shifts[d]) : 0; [mod1(i - k, size(A, d)) for i in 1:size(A, d)]), ndims(A))
    return A[I...]
end
circshift(A::AbstractMatrix, k::Integer) = circshift(A, (k,))
clamp!(A::AbstractArray, low, high) = (A .= clamp.(A, low, high); A)
triu!(A::AbstractMatrix, k::Integer=0) = __clear!((i, j) -> j - i < k, A)
tril!(A::AbstractMatrix, k::Integer=0) = __clear!((i, j) -> j - i > k, A)
function __clear!(is_cleared, A)
    for j in axes(A, 2), i in axes(A, 1)
        is_cleared(i, j) && (A[i, j] = zero(A[i, j]))
    end
    return A
end
istriu(A::AbstractMatrix, k::Integer) = all(I -> I[2] - I[1] >= k || iszero(A[I]), CartesianIndices(size(A)))
istril(A::AbstractMatrix, k::Integer) = all(I -> I[2] - I[1] <= k || iszero(A[I]), CartesianIndices(size(A)))
function rotate!(x::AbstractVector, y::AbstractVector, c, s)
    for i in 1:length(x)
        (a, b) = (x[i], y[i])
        x[i] = c * a + s * b
        y[i] = -conj(s) * a + c * b
    end
    return (x, y)
end
function reflect!(x::AbstractVector, y::AbstractVector, c, s)
    for i in 1:length(x)
        (a, b) = (x[i], y[i])
        x[i] = c * a + s * b
        y[i] = conj(s) * a - c * b
    end
    return (x, y)
end

# ---- parts of wrapped arrays
const __Wrapped = Union{Adjoint,Transpose,SubArray,ReshapedArray,PermutedDimsArray}
function getindex(A::__Wrapped, I...)
    J = plain_indices(A, I)
    return __get(Val(__names_part(J)), A, J)
end
function setindex!(A::__Wrapped, x, I...)
    J = plain_indices(A, I)
    return __set(Val(__names_part(J)), A, x, J)
end
@inline __names_part(I::Tuple{}) = false
@inline __names_part(I::Tuple) = __is_part(getfield(I, 1)) || __names_part(tail(I))
@inline __is_part(i) = false
@inline __is_part(i::Union{Colon,AbstractArray}) = true
@inline __get(::Val{false}, A, I) = get_flat(IndexStyle(A), A, flat_indices(I))
@inline __set(::Val{false}, A, x, I) = set_flat(IndexStyle(A), A, x, flat_indices(I))
__get(::Val{true}, A, I) = collect(A)[I...]
function __set(::Val{true}, A, x, I)
    numbers = reshape(collect(1:length(A)), size(A))[I...]
    x isa AbstractArray || throw(ArgumentError("indexed assignment with a single value to possibly many locations is not supported; perhaps use broadcasting `.=` instead?"))
    length(x) == length(numbers) || throw(DimensionMismatch(string("tried to assign ", length(x), " elements to ", length(numbers), " destinations")))
    k = 0
    for v in apart(A, x)
        k += 1
        A[numbers[k]] = v
    end
    return A
end

# ---- views by index arrays. The dimensions of an index array become dimensions of the view.
if !isdefined(Base, :Slice) # a package loaded from source may have defined the type
    struct Slice{T<:AbstractUnitRange} <: AbstractUnitRange{Int}
        indices::T
    end
    @inline first(s::Slice) = first(s.indices)
    @inline last(s::Slice) = last(s.indices)
    @inline length(s::Slice) = length(s.indices)
    @inline viewindexing(I::Tuple{Slice,AbstractUnitRange,Vararg{ScalarIndex}}) = IndexLinear()
    @inline viewindexing(I::Tuple{Slice,Slice,Vararg{ScalarIndex}}) = IndexLinear()
    @inline viewindexing(I::Tuple{Slice,Slice,Vararg{Any}}) = viewindexing(tail(I))
end
# The indices of its elements are the elements themselves.
struct IdentityUnitRange{T<:AbstractUnitRange} <: AbstractUnitRange{Int}
    indices::T
end
IdentityUnitRange(r::IdentityUnitRange) = r
IdentityUnitRange(r::OneTo) = r
@inline first(s::IdentityUnitRange) = first(s.indices)
@inline last(s::IdentityUnitRange) = last(s.indices)
@inline length(s::IdentityUnitRange) = length(s.indices)
const __OwnIndices = Union{Slice,IdentityUnitRange}
axes(s::__OwnIndices) = s.indices isa OneTo ? (s.indices,) : (IdentityUnitRange(s.indices),)
function getindex(s::__OwnIndices, i::Integer)
    @boundscheck checkbounds(s, i)
    return Int(i)
end
function getindex(s::__OwnIndices, r::AbstractUnitRange{<:Integer})
    @boundscheck checkbounds(s, r)
    return r
end
show(io::IO, s::IdentityUnitRange) = print(io, "Base.IdentityUnitRange(", s.indices, ")")
show(io::IO, s::Slice) = print(io, "Base.Slice(", s.indices, ")")
__is_many(i) = false
__is_many(i::AbstractArray) = ndims(i) > 1 && eltype(i) !== Bool
__index_dims(A, d, i) = (length(i),)
__index_dims(A, d, i::Union{Integer,CartesianIndex}) = ()
__index_dims(A, d, i::Colon) = (size(A, d),)
__index_dims(A, d, i::AbstractArray) = size(i)
view(A::Array, I...) = __view(A, plain_indices(A, I))
__spans_dimensions(i) = false
__spans_dimensions(i::AbstractArray{Bool}) = ndims(i) > 1
__spans_dimensions(i::AbstractArray{<:CartesianIndex}) = true
function __view(A, I)
    if any(map(__spans_dimensions, I))
        places = __part_places(A, I)
        return reshape(host_view(A, (vec(places),)), size(places))
    end
    any(map(__is_many, I)) || return __checked_view(A, I, view_indices(A, 1, I...))
    V = __checked_view(A, I, view_indices(A, 1, map(i -> __is_many(i) ? vec(collect(i)) : i, I)...))
    dims = ()
    for d in 1:length(I)
        dims = (dims..., __index_dims(A, d, I[d])...)
    end
    return reshape(V, dims)
end
# A BoundsError shows the indices as the program wrote them.
__checked_view(A, I, J) = (has_view(A, J) || throw(BoundsError(A, __shown_indices(A, I))); __unchecked_host_view(A, J))
# Replaces each colon by the range that it covers.
__shown_indices(A, I) = ntuple(d -> I[d] isa Colon ? OneTo(nfields(I) == 1 ? length(A) : size(A, d)) : I[d], nfields(I))
function __part_places(A, I)
    try
        return reshape(collect(1:length(A)), size(A))[I...]
    catch e
        e isa BoundsError && throw(BoundsError(A, __shown_indices(A, I)))
        rethrow()
    end
end
view_index(A, d, i::AbstractArray) = __view_numbers(A, d, i)
__view_numbers(A, d, i::AbstractArray) = vec(collect(i))
__view_numbers(A, d, i::AbstractVector{Int}) = i   # as in Julia, the view keeps the indices, not a copy
__view_numbers(A, d, i::AbstractArray{Bool}) = length(i) == size(A, d) || length(i) == length(A) ? findall(vec(collect(i))) : throw(BoundsError(A, (i,)))
is_in_range(n::Int, r::Array) = all(i -> 1 <= i <= n, r)
(::Type{Array{T}})(J::UniformScaling, m::Integer, n::Integer) where {T} = __identity(T, J, m, n)
rdiv!(B::AbstractMatrix, A::AbstractMatrix) = copyto!(B, B / A)
kron!(C::AbstractArray, A::AbstractArray, B::AbstractArray) = copyto!(C, kron(A, B))

module LinearAlgebra
import Base: transpose!, adjoint!, copytri!, copytrito!, triu!, tril!, rotate!, reflect!, rdiv!, kron!
export transpose!, adjoint!, copytrito!, triu!, tril!, rotate!, reflect!, rdiv!, kron!
end

# ---- array types that a program defines: indexing by ranges, colons, lists and masks copies a view
struct __PartIndex{I}
    of::I
end
__part_by_view(A, I) = collect(view(A, map(__index_of_part, I)...))
__set_part(A, v, I) = __set(Val(true), A, v, map(__index_of_part, I))
__index_of_part(i) = i
__index_of_part(p::__PartIndex) = p.of
__index_of_part(p::__PartIndex{<:AbstractArray{Bool}}) = findall(p.of)
