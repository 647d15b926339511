# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/sets
# Arrays in programs, in addition to runtime/library/base/host_array.jl.
__shape_in(x) = (s = __shape(x); s === nothing && hasmethod(length, Tuple{typeof(x)}) ? (length(x),) : s) # a product needs iterators with a length
function __empty_eltype(g::Generator)
    T = __element_type(g.f, eltype(g.iter))
    return T === Any ? __or_given_by(__type_of_call(__next_of, g), g.f) : T
end
__empty_eltype(f::Flatten) = Any
__empty_eltype(f::Filtered) = __empty_eltype(f.iter)
eltype(::Type{Enumerate{I}}) where {I} = Tuple{Int,eltype(I)}
eltype(::Type{Zip{A,B}}) where {A,B} = Tuple{eltype(A),eltype(B)}
# Overloaded for matrices that wrap another one (structured.jl). __dense(A) is the dense matrix; __map_parent(f, A)
# wraps f(parent).
__dense(A) = A
__map_parent(f, A) = nothing
copy(A::Array) = collect(A)
copy(A::AbstractArray) = copymutable(A)
copy(r::AbstractRange) = r
copymutable(A::AbstractArray) = copyto!(similar(A), A)
copymutable(items) = collect(items)
copy(x::Union{Number,Tuple,String,Symbol}) = x
deepcopy(x) = __deep_copy(x)
zero(A::AbstractArray) = fill!(similar(A), zero(eltype(A)))
one(A::AbstractMatrix) = eltype(A)[i == j ? one(eltype(A)) : zero(eltype(A)) for i in axes(A, 1), j in axes(A, 2)]
vec(A::Array) = __reshaped(A, (length(A),))
transpose(x::Number) = x
adjoint(x::Real) = x
permutedims(A::AbstractMatrix) = [A[i, j] for j in axes(A, 2), i in axes(A, 1)]
permutedims(v::AbstractVector) = reshape(collect(v), 1, length(v))
insert!(v::Array, i::Integer, x) = __insert(v, Int(i), convert(eltype(v), x))
splice!(v::Array, i::Integer) = (x = v[i]; deleteat!(v, i); x)
prepend!(v::Array, xs) = (for (k, x) in enumerate(xs); insert!(v, k, x); end; v)
fill!(A::Array, x) = (v = convert(eltype(A), x); for i in 1:length(A); A[i] = v; end; A)
copyto!(A::Array, B::Array) = (for i in 1:length(B); A[i] = B[i]; end; A)
copyto!(A::Array, B::AbstractArray) = (i = 0; for x in apart(A, B); i += 1; A[i] = x; end; A)
vcat(parts...) = __cat(1, nothing, parts...)
hcat(parts...) = __cat(2, nothing, parts...)
vcat(x::Number, rest::Number...) = __cat(1, nothing, x, rest...)
hcat(x::Number, rest::Number...) = __cat(2, nothing, x, rest...)
ncat(dimension, T) = Array{T === nothing ? Any : T}(undef, ntuple(Returns(0), Int(dimension)))
ncat(dimension, T, parts...) = __cat(Int(dimension), T, parts...)
__plain_dims(dims) = dims
__plain_dims(::Val{d}) where {d} = d
cat(parts...; dims) = __cat_along(parts, __plain_dims(dims))
__cat_along(parts, dims) = dims isa Integer ? __cat(Int(dims), nothing, parts...) : __cat_blocks(parts, map(Int, Tuple(dims)))
# Parts along several dimensions: blocks on the diagonal of an array of zeros.
function __cat_blocks(parts, dims)
    N = max(maximum(dims), maximum(map(ndims, parts)))
    size_of(d) = d in dims ? sum(map(p -> size(p, d), parts)) : size(parts[1], d)
    A = zeros(promote_type(map(eltype, parts)...), ntuple(size_of, N))
    at = zeros(Int, N)
    for part in parts
        A[ntuple(d -> at[d]+1:at[d]+size(part, d), N)...] = part
        for d in dims
            at[d] += size(part, d)
        end
    end
    return A
end
typed_vcat(::Type{T}, parts...) where {T} = __cat(1, T, parts...)
typed_hcat(::Type{T}, parts...) where {T} = __cat(2, T, parts...)
hvcat(rows::Tuple, parts...) = __rows(nothing, rows, parts)
typed_hvcat(::Type{T}, rows::Tuple, parts...) where {T} = __rows(T, rows, parts)
function __rows(T, rows, parts)
    at = 0
    made = Any[]
    for n in rows
        push!(made, __cat(2, T, parts[at+1:at+n]...))
        at += n
    end
    return __cat(1, T, made...)
end
repeat(A::AbstractArray, counts::Integer...) = repeat(A; outer=counts)
function repeat(A::AbstractArray; inner=(), outer=())
    N = max(ndims(A), length(inner), length(outer))
    fine = ntuple(d -> d <= length(inner) ? Int(inner[d]) : 1, N)
    I = ntuple(d -> (n = size(A, d) * fine[d]; Int[div((k - 1) % n, fine[d]) + 1 for k in 1:n*(d <= length(outer) ? outer[d] : 1)]), N)
    return A[I...]
end
function map(f, A::AbstractArray, B::AbstractArray, rest...)
    C = [f(t...) for t in zip(A, B, rest...)]
    return ndims(A) != 1 && size(A) == size(B) ? reshape(C, size(A)) : C
end
function foreach(f, items, rest...)
    for t in zip(items, rest...)
        f(t...)
    end
    return nothing
end
function foreach(f, items)
    for x in items
        f(x)
    end
    return nothing
end
mapfoldr(f, op, items) = foldr(op, map(f, items))
Core.kwcall(kw::NamedTuple{(:init,)}, ::typeof(mapfoldr), f, op, items) = foldr(op, map(f, items); init=kw.init)
function in(x, A::Array)
    unknown = false
    for y in A
        is_same = y == x
        is_same === missing ? (unknown = true) : is_same && return true
    end
    return unknown ? missing : false
end
# Comparison of arrays with missing elements: false if two elements differ, else missing if one of the comparisons
# gave missing.
function ==(A::Array, B::Array)
    size(A) == size(B) || return false
    isbitstype(eltype(A)) && isbitstype(eltype(B)) && eltype(A) !== Missing && eltype(B) !== Missing && return same_items(==, A, B)
    unknown = false
    for i in 1:length(A)
        is_same = A[i] == B[i]
        is_same === missing ? (unknown = true) : is_same || return false
    end
    return unknown ? missing : true
end
# Julia's BitArray packs bits; in Kiln each Bool takes a byte.
const BitArray{N} = Array{Bool,N}
const BitVector = Array{Bool,1}
const BitMatrix = Array{Bool,2}
trues(dims...) = fill(true, dims...)
falses(dims...) = fill(false, dims...)
view(A::Array, ::Colon) = host_view(A, (OneTo(length(A)),))
view(A::Array, r::AbstractRange) = host_view(A, view_indices(A, 1, r))
map(f, items) = collect(Generator(f, items))
map(f, items, others, rest...) = collect(Generator(Splat(f), zip(items, others, rest...)))
map(f, A::AbstractArray) = (values = collect(Generator(f, A)); __placed(similar(A, eltype(values), axes(A)), values))
map(f, r::AbstractRange) = collect(Generator(f, r))
__placed(::Array, values) = values
__placed(made, values) = copyto!(made, values)
map(f, d::AbstractDict) = [f(p) for p in d]
filter(f::Function, A::AbstractArray) = eltype(A)[x for x in A if f(x)]
function filter!(f::Function, v::Array)
    kept = filter(f, v)
    resize!(v, length(kept))
    return copyto!(v, kept)
end
filter!(f, v::AbstractVector) = keepat!(v, findall(f, v))
sort(items; kw...) = sort!(collect(items); kw...)
sort(A::AbstractArray; dims=nothing, kw...) = dims === nothing ? sort!(collect(A); kw...) : __columns(v -> sort!(v; kw...), A, dims)
function sort!(v::Array; by=identity, lt=nothing, rev=false, dims=nothing, alg=nothing, order=Order.Forward)
    dims === nothing || return copyto!(v, sort(v; dims=dims, by=by, lt=lt, rev=rev, order=order))
    (lt, back) = __less_of(lt, rev, order)
    by === identity && lt === nothing && __sort_numbers(v, back) && return v
    return copyto!(v, v[sortperm(v; by=by, lt=lt, rev=back)])
end
sort!(v::AbstractVector; kw...) = copyto!(v, sort!(collect(v); kw...))
function sort!(v::AbstractVector, low::Integer, high::Integer, alg, order::Order.Ordering, scratch...)
    part = sort!(v[low:high]; order=order)
    return copyto!(v, low, part, 1, length(part))
end
sort!(A::AbstractMatrix; dims::Integer, kw...) = copyto!(A, sort(A; dims=dims, kw...))
# Comparison and direction for lt=, rev= and order=. A comparison of nothing is isless.
__less_of(lt, rev, ::Order.ForwardOrdering) = (lt, rev === true)
__less_of(lt, rev, order::Order.ReverseOrdering) = ((lt, back) = __less_of(lt, rev, order.fwd); (lt, !back))
__less_of(lt, rev, order) = ((a, b) -> Order.lt(order, a, b), rev === true)
function sortperm(v; by=identity, lt=nothing, rev=false, dims=nothing, alg=nothing, order=Order.Forward, initialized::Bool=false)
    (lt, rev) = __less_of(lt, rev, order)
    dims === nothing || return __columns(k -> k[sortperm(v[k]; by=by, lt=lt, rev=rev)], reshape(collect(1:length(v)), size(v)), dims)
    return __order(by === identity ? v : map(by, v), lt, rev)
end
size(::Number) = ()
first(x::Number) = x
last(x::Number) = x
lastindex(x::Number) = 1
firstindex(x::Number) = 1
size(::Number, d::Integer) = 1
partialsort(v, k; kw...) = sort(v; kw...)[k]
partialsort!(v::Array, k; kw...) = sort!(v; kw...)[k]
function sortperm!(p::Array, A::AbstractArray; initialized::Bool=false, kw...)
    size(p) == size(A) || throw(ArgumentError(string("index array must have the same size/axes as the source array, ", size(p), " != ", size(A))))
    return copyto!(p, sortperm(A; kw...))
end
reverse(v::AbstractVector) = [v[i] for i in length(v):-1:1]
reverse(v::AbstractVector, from::Integer, to::Integer=length(v)) = [from <= i <= to ? v[from+to-i] : v[i] for i in 1:length(v)]
reverse!(v::Array) = copyto!(v, reverse(v))
reverse!(v::Array, from::Integer, to::Integer=length(v)) = copyto!(v, reverse(v, from, to))
reverse(t::Tuple) = ntuple(i -> t[nfields(t)+1-i], nfields(t))
function issorted(v; by=identity, lt=isless, rev=nothing, order=nothing)
    back = (rev === true) != (order !== nothing && order === Order.Reverse)
    return __is_sorted(v, back ? (a, b) -> lt(b, a) : lt, by)
end
function __is_sorted(v, lt, by)
    for i in 2:length(v)
        lt(by(v[i]), by(v[i-1])) && return false
    end
    return true
end
findall(f::Function, A::AbstractArray) = [i for i in keys(A) if f(A[i])]
findall(A::AbstractArray) = [i for i in keys(A) if A[i]]
# cumsum has the element type of sum: Int for small integers. Floats are added pairwise as in Julia, which reduces
# rounding errors.
cumsum(v::AbstractVector) = (T = __scan_type(add_sum, v); T === nothing ? accumulate(add_sum, v) : cumsum!(similar(v, T), v))
cumprod(v::AbstractVector) = __scan(mul_prod, v)
__scan_type(op, v) = (T = eltype(v); T <: Number && isconcretetype(T) ? promote_op(op, T, T) : nothing)
__scan(op, v) = (T = __scan_type(op, v); T === nothing ? accumulate(op, v) : accumulate!(op, similar(v, T), v))
cumprod!(out::AbstractVector, v::AbstractVector) = accumulate!(mul_prod, out, v)
function cumsum!(out::AbstractVector, v::AbstractVector)
    length(out) == length(v) || throw(DimensionMismatch("input and output array sizes and indices must match"))
    isempty(v) && return out
    eltype(out) <: Integer && return accumulate!(add_sum, out, v)
    first_sum = out[1] = v[1]
    length(v) > 1 && __accumulate_pairs!(add_sum, out, v, first_sum, 2, length(v) - 1)
    return out
end
function __accumulate_pairs!(op, out, v, before, from, n)
    if n < 128
        s = v[from]
        out[from] = op(before, s)
        for i in from+1:from+n-1
            s = op(s, v[i])
            out[i] = op(before, s)
        end
        return s
    end
    half = n >> 1
    s = __accumulate_pairs!(op, out, v, before, from, half)
    return op(s, __accumulate_pairs!(op, out, v, op(before, s), from + half, n - half))
end
function accumulate(op, v::AbstractVector)
    if length(v) > 1
        T = __result_type(op, v[1], v[2])
        T === nothing || return __accumulate!(similar(v, T), op, v)
    end
    made = Any[]
    for x in v
        push!(made, isempty(made) ? x : op(made[end], x))
    end
    return __joined_array(made, nothing, (length(made),))
end
accumulate(op, A::AbstractArray) = reshape(accumulate(op, vec(collect(A))), size(A))
accumulate!(op, B::Array, A::AbstractArray) = copyto!(B, accumulate(op, A))
diff(v::AbstractVector) = [v[i+1] - v[i] for i in 1:length(v)-1]
circshift(v::AbstractVector, k::Integer) = [v[mod1(i - k, length(v))] for i in 1:length(v)]
function __along(f, A, d)
    d isa Colon && return f(A)
    dims = d isa Integer ? (d,) : Tuple(d)
    out = ntuple(k -> k in dims ? 1 : size(A, k), ndims(A))
    T = __along_type(f, A)
    T === nothing || return __along_into!(Array{T}(undef, out...), f, A, dims)
    made = Any[]
    for I in CartesianIndices(out)
        push!(made, f(A[ntuple(k -> k in dims ? (1:size(A, k)) : I[k], ndims(A))...]))
    end
    return __joined_array(made, nothing, out)
end
for f in (:sum, :prod, :maximum, :minimum, :any, :all, :count, :extrema)
    @eval Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof($f), A::AbstractArray) = __along($f, A, kw.dims)
    @eval Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof($f), f, A::AbstractArray) = __along(B -> $f(f, B), A, kw.dims)
end
# Applies f to each column along dimension d. f must return as many elements for each column.
function __columns(f, A, d)
    B = nothing
    for I in CartesianIndices(ntuple(k -> k == d ? 1 : size(A, k), ndims(A)))
        at = ntuple(k -> k == d ? (1:size(A, k)) : I[k], ndims(A))
        column = f(A[at...])
        B === nothing && (B = Array{eltype(column)}(undef, ntuple(k -> k == d ? length(column) : size(A, k), ndims(A))...))
        B[ntuple(k -> k == d ? (1:length(column)) : I[k], ndims(A))...] = column
    end
    return B === nothing ? copy(A) : B
end
for (f, op) in ((:cumsum, :add_sum), (:cumprod, :mul_prod))
    @eval begin
        Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof($f), A::AbstractArray) = (B = __accumulated($op, A, __scan_type($op, A), kw.dims); B === nothing ? __columns(v -> __scan($op, v), A, kw.dims) : B)
        Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof($f), v::AbstractVector) = kw.dims == 1 ? $f(v) : copyto!(similar(v, __scan_type($op, v)), v)
        Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof($(Symbol(f, :!))), B::AbstractArray, A::AbstractArray) = copyto!(B, $f(A; dims=kw.dims))
    end
end
Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof(diff), A::AbstractArray) = __diff_along(A, Int(kw.dims))
function __diff_along(A, d)
    1 <= d <= ndims(A) || throw(ArgumentError(string("dimension ", d, " out of range (1:", ndims(A), ")")))
    part(r) = A[ntuple(k -> k == d ? r : (1:size(A, k)), ndims(A))...]
    return part(2:size(A, d)) .- part(1:size(A, d)-1)
end
function Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof(reverse), A::AbstractArray)
    kw.dims isa Colon && return reshape(reverse(vec(A)), size(A))
    return A[ntuple(k -> k in kw.dims ? (size(A, k):-1:1) : (1:size(A, k)), ndims(A))...]
end
reverse(A::AbstractMatrix) = reshape(reverse(vec(A)), size(A))
mapslices(f, A::AbstractArray; dims) = __columns(v -> (x = f(v); x isa AbstractArray ? x : [x]), A, dims isa Integer ? dims : only(dims))
eachslice(A::AbstractMatrix; dims) = dims == 1 ? eachrow(A) : eachcol(A)
*(A::Array{T,2}, B::Array{T}) where {T<:Number} = __times(A, B)
*(A::AbstractMatrix, B::AbstractVecOrMat) = __times(A, B)
function __times(A, B)
    size(A, 2) == size(B, 1) || throw(DimensionMismatch(string("A has dimensions ", size(A), " but B has dimensions ", size(B))))
    T = promote_type(eltype(A), eltype(B))
    if T === Float64 || T === Float32 || T === Int
        return __product(Array{T}(A), Array{T}(B))
    end
    S = __result_type(__multiply_add, zero(eltype(A)), zero(eltype(B)))
    C = Array{S === nothing ? T : S}(undef, ndims(B) == 1 ? (size(A, 1),) : (size(A, 1), size(B, 2)))
    __multiply_into!(C, A, B)
    return C
end
__multiply_add(a, b) = a * b + a * b
function __multiply_into!(C, A, B)
    for j in 1:size(B, 2), i in 1:size(A, 1)
        value = zero(eltype(C))
        for k in 1:size(A, 2)
            value = add_product(A[i, k], B[k, j], value)
        end
        C[i, j] = value
    end
    return nothing
end
*(v::Adjoint{<:Any,<:AbstractVector}, w::AbstractVector) = dot(parent(v), w)
*(A::AbstractArray, x::Number) = A .* x
*(x::Number, A::AbstractArray) = x .* A
/(A::AbstractArray, x::Number) = A ./ x
+(A::AbstractArray, B::AbstractArray) = (__same_size(A, B); A .+ B)
-(A::AbstractArray, B::AbstractArray) = (__same_size(A, B); A .- B)
-(A::AbstractArray) = .-A
# Trailing dimensions of size 1 match missing ones.
function __same_size(A, B)
    size(A) == size(B) && return nothing
    all(k -> size(A, k) == size(B, k), 1:max(ndims(A), ndims(B))) && return nothing
    throw(DimensionMismatch(__said("dimensions must match: a has dims ", __axes_parts(size(A))..., ", b has dims ", __axes_parts(size(B))..., __mismatch_parts(size(A), size(B))...)))
end
# A dotted call of host arrays returns one array, whose element type joins the types of the elements.
function new_array(b, dims)
    compiled = __compiled_broadcast(b, dims)
    compiled === nothing || return compiled
    made = Any[]
    for k in 0:prod(dims)-1
        push!(made, broadcast_at(b, split_offset(dims, k)))
    end
    return __joined_array(made, isempty(made) ? __or_given_by(__type_of_call(__broadcast_element, b, dims), b) : nothing, dims)
end
function materialize!(A::Array, source)
    dims = size(A)
    b = apart(A, source)
    fits_in(dims, broadcast_size(b)) || throw(DimensionMismatch("what a dotted call gives does not fit the array that it is stored in"))
    __compiled_into(A, b, dims) && return A
    for k in 1:length(A)
        A[k] = broadcast_at(b, split_offset(dims, k - 1))
    end
    return A
end
const __HostFlat = Union{Array,AbstractRange,SubArray{T,N,<:Array} where {T,N}}
materialize_array(A::Union{Adjoint{T,<:__HostFlat},Transpose{T,<:__HostFlat},SubArray{T,N,<:Array},ReshapedArray{T,N,<:__HostFlat},PermutedDimsArray{T,N,p,q,<:__HostFlat}}, b) where {T,N,p,q} = new_array(b, broadcast_size(b))
materialize_array(A::AbstractArray, b) = new_array(b, broadcast_size(b))
materialize_as(::OfRanges, b) = new_array(b, broadcast_size(b))
prod(dims::Tuple{}) = 1
axes(A::Array) = map(OneTo, size(A))
ndims(A::Array) = length(size(A))
getindex(::Type{T}, items...) where {T} = __joined_array(items, T, (nfields(items),))
convert(::Type{Array{T,N}}, A::AbstractArray) where {T,N} = A isa Array{T,N} ? A : __joined_array(A, T, size(A))
convert(::Type{Array{T}}, A::AbstractArray) where {T} = A isa Array{T} ? A : __joined_array(A, T, size(A))
convert(::Type{T}, A::AbstractArray) where {T<:Array} = A isa T ? A : T(A)
(::Type{Colon})() = (:)
oneunit(A::AbstractMatrix) = one(A)
# map! fills the destination in order, up to the length of the shortest array.
function map!(f, B::Array, A::AbstractArray, rest::AbstractArray...)
    n = min(length(B), minimum(map(length, (A, rest...))))
    for k in 1:n
        B[k] = f(A[k], map(C -> C[k], rest)...)
    end
    return B
end
# Array{T,N}(undef, ...) requires N sizes.
function (::Type{Array{T,N}})(::UndefInitializer, dims::Integer...) where {T,N}
    nfields(dims) == N || throw(MethodError(Array{T,N}, (undef, dims...)))
    return undef_array(T, map(Int, dims))
end
function (::Type{Array{T,N}})(::UndefInitializer, dims::Tuple) where {T,N}
    nfields(dims) == N || throw(MethodError(Array{T,N}, (undef, dims)))
    return undef_array(T, map(Int, dims))
end
function (::Type{Array{T,N}})(A::AbstractArray) where {T,N}
    ndims(A) == N || throw(MethodError(Array{T,N}, (A,)))
    return __joined_array(A, T, size(A))
end
(::Type{Array{T,2}})() where {T} = undef_array(T, (0, 0))

float(A::Array) = eltype(A) <: AbstractFloat ? A : float.(A)
float(A::AbstractArray{T}) where {T} = convert(AbstractArray{typeof(float(zero(T)))}, A)
float(r::AbstractUnitRange) = float.(r)
rotl90(A::AbstractMatrix) = [A[j, size(A, 2)+1-i] for i in 1:size(A, 2), j in 1:size(A, 1)]
rotr90(A::AbstractMatrix) = [A[size(A, 1)+1-j, i] for i in 1:size(A, 2), j in 1:size(A, 1)]
rot180(A::AbstractMatrix) = [A[size(A, 1)+1-i, size(A, 2)+1-j] for i in 1:size(A, 1), j in 1:size(A, 2)]
get(A::AbstractArray, i::Integer, default) = checkbounds(Bool, A, i) ? A[i] : default
get(f::Function, A::AbstractArray, i::Integer) = checkbounds(Bool, A, i) ? A[i] : f()
# Bytes of the elements; elements that are no bits are pointers.
sizeof(A::Array{T}) where {T} = length(A) * (isbitstype(T) ? sizeof(T) : 8)
