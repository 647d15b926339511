# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/matrix_types, program/structured, program/linear_parts, program/ldlt, program/collections; when: bunchkaufman, bunchkaufman!, BunchKaufman
# A[p, p] == U * D * U' of a symmetric or Hermitian matrix, with blocks of one or two rows in D, by the pivots of Bunch
# and Kaufman (LAPACK's sytf2 and hetf2). L * D * L' is that of the matrix with reversed rows and columns.

bunchkaufman(A::Symmetric, rook::Bool=false; check::Bool=true) = __bunch_kaufman(A, A.uplo, true, rook, check)
bunchkaufman(A::Hermitian, rook::Bool=false; check::Bool=true) = __bunch_kaufman(A, A.uplo, eltype(A) <: Real, rook, check)
function bunchkaufman(A::AbstractMatrix, rook::Bool=false; check::Bool=true)
    ishermitian(A) && return bunchkaufman(Hermitian(A), rook; check=check)
    issymmetric(A) && return bunchkaufman(Symmetric(A), rook; check=check)
    throw(ArgumentError("Bunch-Kaufman decomposition is only valid for symmetric or Hermitian matrices"))
end
bunchkaufman!(A::AbstractMatrix, rook::Bool=false; check::Bool=true) = bunchkaufman(A, rook; check=check)
function __bunch_kaufman(A, uplo, symmetric, rook, check)
    rook && throw(ArgumentError("bunchkaufman: rook pivoting is not supported: leave `true` out"))
    n = checksquare(A)
    LD = __matrix_of(typeof(sqrt(one(eltype(A)))), A)
    uplo == 'L' && (LD = LD[n:-1:1, n:-1:1])
    (ipiv, p) = (zeros(Int, n), collect(1:n))
    info = __bunch_kaufman!(LD, ipiv, p, symmetric, uplo == 'L')
    check && info != 0 && throw(SingularException(info))
    return BunchKaufman{eltype(LD),typeof(LD),Vector{Int}}(LD, ipiv, p, uplo, symmetric, rook, info)
end
@inline __size_of(x) = abs(real(x)) + abs(imag(x)) # as LAPACK compares complex numbers
# Returns the row of the largest entry of column k above row `last`, and its size. `is_last`: the last one of equals.
function __largest_above(A, k, last, is_last)
    (at, largest) = (1, __size_of(A[1, k]))
    for i in 2:last
        s = __size_of(A[i, k])
        (s > largest || is_last && s == largest) && ((at, largest) = (i, s))
    end
    return (at, largest)
end
# Exchanges rows and columns i < k of the leading block of k rows and, from column `rest` on, rows i and k of U.
function __exchange!(A, i, k, rest, symmetric)
    for r in 1:i-1
        (A[r, i], A[r, k]) = (A[r, k], A[r, i])
    end
    for r in i+1:k-1
        (x, y) = (A[r, k], A[i, r])
        (A[r, k], A[i, r]) = symmetric ? (y, x) : (conj(y), conj(x))
    end
    symmetric || (A[i, k] = conj(A[i, k]))
    (A[i, i], A[k, k]) = (A[k, k], A[i, i])
    for j in rest:size(A, 2)
        (A[i, j], A[k, j]) = (A[k, j], A[i, j])
    end
    return nothing
end
function __bunch_kaufman!(A, ipiv, p, symmetric, is_last)
    alpha = (1 + sqrt(17 * one(real(A[1, 1])))) / 8
    info = 0
    k = size(A, 1)
    while k >= 1
        steps = 1
        at = k
        symmetric || (A[k, k] = real(A[k, k]))
        own = __size_of(A[k, k])
        (row, below) = k > 1 ? __largest_above(A, k, k - 1, is_last) : (1, zero(own))
        if iszero(max(own, below)) || isnan(own)
            info == 0 && (info = k)
        else
            if own < alpha * below
                widest = row > 1 ? __largest_above(A, row, row - 1, is_last)[2] : zero(own)
                for j in row+1:k
                    widest = max(widest, __size_of(A[row, j]))
                end
                if own < alpha * below * (below / widest)
                    at = row
                    __size_of(symmetric ? A[row, row] : real(A[row, row])) >= alpha * widest || (steps = 2)
                end
            end
            edge = k - steps + 1
            if at != edge
                __exchange!(A, at, edge, k + 1, symmetric)
                steps == 2 && ((A[k-1, k], A[at, k]) = (A[at, k], A[k-1, k]))
                (p[at], p[edge]) = (p[edge], p[at])
            end
            symmetric || (A[k, k] = real(A[k, k]))
            steps == 1 ? __eliminate_row!(A, k, symmetric) : __eliminate_rows!(A, k, symmetric)
        end
        for r in k-steps+1:k
            ipiv[r] = steps == 1 ? at : -at
        end
        k -= steps
    end
    return info
end
function __eliminate_row!(A, k, symmetric)
    r = one(A[k, k]) / A[k, k]
    for j in 1:k-1
        w = r * (symmetric ? A[j, k] : conj(A[j, k]))
        for i in 1:j
            A[i, j] -= A[i, k] * w
        end
        symmetric || (A[j, j] = real(A[j, j]))
    end
    for i in 1:k-1
        A[i, k] *= r
    end
    return nothing
end
# D's block in rows k-1 and k is divided by its entry outside of the diagonal, so that nothing overflows.
function __eliminate_rows!(A, k, symmetric)
    d = symmetric ? A[k-1, k] : oftype(A[k, k], abs(A[k-1, k]))
    (first, second) = (A[k-1, k-1] / d, A[k, k] / d)
    turn = A[k-1, k] / d
    d = (1 / (second * first - 1)) / d
    for j in k-2:-1:1
        left = d * (second * A[j, k-1] - (symmetric ? turn : conj(turn)) * A[j, k])
        right = d * (first * A[j, k] - turn * A[j, k-1])
        (u, v) = symmetric ? (right, left) : (conj(right), conj(left))
        for i in j:-1:1
            A[i, j] -= A[i, k] * u + A[i, k-1] * v
        end
        A[j, k] = right
        A[j, k-1] = left
        symmetric || (A[j, j] = real(A[j, j]))
    end
    return nothing
end

# ---- the factors
# True if a block of two rows ends at row k: then an even number of rows of blocks follows.
function __ends_block(ipiv, k)
    k > 1 && ipiv[k] < 0 || return false
    after = 0
    while k + after < length(ipiv) && ipiv[k+after+1] < 0
        after += 1
    end
    return iseven(after)
end
function getproperty(F::BunchKaufman, name::Symbol)
    name in (:uplo, :symmetric, :rook, :info) && return getfield(F, name)
    (LD, ipiv, p, is_lower) = (getfield(F, :LD), getfield(F, :ipiv), getfield(F, :p), getfield(F, :uplo) == 'L')
    n = size(LD, 1)
    T = eltype(LD)
    name === :LD && return is_lower ? LD[n:-1:1, n:-1:1] : LD
    name === :ipiv && return is_lower ? reverse(sign.(ipiv) .* (n + 1 .- abs.(ipiv))) : ipiv
    is_lower && (p = reverse(n + 1 .- p))
    name === :p && return p
    name === :P && return [j == p[i] ? one(T) : zero(T) for i in 1:n, j in 1:n]
    ends = [__ends_block(ipiv, k) for k in 1:n]
    if name === :D
        above = T[ends[k+1] ? LD[k, k+1] : zero(T) for k in 1:n-1]
        below = F.symmetric ? copy(above) : conj(above)
        return is_lower ? Tridiagonal(reverse(above), reverse(diag(LD)), reverse(below)) : Tridiagonal(below, diag(LD), above)
    end
    is_lower == (name === :L) && name in (:L, :U) || throw(ArgumentError(string("factorization is ", is_lower ? "L*D*L" : "U*D*U", F.symmetric ? "ᵀ" : "ᴴ", " but you requested ", name)))
    U = T[i < j && !(j == i + 1 && ends[j]) ? LD[i, j] : i == j ? one(T) : zero(T) for i in 1:n, j in 1:n]
    return is_lower ? UnitLowerTriangular(U[n:-1:1, n:-1:1]) : UnitUpperTriangular(U)
end
propertynames(F::BunchKaufman, private::Bool=false) = private ? (:D, :U, :L, :P, :p, :LD, :ipiv, :uplo, :symmetric, :rook, :info) : (:D, :U, :L, :P, :p)
iterate(F::BunchKaufman, k::Int=1) = k > 3 ? nothing : (k == 1 ? F.D : k == 2 ? (F.uplo == 'U' ? F.U : F.L) : F.p, k + 1)
size(F::BunchKaufman, rest...) = size(getfield(F, :LD), rest...)
issuccess(F::BunchKaufman) = F.info == 0
copy(F::BunchKaufman{T,S,P}) where {T,S,P} = BunchKaufman{T,S,P}(copy(getfield(F, :LD)), copy(getfield(F, :ipiv)), copy(getfield(F, :p)), F.uplo, F.symmetric, F.rook, F.info)
function Matrix(F::BunchKaufman)
    (D, U, p) = F
    A = U * Matrix(D) * (F.symmetric ? transpose(U) : adjoint(U))
    return A[invperm(p), invperm(p)]
end
AbstractMatrix(F::BunchKaufman) = Matrix(F)
Array(F::BunchKaufman) = Matrix(F)

# ---- solutions and determinants
function ldiv!(F::BunchKaufman, B::AbstractVecOrMat)
    n = size(F, 1)
    size(B, 1) == n || throw(DimensionMismatch(string("B has first dimension ", size(B, 1), ", but needs ", n)))
    F.info == 0 || throw(SingularException(F.info))
    (D, U, p) = F
    for j in axes(B, 2)
        x = U \ [B[p[i], j] for i in 1:n]
        x = (F.symmetric ? transpose(U) : adjoint(U)) \ __solve_blocks!(D, x)
        for i in 1:n
            B[p[i], j] = x[i]
        end
    end
    return B
end
function __solve_blocks!(D, x)
    (below, d, above) = (D.dl, D.d, D.du)
    k = 1
    while k <= length(x)
        if k == length(x) || iszero(above[k])
            x[k] /= d[k]
            k += 1
        else
            (r, s) = (above[k], below[k])
            (a, b) = (d[k] / r, d[k+1] / s)        # divided, so that products do not overflow
            (u, v) = (x[k] / r, x[k+1] / s)
            x[k] = (b * u - v) / (a * b - 1)
            x[k+1] = (a * v - u) / (a * b - 1)
            k += 2
        end
    end
    return x
end
# Determinants of D's blocks.
function __block_determinants(F)
    D = F.D
    (n, all) = (length(D.d), eltype(D)[])
    k = 1
    while k <= n
        is_pair = k < n && !iszero(D.du[k])
        push!(all, is_pair ? D.d[k] * D.d[k+1] - D.du[k] * D.dl[k] : D.d[k])
        k += is_pair ? 2 : 1
    end
    return F.symmetric ? all : real(all)
end
det(F::BunchKaufman) = prod(__block_determinants(F))
function logabsdet(F::BunchKaufman)
    all = __block_determinants(F)
    return (sum(x -> log(abs(x)), all), prod(sign, all))
end
function logdet(F::BunchKaufman)
    (value, s) = logabsdet(F)
    s isa Real || return value + log(s)
    return s < 0 ? throw(DomainError(det(F), "determinant is negative")) : value
end
function show(io::IO, m::MIME{Symbol("text/plain")}, F::BunchKaufman{T,S,P}) where {T,S,P}
    F.info == 0 || return print(io, "Failed factorization of type BunchKaufman{", T, ", ", S, ", ", P, "}")
    print(io, "BunchKaufman{", T, ", ", S, ", ", P, "}")
    triangle = F.uplo == 'U' ? ("U factor", F.U) : ("L factor", F.L)
    return __show_parts(io, m, ("D factor", F.D), triangle, ("permutation", F.p))
end
module LinearAlgebra
import Base: bunchkaufman, bunchkaufman!
export bunchkaufman, bunchkaufman!
end
