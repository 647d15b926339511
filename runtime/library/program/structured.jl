# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: base/structured
# Arithmetic of triangular, symmetric and diagonal matrices in programs. Operations without a shorter way convert to a
# dense matrix. The wrapped arrays may be device arrays.

const __Banded = Union{Bidiagonal,SymTridiagonal,Tridiagonal}
const __Structured = Union{AbstractTriangular,Symmetric,Hermitian,Diagonal,Bidiagonal,SymTridiagonal,Tridiagonal}
__dense(A::UpperTriangular) = triu(A.data)
__dense(A::LowerTriangular) = tril(A.data)
__dense(A::UnitUpperTriangular) = __has_fixed(A.data) ? __elements(A) : __set_diagonal!(triu(A.data, 1), one(eltype(A)))
__dense(A::UnitLowerTriangular) = __has_fixed(A.data) ? __elements(A) : __set_diagonal!(tril(A.data, -1), one(eltype(A)))
__strict(A) = A.uplo == 'U' ? triu(A.data, 1) : tril(A.data, -1)
__dense(A::Symmetric{<:Number}) = __has_fixed(A.data) ? __elements(A) : (S = __strict(A); __set_diagonal!(S .+ transpose(S), diag(A.data)))
__dense(A::Hermitian{<:Number}) = __has_fixed(A.data) ? __elements(A) : (S = __strict(A); __set_diagonal!(S .+ adjoint(S), real.(diag(A.data))))
__dense(A::Union{Symmetric,Hermitian}) = __elements(A) # of blocks
__has_fixed(P) = isbits(P) || !isbitstype(eltype(P)) # elements that cannot be set one by one
__elements(A) = eltype(A)[A[i, j] for i in axes(A, 1), j in axes(A, 2)] # also of values that cannot be changed
__dense(D::Diagonal) = diagm(D.diag)
__dense(A::Bidiagonal) = diagm(0 => A.dv, (A.uplo == 'U' ? 1 : -1) => A.ev)
__dense(A::SymTridiagonal) = diagm(0 => A.dv, 1 => A.ev, -1 => A.ev)
__dense(A::Tridiagonal) = diagm(0 => A.d, 1 => A.du, -1 => A.dl)
function __set_diagonal!(A, x)
    view(vec(A), diagind(A)) .= x
    return A
end
__set_diagonal!(A::Array, x::Number) = (for k in diagind(A); A[k] = x; end; A)
__set_diagonal!(A::Array, v::AbstractVector) = (for (k, x) in zip(diagind(A), v); A[k] = x; end; A)
copy(A::Bidiagonal) = Bidiagonal(copy(A.dv), copy(A.ev), A.uplo)
copy(A::SymTridiagonal) = SymTridiagonal(copy(A.dv), copy(A.ev))
copy(A::Tridiagonal) = Tridiagonal(copy(A.dl), copy(A.d), copy(A.du))
Bidiagonal(A::AbstractMatrix, uplo::Symbol) = Bidiagonal(diag(A), diag(A, uplo === :U ? 1 : -1), uplo)
SymTridiagonal(A::AbstractMatrix) = diag(A, 1) == diag(A, -1) ? SymTridiagonal(diag(A), diag(A, 1)) : throw(ArgumentError("matrix is not symmetric; cannot convert to SymTridiagonal"))
Tridiagonal(A::AbstractMatrix) = Tridiagonal(diag(A, -1), diag(A), diag(A, 1))
+(A::Tridiagonal, B::Tridiagonal) = Tridiagonal(A.dl + B.dl, A.d + B.d, A.du + B.du)
-(A::Tridiagonal, B::Tridiagonal) = Tridiagonal(A.dl - B.dl, A.d - B.d, A.du - B.du)
+(A::SymTridiagonal, B::SymTridiagonal) = SymTridiagonal(A.dv + B.dv, A.ev + B.ev)
-(A::SymTridiagonal, B::SymTridiagonal) = SymTridiagonal(A.dv - B.dv, A.ev - B.ev)
*(x::Number, A::Bidiagonal) = Bidiagonal(x * A.dv, x * A.ev, A.uplo)
*(x::Number, A::SymTridiagonal) = SymTridiagonal(x * A.dv, x * A.ev)
*(x::Number, A::Tridiagonal) = Tridiagonal(x * A.dl, x * A.d, x * A.du)
*(A::__Banded, x::Number) = x * A
-(A::Bidiagonal) = Bidiagonal(-A.dv, -A.ev, A.uplo)
-(A::SymTridiagonal) = SymTridiagonal(-A.dv, -A.ev)
-(A::Tridiagonal) = Tridiagonal(-A.dl, -A.d, -A.du)
/(A::__Banded, x::Number) = inv(x) * A
eigvals(A::SymTridiagonal) = eigvals(Symmetric(__dense(A)))
setindex!(A::Tridiagonal, x, i::Int, j::Int) = __set_band!(A, x, i, j, A.d, A.du, A.dl)
setindex!(A::Bidiagonal, x, i::Int, j::Int) = A.uplo == 'U' ? __set_band!(A, x, i, j, A.dv, A.ev, nothing) : __set_band!(A, x, i, j, A.dv, nothing, A.ev)
setindex!(A::SymTridiagonal, x, i::Int, j::Int) = i == j ? (A.dv[i] = x; A) : throw(ArgumentError("cannot set off-diagonal entry ($i, $j)"))
function __set_band!(A, x, i, j, d, above, below)
    checkbounds(A, i, j)
    if i == j
        d[i] = x
    elseif j == i + 1 && above !== nothing
        above[i] = x
    elseif i == j + 1 && below !== nothing
        below[j] = x
    elseif !iszero(x)
        band = A isa Tridiagonal ? "tridiagonal" : A.uplo == 'U' ? "upper bidiagonal" : "lower bidiagonal"
        throw(ArgumentError("cannot set entry ($i, $j) off the $band band to a nonzero value ($x)"))
    end
    return A
end
Diagonal(A::AbstractMatrix) = Diagonal(diag(A))
copy(A::__Structured) = __like(A, copy(parent(A)))
__map_parent(f, A::Union{AbstractTriangular,Symmetric,Hermitian,Diagonal}) = __like(A, f(parent(A)))
AbstractArray{T}(A::__Structured) where {T} = __map_parent(P -> convert(AbstractArray{T}, P), A)
AbstractMatrix{T}(A::__Structured) where {T} = AbstractArray{T}(A)
__map_parent(f, A::Bidiagonal) = Bidiagonal(f(A.dv), f(A.ev), A.uplo)
__map_parent(f, A::SymTridiagonal) = SymTridiagonal(f(A.dv), f(A.ev))
__map_parent(f, A::Tridiagonal) = Tridiagonal(f(A.dl), f(A.d), f(A.du))
__like(A::Symmetric, P) = Symmetric{eltype(P),typeof(P)}(P, A.uplo)
__like(A::Hermitian, P) = Hermitian{eltype(P),typeof(P)}(P, A.uplo)
__like(A::Diagonal, P) = Diagonal(P)
__like(A::UpperTriangular, P) = UpperTriangular(P)
__like(A::LowerTriangular, P) = LowerTriangular(P)
__like(A::UnitUpperTriangular, P) = UnitUpperTriangular(P)
__like(A::UnitLowerTriangular, P) = UnitLowerTriangular(P)
similar(A::__Structured, ::Type{T}) where {T} = __map_parent(P -> similar(P, T), A)
materialize_array(A::__Structured, b) = new_array(b, broadcast_size(b))
getindex(A::__Structured, I...) = __get(Val(__names_part(I)), A, I)
__get(::Val{true}, A::__Structured, I) = __dense(A)[I...]
==(A::__Structured, B::__Structured) = __dense(A) == __dense(B)

# ---- products
for (A, B) in ((:__Structured, :AbstractVecOrMat), (:AbstractMatrix, :__Structured), (:__Structured, :__Structured))
    @eval *(A::$A, B::$B) = __dense(A) * __dense(B)
    @eval mul!(C::AbstractVecOrMat, A::$A, B::$B, alpha::Number=true, beta::Number=false) = mul!(C, __dense(A), __dense(B), alpha, beta)
end
for (A, B) in ((:__Structured, :AbstractMatrix), (:AbstractMatrix, :__Structured), (:__Structured, :__Structured))
    @eval +(A::$A, B::$B) = __dense(A) + __dense(B)
    @eval -(A::$A, B::$B) = __dense(A) - __dense(B)
end
*(D::Diagonal, B::AbstractVecOrMat) = (__same_rows(D, B); D.diag .* B)
*(A::AbstractMatrix, D::Diagonal) = A .* transpose(D.diag)
*(D::Diagonal, E::Diagonal) = Diagonal(D.diag .* E.diag)
for (W, f) in ((:Adjoint, :conj), (:Transpose, :identity))
    @eval *(a::$W{<:Number,<:AbstractVector}, D::Diagonal) = $W($f.(D.diag) .* parent(a))
    @eval /(a::$W{<:Number,<:AbstractVector}, D::Diagonal) = (__check_diagonal_of(D); $W($f.(D.diag) .\ parent(a)))
end
for f in (:exp, :log, :sqrt, :cbrt, :sin, :cos, :tan, :sinh, :cosh, :tanh)
    @eval $f(D::Diagonal) = Diagonal($f.(D.diag))
end
factorize(D::Diagonal) = D
*(D::Diagonal, B::Union{AbstractTriangular,Symmetric,Hermitian}) = D.diag .* __dense(B)
*(A::Union{AbstractTriangular,Symmetric,Hermitian}, D::Diagonal) = __dense(A) .* transpose(D.diag)
__same_rows(D, B) = length(D.diag) == size(B, 1) || throw(DimensionMismatch(string("a diagonal of ", length(D.diag), " elements and a matrix of ", size(B, 1), " rows")))
for A in (:AbstractMatrix, :__Structured)
    @eval function mul!(C::Diagonal, A::$A, B::$A, alpha::Number=true, beta::Number=false)
        P = diag(__dense(A) * __dense(B))
        beta == false ? (C.diag .= P .* alpha) : (C.diag .= P .* alpha .+ C.diag .* beta)
        return C
    end
end
kron(D::Diagonal, E::Diagonal) = Diagonal(kron(D.diag, E.diag))
kron(A::__Structured, B::__Structured) = kron(__dense(A), __dense(B))
for P in (:AbstractMatrix, :AbstractVector)
    @eval kron(A::__Structured, B::$P) = kron(__dense(A), B)
    @eval kron(A::$P, B::__Structured) = kron(A, __dense(B))
end
kron!(C::Diagonal, D::Diagonal, E::Diagonal) = (kron!(C.diag, D.diag, E.diag); C)
-(A::__Structured) = -__dense(A)
# Multiples, negatives and sums of one kind of matrix are of that kind; those of unit triangular ones lose the unit.
__scaled(A::Union{UpperTriangular,LowerTriangular,Symmetric}, f) = __like(A, f(parent(A)))
__scaled(A::UnitUpperTriangular, f) = UpperTriangular(f(__dense(A)))
__scaled(A::UnitLowerTriangular, f) = LowerTriangular(f(__dense(A)))
__scaled(A::Hermitian, f) = f(__dense(A))
for W in (:Adjoint, :Transpose)
    @eval *(a::$W{<:Any,<:AbstractVector}, A::Union{AbstractTriangular,Symmetric,Hermitian}) = a * __dense(A)
end
*(x::Number, A::Union{AbstractTriangular,Symmetric,Hermitian}) = __scaled(A, P -> x * P)
*(A::Union{AbstractTriangular,Symmetric,Hermitian}, x::Number) = __scaled(A, P -> P * x)
/(A::Union{AbstractTriangular,Symmetric,Hermitian}, x::Number) = __scaled(A, P -> P / x)
*(x::Real, A::Hermitian) = __like(A, x * parent(A))
*(A::Hermitian, x::Real) = __like(A, parent(A) * x)
/(A::Hermitian, x::Real) = __like(A, parent(A) / x)
-(A::Union{AbstractTriangular,Symmetric}) = __scaled(A, -)
-(A::Union{Hermitian,Diagonal}) = __like(A, -parent(A))
for op in (:+, :-), M in (:UpperTriangular, :LowerTriangular)
    @eval $op(A::$M, B::$M) = $M($op(A.data, B.data))
end
rmul!(D::Diagonal, x::Number) = (rmul!(D.diag, x); D)
lmul!(x::Number, D::Diagonal) = (lmul!(x, D.diag); D)
+(A::UpperTriangular, J::UniformScaling) = UpperTriangular(__dense(A) + J)
+(A::UnitUpperTriangular, J::UniformScaling) = UpperTriangular(__dense(A) + J)
+(A::LowerTriangular, J::UniformScaling) = LowerTriangular(__dense(A) + J)
+(A::UnitLowerTriangular, J::UniformScaling) = LowerTriangular(__dense(A) + J)
+(A::Union{Symmetric,Hermitian}, J::UniformScaling) = __dense(A) + J
+(D::Diagonal, J::UniformScaling) = Diagonal(D.diag .+ J.λ)
+(J::UniformScaling, A::__Structured) = A + J
-(A::__Structured, J::UniformScaling) = A + -J
-(J::UniformScaling, A::__Structured) = -__dense(A) + J

# ---- systems of equations
\(A::__Structured, B::AbstractVecOrMat) = __dense(A) \ B
/(B::AbstractMatrix, A::__Structured) = B / __dense(A)
\(D::Diagonal, B::AbstractVecOrMat) = (__same_rows(D, B); __check_diagonal_of(D); D.diag .\ B)
/(B::AbstractMatrix, D::Diagonal) = (__check_diagonal_of(D); B ./ transpose(D.diag))
function __check_diagonal_of(D)
    k = findfirst(iszero, D.diag)
    k === nothing || throw(SingularException(k))
    return nothing
end
inv(A::__Structured) = inv(__dense(A))
inv(D::Diagonal) = (__check_diagonal_of(D); Diagonal(inv.(D.diag)))
det(A::Union{Symmetric,Hermitian}) = det(__dense(A))
det(A::Union{UpperTriangular,LowerTriangular}) = prod(diag(A.data))
det(A::Union{UnitUpperTriangular,UnitLowerTriangular}) = one(eltype(A))
struct __DiagonalCholesky                          # cholesky(D)
    factor
    info::Int
end
function cholesky(D::Diagonal; check::Bool=true)
    k = findfirst(x -> !(real(x) > 0), D.diag)
    check && k !== nothing && throw(PosDefException(k))
    return __DiagonalCholesky(k === nothing ? Diagonal(sqrt.(D.diag)) : D, k === nothing ? 0 : k)
end
getproperty(F::__DiagonalCholesky, name::Symbol) = name === :U || name === :L ? getfield(F, :factor) : getfield(F, name)

# ---- copies, predicates
copyto!(B::Array, A::__Structured) = copyto!(B, collect(__dense(A)))
copyto!(B::Diagonal, A::Diagonal) = (copyto!(B.diag, A.diag); B)
function setindex!(D::Diagonal, x, i::Int, j::Int)
    checkbounds(D, i, j)
    if i == j
        D.diag[i] = x
    elseif !iszero(x)
        throw(ArgumentError("cannot set off-diagonal entry ($i, $j) to a nonzero value ($x)"))
    end
    return D
end
copyto!(B::Union{UpperTriangular,UnitUpperTriangular}, A::Union{UpperTriangular,UnitUpperTriangular}) = (copyto!(B.data, triu(A.data) .+ tril(B.data, -1)); B)
copyto!(B::Union{LowerTriangular,UnitLowerTriangular}, A::Union{LowerTriangular,UnitLowerTriangular}) = (copyto!(B.data, tril(A.data) .+ triu(B.data, 1)); B)
istriu(A::__Structured, k::Integer=0) = istriu(__dense(A), k)
istril(A::__Structured, k::Integer=0) = istril(__dense(A), k)

# ---- printing: elements that are zero by the matrix type appear as dots
__is_structural_zero(A::Union{UpperTriangular,UnitUpperTriangular}, i, j) = i > j
__is_structural_zero(A::Union{LowerTriangular,UnitLowerTriangular}, i, j) = i < j
__is_structural_zero(D::Diagonal, i, j) = i != j
__on_host(A) = __like(A, Array(parent(A)))
show(io::IO, A::__Structured) = show(io, collect(__dense(A)))
function show(io::IO, ::MIME{Symbol("text/plain")}, A::__Structured)
    write(io, summary(A))
    isempty(A) && return nothing
    write(io, ":")
    return __show_grid(io, __on_host(A), false)
end

# ---- functions of matrices (matrix_functions.jl)
__like(A::Symmetric, X) = Symmetric(X)
__like(A::Hermitian, X) = eltype(X) <: Real || ishermitian(X) ? Hermitian(X) : X
sqrt(A::UpperTriangular) = UpperTriangular(all(k -> isreal(A[k, k]) && real(A[k, k]) >= 0, 1:size(A, 1)) ? __triangular_root(__matrix_of(__divided_type(eltype(A)), A)) : __triangular_root(complex(float(Matrix(A)))))
for f in (:exp, :log, :sqrt, :cis, :sin, :cos, :tan, :sinh, :cosh, :tanh)
    @eval $f(D::Diagonal) = Diagonal(map($f, D.diag))
end
^(D::Diagonal, p::Real) = Diagonal(map(x -> x^p, D.diag))
^(D::Diagonal, p::Integer) = Diagonal(map(x -> x^p, D.diag))
