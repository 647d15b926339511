# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/packed_floats
# Cluster launch control: a running block takes over the work of a cluster that has not begun. The request writes a
# 16-byte answer into shared memory and counts the bytes at an mbarrier. GPU targets overlay this file's functions.
# The CPU rejects every request, which PTX allows: each block does its own work.

const CancelAnswer = LLVMPtr{UInt128,3}

@inline cancel_aligned(answer::CancelAnswer) =
    rem(pointer_to_int(answer), UInt64(16)) == 0 || throw(ArgumentError("the answer to try_cancel needs shared memory at a multiple of 16 bytes"))
@inline function try_cancel(answer::CancelAnswer, b::MBarrier)
    cancel_aligned(answer)
    pointer_store(answer, zero(UInt128), 0, Val(16))
    mbarrier_complete_tx(b, 16)
end
# On the CPU, bit 0 of an answer states that the request was granted. Answers of GPUs have another format.
@inline is_canceled(answer::CancelAnswer) = pointer_load(answer, 0, Val(16)) & UInt128(1) != zero(UInt128)
@inline first_block(answer::CancelAnswer) =
    is_canceled(answer) ? blockIdx() : throw(ArgumentError("first_block: the request was not granted, and its answer names no block"))
