# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/tcgen05
# Module Blackwell: features of sm_100, under PTX's names (docs/blackwell.md).

module Blackwell

import CUDA: to_e4m3x2, to_e5m2x2, to_e2m3x2, to_e3m2x2, to_e2m1x2, to_ue8m0x2, from_e4m3x2, from_e5m2x2, from_e2m3x2, from_e3m2x2, from_e2m1x2, from_ue8m0x2
import CUDA: add_f32x2, sub_f32x2, mul_f32x2, fma_f32x2
import CUDA: try_cancel, is_canceled, first_block
import CUDA: tcgen05_alloc, tcgen05_dealloc, tcgen05_relinquish_alloc_permit, tcgen05_ld, tcgen05_st, tcgen05_wait_ld, tcgen05_wait_st
import CUDA: SharedMatrix, shared_matrix, matrix_from, TensorMatrix, tensor_matrix, E4M3, E5M2, tcgen05_mma, tcgen05_commit
import CUDA: tcgen05_fence_before_thread_sync, tcgen05_fence_after_thread_sync

end

export Blackwell
