# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/mma_sync
# Module WMMA: fragments with a shape, a layout and an element type, as in CUDA.jl.

module WMMA

import CUDA
import CUDA: AS, wmma_check, wmma_exists, wmma_has, wmma_fragment, wmma_elements, wmma_registers, wmma_words, wmma_word

abstract type FragmentLayout end
struct RowMajor <: FragmentLayout end
struct ColMajor <: FragmentLayout end
struct Unspecified <: FragmentLayout end
abstract type FragmentUse end
struct MatrixA <: FragmentUse end
struct MatrixB <: FragmentUse end
struct Accumulator <: FragmentUse end

# One thread's part of a matrix: FS elements of type T, in unspecified order.
struct Fragment{M,N,K,FS,T,L<:FragmentLayout,U<:FragmentUse}
    x::NTuple{FS,T}
end
# Configuration of a product: its shape, and the element type of D.
struct Config{M,N,K,d_type} end

@inline layout_name(::Type{RowMajor}) = Val(:row)
@inline layout_name(::Type{ColMajor}) = Val(:col)
@inline layout_name(::Type) = Core.static_error("the layout of a WMMA matrix is RowMajor or ColMajor")
@inline element_count(mat, shape, ::Type{T}) where {T} = div(wmma_words(mat, shape, T) * sizeof(wmma_word(mat, T)), sizeof(T))

for (load, mat, use) in ((:load_a, :a, :MatrixA), (:load_b, :b, :MatrixB), (:load_c, :c, :Accumulator))
    @eval @inline function $load(addr::LLVMPtr{T,A}, stride::Number, ::Type{L}, ::Type{Config{M,N,K,D}}) where {T,A,L,M,N,K,D}
        mat = Val($(QuoteNode(mat)))
        shape = Val((M, N, K))
        wmma_check(wmma_has(mat, shape, T))
        words = CUDA.wmma_load(mat, layout_name(L), shape, T, addr, stride)
        return Fragment{M,N,K,element_count(mat, shape, T),T,loaded_layout(mat, L),$use}(wmma_elements(T, words))
    end
end
@inline loaded_layout(::Val{:c}, ::Type{L}) where {L} = Unspecified
@inline loaded_layout(mat, ::Type{L}) where {L} = L

@inline function mma(a::Fragment{M,N,K,AS_,T,LA,MatrixA}, b::Fragment{M,N,K,BS_,T,LB,MatrixB}, c::Fragment{M,N,K,CS_,S,Unspecified,Accumulator},
                     ::Type{Config{M,N,K,D}}) where {M,N,K,AS_,BS_,CS_,T,LA,LB,S,D}
    shape = Val((M, N, K))
    wmma_check(wmma_exists(shape, T, D) & wmma_exists(shape, T, S))
    d = CUDA.wmma_mma(layout_name(LA), layout_name(LB), shape, T, D, S, wmma_registers(wmma_fragment(Val(:a), shape, T), a.x),
                      wmma_registers(wmma_fragment(Val(:b), shape, T), b.x), wmma_registers(wmma_fragment(Val(:c), shape, S), c.x))
    return Fragment{M,N,K,element_count(Val(:d), shape, D),D,Unspecified,Accumulator}(wmma_elements(D, d))
end
@inline function store_d(addr::LLVMPtr{T,A}, d::Fragment{M,N,K,FS,T,Unspecified,Accumulator}, stride::Number, ::Type{L}, ::Type{Config{M,N,K,T}}) where {T,A,L,M,N,K,FS}
    shape = Val((M, N, K))
    CUDA.wmma_store(layout_name(L), shape, T, addr, wmma_registers(wmma_fragment(Val(:d), shape, T), d.x), stride)
    return
end
@inline function fill_c(value::T, ::Type{Config{M,N,K,D}}) where {T,M,N,K,D}
    shape = Val((M, N, K))
    wmma_check(wmma_has(Val(:c), shape, T))
    count = element_count(Val(:c), shape, T)
    return Fragment{M,N,K,count,T,Unspecified,Accumulator}(ntuple(Base.Returns(value), Val(count)))
end

# ---- products whose registers have PTX's documented layout: A row by row, B column by column
@inline mma_sync(::Type{Config{M,N,K,D}}, ::Type{T}, a::Tuple, b::Tuple, c::Tuple) where {M,N,K,D,T} = mma_checked(Val((M, N, K)), T, D, a, b, c)
@inline function mma_checked(shape, ::Type{T}, ::Type{D}, a, b, c) where {T,D}
    CUDA.mma_exists(shape, T, D) || Core.static_error("mma.sync has no such shape (M, N, K) for these element types")
    return CUDA.mma_sync(shape, T, D, convert(CUDA.mma_registers(Val(:a), shape, T), a), convert(CUDA.mma_registers(Val(:b), shape, T), b), convert(CUDA.mma_registers(Val(:c), shape, D), c))
end
# Loads 1, 2 or 4 matrices of 8 x 8 16-bit elements from shared memory. Each thread gets one register per matrix.
@inline ldmatrix(p::LLVMPtr, count::Val, transposed::Val=Val(false)) = CUDA.ldmatrix(count, p, transposed)

# ---- elements and dotted calls of fragments; a dotted call returns a fragment of the first argument's type
@inline Base.getindex(f::Fragment, i...) = getindex(f.x, i...)
@inline Base.length(f::Fragment{M,N,K,FS}) where {M,N,K,FS} = FS
@inline Base.firstindex(f::Fragment) = 1
@inline Base.lastindex(f::Fragment) = length(f)
@inline Base.eltype(::Type{<:Fragment{M,N,K,FS,T}}) where {M,N,K,FS,T} = T
@inline Base.axes(f::Fragment) = (Base.OneTo(length(f)),)
struct OfFragments end
@inline Base.broadcast_kind(f::Fragment) = OfFragments()
@inline Base.kind_rank(::OfFragments) = 4
@inline Base.broadcast_size(f::Fragment) = (length(f),)
@inline Base.broadcast_at(f::Fragment, i::Int) = getfield(f.x, i)
@inline Base.materialize_as(::OfFragments, b) = with_elements(first_fragment(b.args...), Base.materialize_as(Base.OfTuples(), b))
@inline with_elements(f::Fragment{M,N,K,FS,T,L,U}, x) where {M,N,K,FS,T,L,U} = Fragment{M,N,K,FS,T,L,U}(convert(NTuple{FS,T}, x))
@inline first_fragment(f::Fragment, rest...) = f
@inline first_fragment(b::Base.Broadcasted, rest...) = first_fragment(b.args..., rest...)
@inline first_fragment(x, rest...) = first_fragment(rest...)

export FragmentLayout, RowMajor, ColMajor, Unspecified, MatrixA, MatrixB, Accumulator, Fragment, Config
export load_a, load_b, load_c, mma, store_d, fill_c

end

export WMMA
