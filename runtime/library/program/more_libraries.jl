# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/linear_parts, program/statistics, program/test, program/random; when: stdm, varm, mean!, median!, quantile!, randsubseq!, randcycle!, RandomDevice, GenericSet, GenericDict, GenericArray, GenericOrder, TestLogger, LogRecord, eigen!, eigvals!, svd!, svdvals!, qr!, cholesky!, schur!, hessenberg!, isposdef!, logabsdet, diagview, hermitianpart, hermitianpart!, copy_transpose!, copy_adjoint!, givens, lyap, sylvester, trsyl!, condskeel, LU, QR, SVD, Eigen, Cholesky, Factorization, lowrankupdate*, lowrankdowndate*, Stateful, nth, logmsg
# Names of Statistics, Random, Test, LinearAlgebra and Iterators that few programs use.
module Statistics
varm(A, m; corrected::Bool=true, dims=:) = var(A; mean=m, corrected=corrected, dims=dims)
stdm(A, m; corrected::Bool=true, dims=:) = sqrt.(varm(A, m; corrected=corrected, dims=dims))
mean!(R::AbstractArray, A::AbstractArray) = (Base.sum!(R, A); R .= R ./ (length(A) ÷ length(R)); R)
median!(v) = median_of_all(v) # it may change v; packages define median by it
quantile!(v, p; keywords...) = quantile(sort!(v), p; keywords...)
export varm, stdm, mean!, median!, quantile!
end
randsubseq!(out::AbstractVector, A::AbstractArray, p::Real) = append!(empty!(out), randsubseq(A, p))
randsubseq!(rng::AbstractRNG, out::AbstractVector, A::AbstractArray, p::Real) = append!(empty!(out), randsubseq(rng, A, p))
randcycle!(A::AbstractArray) = copyto!(A, randcycle(length(A)))
randcycle!(rng::AbstractRNG, A::AbstractArray) = copyto!(A, randcycle(rng, length(A)))
RandomDevice(; keywords...) = Xoshiro()
module Random
import Base: randsubseq!, randcycle!, RandomDevice
export randsubseq!, randcycle!, RandomDevice
end

# ---- linear algebra: in place, the factors overwrite nothing, since the results own their arrays
eigen!(A; keywords...) = eigen(A; keywords...)
eigvals!(A; keywords...) = eigvals(A; keywords...)
svd!(A; keywords...) = svd(A; keywords...)
svdvals!(A) = svdvals(A)
qr!(A, args...; keywords...) = qr(A, args...; keywords...)
cholesky!(A, args...; keywords...) = cholesky(A, args...; keywords...)
schur!(A) = schur(A)
hessenberg!(A) = hessenberg(A)
isposdef!(A) = isposdef(A)
diagview(A::AbstractMatrix, k::Integer=0) = view(A, diagind(A, k))
hermitianpart(A::AbstractMatrix, uplo::Symbol=:U) = Hermitian((A .+ adjoint(A)) ./ 2, uplo)
hermitianpart!(A::AbstractMatrix, uplo::Symbol=:U) = Hermitian(copyto!(A, (A .+ adjoint(A)) ./ 2), uplo)
copy_transpose!(B::AbstractMatrix, rows, columns, A::AbstractMatrix, from_rows, from_columns) = (B[rows, columns] = transpose(A[from_rows, from_columns]); B)
copy_adjoint!(B::AbstractMatrix, rows, columns, A::AbstractMatrix, from_rows, from_columns) = (B[rows, columns] = adjoint(A[from_rows, from_columns]); B)
# A*X + X*B + C = 0, by the matrix of the linear map X -> A*X + X*B.
function sylvester(A::AbstractMatrix, B::AbstractMatrix, C::AbstractMatrix)
    (m, n) = size(C)
    K = kron(one(B), A) + kron(transpose(B), one(A))
    return reshape(-(K \ vec(C)), m, n)
end
# op(A)*X + sign*X*op(B) = C for triangular A and B. C becomes X; the scale is 1.
function __trsyl!(transa, transb, A, B, C, sign)
    side(t, M) = t == 'N' ? M : t == 'T' ? transpose(M) : t == 'C' ? adjoint(M) : throw(ArgumentError(string("trans argument must be 'N', 'T' or 'C', got ", repr(t))))
    sign == 1 || sign == -1 || throw(ArgumentError(string("isgn must be 1 or -1, got ", sign)))
    m, n = checksquare(A), checksquare(B)
    (m, n) == size(C) || throw(DimensionMismatch(string("dimensions of A, ", size(A), ", and C, ", size(C), ", and B, ", size(B), " must match")))
    copyto!(C, sylvester(collect(side(transa, A)), sign .* collect(side(transb, B)), -C))
    return (C, one(real(eltype(C))))
end
lyap(A::AbstractMatrix, C::AbstractMatrix) = sylvester(A, collect(adjoint(A)), C)
condskeel(A::AbstractMatrix, p::Real=Inf) = opnorm(abs.(inv(A)) * abs.(A), p)
condskeel(A::AbstractMatrix, x::AbstractVector, p::Real=Inf) = norm(abs.(inv(A)) * (abs.(A) * abs.(x)), p)
module LinearAlgebra
module LAPACK
import Base: __trsyl!
trsyl!(transa::AbstractChar, transb::AbstractChar, A::AbstractMatrix, B::AbstractMatrix, C::AbstractMatrix, isgn::Integer=1) = __trsyl!(transa, transb, A, B, C, isgn)
end
import Base: eigen!, eigvals!, svd!, svdvals!, qr!, cholesky!, schur!, hessenberg!, isposdef!, logabsdet, diagview, hermitianpart, hermitianpart!, copy_transpose!, copy_adjoint!, sylvester, lyap, condskeel
export eigen!, eigvals!, svd!, svdvals!, qr!, cholesky!, schur!, hessenberg!, isposdef!, logabsdet, diagview, hermitianpart, hermitianpart!, copy_transpose!, copy_adjoint!, sylvester, lyap, condskeel
end

# ---- iterators that keep their place
module Iterators
mutable struct Stateful{I}
    items::I
    next::Any
    taken::Int
    Stateful(items) = new{typeof(items)}(items, iterate(items), 0)
end
reset!(s::Stateful, items=s.items) = (s.next = iterate(items); s.taken = 0; s)
Base.iterate(s::Stateful, state=nothing) = Base.isempty(s) ? nothing : (Base.popfirst!(s), nothing)
Base.isempty(s::Stateful) = s.next === nothing
Base.length(s::Stateful) = Base.length(s.items) - s.taken
Base.eltype(::Type{Stateful{I}}) where {I} = Base.eltype(I)
function Base.popfirst!(s::Stateful)
    s.next === nothing && throw(Base.EOFError())
    (x, state) = s.next
    s.next = iterate(s.items, state)
    s.taken += 1
    return x
end
Base.peek(s::Stateful, default=nothing) = s.next === nothing ? default : s.next[1]
Base.first(s::Stateful) = s.next[1]
nth(items, n::Integer) = Base.first(drop(items, n - 1))
end
module Test
const GenericArray = Array
const GenericSet = Set
const GenericDict = Dict
export GenericArray, GenericSet, GenericDict
end
macro logmsg(level, text, rest...)
    pairs = Expr(:tuple, map(Logging.__pair, rest)...)
    file = string(__source__.file)
    :(Base.Logging.__is_on($(esc(level))) ?
      Base.Logging.__write($(esc(level)).level, Base.Logging.__level_name($(esc(level))), $(esc(text)), $(string(__module__)), $file, $(__source__.line), $pairs) : nothing)
end
module Logging
__level_name(l::LogLevel) = l.level < 0 ? "Debug" : l.level < 1000 ? "Info" : l.level < 2000 ? "Warning" : "Error"
end
