# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/spectral
# QR decomposition by Householder reflections.
struct __Orthogonal{T} <: AbstractMatrix{T} # factor Q of qr(A): a square matrix, but Matrix(Q) has as many columns as A
    whole::Any
    columns::Int
end
struct __QR                                        # qr(A)
    Q
    R
end
struct __QRPivoted                                 # qr(A, ColumnNorm()): Q * R == A[:, p]
    Q
    R
    p
end
function qr(A::AbstractMatrix, pivot=nothing)
    (m, n) = size(A)
    T = __divided_type(eltype(A))
    B = __matrix_of(T, A)
    Q = __unit(T, m)
    p = collect(1:n)
    is_pivoted = pivot isa Val{true} || nameof(typeof(pivot)) === :ColumnNorm # that type is not always loaded
    __qr!(B, Q, p, is_pivoted)
    (Q, R) = (__Orthogonal{T}(Q, min(m, n)), triu(B[1:min(m, n), :]))
    return is_pivoted ? __QRPivoted(Q, R, p) : __QR(Q, R)
end
# Replaces B by R. Computes Q's columns by applying the reflections to the unit vectors. With pivots, each step takes
# the column with the largest norm below row k; `p` gets the order of the columns.
function __qr!(B, Q, p, is_pivoted)
    (m, n) = size(B)
    for k in 1:min(m, n)
        is_pivoted && __pivot_column!(B, p, k)
        rest = zero(real(B[1, 1]))
        for i in k+1:m
            rest += abs2(B[i, k])
        end
        a = B[k, k]
        if rest > 0 || !iszero(imag(a)) # else the reflection is the identity
            s = sqrt(abs2(a) + rest)
            alpha = oftype(a, real(a) < 0 ? s : -s)
            B[k, k] = a - alpha
            (left, right) = __reflection_scales(a, alpha, abs2(B[k, k]) + rest)
            __reflect!(B, B, k, k + 1, left)
            for i in 1:m
                w = zero(a)
                for j in k:m
                    w += Q[i, j] * B[j, k]
                end
                w *= right
                for j in k:m
                    Q[i, j] -= w * conj(B[j, k])
                end
            end
            B[k, k] = alpha
            for i in k+1:m
                B[i, k] = zero(a)
            end
        end
    end
    return nothing
end
# As in LAPACK, R has a real diagonal. So the reflection of a complex column is unitary, but not hermitian.
@inline __reflection_scales(a::Real, alpha, t) = (2 / t, 2 / t)
@inline __reflection_scales(a, alpha, t) = (s = -one(a) / (alpha * (a - alpha)); (s, conj(s)))
function __pivot_column!(B, p, k)
    (m, n) = size(B)
    (best, at) = (zero(real(B[1, 1])), k)
    for j in k:n
        norm2 = zero(best)
        for i in k:m
            norm2 += abs2(B[i, j])
        end
        norm2 > best && ((best, at) = (norm2, j))
    end
    at == k && return nothing
    for i in 1:m
        (B[i, k], B[i, at]) = (B[i, at], B[i, k])
    end
    (p[k], p[at]) = (p[at], p[k])
    return nothing
end
size(Q::__Orthogonal) = size(Q.whole)
getindex(Q::__Orthogonal, i::Integer, j::Integer) = Q.whole[i, j]
getindex(Q::__Orthogonal, i, j) = Q.whole[i, j]
(::Type{Matrix})(Q::__Orthogonal) = Q.whole[:, 1:Q.columns]
(::Type{Array})(Q::__Orthogonal) = Q.whole[:, 1:Q.columns]
(::Type{Matrix{T}})(Q::__Orthogonal) where {T} = Matrix{T}(Q.whole[:, 1:Q.columns])
collect(Q::__Orthogonal) = copy(Q.whole)
adjoint(Q::__Orthogonal) = collect(adjoint(Q.whole))
transpose(Q::__Orthogonal) = collect(transpose(Q.whole))
*(Q::__Orthogonal, B::AbstractVecOrMat) = size(B, 1) == size(Q.whole, 1) ? Q.whole * B : Q.whole[:, 1:Q.columns] * B
*(A::AbstractMatrix, Q::__Orthogonal) = A * Q.whole
iterate(F::__QR) = (F.Q, 1)
iterate(F::__QR, k::Int) = k == 1 ? (F.R, 2) : nothing
iterate(F::__QRPivoted) = (F.Q, 1)
iterate(F::__QRPivoted, k::Int) = k == 1 ? (F.R, 2) : k == 2 ? (F.p, 3) : nothing
getproperty(F::__QRPivoted, name::Symbol) = name === :P ? __unit(eltype(F.R), length(F.p))[:, F.p] : getfield(F, name)
function \(F::__QRPivoted, b::AbstractVecOrMat)
    X = __QR(F.Q, F.R) \ b
    order = sortperm(F.p)
    return ndims(b) == 1 ? X[order] : X[order, :]
end
function \(F::__QR, b::AbstractVecOrMat)
    n = size(F.R, 2)
    size(F.R, 1) == n || throw(ArgumentError("\\: a system with fewer equations than unknowns is not supported: write A' * ((A * A') \\ b) for the shortest solution"))
    X = (adjoint(F.Q) * b)[1:n, :]
    X = __matrix_of(promote_type(eltype(F.R), eltype(X)), X)
    __check_diagonal(F.R)
    __solve_upper!(F.R, X)
    return ndims(b) == 1 ? vec(X) : X
end
function show(io::IO, m::MIME{Symbol("text/plain")}, F::__QR)
    T = string(eltype(F.R), ", ", typeof(F.R), ", ", typeof(F.R), "}")
    print(io, "LinearAlgebra.QRCompactWY{", T, "\nQ factor: ", size(F.Q, 1), "×", size(F.Q, 2), " LinearAlgebra.QRCompactWYQ{", T, "\nR factor:\n")
    show(io, m, F.R)
    return nothing
end
function show(io::IO, m::MIME{Symbol("text/plain")}, F::__QRPivoted)
    T = string(eltype(F.R), ", ", typeof(F.R))
    print(io, "LinearAlgebra.QRPivoted{", T, ", Vector{", eltype(F.R), "}, ", typeof(F.p), "}\nQ factor: ", size(F.Q, 1), "×", size(F.Q, 2), " LinearAlgebra.QRPackedQ{", T, ", Vector{", eltype(F.R), "}}\nR factor:\n")
    show(io, m, F.R)
    print(io, "\npermutation:\n")
    show(io, m, F.p)
    return nothing
end
