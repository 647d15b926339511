# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/matrix_types, program/structured, program/linear_parts; when: ldlt, ldlt!, LDLt, ZeroPivotException
# L * Diagonal(d) * transpose(L) of a symmetric tridiagonal matrix, in its own bands: dv has d, ev the band below L's ones.

struct ZeroPivotException <: Exception
    info::Int
end
showerror(io::IO, e::ZeroPivotException) = print(io, "ZeroPivotException: factorization encountered one or more zero pivots. Consider switching to a pivoted LU factorization.")
function ldlt!(S::SymTridiagonal)
    (d, e) = (S.dv, S.ev)
    for i in 1:length(d)-1
        iszero(d[i]) && throw(ZeroPivotException(i))
        e[i] /= d[i]
        d[i+1] -= e[i]^2 * d[i]
    end
    return LDLt{eltype(S),typeof(S)}(S)
end
function ldlt(S::SymTridiagonal{T}; shift=false) where {T}
    R = typeof(zero(T) / one(T))
    made = SymTridiagonal(copyto!(similar(S.dv, R), S.dv), copyto!(similar(S.ev, R), S.ev))
    shift === false || (made.dv .+= shift)
    return ldlt!(made)
end
size(F::LDLt, rest...) = size(getfield(F, :data), rest...)
issuccess(F::LDLt) = !any(iszero, F.data.dv)
function getproperty(F::LDLt, name::Symbol)
    name in (:d, :D, :L, :Lt) || return getfield(F, name)
    S = getfield(F, :data)
    name === :d && return S.dv
    name === :D && return Diagonal(S.dv)
    n = length(S.dv)
    L = [i == j + 1 ? S.ev[j] : zero(eltype(S)) for i in 1:n, j in 1:n]
    return name === :L ? UnitLowerTriangular(L) : UnitUpperTriangular(permutedims(L))
end
propertynames(F::LDLt, private::Bool=false) = (:d, :D, :L, :Lt, :data)
function ldiv!(F::LDLt, B::AbstractVecOrMat)
    (d, l, n) = (F.data.dv, F.data.ev, size(F, 1))
    size(B, 1) == n || throw(DimensionMismatch(string("matrix has dimensions (", n, ",", n, ") but right hand side has ", size(B, 1), " rows")))
    for j in axes(B, 2)
        for i in 2:n
            B[i, j] -= l[i-1] * B[i-1, j]
        end
        for i in n:-1:1
            B[i, j] /= d[i]
            i < n && (B[i, j] -= l[i] * B[i+1, j])
        end
    end
    return B
end
ldiv!(Y::AbstractVecOrMat, F::Union{LDLt,BunchKaufman}, B::AbstractVecOrMat) = ldiv!(F, copyto!(Y, B))
\(F::Union{LDLt{T},BunchKaufman{T}}, B::AbstractVecOrMat) where {T} = ldiv!(F, copyto!(similar(B, typeof(zero(T) / one(eltype(B)))), B))
inv(F::Union{LDLt{T},BunchKaufman{T}}) where {T} = F \ [i == j ? one(T) : zero(T) for i in 1:size(F, 1), j in 1:size(F, 1)]
det(F::LDLt) = prod(F.data.dv)
logabsdet(F::LDLt) = (sum(x -> log(abs(x)), F.data.dv), prod(sign, F.data.dv))
function logdet(F::LDLt)
    (value, s) = logabsdet(F)
    return s < 0 ? throw(DomainError(det(F), "determinant is negative")) : value
end
Matrix(F::LDLt) = F.L * F.D * F.Lt
AbstractMatrix(F::LDLt) = Matrix(F)
Array(F::LDLt) = Matrix(F)
module LinearAlgebra
import Base: ldlt, ldlt!, LDLt, ZeroPivotException
export ldlt, ldlt!, LDLt, ZeroPivotException
end
