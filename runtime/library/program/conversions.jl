# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/arrays
# Constructors and conversions between collections, and numbers as collections of one element.

convert(::Type{T}, c::AbstractChar) where {T<:Number} = T(c)
convert(::Type{T}, n::Number) where {T<:AbstractChar} = T(n)
# ---- tuples of given types. A type such as NTuple{2} gives the length alone.
Tuple(g::Filtered) = Tuple(collect(g))
Tuple(s::AbstractString) = Tuple(collect(s))
function (::Type{T})(items) where {T<:Tuple}
    T === Tuple && return (items...,)
    values = (items...,)
    if !(T isa DataType) || !all(p -> p isa Type, T.parameters)
        typeof(values) <: T || throw(MethodError(T, (items,)))
        return values
    end
    n = fieldcount(T)
    length(values) < n && throw(ArgumentError(string("too few elements for tuple type ", T)))
    return ntuple(i -> convert(fieldtype(T, i), values[i]), n)
end
(::Type{NamedTuple{names}})(x::NamedTuple) where {names} = NamedTuple{names}(map(name -> getfield(x, name), names))
(::Type{NamedTuple{names}})(items) where {names} = NamedTuple{names}(Tuple(items))
(::Type{NamedTuple{names,T}})(x::NamedTuple) where {names,T<:Tuple} = NamedTuple{names,T}(map(name -> getfield(x, name), names))
NamedTuple(x::NamedTuple) = x
merge(a::NamedTuple, items) = merge(a, NamedTuple(items))
NamedTuple(items) = NamedTuple{Tuple(Symbol[p[1] for p in items])}(Tuple(Any[p[2] for p in items]))

convert(::Type{NamedTuple{names,T}}, x::NamedTuple{names}) where {names,T<:Tuple} = x isa NamedTuple{names,T} ? x : NamedTuple{names,T}(x)
isless(a::NamedTuple{names}, b::NamedTuple{names}) where {names} = isless(Tuple(a), Tuple(b))

convert(::Type{Union{Nothing,T}}, x) where {T} = x === nothing ? nothing : convert(T, x)
convert(::Type{Union{Missing,T}}, x) where {T} = x === missing ? missing : convert(T, x)
convert(::Type{Nothing}, x::Nothing) = x
convert(::Type{Missing}, x::Missing) = x

# ---- common types of collections
promote_rule(::Type{Pair{A,B}}, ::Type{Pair{C,D}}) where {A,B,C,D} = Pair{promote_type(A, C),promote_type(B, D)}
promote_rule(a::Type{Array{T,N}}, b::Type{Array{S,N}}) where {T,S,N} = __with_elements(promote_type(T, S), a, b)
promote_rule(::Type{Dict{K,V}}, ::Type{Dict{L,W}}) where {K,V,L,W} = Dict{promote_type(K, L),promote_type(V, W)}
promote_rule(::Type{UnitRange{T}}, ::Type{UnitRange{S}}) where {T,S} = UnitRange{promote_type(T, S)}
promote_rule(::Type{UnitRange{T}}, ::Type{OneTo{S}}) where {T,S} = UnitRange{promote_type(T, S)}
promote_rule(::Type{Nothing}, ::Type{T}) where {T} = Union{Nothing,T}
promote_rule(::Type{Missing}, ::Type{T}) where {T} = Union{Missing,T}
__with_elements(::Type{R}, ::Type{Array{T,N}}, ::Type{Array{S,N}}) where {R,T,S,N} = R === T || R === S ? Array{R,N} : typejoin(Array{T,N}, Array{S,N})

# ---- Cartesian indices of numbers and indices
CartesianIndex(i::Union{Integer,CartesianIndex}, rest::Union{Integer,CartesianIndex}...) = CartesianIndex(flat_indices((i, rest...)))
CartesianIndex(parts::Tuple{Vararg{Union{Integer,CartesianIndex}}}) = CartesianIndex(flat_indices(parts))

# ---- numbers as collections
get(x::Number, i::Integer, default) = i == 1 ? x : default
get(f::Function, x::Number, i::Integer) = i == 1 ? x : f()
getindex(x::Number, i::Integer, rest::Integer...) = all(k -> k == 1, (i, rest...)) ? x : throw(BoundsError(x, (i, rest...)))

# ---- lists of characters, dictionaries, sets, ranges
Vector(s::AbstractString) = collect(s)
Vector{Char}(s::AbstractString) = collect(s)
convert(::Type{Dict{K,V}}, d::AbstractDict) where {K,V} = d isa Dict{K,V} ? d : Dict{K,V}(d)
convert(::Type{Set{T}}, s::AbstractSet) where {T} = s isa Set{T} ? s : Set{T}(s)
StepRangeLen(first::Number, step::Number, n::Integer, offset::Integer=1) = range(first - (offset - 1) * step; step=step, length=n)

# ---- indices in bounds: an array of indices or a mask, a range, a colon, or an index of several dimensions
const __PartOfIndex = Union{Integer,Colon,AbstractArray,CartesianIndex,CartesianIndices}
__taken(i) = 1
__taken(::Union{CartesianIndex{N},CartesianIndices{N},AbstractArray{CartesianIndex{N}}}) where {N} = N
__taken(mask::AbstractArray{Bool}) = ndims(mask)
__is_in(sides, i::Integer) = first(sides[1]) <= i <= last(sides[1])
__is_in(sides, ::Colon) = true
__is_in(sides, r::AbstractRange) = isempty(r) || first(sides[1]) <= minimum(r) && maximum(r) <= last(sides[1])
__is_in(sides, i::CartesianIndex) = all(k -> first(sides[k]) <= i[k] <= last(sides[k]), 1:length(sides))
__is_in(sides, mask::AbstractArray{Bool}) = size(mask) == map(length, sides)
__is_in(sides, list::AbstractArray) = all(i -> __is_in(sides, i), list)
function __has_part(sides, I)
    isempty(I) && return all(r -> length(r) == 1, sides)
    k = __taken(I[1])
    taken = ntuple(d -> d <= length(sides) ? sides[d] : OneTo(1), k)
    return __is_in(taken, I[1]) && __has_part(sides[k+1:end], I[2:end])
end
function checkbounds(::Type{Bool}, A::AbstractArray, i::Union{Colon,AbstractArray,CartesianIndex})
    __taken(i) == 1 && return i isa AbstractArray{Bool} ? length(i) == length(A) : __is_in((eachindex(IndexLinear(), A),), i)
    return __has_part(axes(A), (i,))
end
checkbounds(::Type{Bool}, A::AbstractArray, i::Union{Colon,AbstractArray}, rest::__PartOfIndex...) = __has_part(axes(A), (i, rest...))
checkbounds(::Type{Bool}, A::AbstractArray, i::Union{Integer,CartesianIndex}, j::Union{Colon,AbstractArray}, rest::__PartOfIndex...) = __has_part(axes(A), (i, j, rest...))
checkindex(::Type{Bool}, r::AbstractUnitRange, list::AbstractArray) = all(i -> checkindex(Bool, r, i), list)
checkindex(::Type{Bool}, r::AbstractUnitRange, mask::AbstractArray{Bool}) = length(mask) == length(r)

# ---- references without a value
mutable struct __Unset{T} <: Ref{T}
    x::T
    __Unset{T}() where {T} = new{T}()
end
__unset_ref(::Type{T}) where {T} = isbitstype(T) ? RefValue{T}(getfield(__Unset{T}(), :x)) : __Unset{T}()
getindex(r::__Unset) = isdefined(r, :x) ? r.x : throw(UndefRefError())
setindex!(r::__Unset{T}, v) where {T} = (r.x = convert(T, v); r)
isassigned(r::__Unset) = isdefined(r, :x)
isassigned(r::RefValue) = true
show(io::IO, r::__Unset{T}) where {T} = print(io, "Base.RefValue{", T, "}(", isdefined(r, :x) ? repr(r.x) : "#undef", ")")

# ---- order of vectors: the first elements that differ decide, then the lengths
function cmp(a::AbstractVector, b::AbstractVector)
    for (x, y) in zip(a, b)
        isequal(x, y) || return isless(x, y) ? -1 : 1
    end
    return cmp(length(a), length(b))
end
isless(a::AbstractVector, b::AbstractVector) = cmp(a, b) < 0
<(a::AbstractVector, b::AbstractVector) = isless(a, b)
