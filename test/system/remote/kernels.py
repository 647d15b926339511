# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of one shape for tests and benchmarks of remotes."""


def source_of_kernels(count):
    """The text of kernel0, kernel1 and so on, each with other code."""
    return "using CUDA\n" + "".join(
        f"""
function kernel{n}(y, x)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = muladd(x[i], {n}f0, y[i]) + sin(x[i])
    end
    return
end
""" for n in range(count))
