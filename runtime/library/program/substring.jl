# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/strings
# SubString: a part of a string that shares the string's bytes. Host functions accept a SubString like a String.
# Functions that need a String use a copy of the text, which has the same indices.
struct SubString{T<:AbstractString} <: AbstractString
    string::T
    offset::Int                                    # bytes before its first byte
    ncodeunits::Int
    SubString{T}(s, offset::Int, n::Int, ::Val{:part}) where {T} = new{T}(s, offset, n)
end
# Constructs the part from the character at byte i to the character at byte j.
function SubString(s::String, i::Integer, j::Integer=lastindex(s))
    j < i && return __bytes_of(s, max(Int(i) - 1, 0), 0)
    (1 <= i && j <= ncodeunits(s)) || throw(BoundsError(s, Int(i):Int(j)))
    isvalid(s, i) || throw(StringIndexError(s, Int(i)))
    isvalid(s, j) || throw(StringIndexError(s, Int(j)))
    return __bytes_of(s, Int(i) - 1, nextind(s, j) - Int(i))
end
SubString(s::SubString, i::Integer, j::Integer=lastindex(s)) = (p = SubString(String(s), i, j); __bytes_of(s.string, s.offset + p.offset, p.ncodeunits))
SubString(s::AbstractString, r::AbstractUnitRange) = SubString(s, first(r), last(r))
SubString(s::String) = __bytes_of(s, 0, ncodeunits(s))
SubString(s::SubString) = s
SubString{String}(s::AbstractString) = SubString(s)
SubString{String}(s::AbstractString, i::Integer, j::Integer=lastindex(s)) = SubString(s, i, j)
__bytes_of(s::String, offset, n) = SubString{String}(s, offset, n, Val(:part))
# Constructs a part of a String or SubString from a byte offset and a length in bytes.
__part_of(s::String, offset, n) = __bytes_of(s, offset, n)
__part_of(s::SubString, offset, n) = __bytes_of(s.string, s.offset + offset, n)
String(s::SubString) = __text_of(s)
string(s::SubString) = __text_of(s)
convert(::Type{String}, s::SubString) = __text_of(s)
convert(::Type{SubString{String}}, s::AbstractString) = SubString(s)
convert(::Type{SubString{String}}, s::SubString{String}) = s
convert(::Type{AbstractString}, s::AbstractString) = s
parent(s::SubString) = s.string
promote_rule(::Type{String}, ::Type{<:SubString}) = String
eltype(::Type{<:AbstractString}) = Char
ncodeunits(s::SubString) = s.ncodeunits
sizeof(s::SubString) = s.ncodeunits
isempty(s::SubString) = s.ncodeunits === 0
firstindex(s::SubString) = 1
copy(s::SubString) = s
iterate(s::SubString, i...) = iterate(__text_of(s), i...)
getindex(s::SubString, r::AbstractUnitRange) = SubString(s, first(r), last(r))
getindex(s::SubString, ::Colon) = s
getindex(s::SubString, is::Array) = __text_of(s)[is]
view(s::AbstractString, r::AbstractUnitRange) = SubString(s, first(r), last(r))
# Functions that return a number, a character, a String or a list: called on a String copy of the text.
for f in (:length, :lastindex, :codeunits, :keys, :eachindex, :isascii, :reverse, :uppercase, :lowercase, :titlecase, :uppercasefirst,
    :lowercasefirst, :Symbol, :textwidth, :escape_string, :readline, :readlines, :eachline, :isfile, :isdir, :ispath, :rm, :mkpath, :mkdir,
    :readdir, :filesize, :countlines, :basename, :dirname, :splitext, :abspath, :first, :last, :collect, :IOBuffer)
    @eval $f(s::SubString) = $f(__text_of(s))
end
for f in (:first, :last, :codeunit, :isvalid, :thisind, :nextind, :prevind, :repeat, :getindex, :hash)
    @eval $f(s::SubString, i::Integer) = $f(__text_of(s), i)
end
nextind(s::SubString, i::Integer, n::Integer) = nextind(__text_of(s), i, n)
prevind(s::SubString, i::Integer, n::Integer) = prevind(__text_of(s), i, n)
hash(s::SubString, h::UInt) = hash(__text_of(s), h)
open(s::SubString, mode...) = open(__text_of(s), mode...)
read(s::SubString, T::Type...) = read(__text_of(s), T...)
for f in (:tryparse, :parse)
    @eval $f(::Type{T}, s::SubString) where {T} = $f(T, __text_of(s))
    @eval Core.kwcall(kw::NamedTuple, ::typeof($f), ::Type{T}, s::SubString) where {T} = Core.kwcall(kw, $f, T, __text_of(s))
end
for f in (:readlines, :eachline, :readline, :rm, :readdir, :open)
    @eval Core.kwcall(kw::NamedTuple, ::typeof($f), s::SubString, rest...) = Core.kwcall(kw, $f, __text_of(s), rest...)
end
open(f::Function, path::SubString, rest...) = open(f, __text_of(path), rest...)
joinpath(parts::AbstractString...) = joinpath(map(String, parts)...)
==(a::AbstractString, b::AbstractString) = String(a) === String(b)
isequal(a::AbstractString, b::AbstractString) = String(a) === String(b)
isless(a::AbstractString, b::AbstractString) = isless(String(a), String(b))
cmp(a::AbstractString, b::AbstractString) = cmp(String(a), String(b))
*(a::Union{AbstractString,Char}, rest::Union{AbstractString,Char}...) = string(a, rest...)
^(s::AbstractString, n::Integer) = repeat(s, n)
write(io::IO, s::SubString) = write(io, __text_of(s))
show(io::IO, s::SubString) = show(io, __text_of(s))
print(io::IO, s::SubString) = (write(io, __text_of(s)); nothing)
in(c::Char, s::SubString) = in(c, __text_of(s))
for f in (:startswith, :endswith)
    @eval $f(s::AbstractString, part::AbstractString) = $f(String(s), String(part))
    @eval $f(s::AbstractString, part::Char) = $f(String(s), string(part))
    @eval $f(s::AbstractString, parts::Union{Tuple,Array}) = !isempty(s) && __is_one_of($(f === :startswith ? :first : :last)(s), parts)
end
occursin(part::Union{AbstractString,Char}, s::AbstractString) = occursin(part isa Char ? part : String(part), String(s))
contains(s::AbstractString, part) = occursin(part, s)
findfirst(p::Union{AbstractString,Char,Function}, s::SubString) = findfirst(__plain_pattern(p), __text_of(s))
findfirst(p::SubString, s::String) = findfirst(__text_of(p), s)
findlast(p::Union{AbstractString,Char,Function}, s::SubString) = findlast(__plain_pattern(p), __text_of(s))
findnext(p::Union{AbstractString,Char,Function}, s::SubString, i::Integer) = findnext(__plain_pattern(p), __text_of(s), i)
findprev(p::Union{AbstractString,Char,Function}, s::SubString, i::Integer) = findprev(__plain_pattern(p), __text_of(s), i)
findall(p::Union{AbstractString,Char}, s::SubString) = findall(__plain_pattern(p), __text_of(s))
count(p::AbstractString, s::AbstractString) = length(findall(String(p), String(s)))
__plain_pattern(p) = p
__plain_pattern(p::SubString) = __text_of(p)

# ---- trimmed parts
__whole(s::String) = s
__whole(s::SubString) = __text_of(s)
lstrip(s::AbstractString) = lstrip(isspace, s)
rstrip(s::AbstractString) = rstrip(isspace, s)
strip(s::AbstractString) = strip(isspace, s)
lstrip(s::AbstractString, chars) = lstrip(c -> __is_one_of(c, chars), s)
rstrip(s::AbstractString, chars) = rstrip(c -> __is_one_of(c, chars), s)
strip(s::AbstractString, chars) = strip(c -> __is_one_of(c, chars), s)
strip(f::Function, s::AbstractString) = lstrip(f, rstrip(f, s))
function lstrip(f::Function, s::AbstractString)
    (t, i) = (__whole(s), 1)
    while i <= ncodeunits(t) && f(t[i])
        i = nextind(t, i)
    end
    return __part_of(s, i - 1, ncodeunits(t) - i + 1)
end
function rstrip(f::Function, s::AbstractString)
    t = __whole(s)
    i = lastindex(t)
    while i >= 1 && f(t[i])
        i = prevind(t, i)
    end
    return __part_of(s, 0, i < 1 ? 0 : nextind(t, i) - 1)
end
function chop(s::AbstractString; head::Integer=0, tail::Integer=1)
    t = __whole(s)
    length(t) <= head + tail && return __part_of(s, 0, 0)
    from = nextind(t, 0, head + 1)
    return __part_of(s, from - 1, nextind(t, prevind(t, ncodeunits(t) + 1, tail + 1)) - from)
end
function chomp(s::AbstractString)
    n = ncodeunits(s)
    endswith(s, "\n") && (n -= endswith(s, "\r\n") ? 2 : 1)
    return __part_of(s, 0, n)
end
chopprefix(s::AbstractString, p::AbstractString) = startswith(s, p) ? __part_of(s, ncodeunits(p), ncodeunits(s) - ncodeunits(p)) : SubString(s)
chopsuffix(s::AbstractString, p::AbstractString) = endswith(s, p) && !isempty(p) ? __part_of(s, 0, ncodeunits(s) - ncodeunits(p)) : SubString(s)

# ---- split. A match is a pair: index of its first byte, and index of the byte after it; (0, ...): no match.
function __find_pattern(p::Union{String,Char}, s, from)
    i = __find(s, string(p), from)
    return (i, i + ncodeunits(string(p)))
end
function __find_pattern(p, s, from) # p: a predicate for characters, or a collection of characters
    i = from
    while i <= ncodeunits(s)
        next = nextind(s, i)
        __is_one_of(s[i], p) && return (i, next)
        i = next
    end
    return (0, 0)
end
__find_pattern(p::SubString, s, from) = __find_pattern(__text_of(p), s, from)
split(s::AbstractString; limit::Integer=0, keepempty::Bool=false) = __split(s, isspace, Int(limit), keepempty)
split(s::AbstractString, by; limit::Integer=0, keepempty::Bool=true) = __split(s, by, Int(limit), keepempty)
__split(s::Union{String,SubString{String}}, ::typeof(isspace), limit, keepempty) = __split_text(s, nothing, limit, keepempty, Vector{SubString{String}})
function __split(s::Union{String,SubString{String}}, by::Union{String,SubString{String},Char}, limit, keepempty)
    t = string(by)
    isempty(t) && return invoke(__split, Tuple{Any,Any,Any,Any}, s, by, limit, keepempty)
    return __split_text(s, t, limit, keepempty, Vector{SubString{String}})
end
function __split(s, by, limit, keepempty)
    parts = SubString{String}[]
    t = __whole(s)
    from = 1                                       # start of the current part
    at = 1                                         # start of the search
    n = ncodeunits(t)
    while at <= n && (limit <= 0 || length(parts) < limit - 1)
        (first, behind) = __find_pattern(by, t, at)
        first == 0 && break
        if behind > from # false only for an empty match at the start of the current part: an empty pattern splits after each character
            (first == behind && first > n) && break
            (keepempty || first > from) && push!(parts, __part_of(s, from - 1, first - from))
            from = behind
        end
        at = behind > first ? behind : nextind(t, first)
    end
    (keepempty || from <= n) && push!(parts, __part_of(s, from - 1, n - from + 1))
    return parts
end
eachsplit(s::AbstractString, by...; kw...) = split(s, by...; kw...)
rsplit(s::AbstractString; limit::Integer=0, keepempty::Bool=false) = rsplit(s, isspace; limit=limit, keepempty=keepempty)
function rsplit(s::AbstractString, by; limit::Integer=0, keepempty::Bool=true)
    parts = split(s, by; keepempty=keepempty)
    (limit <= 0 || length(parts) <= limit) && return parts
    behind = parts[end-limit+2:end]
    stop = limit == 1 ? ncodeunits(s) : __last_separator(s, by, limit - 1) - 1
    return vcat([__part_of(s, 0, stop)], behind)
end
# Finds the start of the n-th separator from the end.
function __last_separator(s, by, n)
    t = __whole(s)
    places = Int[]
    at = 1
    while at <= ncodeunits(t)
        (first, behind) = __find_pattern(by, t, at)
        first == 0 && break
        push!(places, first)
        at = behind > first ? behind : nextind(t, first)
    end
    return places[end-n+1]
end
getindex(s::AbstractString, v::AbstractVector{<:Integer}) = sprint(io -> foreach(i -> print(io, s[i]), v))
getindex(s::AbstractString, v::StepRange{<:Integer}) = sprint(io -> foreach(i -> print(io, s[i]), v))
