# RUN: %kiln script --device cpu %s | %filecheck %s
# Functions of Dates beyond parts and formats. Values follow from the calendar and Julia's manual.
using Dates
d = Date(2014, 7, 5)
# CHECK: 3 2014-07-01 2014-09-30 5 1 4
println(quarter(d), " ", firstdayofquarter(d), " ", lastdayofquarter(d), " ", dayofquarter(d), " ", dayofweekofmonth(d), " ", daysofweekinmonth(d))
# CHECK-NEXT: 2014-07-08 2014-07-01 2014-07-01 2014-07-29 2014-07-10
println(tonext(d, Tue), " ", toprev(d, Tuesday), " ", tofirst(d, Tue), " ", tolast(d, Tue), " ", tonext(x -> day(x) == 10, d))
# CHECK-NEXT: 735419 2.4515445e6 2014-07-05T00:00:00
println(datetime2rata(d), " ", datetime2julian(DateTime(2000, 1, 1)), " ", rata2datetime(735419))
# CHECK-NEXT: 1 minute 3 minutes 2 5 seconds
println(rem(Minute(61), 60), " ", div(Minute(6), 2), " ", div(Minute(6), Minute(3)), " ", mod(Second(-55), 60))
