# RUN: %kiln script %s | %filecheck %s
# reshape, vec and reinterpret of host arrays share memory with their parent, as in Julia. Expected values are Julia's.
v = [1, 2, 3, 4, 5, 6]
m = reshape(v, 2, 3)
m[1, 2] = 30
println(v, " ", m)
# CHECK: [1, 2, 30, 4, 5, 6] [1 30 5; 2 4 6]
v[end] = 60
println(m[2, 3], " ", vec(m) == v, " ", reshape(v, 6) === v, " ", vec(v) === v)
# CHECK-NEXT: 60 true true true
w = vec(m)
w .= 7
println(v, " ", sum(m))
# CHECK-NEXT: [7, 7, 7, 7, 7, 7] 42
fill!(reshape(v, :, 2), 1)
println(v)
# CHECK-NEXT: [1, 1, 1, 1, 1, 1]
c = copy(m)
c[1] = 100
d = deepcopy(m)
d[1] = 200
println(v[1], " ", c[1], " ", d[1])
# CHECK-NEXT: 1 100 200

# The same bytes as other elements.
f = Float32[1, 2]
u = reinterpret(UInt32, f)
println(u == [0x3f800000, 0x40000000])
# CHECK-NEXT: true
u[1] = 0x40400000
println(f)
# CHECK-NEXT: Float32[3.0, 2.0]
z = ComplexF64[1 + 2im, 3]
reinterpret(Float64, z)[4] = 9
println(z)
# CHECK-NEXT: ComplexF64[1.0 + 2.0im, 3.0 + 9.0im]

# Copies into and out of them, loops and functions that are compiled.
big = zeros(1000)
grid = reshape(big, 10, 10, 10)
for k in 1:10, j in 1:10, i in 1:10
    grid[i, j, k] = i + 10j + 100k
end
println(big[1], " ", big[1000], " ", sum(big))
# CHECK-NEXT: 111.0 1110.0 610500.0
copyto!(grid, ones(1000))
println(sum(big))
# CHECK-NEXT: 1000.0
grid .*= 2
println(big[7])
# CHECK-NEXT: 2.0
both!(a, b) = (for i in eachindex(a); a[i] += 1; b[i] += 10; end; nothing)
both!(big, vec(grid))
println(big[1], " ", grid[1000], " ", sum(big))
# CHECK-NEXT: 13.0 13.0 13000.0

# What grows has memory of its own from then on; the other array keeps its elements.
p = [1, 2, 3, 4]
q = reshape(p, 2, 2)
push!(p, 5)
p[1] = 9
println(p, " ", q)
# CHECK-NEXT: [9, 2, 3, 4, 5] [1 3; 2 4]
