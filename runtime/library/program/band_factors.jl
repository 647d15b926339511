# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/matrix_types, program/structured, program/linear_parts; when: lu!, Tridiagonal
# LU factors of a tridiagonal matrix, in its own bands: dl has the multipliers, du2 the band above du.

struct __BandFactors{T,V} <: AbstractMatrix{T}
    dl::V
    d::V
    du::V
    du2::V
end
size(A::__BandFactors) = (length(A.d), length(A.d))
getindex(A::__BandFactors, i::Int, j::Int) = j == i + 2 ? A.du2[i] : j == i + 1 ? A.du[i] : i == j ? A.d[i] : i == j + 1 ? A.dl[j] : zero(eltype(A))
struct __BandLU{T,V} <: LU{T,Tridiagonal{T,V}}
    factors::__BandFactors{T,V}
    ipiv::Vector{Int}                              # i, or i + 1 if step i exchanged these rows
    info::Int
end
function lu!(A::Tridiagonal{T,V}, pivot::Union{RowMaximum,NoPivot}=RowMaximum(); check::Bool=true) where {T,V}
    (dl, d, du) = (A.dl, A.d, A.du)
    n = length(d)
    du2 = fill!(similar(d, max(n - 2, 0)), zero(T))
    ipiv = collect(1:n)
    for i in 1:n-1
        if pivot isa NoPivot || abs(d[i]) >= abs(dl[i])
            iszero(d[i]) && continue
            dl[i] /= d[i]
            d[i+1] -= dl[i] * du[i]
            continue
        end
        ipiv[i] = i + 1
        (d[i], dl[i]) = (dl[i], d[i] / dl[i])
        (du[i], d[i+1]) = (d[i+1], du[i] - dl[i] * d[i+1])
        if i < n - 1
            du2[i] = du[i+1]
            du[i+1] *= -dl[i]
        end
    end
    zero_at = findfirst(iszero, d)
    info = zero_at === nothing ? 0 : zero_at
    check && info != 0 && throw(SingularException(info))
    return __BandLU{T,V}(__BandFactors{T,V}(dl, d, du, du2), ipiv, info)
end
lu(A::Tridiagonal{T}, pivot::Union{RowMaximum,NoPivot}=RowMaximum(); check::Bool=true) where {T} = lu!(__map_parent(v -> copyto!(similar(v, __divided_type(T)), v), A), pivot; check=check)
function ldiv!(F::__BandLU, B::AbstractVecOrMat)
    F.info == 0 || throw(SingularException(F.info))
    (A, n) = (F.factors, length(F.ipiv))
    size(B, 1) == n || throw(DimensionMismatch(string("matrix has dimensions (", n, ",", n, ") but right hand side has ", size(B, 1), " rows")))
    for j in axes(B, 2)
        for i in 1:n-1
            F.ipiv[i] == i || ((B[i, j], B[i+1, j]) = (B[i+1, j], B[i, j]))
            B[i+1, j] -= A.dl[i] * B[i, j]
        end
        for i in n:-1:1
            i < n && (B[i, j] -= A.du[i] * B[i+1, j])
            i < n - 1 && (B[i, j] -= A.du2[i] * B[i+2, j])
            B[i, j] /= A.d[i]
        end
    end
    return B
end
ldiv!(Y::AbstractVecOrMat, F::__BandLU, B::AbstractVecOrMat) = ldiv!(F, copyto!(Y, B))
\(F::__BandLU{T}, B::AbstractVecOrMat) where {T} = ldiv!(F, copyto!(similar(B, typeof(zero(T) / one(eltype(B)))), B))
size(F::__BandLU, rest...) = size(getfield(F, :factors), rest...)
issuccess(F::__BandLU) = F.info == 0
det(F::__BandLU) = prod(F.factors.d) * (isodd(count(i -> F.ipiv[i] != i, eachindex(F.ipiv))) ? -1 : 1)
function getproperty(F::__BandLU{T}, name::Symbol) where {T}
    name in (:L, :U, :p, :P) || return getfield(F, name)
    (A, ipiv) = (getfield(F, :factors), getfield(F, :ipiv))
    name === :U && return triu(collect(A))
    (L, p) = (collect(Diagonal(fill(one(T), size(A, 1)))), collect(eachindex(ipiv)))
    for i in 1:length(ipiv)-1
        if ipiv[i] != i
            (p[i], p[i+1]) = (p[i+1], p[i])
            L[[i, i + 1], 1:i-1] = L[[i + 1, i], 1:i-1]
        end
        L[i+1, i] = A.dl[i]
    end
    return name === :L ? L : name === :p ? p : [p[i] == j ? one(T) : zero(T) for i in eachindex(p), j in eachindex(p)]
end
iterate(F::__BandLU) = (F.L, :U)
iterate(F::__BandLU, s::Symbol) = s === :U ? (F.U, :p) : s === :p ? (F.p, :done) : nothing
Matrix(F::__BandLU) = (F.L * F.U)[sortperm(F.p), :]
