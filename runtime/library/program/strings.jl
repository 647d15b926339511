# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/show
# Strings.
getindex(s::String, r::AbstractUnitRange) = __part(s, Int(first(r)), Int(last(r)))
getindex(s::String, ::Colon) = s
getindex(s::String, is::Array) = join([s[i] for i in is])
codeunit(s::String, i::Integer) = __codeunit(s, Int(i))
codeunits(s::String) = __codeunits(s)
Array{UInt8,1}(s::String) = __codeunits(s)
eltype(::Type{String}) = Char
keys(s::String) = eachindex(s)
eachindex(s::String) = [i for i in 1:ncodeunits(s) if isvalid(s, i)]
thisind(s::String, i::Integer) = (while i > 1 && i <= ncodeunits(s) && !isvalid(s, i); i -= 1; end; Int(i))
nextind(s::String, i::Integer) = (i += 1; while i <= ncodeunits(s) && !isvalid(s, i); i += 1; end; Int(i))
nextind(s::String, i::Integer, n::Integer) = (for _ in 1:n; i = nextind(s, i); end; Int(i))
prevind(s::String, i::Integer) = (i -= 1; while i >= 1 && !isvalid(s, i); i -= 1; end; Int(i))
prevind(s::String, i::Integer, n::Integer) = (for _ in 1:n; i = prevind(s, i); end; Int(i))
firstindex(s::String) = 1
first(s::String) = s[1]
first(s::String, n::Integer) = n < 1 ? "" : s[1:min(nextind(s, 0, n), lastindex(s))]
last(s::String, n::Integer) = n < 1 || isempty(s) ? "" : s[max(prevind(s, ncodeunits(s) + 1, n), 1):end]
==(a::String, b::String) = a === b
isequal(a::String, b::String) = a === b
*(a::Union{String,Char}, rest::Union{String,Char}...) = string(a, rest...)
^(s::String, n::Integer) = repeat(s, n)
^(c::Char, n::Integer) = repeat(string(c), n)
repeat(s::String, n::Integer) = __repeat_text(s, Int(n))
repeat(c::Char, n::Integer) = __repeat_text(string(c), Int(n))
isascii(s::String) = all(isascii, s)
reverse(s::String) = join(reverse(collect(s)))
occursin(part::String, s::String) = __find(s, part, 1) > 0
occursin(c::Char, s::String) = occursin(string(c), s)
contains(s::String, part) = occursin(part, s)
contains(part) = Fix2(contains, part)
occursin(s::String) = Fix2(occursin, s)
startswith(s::String, c::Char) = startswith(s, string(c))
endswith(s::String, c::Char) = endswith(s, string(c))
startswith(part::String) = Fix2(startswith, part)
endswith(part::String) = Fix2(endswith, part)
in(part::String, s::String) = error("use occursin(needle, haystack) for string containment")
findnext(part::String, s::String, from::Integer) = (i = __find(s, part, Int(from)); i == 0 ? nothing : i:thisind(s, i + ncodeunits(part) - 1))
findfirst(part::String, s::String) = findnext(part, s, 1)
findlast(part::String, s::String) = (i = __find_last(s, part, ncodeunits(s) + 1); i == 0 ? nothing : i:thisind(s, i + ncodeunits(part) - 1))
findnext(c::Char, s::String, from::Integer) = (i = __find(s, string(c), Int(from)); i == 0 ? nothing : i)
findfirst(c::Char, s::String) = findnext(c, s, 1)
findlast(c::Char, s::String) = (i = __find_last(s, string(c), ncodeunits(s) + 1); i == 0 ? nothing : i)
function findfirst(f::Function, s::String)
    for i in eachindex(s)
        f(s[i]) && return i
    end
    return nothing
end
function findall(part::Union{String,Char}, s::String)
    found = part isa Char ? Int[] : UnitRange{Int}[]
    at = findfirst(part, s)
    while at !== nothing
        push!(found, at)
        at = findnext(part, s, last(at) + 1)
    end
    return found
end
count(part::String, s::String) = length(findall(part, s))

__is_one_of(c::Char, d::Char) = c == d
__is_one_of(c::Char, d::Union{Tuple,Array,AbstractSet,AbstractRange}) = c in d
__is_one_of(c::Char, d::AbstractString) = c in collect(d)
__is_one_of(c::Char, f::Function) = f(c)
textwidth(s::String) = isascii(s) ? count(c -> ' ' <= c < '\x7f', s) : sum(textwidth, s; init=0)
textwidth(c::Char) = c < '\x7f' ? Int(c >= ' ') : __width(c)
lpad(x, n::Integer, p::Union{Char,String}=' ') = (s = string(x); k = Int(n) - textwidth(s); k <= 0 ? s : string(__padding(string(p), k), s))
rpad(x, n::Integer, p::Union{Char,String}=' ') = (s = string(x); k = Int(n) - textwidth(s); k <= 0 ? s : string(s, __padding(string(p), k)))
function __padding(p, columns)
    columns <= 0 && return ""
    (q, r) = divrem(columns, textwidth(p))
    return r == 0 ? repeat(p, q) : string(repeat(p, q), first(p, r))
end
titlecase(c::Char) = isascii(c) ? uppercase(c) : __to_title(c)
function titlecase(s::String; wordsep=(c -> !isletter(c)), strict::Bool=true)
    io = IOBuffer()
    begins = true
    for c in s
        if wordsep(c) && !(isascii(c) ? false : 6 <= __category(c) <= 8) # combining marks do not separate words
            print(io, c)
            begins = true
        else
            print(io, begins ? titlecase(c) : strict ? lowercase(c) : c)
            begins = false
        end
    end
    return String(take!(io))
end
uppercasefirst(s::String) = isempty(s) ? s : string(titlecase(s[1]), s[nextind(s, 1):end])
lowercasefirst(s::String) = isempty(s) ? s : string(lowercase(s[1]), s[nextind(s, 1):end])
join(items) = join(items, "")
function join(items, between, last=between)
    io = IOBuffer()
    join(io, items, between, last)
    return String(take!(io))::String # inference does not know take!
end
function join(io::IO, items, between="", last=between)
    n = 0
    total = last === between ? 0 : length(collect(items))
    for x in items
        n > 0 && print(io, n + 1 == total ? last : between)
        print(io, x)
        n += 1
    end
    return nothing
end
string(n::Integer; base::Integer=10, pad::Integer=1) = __digits(n, Int(base), Int(pad))
__valid_base(::Nothing) = 0 # the prefix 0x, 0o or 0b states the base
__valid_base(b::Integer) = 2 <= b <= 62 ? Int(b) : throw(ArgumentError(string("invalid base: base must be 2 ≤ base ≤ 62, got ", b)))
tryparse(::Type{T}, s::String; base::Union{Nothing,Integer}=nothing) where {T<:Integer} = (x = __parse_integer(T, s, __valid_base(base)); x isa Tuple ? nothing : x)
function parse(::Type{T}, s::String; base::Union{Nothing,Integer}=nothing) where {T<:Integer}
    x = __parse_integer(T, s, __valid_base(base))
    x isa Tuple || return x
    throw(x[1] ? OverflowError(x[2]) : ArgumentError(x[2]))
end
function parse(::Type{T}, c::Char; base::Integer=10) where {T<:Integer}
    x = __parse_integer(T, string(c), __valid_base(base))
    isspace(c) || x isa Tuple && throw(ArgumentError(string("invalid base ", base, " digit ", repr(c))))
    return x
end
function tryparse(::Type{Bool}, s::String)
    (isempty(s) || !isnumeric(first(s))) || return (n = tryparse(UInt8, s); n === 0x01 ? true : n === 0x00 ? false : nothing)
    t = strip(s)
    return t == "true" ? true : t == "false" ? false : nothing
end
function parse(::Type{Bool}, s::String)
    isempty(s) && throw(ArgumentError("input string is empty"))
    x = tryparse(Bool, s)
    x === nothing || return x
    throw(ArgumentError(all(isspace, s) ? "input string only contains whitespace" : string("invalid Bool representation: ", repr(s))))
end
tryparse(::Type{T}, s::String) where {T<:Union{Float64,Float32}} = __parse_float(T, s)
tryparse(::Type{T}, s::String) where {T<:AbstractFloat} = (x = __parse_float(Float32, s); x === nothing ? nothing : T(x))
function parse(::Type{T}, s::String) where {T<:AbstractFloat}
    x = tryparse(T, s)
    x === nothing && throw(ArgumentError(string("cannot parse ", repr(s), " as ", T)))
    return x
end
escape_string(s::AbstractString, also="") = __escaped(String(s), also isa AbstractString ? String(also) : join(also))
const __escapes = Dict('n' => '\n', 't' => '\t', 'r' => '\r', '0' => '\0', 'e' => '\e', 'a' => '\a', 'b' => '\b', 'f' => '\f', 'v' => '\v')
function unescape_string(s::AbstractString)
    t = String(s)
    io = IOBuffer()
    i = 1
    while i <= ncodeunits(t)
        c = t[i]
        i = nextind(t, i)
        if c != '\\' || i > ncodeunits(t)
            print(io, c)
            continue
        end
        c = t[i]
        i = nextind(t, i)
        if c in ('x', 'u', 'U')
            most = c == 'x' ? 2 : c == 'u' ? 4 : 8
            j = i
            while j <= ncodeunits(t) && j - i < most && isxdigit(t[j])
                j += 1
            end
            j == i && throw(ArgumentError(string("invalid ", c == 'x' ? "hex" : "unicode", " escape sequence used in ", repr(t))))
            n = parse(UInt32, t[i:j-1]; base=16)
            c == 'x' ? write(io, String(UInt8[n])) : print(io, Char(n))
            i = j
        else
            print(io, get(__escapes, c, c))
        end
    end
    return String(take!(io))
end
findprev(c::Char, s::String, from::Integer) = (i = __find_last(s, string(c), Int(from)); i == 0 ? nothing : i)
function findprev(part::String, s::String, from::Integer)
    Int(from) < ncodeunits(part) && return nothing
    i = __find_last(s, part, nextind(s, Int(from)) - ncodeunits(part))
    return i == 0 ? nothing : i:thisind(s, i + ncodeunits(part) - 1)
end
bytes2hex(bytes) = join([string(b; base=16, pad=2) for b in bytes])
hex2bytes(s::AbstractString) = UInt8[parse(UInt8, String(s)[k:k+1]; base=16) for k in 1:2:ncodeunits(s)]
filter(f::Function, s::AbstractString) = join([c for c in s if f(c)])
map(f, s::AbstractString) = (made = [f(c) for c in s]; join(made))
findall(f::Function, s::AbstractString) = [i for i in eachindex(s) if f(s[i])]
Symbol(s::String) = symbol_concat(s)
# For inference: the host makes the text, and compiled code with such a call is refused.
string(parts...) = retype_scalars(String, ccall("extern kiln.text_of_host", llvmcall, Ptr{Nothing}, ()))
isless(a::Symbol, b::Symbol) = isless(String(a), String(b))
# Formats a text as a JSON string; invalid UTF-8 bytes stay as they are.
function __json(s::String)
    s = replace(s, "\\" => "\\\\", "\"" => "\\\"", "\n" => "\\n", "\t" => "\\t", "\r" => "\\r", "\e" => "\\u001b")
    return string('"', s, '"')
end
# 'a':'z'
struct __Characters <: AbstractVector{Char}
    start::Char
    step::Int
    length::Int
end
(:)(a::Char, b::Char) = __Characters(a, 1, max(0, Int(UInt32(b)) - Int(UInt32(a)) + 1))
(:)(a::Char, s::Integer, b::Char) = __Characters(a, Int(s), max(0, fld(Int(UInt32(b)) - Int(UInt32(a)), Int(s)) + 1))
size(r::__Characters) = (r.length,)
length(r::__Characters) = r.length
first(r::__Characters) = r.start
last(r::__Characters) = r[r.length]
step(r::__Characters) = r.step
function getindex(r::__Characters, i::Integer)
    1 <= i <= r.length || throw(BoundsError(r, Int(i)))
    return r.start + (Int(i) - 1) * r.step
end
iterate(r::__Characters, i::Int=1) = i > r.length ? nothing : (r[i], i + 1)
in(c::Char, r::__Characters) = r.start <= c <= last(r) && rem(Int(UInt32(c)) - Int(UInt32(r.start)), r.step) == 0
show(io::IO, r::__Characters) = print(io, repr(r.start), ":", r.step, ":", repr(last(r)))
show(io::IO, ::MIME{Symbol("text/plain")}, r::__Characters) = show(io, r)
ascii(s::AbstractString) = isascii(s) ? String(s) : throw(ArgumentError(string("invalid ASCII in ", repr(s))))
