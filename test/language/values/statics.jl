# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Static arrays by the documentation of StaticArrays.jl and LinearAlgebra.

using StaticArrays
using LinearAlgebra
using StaticArrays: SVector, @SVector

const offsets = @SMatrix [1 2; 3 4]
struct Particle; position::SVector{3,Float32}; mass::Float32; end
sum_all(a, b, c) = a + b + c
function total(v)
    s = zero(eltype(v))
    for x in v
        s += x
    end
    return s
end
function chosen(v, i)
    return v[i]
end

#! statics1(o; 3; 2.5f0; 4.0)
function statics1(o, n, f, x)
    v = SVector(1.0, 2.0, x)
    w = SVector{3}(n, f, 1)
    put(o, 1, v[3])  #: f64(4.0)
    put(o, 2, chosen(v, n))  #: f64(4.0)
    put(o, 3, w[1])  #: f32(3.0)
    put(o, 4, SVector{3,Int16}(1, 2, n)[3])  #: i16(3)
    put(o, 5, SVector{2,Float32}((n, 1))[1])  #: f32(3.0)
    put(o, 6, SVector((n, f))[1])  #: f32(3.0)
    put(o, 7, length(v))  #: i64(3)
    put(o, 8, size(v)[1])  #: i64(3)
    put(o, 9, eltype(w) === Float32)  #: true
    put(o, 10, length(SVector{4,Int}))  #: i64(4)
    put(o, 11, ndims(offsets))  #: i64(2)
    put(o, 12, size(offsets, 2))  #: i64(2)
    put(o, 13, v isa AbstractVector{Float64})  #: true
    put(o, 14, v isa StaticVector{3})  #: true
    put(o, 15, offsets isa SMatrix{2,2,Int,4})  #: true
    put(o, 16, total(v))  #: f64(7.0)
    put(o, 17, sum(v))  #: f64(7.0)
    put(o, 18, prod(w))  #: f32(7.5)
    put(o, 19, maximum(v))  #: f64(4.0)
    put(o, 20, minimum(abs, -v))  #: f64(1.0)
    put(o, 21, sum(abs2, v))  #: f64(21.0)
    put(o, 22, any(x -> x > 3, v))  #: true
    put(o, 23, all(x -> x > 3, v))  #: false
    put(o, 24, count(x -> x > 1, v))  #: i64(2)
    put(o, 25, reduce(max, v))  #: f64(4.0)
    put(o, 26, mapreduce(abs2, +, w))  #: f32(16.25)
    put(o, 27, foldl(-, v))  #: f64(-5.0)
    put(o, 28, sum(SVector{0,Float32}()))  #: f32(0.0)
    put(o, 29, sum(SVector{2,Int8}(100, 100)))  #: i64(200)
    put(o, 30, map(abs2, w)[2])  #: f32(6.25)
    put(o, 31, map(+, v, w)[3])  #: f64(5.0)
    put(o, 32, (v + w)[2])  #: f64(4.5)
    put(o, 33, (v - w)[1])  #: f64(-2.0)
    put(o, 34, (-w)[1])  #: f32(-3.0)
    put(o, 35, (2 * w)[2])  #: f32(5.0)
    put(o, 36, (w * 2)[2])  #: f32(5.0)
    put(o, 37, (v / 2)[3])  #: f64(2.0)
    put(o, 38, (2 \ v)[3])  #: f64(2.0)
    put(o, 39, (v .+ 1)[3])  #: f64(5.0)
    put(o, 40, (v .* w .+ n)[2])  #: f64(8.0)
    put(o, 41, sqrt.(SVector(4.0, 9.0))[2])  #: f64(3.0)
    put(o, 42, (v .> 1)[1])  #: false
    put(o, 43, (v .+ (1, 2, 3))[3])  #: f64(7.0)
    put(o, 44, (offsets .* SVector(10, 100))[2, 1])  #: i64(300)
    put(o, 45, (offsets .+ SVector(1, 2)')[1, 2])  #: i64(4)
    put(o, 46, sum(clamp.(v, 1.5, 3)))  #: f64(6.5)
    put(o, 47, v == SVector(1, 2, 4))  #: true
    put(o, 48, v == w)  #: false
    put(o, 49, v ≈ SVector(1, 2, 4.000000001))  #: true
    put(o, 50, setindex(v, 9, 2)[2])  #: f64(9.0)
    put(o, 51, v[2])  #: f64(2.0)
    put(o, 52, setindex(offsets, 7, 1, 2)[1, 2])  #: i64(7)
    put(o, 53, setindex(v, 9, n)[3])  #: f64(9.0)
    (a, b, c) = v
    put(o, 54, c)  #: f64(4.0)
    put(o, 55, sum_all(v...))  #: f64(7.0)
    put(o, 56, v.y)  #: f64(2.0)
    put(o, 57, v[1] * 100 + v[end])  #: f64(104.0)
    put(o, 58, v[SVector(3, 1)][1])  #: f64(4.0)
    put(o, 59, Tuple(v)[2])  #: f64(2.0)
    put(o, 60, convert(SVector{3,Float32}, v)[3])  #: f32(4.0)
    put(o, 61, SVector{3,Float32}(v)[3])  #: f32(4.0)
    put(o, 62, Float32.(v)[3])  #: f32(4.0)
    put(o, 63, argmax(v))  #: i64(3)
    put(o, 64, findfirst(x -> x > 1, v))  #: i64(2)
    put(o, 65, 2.0 in v)  #: true
    put(o, 66, push(v, 5)[4])  #: f64(5.0)
    put(o, 67, length(popfirst(v)))  #: i64(2)
    put(o, 68, vcat(v, w)[4])  #: f64(3.0)
    put(o, 69, [v; 8][4])  #: f64(8.0)
    put(o, 70, reverse(v)[1])  #: f64(4.0)
    put(o, 71, sort(SVector(3, 1, 2))[2])  #: i64(2)
    put(o, 72, cumsum(SVector(1, 2, 3))[3])  #: i64(6)
    put(o, 73, circshift(v, 1)[1])  #: f64(4.0)
    put(o, 74, first(v) + last(v))  #: f64(5.0)
    p = Particle(SVector(1f0, 2f0, 3f0), 2f0)
    put(o, 75, (p.position * p.mass)[3])  #: f32(6.0)
end

#! statics2(o; 2.0; 3f0)
function statics2(o, x, f)
    a = SMatrix{2,2}(1.0, 2.0, 3.0, 4.0)
    put(o, 1, a[1, 2])  #: f64(3.0)
    put(o, 2, a[2])  #: f64(2.0)
    b = @SMatrix [1.0 x; 3.0 4.0]
    put(o, 3, b[1, 2])  #: f64(2.0)
    put(o, 4, b[2, 1])  #: f64(3.0)
    v = @SVector [x, 5]
    put(o, 5, v[2])  #: f64(5.0)
    put(o, 6, (b * v)[1])  #: f64(12.0)
    put(o, 7, (b * v)[2])  #: f64(26.0)
    put(o, 8, (a * b)[1, 2])  #: f64(14.0)
    put(o, 9, (a * b)[2, 1])  #: f64(14.0)
    c = SMatrix{2,3}(1, 2, 3, 4, 5, 6)
    put(o, 10, (c * SVector(1, 0, 2))[2])  #: i64(14)
    put(o, 11, (c' * c)[3, 1])  #: i64(17)
    put(o, 12, (c * c')[1, 2])  #: i64(44)
    put(o, 13, size(transpose(c), 1))  #: i64(3)
    put(o, 14, c'[3, 2])  #: i64(6)
    put(o, 15, v' * v)  #: f64(29.0)
    put(o, 16, (v * v')[2, 1])  #: f64(10.0)
    put(o, 17, (v' * b)[2])  #: f64(24.0)
    put(o, 18, v' * b * v)  #: f64(154.0)
    put(o, 19, dot(v, b * v))  #: f64(154.0)
    put(o, 20, v ⋅ v)  #: f64(29.0)
    put(o, 21, norm(SVector(3f0, 4f0)))  #: f32(5.0)
    put(o, 22, norm(SVector(3, 4)))  #: f64(5.0)
    put(o, 23, norm(SVector(3, -4), 1))  #: f64(7.0)
    put(o, 24, normalize(SVector(3f0, 4f0))[1])  #: f32(0.6, 1)
    put(o, 25, cross(SVector(1, 0, 0), SVector(0, 1, 0))[3])  #: i64(1)
    put(o, 26, (SVector(1, 2, 3) × SVector(4, 5, 6))[2])  #: i64(6)
    put(o, 27, cross(SVector(1, 0, 0), SVector(0, 1, 0)) isa SVector{3,Int})  #: true
    put(o, 28, det(a))  #: f64(-2.0)
    put(o, 29, tr(a))  #: f64(5.0)
    put(o, 30, inv(a)[1, 1])  #: f64(-2.0)
    put(o, 31, inv(a)[1, 2])  #: f64(1.5)
    put(o, 32, inv(a)[2, 1])  #: f64(1.0)
    put(o, 33, (inv(a) * a ≈ one(a)))  #: true
    m = @SMatrix [2f0 0 1; 1 f 0; 0 1 4]
    put(o, 34, det(m))  #: f32(25.0)
    put(o, 35, inv(m)[1, 1])  #: f32(12 / 25, 1)
    put(o, 36, inv(m)[2, 3])  #: f32(1 / 25, 1)
    put(o, 37, inv(m)[3, 1])  #: f32(1 / 25, 1)
    put(o, 38, inv(m)[1, 3])  #: f32(-3 / 25, 1)
    put(o, 39, (m \ SVector(25f0, 0f0, 0f0))[2])  #: f32(-4.0, 2)
    put(o, 40, det(SMatrix{1,1}(7.0)))  #: f64(7.0)
    put(o, 41, one(SMatrix{3,3,Float32})[2, 2])  #: f32(1.0)
    put(o, 42, one(SMatrix{3,3,Float32})[3, 2])  #: f32(0.0)
    put(o, 43, (a + I)[1, 1])  #: f64(2.0)
    put(o, 44, (a - 2I)[2, 2])  #: f64(2.0)
    put(o, 45, SMatrix{2,2,Float64}(I)[1, 1])  #: f64(1.0)
    put(o, 46, a[:, 2][1])  #: f64(3.0)
    put(o, 47, a[2, :][2])  #: f64(4.0)
    put(o, 48, a[:, 2] isa SVector{2,Float64})  #: true
    put(o, 49, a[:][3])  #: f64(3.0)
    put(o, 50, hcat(v, v)[1, 2])  #: f64(2.0)
    put(o, 51, zero(a)[1])  #: f64(0.0)
    put(o, 52, zeros(SVector{3,Float32})[3])  #: f32(0.0)
    put(o, 53, zeros(SVector{3})[3])  #: f64(0.0)
    put(o, 54, ones(SMatrix{2,2,Int})[4])  #: i64(1)
    put(o, 55, zero(SVector{2,Int32})[1])  #: i32(0)
    put(o, 56, fill(f, SVector{3,Float64})[3])  #: f64(3.0)
    put(o, 57, (@SVector zeros(3))[3])  #: f64(0.0)
    put(o, 58, (@SVector ones(Float32, 3))[2])  #: f32(1.0)
    put(o, 59, (@SVector fill(f, 3))[2])  #: f32(3.0)
    put(o, 60, (@SMatrix zeros(Int, 2, 3))[2, 3])  #: i64(0)
    put(o, 61, (@SVector [i * x for i in 1:3])[3])  #: f64(6.0)
    put(o, 62, (@SMatrix [10i + j for i in 1:2, j in 1:3])[2, 3])  #: i64(23)
    put(o, 63, (@SVector Float32[1, x])[2])  #: f32(2.0)
    put(o, 64, (@SMatrix Float32[1 2; 3 x])[2, 2])  #: f32(2.0)
    put(o, 65, (@SArray [1, 2, 3])[3])  #: i64(3)
    put(o, 66, SA[1, 2, x][2])  #: f64(2.0)
    put(o, 67, SA_F32[1, 2][2])  #: f32(2.0)
    put(o, 68, SA[1 2; 3 4][2, 1])  #: i64(3)
    put(o, 69, offsets[1, 2])  #: i64(2)
    z = SVector(1.0 + 2im, 3.0im)
    put(o, 70, real(dot(z, z)))  #: f64(14.0)
    put(o, 71, imag((z' * z)))  #: f64(0.0)
    put(o, 72, abs2(z[1]))  #: f64(5.0)
end

#! statics3(o; 3; 2.5f0)
function statics3(o, n, f)
    m = zeros(MMatrix{2,3,Float32})
    put(o, 1, m[2, 3])  #: f32(0.0)
    m[2, 3] = f
    put(o, 2, zero(m)[2, 3])  #: f32(0.0)
    put(o, 3, sum(m))  #: f32(2.5)
    put(o, 4, sum(ones(MVector{4,Int})))  #: i64(4)
    put(o, 5, zero(MVector{4,Int16})[n])  #: i16(0)
    k = @MVector [1, 2, n]
    k[1] = 7
    put(o, 6, k[1] + k[3])  #: i64(10)
    k .+= 1
    put(o, 7, k[1])  #: i64(8)
    put(o, 8, (k .* 2)[3])  #: i64(8)
    put(o, 9, (k + SVector(1, 2, 3))[3])  #: i64(7)
    q = @MMatrix [1.0 2.0; 3.0 4.0]
    q[1, 2] = 9
    put(o, 10, q[1, 2] * det(q))  #: f64(-207.0)
    put(o, 11, (@MVector zeros(Float32, 5))[5])  #: f32(0.0)
    put(o, 12, (@MMatrix ones(2, 2))[2, 2])  #: f64(1.0)
    put(o, 13, (q * SVector(1.0, 1.0))[1])  #: f64(10.0)
    s = similar(SVector(1.0, 2.0))
    s .= (3, 4)
    put(o, 14, s[2])  #: f64(4.0)
    put(o, 15, SVector{2}(s)[2])  #: f64(4.0)
    put(o, 16, MVector(1, 2, n)[3])  #: i64(3)
    put(o, 17, MMatrix{2,2,Float32}(1, 2, 3, 4)[1, 2])  #: f32(3.0)
    put(o, 18, norm(MVector(3.0, 4.0)))  #: f64(5.0)
    fill!(k, 5)
    put(o, 19, sum(k))  #: i64(15)
    put(o, 20, sum(zeros(MVector{300,Float32})))  #: f32(0.0)
    put(o, 21, copy(k)[1])  #: i64(5)
end
#! static_index(o; 4): status 1: BoundsError
static_index(o, i) = (o[1] = SVector(1, 2, 3)[i]; return)
#! static_change(o; 4): status 1: setindex\(A, v, i\) makes another one
static_change(o, x) = (v = SVector(1, 2, 3); v[1] = x; o[1] = v[1]; return)
#! static_count(o; 4): status 1: 3 elements cannot be made of 2
static_count(o, x) = (o[1] = SVector{3}(1, x)[1]; return)
#! static_det(o; 4): status 1: up to 3 rows
static_det(o, x) = (o[1] = det(zeros(SMatrix{4,4,Float64})) > 0 ? x : 0; return)
#! static_sizes(o; 4): status 1: DimensionMismatch
static_sizes(o, x) = (o[1] = (SVector(1, x) + SVector(1, 2, 3))[1]; return)
#! static_product_sizes(o; 4): status 1: DimensionMismatch
static_product_sizes(o, x) = (o[1] = (SMatrix{2,2}(1, 2, 3, x) * SVector(1, 2, 3))[1]; return)
# Arrays of static arrays, which expressions of the host make.
#! static_elements(o; zeros(SVector{3,Float32}, 2); fill(SVector(1f0, 2f0, 3f0), 2); SMatrix{3,3}(1f0, 0f0, 0f0, 0f0, 2f0, 0f0, 0f0, 0f0, 3f0))
function static_elements(o, a, b, m)
    put(o, 1, a[2][3])  #: f32(0.0)
    a[2] = m * b[1]
    put(o, 2, a[2][3])  #: f32(9.0)
    put(o, 3, sum(a[2]))  #: f32(14.0)
    a[1] = (1, 2, 3)
    put(o, 4, a[1].y)  #: f32(2.0)
    a .= b .+ Ref(SVector(1, 1, 1))
    put(o, 5, a[2][1])  #: f32(2.0)
end
