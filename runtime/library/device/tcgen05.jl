# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/tensor_memory
# Matrix products of sm_100: D = A*B + D with 128 rows. D is in tensor memory (row i in lane i, 32-bit columns). A and
# B are in shared memory as for wgmma; A may also be in tensor memory. One thread issues the product. On the CPU this
# thread computes all elements; GPU targets overlay the product with its instruction.

# Types of 8-bit float elements. Kernels only store them and multiply matrices of them.
struct E4M3
    bits::UInt8
end
struct E5M2
    bits::UInt8
end
@inline wmma_wide(x::E4M3) = Float32(small_value(zext_int(UInt32, x.bits), Val(:e4m3)))
@inline wmma_wide(x::E5M2) = Float32(small_value(zext_int(UInt32, x.bits), Val(:e5m2)))

# Matrix A in tensor memory: row i is in lane i. The 32 bytes of a row along K fill 8 columns, with lower k in lower
# bits.
struct TensorMatrix{T}
    address::UInt32
end
@inline tensor_matrix(::Type{T}, address::Integer) where {T} = TensorMatrix{T}(rem(address, UInt32))

# ---- supported products
@inline tcgen05_kind(::Type{Float16}, ::Type{Float16}) = :f16
@inline tcgen05_kind(::Type{BFloat16}, ::Type{BFloat16}) = :f16
@inline tcgen05_kind(::Type{Float32}, ::Type{Float32}) = :tf32
@inline tcgen05_kind(::Type{<:Union{E4M3,E5M2}}, ::Type{<:Union{E4M3,E5M2}}) = :f8f6f4
@inline tcgen05_kind(::Type{Int8}, ::Type{Int8}) = :i8
@inline tcgen05_kind(::Type{UInt8}, ::Type{UInt8}) = :i8
@inline tcgen05_kind(::Type, ::Type) = static_error("tcgen05_mma multiplies Float16, BFloat16, Float32, Int8 and UInt8 with their like, E4M3 and E5M2 with both")
@inline tcgen05_sum(::Val{:i8}) = Int32
@inline tcgen05_sum(::Val) = Float32
@inline tcgen05_along(::TensorMatrix) = :k
@inline tcgen05_along(::SharedMatrix{T,along}) where {T,along} = along
const Tcgen05A{T} = Union{SharedMatrix{T},TensorMatrix{T}}

# Computes A*B into the n columns of D from address `d` on. Adds to the old D only if `keep` is true.
@inline function tcgen05_mma(d::Integer, a::Tcgen05A{TA}, b::SharedMatrix{TB}, ::Val{n}, keep::Bool=true) where {TA,TB,n}
    kind = tcgen05_kind(TA, TB)
    (16 <= n <= 256) & (rem(n, 16) == 0) || static_error("tcgen05_mma has 16, 32, ... 256 columns")
    (kind !== :tf32) | (tcgen05_along(a) === :k) & (tcgen05_along(b) === :k) || static_error("tcgen05_mma takes matrices of Float32 contiguous along :k alone")
    return tcgen05_product(rem(d, UInt32), a, b, Val(n), keep, Val(kind))
end

# ---- natively
@inline function matrix_element(m::TensorMatrix{T}, i::Int, k::Int) where {T}
    return wmma_wide(pointer_load(tensor_byte(tensor_state(), i, tensor_column(m.address), T), k, Val(0)))
end
@inline tensor_operand(m::SharedMatrix) = nothing
@inline tensor_operand(m::TensorMatrix) = tensor_rows(m.address, 8)
@inline function tensor_rows(address::UInt32, n)
    tensor_lane(address) == 0 || throw(ArgumentError("tcgen05_mma: D, and A in tensor memory, begin in lane 0"))
    tensor_allocated(tensor_state(), address, n)
end
@inline function tcgen05_product(d::UInt32, a, b, ::Val{n}, keep::Bool, kind) where {n}
    tensor_rows(d, n)
    tensor_operand(a)
    tcgen05_elements(d, a, b, n, keep, tcgen05_sum(kind))
end
function tcgen05_elements(d::UInt32, a::Tcgen05A{TA}, b::SharedMatrix, n, keep::Bool, ::Type{D}) where {TA,D}
    state = tensor_state()
    row = stack_alloc(D, Val(div(32, sizeof(TA))))
    for i in 0:127
        for k in 0:wgmma_depth(TA)-1
            pointer_store(row, matrix_element(a, i, k), k, Val(0))
        end
        sums = tensor_byte(state, i, tensor_column(d), D)
        for j in 0:n-1
            sum = keep ? pointer_load(sums, j, Val(0)) : zero(D)
            for k in 0:wgmma_depth(TA)-1
                sum = muladd(pointer_load(row, k, Val(0)), matrix_element(b, j, k), sum)
            end
            pointer_store(sums, sum, j, Val(0))
        end
    end
    return
end
# Makes an mbarrier count one arrival when the products that this thread issued are done. On the CPU they are already
# done.
@inline tcgen05_commit(b::MBarrier) = (mbarrier_arrive(b); nothing)
# Fences around a barrier: they order a thread's tcgen05 operations before the barrier, and operations of other
# threads after it.
@inline tcgen05_fence_before_thread_sync() = nothing
@inline tcgen05_fence_after_thread_sync() = nothing
