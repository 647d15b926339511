# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/substring
# Regular expressions. The host matches (lib/programs/regex.cpp, PCRE2) and caches compiled patterns by text and
# options, so that a Regex object stores only text and options. Options are PCRE2's numbers.
const __regex_default = 0x040a0002 # PCRE2 options: UTF, UCP, \u as in JavaScript, match invalid UTF-8
struct Regex
    pattern::String
    compile_options::UInt32
    match_options::UInt32
    function Regex(pattern::AbstractString, options::Integer, match_options::Integer)
        __regex_check(String(pattern), UInt32(options))
        return new(String(pattern), UInt32(options), UInt32(match_options))
    end
end
Regex(pattern::AbstractString, options::Integer) = Regex(pattern, options, 0)
Regex(pattern::AbstractString) = Regex(pattern, __regex_default, 0)
function Regex(pattern::AbstractString, flags::AbstractString)
    options = __regex_default
    for f in String(flags)
        f == 'a' ? (options &= ~0x00020000) :
        f == 'i' ? (options |= 0x00000008) :
        f == 'm' ? (options |= 0x00000400) :
        f == 's' ? (options |= 0x00000020) :
        f == 'x' ? (options |= 0x00000080) : throw(ArgumentError(string("unknown regex flag: ", f)))
    end
    return Regex(pattern, options, 0)
end
Regex(r::Regex) = r
macro r_str(pattern, flags...)
    Regex(pattern, isempty(flags) ? "" : flags[1])
end
==(a::Regex, b::Regex) = a.pattern == b.pattern && a.compile_options == b.compile_options && a.match_options == b.match_options
isequal(a::Regex, b::Regex) = a == b
function show(io::IO, r::Regex)
    known = 0x000004a8
    if r.compile_options & ~known == __regex_default || r.compile_options & ~known == __regex_default & ~0x00020000
        print(io, "r\"", replace(r.pattern, "\"" => "\\\""), "\"")
        for (f, option) in (('i', 0x00000008), ('m', 0x00000400), ('s', 0x00000020), ('x', 0x00000080))
            r.compile_options & option == 0 || print(io, f)
        end
        r.compile_options & 0x00020000 == 0 && print(io, "a")
    else
        print(io, "Regex(", repr(r.pattern), ", ", r.compile_options, ")")
    end
    return nothing
end
*(r::Regex, s::AbstractString) = Regex(string(r.pattern, "\\Q", s, "\\E"), r.compile_options)
*(s::AbstractString, r::Regex) = Regex(string("\\Q", s, "\\E", r.pattern), r.compile_options)
*(a::Regex, b::Regex) = Regex(string(a.pattern, b.pattern), a.compile_options)
^(r::Regex, n::Integer) = Regex(string("(?:", r.pattern, "){", n, "}"), r.compile_options)

struct RegexMatch{S<:AbstractString}
    match::SubString{S}
    captures::Vector{Union{Nothing,SubString{S}}}
    offset::Int
    offsets::Vector{Int}
    regex::Regex
end
__anchored(r::Regex) = r.match_options | 0x80000000
function match(r::Regex, s::AbstractString, from::Integer=1, options::Integer=0)
    b = __regex_match(r.pattern, r.compile_options, String(s), Int(from), UInt32(r.match_options | options))
    b === nothing && return nothing
    captures = Union{Nothing,SubString{String}}[]
    offsets = Int[]
    for k in 3:2:length(b)
        push!(captures, b[k] == 0 ? nothing : __part_of(s, b[k] - 1, b[k+1] - b[k]))
        push!(offsets, b[k])
    end
    return RegexMatch{String}(__part_of(s, b[1] - 1, b[2] - b[1]), captures, b[1], offsets, r)
end
match(r::Regex, s) = throw(MethodError(match, (r, s)))
__group_names(r::Regex) = __regex_names(r.pattern, r.compile_options)
keys(m::RegexMatch) = [isempty(name) ? k : name for (k, name) in enumerate(__group_names(m.regex))]
length(m::RegexMatch) = length(m.captures)
eltype(::Type{RegexMatch{S}}) where {S} = Union{Nothing,SubString{S}}
getindex(m::RegexMatch, i::Integer) = m.captures[i]
getindex(m::RegexMatch, name::Symbol) = m[string(name)]
function getindex(m::RegexMatch, name::AbstractString)
    k = __group_of(m.regex, String(name))
    k == 0 && error("no capture group named ", name, " found in regex")
    return m.captures[k]
end
__group_of(r::Regex, name) = (k = findfirst(n -> n == name, __group_names(r)); k === nothing ? 0 : k)
haskey(m::RegexMatch, i::Integer) = 1 <= i <= length(m.captures)
haskey(m::RegexMatch, name::Union{Symbol,AbstractString}) = __group_of(m.regex, string(name)) != 0
iterate(m::RegexMatch, i...) = iterate(m.captures, i...)
==(a::RegexMatch, b::RegexMatch) = a.regex == b.regex && a.match == b.match && a.captures == b.captures && a.offset == b.offset
function show(io::IO, m::RegexMatch)
    print(io, "RegexMatch(", repr(m.match))
    for (k, name) in enumerate(keys(m))
        print(io, ", ", name, "=", m.captures[k] === nothing ? "nothing" : repr(m.captures[k]))
    end
    print(io, ")")
    return nothing
end

struct RegexMatchIterator
    regex::Regex
    string::Any
    overlap::Bool
end
eachmatch(r::Regex, s::AbstractString; overlap::Bool=false) = RegexMatchIterator(r, s, overlap)
eltype(::Type{RegexMatchIterator}) = RegexMatch{String}
# After an empty match, searches for a non-empty match at the same position, then for any match after the next
# character.
function iterate(e::RegexMatchIterator, state=(1, false))
    (from, was_empty) = state
    while true
        m = match(e.regex, e.string, from, was_empty ? 0x80000008 : 0x00000000)
        if m !== nothing
            n = ncodeunits(m.match)
            next = !e.overlap ? m.offset + n : n == 0 ? m.offset : nextind(__whole(e.string), m.offset)
            return (m, (next, n == 0))
        end
        (was_empty && from <= ncodeunits(e.string)) || return nothing
        (from, was_empty) = (nextind(__whole(e.string), from), false)
    end
end

occursin(r::Regex, s::AbstractString; offset::Integer=0) = __regex_match(r.pattern, r.compile_options, String(s), Int(offset) + 1, r.match_options) !== nothing
startswith(s::AbstractString, r::Regex) = __regex_match(r.pattern, r.compile_options, String(s), 1, __anchored(r)) !== nothing
endswith(s::AbstractString, r::Regex) = __regex_match(r.pattern, r.compile_options | 0x20000000, String(s), 1, r.match_options) !== nothing
function __find_pattern(r::Regex, s, from)
    b = __regex_match(r.pattern, r.compile_options, s, from, r.match_options)
    return b === nothing ? (0, 0) : (b[1], b[2])
end
function findnext(r::Regex, s::AbstractString, from::Integer)
    (first, behind) = __find_pattern(r, __whole(s), Int(from))
    return first == 0 ? nothing : first:(behind > first ? prevind(__whole(s), behind) : first - 1)
end
findfirst(r::Regex, s::AbstractString) = findnext(r, s, 1)
__range_of(s, m) = m.offset:(isempty(m.match) ? m.offset - 1 : prevind(s, m.offset + ncodeunits(m.match)))
findall(r::Regex, s::AbstractString; overlap::Bool=false) = UnitRange{Int}[__range_of(__whole(s), m) for m in eachmatch(r, s; overlap=overlap)]
count(r::Regex, s::AbstractString; overlap::Bool=false) = length(collect(eachmatch(r, s; overlap=overlap)))
chopprefix(s::AbstractString, r::Regex) = (m = match(r, s, 1, 0x80000000); m === nothing ? SubString(s) : __part_of(s, ncodeunits(m.match), ncodeunits(s) - ncodeunits(m.match)))

# ---- replace: uses the pattern with the earliest match. If several match at one position, the first argument wins.
struct SubstitutionString{T<:AbstractString} <: AbstractString
    string::T
end
macro s_str(text)
    SubstitutionString{String}(text)
end
String(s::SubstitutionString) = String(s.string)
ncodeunits(s::SubstitutionString) = ncodeunits(s.string)
show(io::IO, s::SubstitutionString) = print(io, "s", repr(s.string))
print(io::IO, s::SubstitutionString) = print(io, s.string)
function __substitute(io, template::String, r, s, first, behind)
    b = r isa Regex ? __regex_match(r.pattern, r.compile_options, s, first, r.match_options) : [first, behind]
    group(k) = 0 <= k && 2k + 2 <= length(b) ? (b[2k+1] == 0 || print(io, __part_of(s, b[2k+1] - 1, b[2k+2] - b[2k+1]))) :
               throw(ErrorException(string("PCRE error: unknown substring")))
    i = 1
    n = ncodeunits(template)
    while i <= n
        c = template[i]
        if c != '\\' || i == n
            c == '\\' && error("Bad replacement string: ", template)
            print(io, c)
            i = nextind(template, i)
            continue
        end
        d = template[i+1]
        if d == '\\'
            print(io, '\\')
            i += 2
        elseif isdigit(d)
            j = i + 1
            while j <= n && isdigit(template[j])
                j += 1
            end
            group(parse(Int, template[i+1:j-1]))
            i = j
        elseif d == 'g' && i + 2 <= n && template[i+2] == '<'
            j = findnext('>', template, i)
            j === nothing && error("Bad replacement string: ", template)
            name = template[i+3:prevind(template, j)]
            if all(isdigit, name)
                group(parse(Int, name))
            else
                k = r isa Regex ? __group_of(r, name) : 0
                k == 0 && error("Bad replacement string: Group ", name, " not found in regex ", r)
                group(k)
            end
            i = j + 1
        else
            error("Bad replacement string: ", template)
        end
    end
    return nothing
end
__replacement(io, to, from, s, first, behind) = print(io, to)
__replacement(io, f::Union{Function,Type}, from, s, first, behind) = print(io, f(__part_of(s, first - 1, behind - first)))
__replacement(io, f::Union{Function,Type}, from::Union{Char,Function,Array,Tuple,AbstractSet}, s, first, behind) = print(io, f(s[first]))
__replacement(io, to::SubstitutionString, from, s, first, behind) = __substitute(io, String(to), from, s, first, behind)
replace(s::AbstractString, pairs::Pair...; count::Integer=typemax(Int)) = sprint(__replace, String(s), pairs, Int(count))
replace(io::IO, s::AbstractString, pairs::Pair...; count::Integer=typemax(Int)) = (__replace(io, String(s), pairs, Int(count)); io)
function __replace(io, s, pairs, count)
    n = ncodeunits(s)
    from = 1 # start of the text that is not yet written
    at = 1                                         # start of the next search
    stop = 0 # end of the last non-empty match; an empty match must not follow it directly
    found = [__find_pattern(p.first, s, 1) for p in pairs]
    while count > 0 && at <= n + 1
        best = 0
        for (k, p) in enumerate(pairs)
            0 < found[k][1] < at && (found[k] = __find_pattern(p.first, s, at))
            found[k][1] == 0 || (best == 0 || found[k][1] < found[best][1]) && (best = k)
        end
        best == 0 && break
        (first, behind) = found[best]
        if first == behind == stop
            at = nextind(s, at)
            continue
        end
        first > from && print(io, __part_of(s, from - 1, first - from))
        __replacement(io, pairs[best].second, pairs[best].first, s, first, behind)
        count -= 1
        from = behind
        at = behind
        first < behind && (stop = behind)
        if first == behind                         # keep the next character
            first > n && break
            at = nextind(s, first)
            print(io, __part_of(s, first - 1, at - first))
            from = at
        end
    end
    from <= n && print(io, __part_of(s, from - 1, n - from + 1))
    return nothing
end
