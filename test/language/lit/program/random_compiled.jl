# RUN: %kiln script --device cpu %s | %filecheck %s
# Compiled code of a program draws the numbers that the host's functions draw for an array, in the same order.
using Random
function same(f, g)
    Random.seed!(11)
    (a, x) = (f(), rand(UInt64))
    Random.seed!(11)
    (b, y) = (g(), rand(UInt64))
    return a == b && typeof(a) == typeof(b) && x == y
end
n = 500
for T in (Float64, Float32, Float16, Bool, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Int128, UInt128, ComplexF64, ComplexF32, Complex{Int32})
    same(() -> rand(T, n), () -> [rand(T) for _ in 1:n]) || println("rand ", T)
    same(() -> rand(T, n), () -> rand!(Vector{T}(undef, n))) || println("rand! ", T)
end
for T in (Float64, Float32, Float16, ComplexF64, ComplexF32)
    same(() -> randn(T, n), () -> [randn(T) for _ in 1:n]) || println("randn ", T)
end
for T in (Float64, Float32, Float16)
    same(() -> randexp(T, n), () -> [randexp(T) for _ in 1:n]) || println("randexp ", T)
end
A = collect(10.0:10.0:90.0)
println(same(() -> rand(1:6, n), () -> [rand(1:6) for _ in 1:n]), same(() -> rand(A, n), () -> [rand(A) for _ in 1:n]),
    same(() -> rand(2:3:20, n), () -> [rand(2:3:20) for _ in 1:n]), same(() -> rand((1, 2, 3), n), () -> [rand((1, 2, 3)) for _ in 1:n]))
# CHECK: {{^}}truetruetruetrue

function near_pi(n)
    hits = 0
    for _ in 1:n
        hits += rand()^2 + rand()^2 < 1
    end
    return 4 * hits / n
end
hits(u) = count(k -> u[2k-1]^2 + u[2k]^2 < 1, 1:length(u)÷2)
Random.seed!(3)
u = rand(200_000)
Random.seed!(3)
println(near_pi(100_000) == 4 * hits(u) / 100_000)
# CHECK-NEXT: true
arrays(n) = (A = rand(n); B = rand(1:3, n); C = randn(Float32, 2, n); (A, B, C))
println(same(() -> map(sum, (rand(5000), rand(1:3, 5000), randn(Float32, 2, 5000))), () -> map(sum, arrays(5000))))
# CHECK-NEXT: true
draws(r, n) = (s = 0.0; for _ in 1:n; s += rand(r); end; s)
(r, q) = (Xoshiro(1), Xoshiro(1))
println(draws(r, 100_000) ≈ sum(rand(q, 100_000)), rand(r) == rand(q))
# CHECK-NEXT: truetrue

# A call that fails, or that begins anew as compiled code, draws its numbers once.
function fails(n)
    s = 0
    for k in 1:n
        s += rand(1:6)
        k == n && error("the end")
    end
    return s
end
function begins_interpreted(n)
    s = 0.0
    for _ in 1:n
        s += rand()
    end
    return s
end
for n in (700, 30_000)
    Random.seed!(4)
    rand(1:6, n)
    next = rand()
    Random.seed!(4)
    try
        fails(n)
    catch e
        print(e.msg, " ")
    end
    println(rand() == next)
end
# CHECK-NEXT: the end true
# CHECK-NEXT: the end true
Random.seed!(6)
v = rand(40_000)
Random.seed!(6)
println(begins_interpreted(40_000) ≈ sum(v))
# CHECK-NEXT: true
