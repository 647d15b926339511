# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/package_names, program/code, program/logging; when: pointer_from_objref, haslength, isiterable, print_matrix, Typeof, kwftype, sym_in, print_array, Perm, mightalias, dataids, showarg, tuple_type_head, tuple_type_tail, Count, Filter, PartitionIterator, HasLength, IteratorSize, IteratorEltype, SizeUnknown, HasEltype, merge_names, require, mapreduce_empty, reduce_empty, _unsetindex!, _typed_vcat, _typed_hcat, IteratorsMD, default_eltype, _return_type, dict_with_eltype, throw_boundserror, JLOptions, AbstractLogger, CoreLogging, _extrema_rf
# Names of Base that are not exported, and that packages use.

const CoreLogging = Logging
const AbstractLogger = Logging.AbstractLogger
require(id::PkgId) = require(Main, Symbol(id.name))
require(m::Module, name::Symbol) = eval(m, Expr(:block, Expr(:import, Expr(:., name)), name))

# The interpreter's objects have no addresses: a pointer to one is the object and an offset in bytes.
struct __ObjectPointer{T}
    object::Any
    offset::Int
end
unsafe_convert(::Type{Ptr{T}}, p::__ObjectPointer) where {T} = __ObjectPointer{T}(p.object, p.offset)
convert(::Type{Ptr{T}}, p::__ObjectPointer) where {T} = __ObjectPointer{T}(p.object, p.offset)
Ptr{T}(p::__ObjectPointer) where {T} = __ObjectPointer{T}(p.object, p.offset)
+(p::__ObjectPointer{T}, n::Integer) where {T} = __ObjectPointer{T}(p.object, p.offset + n)
unsafe_load(p::__ObjectPointer{T}, i::Integer=1) where {T} = __part_at(p.object, T, Int(p.offset + (i - 1) * sizeof(T)))
unsafe_store!(p::__ObjectPointer{T}, x, i::Integer=1) where {T} = (__put_part(p.object, convert(T, x), Int(p.offset + (i - 1) * sizeof(T))); p)
UInt(p::__ObjectPointer) = objectid(p.object) + p.offset % UInt
broadcastable(p::__ObjectPointer) = Ref(p)
unsafe_pointer_to_objref(p::__ObjectPointer) = p.object

_return_type(f, ::Type{T}) where {T<:Tuple} = promote_op(f, fieldtypes(T)...)
# Value of a reduction without elements.
reduce_empty(op, ::Type{T}) where {T} = throw(ArgumentError("reducing over an empty collection is not allowed; consider supplying `init` to the reducer"))
# Julia drops a reference here, so that its object can be freed; the element has no value afterwards that may be read.
_unsetindex!(A::AbstractArray, i::Integer) = (checkbounds(A, i); A)
_typed_vcat(::Type{T}, parts) where {T} = typed_vcat(T, parts...)
_typed_hcat(::Type{T}, parts) where {T} = typed_hcat(T, parts...)
reduce_empty(::typeof(add_sum), ::Type{T}) where {T<:Number} = widen_sum(zero(T))
reduce_empty(::typeof(mul_prod), ::Type{T}) where {T<:Number} = widen_product(one(T))
reduce_empty(::typeof(+), ::Type{Bool}) = 0
reduce_empty(::typeof(*), ::Type{T}) where {T} = one(T)
mapreduce_empty(f, op, ::Type{T}) where {T} = reduce_empty(op, Union{})
mapreduce_empty(::typeof(identity), op, ::Type{T}) where {T} = reduce_empty(op, T)
mapreduce_empty(::Union{typeof(abs),typeof(abs2)}, op, ::Type{T}) where {T} = abs(reduce_empty(op, T))
zip(items) = Generator(tuple, items)
zip() = ()
__inferred_element(items) = eltype(items)
__inferred_element(g::Generator) = __type_of_call(__next_of, g)
__inferred_element(f::Filtered) = __inferred_element(f.iter)
macro default_eltype(items)
    :(Base.__inferred_element($(esc(items))))
end
# Makes a dictionary of the pairs. `make` returns the type for keys and values of given types.
dict_with_eltype(make, pairs, ::Type{Pair{K,V}}) where {K,V} = isconcretetype(K) && isconcretetype(V) ? make(K, V)(pairs) : __dict_by_values(make, pairs)
dict_with_eltype(make, pairs, ::Type{Tuple{K,V}}) where {K,V} = dict_with_eltype(make, pairs, Pair{K,V})
dict_with_eltype(make, pairs, ::Type) = __dict_by_values(make, pairs)
function __dict_by_values(make, pairs)
    all = collect(Any, pairs)
    return make(__join_types(map(p -> typeof(p[1]), all)), __join_types(map(p -> typeof(p[2]), all)))(all)
end
throw_boundserror(A, I) = throw(BoundsError(A, I))
JLOptions() = (check_bounds=Int8(0), opt_level=Int8(2), debug_level=Int8(1), can_inline=Int8(1), code_coverage=Int8(0), depwarn=Int8(0))
@eval Core kwftype(T) = typeof(kwcall)
@eval Core Typeof(x) = x isa Type ? Type{x} : typeof(x)
axes(g::Generator) = axes(g.iter)
axes(g::Generator, d) = axes(g.iter, d)
size(g::Generator) = size(g.iter)
ndims(g::Generator) = ndims(g.iter)
axes(p::ProductIterator) = __joined(map(axes, p.iterators)...)
__joined() = ()
__joined(t, rest...) = (t..., __joined(rest...)...)
ndims(p::ProductIterator) = length(axes(p))
eltype(::Type{ProductIterator{T}}) where {T} = Tuple{map(eltype, fieldtypes(T))...}
axes(z::Zip) = length(axes(z.a, 1)) <= length(axes(z.b, 1)) ? axes(z.a) : axes(z.b)
axes(e::Enumerate) = axes(e.items)
module IteratorsMD
import Base: CartesianIndex, CartesianIndices
# The first N elements of a tuple, and the other ones.
split(t::Tuple, ::Val{N}) where {N} = (ntuple(k -> t[k], Base.min(N, Base.length(t))), ntuple(k -> t[N + k], Base.max(Base.length(t) - N, 0)))
end
haslength(x) = IteratorSize(x) isa Union{HasLength,HasShape}
isiterable(T) = hasmethod(iterate, Tuple{T})
IteratorSize(::Type{<:Union{Filtered,TakeWhile,DropWhile}}) = SizeUnknown()
IteratorSize(::Type{Flatten{I}}) where {I} = IteratorEltype(I) isa HasEltype ? Iterators.flatten_iteratorsize(IteratorSize(I), eltype(I)) : SizeUnknown()
IteratorSize(::Type{<:Union{CountFrom,Repeated,Cycle}}) = IsInfinite()
IteratorSize(::Type{<:Generator{I}}) where {I} = IteratorSize(I)
IteratorSize(::Type{<:Taken{I}}) where {I} = IteratorSize(I) isa SizeUnknown ? SizeUnknown() : HasLength()
IteratorSize(::Type{<:Dropped{I}}) where {I} = __size_of_rest(IteratorSize(I))
IteratorSize(::Type{<:Enumerate{I}}) where {I} = IteratorSize(I)
IteratorSize(::Type{<:Zip{A,B}}) where {A,B} = __size_of_both(IteratorSize(A), IteratorSize(B))
IteratorSize(::Type{ProductIterator{T}}) where {T} = foldl(__size_of_product, map(IteratorSize, fieldtypes(T)); init=HasShape{0}())
IteratorSize(::Type{<:Chained}) = SizeUnknown()
IteratorSize(::Type{<:Accumulated{F,I}}) where {F,I} = IteratorSize(I)
IteratorSize(::Type{<:Rest{I}}) where {I} = IteratorSize(I) isa IsInfinite ? IsInfinite() : SizeUnknown()
IteratorSize(::Type{<:Pairs{K,V,I}}) where {K,V,I} = IteratorSize(I)
IteratorSize(::Type{<:IOStream}) = SizeUnknown()
IteratorSize(::Type{<:Number}) = HasShape{0}()
IteratorEltype(::Type{<:Generator}) = EltypeUnknown()
__size_of_rest(s) = s
__size_of_rest(::HasShape) = HasLength()
__size_of_both(a, b) = a isa SizeUnknown || b isa SizeUnknown ? SizeUnknown() : a isa IsInfinite ? b : b isa IsInfinite || a === b ? a : HasLength()
__size_of_product(::HasShape{N}, ::HasShape{M}) where {N,M} = HasShape{N + M}()
__size_of_product(::HasLength, ::HasShape{M}) where {M} = HasShape{M + 1}()
__size_of_product(::HasShape{N}, ::HasLength) where {N} = HasShape{N + 1}()
__size_of_product(::HasLength, ::HasLength) = HasShape{2}()
__size_of_product(a, b) = a isa SizeUnknown || b isa SizeUnknown ? SizeUnknown() : IsInfinite()
merge_names(an::Tuple{Vararg{Symbol}}, bn::Tuple{Vararg{Symbol}}) = (an..., filter(n -> !(n in an), bn)...)
tail(t::NamedTuple{names}) where {names} = NamedTuple{tail(names)}(tail(values(t)))
values(x) = x
_extrema_rf((a, b), (c, d)) = (min(a, c), max(b, d))
sym_in(name::Symbol, names) = name in names
print_array(io::IO, A::AbstractVecOrMat) = print_matrix(io, A)
print_matrix(io::IO, A::AbstractVecOrMat, rest...) = isempty(A) ? nothing : print(io, chopprefix(sprint(__show_grid, A, ndims(A) == 1; context=io), "\n"))
@eval Iterators begin
    const Count = Base.CountFrom
    const Filter{F,I} = Base.Filtered{I,F}
    const PartitionIterator = Base.PartitionOf
end
UnitRange{T}(r::AbstractUnitRange) where {T<:Real} = UnitRange{T}(first(r), last(r))
convert(::Type{R}, r::AbstractRange) where {R<:AbstractRange} = r isa R ? r : R(r)
convert(::Type{A}, x::AbstractArray) where {A<:Array} = x isa A ? x : A(x)
getindex(t::Tuple, list::AbstractVector{<:Integer}) = ntuple(k -> t[list[k]], length(list))
getindex(t::Tuple, mask::AbstractVector{Bool}) = t[findall(mask)]
getindex(t::NamedTuple, names::Tuple{Vararg{Symbol}}) = NamedTuple{names}(t)
getindex(t::NamedTuple, names::AbstractVector{Symbol}) = t[Tuple(names)]
get(t::Tuple, i::Integer, default) = 1 <= i <= length(t) ? t[i] : default
tuple_type_head(T::Type) = T isa UnionAll ? __union_all(T.var, tuple_type_head(T.body)) : fieldtype(T, 1)
tuple_type_tail(T::Type) = T isa UnionAll ? __union_all(T.var, tuple_type_tail(T.body)) : Tuple{T.parameters[2:end]...}
# Arrays that may share memory. An array's identity stands for its memory.
dataids(A::AbstractArray) = parent(A) === A ? (objectid(A),) : dataids(parent(A))
dataids(A::AbstractRange) = ()
mightalias(A::AbstractArray, B::AbstractArray) = !isbits(A) && !isbits(B) && any(i -> i in dataids(B), dataids(A))
mightalias(x, y) = false
