# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/compiled_arrays
# Linear algebra of host arrays, with the loops that Julia uses for element types without LAPACK. Loops over large
# arrays are compiled (lib/programs/hot_code.h).
struct SingularException <: Exception
    info::Int
end
struct PosDefException <: Exception
    info::Int
end
showerror(io::IO, e::PosDefException) = print(io, "PosDefException: matrix is not positive definite; Factorization failed.")
checksquare(A::AbstractMatrix) = size(A, 1) == size(A, 2) ? size(A, 1) : throw(DimensionMismatch(string("matrix is not square: dimensions are ", size(A))))
__divided_type(::Type{T}) where {T} = typeof(one(T) / one(T))
# As Array{T}, a copy.
function __matrix_of(::Type{T}, A) where {T}
    B = Array{T}(undef, size(A)...)
    __copy_items!(B, A)
    return B
end
function __copy_items!(B, A::AbstractVector)
    for i in 1:length(A)
        B[i] = A[i]
    end
    return nothing
end
function __copy_items!(B, A::AbstractMatrix)
    for j in 1:size(A, 2), i in 1:size(A, 1)
        B[i, j] = A[i, j]
    end
    return nothing
end

# ---- LU decomposition with row exchanges: p[k] is the original row of row k. Returns the index of the first zero
# pivot, or 0.
function __lu!(A, p)
    (m, n) = size(A)
    info = 0
    for k in 1:min(m, n)
        best = k
        for i in k+1:m
            if abs(A[i, k]) > abs(A[best, k])
                best = i
            end
        end
        p[k] = best
        if iszero(A[best, k])
            info == 0 && (info = k)
        else
            if best != k
                for j in 1:n
                    x = A[k, j]
                    A[k, j] = A[best, j]
                    A[best, j] = x
                end
            end
            r = inv(A[k, k])
            for i in k+1:m
                A[i, k] *= r
            end
        end
        for j in k+1:n, i in k+1:m
            A[i, j] -= A[i, k] * A[k, j]
        end
    end
    return info
end
function __exchange_rows!(B, p)
    for k in 1:length(p), j in 1:size(B, 2)
        x = B[k, j]
        B[k, j] = B[p[k], j]
        B[p[k], j] = x
    end
    return nothing
end
function __solve_lower!(A, B, is_unit)
    for j in 1:size(B, 2), k in 1:size(A, 2)
        is_unit || (B[k, j] = B[k, j] / A[k, k])
        for i in k+1:size(A, 1)
            B[i, j] -= A[i, k] * B[k, j]
        end
    end
    return nothing
end
function __solve_upper!(A, B)
    for j in 1:size(B, 2), k in size(A, 2):-1:1
        B[k, j] = B[k, j] / A[k, k]
        for i in 1:k-1
            B[i, j] -= A[i, k] * B[k, j]
        end
    end
    return nothing
end
function istriu(A::AbstractMatrix)
    for j in 1:size(A, 2), i in j+1:size(A, 1)
        iszero(A[i, j]) || return false
    end
    return true
end
function istril(A::AbstractMatrix)
    for j in 1:size(A, 2), i in 1:min(j - 1, size(A, 1))
        iszero(A[i, j]) || return false
    end
    return true
end
isdiag(A::AbstractMatrix) = istriu(A) && istril(A)
function __check_diagonal(A)
    for k in 1:size(A, 1)
        iszero(A[k, k]) && throw(SingularException(k))
    end
    return nothing
end

\(A::AbstractMatrix, B::AbstractVecOrMat) = __solve(A, B)
/(B::AbstractMatrix, A::AbstractMatrix) = collect(adjoint(__solve(collect(adjoint(A)), collect(adjoint(B)))))
/(b::Union{Adjoint{<:Any,<:AbstractVector},Transpose{<:Any,<:AbstractVector}}, A::AbstractMatrix) = adjoint(__solve(collect(adjoint(A)), vec(collect(adjoint(b)))))
\(x::Number, A::AbstractArray) = x .\ A
function __solve(A, b)
    size(A, 1) == size(b, 1) || throw(DimensionMismatch(string("arguments must have the same number of rows")))
    T = __divided_type(promote_type(eltype(A), eltype(b)))
    F = __matrix_of(T, A)
    X = ndims(b) == 1 ? reshape(__matrix_of(T, b), (length(b), 1)) : __matrix_of(T, b)
    if size(A, 1) != size(A, 2)
        X = __least_squares(F, X)
    elseif istriu(F)
        __check_diagonal(F)
        __solve_upper!(F, X)
    elseif istril(F)
        __check_diagonal(F)
        __solve_lower!(F, X, false)
    else
        p = Vector{Int}(undef, size(F, 1))
        info = __lu!(F, p)
        info == 0 || throw(SingularException(info))
        __exchange_rows!(X, p)
        __solve_lower!(F, X, true)
        __solve_upper!(F, X)
    end
    return ndims(b) == 1 ? vec(X) : X
end
# Least squares for more equations than unknowns, by Householder reflections.
function __least_squares(A, B)
    (m, n) = size(A)
    m < n && throw(ArgumentError("\\: a system with fewer equations than unknowns is not supported: write A' * ((A * A') \\ b) for the shortest solution"))
    for k in 1:n
        s = zero(real(eltype(A)))
        for i in k:m
            s += abs2(A[i, k])
        end
        s = sqrt(s)
        s == 0 && throw(ArgumentError("\\: least squares need columns that are independent"))
        a = A[k, k]
        alpha = iszero(a) ? -s * one(a) : -(a / abs(a)) * s
        A[k, k] = a - alpha                        # the column stores the reflection's vector
        t = zero(real(eltype(A)))
        for i in k:m
            t += abs2(A[i, k])
        end
        __reflect!(A, A, k, k + 1, 2 / t)
        __reflect!(B, A, k, 1, 2 / t)
        A[k, k] = alpha
    end
    X = B[1:n, :]
    __solve_upper!(A[1:n, :], X)
    return X
end
function __reflect!(B, A, k, from, scale)
    for j in from:size(B, 2)
        s = zero(eltype(B))
        for i in k:size(A, 1)
            s += conj(A[i, k]) * B[i, j]
        end
        s *= scale
        for i in k:size(A, 1)
            B[i, j] -= s * A[i, k]
        end
    end
    return nothing
end

# Inverse of a matrix: inverts factor U, then multiplies by the inverse of L, like LAPACK's getri.
function inv(A::AbstractMatrix)
    n = checksquare(A)
    F = __matrix_of(__divided_type(eltype(A)), A)
    p = Vector{Int}(undef, n)
    info = __lu!(F, p)
    info == 0 || throw(SingularException(info))
    __invert_lu!(F, p, Vector{eltype(F)}(undef, n))
    return F
end
function __invert_lu!(A, p, column)
    n = size(A, 1)
    for j in 1:n
        A[j, j] = inv(A[j, j])
        for i in 1:j-1
            s = A[i, i] * A[i, j]
            for k in i+1:j-1
                s += A[i, k] * A[k, j]
            end
            A[i, j] = s
        end
        for i in 1:j-1
            A[i, j] = A[i, j] * -A[j, j]
        end
    end
    for j in n-1:-1:1
        for i in j+1:n
            column[i] = A[i, j]
            A[i, j] = zero(eltype(A))
        end
        for k in j+1:n, i in 1:n
            A[i, j] -= A[i, k] * column[k]
        end
    end
    for j in n:-1:1
        if p[j] != j
            for i in 1:n
                x = A[i, j]
                A[i, j] = A[i, p[j]]
                A[i, p[j]] = x
            end
        end
    end
    return nothing
end
function det(A::AbstractMatrix)
    n = checksquare(A)
    F = __matrix_of(__divided_type(eltype(A)), A)
    p = collect(1:n)
    istriu(F) || istril(F) || __lu!(F, p) == 0 || return zero(eltype(F))
    d = one(eltype(F))
    exchanges = 0
    for k in 1:n
        d *= F[k, k]
        exchanges += p[k] != k
    end
    return isodd(exchanges) ? -d : d
end
function ^(A::AbstractMatrix, n::Integer)
    checksquare(A)
    n < 0 && return inv(A)^(-n)
    n == 0 && return one(A)
    n == 1 && return copy(A)
    half = A^(n >> 1)
    return isodd(n) ? half * half * A : half * half
end
literal_pow(::typeof(^), A::AbstractMatrix, ::Val{2}) = A * A
literal_pow(::typeof(^), A::AbstractMatrix, ::Val{3}) = A * A * A
literal_pow(::typeof(^), A::AbstractMatrix, ::Val{-1}) = inv(A)

# ---- factorization objects
struct __Exchanged{T,S} <: LU{T,S}                 # lu(A)
    factors::S
    ipiv::Vector{Int}
    info::Int
end
function lu(A::AbstractMatrix; check::Bool=true)
    F = __matrix_of(__divided_type(eltype(A)), A)
    p = Vector{Int}(undef, min(size(F, 1), size(F, 2)))
    info = __lu!(F, p)
    check && info != 0 && throw(SingularException(info))
    return __Exchanged{eltype(F),typeof(F)}(F, p, info)
end
function lu(A::AbstractMatrix, pivot; check::Bool=true)
    kind = nameof(typeof(pivot)) # these types are not always loaded
    kind === :RowMaximum && return lu(A; check=check)
    F = __matrix_of(__divided_type(eltype(A)), A)
    p = Vector{Int}(undef, min(size(F, 1), size(F, 2)))
    info = __plain_lu!(F, p, kind === :RowNonZero)
    check && info != 0 && throw(SingularException(info))
    return __Exchanged{eltype(F),typeof(F)}(F, p, info)
end
lu!(A::AbstractMatrix; check::Bool=true) = lu(A; check=check)
factorize(A::Array) = lu(A)
function getproperty(F::__Exchanged, name::Symbol)
    A = getfield(F, :factors)
    k = min(size(A, 1), size(A, 2))
    name === :L && return [i == j ? one(eltype(A)) : i > j ? A[i, j] : zero(eltype(A)) for i in axes(A, 1), j in 1:k]
    name === :U && return triu(A[1:k, :])
    name === :p && return __order_of(getfield(F, :ipiv), size(A, 1))
    name === :P && return (p = F.p; [p[i] == j ? one(eltype(A)) : zero(eltype(A)) for i in axes(A, 1), j in axes(A, 1)])
    return getfield(F, name)
end
function __order_of(ipiv, n)
    p = collect(1:n)
    for k in 1:length(ipiv)
        (p[k], p[ipiv[k]]) = (p[ipiv[k]], p[k])
    end
    return p
end
iterate(F::__Exchanged) = (F.L, :U)
iterate(F::__Exchanged, s::Symbol) = s === :U ? (F.U, :p) : s === :p ? (F.p, :done) : nothing
size(F::__Exchanged, rest...) = size(getfield(F, :factors), rest...)
issuccess(F::__Exchanged) = F.info == 0
function \(F::__Exchanged, b::AbstractVecOrMat)
    F.info == 0 || throw(SingularException(F.info))
    A = F.factors
    T = promote_type(eltype(A), __divided_type(eltype(b)))
    X = ndims(b) == 1 ? reshape(__matrix_of(T, b), (length(b), 1)) : __matrix_of(T, b)
    __exchange_rows!(X, F.ipiv)
    __solve_lower!(A, X, true)
    __solve_upper!(A, X)
    return ndims(b) == 1 ? vec(X) : X
end
struct __Triangle                                  # cholesky(A): L * L'
    L
    info::Int
end
ldiv!(F::Union{__Exchanged,__Triangle}, b::AbstractVecOrMat) = copyto!(b, F \ b)
ldiv!(y::AbstractVecOrMat, F::Union{__Exchanged,__Triangle}, b::AbstractVecOrMat) = copyto!(y, F \ b)
# A package's factorization defines ldiv!(F, B) alone.
\(F::Factorization, B::AbstractVecOrMat) = ldiv!(F, copyto!(similar(B, typeof(oneunit(eltype(F)) \ oneunit(eltype(B)))), B))
ldiv!(Y::AbstractVecOrMat, F::Factorization, B::AbstractVecOrMat) = ldiv!(F, copyto!(Y, B))
axes(F::Factorization) = map(OneTo, size(F))
axes(F::Factorization, d::Integer) = d > 2 ? OneTo(1) : axes(F)[d]
Matrix(F::LU) = (F.L*F.U)[sortperm(F.p), :]
AbstractMatrix(F::LU) = Matrix(F)
Array(F::LU) = Matrix(F)
function inv(F::__Exchanged)
    F.info == 0 || throw(SingularException(F.info))
    A = copy(F.factors)
    __invert_lu!(A, F.ipiv, Vector{eltype(A)}(undef, size(A, 1)))
    return A
end
function det(F::__Exchanged)
    A = F.factors
    n = checksquare(A)
    F.info == 0 || return zero(eltype(A))
    d = prod(diag(A))
    return isodd(count(k -> F.ipiv[k] != k, 1:n)) ? -d : d
end
function show(io::IO, m::MIME{Symbol("text/plain")}, F::__Exchanged)
    A = F.factors
    print(io, "LU{", eltype(A), ", ", typeof(A), ", Vector{Int64}}")
    return __show_parts(io, m, ("L factor", F.L), ("U factor", F.U))
end
# The parts of a factorization after its type, each below its name.
function __show_parts(io, m, parts...)
    for (name, part) in parts
        print(io, "\n", name, ":\n")
        show(io, m, part)
    end
    return nothing
end
function cholesky(A::AbstractMatrix; check::Bool=true)
    is_hermitian = ishermitian(A)
    check && !is_hermitian && throw(PosDefException(-1))
    L = tril(__matrix_of(__divided_type(eltype(A)), A))
    info = is_hermitian ? __cholesky!(L) : -1
    check && info != 0 && throw(PosDefException(info))
    return __Triangle(L, info)
end
function __cholesky!(A)
    n = size(A, 1)
    for j in 1:n
        d = real(A[j, j])
        for k in 1:j-1
            d -= abs2(A[j, k])
        end
        d > 0 || return j
        A[j, j] = sqrt(d)
        for i in j+1:n
            s = A[i, j]
            for k in 1:j-1
                s -= A[i, k] * conj(A[j, k])
            end
            A[i, j] = s / A[j, j]
        end
    end
    return 0
end
isposdef(A::AbstractMatrix) = ishermitian(A) && __cholesky!(tril(__matrix_of(__divided_type(eltype(A)), A))) == 0
getproperty(F::__Triangle, name::Symbol) = name === :U ? collect(adjoint(getfield(F, :L))) : getfield(F, name === :info ? :info : :L)
issuccess(F::__Triangle) = F.info == 0
function \(F::__Triangle, b::AbstractVecOrMat)
    X = __matrix_of(promote_type(eltype(F.L), __divided_type(eltype(b))), ndims(b) == 1 ? reshape(collect(b), length(b), 1) : b)
    __solve_lower!(F.L, X, false)
    __solve_upper!(F.U, X)
    return ndims(b) == 1 ? vec(X) : X
end
/(B::AbstractMatrix, F::__Triangle) = collect(adjoint(F \ collect(adjoint(B))))
det(F::__Triangle) = prod(abs2, diag(F.L))
