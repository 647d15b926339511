# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: program/dates
# Dates as text: parsing and printing with date formats.
module Dates
import Base: show, print, string, parse, tryparse
struct DateFormat
    format::String
end
macro dateformat_str(s)
    DateFormat(s)
end
const ISODateTimeFormat = DateFormat("yyyy-mm-dd\\THH:MM:SS.s")
const ISODateFormat = DateFormat("yyyy-mm-dd")
show(io::IO, f::DateFormat) = print(io, "dateformat\"", f.format, "\"")
# Parts of a date format: a letter with its number of repetitions, or a literal text with number 0.
function __parts(format::String)
    parts = Tuple{Char,Int,String}[]
    i = 1
    while i <= ncodeunits(format)
        c = format[i]
        next = nextind(format, i)
        if c == '\\' && next <= ncodeunits(format)
            push!(parts, (' ', 0, string(format[next])))
            i = nextind(format, next)
        elseif c in ('y', 'Y', 'm', 'u', 'U', 'd', 'H', 'I', 'p', 'M', 'S', 's', 'e', 'E')
            n = 0
            while i <= ncodeunits(format) && format[i] == c
                n += 1
                i += 1
            end
            push!(parts, (c, n, ""))
        else
            push!(parts, (' ', 0, string(c)))
            i = next
        end
    end
    return parts
end
__padded(n, width) = lpad(string(n), width, '0')
function __fraction(ms, width)
    s = ms % 100 == 0 ? string(div(ms, 100)) : ms % 10 == 0 ? __padded(div(ms, 10), 2) : __padded(ms, 3)
    return rpad(s, width, '0')
end
function __part_text(t, c, n)
    c in ('y', 'Y') && return (s = __padded(year(t), n); length(s) > n && n <= 2 ? s[end-n+1:end] : s)
    c == 'm' && return __padded(month(t), n)
    c == 'u' && return monthabbr(t)
    c == 'U' && return monthname(t)
    c == 'd' && return __padded(day(t), n)
    c == 'H' && return __padded(hour(t), n)
    c == 'I' && return __padded(mod1(hour(t), 12), n)
    c == 'p' && return hour(t) < 12 ? "AM" : "PM"
    c == 'M' && return __padded(minute(t), n)
    c == 'S' && return __padded(second(t), n)
    c == 's' && return __fraction(millisecond(t), n)
    c == 'e' && return dayabbr(t)
    return dayname(t)
end
format(t::TimeType, f::DateFormat) = join([p[2] == 0 ? p[3] : __part_text(t, p[1], p[2]) for p in __parts(f.format)])
format(t::TimeType, f::AbstractString) = format(t, DateFormat(String(f)))
__unreadable(s, f) = throw(ArgumentError(string("Unable to parse date time. Expected format ", f.format, ", got ", repr(s))))
# Parses year, month, day, hour, minute, second and millisecond. A field that the format lacks keeps its initial
# value.
function __read(s::String, f::DateFormat)
    found = [1, 1, 1, 0, 0, 0, 0]
    parts = __parts(f.format)
    afternoon = nothing
    i = 1
    for (k, (c, n, text)) in enumerate(parts)
        i > ncodeunits(s) && k > 1 && break
        if n == 0
            startswith(s[i:end], text) || __unreadable(s, f)
            i += ncodeunits(text)
        elseif c in ('u', 'U', 'e', 'E', 'p')
            j = i
            while j <= ncodeunits(s) && isletter(s[j])
                j = nextind(s, j)
            end
            word = lowercase(s[i:prevind(s, j)])
            if c in ('u', 'U')
                m = findfirst(name -> (c == 'u' ? lowercase(name[1:3]) : lowercase(name)) == word, collect(__months))
                m === nothing && __unreadable(s, f)
                found[2] = m
            end
            c == 'p' && (afternoon = word == "pm")
            i = j
        else
            is_fixed = k < length(parts) && parts[k+1][2] > 0
            j = i
            while j <= ncodeunits(s) && isdigit(s[j]) && !(is_fixed && j - i == n)
                j += 1
            end
            j == i && __unreadable(s, f)
            x = parse(Int, s[i:j-1])
            c == 's' && (x = div(x * 1000, 10^(j - i)))
            place = findfirst(l -> c in l, [('y', 'Y'), ('m',), ('d',), ('H', 'I'), ('M',), ('S',), ('s',)])
            found[place] = x
            i = j
        end
    end
    i <= ncodeunits(s) && __unreadable(s, f)
    afternoon === nothing || (found[4] = mod(found[4], 12) + (afternoon ? 12 : 0))
    return found
end
DateTime(s::AbstractString, f::DateFormat=ISODateTimeFormat) = DateTime(__read(String(s), f)...)
DateTime(s::AbstractString, f::AbstractString; locale="english") = DateTime(s, DateFormat(String(f)))
Date(s::AbstractString, f::DateFormat=ISODateFormat) = Date(__read(String(s), f)[1:3]...)
Date(s::AbstractString, f::AbstractString; locale="english") = Date(s, DateFormat(String(f)))
Time(s::AbstractString, f::DateFormat=DateFormat("HH:MM:SS.s")) = Time(__read(String(s), f)[4:7]...)
Time(s::AbstractString, f::AbstractString) = Time(s, DateFormat(String(f)))
parse(::Type{T}, s::AbstractString, f::DateFormat...) where {T<:TimeType} = T(s, f...)
function tryparse(::Type{T}, s::AbstractString, f::DateFormat...) where {T<:TimeType}
    try
        return T(s, f...)
    catch
        return nothing
    end
end
print(io::IO, d::Date) = print(io, format(d, ISODateFormat))
print(io::IO, t::DateTime) = print(io, format(t, millisecond(t) == 0 ? DateFormat("yyyy-mm-dd\\THH:MM:SS") : ISODateTimeFormat))
function print(io::IO, t::Time)
    ns = mod(t.nanoseconds, 1_000_000_000)
    print(io, __padded(hour(t), 2), ":", __padded(minute(t), 2), ":", __padded(second(t), 2))
    ns == 0 || print(io, ".", rstrip(__padded(ns, 9), '0'))
    return nothing
end
show(io::IO, d::Date) = print(io, "Date(\"", string(d), "\")")
show(io::IO, t::DateTime) = print(io, "DateTime(\"", string(t), "\")")
show(io::IO, t::Time) = print(io, "Time(", hour(t), ", ", minute(t), ", ", second(t), ")")
show(io::IO, ::MIME{Symbol("text/plain")}, t::TimeType) = print(io, t)
string(t::TimeType) = sprint(print, t)
end
Base.__is_plain_element(::Type{T}) where {T<:Union{Dates.Date,Dates.DateTime,Dates.Time}} = true
