# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; overlay: ptx; after: device/ptx/ordered_atomics
# ptx overlay: matrix unit instructions (wmma). The names of NVVM's intrinsics contain the shapes and types of the
# operands.

@inline wmma_shape_name(::Val{s}) where {s} = Symbol(:m, getfield(s, 1), :n, getfield(s, 2), :k, getfield(s, 3))
@inline wmma_needs(::Type{Float16}) = 70i32
@inline wmma_needs(::Type{T}) where {T<:Union{Int8,UInt8,Int32}} = 72i32
@inline wmma_needs(::Type{T}) where {T} = 80i32
@inline wmma_supported(::Type{T}) where {T} = architecture() >= wmma_needs(T) || architecture_error("the GPU that is compiled for has no matrix instructions of these elements")

@inline function wmma_load(mat::Val{m}, ::Val{layout}, shape, ::Type{T}, p::LLVMPtr{E,A}, stride) where {m,layout,T,E,A}
    m === :c || wmma_supported(T)
    return foreign_call(Symbol("llvm.nvvm.wmma.", wmma_shape_name(shape), ".load.", m, ".", layout, ".stride.", wmma_name(mat, T)),
                        wmma_fragment(mat, shape, T), Tuple{LLVMPtr{E,A},Int32}, p, rem(stride, Int32))
end
@inline function wmma_store(::Val{layout}, shape, ::Type{T}, p::LLVMPtr{E,A}, d, stride) where {layout,T,E,A}
    args = (p, d..., rem(stride, Int32))
    foreign_call(Symbol("llvm.nvvm.wmma.", wmma_shape_name(shape), ".store.d.", layout, ".stride.", wmma_name(Val(:d), T)), Nothing, typeof(args), args...)
    return
end
@inline wmma_signature(::Type{Float16}, ::Type{D}, ::Type{S}) where {D,S} = Symbol(wmma_name(Val(:d), D), ".", wmma_name(Val(:c), S))
@inline wmma_signature(::Type{T}, ::Type{D}, ::Type{S}) where {T,D,S} = wmma_name(Val(:a), T)
@inline function wmma_mma(::Val{la}, ::Val{lb}, shape, ::Type{T}, ::Type{D}, ::Type{S}, a, b, c) where {la,lb,T,D,S}
    wmma_supported(T)
    args = (a..., b..., c...)
    return foreign_call(Symbol("llvm.nvvm.wmma.", wmma_shape_name(shape), ".mma.", la, ".", lb, ".", wmma_signature(T, D, S)),
                        wmma_fragment(Val(:d), shape, D), typeof(args), args...)
end
@inline function mma_sync(shape, ::Type{T}, ::Type{D}, a, b, c) where {T,D}
    wmma_supported(T)
    args = (a..., b..., c...)
    return foreign_call(Symbol("llvm.nvvm.mma.", wmma_shape_name(shape), ".row.col.", wmma_signature(T, D, D)), typeof(c), typeof(args), args...)
end
@inline ldmatrix_name(::Val{false}) = Symbol("")
@inline ldmatrix_name(::Val{true}) = Symbol(".trans")
@inline ldmatrix(::Val{n}, p::LLVMPtr{T,A}, transposed) where {n,T,A} =
    foreign_call(Symbol("llvm.nvvm.ldmatrix.sync.aligned.m8n8.x", n, ldmatrix_name(transposed), ".b16"), NTuple{n,UInt32}, Tuple{LLVMPtr{T,A}}, p)
