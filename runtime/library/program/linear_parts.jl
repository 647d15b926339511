# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/orthogonal
# Linear algebra of programs without factorizations: parts of matrices, products, norms, the identity.
# ---- parts, products, norms
diag(A::AbstractMatrix) = [A[i, i] for i in 1:min(size(A, 1), size(A, 2))]
diag(A::AbstractMatrix, k::Integer) = [A[i+max(-k, 0), i+max(k, 0)] for i in 1:min(size(A, 1) - max(-k, 0), size(A, 2) - max(k, 0))]
# Logarithms of the pivots: the product of them may overflow.
function logabsdet(A::AbstractMatrix)
    n = checksquare(A)
    T = __divided_type(eltype(A))
    F = __matrix_of(T, A)
    p = collect(1:n)
    __lu!(F, p) == 0 || return (log(zero(real(T))), zero(T)) # as in Julia
    (size, phase) = (zero(real(T)), one(T))
    for k in 1:n
        size += log(abs(F[k, k]))
        phase *= p[k] == k ? sign(F[k, k]) : -sign(F[k, k])
    end
    return (size, phase)
end
logdet(A::AbstractMatrix) = ((size, phase) = logabsdet(A); size + log(phase))
diagm() = zeros(Bool, 0, 0)
diagm(v::AbstractVector) = diagm(0 => v)
function diagm(ps::Pair...)
    n = maximum(map(p -> length(p.second) + abs(p.first), ps))
    return diagm(n, n, ps...)
end
function diagm(m::Integer, n::Integer, ps::Pair...)
    A = zeros(promote_type(map(p -> eltype(p.second), ps)...), m, n)
    for p in ps, i in 1:length(p.second)
        A[i+max(-p.first, 0), i+max(p.first, 0)] += p.second[i]
    end
    return A
end
triu(A::AbstractMatrix, k::Integer=0) = [j - i >= k ? A[i, j] : zero(A[i, j]) for i in axes(A, 1), j in axes(A, 2)]
tril(A::AbstractMatrix, k::Integer=0) = [j - i <= k ? A[i, j] : zero(A[i, j]) for i in axes(A, 1), j in axes(A, 2)]
kron(A::AbstractMatrix, B::AbstractMatrix) =
    [A[div(i - 1, size(B, 1))+1, div(j - 1, size(B, 2))+1] * B[rem(i - 1, size(B, 1))+1, rem(j - 1, size(B, 2))+1] for i in 1:size(A, 1)*size(B, 1), j in 1:size(A, 2)*size(B, 2)]
kron(a::AbstractVector, b::AbstractVector) = [x * y for x in a for y in b]
kron(A::AbstractMatrix, b::AbstractVector) = kron(A, reshape(collect(b), length(b), 1))
kron(a::AbstractVector, B::AbstractMatrix) = kron(reshape(collect(a), length(a), 1), B)
function cross(a::AbstractVector, b::AbstractVector)
    length(a) == length(b) == 3 || throw(DimensionMismatch("cross product is only defined for vectors of length 3"))
    return [a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1]]
end
normalize(A::AbstractArray, p::Real=2) = A / norm(A, p)
normalize!(A::AbstractArray, p::Real=2) = (A ./= norm(A, p); A)
issymmetric(A::AbstractMatrix) = size(A, 1) == size(A, 2) && all(j -> all(i -> A[i, j] == transpose(A[j, i]), 1:j), 1:size(A, 2))
ishermitian(A::AbstractMatrix) = size(A, 1) == size(A, 2) && all(j -> all(i -> A[i, j] == adjoint(A[j, i]), 1:j), 1:size(A, 2))
*(a::AbstractVector, b::Union{Adjoint{<:Any,<:AbstractVector},Transpose{<:Any,<:AbstractVector}}) = [x * y for x in a, y in vec(collect(b))]
*(a::AbstractVector, B::AbstractMatrix) = reshape(collect(a), length(a), 1) * B
*(a::Adjoint{<:Any,<:AbstractVector}, B::AbstractMatrix) = adjoint(collect(adjoint(B)) * parent(a))
*(a::Transpose{<:Any,<:AbstractVector}, B::AbstractMatrix) = transpose(collect(transpose(B)) * parent(a))
*(a::Transpose{<:Any,<:AbstractVector}, b::AbstractVector) = sum(parent(a) .* b)
# A matrix times its own adjoint is exactly Hermitian, whatever the order of the sums is.
for (W, turn) in ((:Adjoint, :conj), (:Transpose, :identity))
    @eval *(A::Matrix{T}, B::$W{T,Matrix{T}}) where {T<:Number} = A === parent(B) ? __mirror!($turn, __times(A, B)) : __times(A, B)
    @eval *(A::$W{T,Matrix{T}}, B::Matrix{T}) where {T<:Number} = parent(A) === B ? __mirror!($turn, __times(A, B)) : __times(A, B)
end
function __mirror!(turn, C)
    for j in 1:size(C, 2)
        turn === conj && (C[j, j] = real(C[j, j]))
        for i in 1:j-1
            C[j, i] = turn(C[i, j])
        end
    end
    return C
end
function mul!(C::AbstractVecOrMat, A::AbstractVecOrMat, B::AbstractVecOrMat, alpha::Number=true, beta::Number=false)
    P = A isa AbstractVector && B isa AbstractVector ? reshape(A, :, 1) * B : A * B
    P isa Number && (P = [P])                      # of a row and a column
    size(C) == size(P) || throw(DimensionMismatch(string("C has dimensions ", size(C), ", should have ", size(P))))
    beta == false ? (C .= P .* alpha) : (C .= P .* alpha .+ C .* beta)
    return C
end
mul!(C::AbstractArray, x::Number, B::AbstractArray, alpha::Number=true, beta::Number=false) = (iszero(beta) ? (C .= x .* B .* alpha) : (C .= x .* B .* alpha .+ C .* beta); C)
mul!(C::AbstractArray, B::AbstractArray, x::Number, alpha::Number=true, beta::Number=false) = (iszero(beta) ? (C .= B .* x .* alpha) : (C .= B .* x .* alpha .+ C .* beta); C)
mul!(C::AbstractVecOrMat, A::AbstractVecOrMat, J::UniformScaling, alpha::Number=true, beta::Number=false) = mul!(C, A, J.λ, alpha, beta)
mul!(C::AbstractVecOrMat, J::UniformScaling, B::AbstractVecOrMat, alpha::Number=true, beta::Number=false) = mul!(C, J.λ, B, alpha, beta)
mul!(C::AbstractMatrix, J::UniformScaling, x::Number, alpha::Number=true, beta::Number=false) = mul!(C, J.λ, UniformScaling(x), alpha, beta)
function mul!(C::AbstractMatrix, x::Number, J::UniformScaling, alpha::Number=true, beta::Number=false)
    checksquare(C)
    iszero(beta) ? fill!(C, zero(eltype(C))) : isone(beta) || rmul!(C, beta)
    return __add_to_diagonal!(C, convert(eltype(C), x * J.λ * alpha))
end
__add_to_diagonal!(C, x) = (for i in axes(C, 1); C[i, i] += x; end; C)
ldiv!(A::AbstractMatrix, b::AbstractVecOrMat) = copyto!(b, A \ b)
ldiv!(y::AbstractVecOrMat, A::AbstractMatrix, b::AbstractVecOrMat) = copyto!(y, A \ b)
rmul!(A::AbstractArray, x::Number) = (A .*= x; A)
lmul!(x::Number, A::AbstractArray) = (A .= x .* A; A)
axpy!(a::Number, x::AbstractArray, y::AbstractArray) = (y .+= a .* x; y)
axpby!(a::Number, x::AbstractArray, b::Number, y::AbstractArray) = (y .= a .* x .+ b .* y; y)

# ---- sums of a matrix and UniformScaling, the identity matrix times a number
+(A::AbstractMatrix, J::UniformScaling) = (checksquare(A); [i == j ? A[i, j] + J.λ : A[i, j] + zero(J.λ) for i in axes(A, 1), j in axes(A, 2)])
+(J::UniformScaling, A::AbstractMatrix) = A + J
-(A::AbstractMatrix, J::UniformScaling) = A + -J
-(J::UniformScaling, A::AbstractMatrix) = -A + J
*(A::AbstractVecOrMat, J::UniformScaling) = A * J.λ
*(J::UniformScaling, A::AbstractVecOrMat) = J.λ * A
==(I::UniformScaling, J::UniformScaling) = I.λ == J.λ
==(J::UniformScaling, A::AbstractMatrix) = A == J
function ==(A::AbstractMatrix, J::UniformScaling)
    size(A, 1) == size(A, 2) || return false
    B = collect(A)
    return all(k -> B[k] == (k[1] == k[2] ? J.λ : zero(J.λ)), CartesianIndices(B))
end
/(J::UniformScaling, x::Number) = UniformScaling(J.λ / x)
/(A::AbstractMatrix, J::UniformScaling) = A / J.λ
\(J::UniformScaling, A::AbstractVecOrMat) = A / J.λ
getindex(J::UniformScaling, i::Integer, j::Integer) = i == j ? J.λ : zero(J.λ)
(J::UniformScaling)(n::Integer) = __identity(typeof(J.λ), J, n, n)
__identity(::Type{T}, J, m, n) where {T} = T[i == j ? J.λ : zero(J.λ) for i in 1:m, j in 1:n]
Matrix(J::UniformScaling, m::Integer, n::Integer) = __identity(typeof(J.λ), J, m, n)
Matrix(J::UniformScaling, dims::Tuple) = Matrix(J, dims...)
(::Type{Matrix{T}})(J::UniformScaling, m::Integer, n::Integer) where {T} = __identity(T, J, m, n)
(::Type{Matrix{T}})(J::UniformScaling, dims::Tuple) where {T} = __identity(T, J, dims...)
show(io::IO, ::MIME{Symbol("text/plain")}, J::UniformScaling) = print(io, __type_text(typeof(J)), "\n", J.λ, "*I")

dot(x::AbstractVector, A::AbstractMatrix, y::AbstractVector) = dot(x, A * y)
# ---- names that packages use, which LinearAlgebra does not export
chkstride1(arrays...) = all(A -> stride(A, 1) == 1, arrays) || error("matrix does not have contiguous columns")
sym_uplo(uplo::Char) = uplo == 'U' ? :U : uplo == 'L' ? :L : throw(ArgumentError("uplo argument must be either 'U' (upper) or 'L' (lower)"))
# (c, s, r) with [c s; -s c] * [f, g] == [r, 0]. f and g are scaled by a power of two, so that squares neither overflow
# nor underflow.
function givensAlgorithm(f::T, g::T) where {T<:AbstractFloat}
    iszero(g) && return (one(T), zero(T), f)
    iszero(f) && return (zero(T), one(T), g)
    k = exponent(max(abs(f), abs(g)))
    k = 2abs(k) < exponent(floatmax(T)) ? 0 : k
    (x, y) = (ldexp(f, -k), ldexp(g, -k))
    r = sqrt(x * x + y * y)
    abs(f) > abs(g) && f < 0 && (r = -r)
    return (x / r, y / r, ldexp(r, k))
end
# Elimination without pivots, or with the first element of a column that is not 0.
function __plain_lu!(F, p, skips_zeros)
    (m, n) = size(F)
    info = 0
    for k in 1:min(m, n)
        at = k
        while skips_zeros && at < m && iszero(F[at, k])
            at += 1
        end
        p[k] = at
        if iszero(F[at, k])
            info == 0 && (info = k)
            p[k] = k
            continue
        end
        for j in 1:(at == k ? 0 : n)
            (F[k, j], F[at, j]) = (F[at, j], F[k, j])
        end
        scale = inv(F[k, k])
        for i in k+1:m
            F[i, k] *= scale
        end
        for j in k+1:n, i in k+1:m
            F[i, j] -= F[i, k] * F[k, j]
        end
    end
    return info
end

module LinearAlgebra
import Base: chkstride1, sym_uplo, givensAlgorithm, SingularException, PosDefException, \, istriu, istril, isdiag, logdet, diag, diagm, triu, tril, kron, normalize!, issymmetric, ishermitian, opnorm, mul!, ldiv!, rmul!, lmul!, axpy!, axpby!,
    lu, lu!, factorize, issuccess, cholesky, isposdef, eigen, eigvals, eigvecs, eigmax, eigmin, svd, svdvals, schur, hessenberg, qr, pinv, nullspace, rank, cond, checksquare
module BLAS
import Base: axpy!, axpby!
set_num_threads(n) = nothing
get_num_threads() = 1
dot(x, y) = Base.dot(x, y)
nrm2(x) = Base.norm(x)
scal!(a, x) = Base.rmul!(x, a)
scal!(n::Integer, a, x, step::Integer) = (view(x, range(1; step=step, length=n)) .*= a; x)
form(t, A) = t == 'N' ? A : t == 'T' ? Base.transpose(A) : Base.adjoint(A)
gemv!(t, a, A, x, b, y) = Base.mul!(y, form(t, A), x, a, b)
gemv(t, a, A, x) = a * (form(t, A) * x)
gemv(t, A, x) = form(t, A) * x
gemm!(ta, tb, a, A, B, b, C) = Base.mul!(C, form(ta, A), form(tb, B), a, b)
gemm(ta, tb, a, A, B) = a * (form(ta, A) * form(tb, B))
gemm(ta, tb, A, B) = form(ta, A) * form(tb, B)
ger!(a, x, y, A) = (A .+= a .* x .* adjoint(y); A)
end
export SingularException, PosDefException, istriu, istril, isdiag, logdet, diag, diagm, triu, tril, kron, normalize!, issymmetric, ishermitian, opnorm, mul!, ldiv!, rmul!, lmul!, axpy!, axpby!,
    lu, lu!, factorize, issuccess, cholesky, isposdef, eigen, eigvals, eigvecs, eigmax, eigmin, svd, svdvals, schur, hessenberg, qr, pinv, nullspace, rank, cond, BLAS
end
