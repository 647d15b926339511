# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/wgmma
# Module Hopper: features of sm_90, under PTX's names (docs/hopper.md).

# Increases or decreases the number of registers per thread of the warpgroup, from this point on. On the CPU only the
# number is checked.
@inline setmaxnreg_inc(::Val{n}) where {n} = setmaxnreg_checked(Val(n))
@inline setmaxnreg_dec(::Val{n}) where {n} = setmaxnreg_checked(Val(n))
@inline setmaxnreg_checked(::Val{n}) where {n} = (24 <= n <= 256) & (rem(n, 8) == 0) ? nothing : static_error("setmaxnreg takes a multiple of 8 from 24 to 256")

# Rounds a pointer up to a multiple of `alignment` bytes. The copy engine needs multiples of 128 bytes for swizzled
# data, and 1024 for tiles with a 128-byte swizzle.
@inline align_pointer(p::LLVMPtr, ::Val{alignment}) where {alignment} =
    pointer_add(p, rem((alignment - rem(pointer_to_int(p), UInt64(alignment))) % UInt64, UInt64(alignment)) % Int)

module Hopper

import CUDA: MBarrier, mbarrier_init, mbarrier_inval, fence_mbarrier_init, mbarrier_arrive, mbarrier_arrive_expect_tx, mbarrier_expect_tx, mbarrier_complete_tx, mbarrier_pending_count
import CUDA: mbarrier_arrive_remote, mbarrier_test_wait, mbarrier_test_wait_parity, mbarrier_try_wait, mbarrier_try_wait_parity, mbarrier_wait, mbarrier_wait_parity
import CUDA: fence_proxy_async, fence_proxy_async_shared, bulk_copy, bulk_copy_multicast, bulk_prefetch, bulk_commit, bulk_wait, bulk_wait_read
import CUDA: setmaxnreg_inc, setmaxnreg_dec, align_pointer
import CUDA: TensorMap, tensor_load, tensor_load_multicast, tensor_store, tensor_add, tensor_prefetch, tensor_map_prefetch
import CUDA: SharedMatrix, shared_matrix, matrix_from, wgmma, wgmma_fence, wgmma_commit, wgmma_wait

end

export Hopper
