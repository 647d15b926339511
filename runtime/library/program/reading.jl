# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/io; when: read, read!, readbytes!, readavailable, bytesavailable, readuntil, copyuntil, copyline, readeach, skip, skipchars, peek, seekend, mark, unmark, reset, ismarked, unsafe_read, unsafe_write, readchomp, PipeBuffer, isreadonly, isreadable, iswritable, closewrite, countlines, htol, hton, ltoh, ntoh, ENDIAN_BOM, IOBuffer
# Reading of bytes, numbers and characters from streams, and positions in streams.

IOBuffer(bytes::AbstractVector{UInt8}; keywords...) = IOBuffer(String(copy(collect(bytes))))
IOBuffer(; keywords...) = __new_buffer(IOBuffer, "")
PipeBuffer(args...) = IOBuffer(args...)
function read(io::IO, n::Integer)
    return Vector{UInt8}(__read_some(__stream(io), Int(n)))
end
function read(io::IO, ::Type{T}) where {T<:Union{Int8,Int16,Int32,Int64,Int128,UInt8,UInt16,UInt32,UInt64,UInt128,Float16,Float32,Float64,Bool}}
    bytes = read(io, sizeof(T))
    length(bytes) == sizeof(T) || throw(EOFError())
    return only(__reinterpreted(T, bytes, (1,)))
end
function read(io::IO, ::Type{Char})
    first_byte = read(io, UInt8)
    more = first_byte < 0xc0 ? 0 : first_byte < 0xe0 ? 1 : first_byte < 0xf0 ? 2 : 3
    return String(vcat(first_byte, read(io, more)))[1]
end
read(path::String, ::Type{T}) where {T<:Union{Number,Char}} = open(io -> read(io, T), path)
read(path::String, n::Integer) = open(io -> read(io, n), path)
function read!(io::IO, A::AbstractArray{T}) where {T}
    bytes = read(io, sizeof(T) * length(A))
    length(bytes) == sizeof(T) * length(A) || throw(EOFError())
    return copyto!(A, __reinterpreted(T, bytes, (length(A),)))
end
function read!(io::IO, r::Ref{T}) where {T}
    r[] = only(read!(io, Vector{T}(undef, 1)))
    return r
end
read!(path::String, A::AbstractArray) = open(io -> read!(io, A), path)
function readbytes!(io::IO, into::AbstractVector{UInt8}, n::Integer=length(into))
    bytes = read(io, n)
    length(bytes) > length(into) && resize!(into, length(bytes))
    copyto!(into, bytes)
    return length(bytes)
end
function bytesavailable(io::IOStreams)
    here = position(io)
    __seek_end(io)
    n = position(io) - here
    seek(io, here)
    return n
end
readavailable(io::IOStreams) = read(io, bytesavailable(io))
seekend(io::IOStreams) = (__seek_end(io); io)
skip(io::IOStreams, n::Integer) = seek(io, position(io) + n)
function peek(io::IOStreams, ::Type{T}=UInt8) where {T}
    here = position(io)
    x = read(io, T)
    seek(io, here)
    return x
end

# ---- up to a delimiter
function readuntil(io::IO, delimiter; keep::Bool=false)
    delimiter isa UInt8 && return Vector{UInt8}(readuntil(io, Char(delimiter); keep=keep))
    stop = Vector{UInt8}(string(delimiter))
    bytes = UInt8[]
    while !eof(io)
        push!(bytes, read(io, UInt8))
        n = length(bytes) - length(stop)
        if n >= 0 && bytes[end] == stop[end] && bytes[n+1:end] == stop
            keep || resize!(bytes, n)
            break
        end
    end
    return String(bytes)
end
readuntil(path::String, delimiter; keep::Bool=false) = open(io -> readuntil(io, delimiter; keep=keep), path)
copyuntil(out::IO, io::IO, delimiter; keep::Bool=false) = (write(out, readuntil(io, delimiter; keep=keep)); out)
copyline(out::IO, io::IO=stdin; keep::Bool=false) = (write(out, readline(io; keep=keep)); out)
copyline(out::IO, path::String; keep::Bool=false) = open(io -> copyline(out, io; keep=keep), path)
function skipchars(test, io::IO; linecomment=nothing)
    while !eof(io)
        here = position(io)
        c = read(io, Char)
        if c === linecomment
            readline(io)
        elseif !test(c)
            seek(io, here)
            break
        end
    end
    return io
end
struct ReadEach{T,I}
    io::I
end
readeach(io::IO, ::Type{T}) where {T} = ReadEach{T,typeof(io)}(io)
iterate(r::ReadEach{T}, state=nothing) where {T} = eof(r.io) ? nothing : (read(r.io, T), nothing)
eltype(::Type{<:ReadEach{T}}) where {T} = T
countlines(io::IO; eol::Char='\n') = count(c -> c == eol, (text = read(io, String); isempty(text) || text[end] == eol ? text : string(text, eol)))

# ---- marks
const __marks = IdDict{Any,Int}()
mark(io::IOStreams) = (__marks[io] = position(io))
unmark(io::IOStreams) = (was = ismarked(io); delete!(__marks, io); was)
ismarked(io::IOStreams) = haskey(__marks, io)
function reset(io::IOStreams)
    ismarked(io) || throw(ArgumentError(string(typeof(io), " not marked")))
    place = pop!(__marks, io)
    seek(io, place)
    return place
end

isreadonly(io::IO) = false
isreadable(io::IO) = io !== stdout && io !== stderr
iswritable(io::IO) = io !== stdin
closewrite(io::IO) = nothing
# ---- byte order: every machine of Kiln is little-endian
const ENDIAN_BOM = 0x04030201
htol(x) = x
ltoh(x) = x
hton(x) = bswap(x)
ntoh(x) = bswap(x)
