# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/search
# Parts of ordered collections, rotation, and tests for distinct elements.

# ---- first(items, n) and last(items, n); parts of a range are ranges
@inline checked_count(n::Integer) = n < 0 ? throw(ArgumentError("a number of elements cannot be negative")) : Int(n)
@inline first(r::AbstractRange, n::Integer) = @inbounds r[1:min(checked_count(n), length(r))]
@inline last(r::AbstractRange, n::Integer) = @inbounds r[length(r)-min(checked_count(n), length(r))+1:length(r)]
first(items, n::Integer) = first_items(items, n)   # programs have other methods
last(items, n::Integer) = last_items(items, n)
first_items(items, n) = static_error("first(x, n) makes an array, for which a kernel has no memory: use a view, x[1:n] of a range, or Iterators.take(x, n)")
last_items(items, n) = static_error("last(x, n) makes an array, for which a kernel has no memory: use a view, or x[end-n+1:end] of a range")
@inline clamp(x::Integer, r::AbstractUnitRange{<:Integer}) = clamp(x, first(r), last(r))
@inline mod(i::Integer, r::AbstractUnitRange{<:Integer}) = mod(i - first(r), length(r)) + first(r)

# ---- circshift: element i moves to position i + n
@inline circshift(t::Tuple{}, n::Integer) = ()
@inline circshift(t::Tuple, n::Integer) = ntuple(Rotated(t, Int(mod(n, nfields(t)))), Val(nfields(t)))
struct Rotated{T} <: Function
    items::T
    n::Int                        # 0 to length - 1
end
@inline (r::Rotated)(i) = getfield(r.items, i > r.n ? i - r.n : i - r.n + nfields(r.items), false)
circshift(A::AbstractArray, n) = static_error("circshift makes an array, for which a kernel has no memory: circshift!(B, A, n) fills one that is there")
@inline function circshift!(A::AbstractVector, n::Integer)
    if !isempty(A)
        k = mod(Int(n), length(A))
        reverse!(A, 1, length(A) - k)
        reverse!(A, length(A) - k + 1, length(A))
        reverse!(A)
    end
    return A
end
@inline circshift!(B::AbstractArray, A::AbstractArray, n::Integer) = circshift!(B, A, (n,))
@inline function circshift!(B::AbstractArray, A::AbstractArray, n::Tuple)
    size(A) == size(B) || throw(DimensionMismatch("circshift! needs arrays of one size"))
    dims = size(A)
    shifts = ntuple(ShiftAlong(n), Val(nfields(dims)))
    for I in CartesianIndices(dims)
        @inbounds B[CartesianIndex(map(rotated_index, I.I, shifts, dims))] = A[I]
    end
    return B
end
struct ShiftAlong{N} <: Function
    n::N
end
@inline (s::ShiftAlong)(d) = d <= nfields(s.n) ? Int(getfield(s.n, d)) : 0
@inline rotated_index(i, n, extent) = mod(i - 1 + n, extent) + 1

# ---- allunique and allequal. Each element is compared with the previous ones, since kernels have no memory for a
# set.
@inline allunique(t::Tuple{}) = true
@inline allunique(t::Tuple) = !any_of(Fix1(isequal, first(t)), tail(t)...) && allunique(tail(t))
@inline allunique(f, t::Tuple) = allunique(map(f, t))
@inline allunique(r::AbstractRange) = length(r) <= 1 || !iszero(step(r))
@inline allunique(items) = allunique(identity, items)
@inline function allunique(f, items)
    n = iterate(items)
    while n !== nothing
        x = f(getfield(n, 1))
        n = iterate(items, getfield(n, 2))
        later = n
        while later !== nothing
            if isequal(x, f(getfield(later, 1)))
                return false
            end
            later = iterate(items, getfield(later, 2))
        end
    end
    return true
end
@inline allequal(items) = allequal(identity, items)
@inline allequal(f, t::Tuple) = allequal(map(f, t))
@inline function allequal(f, items)
    n = iterate(items)
    if n === nothing
        return true
    end
    x = f(getfield(n, 1))
    n = iterate(items, getfield(n, 2))
    while n !== nothing
        if !isequal(x, f(getfield(n, 1)))
            return false
        end
        n = iterate(items, getfield(n, 2))
    end
    return true
end
