# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/tuple
# Named tuples: tuples whose fields have names.

@inline length(t::NamedTuple) = nfields(t)
@inline keys(t::NamedTuple{names}) where {names} = names
@inline propertynames(t::NamedTuple{names}) where {names} = names
@inline values(t::NamedTuple) = ntuple(Fix1(getfield, t), nfields(t))
@inline Tuple(t::NamedTuple) = values(t)
@inline getindex(t::NamedTuple, i::Int) = getfield(t, i)
@inline getindex(t::NamedTuple, i::Integer) = getfield(t, Int(i))
@inline getindex(t::NamedTuple, name::Symbol) = getfield(t, name)
@inline firstindex(t::NamedTuple) = 1
@inline lastindex(t::NamedTuple) = nfields(t)
@inline isempty(t::NamedTuple) = nfields(t) === 0
@inline first(t::NamedTuple) = getfield(t, 1)
@inline last(t::NamedTuple) = getfield(t, nfields(t))
@inline haskey(t::NamedTuple{names}, name::Symbol) where {names} = any_of(Fix1(===, name), names...)
@inline get(t::NamedTuple, name::Symbol, default) = haskey(t, name) ? getfield(t, name) : default
@inline iterate(t::NamedTuple) = nfields(t) === 0 ? nothing : (getfield(t, 1), 2)
@inline iterate(t::NamedTuple, i::Int) = sle_int(i, nfields(t)) ? (getfield(t, i), add_int(i, 1)) : nothing
@inline indexed_iterate(t::NamedTuple, i::Int, state=1) = (getfield(t, i), add_int(i, 1))
@inline NamedTuple{names}(t::Tuple) where {names} = newtuple_(NamedTuple{names,typeof(t)}, t...)
@inline NamedTuple{names,T}(t::Tuple) where {names,T<:Tuple} = newtuple_(NamedTuple{names,T}, convert(T, t)...)
@inline NamedTuple(t::NamedTuple) = t
@inline rest(t::NamedTuple) = t
@inline rest_behind(t::NamedTuple, state, n::Int) = pick(t, rest_behind(keys(t), state, n))
@inline split_rest(t::NamedTuple{names}, n::Int) where {names} = named_parts(t, split_rest(names, n))
@inline named_parts(t::NamedTuple, names::Tuple) = (pick(t, names[1]), pick(t, names[2]))
@inline map(f, t::NamedTuple{names}) where {names} = NamedTuple{names}(map(f, values(t)))
@inline map(f, t::NamedTuple{names}, s::NamedTuple{names}) where {names} = NamedTuple{names}(map(f, values(t), values(s)))
@inline map(f, t::NamedTuple{names}, s::NamedTuple{names}, u::NamedTuple{names}) where {names} = NamedTuple{names}(map(f, values(t), values(s), values(u)))
@inline map(f, t::NamedTuple{names}, s::NamedTuple...) where {names} = same_names(names, s...) ? NamedTuple{names}(map(f, values(t), map(values, s)...)) : throw(ArgumentError("Named tuple names do not match."))
@inline same_names(names) = true
@inline same_names(names, t::NamedTuple, rest...) = keys(t) === names && same_names(names, rest...)
@inline sum(t::NamedTuple) = sum(values(t))
@inline prod(t::NamedTuple) = prod(values(t))
@inline ==(a::NamedTuple{names}, b::NamedTuple{names}) where {names} = values(a) == values(b)
@inline ==(a::NamedTuple, b::NamedTuple) = false
@inline isequal(a::NamedTuple{names}, b::NamedTuple{names}) where {names} = isequal(values(a), values(b))
@inline isequal(a::NamedTuple, b::NamedTuple) = false
@inline in(x, t::NamedTuple) = in(x, values(t))
@inline merge(a::NamedTuple) = a
@inline function merge(a::NamedTuple{an}, b::NamedTuple{bn}) where {an,bn}
    names = (an..., filter(NotIn(an), bn)...)
    return NamedTuple{names}(ntuple(MergedField{names,typeof(a),typeof(b)}(a, b), nfields(names)))
end
@inline kwerr(kw, f, args...) = nothing # for the host: domain.jl. Compiled code is refused right after this call.
@inline structdiff(a::NamedTuple{an}, ::Type{NamedTuple{bn}}) where {an,bn} = pick(a, filter(NotIn(bn), an))
@inline pick(a::NamedTuple, names::Tuple) = NamedTuple{names}(map(Fix1(getfield, a), names))
struct NotIn{T} <: Function
    items::T
end
@inline (n::NotIn)(x) = !any_of(Fix1(===, x), n.items...)
struct MergedField{names,A,B} <: Function # names are type parameters, so that inference knows the type of each field
    a::A
    b::B
end
@inline (m::MergedField{names})(i) where {names} = field_of_either(m.a, m.b, getfield(names, i))
@inline field_of_either(a, b, name) = haskey(b, name) ? getfield(b, name) : getfield(a, name)
@inline eltype(::Type{<:NamedTuple{names,T}}) where {names,T} = eltype(T)
# The indices and the elements of a collection. `keywords` in f(; keywords...) is such an object of a named tuple.
abstract type AbstractDict{K,V} end
struct Pairs{K,V,I,A} <: AbstractDict{K,V}
    data::A
    itr::I
    @inline Pairs{K,V}(data::A, itr::I) where {K,V,A,I} = new{K,V,I,A}(data, itr)
end
@inline Pairs(data, itr) = Pairs{eltype(itr),eltype(data)}(data, itr)
@inline pairs(items) = Pairs(items, keys(items))
@inline pairs(t::NamedTuple) = Pairs{Symbol,eltype(t)}(t, keys(t))
@inline pairs(p::Pairs) = p
@inline keys(p::Pairs) = p.itr
@inline values(p::Pairs) = p.data
@inline length(p::Pairs) = length(p.itr)
@inline isempty(p::Pairs) = isempty(p.itr)
@inline eltype(::Type{<:Pairs{K,V}}) where {K,V} = Pair{K,V}
@inline getindex(p::Pairs, k) = p.data[k]
@inline setindex!(p::Pairs, x, k) = (p.data[k] = x; p)
@inline haskey(p::Pairs, k) = in(k, p.itr)
@inline haskey(p::Pairs{Symbol,V,I,<:NamedTuple}, k::Symbol) where {V,I} = haskey(p.data, k)
@inline get(p::Pairs, k, default) = haskey(p, k) ? p.data[k] : default
@inline iterate(p::Pairs) = pair_of(p, iterate(p.itr))
@inline iterate(p::Pairs, state) = pair_of(p, iterate(p.itr, state))
@inline pair_of(p, ::Nothing) = nothing
@inline pair_of(p, n) = (getfield(n, 1) => p.data[getfield(n, 1)], getfield(n, 2))
@inline NamedTuple(p::Pairs{Symbol,V,I,<:NamedTuple}) where {V,I} = p.data
@inline merge(a::NamedTuple, p::Pairs{Symbol,V,I,<:NamedTuple}) where {V,I} = merge(a, p.data)
@inline structdiff(p::Pairs{Symbol,V,I,<:NamedTuple}, ::Type{T}) where {V,I,T} = structdiff(p.data, T)
# f(args...; keywords...)
@inline with_keywords(keywords::NamedTuple, f, args...) = Core.kwcall(keywords, f, args...)
@inline with_keywords(keywords::NamedTuple{()}, f, args...) = f(args...)
