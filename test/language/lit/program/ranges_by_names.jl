# RUN: %kiln script %s | %filecheck %s
# range by names alone, and arithmetic of LinRange. Expected values are those of Julia's documentation (range) and by hand.
println(range(start=1, length=100), " ", range(start=1, stop=100), " ", range(start=1, step=5, stop=100), " ", range(start=1, step=5, length=100))
# CHECK: 1:100 1:100 1:5:96 1:5:496
println(range(stop=10, length=5), " ", range(stop=10, step=1, length=5), " ", range(start=1, step=1, stop=10), " ", range(; length=10), " ", range(; stop=6))
# CHECK-NEXT: 6:10 6:1:10 1:1:10 Base.OneTo(10) Base.OneTo(6)
println(collect(range(start=0.5, stop=2.5, length=5)), " ", collect(range(stop=2.5, step=0.5, length=3)))
# CHECK-NEXT: [0.5, 1.0, 1.5, 2.0, 2.5] [1.5, 2.0, 2.5]
r = LinRange(0, 4, 5)
println(collect(r .- 1), " ", collect(2 .* r .+ 1), " ", collect(-r ./ 2), " ", collect(1 .- r))
# CHECK-NEXT: [-1.0, 0.0, 1.0, 2.0, 3.0] [1.0, 3.0, 5.0, 7.0, 9.0] [-0.0, -0.5, -1.0, -1.5, -2.0] [1.0, 0.0, -1.0, -2.0, -3.0]
println((r .- 1) isa LinRange, " ", sum((r .- 2) .^ 2), " ", size((r .- 2) .* (r .- 2)'))
# CHECK-NEXT: true 10.0 (5, 5)
