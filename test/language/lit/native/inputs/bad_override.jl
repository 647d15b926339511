# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
using CUDA
using CUDA: @device_override

@device_override x = 1

f(x) = x

@device_override
