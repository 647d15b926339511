# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/linear
# cuBLAS.jl's functions, with the library's names and arguments. Large products use cuBLAS itself if it is installed
# (linear.jl). Functions with a length argument use only that many elements of a vector.
module cuBLAS
import CUDA: reduce_to, InitialValue, as_matrix
first_of(n, x) = n == length(x) ? x : view(vec(x), 1:n)
form(t::Char, A) = t == 'N' ? A : t == 'T' ? transpose(A) : t == 'C' ? adjoint(A) : throw(ArgumentError(string("trans argument must be 'N' (no transpose), 'T' (transpose) or 'C' (conjugate transpose), got ", t)))
axpy!(n::Integer, a::Number, x, y) = (Base.axpy!(a, first_of(n, x), first_of(n, y)); y)
axpby!(n::Integer, a::Number, x, b::Number, y) = (Base.axpby!(a, first_of(n, x), b, first_of(n, y)); y)
scal!(n::Integer, a::Number, x) = (Base.rmul!(first_of(n, x), a); x)
copy!(n::Integer, x, y) = (Base.copyto!(first_of(n, y), first_of(n, x)); y)
function swap!(n::Integer, x, y)
    (a, b) = (first_of(n, x), first_of(n, y))
    held = Base.copy(a)
    Base.copyto!(a, b)
    Base.copyto!(b, held)
    return (x, y)
end
dot(n::Integer, x, y) = Base.sum(Base.Broadcasted(*, (first_of(n, x), first_of(n, y))))
dotu(n::Integer, x, y) = dot(n, x, y)
dotc(n::Integer, x, y) = Base.dot(first_of(n, x), first_of(n, y))
nrm2(n::Integer, x) = Base.norm(first_of(n, x))
nrm2(x) = Base.norm(x)
asum(n::Integer, x) = Base.sum(cabs1, first_of(n, x))
@inline cabs1(x) = abs(real(x)) + abs(imag(x))
iamax(n::Integer, x) = Base.argmax(cabs1.(first_of(n, x)))
iamin(n::Integer, x) = Base.argmin(cabs1.(first_of(n, x)))
gemv!(t::Char, alpha::Number, A, x, beta::Number, y) = Base.mul!(y, form(t, A), x, alpha, beta)
gemv(t::Char, alpha::Number, A, x) = alpha .* (form(t, A) * x)
gemv(t::Char, A, x) = form(t, A) * x
gemm!(t::Char, u::Char, alpha::Number, A, B, beta::Number, C) = Base.mul!(C, form(t, A), form(u, B), alpha, beta)
gemm(t::Char, u::Char, alpha::Number, A, B) = alpha .* (form(t, A) * form(u, B))
gemm(t::Char, u::Char, A, B) = form(t, A) * form(u, B)
ger!(alpha::Number, x, y, A) = (A .+= alpha .* x .* adjoint(y); A)
geam(t::Char, u::Char, alpha::Number, A, beta::Number, B) = alpha .* form(t, A) .+ beta .* form(u, B)
end
const CUBLAS = cuBLAS
export CUBLAS
