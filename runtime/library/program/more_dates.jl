# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: program/dates_text
# Functions of Dates that few programs use: abbreviations, quarters, adjusters, day numbers.
module Dates
const (Mon, Tue, Wed, Thu, Fri, Sat, Sun) = (1, 2, 3, 4, 5, 6, 7)
const (Jan, Feb, Mar, Apr, Jun, Jul, Aug, Sep, Oct, Nov, Dec) = (1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12)
const DatePeriod = Union{Year,Quarter,Month,Week,Day}
const TimePeriod = Union{Hour,Minute,Second,Millisecond,Microsecond,Nanosecond}
abstract type TimeZone end
const ISOTimeFormat = DateFormat("HH:MM:SS.s")
const RFC1123Format = DateFormat("e, dd u yyyy HH:MM:SS")
quarter(d::TimeType) = quarterofyear(d)
microsecond(t::Time) = mod(div(t.nanoseconds, 1000), 1000)
nanosecond(t::Time) = mod(t.nanoseconds, 1000)
firstdayofquarter(d) = __like(d, __days(year(d), 3 * quarterofyear(d) - 2, 1))
lastdayofquarter(d) = (m = 3 * quarterofyear(d); __like(d, __days(year(d), m, daysinmonth(year(d), m))))
dayofquarter(d) = __days_of(d) - __days(year(d), 3 * quarterofyear(d) - 2, 1) + 1
dayofweekofmonth(d) = div(day(d) - 1, 7) + 1
daysofweekinmonth(d) = dayofweekofmonth(d) + div(daysinmonth(d) - day(d), 7)
for f in (:div, :fld, :cld, :rem, :mod)
    @eval begin
        Base.$f(p::P, n::Real) where {P<:Period} = P($f(value(p), Int64(n)))
        Base.$f(p::P, q::P) where {P<:Period} = $(f in (:rem, :mod) ? :(P($f(value(p), value(q)))) : :($f(value(p), value(q))))
    end
end
# Rata Die counts days from 0000-12-31, Julian days from noon of 1 January 4713 BC in the Julian calendar.
datetime2rata(d::TimeType) = __days_of(d)
rata2datetime(n) = DateTime(Date(Val(:days), n))
datetime2julian(t::DateTime) = (t.milliseconds - __days(2000, 1, 1) * __day - div(__day, 2)) / __day + 2451545.0
julian2datetime(x) = DateTime(Val(:milliseconds), __days(2000, 1, 1) * __day + div(__day, 2) + round(Int64, (x - 2451545.0) * __day))
# adjust(test, day; ...): the first day from here on, by steps, for which the test holds.
function adjust(test::Function, d::TimeType; step::Period=Day(1), limit::Integer=10000)
    for _ in 1:limit
        test(d) && return d
        d = d + step
    end
    throw(ArgumentError(string("Adjustment limit reached: ", limit, " iterations")))
end
adjust(d::TimeType, test::Function; keywords...) = adjust(test, d; keywords...)
tonext(test::Function, d::TimeType; step::Period=Day(1), same::Bool=false, limit::Integer=10000) = adjust(test, same ? d : d + step; step=step, limit=limit)
toprev(test::Function, d::TimeType; step::Period=Day(-1), same::Bool=false, limit::Integer=10000) = adjust(test, same ? d : d + step; step=step, limit=limit)
tonext(d::TimeType, weekday::Integer; same::Bool=false) = tonext(x -> dayofweek(x) == weekday, d; same=same)
toprev(d::TimeType, weekday::Integer; same::Bool=false) = toprev(x -> dayofweek(x) == weekday, d; same=same)
tofirst(d::TimeType, weekday::Integer; of=Month) = tonext(of == Month ? firstdayofmonth(d) : firstdayofyear(d), weekday; same=true)
tolast(d::TimeType, weekday::Integer; of=Month) = toprev(of == Month ? lastdayofmonth(d) : lastdayofyear(d), weekday; same=true)
export Mon, Tue, Wed, Thu, Fri, Sat, Sun, Jan, Feb, Mar, Apr, Jun, Jul, Aug, Sep, Oct, Nov, Dec, DatePeriod, TimePeriod, ISOTimeFormat, RFC1123Format, quarter, microsecond, nanosecond,
    firstdayofquarter, lastdayofquarter, dayofquarter, dayofweekofmonth, daysofweekinmonth, datetime2rata, rata2datetime, datetime2julian, julian2datetime, adjust, tonext, toprev, tofirst, tolast
end
