# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Records: array elements whose dtype has fields. In kernels a record is a pointer to an element. Its type has the
# names, types and offsets of the fields.

struct Record{names,types,offsets,bytes}
    memory::NTuple{bytes,UInt8}
end
struct RecordAt{E,A,R}
    ptr::LLVMPtr{E,A}
end
@inline load(a::Arrays{E,N,A,R}, I::Tuple) where {E<:Record,N,A,R} = RecordAt{E,A,R}(element_pointer(a, I))
@inline load(a::Arrays{E,N,0,true}, I::Tuple) where {E<:Record,N} = RecordAt{E,0,true}(element_pointer(a, I))
# A field that is itself an array: element type T, shape `dims`, row-major, `bytes` in total.
struct Nested{T,dims,bytes}
    memory::NTuple{bytes,UInt8}
end
@inline alignof_field(::Type{T}) where {T} = alignof_type(T)
@inline alignof_field(::Type{Nested{T,dims,bytes}}) where {T,dims,bytes} = alignof_type(T)
@inline alignof_field(::Type{E}) where {E<:Record} = 1
@inline read_field(p::LLVMPtr{T,A}, ::Val{R}, align) where {T,A,R} = pointer_load(p, 0, align)
@inline read_field(p::LLVMPtr{E,A}, ::Val{R}, align) where {E<:Record,A,R} = RecordAt{E,A,R}(p)
@inline read_field(p::LLVMPtr{Nested{T,dims,bytes},A}, ::Val{R}, ::Val{1}) where {T,dims,bytes,A,R} = sizeof_type(T) === 1 ? read_field(p, Val(R), Val(0)) :
    static_error("a field that is an array has to be aligned as its elements are: give the dtype align=True")
@inline read_field(p::LLVMPtr{Nested{T,dims,bytes},A}, ::Val{R}, ::Val{0}) where {T,dims,bytes,A,R} = CArray{T,nfields(dims),A,R}(pointer_cast(LLVMPtr{T,A}, p), dims)
@inline write_field(p::LLVMPtr{T,A}, x, align) where {T,A} = (pointer_store(p, element_of(T, x), 0, align); nothing)
@inline write_field(p::LLVMPtr{E,A}, x, align) where {E<:Record,A} = (pointer_store(p, element_of(E, x), 0, Val(1)); nothing)
@inline write_field(p::LLVMPtr{Nested{T,dims,bytes},A}, x::AnyNumber, align) where {T,dims,bytes,A} = fill(read_field(p, Val(false), align), x)
@inline function write_field(p::LLVMPtr{Nested{T,dims,bytes},A}, x::Arrays, align) where {T,dims,bytes,A}
    to = read_field(p, Val(false), align)
    for k in 0:product(dims)-1
        store(to, load(x, unravel(k, shape(x))), unravel(k, dims))
    end
    return
end
@inline field_number(::Val{names}, ::Val{name}, ::Val{k}) where {names,name,k} =
    k > nfields(names) ? static_error("the record has no field ", name) : getfield(names, k) === name ? k : field_number(Val(names), Val(name), Val(k + 1))
@inline number_of(::Type{Record{names,types,offsets,bytes}}, name) where {names,types,offsets,bytes} = field_number(Val(names), name, Val(1))
@inline type_at(::Type{Record{names,types,offsets,bytes}}, ::Val{k}) where {names,types,offsets,bytes,k} = fieldtype(types, k)
@inline offset_at(::Type{Record{names,types,offsets,bytes}}, ::Val{k}) where {names,types,offsets,bytes,k} = getfield(offsets, k)
@inline align_at(::Type{Record{names,types,offsets,bytes}}, at, ::Type{T}) where {names,types,offsets,bytes,T} =
    rem(at, alignof_field(T)) === 0 && rem(bytes, alignof_field(T)) === 0 ? 0 : 1
@inline field_pointer(r::RecordAt{E,A}, ::Type{T}, at) where {E,A,T} = pointer_add(pointer_cast(LLVMPtr{T,A}, getfield(r, :ptr)), at)
@inline function py_getattr(r::RecordAt{E,A,R}, name::Val) where {E,A,R}
    k = Val(number_of(E, name))
    T = type_at(E, k)
    return read_field(field_pointer(r, T, offset_at(E, k)), Val(R), Val(align_at(E, offset_at(E, k), T)))
end
@inline function py_setattr(r::RecordAt{E,A,false}, x, name::Val) where {E,A}
    k = Val(number_of(E, name))
    T = type_at(E, k)
    return write_field(field_pointer(r, T, offset_at(E, k)), x, Val(align_at(E, offset_at(E, k), T)))
end
@inline py_setattr(r::RecordAt{E,A,true}, x, name::Val) where {E,A} = static_error("cannot modify a record of a read-only array")
@inline py_getitem(r::RecordAt, name::Val) = py_getattr(r, name)
@inline py_setitem(r::RecordAt, x, name::Val) = py_setattr(r, x, name)
# a[i] = another record
@inline element_of(::Type{E}, r::RecordAt{E,A,R}) where {E<:Record,A,R} = pointer_load(getfield(r, :ptr), 0, Val(1))
@inline element_of(::Type{E}, a::Arrays{F,0}) where {E<:Record,F<:Record} = element_of(E, load(a, ()))
@inline store(a::Arrays{E}, x, I::Tuple) where {E<:Record} = (pointer_store(element_pointer(a, I), element_of(E, x), 0, Val(1)); nothing)
# a["x"]: an array of the field "x" of all elements. The field must be aligned as its type requires.
@inline function field_view(a::Arrays{E,N,A,R}, name::Val) where {E<:Record,N,A,R}
    k = Val(number_of(E, name))
    T = type_at(E, k)
    align_at(E, offset_at(E, k), T) === 0 ||
        static_error("a field that is not aligned as its type is no array: index the record first, a[i][\"name\"], or give the dtype align=True")
    return fields_of(T, pointer_add(pointer_cast(LLVMPtr{T,A}, pointer_of(a)), offset_at(E, k)), shape(a), strides_of(a), Val(R))
end
@inline py_getitem(a::Arrays{E,1}, name::Val) where {E<:Record} = field_view(a, name)
@inline py_getitem(a::Arrays{E}, name::Val) where {E<:Record} = field_view(a, name)
@inline fields_of(::Type{T}, p::LLVMPtr{T,A}, shape::NTuple{N}, steps, ::Val{R}) where {T,A,N,R} = SArray{T,N,A,R}(p, shape, steps)
@inline fields_of(::Type{Nested{T,dims,bytes}}, p::LLVMPtr{Nested{T,dims,bytes},A}, shape::NTuple{N}, steps, ::Val{R}) where {T,dims,bytes,A,N,R} =
    SArray{T,N + nfields(dims),A,R}(pointer_cast(LLVMPtr{T,A}, p), (shape..., dims...), (steps..., row_strides(dims, sizeof_type(T))...))
# A kernel gets a record argument as an array without dimensions. Its attributes are the record's fields.
@inline py_getattr(a::Arrays{E,0}, name::Val) where {E<:Record} = py_getattr(load(a, ()), name)
@inline py_setattr(a::Arrays{E,0}, x, name::Val) where {E<:Record} = py_setattr(load(a, ()), x, name)
@inline py_getitem(a::Arrays{E,0}, name::Val) where {E<:Record} = py_getattr(load(a, ()), name)
@inline py_setitem(a::Arrays{E,0,A,false}, x, name::Val) where {E<:Record,A} = py_setattr(load(a, ()), x, name)
@inline py_getitem(r::RecordAt{E}, i::Int64) where {E} = record_item(E, r, Val(i + 1))
@inline record_item(::Type{Record{names,types,offsets,bytes}}, r, ::Val{k}) where {names,types,offsets,bytes,k} = py_getattr(r, Val(getfield(names, k)))
@inline py_getitem(a::Arrays{E,0}, i::Int64) where {E<:Record} = py_getitem(load(a, ()), i)
