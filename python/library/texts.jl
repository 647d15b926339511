# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Texts of fixed length: elements and fields of NumPy's dtypes U and S. The character type W is UInt32 for U, a code
# point, and UInt8 for S, a byte. Zeros fill the text's memory after its end.

struct Text{n,W}
    memory::NTuple{n,W}
end
@inline alignof_field(::Type{Text{n,W}}) where {n,W} = alignof_type(W)
@inline characters(p::LLVMPtr{Text{n,W},A}) where {n,W,A} = pointer_cast(LLVMPtr{W,A}, p)
# Copies a text to the thread's memory, for loops over its characters.
@inline function spilled(x::T) where {T<:Text}
    p = stack_alloc(T, Val(1))
    pointer_store(p, x, 0, Val(1))
    return characters(p)
end
@inline literal_bytes(s::Val) = int_to_pointer(LLVMPtr{UInt8,0}, pointer_to_int(device_string(s)))   # ends with a zero
@inline byte_at(p, k) = zext_int(UInt32, pointer_load(p, k, Val(1)))
@inline tail_bits(p, k) = and_int(byte_at(p, k), 0x0000003f)
@inline shifted(x, n) = shl_int(x, trunc_int(UInt32, n))
# Returns the character at byte k of a literal, and its length in bytes. Code points are decoded from UTF-8.
@inline character(::Type{UInt8}, p, k) = (pointer_load(p, k, Val(1)), 1)
@inline function character(::Type{UInt32}, p, k)
    c = byte_at(p, k)
    ult_int(c, 0x00000080) && return (c, 1)
    ult_int(c, 0x000000e0) && return (or_int(shifted(and_int(c, 0x0000001f), 6), tail_bits(p, k + 1)), 2)
    ult_int(c, 0x000000f0) && return (or_int(shifted(and_int(c, 0x0000000f), 12), or_int(shifted(tail_bits(p, k + 1), 6), tail_bits(p, k + 2))), 3)
    high = or_int(shifted(and_int(c, 0x00000007), 18), shifted(tail_bits(p, k + 1), 12))
    return (or_int(high, or_int(shifted(tail_bits(p, k + 2), 6), tail_bits(p, k + 3))), 4)
end
@inline function write_text(to::LLVMPtr{Text{n,W}}, s::Val) where {n,W}
    p, from, at, k = characters(to), literal_bytes(s), 0, 0
    while k < n
        c = character(W, from, at)
        pointer_store(p, getfield(c, 1), k, Val(1))
        at = at + (getfield(c, 1) === cut(W, 0) ? 0 : getfield(c, 2))
        k = k + 1
    end
    return
end
@inline write_text(to::LLVMPtr{Text{n,W}}, x::Text{n,W}) where {n,W} = (pointer_store(to, x, 0, Val(1)); nothing)
@inline function write_text(to::LLVMPtr{Text{n,W}}, x::Text{m,W}) where {n,m,W}   # truncates, or pads with zeros
    p, from, k = characters(to), spilled(x), 0
    while k < n
        pointer_store(p, k < m ? pointer_load(from, k, Val(1)) : cut(W, 0), k, Val(1))
        k = k + 1
    end
    return
end
@inline write_text(to::LLVMPtr{Text{n,W}}, x) where {n,W} = static_error("a value of type ", typeof(x), " cannot be stored as a text of ", W === UInt8 ? "bytes (S)" : "characters (U)")
@inline load(a::Arrays{E,N,A,R}, I::Tuple) where {E<:Text,N,A,R} = pointer_load(element_pointer(a, I), 0, Val(1))
@inline load(a::Arrays{E,N,0,true}, I::Tuple) where {E<:Text,N} = pointer_load(element_pointer(a, I), 0, Val(1))
@inline store(a::Arrays{E}, x, I::Tuple) where {E<:Text} = write_text(element_pointer(a, I), x)
@inline read_field(p::LLVMPtr{E,A}, ::Val{R}, align) where {E<:Text,A,R} = pointer_load(p, 0, Val(1))
@inline write_field(p::LLVMPtr{E,A}, x, align) where {E<:Text,A} = write_text(p, x)

@inline function py_eq(a::Text{n,W}, b::Text{m,W}) where {n,m,W}
    p, q, k = spilled(a), spilled(b), 0
    while k < n || k < m
        (k < n ? pointer_load(p, k, Val(1)) : cut(W, 0)) === (k < m ? pointer_load(q, k, Val(1)) : cut(W, 0)) || return false
        k = k + 1
    end
    return true
end
@inline function py_eq(a::Text{n,W}, s::Val) where {n,W}
    p, from, at, k = spilled(a), literal_bytes(s), 0, 0
    while k < n
        c = character(W, from, at)
        pointer_load(p, k, Val(1)) === getfield(c, 1) || return false
        at = at + (getfield(c, 1) === cut(W, 0) ? 0 : getfield(c, 2))
        k = k + 1
    end
    return byte_at(from, at) === 0x00000000
end
@inline py_eq(s::Val, a::Text) = py_eq(a, s)
@inline py_ne(a::Text, b::Union{Text,Val}) = not_int(py_eq(a, b))
@inline py_ne(s::Val, a::Text) = not_int(py_eq(a, s))
@inline function py_len(a::Text{n,W}) where {n,W}
    p, k = spilled(a), n
    while k > 0 && pointer_load(p, k - 1, Val(1)) === cut(W, 0)
        k = k - 1
    end
    return k
end
@inline py_truth(a::Text) = py_len(a) !== 0
@inline element_of(::Type{T}, x::Text) where {T<:AnyNumber} = static_error("a text cannot be stored in an array of ", T)
# Assigns a text, or a tuple of texts, to a part of an array: a[:] = x.
@inline assign(a::Arrays, x::Text) = fill(a, x)
@inline check_item(x::Text) = nothing
