# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/regex
# Dictionaries and sets. The host stores the entries (lib/programs/dicts.cpp) in order of insertion.
struct KeyMissing end
# A dictionary is a handle of a host object. The field prevents a singleton type.
struct Dict{K,V} <: AbstractDict{K,V}
    host::Any
    Dict{K,V}(::KeyMissing) where {K,V} = new{K,V}(nothing)
end
struct IdDict{K,V} <: AbstractDict{K,V}
    host::Any
    IdDict{K,V}(::KeyMissing) where {K,V} = new{K,V}(nothing)
end
const HostDict{K,V} = Union{Dict{K,V},IdDict{K,V}}
(::Type{Dict{K,V}})() where {K,V} = __new_dict(Dict{K,V}, false)
(::Type{IdDict{K,V}})() where {K,V} = __new_dict(IdDict{K,V}, true)
Dict() = Dict{Any,Any}()
IdDict() = IdDict{Any,Any}()
Dict(ps::Pair{K,V}...) where {K,V} = __fill_dict(Dict{K,V}(), ps)
Dict(ps::Pair...) = __fill_dict(Dict{__join_types(map(p -> typeof(p.first), ps)),__join_types(map(p -> typeof(p.second), ps))}(), ps)
IdDict(ps::Pair...) = __fill_dict(IdDict{Any,Any}(), ps)
(::Type{Dict{K,V}})(ps::Pair...) where {K,V} = __fill_dict(Dict{K,V}(), ps)
(::Type{IdDict{K,V}})(ps::Pair...) where {K,V} = __fill_dict(IdDict{K,V}(), ps)
(::Type{Dict{K,V}})(items) where {K,V} = __fill_dict(Dict{K,V}(), items)
function Dict(items)
    all = collect(items)
    T = isempty(all) && items isa Union{Generator,Filtered} ? __empty_eltype(items) : eltype(items)
    sides = __types_of_sides(T)
    sides === nothing && (sides = (__join_types(map(p -> typeof(p[1]), all)), __join_types(map(p -> typeof(p[2]), all))))
    return __fill_dict(Dict{sides[1],sides[2]}(), all)
end
# Types of keys and values that the element type of a collection of pairs states.
__types_of_sides(T) = nothing
__types_of_sides(::Type{Pair{K,V}}) where {K,V} = (K, V)
__types_of_sides(::Type{Tuple{K,V}}) where {K,V} = (K, V)
Dict(d::AbstractDict{K,V}) where {K,V} = __fill_dict(Dict{K,V}(), d)
function __fill_dict(d, items)
    for p in items
        d[p[1]] = p[2]
    end
    return d
end
function __join_types(types)
    T = nothing
    for S in types
        T = T === nothing ? S : promote_typejoin(T, S)
    end
    return T === nothing ? Any : T
end
copy(d::Dict{K,V}) where {K,V} = __fill_dict(Dict{K,V}(), d)
keytype(::AbstractDict{K,V}) where {K,V} = K
valtype(::AbstractDict{K,V}) where {K,V} = V
eltype(::Type{<:AbstractDict{K,V}}) where {K,V} = Pair{K,V}
length(d::HostDict) = __dict_length(d)
isempty(d::AbstractDict) = length(d) == 0
get(d::HostDict, key, default) = __dict_get(d, key, default)
get(f::Function, d::HostDict, key) = (v = __dict_get(d, key, KeyMissing()); v === KeyMissing() ? f() : v)
haskey(d::HostDict, key) = __dict_has(d, key)
function getindex(d::HostDict, key)
    v = __dict_get(d, key, KeyMissing())
    v === KeyMissing() && __throw_missing(key)
    return v
end
# Compiled code reports the key to the host, which makes the exception's field from it.
@noinline __throw_missing(key) = (__note_missing(key); throw(KeyError(key)))
getindex(d::AbstractDict, key, next, rest...) = d[(key, next, rest...)]
setindex!(d::AbstractDict, v, key, next, rest...) = setindex!(d, v, (key, next, rest...))
setindex!(d::HostDict{K,V}, v, key) where {K,V} = __dict_set(d, convert(K, key), convert(V, v))
setindex!(d::HostDict{String,V}, v, key::SubString{String}) where {V} = __dict_set_text(d, key, convert(V, v))
convert(::Type{Any}, x) = x
convert(::Type{Pair{A,B}}, p::Pair) where {A,B} = p isa Pair{A,B} ? p : Pair{A,B}(convert(A, p.first), convert(B, p.second))
convert(::Type{T}, x::T) where {T<:AbstractDict} = x
function get!(d::HostDict, key, default)
    v = __dict_get(d, key, KeyMissing())
    v === KeyMissing() || return v
    d[key] = default
    return d[key]
end
function get!(f::Function, d::HostDict, key)
    v = __dict_get(d, key, KeyMissing())
    v === KeyMissing() || return v
    d[key] = f()
    return d[key]
end
delete!(d::HostDict, key) = (__dict_delete(d, key); d)
function pop!(d::HostDict, key)
    v = d[key]
    __dict_delete(d, key)
    return v
end
pop!(d::HostDict, key, default) = haskey(d, key) ? pop!(d, key) : default
empty!(d::HostDict) = __dict_clear(d)
function iterate(d::HostDict, place=0)
    n = __dict_next(d, place)
    n === nothing && return nothing
    return (Pair(n[1], n[2]), n[3])
end
keys(d::AbstractDict) = [p.first for p in d]
values(d::AbstractDict) = [p.second for p in d]
keys(d::HostDict{K,V}) where {K,V} = __typed_list(K, d, 1)
values(d::HostDict{K,V}) where {K,V} = __typed_list(V, d, 2)
__typed_list(::Type{T}, d, i) where {T} = (list = T[]; for p in d; push!(list, p[i]); end; list)
pairs(d::AbstractDict) = d
in(p::Pair, d::AbstractDict) = haskey(d, p.first) && d[p.first] == p.second
function merge!(d::AbstractDict, others...)
    for o in others, p in o
        d[p.first] = p.second
    end
    return d
end
merge(d::Dict, others...) = merge!(Dict{__join_types((keytype(d), map(keytype, others)...)),__join_types((valtype(d), map(valtype, others)...))}(), d, others...)
function deepcopy(d::Dict{K,V}) where {K,V}
    made = Dict{K,V}()
    for (k, v) in d
        made[deepcopy(k)] = deepcopy(v)
    end
    return made
end
merge(f::Function, d::Dict, others...) = mergewith(f, d, others...)
mergewith(f, d::Dict, others...) = mergewith!(f, copy(d), others...)
function mergewith!(f, d::AbstractDict, others...)
    for o in others, p in o
        d[p.first] = haskey(d, p.first) ? f(d[p.first], p.second) : p.second
    end
    return d
end
filter(f::Function, d::Dict{K,V}) where {K,V} = (r = Dict{K,V}(); for p in d; f(p) && (r[p.first] = p.second); end; r)
function filter!(f::Function, d::Dict)
    for p in d
        f(p) || delete!(d, p.first)
    end
    return d
end
==(a::AbstractDict, b::AbstractDict) = length(a) == length(b) && all(p -> haskey(b, p.first) && b[p.first] == p.second, a)
hash(x) = hash(x, zero(UInt))
hash_uint(x::UInt) = hash(x)
hash(x, h::UInt) = __hash(x, h)
hash(A::Array, h::UInt) = __hash(A, h)
hash(A::AbstractArray, h::UInt) = __hash(collect(A), h)
# Does not depend on the order of the entries.
hash(s::Union{AbstractDict,AbstractSet}, h::UInt) = __hash(sum(hash, s; init=UInt(length(s))), h)

struct Set{T} <: AbstractSet{T}
    dict::Dict{T,Nothing}
    Set{T}(::KeyMissing) where {T} = new{T}(Dict{T,Nothing}())
end
Set() = Set{Any}()
(::Type{Set{T}})() where {T} = Set{T}(KeyMissing())
(::Type{Set{T}})(items) where {T} = union!(Set{T}(), items)
Set(items) = (all = collect(items); union!(Set{eltype(all)}(), all))
length(s::Set) = length(s.dict)
isempty(s::Set) = length(s) == 0
eltype(::Type{Set{T}}) where {T} = T
in(x, s::Set) = haskey(s.dict, x)
push!(s::Set, xs...) = (for x in xs; s.dict[x] = nothing; end; s)
delete!(s::Set, x) = (delete!(s.dict, x); s)
pop!(s::Set, x) = (pop!(s.dict, x); x)
function pop!(s::Set)
    isempty(s) && throw(ArgumentError("set must be non-empty"))
    x = first(s)
    delete!(s, x)
    return x
end
empty!(s::Set) = (empty!(s.dict); s)
copy(s::Set{T}) where {T} = union!(Set{T}(), s)
function iterate(s::Set, place=0)
    n = __dict_next(s.dict, place)
    n === nothing && return nothing
    return (n[1], n[3])
end
function union!(s::Set, others...)
    for o in others, x in o
        push!(s, x)
    end
    return s
end
union(s::Set{T}, others...) where {T} = union!(copy(s), others...)
issubset(a, b) = (found = __to_look_up(b); all(x -> x in found, a))
const ⊆ = issubset
==(a::Set, b::Set) = length(a) == length(b) && issubset(a, b)
unique(items) = (all = collect(items); seen = Set{eltype(all)}(); list = eltype(all)[]; for x in all; x in seen || (push!(seen, x); push!(list, x)); end; list)
allunique(items) = length(unique(items)) == length(collect(items))

# ---- printing
function show(io::IO, d::AbstractDict)
    (prefix, is_plain) = __prefix_of(io, d)
    write(io, prefix, "(")
    if !isempty(d) && !__show_circular(io, d)
        inner = IOContext(io, :SHOWN_SET => d, :typeinfo => eltype(d))
        limit = get(io, :limit, false)
        n = 0
        for p in d
            n > 0 && write(io, ", ")
            show(inner, p)
            n += 1
            limit && n >= 10 && (write(io, "…"); break)
        end
    end
    write(io, ")")
    return nothing
end
function show(io::IO, ::MIME{Symbol("text/plain")}, d::AbstractDict)
    isempty(d) && return show(io, d)
    n = length(d)
    write(io, __type_text(typeof(d)), " with ", string(n), n == 1 ? " entry:" : " entries:")
    __show_circular(io, d) && return nothing
    inner = IOContext(io, :SHOWN_SET => d, :compact => get(io, :compact, true))
    texts = [sprint(show, p.first; context=IOContext(inner, :typeinfo => keytype(d))) for p in d]
    wide = maximum(textwidth, texts)
    for (k, p) in enumerate(d)
        write(io, "\n  ", texts[k], __padding(" ", wide - textwidth(texts[k])), " => ")
        show(IOContext(inner, :typeinfo => valtype(d)), p.second)
    end
    return nothing
end
function show(io::IO, s::Set{T}) where {T}
    if isempty(s)
        write(io, get(io, :typeinfo, Any) === typeof(s) ? "Set()" : string(__type_text(typeof(s)), "()"))
        return nothing
    end
    write(io, "Set(")
    __show_vector(io, __InOrder(s))
    write(io, ")")
    return nothing
end
# The elements of a set as a list, for printing. If the set contains itself, its circular reference counts this list.
struct __InOrder{S,T}
    set::S
    items::Vector{T}
end
__shown(l::__InOrder) = l.set
__InOrder(s::Set{T}) where {T} = __InOrder{Set{T},T}(s, collect(s))
eltype(l::__InOrder{S,T}) where {S,T} = T
length(l::__InOrder) = length(l.items)
isempty(l::__InOrder) = isempty(l.items)
getindex(l::__InOrder, i::Int) = l.items[i]
isassigned(l::__InOrder, i::Int) = true
function show(io::IO, ::MIME{Symbol("text/plain")}, s::Set{T}) where {T}
    isempty(s) && return show(io, s)
    n = length(s)
    write(io, "Set{", __type_text(T), "}", " with ", string(n), n == 1 ? " element:" : " elements:")
    __show_circular(io, s) && return nothing
    inner = IOContext(io, :SHOWN_SET => s, :typeinfo => T)
    for x in s
        write(io, "\n  ")
        show(inner, x)
    end
    return nothing
end
