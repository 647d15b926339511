# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/code, program/big_integers, program/big_floats; when: Serialization
# Serialization: values as bytes, in a format of Kiln's own. Julia's format holds code and memory layouts of one version
# of Julia. An entry is the mark, the version, the number of bytes, their checksum, and the bytes.
module Serialization
abstract type AbstractSerializer end
# `numbers` and `types` have the objects and types that were written. `objects` and `read_types` have those that were read.
struct Serializer <: AbstractSerializer
    io::IO
    numbers::IdDict{Any,Int}
    objects::Vector{Any}
    types::IdDict{Any,Int}
    read_types::Vector{Any}
    Serializer(io::IO) = new(io, IdDict{Any,Int}(), Any[], IdDict{Any,Int}(), Any[])
end
const __mark = UInt8['K', 'I', 'L', 'N']
const __version = 0x01
# Kinds of values.
const __UNDEFINED = 0x00
const __PRIMITIVE = 0x01
const __STRING = 0x02
const __SYMBOL = 0x03
const __TYPE = 0x04
const __FUNCTION = 0x05
const __MODULE = 0x06
const __STRUCT = 0x07
const __OBJECT = 0x08
const __AGAIN = 0x09
const __ARRAY = 0x0a
const __BITS_ARRAY = 0x0b
const __DICT = 0x0c
const __SET = 0x0d
const __BIG_NUMBER = 0x0e
const __EXPR = 0x0f
const __CUSTOM = 0x10
const __SINGLETON = 0x11
# Kinds of types.
const __PLAIN_TYPE = 0x00
const __UNION = 0x01
const __UNION_ALL = 0x02
const __SAME_TYPE = 0x03 # one that was written before

__damaged(what) = throw(ArgumentError(string("deserialize: the data is damaged: ", what)))
__refused(x, why) = throw(ArgumentError(string("serialize: cannot write a ", typeof(x), ": ", why)))

# Two sums, as Adler's checksum, modulo the largest prime below 2^32.
function __checksum(bytes)
    a = UInt64(1)
    b = UInt64(0)
    for x in bytes
        a = (a + x) % 0x00000000fffffffb
        b = (b + a) % 0x00000000fffffffb
    end
    return xor(a, b << 32)
end

function serialize(io::IO, x)
    s = Serializer(IOBuffer())
    serialize(s, x)
    bytes = take!(s.io)
    write(io, __mark)
    write(io, __version)
    write(io, length(bytes))
    write(io, __checksum(bytes))
    write(io, bytes)
    return nothing
end
serialize(path::AbstractString, x) = open(io -> serialize(io, x), String(path), "w")
deserialize(path::AbstractString) = open(deserialize, String(path))
function deserialize(io::IO)
    mark = read(io, 4)
    isempty(mark) && throw(EOFError())
    mark[1:min(end, 3)] == UInt8['7', 'J', 'L'] && throw(ArgumentError("deserialize: Julia wrote this data, in a format of its own. Write it with `serialize` of a program that Kiln runs, or as text"))
    mark == __mark || throw(ArgumentError("deserialize: this is no data that `serialize` wrote"))
    head = read(io, 17)
    length(head) == 17 || __damaged("it ends within its first 21 bytes")
    head[1] == __version || throw(ArgumentError(string("deserialize: the data has version ", Int(head[1]), " of the format, and this program reads version ", Int(__version))))
    fields = IOBuffer()
    write(fields, head[2:17])
    seekstart(fields)
    count = read(fields, Int)
    sum = read(fields, UInt64)
    count >= 0 || __damaged("its length is negative")
    bytes = read(io, count)
    length(bytes) == count || __damaged(string(length(bytes), " bytes of ", count))
    __checksum(bytes) == sum || __damaged("its checksum is wrong")
    in = IOBuffer()
    write(in, bytes)
    seekstart(in)
    return deserialize(Serializer(in))
end

# ---- values
__put(s, kind::UInt8) = write(s.io, kind)
function __put_text(s, text)
    write(s.io, ncodeunits(text))
    write(s.io, text)
end
__text(s) = String(read(s.io, read(s.io, Int)))
# Gives an object its number. Returns true if it was written already: then its number stands for it.
function serialize_cycle(s::AbstractSerializer, x)
    known = get(s.numbers, x, 0)
    if known > 0
        __put(s, __AGAIN)
        write(s.io, known)
        return true
    end
    s.numbers[x] = length(s.numbers) + 1
    return false
end
# Writes the type of a value whose methods of serialize and deserialize(s, T) the program defines.
function serialize_type(s::AbstractSerializer, T::Type)
    __put(s, __CUSTOM)
    __put_type(s, T)
end
function serialize(s::AbstractSerializer, x)
    T = typeof(x)
    if isprimitivetype(T) && !(x isa Ptr)
        __put(s, __PRIMITIVE)
        __put_type(s, T)
        write(s.io, [x])
    elseif Base.__is_singleton(x)
        __put(s, __SINGLETON)
        __put_type(s, T)
    elseif isstructtype(T) && fieldcount(T) > 0
        ismutabletype(T) ? __put_object(s, x) : __put_struct(s, x)
    else
        __refused(x, "it belongs to this process")
    end
    return nothing
end
function __put_fields(s, x)
    T = typeof(x)
    __put_type(s, T)
    write(s.io, fieldcount(T))
    for i in 1:fieldcount(T)
        isdefined(x, i) ? serialize(s, getfield(x, i)) : __put(s, __UNDEFINED)
    end
end
function __put_struct(s, x)
    __put(s, __STRUCT)
    __put_fields(s, x)
end
function __put_object(s, x)
    serialize_cycle(s, x) && return nothing
    __put(s, __OBJECT)
    __put_fields(s, x)
end
serialize(s::AbstractSerializer, x::String) = (__put(s, __STRING); __put_text(s, x); nothing)
serialize(s::AbstractSerializer, x::Symbol) = (__put(s, __SYMBOL); __put_text(s, string(x)); nothing)
serialize(s::AbstractSerializer, T::Type) = (__put(s, __TYPE); __put_type(s, T); nothing)
serialize(s::AbstractSerializer, m::Module) = (__put(s, __MODULE); __put_path(s, fullname(m)); nothing)
serialize(s::AbstractSerializer, x::Ptr) = __refused(x, "an address belongs to this process")
serialize(s::AbstractSerializer, x::Task) = __refused(x, "it belongs to this process")
serialize(s::AbstractSerializer, x::IO) = __refused(x, "a stream belongs to this process: write what it holds")
function serialize(s::AbstractSerializer, f::Function)
    (Base.__is_singleton(f) && !occursin('#', string(f))) || __refused(f, "another program cannot find an anonymous function, or one with captured variables: define it with a name")
    __put(s, __FUNCTION)
    __put_path(s, (fullname(parentmodule(f))..., nameof(f)))
    return nothing
end
function serialize(s::AbstractSerializer, x::Union{BigInt,BigFloat})
    __put(s, __BIG_NUMBER)
    __put_type(s, typeof(x))
    write(s.io, x isa BigFloat ? precision(x) : 0)
    __put_text(s, string(x))
    return nothing
end
function serialize(s::AbstractSerializer, x::Expr)
    __put(s, __EXPR)
    serialize(s, x.head)
    write(s.io, length(x.args))
    for each in x.args
        serialize(s, each)
    end
    return nothing
end
function serialize(s::AbstractSerializer, A::Array)
    serialize_cycle(s, A) && return nothing
    T = eltype(A)
    is_bits = isbitstype(T) && sizeof(T) > 0
    __put(s, is_bits ? __BITS_ARRAY : __ARRAY)
    __put_type(s, T)
    write(s.io, ndims(A))
    for d in size(A)
        write(s.io, d)
    end
    if is_bits
        write(s.io, sizeof(T))
        write(s.io, A)
    else
        for i in 1:length(A)
            isassigned(A, i) ? serialize(s, A[i]) : __put(s, __UNDEFINED)
        end
    end
    return nothing
end
function serialize(s::AbstractSerializer, d::Union{Dict,IdDict})
    serialize_cycle(s, d) && return nothing
    __put(s, __DICT)
    __put_type(s, typeof(d))
    write(s.io, length(d))
    for (k, v) in d
        serialize(s, k)
        serialize(s, v)
    end
    return nothing
end
function serialize(s::AbstractSerializer, set::Set)
    serialize_cycle(s, set) && return nothing
    __put(s, __SET)
    __put_type(s, typeof(set))
    write(s.io, length(set))
    for x in set
        serialize(s, x)
    end
    return nothing
end

# ---- types and names
function __put_path(s, names)
    write(s.io, UInt8(length(names)))
    for name in names
        __put_text(s, string(name))
    end
end
function __put_type(s, T)
    known = get(s.types, T, 0)
    if known > 0
        __put(s, __SAME_TYPE)
        write(s.io, known)
        return nothing
    end
    __put_new_type(s, T)
    s.types[T] = length(s.types) + 1
    return nothing
end
function __put_new_type(s, T)
    if T isa Union
        members = __members(T)
        __put(s, __UNION)
        write(s.io, length(members))
        foreach(each -> __put_type(s, each), members)
    elseif T isa UnionAll && T !== __body(T).name.wrapper
        __refused(T, "of types with variables, those without any given parameter can be written")
    elseif T === Union{}
        __put(s, __UNION)
        write(s.io, 0)
    else
        name = nameof(T)
        occursin('#', string(name)) && __refused(T, "it has no name in another program")
        __put(s, T isa UnionAll ? __UNION_ALL : __PLAIN_TYPE)
        __put_path(s, (fullname(parentmodule(T))..., name))
        T isa UnionAll && return nothing
        write(s.io, length(T.parameters))
        for parameter in T.parameters
            serialize(s, parameter)
        end
    end
    return nothing
end
__body(T) = T isa UnionAll ? __body(T.body) : T
__members(T) = T isa Union ? (__members(T.a)..., __members(T.b)...) : (T,)
function __named(s)
    names = [Symbol(__text(s)) for _ in 1:read(s.io, UInt8)]
    found = names[1] === :Main ? Main : names[1] === :Core ? Core : names[1] === :Base ? Base : isdefined(Main, names[1]) ? getfield(Main, names[1]) : nothing
    for name in names[2:end]
        (found isa Module && isdefined(found, name)) || throw(ArgumentError(string("deserialize: `", join(names, "."), "` is not defined: define it before the data is read")))
        found = getfield(found, name)
    end
    return found
end
function __type(s)
    kind = read(s.io, UInt8)
    kind == __SAME_TYPE && return s.read_types[read(s.io, Int)]
    T = __new_type(s, kind)
    push!(s.read_types, T)
    return T
end
function __new_type(s, kind)
    if kind == __UNION
        members = [__type(s) for _ in 1:read(s.io, Int)]
        return Union{members...}
    end
    T = __named(s)
    T isa Type || throw(ArgumentError(string("deserialize: `", T, "` is no type in this program")))
    kind == __UNION_ALL && return T
    kind == __PLAIN_TYPE || __damaged("a type of unknown kind")
    parameters = [deserialize(s) for _ in 1:read(s.io, Int)]
    return T === Tuple ? Tuple{parameters...} : isempty(parameters) ? T : T{parameters...}
end

# ---- reading
function __keep(s, x)
    push!(s.objects, x)
    return x
end
function __fields_of(s, T)
    read(s.io, Int) == fieldcount(T) || throw(ArgumentError(string("deserialize: the type ", T, " has other fields in this program")))
    return fieldcount(T)
end
struct __Undefined end
function deserialize(s::AbstractSerializer)
    kind = read(s.io, UInt8)
    if kind == __PRIMITIVE
        T = __type(s)
        return read!(s.io, Vector{T}(undef, 1))[1]
    elseif kind == __STRING
        return __text(s)
    elseif kind == __SYMBOL
        return Symbol(__text(s))
    elseif kind == __TYPE
        return __type(s)
    elseif kind == __FUNCTION || kind == __MODULE
        return __named(s)
    elseif kind == __SINGLETON
        return __type(s).instance
    elseif kind == __STRUCT
        T = __type(s)
        return Base.__new_object(T, [deserialize(s) for _ in 1:__fields_of(s, T)]...)
    elseif kind == __OBJECT
        T = __type(s)
        x = __keep(s, Base.__new_object(T))
        for i in 1:__fields_of(s, T)
            value = deserialize(s)
            value isa __Undefined || Base.__set_field(x, i, value)
        end
        return x
    elseif kind == __AGAIN
        number = read(s.io, Int)
        1 <= number <= length(s.objects) || __damaged("it refers to a later object")
        return s.objects[number]
    elseif kind == __ARRAY || kind == __BITS_ARRAY
        return __array(s, kind == __BITS_ARRAY)
    elseif kind == __DICT
        d = __keep(s, __type(s)())
        for _ in 1:read(s.io, Int)
            key = deserialize(s)
            d[key] = deserialize(s)
        end
        return d
    elseif kind == __SET
        set = __keep(s, __type(s)())
        for _ in 1:read(s.io, Int)
            push!(set, deserialize(s))
        end
        return set
    elseif kind == __BIG_NUMBER
        T = __type(s)
        bits = read(s.io, Int)
        text = __text(s)
        return T === BigInt ? parse(BigInt, text) : setprecision(() -> parse(BigFloat, text), bits)
    elseif kind == __EXPR
        head = deserialize(s)
        return Expr(head, [deserialize(s) for _ in 1:read(s.io, Int)]...)
    elseif kind == __CUSTOM
        return deserialize(s, __type(s))
    elseif kind == __UNDEFINED
        return __Undefined()
    end
    __damaged("a value of unknown kind")
end
function __array(s, is_bits)
    T = __type(s)
    dims = [read(s.io, Int) for _ in 1:read(s.io, Int)]
    A = __keep(s, Array{T}(undef, dims...))
    if is_bits
        read(s.io, Int) == sizeof(T) || throw(ArgumentError(string("deserialize: the type ", T, " has another size in this program")))
        return read!(s.io, A)
    end
    for i in 1:length(A)
        value = deserialize(s)
        value isa __Undefined || (A[i] = value)
    end
    return A
end
export serialize, deserialize, Serializer
end
