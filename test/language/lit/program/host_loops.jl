# RUN: %kiln script --device cpu %s | %filecheck %s
# Calls in host loops mean the same in each round: new methods and types count at once, and so do new values of variables.
using CUDA

# A method that is replaced inside of a loop.
price(x) = x + 1
function prices()
    values = Int[]
    for round in 1:3000
        round == 1000 && @eval price(x) = 10x
        round == 2000 && @eval price(x::Int) = -x
        push!(values, price(round))
    end
    return values
end
values = prices()
println(values[[1, 999, 1000, 1999, 2000, 3000]])
# CHECK: [2, 1000, 10000, 19990, -2000, -3000]
for round in 1:40
    global last = price(7)
    round == 20 && @eval price(x::Int) = "seven"
end
println(last)
# CHECK-NEXT: seven

# A method for a new type, after calls of other types.
abstract type Shape end
struct Square <: Shape; side::Float64; end
area(s::Square) = s.side^2
total(shapes) = (sum = 0.0; for s in shapes; sum += area(s); end; sum)
shapes = Shape[Square(k) for k in 1:100]
println(total(shapes))
# CHECK-NEXT: 338350.0
struct Disk <: Shape; radius::Float64; end
push!(shapes, Disk(1.0))
println(try total(shapes) catch e; e isa MethodError end)
# CHECK-NEXT: true
area(d::Disk) = 3.0d.radius^2
println(total(shapes))
# CHECK-NEXT: 338353.0
area(s::Square) = 1.0
println(total(shapes))
# CHECK-NEXT: 103.0

# A function that only passes its arguments on, and gets another method.
struct Point; x; y; end
first_of(p) = getfield(p, 1)
points = Any[]
for k in 1:200
    push!(points, first_of(Point(k, 0)))
    k == 100 && @eval first_of(p::Point) = -getfield(p, :x)
end
println(points[[1, 100, 101, 200]])
# CHECK-NEXT: [1, 100, -101, -200]
Base.getproperty(p::Point, name::Symbol) = name === :sum ? getfield(p, :x) + getfield(p, :y) : getfield(p, name)
println([Point(k, 2k).sum for k in 1:3], Point(4, 5).y)
# CHECK-NEXT: [3, 6, 9]5
println(try first_of(()) catch e; e end)
# CHECK-NEXT: BoundsError

# A field of abstract type, whose values change their type from round to round.
mutable struct Cell; value; step::Function; end
function run_cell(c, rounds)
    seen = Any[]
    for k in 1:rounds
        c.value = c.step(c.value)
        push!(seen, typeof(c.value))
        k == 500 && (c.step = x -> string(x))
        k == 501 && (c.step = x -> length(x) + 0.5)
    end
    return seen
end
c = Cell(0, x -> x + 1)
seen = run_cell(c, 502)
println(seen[[1, 500, 501, 502]], " ", c.value)
# CHECK-NEXT: Any[Int64, Int64, String, Float64] 3.5

# Arrays of the device in such a field: other element types, dimensions and shapes.
mutable struct Layer; data; f::Function; end
step!(l) = (l.data = l.f.(l.data) .+ 1; nothing)
l = Layer(CuArray([1, 2, 3]), abs)
for k in 1:30
    k == 11 && (l.data = CuArray(Float32[1 2; 3 4]))
    k == 21 && (l.f = x -> -x)
    k == 25 && (l.data = CuArray([1.5]))
    step!(l)
end
println(typeof(Array(l.data)), " ", Array(l.data), " ", size(l.data))
# CHECK-NEXT: Vector{Float64} [1.5] (1,)
# Shapes: equal, repeated and not compatible, for one type.
A, b = CuArray(Float32[1 2; 3 4]), CuArray(Float32[10, 20])
for k in 1:5
    global R = A .+ reshape(b, 2, 1) .* A
end
println(Array(R))
# CHECK-NEXT: [11.0 22.0; 63.0 84.0]
row = CuArray(Float32[1 2 3])
println(Array(row .+ reshape(CuArray(Float32[10, 20]), 2, 1)), " ", try row .+ CuArray(Float32[1 2]) catch e; typeof(e) end)
# CHECK-NEXT: [11.0 12.0 13.0; 21.0 22.0 23.0] DimensionMismatch
# The result overlaps an argument.
v = CuArray([1, 2, 3, 4])
for k in 1:3
    view(v, 2:4) .= view(v, 1:3) .+ 1
end
println(Array(v))
# CHECK-NEXT: [1, 2, 3, 4]
# Functions with captured arrays and numbers, new ones in each round.
function shifted(x, rounds)
    for k in 1:rounds
        y = x .* k
        x = (z -> z + k).(y)
    end
    return Array(x)
end
println(shifted(CuArray([1, 0]), 4))
# CHECK-NEXT: [88, 64]
freed = CuArray([1, 2])
println(Array(freed .+ 1))
# CHECK-NEXT: [2, 3]
CUDA.unsafe_free!(freed)
println(try freed .+ 1 catch e; typeof(e) end)
# CHECK-NEXT: ArgumentError

# Closures over variables that change, and that are shared.
function counters()
    n = 0
    add() = (n += 1; n)
    read() = n
    log = Int[]
    for k in 1:400
        add()
        k % 100 == 0 && push!(log, read())
        k == 200 && (n = -200)
    end
    return log, n
end
println(counters())
# CHECK-NEXT: ([100, 200, -100, 0], 0)
function scaled_by_shared(x)
    factor = 1
    scale = y -> y * factor
    parts = Int[]
    for k in 1:3
        factor = 10k
        append!(parts, Array(scale.(x)))
    end
    return parts
end
println(scaled_by_shared(CuArray([1, 2])))
# CHECK-NEXT: [10, 20, 20, 40, 30, 60]

# Products: of wrapped factors, of vectors, of other element types.
M = CuArray(Float32[1 2; 3 4])
for k in 1:3
    global P = M * M'
    global Q = transpose(M) * CuArray(Float32[1, 1])
end
println(Array(P), Array(Q), Array(CuArray([1 2; 3 4]) * CuArray([1 0; 0 2])))
# CHECK-NEXT: {{.*}}[5.0 11.0; 11.0 25.0]{{.*}}[4.0, 6.0]{{.*}}[1 4; 3 8]
println(try M * CuArray(Float32[1 2 3]) catch e; typeof(e) end)
# CHECK-NEXT: DimensionMismatch
big = CUDA.ones(Float32, 40, 30)
println(sum(big * CUDA.ones(Float32, 30, 20)), " ", sum(big' * CUDA.ones(Float32, 40, 20)))
# CHECK-NEXT: 24000.0 24000.0

# Exceptions in a loop name the same place each time, and the next round goes on.
function guarded(list)
    messages = String[]
    for x in list
        try
            push!(messages, string(sqrt(x)))
        catch e
            push!(messages, e isa DomainError ? "domain" : "method")
        end
    end
    return messages
end
println(guarded(Any[4.0, -1.0, "a", 9.0, -1.0]))
# CHECK-NEXT: ["2.0", "domain", "method", "3.0", "domain"]
