# RUN: %kiln script --device cpu %s | %filecheck %s
# What runs often or long is compiled, and gives what it gave before.
function series(n)
    s = 0.0
    for k in 1:n
        s += 1 / k^2
    end
    return s
end
println(abs(series(5_000_000) - pi^2 / 6) < 1e-6)
# CHECK: true
fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)
println(fib(27))
# CHECK-NEXT: 196418

# Arrays are what they were: their types, their identity.
kind(x::Vector{Int}) = "Vector{Int}"
kind(x::AbstractVector) = "AbstractVector"
kind(x) = "other"
function scaled!(y, x, a)
    for i in eachindex(x)
        y[i] = a * x[i]
    end
    return y
end
function kinds(x)
    n = 0
    for v in x
        n += kind(x) == "Vector{Int}" && x isa Vector && !(x isa Matrix) && typeof(x) === Vector{Int}
    end
    return n
end
x = collect(1:500)
y = zeros(Int, 500)
println(scaled!(y, x, 3) === y, " ", y[500], " ", sum(y), " ", kinds(x))
# CHECK-NEXT: true 1500 375750 500
same(a, b) = (s = 0; for i in eachindex(a); s += a === b; end; s)
println(same(x, x), " ", same(x, copy(x)))
# CHECK-NEXT: 500 0

# Exceptions have all that they had.
function at_most!(y, n)
    for i in 1:n
        y[i] = i
    end
end
try
    at_most!(zeros(Int, 300), 301)
catch e
    println(typeof(e), " ", e.i == 301 || e.i == (301,), " ", length(e.a))
end
# CHECK-NEXT: BoundsError true 300
root(v) = (s = 0.0; for i in 1:length(v); s += sqrt(v[i]); end; s)
v = ones(400)
println(root(v))
# CHECK-NEXT: 400.0
try
    [Int8(i) for i in 1:200]
catch e
    println(typeof(e))
end
# CHECK-NEXT: InexactError
try
    map(i -> i == 400 ? error("it is $i") : i, 1:500)
catch e
    println(e)
end
# CHECK-NEXT: ErrorException("it is 400")
endless(n) = 1 + endless(n + 1)
try
    endless(0)
catch e
    println(typeof(e))
end
# CHECK-NEXT: StackOverflowError

# Comprehensions, map, dotted calls, sort, reductions.
println(sum([i * j for i in 1:100, j in 1:100]), " ", size([i * j for i in 1:100, j in 1:50]))
# CHECK-NEXT: 25502500 (100, 50)
println(length([i for i in 1:1000 if i % 7 == 0]), " ", Float32[i / 2 for i in 1:100][3], " ", eltype([i / 2 for i in 1:100]))
# CHECK-NEXT: 142 1.5 Float64
println(eltype([i < 50 ? i : 0.5 for i in 1:100]), " ", [i < 50 ? i : 0.5 for i in 1:100][50])
# CHECK-NEXT: Real 0.5
println(map(abs2, collect(-100:100))[1], " ", sum(x .* 2 .+ 1), " ", maximum(collect(1:200)' .+ collect(1:100)))
# CHECK-NEXT: 10000 251000 300
w = [mod(i * 7919, 1009) for i in 1:1008]
println(sort(w) == collect(1:1008), " ", sort(w; rev=true)[1], " ", sortperm(w)[1:2], " ", sort(w; by=k -> -k)[2])
# CHECK-NEXT: true 1008 [244, 488] 1007
nans = [i % 3 == 0 ? NaN : -Float64(i) for i in 1:99]
println(isequal(sort(nans)[67], NaN), " ", sort(nans)[1])
# CHECK-NEXT: true -98.0
println(count(iseven, w), " ", any(==(1008), w), " ", findall(==(5), w) == [findfirst(==(5), w)], " ", issorted(w))
# CHECK-NEXT: 504 true true false

# What acts on more than its arguments stays as it is.
calls = Int[]
noted(k) = (push!(calls, k); k)
println(sum(noted(k) for k in 1:3000), " ", length(calls))
# CHECK-NEXT: 4501500 3000
function told(n)
    for i in 1:n
        i % 1000 == 0 && println("at ", i)
    end
end
told(2000)
# CHECK-NEXT: at 1000
# CHECK-NEXT: at 2000
using Random
function dice(n)
    s = 0
    for i in 1:n
        s += rand(1:6)
    end
    return s
end
Random.seed!(1)
a = [dice(1), dice(1), dice(1), dice(1)]
Random.seed!(1)
println(dice(4) == sum(a), " ", 3000 < dice(1000) < 4000, " ", length(unique([dice(1) for i in 1:200])))
# CHECK-NEXT: true true 6
counter = 0
function bump(n)
    for i in 1:n
        global counter += 1
    end
end
bump(3000)
println(counter)
# CHECK-NEXT: 3000

# Definitions that are replaced, globals that change, methods that are named.
step_of(i) = 1
walk(n) = (s = 0; for i in 1:n; s += step_of(i); end; s)
println(walk(5000))
# CHECK-NEXT: 5000
step_of(i) = 2
println(walk(5000))
# CHECK-NEXT: 10000
factor = 2
times(n) = (s = 0; for i in 1:n; s += factor; end; s)
println(times(4000))
# CHECK-NEXT: 8000
factor = 3
println(times(4000))
# CHECK-NEXT: 12000
h(n::Int) = "Int"
h(n) = (s = 0; for i in 1:n; s += 1; end; s)
println(invoke(h, Tuple{Any}, 5000))
# CHECK-NEXT: 5000

# Closures with arrays, structs with arrays, Bool, matrices.
struct Grid{A}
    cells::A
    width::Int
end
function alive(g::Grid)
    n = 0
    for j in 1:g.width, i in 1:g.width
        n += g.cells[i, j]
    end
    return n
end
println(alive(Grid([isodd(i * j) for i in 1:30, j in 1:30], 30)))
# CHECK-NEXT: 225
function product_of(A, B)
    C = zeros(size(A, 1), size(B, 2))
    for j in axes(B, 2), i in axes(A, 1), k in axes(A, 2)
        C[i, j] += A[i, k] * B[k, j]
    end
    return C
end
A = [Float64(i + j) for i in 1:12, j in 1:12]
println(product_of(A, A) == A * A)
# CHECK-NEXT: true
mutable struct Total
    sum::Int
end
add!(t, n) = (for i in 1:n; t.sum += i; end; t)
println(add!(Total(0), 3000).sum)
# CHECK-NEXT: 4501500

# Products and sums are rounded apart.
fused(x, y, z, n) = (s = 0.0; for i in 1:n; s += abs(x * y + z); end; s)
println(fused(1 + 2.0^-30, 1 - 2.0^-30, -1.0, 5000))
# CHECK-NEXT: 0.0

# What may be nothing, filter, accumulate.
println(findfirst(==(77), x), " ", findfirst(>(1000), x), " ", findlast(isodd, x))
# CHECK-NEXT: 77 nothing 499
maybe(n) = (s = 0; for i in 1:n; s += i; end; s > 10^7 ? nothing : s)
println(maybe(4000), " ", maybe(5000))
# CHECK-NEXT: 8002000 nothing
println(sum(filter(k -> k % 5 == 0, x)), " ", typeof(filter(iseven, [0.5k for k in 1:200])), " ", length(filter(k -> k > 500, x)))
# CHECK-NEXT: 25250 Vector{Float64} 0
println(cumsum(x)[end], " ", accumulate(max, w)[10], " ", accumulate((a, b) -> a + 0.5b, x)[1:2])
# CHECK-NEXT: 125250 947 [1.0, 2.0]
