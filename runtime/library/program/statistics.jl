# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/norms
# Statistics: means, variances and correlations of whole collections and along dimensions. Device arrays use the same
# code, with dotted calls and sums.

module Statistics
__length(A) = length(collect(A))
__length(A::Union{AbstractArray,Tuple}) = length(A)
__halved(x) = x / 1
mean(A) = sum(A) / __length(A)
mean(f, A) = sum(f, A) / __length(A)
# Number of elements of A that each result along dims combines.
function __count_along(A, dims)
    dims isa Colon && return length(A)
    n = 1
    for d in Base.__region(dims)
        n *= size(A, d)
    end
    return n
end
Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof(mean), A) = kw.dims isa Colon ? mean(A) : sum(A; dims=kw.dims) ./ __count_along(A, kw.dims)
Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof(mean), f, A) = kw.dims isa Colon ? mean(f, A) : sum(f, A; dims=kw.dims) ./ __count_along(A, kw.dims)
struct SquaredFrom{M} <: Function
    m::M
end
@inline (s::SquaredFrom)(x) = abs2(x - s.m)
function var(A; corrected::Bool=true, mean=nothing, dims=:)
    if dims isa Colon
        m = mean === nothing ? Statistics.mean(A) : mean
        return sum(SquaredFrom(m), A) / (__length(A) - (corrected ? 1 : 0))
    end
    m = mean === nothing ? Statistics.mean(A; dims=dims) : mean
    return sum(abs2.(A .- m); dims=dims) ./ (__count_along(A, dims) - (corrected ? 1 : 0))
end
std(A; corrected::Bool=true, mean=nothing, dims=:) = sqrt.(var(A; corrected=corrected, mean=mean, dims=dims))
cov(x; corrected::Bool=true) = var(x; corrected=corrected)
function cov(X::AbstractMatrix; dims::Integer=1, corrected::Bool=true)
    D = X .- mean(X; dims=dims)
    C = dims == 1 ? conj(adjoint(D) * D) : D * adjoint(D)
    return C ./ (size(X, dims) - (corrected ? 1 : 0))
end
cov(x::AbstractVector; corrected::Bool=true) = var(x; corrected=corrected)
function cov(x, y; corrected::Bool=true)
    (a, b) = (mean(x), mean(y))
    return sum((x .- a) .* conj.(y .- b)) / (length(x) - (corrected ? 1 : 0))
end
cor(x::AbstractVector) = one(float(eltype(x)))
# Divides each covariance by the two standard deviations; the diagonal is 1 by definition.
function cor(X::AbstractMatrix; dims::Integer=1)
    D = X .- mean(X; dims=dims)
    C = dims == 1 ? conj(adjoint(D) * D) : D * adjoint(D)
    s = sqrt.(vec(sum(abs2.(D); dims=dims)))
    return __unit_diagonal(C ./ (s .* transpose(s)))
end
__unit_diagonal(C) = (C[Base.diagind(C)] .= one(eltype(C)); C)
cor(x, y) = cov(x, y) / (std(x) * std(y))
export mean, var, std, cov, cor
end
