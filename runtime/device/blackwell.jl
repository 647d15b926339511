# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Module Blackwell: what came with sm_100, under PTX's names (docs/blackwell.md).

module Blackwell

import CUDA: to_e4m3x2, to_e5m2x2, to_e2m3x2, to_e3m2x2, to_e2m1x2, to_ue8m0x2, from_e4m3x2, from_e5m2x2, from_e2m3x2, from_e3m2x2, from_e2m1x2, from_ue8m0x2
import CUDA: add_f32x2, sub_f32x2, mul_f32x2, fma_f32x2

end

export Blackwell
