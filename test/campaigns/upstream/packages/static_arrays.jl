# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels over StaticArrays.jl's own sources: each writes its results one behind the other, as run.py computes them.
using StaticArrays
using LinearAlgebra

@inline function put(y, k, v)
    for i in 1:length(v)
        y[k+i] = v[i]
    end
    return k + length(v)
end
@inline put(y, k, v::Bool) = (y[k+1] = v ? 1 : 0; k + 1)
@inline put(y, k, v::Number) = (y[k+1] = v; k + 1)
@inline vector(x, from, ::Val{N}) where {N} = SVector{N}(ntuple(i -> x[from+i], Val(N)))
@inline matrix(x, from, ::Val{M}, ::Val{N}) where {M,N} = SMatrix{M,N}(ntuple(i -> x[from+i], Val(M * N)))

function constructors(y, x)
    k = put(y, 0, SVector(x[1], x[2], x[3]))
    k = put(y, k, SVector{2}(x[1], x[2]))
    k = put(y, k, SVector{2,Float32}(x[1], x[2]))
    k = put(y, k, SVector((x[4], x[5], x[6])))
    k = put(y, k, SMatrix{2,2}(x[1], x[2], x[3], x[4]))
    k = put(y, k, SMatrix{2,3,Float64}(x[1], x[2], x[3], x[4], x[5], x[6]))
    k = put(y, k, SMatrix{2,3,Float64,6}((x[1], x[2], x[3], x[4], x[5], x[6])))
    k = put(y, k, SArray{Tuple{2,2,2}}(x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]))
    k = put(y, k, @SVector [x[1], 2x[2]])
    k = put(y, k, @SVector [i * x[1] for i in 1:4])
    k = put(y, k, @SMatrix [x[1] x[2]; x[3] x[4]; x[5] x[6]])
    k = put(y, k, @SMatrix [x[i] + j for i in 1:2, j in 1:3])
    k = put(y, k, @SArray [x[1], x[2]])
    k = put(y, k, SA[x[1], x[2], x[3]])
    k = put(y, k, SA[x[1] x[2]; x[3] x[4]])
    k = put(y, k, SA_F32[x[1], x[2]])
    k = put(y, k, zeros(SVector{2,Float64}))
    k = put(y, k, ones(SMatrix{2,2,Float64}))
    k = put(y, k, fill(x[1], SVector{3,Float64}))
    k = put(y, k, zero(SVector{3,Float64}))
    k = put(y, k, one(SMatrix{3,3,Float64}))
    k = put(y, k, @SVector zeros(2))
    k = put(y, k, @SMatrix ones(2, 2))
    k = put(y, k, SMatrix{2,2}(2.0I))
    k = put(y, k, SVector{3}(i * x[2] for i in 1:3))
    k = put(y, k, SVector(1, 2.5, x[1]))
    k = put(y, k, convert(SVector{3,Float64}, (1, 2, 3)))
    return
end

function vectors(y, x)
    a, b = vector(x, 0, Val(3)), vector(x, 3, Val(3))
    k = put(y, 0, a + b)
    k = put(y, k, a - b)
    k = put(y, k, -a)
    k = put(y, k, 2a)
    k = put(y, k, a * 3.0)
    k = put(y, k, a / 4)
    k = put(y, k, 4 \ a)
    k = put(y, k, dot(a, b))
    k = put(y, k, a ⋅ b)
    k = put(y, k, a' * b)
    k = put(y, k, a * b')
    k = put(y, k, cross(a, b))
    k = put(y, k, a × b)
    k = put(y, k, norm(a))
    k = put(y, k, norm(a, 1))
    k = put(y, k, norm(a, Inf))
    k = put(y, k, normalize(b))
    k = put(y, k, a.x + a.y * a.z)
    k = put(y, k, a[2])
    k = put(y, k, a[SVector(3, 1)])
    k = put(y, k, a[:])
    k = put(y, k, vcat(a, b))
    k = put(y, k, hcat(a, b))
    k = put(y, k, [a; b])
    k = put(y, k, [a b])
    k = put(y, k, push(a, x[7]))
    k = put(y, k, pop(a))
    k = put(y, k, pushfirst(a, x[7]))
    k = put(y, k, popfirst(a))
    k = put(y, k, setindex(a, x[8], 2))
    k = put(y, k, reverse(a))
    k = put(y, k, cumsum(a))
    k = put(y, k, muladd(2.0, a, b))
    k = put(y, k, diff(a))
    k = put(y, k, sort(a))
    k = put(y, k, kron(a, b))
    k = put(y, k, length(a) + size(a, 1) + size(a, 2) + ndims(a))
    k = put(y, k, eltype(a) === Float64)
    k = put(y, k, a == a && a != b)
    k = put(y, k, a ≈ a .+ 1e-12)
    k = put(y, k, x[1] in a)
    k = put(y, k, similar_type(a, Float32) === SVector{3,Float32})
    k = put(y, k, similar_type(a, Size(2, 2)) === SMatrix{2,2,Float64,4})
    k = put(y, k, Size(a) === Size(3))
    k = put(y, k, prod(Size(hcat(a, b))))
    return
end

function broadcasts(y, x)
    a, b = vector(x, 0, Val(3)), vector(x, 3, Val(3))
    m = matrix(x, 0, Val(3), Val(2))
    k = put(y, 0, a .+ b)
    k = put(y, k, a .* b .- 1)
    k = put(y, k, sqrt.(abs.(a)))
    k = put(y, k, a .^ 2)
    k = put(y, k, m .+ a)
    k = put(y, k, m .* a .+ b)
    k = put(y, k, a .+ b')
    k = put(y, k, a .+ (1, 2, 3))
    k = put(y, k, max.(a, 0.5))
    k = put(y, k, ifelse.(a .> 0.5, a, b))
    k = put(y, k, Float32.(a))
    k = put(y, k, sum(abs2.(a .- b)))
    k = put(y, k, @. 2a + b^2 * sin(a))
    k = put(y, k, muladd.(a, b, 1.0))
    return
end

function reductions(y, x)
    a = vector(x, 0, Val(5))
    m = matrix(x, 0, Val(2), Val(3))
    k = put(y, 0, sum(a))
    k = put(y, k, prod(a))
    k = put(y, k, maximum(a))
    k = put(y, k, minimum(a))
    k = put(y, k, sum(abs2, a))
    k = put(y, k, mapreduce(abs, max, a))
    k = put(y, k, reduce(+, a))
    k = put(y, k, foldl(-, a))
    k = put(y, k, any(>(0.9), a))
    k = put(y, k, all(>(0), a))
    k = put(y, k, count(>(0.5), a))
    k = put(y, k, sum(m))
    k = put(y, k, sum(m; dims=1))
    k = put(y, k, sum(m, dims=2))
    k = put(y, k, maximum(m; dims=Val(1)))
    k = put(y, k, map(abs2, a))
    k = put(y, k, map(+, a, a))
    k = put(y, k, iszero(a - a))
    k = put(y, k, sum(SVector(1, 2, 3)))
    return
end

function matrices(y, x)
    A, B = matrix(x, 0, Val(3), Val(3)), matrix(x, 9, Val(3), Val(3))
    C = matrix(x, 0, Val(2), Val(3))
    v = vector(x, 18, Val(3))
    k = put(y, 0, A + B)
    k = put(y, k, A')
    k = put(y, k, transpose(C))
    k = put(y, k, tr(A))
    k = put(y, k, diag(A))
    k = put(y, k, A + I)
    k = put(y, k, A - 2I)
    k = put(y, k, A[2, 3])
    k = put(y, k, A[:, 2])
    k = put(y, k, A[1, :])
    k = put(y, k, A[SVector(1, 3), SVector(2, 3)])
    k = put(y, k, A[:, SVector(1, 2)])
    k = put(y, k, kron(SMatrix{2,2}(1.0, 2.0, 3.0, 4.0), C))
    k = put(y, k, norm(A))
    k = put(y, k, vec(C))
    k = put(y, k, reshape(C, Size(3, 2)))
    k = put(y, k, vcat(C, C))
    k = put(y, k, hcat(C, C))
    k = put(y, k, [A v])
    k = put(y, k, map(abs, A - B))
    return
end

function products(y, x)
    A, B = matrix(x, 0, Val(3), Val(3)), matrix(x, 9, Val(3), Val(3))
    C = matrix(x, 0, Val(2), Val(3))
    v = vector(x, 18, Val(3))
    k = put(y, 0, A * B)
    k = put(y, k, A * v)
    k = put(y, k, C * A)
    k = put(y, k, C * v)
    k = put(y, k, A' * B)
    k = put(y, k, v' * A)
    k = put(y, k, v' * A * v)
    k = put(y, k, A^2)
    k = put(y, k, Symmetric(A) * v)
    k = put(y, k, UpperTriangular(A) * v)
    k = put(y, k, Diagonal(v) * A)
    k = put(y, k, SDiagonal(v) * v)
    k = put(y, k, MArray{Tuple{2,2}}(x[1], x[2], x[3], x[4]) * SVector(1.0, 2.0))
    c = MVector{2,Float64}(undef)
    mul!(c, SMatrix{2,2}(x[1], x[2], x[3], x[4]), SVector(x[5], x[6]))
    k = put(y, k, c)
    k = put(y, k, SMatrix{3,3}(1.0I) * Point(x[1], x[2], x[3]))
    return
end

function solves(y, x)
    A2, A3, A4 = matrix(x, 0, Val(2), Val(2)), matrix(x, 0, Val(3), Val(3)), matrix(x, 0, Val(4), Val(4))
    b2, b3, b4 = vector(x, 16, Val(2)), vector(x, 16, Val(3)), vector(x, 16, Val(4))
    k = put(y, 0, det(A2))
    k = put(y, k, det(A3))
    k = put(y, k, det(A4))
    k = put(y, k, inv(A2))
    k = put(y, k, inv(A3))
    k = put(y, k, inv(A4))
    k = put(y, k, A2 \ b2)
    k = put(y, k, A3 \ b3)
    k = put(y, k, A3 \ A3)
    k = put(y, k, UpperTriangular(A3) \ b3)
    k = put(y, k, LowerTriangular(A3) \ b3)
    return
end

function factorizations(y, x)
    A4, b4 = matrix(x, 0, Val(4), Val(4)), vector(x, 16, Val(4))
    k = put(y, 0, A4 \ b4)
    F = lu(matrix(x, 0, Val(3), Val(3)))
    k = put(y, k, (F.L*F.U)[StaticArrays.invperm(F.p), :])
    S = matrix(x, 0, Val(3), Val(3))
    P = S * S' + 3I
    C = cholesky(P)
    k = put(y, k, C.U' * C.U)
    k = put(y, k, eigvals(Symmetric(P)))
    k = put(y, k, exp(matrix(x, 0, Val(2), Val(2))))
    Q, R = qr(S)
    k = put(y, k, Q * R)
    return
end

function mutables(y, x)
    m = MVector{4,Float64}(undef)
    for i in 1:4
        m[i] = x[i] * i
    end
    k = put(y, 0, m)
    m[2] += 10
    k = put(y, k, sum(m))
    k = put(y, k, SVector(m))
    M = MMatrix{2,2}(x[1], x[2], x[3], x[4])
    M[1, 2] = 7
    k = put(y, k, M)
    k = put(y, k, det(M))
    m .= m .+ 1
    k = put(y, k, m)
    m .*= 2
    k = put(y, k, m)
    fill!(m, x[5])
    k = put(y, k, m)
    z = zero(MVector{3,Float64})
    z[3] = x[6]
    k = put(y, k, z)
    n = MVector(x[1], x[2], x[3])
    n2 = copy(n)
    n2[1] = 0
    k = put(y, k, n - n2)
    return
end

struct Point <: FieldVector{3,Float64}
    x::Float64
    y::Float64
    z::Float64
end
function fields(y, x)
    p, q = Point(x[1], x[2], x[3]), Point(x[4], x[5], x[6])
    k = put(y, 0, p + q)
    k = put(y, k, 2p)
    k = put(y, k, (p + q) isa Point)
    k = put(y, k, dot(p, q))
    k = put(y, k, p .+ 1)
    return
end

# An array of static arrays, one a thread.
function rotated(points, angle)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= size(points, 2)
        s, c = sin(angle), cos(angle)
        v = SMatrix{2,2}(c, s, -s, c) * SVector(points[1, i], points[2, i])
        points[1, i], points[2, i] = v[1], v[2]
    end
    return
end
