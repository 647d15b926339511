# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/dict
# Set functions such as union and intersect, for sets and for lists. With lists as arguments they return lists.
__to_look_up(b::Union{Set,HostDict,Tuple,AbstractRange}) = b
__to_look_up(b) = Set(b)
function __kept_of(test, a, others)
    found = map(__to_look_up, others)
    return unique([x for x in a if test(x, found)])
end
__in_all(x, found) = all(b -> x in b, found)
__in_none(x, found) = !any(b -> x in b, found)
const __Lists = Union{AbstractArray,Tuple,Base.Generator}
union(a::__Lists, others...) = unique(vcat(collect(a), map(collect, others)...))
intersect(a::__Lists, others...) = __kept_of(__in_all, a, others)
setdiff(a::__Lists, others...) = __kept_of(__in_none, a, others)
symdiff(a::__Lists, b) = union(setdiff(a, b), setdiff(collect(b), a))
intersect(s::Set{T}, others...) where {T} = union!(Set{T}(), __kept_of(__in_all, s, others))
setdiff(s::Set{T}, others...) where {T} = union!(Set{T}(), __kept_of(__in_none, s, others))
symdiff(s::Set, b) = union(setdiff(s, b), setdiff(Set(b), s))
const ∪ = union
const ∩ = intersect
function setdiff!(v::Vector, others...)
    kept = setdiff(v, others...)
    return append!(empty!(v), kept)
end
function setdiff!(s::Set, others...)
    for o in others, x in o
        delete!(s, x)
    end
    return s
end
function intersect!(s::Set, others...)
    found = map(__to_look_up, others)
    for x in collect(s)
        __in_all(x, found) || delete!(s, x)
    end
    return s
end
isdisjoint(a, b) = (found = __to_look_up(b); !any(x -> x in found, a))
partialsortperm(v::AbstractVector, k; keywords...) = sortperm(v; keywords...)[k]
