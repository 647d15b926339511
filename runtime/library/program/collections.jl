# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/arrays; when: dropdims, stack, eachslice, indexin, invperm, permute!, invpermute!, unique!, replace!, splice!, popat!, keepat!, count!, findmin!, findmax!, partialsortperm!, sortslices, promote_shape, circcopy!, conj!, hvncat, sizehint!, union!, symdiff!, intersect!, setdiff!, issetequal, nextprod, empty, getkey, asyncmap, asyncmap!, append!, prepend!, ⊊, ⊋, ⊈, ⊉, ∌, ⊇, Cartesian
# Functions of collections that few programs use. Functions of arrays accept arrays of the device too.

function dropdims(A::AbstractArray; dims)
    gone = __region(dims)
    for (k, d) in enumerate(gone)
        1 <= d <= ndims(A) || throw(ArgumentError("dropped dims must be in range 1:ndims(A)"))
        size(A, d) == 1 || throw(ArgumentError("dropped dims must all be size 1"))
        d in gone[1:k-1] && throw(ArgumentError("dropped dims must be unique"))
    end
    return reshape(A, Tuple(Int[size(A, d) for d in 1:ndims(A) if !(d in gone)]))
end

# ---- slices and their inverse
stack(f, items; dims=:) = stack([f(x) for x in items]; dims=dims)
stack(f, items, more...; dims=:) = stack([f(t...) for t in zip(items, more...)]; dims=dims)
function stack(items; dims=:)
    parts = map(x -> x isa AbstractArray ? x : collect(x), items isa AbstractArray ? items : collect(items))
    isempty(parts) && throw(ArgumentError("`stack` on an empty collection is not allowed"))
    inner = size(first(parts))
    for part in parts
        size(part) == inner || throw(DimensionMismatch(string("stack expects uniform slices, got axes(x) == ", axes(part), " while first had ", axes(first(parts)))))
    end
    joined = hcat(map(p -> reshape(p, length(p)), vec(parts))...)
    dims isa Colon && return reshape(joined, (inner..., size(parts)...))
    N = length(inner) + 1
    1 <= dims <= N || throw(ArgumentError(string("cannot stack slices ndims(x) = ", N - 1, " along dims = ", dims)))
    whole = reshape(joined, (inner..., length(parts)))
    return dims == N ? whole : permutedims(whole, ntuple(d -> d < dims ? d : d == dims ? N : d - 1, N))
end
function eachslice(A::AbstractArray; dims, drop::Bool=true)
    kept = __region(dims)
    all(d -> 1 <= d <= ndims(A), kept) || throw(DimensionMismatch(string("A doesn't have ", maximum(kept), " dimensions")))
    out = drop ? map(d -> size(A, d), kept) : ntuple(d -> d in kept ? size(A, d) : 1, ndims(A))
    place(I, d) = drop ? I[findfirst(==(d), kept)] : I[d]
    return [view(A, ntuple(d -> d in kept ? place(I, d) : (:), ndims(A))...) for I in CartesianIndices(out)]
end
function sortslices(A::AbstractArray; dims::Integer, keywords...)
    order = sortperm([vec(collect(s)) for s in eachslice(A; dims=dims)]; keywords...)
    return A[ntuple(d -> d == dims ? order : (:), ndims(A))...]
end
function hvncat(dims::Tuple, row_first::Bool, parts...)
    all(p -> !(p isa AbstractArray), parts) || throw(ArgumentError("hvncat joins numbers: join arrays by cat(...; dims)"))
    values = collect(promote(parts...))
    length(dims) > 1 && row_first || return reshape(values, dims)
    swapped = reshape(values, (dims[2], dims[1], dims[3:end]...))
    return permutedims(swapped, ntuple(d -> d == 1 ? 2 : d == 2 ? 1 : d, length(dims)))
end
hvncat(dim::Integer, parts...) = cat(parts...; dims=dim)

# ---- permutations and places
function invperm(p::AbstractVector)
    made = fill(0, length(p))
    for (k, i) in enumerate(p)
        1 <= i <= length(p) && made[i] == 0 || throw(ArgumentError("argument is not a permutation"))
        made[i] = k
    end
    return made
end
invperm(p::Tuple) = Tuple(invperm(collect(p)))
permute!(v::AbstractVector, p::AbstractVector) = copyto!(v, v[p])
invpermute!(v::AbstractVector, p::AbstractVector) = copyto!(v, v[invperm(p)])
function indexin(a, b)
    places = Dict{Any,Any}()
    for (k, x) in pairs(b)
        haskey(places, x) || (places[x] = k)
    end
    T = b isa AbstractArray && ndims(b) > 1 ? CartesianIndex{ndims(b)} : Int
    return Union{Nothing,T}[get(places, x, nothing) for x in a]
end
partialsortperm!(order::AbstractVector, v::AbstractVector, k; keywords...) = (copyto!(order, sortperm(v; keywords...)); order[k])
for name in (:findmax, :findmin)
    @eval function $(Symbol(name, :!))(values::AbstractArray, places::AbstractArray, A::AbstractArray)
        region = Tuple(Int[d for d in 1:ndims(A) if size(values, d) == 1])
        (best, at) = $name(A; dims=region)
        return (copyto!(values, best), copyto!(places, at))
    end
end
count!(R::AbstractArray, A::AbstractArray; init::Bool=true) = count!(identity, R, A; init=init)
count!(f, R::AbstractArray, A::AbstractArray; init::Bool=true) = sum!(x -> Int(f(x)), R, A; init=init)

# ---- changes in place
function unique!(v::AbstractVector)
    kept = unique(v)
    resize!(v, length(kept))
    return copyto!(v, kept)
end
function unique!(f, v::AbstractVector)
    seen = Set{Any}()
    kept = Int[]
    for (i, x) in enumerate(v)
        key = f(x)
        key in seen || (push!(seen, key); push!(kept, i))
    end
    return keepat!(v, kept)
end
function keepat!(v::AbstractVector, kept)
    chosen = v[kept isa Integer ? [kept] : kept]
    resize!(v, length(chosen))
    return copyto!(v, chosen)
end
function popat!(v::AbstractVector, i::Integer)
    x = v[i]
    deleteat!(v, i)
    return x
end
popat!(v::AbstractVector, i::Integer, default) = checkbounds(Bool, v, i) ? popat!(v, i) : default
splice!(v::Vector, i::Integer, news) = splice!(v, Int(i):Int(i), news)[1]
function splice!(v::Vector, range::AbstractUnitRange, news=())
    taken = v[range]
    tail = v[last(range)+1:end]
    resize!(v, first(range) - 1)
    append!(v, news isa Number ? (news,) : news)
    append!(v, tail)
    return taken
end
splice!(v::Vector, places::Union{AbstractVector,Tuple}) = (taken = v[places]; deleteat!(v, places); taken)
sizehint!(collection, n::Integer; keywords...) = collection
function __replaced(x, changes)
    for change in changes
        isequal(x, change.first) && return change.second
    end
    return x
end
function replace!(f::Function, A; count::Integer=typemax(Int))
    left = count
    for (k, x) in collect(pairs(A))
        left > 0 || break
        y = f(x)
        y === x || (A[k] = y; left -= 1)
    end
    return A
end
replace!(A, changes::Pair...; count::Integer=typemax(Int)) = replace!(x -> __replaced(x, changes), A; count=count)
function replace!(s::Set, changes::Pair...; count::Integer=typemax(Int))
    for change in changes
        change.first in s && (delete!(s, change.first); push!(s, change.second))
    end
    return s
end

append!(v::Vector, first_items, second_items, rest...) = append!(append!(v, first_items), second_items, rest...)
prepend!(v::Vector, first_items, second_items, rest...) = prepend!(prepend!(v, second_items, rest...), first_items)
conj!(A::AbstractArray) = (A .= conj.(A); A)
circcopy!(to::AbstractArray, from::AbstractArray) = copyto!(to, from)

# ---- sets
function union!(v::Vector, others...)
    known = Set(v)
    for items in others, x in items
        x in known || (push!(known, x); push!(v, x))
    end
    return unique!(v)
end
intersect!(v::Vector, others...) = (kept = intersect(v, others...); append!(empty!(v), kept))
symdiff!(s::Set, others...) = (made = symdiff(s, others...); union!(empty!(s), made))
symdiff!(v::Vector, others...) = (made = symdiff(v, others...); append!(empty!(v), made))
issetequal(a, b) = issubset(a, b) && issubset(b, a)
issetequal(a) = b -> issetequal(b, a)
⊊(a, b) = issubset(a, b) && !issubset(b, a)
⊋(a, b) = b ⊊ a
⊈(a, b) = !issubset(a, b)
⊇(a, b) = issubset(b, a)
⊉(a, b) = !issubset(b, a)
∌(items, x) = !(x in items)
empty(v::AbstractVector{T}, ::Type{S}=T) where {T,S} = S[]
empty(d::AbstractDict{K,V}, ::Type{A}=K, ::Type{B}=V) where {K,V,A,B} = Dict{A,B}()
empty(s::Set{T}, ::Type{S}=T) where {T,S} = Set{S}()
empty(::Tuple) = ()
function getkey(d::AbstractDict, key, default)
    for p in d
        isequal(p.first, key) && return p.first
    end
    return default
end

# ---- others
promote_shape(a::Tuple, b::Tuple) = a == b || all(k -> get(a, k, 1) == get(b, k, 1), 1:max(length(a), length(b))) ? (length(a) < length(b) ? b : a) : throw(DimensionMismatch(string("dimensions must match: a has dims ", a, ", b has dims ", b)))
promote_shape(A::AbstractArray, B::AbstractArray) = promote_shape(axes(A), axes(B))
asyncmap(f, items...; keywords...) = map(f, items...)
asyncmap!(f, results, items...; keywords...) = map!(f, results, items...)
# Smallest product of powers of the factors that is n or larger.
function nextprod(factors, n::Real)
    best = typemax(Int)
    function search(k, product)
        product >= n && (best = min(best, product); return nothing)
        k > length(factors) && return nothing
        while product < best
            search(k + 1, product)
            product >= n && break
            product *= factors[k]
        end
        product >= n && (best = min(best, product))
        return nothing
    end
    search(1, 1)
    return best
end
module Cartesian # its macros are forms of the language
import Base: ntuple
end
