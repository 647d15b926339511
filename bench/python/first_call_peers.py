# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kinds of kernel of first_call.py as Triton and CuPy's RawKernel have them: the first call of a new text, from the source to the end of its launch.

The child processes of first_call.py run `milliseconds`. Triton's arrays are torch's; both caches lie in the folder."""

import importlib.util
import os
import sys
import time

# Triton works on blocks of elements: the parameters, the body, by kind.
TRITON = {
    "empty": ("y", ["return"]),
    "saxpy": ("y, x, a, n", ["i = tl.program_id(0) * 128 + tl.arange(0, 128)", "in_range = i < n", "tl.store(y + i, a * tl.load(x + i, in_range) + tl.load(y + i, in_range), in_range)"]),
    "stencil": ("y, x, n", [
        "i = tl.program_id(0) * 128 + tl.arange(0, 128)", "inside = (i > 0) & (i < n - 1)",
        "tl.store(y + i, (tl.load(x + i - 1, inside) + 2 * tl.load(x + i, inside) + tl.load(x + i + 1, inside)) / 4, inside)"]),
    "stride loop": ("y, x, n", [
        "for at in range(tl.program_id(0) * 128, n, tl.num_programs(0) * 128):", "    i = at + tl.arange(0, 128)", "    v = tl.load(x + i, i < n)",
        "    tl.store(y + i, tl.sqrt(v) + tl.exp(-v), i < n)"]),
    "block sum": ("y, x, n", ["i = tl.program_id(0) * 128 + tl.arange(0, 128)", "tl.atomic_add(y, tl.sum(tl.load(x + i, i < n), 0))"]),
    "rows": ("z, z2, n", [
        "i = tl.arange(0, 16)", "s = tl.zeros((16, 16), tl.float32)", "for k in range(n):", "    s += tl.load(z + i * 16 + k)[:, None] * tl.load(z2 + k * 16 + i)[None, :]",
        "tl.store(z + i[:, None] * 16 + i[None, :], s)"]),
    "histogram": ("h, x, n", ["i = tl.program_id(0) * 128 + tl.arange(0, 128)", "tl.atomic_add(h + ((tl.load(x + i, i < n, 0.0) * 8).to(tl.int32) & 7), 1, i < n)"]),
}  # fmt: skip

THREAD = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
CUDA_C = {
    "empty": ("int a", ""),
    "saxpy": ("float *y, const float *x, float a, int n", THREAD + "if (i < n) y[i] = a * x[i] + y[i];"),
    "stencil": ("float *y, const float *x, int n", THREAD + "if (0 < i && i < n - 1) y[i] = (x[i - 1] + 2 * x[i] + x[i + 1]) / 4;"),
    "stride loop": ("float *y, const float *x, int n", THREAD + "for (; i < n; i += gridDim.x * blockDim.x) y[i] = sqrtf(x[i]) + expf(-x[i]);"),
    "block sum": ("float *y, const float *x, int n", "__shared__ float part[128]; int t = threadIdx.x;" + THREAD + "part[t] = x[i]; __syncthreads();"
                  "for (int step = 64; step > 0; step /= 2) { if (t < step) part[t] += part[t + step]; __syncthreads(); } if (t == 0) atomicAdd(y, part[0]);"),
    "rows": ("float *z, const float *z2, int n", "int i = threadIdx.x, j = threadIdx.y; if (i < n && j < n) { float s = 0; for (int k = 0; k < n; k++) s += z[i * n + k] * z2[k * n + j]; z[i * n + j] = s; }"),
    "histogram": ("int *h, const float *x, int n", THREAD + "if (i < n) atomicAdd(h + ((int)(x[i] * 8) & 7), 1);"),
}  # fmt: skip


def triton_calls(folder):
    import torch

    os.environ["TRITON_CACHE_DIR"] = os.path.join(folder, "triton")
    y, x = torch.zeros(128, device="cuda"), torch.ones(128, device="cuda")
    z, h = torch.ones(256, device="cuda"), torch.zeros(8, dtype=torch.int32, device="cuda")
    arguments = {"empty": (y,), "saxpy": (y, x, 2.0, 128), "rows": (z, z, 16), "histogram": (h, x, 128)}

    def call(kind, k):
        name = f"{kind.replace(' ', '_')}_{k}"
        path = os.path.join(folder, f"triton_{name}.py")
        parameters, body = TRITON[kind]
        with open(path, "w", encoding="utf-8") as file: # a text of its own for each round
            file.write(f"import triton\nimport triton.language as tl\n\n@triton.jit\ndef kernel({parameters}):\n    " + "\n    ".join(body).replace("2 *", f"{k + 2} *") + f"\n    # {k}\n")
        spec = importlib.util.spec_from_file_location(f"triton_{name}", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        module.kernel[(1,)](*arguments.get(kind, (y, x, 128)))
        torch.cuda.synchronize()

    return TRITON, call


def cupy_calls(folder):
    os.environ["CUPY_CACHE_DIR"] = os.path.join(folder, "cupy")
    import cupy

    y, x = cupy.zeros(128, cupy.float32), cupy.ones(128, cupy.float32)
    z, h = cupy.ones(256, cupy.float32), cupy.zeros(8, cupy.int32)
    n = cupy.int32(128)
    arguments = {"empty": (n,), "saxpy": (y, x, cupy.float32(2), n), "rows": (z, z, cupy.int32(16)), "histogram": (h, x, n)}

    def call(kind, k):
        parameters, body = CUDA_C[kind]
        text = f'extern "C" __global__ void kernel({parameters}) {{ {body} }} // {k}'
        cupy.RawKernel(text, "kernel")((1,), (128,) if kind != "rows" else (16, 16), arguments.get(kind, (y, x, n)))
        cupy.cuda.Device().synchronize()

    return CUDA_C, call


def milliseconds(peer, rounds, folder):
    """The least of the rounds but the first, by kind; `rounds` 1: of the first kind alone, which is the process's first call."""
    kinds, call = triton_calls(folder) if peer == "triton" else cupy_calls(folder)
    took = {}
    for kind in kinds:
        for k in range(rounds):
            begin = time.perf_counter()
            call(kind, k)
            if k or rounds == 1:
                took.setdefault(kind, []).append((time.perf_counter() - begin) * 1e3)
        if rounds == 1:
            break
    return {kind: min(times) for kind, times in took.items()}
