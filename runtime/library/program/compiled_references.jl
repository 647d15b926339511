# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/compiled_arrays
# Strings, dictionaries, and arrays of them in compiled code of programs (lib/programs/references.h). Compiled code has
# references to values of the host, and calls the host's functions on them. The interpreter uses its own functions
# instead of these.
@inline __reference(x) = static_error("this uses a dictionary or an array of the host, which a kernel cannot reach") # for the host: domain.jl
@inline __reference(x::String) = retype_scalars(Ptr{Nothing}, x)
@inline __check_memory(is_left::Bool) = is_left || throw(OutOfMemoryError())
@inline __checked_reference(p) = (__check_memory(pointer_to_int(p) !== 0x0000000000000000); p)
# Names a type in calls of the host: a number that depends on its text alone.
@inline __type_key(::Type{T}) where {T} = retype_scalars(Ptr{Nothing}, symbol_concat(T))

# Values pass in words: a number or a reference is one, a struct has those of its fields.
__is_reference(T) = T === String || T <: HostDict || T <: Array
function __word_types(T)
    __is_reference(T) && return Any[Ptr{Nothing}]
    fieldcount(T) == 0 && return sizeof_type(T) == 0 ? Any[] : Any[T]
    types = Any[]
    for i in 1:fieldcount(T)
        append!(types, __word_types(fieldtype(T, i)))
    end
    return types
end
@inline @generated function __from_words(::Type{T}, words::Ptr{UInt64}) where {T}
    types = __word_types(T)
    parts = [:(pointer_load(pointer_cast(Ptr{$(types[k])}, pointer_add(words, $(8 * (k - 1)))), 0, Val(0))) for k in 1:length(types)]
    return :(retype_scalars($T, ($(parts...),)))
end
@inline @generated function __to_words(words::Ptr{UInt64}, x::T) where {T}
    types = __word_types(T)
    stores = [:(pointer_store(pointer_cast(Ptr{$(types[k])}, pointer_add(words, $(8 * (k - 1)))), getfield(parts, $k), 0, Val(0))) for k in 1:length(types)]
    return :(parts = retype_scalars(Tuple{$(types...)}, x); $(stores...); words)
end
@inline __words(which) = ccall("extern kiln.reference.words", llvmcall, Ptr{UInt64}, (Int,), which)
@inline __in_words(x) = __to_words(__words(0), x)

# ---- dictionaries
@inline __make_dict(::Type{D}, by_identity::Bool) where {D} = static_error("this makes a dictionary, for which a kernel has no memory") # for the host: domain.jl
@inline __new_dict(::Type{D}, by_identity::Bool) where {D<:HostDict} = __make_dict(D, by_identity)
# Place of a key in a dictionary, counted from 1. 0: there is no such key.
@inline __place(d::HostDict{K}, key) where {K} = __place(d, K, key)
@inline __place(d, ::Type{K}, key::K) where {K} = ccall("extern kiln.reference.dict_find", llvmcall, Int, (Ptr{Nothing}, Ptr{UInt64}), __reference(d), __in_words(key))
@inline __place(d, ::Type{String}, key::String) = __place_of_text(d, __text_part(key))
@inline __place(d, ::Type{String}, key::SubString{String}) = __place_of_text(d, __text_part(key))
@inline __place_of_text(d, (text, offset, size)) =
    ccall("extern kiln.reference.dict_find_text", llvmcall, Int, (Ptr{Nothing}, Ptr{Nothing}, Int, Int), __reference(d), text, offset, size)
@inline __item(::Type{T}, d, place, is_value) where {T} =
    __from_words(T, __checked_reference(ccall("extern kiln.reference.dict_item", llvmcall, Ptr{UInt64}, (Ptr{Nothing}, Int, Bool), __reference(d), place, is_value)))
@inline function __dict_get(d::HostDict{K,V}, key, default) where {K,V}
    place = __place(d, key)
    return place === 0 ? default : __item(V, d, place, true)
end
@inline __dict_has(d::HostDict, key) = __place(d, key) !== 0
@inline function __dict_set(d::HostDict{K,V}, key::K, v::V) where {K,V}
    __check_memory(ccall("extern kiln.reference.dict_set", llvmcall, Bool, (Ptr{Nothing}, Ptr{UInt64}, Ptr{UInt64}), __reference(d), __in_words(key), __to_words(__words(1), v)))
    return d
end
@inline function __dict_set_text(d::HostDict{String,V}, key, v::V) where {V}
    (text, offset, size) = __text_part(key)
    __check_memory(ccall("extern kiln.reference.dict_set_text", llvmcall, Bool, (Ptr{Nothing}, Ptr{Nothing}, Int, Int, Ptr{UInt64}), __reference(d), text, offset, size, __to_words(__words(1), v)))
    return d
end
@inline function __dict_delete(d::HostDict, key)
    place = __place(d, key)
    place === 0 && return false
    ccall("extern kiln.reference.dict_erase", llvmcall, Nothing, (Ptr{Nothing}, Int), __reference(d), place)
    return true
end
@inline __dict_clear(d::HostDict) = (ccall("extern kiln.reference.dict_clear", llvmcall, Nothing, (Ptr{Nothing},), __reference(d)); d)
@inline __dict_length(d::HostDict) = ccall("extern kiln.reference.dict_length", llvmcall, Int, (Ptr{Nothing},), __reference(d))
@inline function __dict_next(d::HostDict{K,V}, place) where {K,V}
    next = ccall("extern kiln.reference.dict_next", llvmcall, Int, (Ptr{Nothing}, Int), __reference(d), place)
    next === 0 && return nothing
    return (__item(K, d, next, false), __item(V, d, next, true), next)
end
@noinline __note_missing(key::K) where {K} =
    ccall("extern kiln.reference.dict_missing", llvmcall, Nothing, (Ptr{UInt64}, Ptr{Nothing}), __in_words(key), __type_key(K))

# ---- strings: of a part, the string, the bytes before it and its bytes; -1: all
@inline __text_part(s::String) = (__reference(s), 0, -1)
@inline __text_part(s::SubString{String}) = (__reference(s.string), s.offset, s.ncodeunits)
@inline function __codeunit(s::String, i::Int)
    @boundscheck ult_int(sub_int(i, 1), string_size(s)) || throw(BoundsError(s, i))
    return unit_at(s, sub_int(i, 1))
end
@inline __digits(n, base, width) = static_error("`string` of a number makes a string, for which a kernel has no memory: @cuprintln prints numbers") # for the host: domain.jl
@inline __make_text(text, offset, size) = static_error("this makes a string, for which a kernel has no memory") # for the host: domain.jl
@inline function __text_of(s::SubString{String})
    (text, offset, size) = __text_part(s)
    return __make_text(text, offset, size)
end

# ---- arrays of strings, dictionaries and structs with them
@inline __list_length(A) = ccall("extern kiln.reference.list_length", llvmcall, Int, (Ptr{Nothing},), __reference(A))
@inline __list_size(A::Array{T,N}) where {T,N} = ntuple(d -> ccall("extern kiln.reference.list_size", llvmcall, Int, (Ptr{Nothing}, Int), __reference(A), d - 1), Val(N))
@inline function __list_item(A::Array{T}, i::Integer) where {T}
    @boundscheck ult_int(sub_int(rem(i, Int), 1), __list_length(A)) || throw(BoundsError(A, i))
    words = ccall("extern kiln.reference.list_item", llvmcall, Ptr{UInt64}, (Ptr{Nothing}, Int), __reference(A), sub_int(rem(i, Int), 1))
    pointer_to_int(words) === 0x0000000000000000 && throw(UndefRefError())
    return __from_words(T, words)
end
