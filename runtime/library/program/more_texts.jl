# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/version; when: reverseind, hex2bytes!, transcode, eachrsplit, LazyString, AbstractPattern, AbstractMatch, VecOrMat, DenseVecOrMat, BitSet, WeakKeyDict, Cintmax_t, Cuintmax_t, Cwchar_t, DEPOT_PATH, LOAD_PATH, CanonicalIndexError, MissingException, ProcessFailedException, current_exceptions, which, Forward, Reverse, pipeline, displayable, TextDisplay, AbstractDisplay, redisplay, istextmime, rounding, Strided*, Event
# Names of Base that few programs use: texts, types, constants and displays.

reverseind(s::AbstractString, i::Integer) = thisind(s, ncodeunits(s) - i + 1)
function hex2bytes!(out::AbstractVector{UInt8}, text)
    bytes = hex2bytes(text isa AbstractString ? text : String(text))
    length(out) == length(bytes) || throw(ArgumentError(string("length of iterable must be twice the length of destination array")))
    return copyto!(out, bytes)
end
eachrsplit(s::AbstractString, args...; keywords...) = reverse(split(s, args...; keywords...))
transcode(::Type{UInt8}, s::AbstractString) = collect(codeunits(s))
transcode(::Type{String}, s::AbstractString) = String(s)
transcode(::Type{String}, bytes::AbstractVector{UInt8}) = String(copy(bytes))
transcode(::Type{UInt32}, s::AbstractString) = UInt32[UInt32(c) for c in s]
transcode(::Type{Int32}, s::AbstractString) = Int32[Int32(UInt32(c)) for c in s]
transcode(::Type{String}, codes::AbstractVector{<:Union{UInt32,Int32}}) = String(Char[Char(c) for c in codes])
function transcode(::Type{UInt16}, s::AbstractString)
    units = UInt16[]
    for c in s
        code = UInt32(c)
        code < 0x10000 ? push!(units, code) : push!(units, 0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff))
    end
    return units
end
LazyString(parts...) = string(parts...)
abstract type AbstractPattern end
abstract type AbstractMatch end

if !isdefined(Base, :StridedArray)                 # packages define their own
    const StridedArray{T,N} = Union{DenseArray{T,N},SubArray{T,N,<:DenseArray},ReinterpretArray{T,N,S,<:DenseArray} where {S}}
    const StridedVector{T} = StridedArray{T,1}
    const StridedMatrix{T} = StridedArray{T,2}
    const StridedVecOrMat{T} = Union{StridedVector{T},StridedMatrix{T}}
end
const VecOrMat{T} = Union{Vector{T},Matrix{T}}
const DenseVecOrMat{T} = Union{DenseArray{T,1},DenseArray{T,2}}
const BitSet = Set{Int}
const WeakKeyDict = Dict
const Cintmax_t = Int64
const Cuintmax_t = UInt64
const Cwchar_t = Int32
const DEPOT_PATH = String[]
const LOAD_PATH = String["@", "@v#.#", "@stdlib"]
const Forward = Order.Forward
const Reverse = Order.Reverse
struct CanonicalIndexError <: Exception
    func::String
    type::Any
end
struct MissingException <: Exception
    msg::AbstractString
end
showerror(io::IO, e::MissingException) = print(io, "MissingException: ", e.msg)
showerror(io::IO, e::CanonicalIndexError) = print(io, "CanonicalIndexError: ", e.func, " not defined for ", e.type)

# ---- displays: a program prints texts
abstract type AbstractDisplay end
struct TextDisplay <: AbstractDisplay
    io::IO
end
display(d::TextDisplay, x) = (show(d.io, __plain_text, x); println(d.io))
displayable(mime) = string(mime) == "text/plain"
istextmime(mime) = startswith(string(mime), "text/") || string(mime) in ("application/json", "application/xml")
redisplay(x) = display(x)
