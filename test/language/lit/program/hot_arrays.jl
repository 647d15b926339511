# RUN: %kiln script --device cpu %s | %filecheck %s
# RUN: env KILN_LOG=debug %kiln script --device cpu %s 2>&1 | %filecheck %s --check-prefix=KEPT --implicit-check-not 'temporaries(::Int64) stays' --implicit-check-not 'sieve(::Int64) stays'
# Compiled code makes arrays: what they hold, who gets them, when they go.
function sieve(n)
    is = fill(true, n)
    is[1] = false
    for i in 2:isqrt(n)
        is[i] || continue
        for j in i*i:i:n
            is[j] = false
        end
    end
    return is
end
# CHECK: 148933
println(sum(sieve(2_000_000)))
# As many primes below 10^k as are known.
# CHECK-NEXT: [4, 25, 168, 1229, 9592]
println([sum(sieve(10^k)) for k in 1:5])

# Two arrays change places; one of them is given.
function diffused(n, steps)
    u = zeros(n)
    v = similar(u)
    u[div(n, 2)] = 1024.0
    for _ in 1:steps
        for i in 2:n-1
            v[i] = 0.25 * u[i-1] + 0.5 * u[i] + 0.25 * u[i+1]
        end
        v[1] = v[n] = 0.0
        u, v = v, u
    end
    return u
end
# Binomial coefficients of 8 over 4^4 = 256: 1024 / 256 = 4 each.
# CHECK-NEXT: [4.0, 32.0, 112.0, 224.0, 280.0, 224.0, 112.0, 32.0, 4.0]
diffused(400, 400)
println(diffused(400, 4)[196:204])

# What is not needed any more goes while the call runs: 6.4 GB in all, by ones of 8 kB.
function temporaries(n)
    total = 0.0
    kept = [1.5, 2.5]
    for i in 1:n
        x = zeros(1000)
        x[7] = i
        y = x .+ 1.0
        total += y[7] + kept[2]
    end
    return total, kept
end
# The sum of i + 3.5 for i to 400,000.
# CHECK-NEXT: (8.00016e10, [1.5, 2.5])
println(temporaries(400_000))
peak() = parse(Int, split(only(filter(l -> startswith(l, "VmHWM"), readlines("/proc/self/status"))))[2])
# CHECK-NEXT: true
println(peak() < 1_000_000)
many(n) = (t = 0; for k in 1:n; t += length([i * k for i in 1:10]); end; t)
# CHECK-NEXT: 30000000
println(many(3_000_000))
# CHECK-NEXT: true
println(peak() < 1_000_000)
# One array for each call that is open is needed, whoever else makes some.
function nested(n)
    x = fill(n, 100)
    n == 0 && return 0
    below = nested(n - 1)
    return below + x[100] + length(zeros(10_000)) - 10_000
end
# CHECK-NEXT: 500500
nested(10); nested(100); nested(400)
println(nested(1000))

# Several arrays, in tuples, structs and named tuples; their types; arrays that were given are themselves.
struct Cloud
    x::Vector{Float64}
    w::Matrix{Int}
    n::Int
end
function cloud(n)
    x = [i / 2 for i in 1:n]
    w = zeros(Int, 2, n)
    for i in 1:n
        w[2, i] = i
    end
    return Cloud(x, w, n)
end
for _ in 1:300; cloud(40); end
# CHECK-NEXT: Cloud([0.5, 1.0, 1.5], [0 0 0; 1 2 3], 3)
println(cloud(3))
halves(v) = (a = v[1:2:end], b = v[2:2:end], n = length(v))
given(v, n) = (w = zeros(n); for i in 1:n; w[i] = v[i]; end; (v, w, w))
v = [Float64(i) for i in 1:400]
given(v, 400)
# CHECK-NEXT: true true false (Vector{Float64}, 3)
(a, b, c) = given(v, 3)
println(a === v, " ", b === c, " ", b === v, " ", (typeof(b), length(c)))
for _ in 1:2000; halves(v); end
# CHECK-NEXT: (a = [1.0, 3.0], b = [2.0, 4.0], n = 4)
println(halves(v[1:4]))

# Parts, copies, products, conversions, literals.
function parts(A)
    s = 0.0
    for j in 1:size(A, 2)
        c = A[:, j]
        r = A[j, 2:end]
        s += sum(c) * r[1] + sum(A[1:2, 1:2]) + length(A[:])
    end
    return s
end
A = [Float64(10i + j) for i in 1:20, j in 1:20]
# By Python: sum(sum(10*i+j for i in range(1,21))*(10*j+2) + sum(10*i+j for i in (1,2) for j in (1,2)) + 400 for j in range(1,21))
# CHECK-NEXT: 5.08572e6
println(parts(A))
squared(n) = (B = [Float64(i == j) + 1 for i in 1:n, j in 1:n]; C = B * B; C * ones(n))
# (E + J)^2 times ones = (n + 1)^2.
squared(50); squared(50); squared(50)
# CHECK-NEXT: [16.0, 16.0, 16.0]
println(squared(3))
literals(n) = (s = 0.0; for i in 1:n; v = [i, 2.0, 1f0]; w = Float32[i, 3]; u = copy(v); u[1] = 0; s += v[1] + w[2] + u[2]; end; s)
# The sum of i + 3 + 2 for i to 5,000.
# CHECK-NEXT: 1.25275e7
println(literals(5000))
odd_squares(n) = [i^2 for i in 1:n if isodd(i)]
for _ in 1:300; odd_squares(50); end
# CHECK-NEXT: [1, 9, 25, 49] 166650 Int64
println(odd_squares(7), " ", sum(odd_squares(99)), " ", eltype(odd_squares(0)))

# Exceptions: their kinds and what they hold.
outside(n) = (x = zeros(n); s = 0.0; for i in 1:n+1; s += x[i]; end; s)
try
    outside(3000)
catch e
    # CHECK-NEXT: BoundsError 3000
    println(typeof(e), " ", length(e.a))
end
negative(n) = (s = 0; for i in 1:2000; s += length(zeros(n)); end; s)
negative(3)
try
    negative(-1)
catch e
    # CHECK-NEXT: ArgumentError
    println(typeof(e))
end
function hoard(n)
    x = zeros(8)
    for i in 1:n
        i == 2500 && (x = zeros(2^40))
    end
    return length(x)
end
try
    hoard(3000)
catch e
    # CHECK-NEXT: OutOfMemoryError
    println(typeof(e))
end
# Elements that are no bits stay with the interpreter.
names(n) = (v = String[]; for i in 1:n; push!(v, string(i)); end; v)
# CHECK-NEXT: 3000
println(length(names(3000)))

# A loop that runs long on few elements begins anew as compiled code, and the elements with it.
function turns!(x, n)
    for _ in 1:n
        x[1], x[2] = x[2], x[1] + 1
    end
    return x
end
x = [0, 0]
# CHECK-NEXT: [1000000, 1000000] true
println(turns!(x, 2_000_000), " ", x[1] == 1_000_000)
function falls!(x, n)
    for i in 1:n
        x[1] += 1
        i == 5000 && (x[3] = 0)
    end
end
y = [0, 0]
try
    falls!(y, 10_000)
catch e
    # CHECK-NEXT: BoundsError [5000, 0]
    println(typeof(e), " ", y)
end
# KEPT: names(::Int64) stays interpreted
# Parts are stored into, arrays are added.
function parts_stored(n)
    A = zeros(3, n)
    for j in 1:n
        d = [1.0, 2.0, j] - [0.0, 1.0, 1.0]
        A[:, j] = d + d
        A[1, 1:2] = [j, 7]
    end
    A[2:3, 1:2] = [1.5 2.5; 3.5 4.5]
    v = zeros(6)
    v[2:2:6] = 1:3
    return A, v
end
for k in 1:300; parts_stored(20); end
# CHECK: ([3.0 7.0 2.0; 1.5 2.5 2.0; 3.5 4.5 4.0], [0.0, 1.0, 0.0, 2.0, 0.0, 3.0])
println(parts_stored(3))
unlike(n) = (s = 0.0; for i in 1:2000; s += sum(zeros(3) + zeros(n)); end; s)
unlike(3)
unlike_stored(n) = (A = zeros(3, 3); for i in 1:2000; A[:, 1] = zeros(n); end; A)
unlike_stored(3)
for f in (unlike, unlike_stored)
    try
        f(4)
    catch e
        println(typeof(e))
    end
end
# CHECK-NEXT: DimensionMismatch
# CHECK-NEXT: DimensionMismatch
