# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# reinterpret of host arrays: a view of the bits, interpreted and compiled. Values are from Python's struct; types,
# texts and errors are those of Julia's manual.
#
# RUN: %kiln script %s | %filecheck %s
message(f) = try f() catch e replace(sprint(showerror, e), "\n" => " ") end
pretty(A) = show(stdout, MIME"text/plain"(), A)
f = Float32[1, 2, 3, 4]
u = reinterpret(UInt32, f)
# CHECK: Base.ReinterpretArray{UInt32, 1, Float32, Vector{Float32}, false} true false true IndexLinear() (1,)
println(typeof(u), " ", u isa StridedVector{UInt32}, " ", u isa Array, " ", parent(u) === f, " ", IndexStyle(u), " ", strides(u))
u[2] = 0x40a00000
# CHECK-NEXT: Float32[1.0, 5.0, 3.0, 4.0] UInt32[0x3f800000, 0x40a00000, 0x40400000, 0x40800000]
println(f, " ", u)
# CHECK-NEXT: 4-element reinterpret(UInt32, ::Vector{Float32}):
# CHECK-NEXT: {{^}} 0x3f800000
pretty(u)
# CHECK: true true Vector{UInt32} Vector{UInt32} Vector{UInt32} Vector{UInt32}
println("\n", reinterpret(Float32, u) === f, " ", reinterpret(UInt32, f) === u, " ", typeof(similar(u)), " ", typeof(copy(u)), " ", typeof(u .+ 0x1), " ", typeof(u[1:2]))
m = reshape(collect(Int32, 1:8), 4, 2)
r = reinterpret(Int64, m)
# CHECK-NEXT: (2, 2) (1, 2) 17179869187 34359738375 4 32
println(size(r), " ", strides(r), " ", r[2, 1], " ", r[end], " ", length(r), " ", sizeof(r))
s = reinterpret(Int16, m)
# CHECK-NEXT: (8, 2) (1, 8) 2 Int16[1, 0, 2, 0, 3, 0, 4, 0] Int16[2, 0]
println(size(s), " ", strides(s), " ", s[3, 1], " ", s[:, 1], " ", s[3:4, 1])
# CHECK-NEXT: (2, 4, 2) (1, 2, 8) 7
rr = reinterpret(reshape, Int16, m)
println(size(rr), " ", strides(rr), " ", rr[1, 3, 2])
# CHECK-NEXT: 3-element reinterpret(reshape, Complex{Int64}, ::Matrix{Int64}) with eltype Complex{Int64}:
# CHECK-NEXT:  1 + 4im
# CHECK-NEXT:  2 + 5im
# CHECK-NEXT:  3 + 6im
pretty(reinterpret(reshape, Complex{Int}, [1 2 3; 4 5 6]))
# CHECK-NEXT: 2×3 reinterpret(reshape, Int64, ::Vector{Tuple{Int64, Int64}}) with eltype Int64:
# CHECK-NEXT:  1  3  5
# CHECK-NEXT:  2  4  6
print("\n")
pretty(reinterpret(reshape, Int, [(1, 2), (3, 4), (5, 6)]))
u .= 0x3f800000
# CHECK: Float32[1.0, 1.0, 1.0, 1.0]
println("\n", f)
copyto!(u, UInt32[0, 0x3f800000])
u[3:4] = [0x3f800000, 0x40400000]
vec(r)[2] = 1
# CHECK-NEXT: Float32[0.0, 1.0, 1.0, 3.0] Int32[1, 2, 1, 0, 5, 6, 7, 8]
println(f, " ", vec(m))
# A row vector gives its parent, unless its elements are conjugates.
w, z = [1, 2, 3], [1im, 2]
# CHECK-NEXT: true true true Complex{Int64}[0 - 1im, 2 + 0im] false
println(vec(transpose(w)) === w, " ", vec(w') === w, " ", vec(transpose(z)) === z, " ", collect(vec(z')), " ", vec(z') === z)
push!(f, 9f0) # the view follows its parent
# CHECK-NEXT: 5 UInt32[0x41100000, 0x40400000, 0x3f800000, 0x3f800000, 0x00000000] (0x41100000, 5)
println(length(u), " ", reverse(u), " ", findmax(u))

# CHECK-NEXT: ArgumentError: cannot reinterpret an `Int32` array to `Int64` whose first dimension has size `3`
println(message(() -> reinterpret(Int64, Int32[1, 2, 3])))
# CHECK-NEXT: requires that `axes(a, 1)` (got Base.OneTo(3)) be equal to 1:2 (from the ratio of element sizes)
println(message(() -> reinterpret(reshape, Int64, Int32[1 2; 4 5; 7 8])))
# CHECK-NEXT: requires that one of `sizeof(T)` (got 3) and `sizeof(eltype(a))` (got 4) be an integer multiple of the other
println(message(() -> reinterpret(reshape, NTuple{3,UInt8}, Int32[1, 2, 3])))
# CHECK-NEXT: ArgumentError: cannot reinterpret `String` as `Int64`, type `String` is not a bits type
println(message(() -> reinterpret(Int64, ["a"])))
# CHECK-NEXT: ArgumentError: cannot reinterpret a zero-dimensional `Int32` array to `Int64` which is of a different size
println(message(() -> reinterpret(Int64, fill(Int32(1)))))
# CHECK-NEXT: ArgumentError: cannot reinterpret a `Int64` array to `Nothing` which is a singleton type
println(message(() -> reinterpret(Nothing, [1])))
# CHECK-NEXT: BoundsError: attempt to access 2×2 reinterpret(Int64, ::Matrix{Int32}) at index [3, 1]
println(message(() -> r[3, 1]))
z = reinterpret(UInt32, fill(1f0))
z[] = 0x40000000
# CHECK-NEXT: () 2.0 2-element view(reinterpret(UInt32, ::Vector{Float32}), 1:2) with eltype UInt32
println(size(z), " ", parent(z)[], " ", summary(view(u, 1:2)))

# Elements that lie across those of the parent, in an array and in a view.
bytes = NTuple{3,UInt8}
b = reinterpret(bytes, Int32[0x04030201, 0x08070605, 0x0c0b0a09])
b[2] = (0xff, 0xfe, 0xfd)
v = reinterpret(bytes, view(Int32[0, 0x04030201, 0x08070605, 0x0c0b0a09], 2:4))
v[2] = (0xff, 0xfe, 0xfd)
# CHECK-NEXT: Int32[-16580095, 134741502, 202050057] true (0x0a, 0x0b, 0x0c) Int32[-16580095, 134741502, 202050057]
println(parent(b), " ", b == v, " ", v[4], " ", parent(v))
w = reinterpret(Int64, view(m, :, 2))
w[1] = 7
# CHECK-NEXT: Int32[7, 0, 7, 8] 5 true
P = PermutedDimsArray(Int32[1 2 3; 4 5 6], (2, 1))
println(m[:, 2], " ", reinterpret(reshape, Int16, P)[1, 2, 2], " ", reinterpret(Float32, P) == reinterpret(Float32, Int32[1 4; 2 5; 3 6]))
struct Padded
    a::UInt8
    b::UInt32
end
q = reinterpret(UInt64, [Padded(1, 2)])
q[1] = 0x0000000900000003
# CHECK-NEXT: false true Padding of type UInt64 is not compatible with type Padded. Padded(0x03, 0x00000009)
println(q.readable, " ", q.writable, " ", message(() -> q[1]), " ", parent(q)[1])
# CHECK-NEXT: true false Padded(0x03, 0x00000009)
q2 = reinterpret(Padded, [0x0000000900000003])
println(q2.readable, " ", q2.writable, " ", q2[1])

# ---- compiled loops
function total(r)
    s = zero(eltype(r))
    for i in eachindex(r)
        s += r[i]
    end
    return s
end
function fnv(a) # the view is made in compiled code
    h = 0xcbf29ce484222325
    for x in reinterpret(UInt32, a)
        h = (h ⊻ x) * 0x100000001b3
    end
    return h
end
function flip!(r)
    for i in eachindex(r)
        r[i] = r[i] ⊻ 0x80000000
    end
    return r
end
function rows!(r, m)
    for j in axes(m, 2), i in axes(m, 1)
        r[i, j] += m[i, j]
    end
    return r
end
f = Float32.(1:100000)
u = reinterpret(UInt32, f)
# CHECK-NEXT: 5704608266721397157 1899574111589314487 1742383104
println(fnv(f), " ", fnv(f[1:3]), " ", total(u))
flip!(u)
# CHECK-NEXT: -1.0 -100000.0 3.5358552125181645e23
println(f[1], " ", f[end], " ", total(reinterpret(Float64, [1f0 * i for i in 1:1000])))
m = reshape(collect(Int32, 1:20000), 100, 200)
r = reinterpret(Int64, m)
# CHECK-NEXT: 429539679372960000 Int32[2, 2, 4, 4] Int32[19902, 19902, 19904, 19904] 200020000
println(total(r), " ", rows!(r, ones(Int, 50, 200)) === r ? m[1:4, 1] : 0, " ", m[1:4, 200], " ", sum(m))
v = view(collect(Int32, 1:8000), 1001:5000)
# CHECK-NEXT: 25778393716592000 64 [1000, -2147482647, -2147482646]
println(total(reinterpret(Int64, v)), " ", total(reinterpret(UInt8, v)), " ", Int.((flip!(reinterpret(UInt32, v)); parent(v)[1000:1002])))
put!(t) = (for i in eachindex(t); t[i] = (i % UInt8, (i >> 8) % UInt8, 0x01); end; t)
t = put!(reinterpret(bytes, zeros(Float32, 3000)))
tv = put!(reinterpret(bytes, view(zeros(Float32, 6000), 1:3000)))
# CHECK-NEXT: Float32[9.477424f-38, 2.75865f-40, 2.351276f-38] (0xa0, 0x0f, 0x01) true
println(parent(t)[1:3], " ", tv[end], " ", t == tv)
# CHECK-NEXT: UInt32[0x3f800000, 0x40000000] 5.00005e9 0xc47a0001
println((u .⊻ 0x80000000)[1:2], " ", sum(Float64.(reinterpret(Float32, u .⊻ 0x80000000))), " ", repr((view(u, 1:1000).+0x1)[1000]))
