# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/array
# Accesses to device memory with a hint when the data is needed again. GPU targets overlay these functions; elsewhere
# they are plain accesses. An access has 4, 8, 16 or 32 bytes, aligned to its size. If the hardware lacks accesses of
# 32 bytes, two accesses replace one.

const CopiedWords = Union{UInt32,NTuple{2,UInt32},NTuple{4,UInt32}}
const WideWords = Union{NTuple{8,UInt32},NTuple{4,UInt64}}
const HintedWords = Union{CopiedWords,WideWords}

# Hints: Val(:plain), no hint; Val(:streaming), evicted first; Val(:once), evicted first and not kept in the first
# cache level.
@inline hinted_load(p::LLVMPtr{T}, i::Integer, ::Val) where {T<:HintedWords} = unsafe_load(p, i, Val(min(sizeof(T), 16)))
@inline hinted_store!(p::LLVMPtr{T}, x::T, i::Integer, ::Val) where {T<:HintedWords} = unsafe_store!(p, x, i, Val(min(sizeof(T), 16)))
# Copies one element from device memory into shared memory, as CG.pipeline_memcpy_async does.
@inline hinted_copy!(to::LLVMPtr{T,3}, from::LLVMPtr{T,1}, ::Val) where {T<:CopiedWords} = CG.pipeline_memcpy_async(to, from)
