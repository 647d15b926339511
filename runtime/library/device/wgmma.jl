# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/tensor_map
# Matrix products by a warpgroup (four warps): D = A*B + D with 64 rows. D is in registers; A and B are in shared
# memory in the copy engine's layout. Element e (from 0) of thread t's accumulators is at row 16*(t/32) + (t%32)/4 +
# 8*((e/2)%2) and column 8*(e/4) + 2*(t%4) + e%2. On the CPU each thread computes its elements; GPU targets overlay
# the product with its instruction.

# Matrix A (rows indexed by `i`) or B (columns indexed by `i`) in shared memory, with K elements in the other
# dimension. Its elements are contiguous along K or i. They are swizzled over spans of 128, 64 or 32 bytes, or not
# (0). Layouts of the parts:
#   along K, swizzled:  8 neighbours i form rows of one span each; `stride`: bytes to the next 8
#   along i, swizzled:  8 neighbours k form rows of one span of i; `stride`: bytes to the next 8; `lead`: bytes to the next span of i
#   not swizzled:       blocks of 8 rows of 16 bytes. Along K: `stride` between blocks of i, `lead` between blocks of k; along i the reverse
struct SharedMatrix{T,Along,Swizzle}
    start::LLVMPtr{T,3}
    stride::UInt32
    lead::UInt32
end
@inline matrix_span(::Val{s}) where {s} = (s == 128) | (s == 64) | (s == 32) | (s == 0) ? s : static_error("a matrix in shared memory is swizzled over 128, 64 or 32 bytes, or over 0")
@inline along_known(::Val{a}) where {a} = (a === :k) | (a === :i) || static_error("a matrix in shared memory is contiguous along :k or :i")
@inline function shared_matrix(p::LLVMPtr{T,3}, ::Val{along}, ::Val{swizzle}; stride=max(8 * swizzle, 128), lead=16) where {T,along,swizzle}
    along_known(Val(along))
    matrix_span(Val(swizzle))
    return SharedMatrix{T,along,swizzle}(p, rem(stride, UInt32), rem(lead, UInt32))
end
# Returns a matrix with the same layout that starts `bytes` later in the tile.
@inline matrix_from(m::SharedMatrix{T,A,S}, bytes::Integer) where {T,A,S} = SharedMatrix{T,A,S}(pointer_add(m.start, rem(bytes, Int)), m.stride, m.lead)

# ---- supported products
@inline wgmma_depth(::Type{T}) where {T} = div(32, sizeof(T))
@inline wgmma_exists(::Type{<:Union{Float16,BFloat16}}, ::Type{Float32}) = true
@inline wgmma_exists(::Type{Float32}, ::Type{Float32}) = true
@inline wgmma_exists(::Type{<:Union{Int8,UInt8}}, ::Type{Int32}) = true
@inline wgmma_exists(::Type, ::Type) = false
@inline wgmma_columns(::Type{<:Union{Int8,UInt8}}, n) = (rem(n, 16) == 0) | (n == 8) | (n == 24)
@inline wgmma_columns(::Type, n) = rem(n, 8) == 0
@inline wgmma_along(::Type{<:Union{Float16,BFloat16}}, a) = true
@inline wgmma_along(::Type, a) = a === :k
@inline function wgmma_check(::Type{T}, ::Type{D}, n, along_a, along_b) where {T,D}
    wgmma_exists(T, D) || static_error("wgmma multiplies Float16, BFloat16 and Float32 into Float32, Int8 and UInt8 into Int32")
    (8 <= n <= 256) & wgmma_columns(T, n) || static_error("wgmma has 8, 16, ... 256 columns (of bytes 8, 24 and multiples of 16), each thread half as many accumulators")
    wgmma_along(T, along_a) & wgmma_along(T, along_b) || static_error("wgmma takes matrices contiguous along :i of 16-bit elements alone")
    return
end
# Computes A*B + D, or A*B if `keep` is false.
@inline function wgmma(d::NTuple{R,D}, a::SharedMatrix{T,LA}, b::SharedMatrix{T,LB}, keep::Bool=true) where {R,D,T,LA,LB}
    wgmma_check(T, D, 2 * R, LA, LB)
    return wgmma_product(d, a, b, keep)
end

# ---- natively
@inline function matrix_offset(m::SharedMatrix{T,along,swizzle}, i::Int, k::Int) where {T,along,swizzle}
    chunk = div(16, sizeof(T))
    span = div(max(swizzle, 16), sizeof(T))
    stride, lead = rem(m.stride, Int), rem(m.lead, Int)
    if along === :k
        swizzle == 0 && return rem(i, 8) * 16 + div(i, 8) * stride + div(k, chunk) * lead + rem(k, chunk) * sizeof(T)
        return rem(i, 8) * swizzle + div(i, 8) * stride + k * sizeof(T)
    end
    swizzle == 0 && return rem(i, chunk) * sizeof(T) + div(i, chunk) * stride + rem(k, 8) * 16 + div(k, 8) * lead
    return rem(i, span) * sizeof(T) + div(i, span) * lead + rem(k, 8) * swizzle + div(k, 8) * stride
end
@inline function matrix_element(m::SharedMatrix{T,along,swizzle}, i::Int, k::Int) where {T,along,swizzle}
    address = pointer_to_int(m.start) + rem(matrix_offset(m, i, k), UInt64)
    return wmma_wide(pointer_load(int_to_pointer(LLVMPtr{T,3}, swizzled(address, UInt64(swizzle))), 0, Val(0)))
end
@inline function thread_of_warpgroup()
    i, n = threadIdx(), blockDim()
    return Int((i.z - 1i32) * n.y * n.x + (i.y - 1i32) * n.x + i.x - 1i32) & 127
end
@inline function wgmma_product(d::NTuple{R,D}, a::SharedMatrix{T}, b::SharedMatrix{T}, keep::Bool) where {R,D,T}
    t = thread_of_warpgroup()
    row, col = 16 * (t >> 5) + ((t & 31) >> 2), 2 * (t & 3)
    sums = stack_alloc(NTuple{R,D}, Val(1))
    pointer_store(sums, d, 0, Val(0))
    each = pointer_cast(LLVMPtr{D,5}, sums)
    for e in 0:R-1
        i, j = row + 8 * ((e >> 1) & 1), col + 8 * (e >> 2) + (e & 1)
        sum = keep ? pointer_load(each, e, Val(0)) : zero(D)
        for k in 0:wgmma_depth(T)-1
            sum = muladd(matrix_element(a, i, k), matrix_element(b, j, k), sum)
        end
        pointer_store(each, sum, e, Val(0))
    end
    return pointer_load(sums, 0, Val(0))
end
# Products are asynchronous. wgmma_fence comes before the first product, and after other writes of D or shared memory.
# wgmma_commit makes a group of the issued products. wgmma_wait waits until at most n groups are pending, and returns
# D.
@inline wgmma_fence() = nothing
@inline wgmma_commit() = nothing
@inline wgmma_wait(::Val{n}) where {n} = nothing
@inline wgmma_wait(::Val{n}, d::Tuple) where {n} = d
