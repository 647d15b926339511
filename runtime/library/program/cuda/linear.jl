# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/scan_blocks
# Norms and matrix products with Kiln's own kernels. Large products use cuBLAS if it is installed.

Base.dot(x::AnyCuArray, y::AnyCuArray) = dot_of(x, y)
function dot_of(x, y)
    length(x) == length(y) || throw(DimensionMismatch(string("dot product arguments have lengths ", length(x), " and ", length(y))))
    b = nest_of(dot, x, y)
    return reduce_to(+, b, :, zero(element_of(b)))
end
Base.norm(A::AnyCuArray) = Base.norm(A, 2)
Base.__greatest(A::AnyCuArray) = maximum(Base.float_abs, A)
Base.__sum_of(f, A::AnyCuArray) = mapreduce(f, +, A; init=0.0)

# Kernel for C = A * B * alpha + C * beta. Each thread computes one element of C.
function matrix_product(C, A, B, alpha, beta)
    t = global_index() - 1
    if t < length(C)
        j = div(t, size(C, 1))
        i = t - j * size(C, 1)
        value = zero(eltype(C))
        for k in 1:size(A, 2)
            @inbounds value = Base.add_product(wide_factor(eltype(C), A[i+1, k]), B[k, j+1], value)
        end
        @inbounds C[t+1] = beta == false ? value * alpha : value * alpha + C[t+1] * beta
    end
    return nothing
end
# Factors of narrow integer types are converted to the element type of the sum.
@inline wide_factor(::Type{T}, a) where {T} = a
@inline wide_factor(::Type{T}, a::Integer) where {T<:Integer} = convert(promote_type(T, typeof(a)), a)
const CuMatrixLike = Union{CuFlat{T,2} where {T},CuTransposed,CuPermuted}
function product_type(A, B)
    T = __return_type(multiply_add, eltype(A), eltype(B))
    return T
end
@inline multiply_add(a, b) = a * b + a * b
as_matrix(x) = ndims(x) == 1 ? reshape(x, (length(x), 1)) : x
function product(A, B)
    size(A, 2) == size(B, 1) || throw(DimensionMismatch(string("matrix A has axes ", axes_text(A), ", matrix B has axes ", axes_text(B))))
    C = new_array(product_type(A, B), ndims(B) == 1 ? (size(A, 1),) : (size(A, 1), size(B, 2)))
    return multiply!(C, A, B, true, false)
end
function multiply!(C, A, B, alpha, beta)
    n = ndims(B) == 1 ? 1 : size(B, 2)
    if size(A, 2) != size(B, 1) || size(C, 1) != size(A, 1) || size(C, 2) != n
        throw(DimensionMismatch(string("C has axes ", axes_text(C), ", A has axes ", axes_text(A), ", B has axes ", axes_text(B))))
    end
    length(C) == 0 || cublas_product!(C, A, B, alpha, beta) || launch_elements(matrix_product, (as_matrix(C), A, as_matrix(B), alpha, beta), length(C), length(C) * size(A, 2))
    return C
end
# Uses cuBLAS if it is installed, supports the numbers, and the product is large enough to repay its start-up (0.12 s per
# process). The choice depends only on the product's size, so that a program's values do not depend on earlier calls.
const CublasNumber = Union{Float16,BFloat16,Float32,Float64,Complex{Float32},Complex{Float64}}
min_cublas_work = 1 << 27                        # multiplications
cublas_form(A) = nothing
cublas_form(A::CuArray) = (A, 0)
cublas_form(A::Transpose{T,<:CuArray{T,2}}) where {T} = (parent(A), 1)
cublas_form(A::Adjoint{T,<:CuArray{T,2}}) where {T} = (parent(A), 2)
function cublas_product!(C, A, B, alpha, beta)
    T = eltype(C)
    m, k, n = size(A, 1), size(A, 2), size(B, 2)
    m * n * k >= min_cublas_work && C isa CuArray && T <: CublasNumber && eltype(A) === T && eltype(B) === T || return false
    a, b = cublas_form(A), cublas_form(B)
    (a === nothing || b === nothing) && return false
    imag(alpha) == 0 && imag(beta) == 0 || T <: Complex || return false
    return __multiply(T, (m, n, k), a[1].storage, a[1].offset, a[2], b[1].storage, b[1].offset, b[2], C.storage, C.offset,
                      Float64(real(alpha)), Float64(imag(alpha)), Float64(real(beta)), Float64(imag(beta)))
end
Base.:*(A::CuMatrixLike, B::CuMatrixLike) = product(A, B)
Base.:*(A::CuMatrixLike, x::CuFlat{T,1}) where {T} = product(A, x)
Base.:*(x::CuFlat{T,1}, A::CuMatrixLike) where {T} = product(as_matrix(x), A)
Base.:*(x::CuFlat{T,1}, b::Union{Adjoint{S,<:CuFlat{S,1}},Transpose{S,<:CuFlat{S,1}}}) where {T,S} = product(as_matrix(x), b)
Base.:*(a::Adjoint{T,<:CuFlat{T,1}}, B::CuMatrixLike) where {T} = adjoint(product(adjoint(B), parent(a)))
Base.:*(a::Transpose{T,<:CuFlat{T,1}}, B::CuMatrixLike) where {T} = transpose(product(transpose(B), parent(a)))
Base.:*(a::Adjoint{T,<:CuFlat{T,1}}, x::CuFlat{S,1}) where {T,S} = dot(parent(a), x)
Base.:*(a::Transpose{T,<:CuFlat{T,1}}, x::CuFlat{S,1}) where {T,S} = sum(Base.Broadcasted(*, (parent(a), x)))
Base.sum(b::Base.Broadcasted) = reduce_to(Base.add_sum, b, :, InitialValue())
Base.mul!(C::CuFlat, A::CuMatrixLike, B::AnyCuArray, alpha::Number=true, beta::Number=false) = multiply!(C, A, B, alpha, beta)
Base.mul!(C::CuFlat, a::CuFlat{T,1}, B::CuMatrixLike, alpha::Number=true, beta::Number=false) where {T} = multiply!(C, as_matrix(a), B, alpha, beta)
Base.axpy!(a::Number, x::AnyCuArray, y::AnyCuArray) = (y .+= times.(a, x); y)
Base.axpby!(a::Number, x::AnyCuArray, b::Number, y::AnyCuArray) = (y .= times.(a, x) .+ times.(b, y); y)
Base.rmul!(A::AnyCuArray, x::Number) = (A .= times.(x, A); A)
Base.lmul!(x::Number, A::AnyCuArray) = (A .= times.(x, A); A)
Base.tr(A::CuArray{T,2}) where {T} = sum(A[Base.diagind(A)])
Base.permutedims(A::CuArray{T,2}) where {T} = copy(transpose(A))
Base.permutedims(A::CuArray, perm) = copy(Base.PermutedDimsArray(A, perm))
Base.permutedims(A::CuArray{T,1}) where {T} = reshape(A, (1, length(A)))
Base.repeat(A::CuArray, counts::Integer...) = repeat(A; outer=counts)
function Base.repeat(A::CuArray; inner=(), outer=())
    N = max(ndims(A), length(inner), length(outer))
    fine = ntuple(d -> d <= length(inner) ? Int(inner[d]) : 1, N)
    I = ntuple(d -> (n = size(A, d) * fine[d]; CuArray(Int[div((k - 1) % n, fine[d]) + 1 for k in 1:n*(d <= length(outer) ? outer[d] : 1)])), N)
    return unchecked_part(A, I)
end

# Systems of equations are solved on the host, since programs do not use cuSOLVER.
const CuSquare = Union{CuMatrixLike,CuFlat{T,1} where {T}}
on_host(A::AnyCuArray) = Array(A)
on_host(A) = A
Base.:\(A::CuMatrixLike, B::CuSquare) = CuArray(on_host(A) \ on_host(B))
Base.:\(A::CuMatrixLike, B::Array) = CuArray(on_host(A) \ B)
Base.:/(A::CuMatrixLike, B::CuMatrixLike) = CuArray(on_host(A) / on_host(B))
Base.inv(A::CuMatrixLike) = CuArray(inv(on_host(A)))
Base.det(A::CuMatrixLike) = det(on_host(A))
Base.:+(A::CuMatrixLike, J::Base.UniformScaling) = CuArray(on_host(A) + J)
Base.:+(J::Base.UniformScaling, A::CuMatrixLike) = A + J
Base.:-(A::CuMatrixLike, J::Base.UniformScaling) = CuArray(on_host(A) - J)
Base.:-(J::Base.UniformScaling, A::CuMatrixLike) = CuArray(J - on_host(A))
Base.:^(A::CuArray{T,2}, n::Integer) where {T} = n < 0 ? inv(A)^(-n) : n == 0 ? CuArray(one(Array(A))) : n == 1 ? copy(A) : (half = A^(n >> 1); isodd(n) ? half * half * A : half * half)
Base.literal_pow(::typeof(^), A::CuArray{T,2}, ::Val{2}) where {T} = A * A
Base.literal_pow(::typeof(^), A::CuArray{T,2}, ::Val{3}) where {T} = A * A * A
Base.literal_pow(::typeof(^), A::CuArray{T,2}, ::Val{-1}) where {T} = inv(A)
