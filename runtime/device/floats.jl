# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Float functions under CUDA.jl's names that Base does not have.

# x clamped to [0, 1]; of NaN 0. One instruction on a GPU.
@inline saturate(x::Float32) = x > 0.0f0 ? min(x, 1.0f0) : 0.0f0
