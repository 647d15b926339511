# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/rotations
# eigen, svd and functions based on them. rotations.jl has their loops.
struct __Eigen                                     # eigen(A)
    values
    vectors
end
struct __SVD                                       # svd(A)
    U
    S
    Vt
end
__eigen_of(values, vectors) = __Eigen(values, vectors) # an Eigen if that type is loaded: eigen_results.jl
__unit(T, n) = T[i == j ? one(T) : zero(T) for i in 1:n, j in 1:n]
function __check_finite(A)
    all(isfinite, A) || throw(ArgumentError("matrix contains Infs or NaNs"))
    return nothing
end
function __order_values(v)
    return eltype(v) <: Complex ? sortperm([(real(x), imag(x)) for x in v]) : sortperm(v)
end
function eigen(A::AbstractMatrix; sortby=nothing, permute::Bool=true, scale::Bool=true)
    n = checksquare(A)
    T = __divided_type(eltype(A))
    B = __matrix_of(T, A)
    __check_finite(B)
    if ishermitian(B)
        V = __unit(T, n)
        (a, b) = n == 2 ? (real(A[1, 1]), real(A[2, 2])) : (0, 0)
        n > 1 && __jacobi!(B, V)
        n == 2 && T <: Real && !iszero(V[1, 2]) && __sign_pair!(V, a, b, (a + b >= 0) == (B[1, 1] < B[2, 2]) ? 2 : 1)
        values = [real(B[i, i]) for i in 1:n]
        order = sortperm(values)
        return __eigen_of(values[order], V[:, order])
    end
    (values, V) = __general_eigen(B)
    order = sortby === nothing ? __order_values(values) : sortperm(values; by=sortby)
    return __eigen_of(values[order], V[:, order])
end
# Gives the eigenvectors of a real symmetric matrix with the diagonal (a, b) the signs of LAPACK's dlaev2. Column k
# belongs to the eigenvalue of larger magnitude; the other column is its quarter turn.
function __sign_pair!(V, a, b, k)
    is_turned = a + b >= 0 ? a > b : a < b         # then dlaev2 makes the first component negative
    is_positive = is_turned ? V[1, k] < 0 : a == b && a < 0 ? V[1, k] > 0 : V[2, k] > 0
    is_positive || (V[:, k] .*= -1)
    (V[1, 3-k], V[2, 3-k]) = (-V[2, k], V[1, k])
    return V
end
# Schur form B = Z * R * Z', with an upper triangular R of complex numbers.
function __schur_form(B, caller)
    T = typeof(complex(B[1, 1]))
    (R, Z) = (__matrix_of(T, B), __unit(T, size(B, 1)))
    __hessenberg!(R, Z)
    __triangular!(R, Z) < 0 && error(string(caller, ": the QR steps do not converge"))
    return (triu(R), Z)
end
function __general_eigen(B)
    n = size(B, 1)
    (H, Z) = __schur_form(B, "eigen")
    T = eltype(H)
    V = Matrix{T}(undef, n, n)
    __triangular_vectors!(V, H, Z, Vector{T}(undef, n))
    values = [H[i, i] for i in 1:n]
    if eltype(B) <: Real # complex eigenvalues occur in conjugate pairs; the other ones are real
        near = 100 * eps(float(maximum(abs, B))) * n
        values = map(x -> abs(imag(x)) <= near ? complex(real(x)) : x, values)
        all(x -> imag(x) == 0, values) && return (map(real, values), map(real, V))
        for k in 1:n
            imag(values[k]) > 0 || continue
            j = argmin([imag(values[i]) < 0 ? abs(values[i] - conj(values[k])) : Inf for i in 1:n])
            values[j] = conj(values[k])
            V[:, j] = conj(V[:, k])
        end
    end
    return (values, V)
end
eigvals(A::AbstractMatrix; kw...) = eigen(A; kw...).values
eigvals(F::__Eigen) = F.values
# The values of A * x == value * B * x.
function eigvals(A::AbstractMatrix, B::AbstractMatrix)
    ishermitian(A) && isposdef(B) || return eigvals(B \ A)
    L = cholesky(B).L
    C = L \ A / adjoint(L)
    return eigvals((C + adjoint(C)) ./ 2)
end
eigvecs(A::AbstractMatrix; kw...) = eigen(A; kw...).vectors
eigvecs(F::__Eigen) = F.vectors
eigmax(A::AbstractMatrix) = (v = eigvals(A); eltype(v) <: Complex ? throw(DomainError(A, "`A` cannot have complex eigenvalues.")) : maximum(v))
eigmin(A::AbstractMatrix) = (v = eigvals(A); eltype(v) <: Complex ? throw(DomainError(A, "`A` cannot have complex eigenvalues.")) : minimum(v))
iterate(F::__Eigen) = (F.values, 1)
iterate(F::__Eigen, k::Int) = k == 1 ? (F.vectors, 2) : nothing
inv(F::__Eigen) = F.vectors * diagm(map(inv, F.values)) * inv(F.vectors)
det(F::__Eigen) = prod(F.values)
show(io::IO, m::MIME{Symbol("text/plain")}, F::__Eigen) = __show_eigen(io, m, F)
(::Type{Array})(F::__Eigen) = __matrix_of_eigen(F)
(::Type{Matrix})(F::__Eigen) = __matrix_of_eigen(F)
__matrix_of_eigen(F) = (V = collect(F.vectors); V .* transpose(collect(F.values)) / V)
function __show_eigen(io, m, F)
    print(io, "Eigen{", eltype(F.vectors), ", ", eltype(F.values), ", ", typeof(F.vectors), ", ", typeof(F.values), "}\nvalues:\n")
    show(io, m, F.values)
    print(io, "\nvectors:\n")
    show(io, m, F.vectors)
    return nothing
end

function svd(A::AbstractMatrix; full::Bool=false, alg=nothing)
    if size(A, 1) < size(A, 2)
        F = svd(collect(adjoint(A)); full=full)
        return __SVD(collect(adjoint(F.Vt)), F.S, collect(adjoint(F.U)))
    end
    (m, n) = size(A)
    T = __divided_type(eltype(A))
    B = __matrix_of(T, A)
    __check_finite(B)
    V = __unit(T, n)
    n > 1 && __one_sided!(B, V)
    S = [norm(B[:, j]) for j in 1:n]
    order = sortperm(S; rev=true)
    S = S[order]
    U = Matrix{T}(undef, m, full ? m : n)
    for (k, j) in enumerate(order)
        S[k] > 0 && (U[:, k] = B[:, j] / S[k])
    end
    __complete!(U, count(s -> s > S[1] * eps(S[1] / S[1]) * 1.0e-3, S))
    return __SVD(U, S, collect(adjoint(V[:, order])))
end
# Fills the columns of U after the first `known` ones, so that all columns are orthonormal.
function __complete!(U, known)
    (m, n) = size(U)
    unit = 0
    for k in known+1:n
        while true
            unit += 1
            x = [i == unit ? one(eltype(U)) : zero(eltype(U)) for i in 1:m]
            for round in 1:2, j in 1:k-1
                x -= U[:, j] * dot(U[:, j], x)
            end
            if norm(x) > 0.5 / sqrt(m)
                U[:, k] = x / norm(x)
                break
            end
        end
    end
    return nothing
end
getproperty(F::__SVD, name::Symbol) = name === :V ? collect(adjoint(getfield(F, :Vt))) : getfield(F, name)
svdvals(A::AbstractMatrix) = svd(A).S
svdvals(F::__SVD) = F.S
iterate(F::__SVD) = (F.U, 1)
iterate(F::__SVD, k::Int) = k == 1 ? (F.S, 2) : k == 2 ? (F.V, 3) : nothing
function show(io::IO, m::MIME{Symbol("text/plain")}, F::__SVD)
    print(io, "SVD{", eltype(F.U), ", ", eltype(F.S), ", ", typeof(F.U), ", ", typeof(F.S), "}")
    return __show_parts(io, m, ("U factor", F.U), ("singular values", F.S), ("Vt factor", F.Vt))
end
\(F::__SVD, b::AbstractVecOrMat) = __pseudo(F, eps(F.S[1])) * b
function __pseudo(F, tolerance)
    r = count(s -> s > tolerance, F.S)
    return F.V[:, 1:r] * (map(inv, F.S[1:r]) .* collect(adjoint(F.U[:, 1:r])))
end
__tolerance(A, s) = minimum(size(A)) * eps(one(s))
function rank(A::AbstractMatrix; atol::Real=0.0, rtol::Real=-1.0)
    isempty(A) && return 0
    S = svdvals(A)
    return count(s -> s > max(atol, (rtol >= 0 ? rtol : atol > 0 ? 0.0 : __tolerance(A, S[1])) * S[1]), S)
end
function pinv(A::AbstractMatrix; atol::Real=0.0, rtol::Real=-1.0)
    F = svd(A)
    return __pseudo(F, max(atol, (rtol >= 0 ? rtol : atol > 0 ? 0.0 : __tolerance(A, F.S[1])) * F.S[1]))
end
pinv(A::AbstractMatrix, rtol::Real) = pinv(A; rtol=rtol)
pinv(v::AbstractVector) = adjoint(v) / sum(abs2, v)
function nullspace(A::AbstractMatrix; atol::Real=0.0, rtol::Real=-1.0)
    (m, n) = size(A)
    F = svd(m < n ? vcat(A, zeros(eltype(A), n - m, n)) : A)
    r = count(s -> s > max(atol, (rtol >= 0 ? rtol : atol > 0 ? 0.0 : __tolerance(A, F.S[1])) * F.S[1]), F.S)
    return F.V[:, r+1:end]
end
function cond(A::AbstractMatrix, p::Real=2)
    if p == 2
        S = svdvals(A)
        return S[end] == 0 ? oftype(S[1], Inf) : S[1] / S[end]
    end
    return opnorm(A, p) * opnorm(inv(A), p)
end
function opnorm(A::AbstractMatrix, p::Real=2)
    p == 1 || p == 2 || p == Inf || throw(ArgumentError(string("invalid p-norm p=", p, ". Valid: 1, 2, Inf")))
    T = typeof(float(real(zero(eltype(A)))))
    isempty(A) && return zero(T)
    p == 2 && return convert(T, svdvals(A)[1])
    return convert(T, maximum(sum(__wide_abs, A; dims=p == 1 ? 1 : 2)))
end
__wide_abs(x) = (r = float(abs(x)); convert(promote_type(Float64, typeof(r)), r)) # sums are in Float64, as Julia's
