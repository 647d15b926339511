# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base
# First file of runtime/library/program: features that programs have and kernels lack. The files of this folder load
# when a session runs its first program. The host (lib/programs) implements functions whose names start with __ and
# that no file defines.
abstract type AbstractSet{T} end
# Streams of the process, in memory, and of files. The host owns the streams (lib/programs/streams.cpp).
abstract type IO end
abstract type AbstractPipe <: IO end
struct StandardStream <: IO
    number::Int
end
const stdout = StandardStream(1)
const stderr = StandardStream(2)
const stdin = StandardStream(0)
const devnull = StandardStream(3)
# Streams are handles of host objects. The field prevents singleton types.
struct IOBuffer <: IO
    host::Any
    IOBuffer(::Val{:none}) = new(nothing)
end
struct IOStream <: IO
    host::Any
    IOStream(::Val{:none}) = new(nothing)
end
const IOStreams = Union{IOBuffer,IOStream}
# A stream with properties for show: :compact, :limit, :typeinfo, ...
struct IOContext{I} <: IO
    io::I
    properties::Any # linked list, the newest property first; nothing: its end
    IOContext{I}(io, properties) where {I} = new{I}(io, properties)
end
struct __Property
    first::Symbol
    second::Any
    rest::Any
end
function IOContext(io::IO, ps::Pair...)
    all = __properties(io)
    for k in nfields(ps):-1:1
        all = __Property(ps[k].first, ps[k].second, all)
    end
    return IOContext{typeof(__unwrap(io))}(__unwrap(io), all)
end
IOContext(io::IO, other::IO) = IOContext{typeof(__unwrap(io))}(__unwrap(io), __properties(other))
__unwrap(io::IO) = io
__unwrap(io::IOContext) = io.io
__properties(io::IO) = nothing
__properties(io::IOContext) = io.properties
get(io::IO, key::Symbol, default) = default
get(io::IOContext, key::Symbol, default) = __property(io.properties, key, default)
haskey(io::IO, key::Symbol) = false
haskey(io::IOContext, key::Symbol) = get(io, key, nothing) !== nothing
displaysize(io::IO=stdout) = (24, 80)

write(io::StandardStream, s::String) = __write_stream(io.number, s)
write(io::IOStreams, s::String) = __write_object(io, s)
write(io::IOContext, s::String) = write(io.io, s)
write(io::IO, x::Char) = write(io, string(x))
write(io::IO, x::Symbol) = write(io, string(x))
write(io::IO, x::Union{Number,Array}) = __write_bytes(io, x)
function write(io::IO, r::Ref{T}) where {T}
    isbitstype(T) || throw(ArgumentError(string("write of a reference to ", T, ", which is not bits")))
    return write(io, __reinterpreted(UInt8, T[r[]], (sizeof(T),)))
end
write(io::IO, a, b, rest...) = write(io, a) + write(io, b, rest...)
__write_bytes(io, x) = write(__unwrap(io), __bytes_text(x))
flush(io::IO) = nothing
flush(io::IOStream) = __flush(io)
isopen(io::IO) = true
isopen(io::IOStream) = __is_open(io)
close(io::IO) = nothing
close(io::IOStreams) = __close(io)

IOBuffer() = __new_buffer(IOBuffer, "")
IOBuffer(s::String) = __new_buffer(IOBuffer, s)
take!(io::IOBuffer) = __take(io)
copy(io::IOBuffer) = (p = position(io); bytes = read(seekstart(io), String); seek(io, p); IOBuffer(bytes))
String(bytes::Array) = __bytes_to_string(bytes)
String(s::String) = s
String(s::Symbol) = string(s)
String(c::Array{Char,1}) = join(c)
seekstart(io::IOStreams) = (__seek(io, 0); io)
seek(io::IOStreams, n::Integer) = (__seek(io, Int(n)); io)
position(io::IOStreams) = __position(io)
truncate(io::IOStreams, n::Integer) = (__truncate(io, Int(n)); io)

open(path::String, mode::String="r") = __open(IOStream, path, mode)
function open(f::Function, path::String, mode::String="r")
    io = open(path, mode)
    try
        return f(io)
    finally
        close(io)
    end
end
eof(io::IO) = __eof(io)
readline(; keep::Bool=false) = readline(stdin; keep=keep)
readline(io::IO; keep::Bool=false) = __read_line(__stream(io), keep)
readline(path::String; keep::Bool=false) = open(io -> readline(io; keep=keep), path)
function readlines(io::IO; keep::Bool=false)
    lines = String[]
    while !eof(io)
        push!(lines, readline(io; keep=keep))
    end
    return lines
end
readlines(path::String; keep::Bool=false) = open(io -> readlines(io; keep=keep), path)
struct EachLine{I}
    io::I
    keep::Bool
    closes::Bool
end
eachline(io::IO; keep::Bool=false) = EachLine(io, keep, false)
eachline(path::String; keep::Bool=false) = EachLine(open(path), keep, true)
eltype(::Type{<:EachLine}) = String
function iterate(e::EachLine, state=nothing)
    if eof(e.io)
        e.closes && close(e.io)
        return nothing
    end
    return (readline(e.io; keep=e.keep), nothing)
end
read(io::IO, ::Type{String}) = __read_rest(__stream(io))
read(io::IO) = Vector{UInt8}(read(io, String))
read(path::String) = Vector{UInt8}(read(path, String))
read(path::String, ::Type{String}) = open(io -> read(io, String), path)
write(path::String, x) = open(io -> write(io, x), path, "w")
__stream(io::IO) = io
__stream(io::IOContext) = io.io
isfile(path::String) = __is_file(path)
isdir(path::String) = __is_directory(path)
ispath(path::String) = isfile(path) || isdir(path)
rm(path::String; force::Bool=false, recursive::Bool=false) = __remove(path, force, recursive)
mkpath(path::String) = (__make_folder(path); path)
mkdir(path::String) = (__make_folder(path); path)
readdir(path::String="."; join::Bool=false, sort::Bool=true) = (names = __folder_entries(path); join ? map(n -> joinpath(path, n), names) : names)
filesize(path::String) = ncodeunits(read(path, String))
readlines(; keep::Bool=false) = readlines(stdin; keep=keep)
eachline(; keep::Bool=false) = eachline(stdin; keep=keep)
countlines(path::String) = length(readlines(path))
tempname() = __temporary_name()
tempdir() = "/tmp"
function mktemp()
    path = tempname()
    return (path, open(path, "w+"))
end
function mktemp(f::Function)
    (path, io) = mktemp()
    try
        return f(path, io)
    finally
        close(io)
        rm(path; force=true)
    end
end
# Redirects what f writes to stdout or stderr into io; also what kernels print there if io is a file.
redirect_stdout(f::Function, io) = __redirected(f, 1, io)
redirect_stderr(f::Function, io) = __redirected(f, 2, io)
function redirect_stdio(f::Function; stdin=nothing, stdout=nothing, stderr=nothing)
    stdin === nothing || throw(ArgumentError("redirect_stdio: the input cannot be redirected: read the file by name"))
    outer = stderr === nothing ? f : () -> __redirected(f, 2, stderr)
    return stdout === nothing ? outer() : __redirected(outer, 1, stdout)
end
__redirected(f, number, path::AbstractString) = open(file -> __redirected(f, number, file), path, "w")
__redirected(f, number, io::StandardStream) = io.number == 3 ? __redirected(f, number, "/dev/null") : f()
const __redirections = Any[nothing, nothing]
function __redirected(f, number, io::IOStreams)
    before = __redirections[number]
    __redirect(number, io)
    __redirections[number] = io
    try
        return f()
    finally
        __redirect(number, before)
        __redirections[number] = before
    end
end
function mktempdir()
    path = tempname()
    mkpath(path)
    return path
end
function mktempdir(f::Function)
    path = mktempdir()
    try
        return f(path)
    finally
        rm(path; recursive=true)
    end
end
pwd() = __working_folder()
joinpath(a::String) = a
joinpath(a::String, b::String, rest::String...) = joinpath(startswith(b, "/") || isempty(a) ? b : endswith(a, "/") ? string(a, b) : string(a, "/", b), rest...)
basename(p::String) = (i = findlast('/', p); i === nothing ? p : p[nextind(p, i):end])
dirname(p::String) = (i = findlast('/', p); i === nothing ? "" : i == 1 ? "/" : p[1:prevind(p, i)])
splitdir(p::String) = (dirname(p), basename(p))
splitdrive(p::String) = ("", p)
function splitpath(p::String)
    parts = String[part for part in split(p, '/'; keepempty=false)]
    startswith(p, "/") ? ["/"; parts] : parts
end
function splitext(p::String)
    i = findlast('.', p)
    (i === nothing || occursin("/", p[i:end]) || i == 1) && return (p, "")
    return (p[1:prevind(p, i)], p[i:end])
end
abspath(p::String) = startswith(p, "/") ? p : joinpath(pwd(), p)
