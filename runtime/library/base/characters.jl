# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/subarray
# Classes of characters, and strings. Strings in kernels are constants.

# ---- classes of characters. Digits, spaces and control characters cover all of Unicode; letters and punctuation end
# at U+00FF.
# Tables for the other characters exist only in programs on the host (beyond_latin of
# runtime/library/program/domain.jl).
@inline isascii(c::Char) = bitcast(UInt32, c) < 0x80000000
@inline isdigit(c::Char) = in_span(c, 0x00000030, 0x00000039)
@inline isxdigit(c::Char) = isdigit(c) | in_span(c, 0x00000041, 0x00000046) | in_span(c, 0x00000061, 0x00000066)
@inline function isspace(c::Char)
    u = UInt32(c)
    return (u == 0x00000020) | is_between(u, 0x00000009, 0x0000000d) | (u == 0x00000085) | (u == 0x000000a0) | (u == 0x00001680) |
           is_between(u, 0x00002000, 0x0000200a) | (u == 0x0000202f) | (u == 0x0000205f) | (u == 0x00003000)
end
@inline iscntrl(c::Char) = (UInt32(c) < 0x00000020) | in_span(c, 0x0000007f, 0x0000009f)
@inline is_between(u::UInt32, lo::UInt32, hi::UInt32) = ule_int(sub_int(u, lo), sub_int(hi, lo))
@inline in_span(c::Char, lo::UInt32, hi::UInt32) = is_between(UInt32(c), lo, hi)
@inline is_latin(u::UInt32) = u < 0x00000100
beyond_latin(f, c::Char) = throw(ArgumentError("letters, punctuation and their case are known up to U+00FF only"))
@inline is_upper_code(u::UInt32) = is_between(u, 0x00000041, 0x0000005a) | (is_between(u, 0x000000c0, 0x000000de) & (u != 0x000000d7))
@inline is_lower_code(u::UInt32) = is_between(u, 0x00000061, 0x0000007a) | (is_between(u, 0x000000df, 0x000000ff) & (u != 0x000000f7)) | (u == 0x000000b5)
# Bit masks of the punctuation !"#%&'()*,-./:;?@[\\]_{} and ¡§«¶·»¿. Bit u of the four 64-bit words stands for code u.
@inline is_punctuation_code(u::UInt32) = in_mask(u, 0x8c00f7ee00000000, 0x28000000b8000001, 0x88c0088200000000, 0x0000000000000000)
@inline is_letter_code(u::UInt32) = is_upper_code(u) | is_lower_code(u) | (u == 0x000000aa) | (u == 0x000000ba)
@inline is_number_code(u::UInt32) = is_between(u, 0x00000030, 0x00000039) | is_between(u, 0x000000b2, 0x000000b3) | (u == 0x000000b9) | is_between(u, 0x000000bc, 0x000000be)
@inline is_print_code(u::UInt32) = !(is_between(u, 0x00000000, 0x0000001f) | is_between(u, 0x0000007f, 0x0000009f) | (u == 0x000000ad))
for (f, code) in ((:isuppercase, :is_upper_code), (:islowercase, :is_lower_code), (:isletter, :is_letter_code), (:isnumeric, :is_number_code), (:ispunct, :is_punctuation_code),
    (:isprint, :is_print_code))
    @eval @inline $f(c::Char) = (u = UInt32(c); is_latin(u) ? $code(u) : beyond_latin($f, c))
end
@inline function in_mask(u::UInt32, a::UInt64, b::UInt64, c::UInt64, d::UInt64)
    word = ifelse(u < 0x00000080, ifelse(u < 0x00000040, a, b), ifelse(u < 0x000000c0, c, d))
    return trunc_int(Bool, lshr_int(word, and_int(u, 0x0000003f)))
end
@inline isgraph(c::Char) = isprint(c) & !isspace(c)
@inline function uppercase(c::Char)
    u = UInt32(c)
    if !is_latin(u)
        return beyond_latin(uppercase, c)
    elseif u == 0x000000b5
        return Char(0x0000039c)                     # the Greek letter
    elseif u == 0x000000df
        return Char(0x00001e9e)
    elseif u == 0x000000ff
        return Char(0x00000178)
    end
    return is_lower_code(u) ? Char(u - 0x00000020) : c
end
@inline lowercase(c::Char) = (u = UInt32(c); !is_latin(u) ? beyond_latin(lowercase, c) : is_upper_code(u) ? Char(u + 0x00000020) : c)
@inline typemin(::Type{Char}) = '\0'
@inline length(c::Char) = 1
@inline iterate(c::Char) = (c, nothing)
@inline iterate(c::Char, ::Nothing) = nothing
@inline ncodeunits(c::Char) = max(1, 4 - div(trailing_zeros(bitcast(UInt32, c)), 8))

# ---- strings
# A string's bytes are in constant memory. If the compiler knows a string, its size and comparisons are constants.
# The state of a loop over a string is the index of the next character's first byte, as in Julia.
struct StringIndexError <: Exception end
StringIndexError(s, i) = StringIndexError()
@inline string_size(s::String) = ccall("extern kiln.string_size", llvmcall, Int, (String,), s)
@inline string_length(s::String) = ccall("extern kiln.string_length", llvmcall, Int, (String,), s)
@inline string_last(s::String) = ccall("extern kiln.string_last", llvmcall, Int, (String,), s)
@inline string_compare(a::String, b::String) = ccall("extern kiln.string_compare", llvmcall, Int, (String, String), a, b)
@inline ncodeunits(s::String) = string_size(s)
@inline sizeof(s::String) = string_size(s)
@inline length(s::String) = string_length(s)
@inline isempty(s::String) = string_size(s) === 0
@inline firstindex(s::String) = 1
@inline lastindex(s::String) = string_last(s)
@inline eltype(::Type{String}) = Char
@inline isless(a::String, b::String) = slt_int(string_compare(a, b), 0)
@inline cmp(a::String, b::String) = string_compare(a, b)
@inline function codeunit(s::String, i::Integer)
    k = sub_int(rem(i, Int), 1)
    @boundscheck ult_int(k, string_size(s)) || throw(BoundsError(s, i))
    return unit_at(s, k)
end
@inline unit_at(s::String, k::Int) = pointer_load(device_string(Val(Symbol(s))), k, Val(0))
@inline is_continuation(b::UInt8) = and_int(b, 0xc0) === 0x80
@inline isvalid(s::String, i::Integer) = ult_int(sub_int(rem(i, Int), 1), string_size(s)) && !is_continuation(unit_at(s, sub_int(rem(i, Int), 1)))
# Decodes the character whose first byte has 0-based index k: returns its bits and its number of bytes.
@inline function char_at(s::String, k::Int)
    b = unit_at(s, k)
    bits = shl_int(zext_int(UInt32, b), 24)
    if (b < 0xc0) | (b >= 0xf8)
        return (bitcast(Char, bits), 1)
    end
    wanted = b < 0xe0 ? 2 : b < 0xf0 ? 3 : 4
    n = 1
    while n < wanted && k + n < string_size(s)
        next = unit_at(s, k + n)
        if !is_continuation(next)
            break
        end
        bits = or_int(bits, shl_int(zext_int(UInt32, next), rem(24 - 8 * n, UInt8)))
        n += 1
    end
    return (bitcast(Char, bits), n)
end
@inline iterate(s::String) = string_size(s) === 0 ? nothing : iterate(s, 1)
@inline function iterate(s::String, i::Int)
    if i > string_size(s)
        return nothing
    end
    (c, n) = char_at(s, i - 1)
    return (c, i + n)
end
@inline function getindex(s::String, i::Integer)
    k = sub_int(rem(i, Int), 1)
    @boundscheck ult_int(k, string_size(s)) || throw(BoundsError(s, i))
    is_continuation(unit_at(s, k)) && throw(StringIndexError(s, i))
    return char_at(s, k)[1]
end
getindex(s::String, r::AbstractUnitRange) = static_error("a part of a string is a new string, for which a kernel has no memory")
@constprop :aggressive @inline indexed_iterate(s::String, i::Int, state=1) = found_item(s, i, iterate(s, state))
@inline last(s::String) = s[lastindex(s)]
@inline in(c::Char, s::String) = in_loop(c, s)
