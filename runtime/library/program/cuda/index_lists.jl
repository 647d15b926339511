# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/indexing
# Indexing of device arrays with lists: arrays of integers or Cartesian indices, and masks. Bounds are checked before
# a kernel accesses memory: the host checks host lists, and a reduction on the device checks device lists.

is_list(i) = false
is_list(i::AbstractArray) = !(i isa AbstractRange)
struct InExtent <: Function
    n::Int
end
@inline (c::InExtent)(i) = (1 <= i) & (i <= c.n)
struct InBox{N} <: Function
    dims::NTuple{N,Int}
end
@inline (c::InBox)(i) = Base.in_bounds(c.dims, i.I)
function holds_for_all(test, items)
    for i in items
        test(i) || return false
    end
    return true
end
# Number of array dimensions that one index covers.
axes_taken(i) = 1
axes_taken(i::AbstractArray{CartesianIndex{N}}) where {N} = N
axes_taken(i::AbstractArray{Bool}) = ndims(i)
function is_within(extents, i)
    i isa Colon && return true
    i isa Integer && return 1 <= i <= extents[1]
    i isa AbstractRange && return isempty(i) || (1 <= first(i) <= extents[1] && 1 <= last(i) <= extents[1])
    eltype(i) === Bool && return size(i) == extents
    length(i) == 0 && return true
    if eltype(i) <: CartesianIndex
        test = InBox(extents)
    elseif eltype(i) <: Integer || eltype(i) === Any
        test = InExtent(extents[1])
    else
        throw(ArgumentError(string("unable to check bounds for indices of type ", eltype(i))))
    end
    return i isa AnyCuArray ? reduce_from(&, nest_of(test, i), :, true) : holds_for_all(test, i)
end
# True if the indices are in bounds, with the rules of Julia's checkbounds. A single index covers all elements, or is
# a mask with the array's size. Dimensions without an index must have length 1.
function has_part(A, I)
    if length(I) == 1 && axes_taken(I[1]) == 1
        return is_within((length(A),), I[1])
    end
    return has_part_of(size(A), I)
end
has_part_of(dims, I::Tuple{}) = all(n -> n == 1, dims)
function has_part_of(dims, I::Tuple)
    k = axes_taken(I[1])
    extents = ntuple(d -> d <= length(dims) ? dims[d] : 1, k)
    return is_within(extents, I[1]) && has_part_of(dims[k+1:end], Base.tail(I))
end
check_part(A, I) = has_part(A, I) || throw(BoundsError(A, Base.__shown_indices(A, I)))

# ---- lists as device vectors
function device_list(i)
    i isa CuArray || return device_list(i isa AnyCuArray ? copy(i) : uploaded_list(i isa Array ? i : collect(i)))
    return eltype(i) === Bool ? findall(i) : vec(i)
end
uploaded_list(i) = length(i) == 0 && eltype(i) !== Bool ? new_array(Int, (0,)) : CuArray(isbitstype(eltype(i)) ? i : identity.(i))
list_index(A, d, i) = Base.view_index(A, d, i)
list_index(A, d, i::AbstractArray) = is_list(i) ? device_list(i) : Base.view_index(A, d, i)
list_indices(A, d) = ()
list_indices(A, d, i, rest...) = (list_index(A, d, i), list_indices(A, d + axes_taken(i), rest...)...)
# Dimensions of the view: an index list contributes all its dimensions, an integer none.
list_dims(i, j) = j isa Int ? () : is_list(i) && eltype(i) !== Bool ? size(i) : (length(j),)
list_dims(I::Tuple, J::Tuple) = (list_dims(I[1], J[1])..., list_dims(Base.tail(I), Base.tail(J))...)
list_dims(::Tuple{}, ::Tuple{}) = ()

function view_of_lists(A, I)
    check_part(A, I)
    return unchecked_view(A, I)
end
function unchecked_view(A, I)
    I = length(I) == 1 && axes_taken(I[1]) > 1 && eltype(I[1]) === Bool ? (vec(I[1] isa AnyCuArray ? copy(I[1]) : collect(I[1])),) : I
    J = list_indices(A, 1, I...)
    V = plain_view(A, J)
    dims = list_dims(I, J)
    return length(dims) == ndims(V) ? V : reshape(V, dims)
end
# Copies the part that lists select; the lists are already checked.
unchecked_part(A, I) = copied_part(A, unchecked_view(A, I))

# ---- views of views. Their indices are composed, or become linear positions if an index covers several dimensions.
struct ItemOf{R} <: Function
    items::R
end
@inline (f::ItemOf)(i) = @inbounds f.items[i]
composed_index(own::CuArray, k::Int) = load_element(own, k)
composed_index(own::CuArray, k::AbstractRange) = own[k]
composed_index(own::CuArray, k::CuArray) = unchecked_part(own, (k,))
composed_index(own, k) = own[k]
composed_index(own, k::CuArray) = Base.materialize(Base.Broadcasted(ItemOf(own), (k,)))
composed_lists(::Tuple{}, K) = ()
composed_lists(own::Tuple, K) = own[1] isa Int ? (own[1], composed_lists(Base.tail(own), K)...) : (composed_index(own[1], K[1]), composed_lists(Base.tail(own), Base.tail(K))...)
takes_one(i) = axes_taken(i) == 1
struct PlaceIn{N,I} <: Function
    dims::NTuple{N,Int}
    indices::I
end
@inline (p::PlaceIn)(J) = Base.offset_of(p.dims, Base.flat_indices(Base.reindex(p.indices, J))) + 1
PlaceIn(dims, indices) = PlaceIn{length(dims),typeof(indices)}(dims, indices)
places_in(A) = __broadcast_into(new_array(Int, size(A)), Base.Broadcasted(PlaceIn(size(A.parent), A.indices), (Indices{ndims(A)}(size(A)),)))
function view_of_view(A, I)
    if length(I) == ndims(A) && all(takes_one, I) && all(takes_one, A.indices)
        J = list_indices(A, 1, I...)
        K = composed_lists(A.indices, J)
        V = any(map(is_list, K)) ? plain_view(A.parent, K) : view(A.parent, K...)
        dims = list_dims(I, J)
        return length(dims) == ndims(V) ? V : reshape(V, dims)
    end
    own = places_in(A)
    places = unchecked_part(length(I) == 1 && axes_taken(I[1]) == 1 ? vec(own) : own, I)
    V = plain_view(A.parent, (vec(places),))
    return ndims(places) == 1 ? V : reshape(V, size(places))
end
