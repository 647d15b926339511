# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arrays of the host, in expressions that are evaluated before any kernel runs: dotted calls of them make new ones.

@inline broadcast_size(A::Array) = size(A)
@inline broadcast_kind(A::Array) = ndims(A) === 0 ? OfScalars() : OfArrays()
@inline first_array(A::Array) = A
@inline broadcast_at(A::Array, i::Int) = ndims(A) === 0 ? A[] : A[i]
@inline broadcast_at(A::Array, I::Tuple) = A[kept_indices(size(A), I)...]
@inline is_linear_in(dims, A::Array) = dims === size(A) || ndims(A) === 0
@inline isempty(A::Array) = length(A) == 0
@inline eachindex(A::Array) = OneTo(length(A))
@inline iterate(A::Array) = iterate(A, 1)
@inline iterate(A::Array, i) = i <= length(A) ? (A[i], i + 1) : nothing
@inline axes(A::Array) = map(OneTo, size(A))
@inline axes(A::Array, d) = OneTo(size(A, d))
@inline lastindex(A::Array) = length(A)
@inline firstindex(A::Array) = 1
@inline CartesianIndices(A::Array) = CartesianIndices(size(A))
function materialize!(A::Array, source)
    dims = size(A)
    if !fits_in(dims, broadcast_size(source))
        throw(DimensionMismatch("what a dotted call gives does not fit the array that it is stored in"))
    end
    for k in 1:length(A)
        A[k] = broadcast_at(source, split_offset(dims, k - 1))
    end
    return A
end
function new_array(b, dims)
    return materialize!(zeros(typeof(broadcast_at(b, ntuple(Returns(1), nfields(dims)))), dims...), b)
end
materialize_array(A::Array, b) = new_array(b, broadcast_size(b))
fill(x) = fill(x, ())
hcat(x::Number, rest::Number...) = rows_of((1 + length(rest),), (x, rest...))
vcat(x::Number, rest::Number...) = vect(promote(x, rest...)...)
hvcat(lengths::Tuple, items...) = rows_of(lengths, items)
function rows_of(lengths, items)
    A = zeros(typeof(promote(items...)[1]), length(lengths), lengths[1])
    for i in 1:length(lengths), j in 1:lengths[1]
        A[i, j] = items[(i-1)*lengths[1]+j]
    end
    return A
end
