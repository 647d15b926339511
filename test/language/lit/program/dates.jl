# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Dates. Values are those of Julia's manual, and of Python's datetime.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines --strict-whitespace
using Dates
d = DateTime(2024, 2, 29, 13, 5, 7)
#      CHECK:2024-02-29T13:05:07 2024-02-29 13:05:07 2024-01-01T00:00:00.123
println(d, " ", Date(d), " ", Time(d), " ", DateTime(2024, 1, 1, 0, 0, 0, 123))
# CHECK-NEXT:DateTime("2024-02-29T13:05:07") Date("2024-01-02") Day(2) 2 days 1 hour
println(repr(d), " ", repr(Date(2024, 1, 2)), " ", repr(Day(2)), " ", Day(2), " ", Hour(1))
# CHECK-NEXT:2024-02-29 13:05:07 05.03.2024 29 Feb 2024, Thursday Thu February 24
println(Dates.format(d, "yyyy-mm-dd HH:MM:SS"), " ", Dates.format(Date(2024, 3, 5), "dd.mm.yyyy"), " ", Dates.format(d, "d u yyyy, E e U yy"))
# CHECK-NEXT:39293000 milliseconds 29 days
println(DateTime(2024, 3, 1) - d, " ", Date(2024, 3, 1) - Date(2024, 2, 1))
# CHECK-NEXT:2024-03-01T13:05:07 2024-03-01T01:05:07 2024-02-29T12:59:07 2024-02-29 2023-02-28
println(d + Day(1), " ", d + Hour(12), " ", d - Minute(6), " ", Date(2024, 1, 31) + Month(1), " ", Date(2024, 2, 29) - Year(1))
# CHECK-NEXT:2024 2 29 13 5 7 4 Thursday February 60 9 true 29
println(join((year(d), month(d), day(d), hour(d), minute(d), second(d), dayofweek(d), dayname(d), monthname(d), dayofyear(d), week(d), isleapyear(2024), daysinmonth(d)), " "))
# CHECK-NEXT:738945 1 2014-01-31 2014-02-28T00:00:00
println(Dates.value(Date(2024, 2, 29)), " ", Dates.value(Date(1, 1, 1)), " ", Date(2014, 1, 31), " ", lastdayofmonth(DateTime(2014, 2, 3)))
# CHECK-NEXT:120 seconds 60 true true 1500
println(Second(Minute(2)), " ", Dates.value(convert(Second, Minute(1))), " ", Minute(1) == Second(60), " ", Hour(1) > Minute(59), " ", Dates.value(Millisecond(1500)))
# CHECK-NEXT:1 hour, 1 minute, 1 second 3 days, 2 hours
println(canonicalize(Second(3661)), " ", Day(3) + Hour(2))
# CHECK-NEXT:2024-01-02T03:04:05 2024-01-02 2024-06-05 2024-01-02T10:11:00 2024-12-25
println(DateTime("2024-01-02T03:04:05"), " ", Date("2024-01-02"), " ", Date("05/06/2024", "dd/mm/yyyy"), " ", DateTime("2024-01-02 10:11", dateformat"yyyy-mm-dd HH:MM"), " ",
        Date("20241225", "yyyymmdd"))
# CHECK-NEXT:[Date("2024-01-30"), Date("2024-01-31"), Date("2024-02-01")]
println(collect(Date(2024, 1, 30):Day(1):Date(2024, 2, 1)))
# CHECK-NEXT:1970-01-01T00:00:00 86400.0 true true true
println(unix2datetime(0), " ", datetime2unix(DateTime(1970, 1, 2)), " ", Date(2024, 1, 1) < Date(2024, 1, 2), " ", now() - now() <= Millisecond(0), " ", today() isa Date)
# CHECK-NEXT:2024-02-29T13:00:00 2024-02-01 2024-02-26T00:00:00
println(floor(d, Hour(1)), " ", floor(Date(d), Month), " ", floor(d, Week))
# CHECK-NEXT:ArgumentError: Month: 13 out of range (1:12)
# CHECK-NEXT:ArgumentError: Day: 30 out of range (1:29)
for f in (() -> Date(2024, 13, 1), () -> Date(2024, 2, 30))
    try
        f()
    catch e
        println(sprint(showerror, e))
    end
end
