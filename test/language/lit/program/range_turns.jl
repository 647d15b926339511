# RUN: %kiln script --device cpu %s | %filecheck %s
# Turns of ranges have a short way of their own: ends at the limits of Int64, empty ranges, and ranges it is not made for.
for i in typemax(Int64)-1:typemax(Int64)
    println(i)
end
# CHECK: 9223372036854775806
# CHECK-NEXT: 9223372036854775807
for i in typemin(Int64):typemin(Int64)
    println(i)
end
# CHECK-NEXT: -9223372036854775808
for i in 3:2
    println("never")
end
for i in Base.OneTo(3)
    print(i, " ")
end
println()
# CHECK-NEXT: 1 2 3
println(iterate(1:3), " ", iterate(1:3, 3), " ", iterate(1:3, 2), " ", iterate(5:4), " ", iterate(Base.OneTo(0)))
# CHECK-NEXT: (1, 1) nothing (3, 3) nothing nothing
for i in Int8(126):Int8(127)
    print(typeof(i), " ", i, " ")
end
println()
# CHECK-NEXT: Int8 126 Int8 127
# A type of the program's own keeps its own turns.
struct Countdown <: AbstractUnitRange{Int}
    start::Int
    stop::Int
end
Base.iterate(c::Countdown) = (c.start, c.start)
Base.iterate(c::Countdown, state) = state <= c.stop ? nothing : (state - 1, state - 1)
for i in Countdown(3, 1)
    print(i, " ")
end
println()
# CHECK-NEXT: 3 2 1
