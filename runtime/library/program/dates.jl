# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; when: Dates
# Dates: a Date counts days, a DateTime milliseconds. In both, day 1 is 0001-01-01.
module Dates
import Base: +, -, *, /, ==, <, <=, isless, div, rem, mod, abs, sign, zero, one, convert, show, print, string, parse, tryparse, floor, ceil, round, trunc, typemin, typemax, isfinite, hash, iterate, length, min, max
abstract type AbstractTime end
broadcastable(x::AbstractTime) = Ref(x)
abstract type Period <: AbstractTime end
abstract type TimeType <: AbstractTime end
abstract type AbstractDateTime <: TimeType end
struct Year <: Period
    value::Int64
    Year(n::Number) = new(Int64(n))
end
struct Quarter <: Period
    value::Int64
    Quarter(n::Number) = new(Int64(n))
end
struct Month <: Period
    value::Int64
    Month(n::Number) = new(Int64(n))
end
struct Week <: Period
    value::Int64
    Week(n::Number) = new(Int64(n))
end
struct Day <: Period
    value::Int64
    Day(n::Number) = new(Int64(n))
end
struct Hour <: Period
    value::Int64
    Hour(n::Number) = new(Int64(n))
end
struct Minute <: Period
    value::Int64
    Minute(n::Number) = new(Int64(n))
end
struct Second <: Period
    value::Int64
    Second(n::Number) = new(Int64(n))
end
struct Millisecond <: Period
    value::Int64
    Millisecond(n::Number) = new(Int64(n))
end
struct Microsecond <: Period
    value::Int64
    Microsecond(n::Number) = new(Int64(n))
end
struct Nanosecond <: Period
    value::Int64
    Nanosecond(n::Number) = new(Int64(n))
end
__name(::Year) = "year"
__name(::Quarter) = "quarter"
__name(::Month) = "month"
__name(::Week) = "week"
__name(::Day) = "day"
__name(::Hour) = "hour"
__name(::Minute) = "minute"
__name(::Second) = "second"
__name(::Millisecond) = "millisecond"
__name(::Microsecond) = "microsecond"
__name(::Nanosecond) = "nanosecond"
for T in (:Year, :Quarter, :Month, :Week, :Day, :Hour, :Minute, :Second, :Millisecond, :Microsecond, :Nanosecond)
    @eval begin
        $T(s::AbstractString) = $T(parse(Int, s))
        $T(p::Period) = convert($T, p)
    end
end
const FixedPeriod = Union{Week,Day,Hour,Minute,Second,Millisecond,Microsecond,Nanosecond}
const OtherPeriod = Union{Year,Quarter,Month}
value(p::Period) = p.value
__unit(::Type{Week}) = 604_800_000_000_000
__unit(::Type{Day}) = 86_400_000_000_000
__unit(::Type{Hour}) = 3_600_000_000_000
__unit(::Type{Minute}) = 60_000_000_000
__unit(::Type{Second}) = 1_000_000_000
__unit(::Type{Millisecond}) = 1_000_000
__unit(::Type{Microsecond}) = 1_000
__unit(::Type{Nanosecond}) = 1
__unit(::Type{Month}) = 1
__unit(::Type{Quarter}) = 3
__unit(::Type{Year}) = 12
# A period's length in the smallest unit of its kind: nanoseconds for fixed periods, months for others.
__amount(p::FixedPeriod) = Int128(p.value) * __unit(typeof(p))
__amount(p::OtherPeriod) = Int128(p.value) * __unit(typeof(p))
__same_kind(a::FixedPeriod, b::FixedPeriod) = true
__same_kind(a::OtherPeriod, b::OtherPeriod) = true
__same_kind(a, b) = false
convert(::Type{P}, p::Period) where {P<:Period} = __converted(P, p)
function __converted(::Type{P}, p) where {P}
    p isa P && return p
    __same_kind(P(0), p) || throw(MethodError(convert, (P, p)))
    (q, r) = (div(__amount(p), __unit(P)), rem(__amount(p), __unit(P)))
    r == 0 || throw(InexactError(:convert, P, p.value))
    return P(Int64(q))
end
__finer(a::Period, b::Period) = __unit(typeof(a)) <= __unit(typeof(b)) ? typeof(a) : typeof(b)
for op in (:+, :-)
    @eval function $op(a::Period, b::Period)
        typeof(a) === typeof(b) && return typeof(a)($op(a.value, b.value))
        return CompoundPeriod(a) + CompoundPeriod($op(b))
    end
end
-(p::Period) = typeof(p)(-p.value)
+(p::Period) = p
abs(p::Period) = typeof(p)(abs(p.value))
sign(p::Period) = sign(p.value)
*(p::Period, n::Real) = typeof(p)(p.value * n)
*(n::Real, p::Period) = p * n
/(p::Period, n::Real) = typeof(p)(p.value / n)
/(a::Period, b::Period) = __same_kind(a, b) ? Float64(__amount(a)) / Float64(__amount(b)) : throw(MethodError(/, (a, b)))
div(p::Period, n::Real) = typeof(p)(div(p.value, Int64(n)))
div(a::Period, b::Period) = Int64(div(__amount(a), __amount(b)))
rem(a::Period, b::Period) = (P = __finer(a, b); P(Int64(div(rem(__amount(a), __amount(b)), __unit(P)))))
mod(a::Period, b::Period) = (P = __finer(a, b); P(Int64(div(mod(__amount(a), __amount(b)), __unit(P)))))
zero(p::Period) = typeof(p)(0)
zero(::Type{P}) where {P<:Period} = P(0)
one(p::Period) = 1
==(a::Period, b::Period) = __same_kind(a, b) ? __amount(a) == __amount(b) : a.value == b.value == 0
isless(a::Period, b::Period) = __same_kind(a, b) ? __amount(a) < __amount(b) : throw(MethodError(isless, (a, b)))
<(a::Period, b::Period) = isless(a, b)
print(io::IO, p::Period) = print(io, p.value, " ", __name(p), p.value == 1 ? "" : "s")
show(io::IO, p::Period) = print(io, nameof(typeof(p)), "(", p.value, ")")
show(io::IO, ::MIME{Symbol("text/plain")}, p::Period) = print(io, p)
string(p::Period) = sprint(print, p)

struct CompoundPeriod <: AbstractTime
    periods::Vector{Period}
end
function CompoundPeriod(ps::Period...)
    sums = Period[]
    for P in (Year, Quarter, Month, Week, Day, Hour, Minute, Second, Millisecond, Microsecond, Nanosecond)
        n = sum([p.value for p in ps if p isa P]; init=0)
        n == 0 || push!(sums, P(n))
    end
    return CompoundPeriod(sums)
end
periods(c::CompoundPeriod) = c.periods
+(a::CompoundPeriod, b::CompoundPeriod) = CompoundPeriod(a.periods..., b.periods...)
+(a::CompoundPeriod, b::Period) = CompoundPeriod(a.periods..., b)
+(a::Period, b::CompoundPeriod) = CompoundPeriod(a, b.periods...)
-(a::CompoundPeriod) = CompoundPeriod([-p for p in a.periods]...)
-(a::CompoundPeriod, b::Union{Period,CompoundPeriod}) = a + (-b)
==(a::CompoundPeriod, b::CompoundPeriod) = a.periods == b.periods
print(io::IO, c::CompoundPeriod) = print(io, isempty(c.periods) ? "empty period" : join(map(string, c.periods), ", "))
show(io::IO, c::CompoundPeriod) = print(io, c)
string(c::CompoundPeriod) = sprint(print, c)
function canonicalize(c::Union{Period,CompoundPeriod})
    ps = c isa Period ? Period[c] : c.periods
    months = sum(Int128[__amount(p) for p in ps if p isa OtherPeriod]; init=Int128(0))
    rest = sum(Int128[__amount(p) for p in ps if p isa FixedPeriod]; init=Int128(0))
    made = Period[Year(Int(div(months, 12))), Month(Int(rem(months, 12)))]
    for P in (Week, Day, Hour, Minute, Second, Millisecond, Microsecond, Nanosecond)
        push!(made, P(Int64(div(rest, __unit(P)))))
        rest = rem(rest, __unit(P))
    end
    return CompoundPeriod(made...)
end

struct Date <: TimeType
    days::Int64
    Date(::Val{:days}, n) = new(n)
end
struct DateTime <: AbstractDateTime
    milliseconds::Int64
    DateTime(::Val{:milliseconds}, n) = new(n)
end
struct Time <: TimeType
    nanoseconds::Int64
    Time(::Val{:nanoseconds}, n) = new(n)
end
const __day = 86_400_000
isleapyear(y::Integer) = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0)
daysinmonth(y::Integer, m::Integer) = m == 2 ? (isleapyear(y) ? 29 : 28) : m in (4, 6, 9, 11) ? 30 : 31
function __days(y, m, d)
    (z, k) = m < 3 ? (y - 1, m + 12) : (y, m)      # years start in March
    return d + fld(153 * (k - 3) + 2, 5) + 365 * z + fld(z, 4) - fld(z, 100) + fld(z, 400) - 306
end
function __date(days)
    n = days + 305                                 # since 0000-03-01
    era = fld(n, 146097)
    of_era = n - 146097 * era
    y = div(of_era - div(of_era, 1460) + div(of_era, 36524) - div(of_era, 146096), 365)
    of_year = of_era - (365 * y + div(y, 4) - div(y, 100))
    k = div(5 * of_year + 2, 153)
    m = k < 10 ? k + 3 : k - 9
    return (y + 400 * era + (m <= 2), m, of_year - div(153 * k + 2, 5) + 1)
end
__out_of(what, v, a, b) = throw(ArgumentError(string(what, ": ", v, " out of range (", a, ":", b, ")")))
function Date(y::Integer, m::Integer=1, d::Integer=1)
    1 <= m <= 12 || __out_of("Month", m, 1, 12)
    1 <= d <= daysinmonth(y, m) || __out_of("Day", d, 1, daysinmonth(y, m))
    return Date(Val(:days), __days(y, m, d))
end
function DateTime(y::Integer, m::Integer=1, d::Integer=1, h::Integer=0, mi::Integer=0, s::Integer=0, ms::Integer=0)
    days = Date(y, m, d).days
    0 <= h <= 23 || __out_of("Hour", h, 0, 23)
    0 <= mi <= 59 || __out_of("Minute", mi, 0, 59)
    0 <= s <= 59 || __out_of("Second", s, 0, 59)
    0 <= ms <= 999 || __out_of("Millisecond", ms, 0, 999)
    return DateTime(Val(:milliseconds), ms + 1000 * (s + 60 * (mi + 60 * h)) + __day * days)
end
Date(y::Period, rest::Period...) = Date(y.value, map(value, rest)...)
DateTime(y::Period, rest::Period...) = DateTime(y.value, map(value, rest)...)
Date(t::DateTime) = Date(Val(:days), fld(t.milliseconds, __day))
Date(d::Date) = d
DateTime(d::Date) = DateTime(Val(:milliseconds), d.days * __day)
DateTime(t::DateTime) = t
DateTime(d::Date, t::Time) = DateTime(Val(:milliseconds), d.days * __day + div(t.nanoseconds, 1_000_000))
Time(h::Integer, m::Integer=0, s::Integer=0, ms::Integer=0, us::Integer=0, ns::Integer=0) = Time(Val(:nanoseconds), ns + 1000 * (us + 1000 * (ms + 1000 * (s + 60 * (m + 60 * h)))))
Time(t::DateTime) = Time(Val(:nanoseconds), mod(t.milliseconds, __day) * 1_000_000)
convert(::Type{DateTime}, d::Date) = DateTime(d)
convert(::Type{Date}, t::DateTime) = Date(t)
value(d::Date) = d.days
value(t::DateTime) = t.milliseconds
value(t::Time) = t.nanoseconds
__days_of(d::Date) = d.days
__days_of(t::DateTime) = fld(t.milliseconds, __day)
yearmonthday(d::Union{Date,DateTime}) = __date(__days_of(d))
year(d::Union{Date,DateTime}) = yearmonthday(d)[1]
month(d::Union{Date,DateTime}) = yearmonthday(d)[2]
day(d::Union{Date,DateTime}) = yearmonthday(d)[3]
dayofmonth(d) = day(d)
yearmonth(d) = yearmonthday(d)[1:2]
monthday(d) = yearmonthday(d)[2:3]
hour(t::DateTime) = mod(fld(t.milliseconds, 3_600_000), 24)
minute(t::DateTime) = mod(fld(t.milliseconds, 60_000), 60)
second(t::DateTime) = mod(fld(t.milliseconds, 1000), 60)
millisecond(t::DateTime) = mod(t.milliseconds, 1000)
hour(d::Date) = 0
minute(d::Date) = 0
second(d::Date) = 0
millisecond(d::Date) = 0
hour(t::Time) = div(t.nanoseconds, 3_600_000_000_000)
minute(t::Time) = mod(div(t.nanoseconds, 60_000_000_000), 60)
second(t::Time) = mod(div(t.nanoseconds, 1_000_000_000), 60)
millisecond(t::Time) = mod(div(t.nanoseconds, 1_000_000), 1000)
for (T, f) in ((:Year, :year), (:Month, :month), (:Day, :day), (:Hour, :hour), (:Minute, :minute), (:Second, :second), (:Millisecond, :millisecond))
    @eval $T(t::TimeType) = $T($f(t))
end
dayofweek(d::Union{Date,DateTime}) = mod1(__days_of(d), 7)
dayofyear(d::Union{Date,DateTime}) = __days_of(d) - __days(year(d), 1, 1) + 1
daysinyear(d) = isleapyear(year(d)) ? 366 : 365
daysinmonth(d::TimeType) = daysinmonth(year(d), month(d))
isleapyear(d::TimeType) = isleapyear(year(d))
quarterofyear(d) = div(month(d) - 1, 3) + 1
function week(d) # ISO 8601: a week belongs to the year of its Thursday
    thursday = __days_of(d) + 4 - dayofweek(d)
    return div(thursday - __days(__date(thursday)[1], 1, 1), 7) + 1
end
const __months = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
const __weekdays = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
const (Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday) = (1, 2, 3, 4, 5, 6, 7)
const (January, February, March, April, May, June, July, August, September, October, November, December) = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
monthname(m::Integer) = __months[m]
monthname(d::TimeType) = __months[month(d)]
monthabbr(d) = monthname(d)[1:3]
dayname(k::Integer) = __weekdays[k]
dayname(d::TimeType) = __weekdays[dayofweek(d)]
dayabbr(d) = dayname(d)[1:3]
__like(d::Date, days) = Date(Val(:days), days)
__like(d::DateTime, days) = DateTime(Val(:milliseconds), days * __day)
firstdayofmonth(d) = __like(d, __days(year(d), month(d), 1))
lastdayofmonth(d) = __like(d, __days(year(d), month(d), daysinmonth(d)))
firstdayofyear(d) = __like(d, __days(year(d), 1, 1))
lastdayofyear(d) = __like(d, __days(year(d), 12, 31))
firstdayofweek(d) = __like(d, __days_of(d) - dayofweek(d) + 1)
lastdayofweek(d) = __like(d, __days_of(d) - dayofweek(d) + 7)

-(a::Date, b::Date) = Day(a.days - b.days)
-(a::DateTime, b::DateTime) = Millisecond(a.milliseconds - b.milliseconds)
-(a::DateTime, b::Date) = a - DateTime(b)
-(a::Date, b::DateTime) = DateTime(a) - b
-(a::Time, b::Time) = Nanosecond(a.nanoseconds - b.nanoseconds)
function __months_later(d, n)
    (y, m, k) = yearmonthday(d)
    all = 12 * y + m - 1 + n
    (y, m) = (fld(all, 12), mod(all, 12) + 1)
    return __days(y, m, min(k, daysinmonth(y, m)))
end
+(d::Date, p::Union{Day,Week}) = Date(Val(:days), d.days + Day(p).value)
+(d::Date, p::OtherPeriod) = Date(Val(:days), __months_later(d, Month(p).value))
+(t::DateTime, p::OtherPeriod) = DateTime(Val(:milliseconds), __months_later(t, Month(p).value) * __day + mod(t.milliseconds, __day))
+(t::DateTime, p::FixedPeriod) = DateTime(Val(:milliseconds), t.milliseconds + Int64(div(__amount(p), 1_000_000)))
+(t::Time, p::FixedPeriod) = Time(Val(:nanoseconds), Int64(mod(t.nanoseconds + __amount(p), 24 * 3_600_000_000_000)))
+(d::Date, t::Time) = DateTime(d, t)
+(p::Period, t::TimeType) = t + p
-(t::TimeType, p::Period) = t + (-p)
+(t::TimeType, c::CompoundPeriod) = foldl(+, c.periods; init=t)
-(t::TimeType, c::CompoundPeriod) = t + (-c)
for T in (:Date, :DateTime, :Time)
    @eval begin
        ==(a::$T, b::$T) = value(a) == value(b)
        isless(a::$T, b::$T) = value(a) < value(b)
        <(a::$T, b::$T) = value(a) < value(b)
        <=(a::$T, b::$T) = value(a) <= value(b)
    end
end
==(a::Date, b::DateTime) = DateTime(a) == b
==(a::DateTime, b::Date) = a == DateTime(b)
isless(a::Date, b::DateTime) = DateTime(a) < b
isless(a::DateTime, b::Date) = a < DateTime(b)
<(a::TimeType, b::TimeType) = isless(a, b)
<=(a::TimeType, b::TimeType) = !isless(b, a)
max(a::TimeType, b::TimeType) = isless(a, b) ? b : a
min(a::TimeType, b::TimeType) = isless(b, a) ? b : a
# List of the dates from a to b in steps of p.
function __steps(a::T, p, b) where {T}
    list = T[]
    k = 0
    while true
        x = a + p * k
        (p.value > 0 ? x > b : x < b) && return list
        push!(list, x)
        k += 1
    end
end
function floor(t::DateTime, p::FixedPeriod)
    n = Int64(div(__amount(p), 1_000_000))
    start = p isa Week ? __day : 0 # weeks start on Monday, and day 1 is a Monday
    return DateTime(Val(:milliseconds), fld(t.milliseconds - start, n) * n + start)
end
floor(d::Date, p::Union{Day,Week}) = Date(floor(DateTime(d), p))
floor(t::TimeType, p::Month) = p.value == 1 ? firstdayofmonth(t) : __like(t, __days(fld(12 * year(t) + month(t) - 1 - mod(12 * year(t) + month(t) - 1, p.value), 12), mod(12 * year(t) + month(t) - 1 - mod(12 * year(t) + month(t) - 1, p.value), 12) + 1, 1))
floor(t::TimeType, p::Year) = __like(t, __days(fld(year(t), p.value) * p.value, 1, 1))
floor(t::TimeType, ::Type{P}) where {P<:Period} = floor(t, P(1))
trunc(t::TimeType, ::Type{P}) where {P<:Period} = floor(t, P(1))
ceil(t::TimeType, p::Period) = (f = floor(t, p); f == t ? f : f + p)
ceil(t::TimeType, ::Type{P}) where {P<:Period} = ceil(t, P(1))
round(t::TimeType, p::Period) = (f = floor(t, p); c = f + p; t - f < c - t ? f : c)
round(t::TimeType, ::Type{P}) where {P<:Period} = round(t, P(1))
const __epoch = __days(1970, 1, 1) * __day
unix2datetime(x) = DateTime(Val(:milliseconds), __epoch + round(Int64, 1000 * x))
datetime2unix(t::DateTime) = (t.milliseconds - __epoch) / 1000.0
struct UTC end
now(::Type{UTC}) = unix2datetime(floor(time() * 1000) / 1000)
now() = now(UTC) + Second(Base.__utc_offset())
today() = Date(now())
export Period, Year, Quarter, Month, Week, Day, Hour, Minute, Second, Millisecond, Microsecond, Nanosecond, TimeZone, UTC, TimeType, DateTime, Date, Time,
    year, month, day, hour, minute, second, millisecond, dayofmonth, yearmonth, monthday, yearmonthday, dayofweek, dayofyear, daysinyear, daysinmonth, isleapyear, quarterofyear, week,
    monthname, monthabbr, dayname, dayabbr, firstdayofmonth, lastdayofmonth, firstdayofyear, lastdayofyear, firstdayofweek, lastdayofweek,
    unix2datetime, datetime2unix, now, today, canonicalize, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday,
    January, February, March, April, May, June, July, August, September, October, November, December, DateFormat, @dateformat_str, ISODateTimeFormat, ISODateFormat
end
(:)(a::T, p::Dates.Period, b::T) where {T<:Dates.TimeType} = Dates.__steps(a, p, b)
(:)(a::Dates.Date, b::Dates.Date) = Dates.__steps(a, Dates.Day(1), b)
