# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Records: elements of arrays whose dtype has fields. A record in a kernel is its place: names, types and offsets of the
# fields are in the type.

struct Record{names,types,offsets,bytes}
    memory::NTuple{bytes,UInt8}
end
struct RecordAt{E,A,R}
    ptr::LLVMPtr{E,A}
end
@inline load(a::Arrays{E,N,A,R}, I::Tuple) where {E<:Record,N,A,R} = RecordAt{E,A,R}(element_pointer(a, I))
@inline field_number(::Val{names}, ::Val{name}, ::Val{k}) where {names,name,k} =
    k > nfields(names) ? static_error("the record has no field ", name) : getfield(names, k) === name ? k : field_number(Val(names), Val(name), Val(k + 1))
@inline number_of(::Type{Record{names,types,offsets,bytes}}, name) where {names,types,offsets,bytes} = field_number(Val(names), name, Val(1))
@inline type_at(::Type{Record{names,types,offsets,bytes}}, ::Val{k}) where {names,types,offsets,bytes,k} = fieldtype(types, k)
@inline offset_at(::Type{Record{names,types,offsets,bytes}}, ::Val{k}) where {names,types,offsets,bytes,k} = getfield(offsets, k)
@inline align_at(::Type{Record{names,types,offsets,bytes}}, at, ::Type{T}) where {names,types,offsets,bytes,T} =
    rem(at, alignof_type(T)) === 0 && rem(bytes, alignof_type(T)) === 0 ? 0 : 1
@inline field_pointer(r::RecordAt{E,A}, ::Type{T}, at) where {E,A,T} = pointer_add(pointer_cast(LLVMPtr{T,A}, getfield(r, :ptr)), at)
@inline function py_getattr(r::RecordAt{E,A}, name::Val) where {E,A}
    k = Val(number_of(E, name))
    T = type_at(E, k)
    return pointer_load(field_pointer(r, T, offset_at(E, k)), 0, Val(align_at(E, offset_at(E, k), T)))
end
@inline function py_setattr(r::RecordAt{E,A,false}, x, name::Val) where {E,A}
    k = Val(number_of(E, name))
    T = type_at(E, k)
    pointer_store(field_pointer(r, T, offset_at(E, k)), element_of(T, x), 0, Val(align_at(E, offset_at(E, k), T)))
    return
end
@inline py_setattr(r::RecordAt{E,A,true}, x, name::Val) where {E,A} = static_error("cannot modify a record of a read-only array")
@inline py_getitem(r::RecordAt, name::Val) = py_getattr(r, name)
@inline py_setitem(r::RecordAt, x, name::Val) = py_setattr(r, x, name)
# a[i] = another record
@inline element_of(::Type{E}, r::RecordAt{E,A,R}) where {E<:Record,A,R} = pointer_load(getfield(r, :ptr), 0, Val(1))
@inline store(a::Arrays{E}, x, I::Tuple) where {E<:Record} = (pointer_store(element_pointer(a, I), element_of(E, x), 0, Val(1)); nothing)
# a["x"]: the field of all elements, if it is aligned as its type has to be
@inline function field_view(a::Arrays{E,N,A,R}, name::Val) where {E<:Record,N,A,R}
    k = Val(number_of(E, name))
    T = type_at(E, k)
    align_at(E, offset_at(E, k), T) === 0 ||
        static_error("a field that is not aligned as its type is no array: index the record first, a[i][\"name\"], or give the dtype align=True")
    return SArray{T,N,A,R}(pointer_add(pointer_cast(LLVMPtr{T,A}, pointer_of(a)), offset_at(E, k)), shape(a), strides_of(a))
end
@inline py_getitem(a::Arrays{E,1}, name::Val) where {E<:Record} = field_view(a, name)
@inline py_getitem(a::Arrays{E}, name::Val) where {E<:Record} = field_view(a, name)
