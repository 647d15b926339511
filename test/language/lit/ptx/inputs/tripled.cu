// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
extern "C" __device__ float tripled(float x) { return 3 * x; }
