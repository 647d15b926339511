# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/scan_blocks
# Norms and matrix products with Kiln's own kernels. Larger products use cuBLAS or OpenBLAS if it is installed.

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
        set_product!(C, i + 1, j + 1, element_of_product(C, A, B, i + 1, j + 1), alpha, beta)
    end
    return nothing
end
@inline function element_of_product(C, A, B, i, j)
    value = zero(eltype(C))
    for k in 1:size(A, 2)
        @inbounds value = Base.add_product(wide_factor(eltype(C), A[i, k]), B[k, j], value)
    end
    return value
end
@inline set_product!(C, i, j, value, alpha, beta) = @inbounds C[i, j] = beta == false ? value * alpha : value * alpha + C[i, j] * beta

# Kernel of the same product for the CPU. Each thread computes R x 4 elements of C, which stay in registers; the terms of each sum
# have the same order.
function matrix_product_tiles(C, A, B, alpha, beta, ::Val{R}) where {R}
    t = global_index() - 1
    m, n = size(C, 1), size(C, 2)
    tiles_of_column = cld(m, R)
    if t < tiles_of_column * cld(n, 4)
        i, j = rem(t, tiles_of_column) * R, div(t, tiles_of_column) * 4
        if i + R <= m && j + 4 <= n
            product_tile(C, A, B, i, j, alpha, beta, Val(R))
        else
            for c in j+1:min(j + 4, n), r in i+1:min(i + R, m)
                set_product!(C, r, c, element_of_product(C, A, B, r, c), alpha, beta)
            end
        end
    end
    return nothing
end
@inline add_products(a, b, sums) = map((x, sum) -> Base.add_product(x, b, sum), a, sums)
@inline function product_tile(C, A, B, i, j, alpha, beta, ::Val{R}) where {R}
    s1 = s2 = s3 = s4 = ntuple(r -> zero(eltype(C)), Val(R))
    for k in 1:size(A, 2)
        a = ntuple(r -> (@inbounds A[i+r, k]), Val(R))
        @inbounds s1 = add_products(a, B[k, j+1], s1)
        @inbounds s2 = add_products(a, B[k, j+2], s2)
        @inbounds s3 = add_products(a, B[k, j+3], s3)
        @inbounds s4 = add_products(a, B[k, j+4], s4)
    end
    for r in 1:R
        set_product!(C, i + r, j + 1, s1[r], alpha, beta)
        set_product!(C, i + r, j + 2, s2[r], alpha, beta)
        set_product!(C, i + r, j + 3, s3[r], alpha, beta)
        set_product!(C, i + r, j + 4, s4[r], alpha, beta)
    end
    return nothing
end
function launch_product(C, A, B, alpha, beta)
    T = eltype(C)
    if functional() || size(C, 2) < 4 || !(T <: Union{Float32,Float64,Int32,Int64} && eltype(A) === T && eltype(B) === T)
        launch_elements(matrix_product, (C, A, B, alpha, beta), length(C), length(C) * size(A, 2))
    else
        R = div(64, sizeof(T)) # a column of a tile is a line of the processor's cache
        args = (C, A isa CuArray ? A : copy(A), B, alpha, beta, Val(R))
        n = cld(size(C, 1), R) * cld(size(C, 2), 4)
        compile_kernel(matrix_product_tiles, args, false)(args...; threads=16, blocks=cld(n, 16))
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
# The host makes products of matrices in contiguous memory (lib/programs/cuda_linear.cpp).
product(A, B) = product(A, B, min_blas_work, min_cublas_work)
function product(A, B, min_work, min_work_of_cublas)
    size(A, 2) == size(B, 1) || throw(DimensionMismatch(string("matrix A has axes ", axes_text(A), ", matrix B has axes ", axes_text(B))))
    C = new_array(product_type(A, B), ndims(B) == 1 ? (size(A, 1),) : (size(A, 1), size(B, 2)))
    return multiply!(C, A, B, true, false)
end
function multiply!(C, A, B, alpha, beta)
    n = ndims(B) == 1 ? 1 : size(B, 2)
    if size(A, 2) != size(B, 1) || size(C, 1) != size(A, 1) || size(C, 2) != n
        throw(DimensionMismatch(string("C has axes ", axes_text(C), ", A has axes ", axes_text(A), ", B has axes ", axes_text(B))))
    end
    length(C) == 0 || blas_product!(C, A, B, alpha, beta) || launch_product(as_matrix(C), A, as_matrix(B), alpha, beta)
    return C
end
# Uses cuBLAS on a GPU, and OpenBLAS on the CPU, if it is installed and supports the numbers. The product has to be large
# enough to repay a call, and on a GPU the start of cuBLAS (0.12 s per process). The choice depends only on the product's
# size, so that a program's values do not depend on earlier calls.
const BlasNumber = Union{Float16,BFloat16,Float32,Float64,Complex{Float32},Complex{Float64}}
min_blas_work = 1 << 12                          # multiplications
min_cublas_work = 1 << 27
blas_form(A) = nothing
blas_form(A::CuArray) = (A, 0)
blas_form(A::Transpose{T,<:CuArray{T,2}}) where {T} = (parent(A), 1)
blas_form(A::Adjoint{T,<:CuArray{T,2}}) where {T} = (parent(A), 2)
function blas_product!(C, A, B, alpha, beta)
    T = eltype(C)
    m, k, n = size(A, 1), size(A, 2), size(B, 2)
    work = m * n * k
    work >= min_blas_work && C isa CuArray && T <: BlasNumber && eltype(A) === T && eltype(B) === T || return false
    a, b = blas_form(A), blas_form(B)
    (a === nothing || b === nothing) && return false
    imag(alpha) == 0 && imag(beta) == 0 || T <: Complex || return false
    return __multiply(T, (m, n, k), a[1].storage, a[1].offset, a[2], b[1].storage, b[1].offset, b[2], C.storage, C.offset,
                      Float64(real(alpha)), Float64(imag(alpha)), Float64(real(beta)), Float64(imag(beta)), work >= min_cublas_work)
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
Base.permutedims(A::WrappedCuArray) = permutedims(copy(A))
Base.permutedims(A::WrappedCuArray, perm) = permutedims(copy(A), perm)
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
