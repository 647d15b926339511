# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kinds of kernels of first_call.py: bodies for numba.cuda and Kiln, the same in Triton and in CUDA C for CuPy's RawKernel. N is a number that differs by round, so that each text is new."""

import re

KINDS = {
    "empty": ("a", ["return"]),
    "saxpy": ("y, x, a", ["i = cuda.grid(1)", "if i < y.size:", "    y[i] = N * a * x[i] + y[i]"]),
    "stencil": ("y, x", ["i = cuda.grid(1)", "if 0 < i < y.size - 1:", "    y[i] = (x[i - 1] + N * x[i] + x[i + 1]) / 4"]),
    "stride loop": ("y, x", ["for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):", "    y[i] = math.sqrt(x[i]) + math.exp(-x[i]) * N"]),
    "block sum": ("y, x", [
        "part = cuda.shared.array(128, numba_types.float32)", "t = cuda.threadIdx.x", "part[t] = x[cuda.grid(1)] * N", "cuda.syncthreads()", "step = 64", "while step > 0:",
        "    if t < step:", "        part[t] += part[t + step]", "    cuda.syncthreads()", "    step //= 2", "if t == 0:", "    cuda.atomic.add(y, 0, part[0])"]),
    "rows": ("z, z2", ["i, j = cuda.grid(2)", "if i < z.shape[0] and j < z.shape[1]:", "    s = 0.0", "    for k in range(z.shape[1]):", "        s += z[i, k] * z2[k, j]", "    z[i, j] = s * N"]),
    "histogram": ("h, x", ["i = cuda.grid(1)", "if i < x.size:", "    cuda.atomic.add(h, int(x[i] * N) & 7, 1)"]),
}  # fmt: skip

TRITON = {
    "empty": ("a", ["pass"]),
    "saxpy": ("y, x, a, n", ["i = tl.program_id(0) * 128 + tl.arange(0, 128)", "tl.store(y + i, N * a * tl.load(x + i, i < n) + tl.load(y + i, i < n), i < n)"]),
    "stencil": ("y, x, n", [
        "i = tl.program_id(0) * 128 + tl.arange(0, 128)", "inside = (0 < i) & (i < n - 1)",
        "tl.store(y + i, (tl.load(x + i - 1, inside) + N * tl.load(x + i, inside) + tl.load(x + i + 1, inside)) / 4, inside)"]),
    "stride loop": ("y, x, n", [
        "for base in range(tl.program_id(0) * 128, n, tl.num_programs(0) * 128):", "    i = base + tl.arange(0, 128)", "    v = tl.load(x + i, i < n)",
        "    tl.store(y + i, tl.sqrt(v) + tl.exp(-v) * N, i < n)"]),
    "block sum": ("y, x", ["i = tl.program_id(0) * 128 + tl.arange(0, 128)", "tl.atomic_add(y, tl.sum(tl.load(x + i) * N, 0))"]),
    "rows": ("z, z2, n", [
        "i = tl.arange(0, 16)[:, None]", "j = tl.arange(0, 16)[None, :]", "s = tl.zeros((16, 16), tl.float32)", "for k in range(n):",
        "    s += tl.load(z + i * n + k) * tl.load(z2 + k * n + j)", "tl.store(z + i * n + j, s * N)"]),
    "histogram": ("h, x, n", ["i = tl.program_id(0) * 128 + tl.arange(0, 128)", "tl.atomic_add(h + ((tl.load(x + i, i < n) * N).to(tl.int32) & 7), 1, i < n)"]),
}  # fmt: skip

THREAD = "int i = blockIdx.x * blockDim.x + threadIdx.x; "
CUDA_C = {
    "empty": ("int a", ""),
    "saxpy": ("float *y, const float *x, float a, int n", THREAD + "if (i < n) y[i] = N * a * x[i] + y[i];"),
    "stencil": ("float *y, const float *x, int n", THREAD + "if (0 < i && i < n - 1) y[i] = (x[i - 1] + N * x[i] + x[i + 1]) / 4;"),
    "stride loop": ("float *y, const float *x, int n", THREAD + "for (; i < n; i += gridDim.x * blockDim.x) y[i] = sqrtf(x[i]) + expf(-x[i]) * N;"),
    "block sum": ("float *y, const float *x", "__shared__ float part[128]; int t = threadIdx.x; " + THREAD + "part[t] = x[i] * N; __syncthreads(); "
                  "for (int step = 64; step > 0; step /= 2) { if (t < step) part[t] += part[t + step]; __syncthreads(); } if (t == 0) atomicAdd(y, part[0]);"),
    "rows": ("float *z, const float *z2, int n", "int i = threadIdx.x, j = threadIdx.y; float s = 0; for (int k = 0; k < n; k++) s += z[i * n + k] * z2[k * n + j]; z[i * n + j] = s * N;"),
    "histogram": ("int *h, const float *x, int n", THREAD + "if (i < n) atomicAdd(h + ((int)(x[i] * N) & 7), 1);"),
}  # fmt: skip


def numbered(text, k):
    return re.sub(r"\bN\b", str(k + 2), text)


def text_of(kind, peer, k):
    """The source of a kernel, the k-th of its kind."""
    if peer == "cupy":
        parameters, body = CUDA_C[kind]
        text = f'extern "C" __global__ void kernel({parameters}) {{ {body} }} // {k}'
        text = numbered(text, k)
        return f"import cupy\n\nkernel = cupy.RawKernel({text!r}, 'kernel')\n"
    parameters, body = (TRITON if peer == "triton" else KINDS)[kind]
    before = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n" if peer == "triton" else ""
    return before + f"def kernel({parameters}):\n    " + numbered("\n    ".join(body), k) + f"\n# {k}\n"


def arguments(kind, peer, numpy, device):
    """Arguments of a kernel; `device` makes a device's array of one of NumPy's."""
    y, x = device(numpy.zeros(128, numpy.float32)), device(numpy.ones(128, numpy.float32))
    z, z2 = (device(numpy.ones((16, 16), numpy.float32)) for _ in range(2))
    h = device(numpy.zeros(8, numpy.int32))
    a = 2.0 if peer == "triton" else numpy.float32(2)
    sizes = {"saxpy": 128, "stencil": 128, "stride loop": 128, "rows": 16, "histogram": 128} if peer in ("triton", "cupy") else {}
    sizes = (numpy.int32(sizes[kind]) if peer == "cupy" else sizes[kind],) if kind in sizes else ()
    return {"empty": (numpy.int32(1),) if peer == "cupy" else (1,), "saxpy": (y, x, a), "rows": (z, z2), "histogram": (h, x)}.get(kind, (y, x)) + sizes
