# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/array
# Accesses of device memory that tell the caches how soon the data is needed again. A GPU target overlays them; elsewhere they
# are plain accesses. Each is of 4, 8, 16 or 32 bytes, at an address that is a multiple of that; those of 32 bytes are two of 16
# where the hardware has none.

const CopiedWords = Union{UInt32,NTuple{2,UInt32},NTuple{4,UInt32}}
const WideWords = Union{NTuple{8,UInt32},NTuple{4,UInt64}}
const HintedWords = Union{CopiedWords,WideWords}

# Hints: Val(:plain); Val(:streaming), the first to leave the caches; Val(:once), which leaves the first level out as well.
@inline hinted_load(p::LLVMPtr{T}, i::Integer, ::Val) where {T<:HintedWords} = unsafe_load(p, i, Val(min(sizeof(T), 16)))
@inline hinted_store!(p::LLVMPtr{T}, x::T, i::Integer, ::Val) where {T<:HintedWords} = unsafe_store!(p, x, i, Val(min(sizeof(T), 16)))
# Copies one such element into shared memory, as CG.pipeline_memcpy_async does.
@inline hinted_copy!(to::LLVMPtr{T,3}, from::LLVMPtr{T,1}, ::Val) where {T<:CopiedWords} = CG.pipeline_memcpy_async(to, from)
