# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Allocations in a measured loop (IREE issue 17012): 10,000 launches in a C++ loop, the memory that the process asks malloc for and Kiln the CUDA driver, counted by
bench/seeds/count.cpp, which tells apart those that the driver's own code makes. Run with LD_PRELOAD and KILN_CUDA_DRIVER naming libkiln_seeds_count.so."""
import ctypes
import os

import binding
import kernels
import part_einsum

CALLS = 10000


def settled(loop, got, what):
    """Measures a loop. A stream allocates once more when more launches wait in it than ever before, so others go first, until only the driver does."""
    for calls in [2 * CALLS] * 8 + [CALLS]:
        if calls != CALLS and got.us and got.host == max(0, got.driver):
            continue
        if loop(calls):
            raise RuntimeError(f"{what}: a launch failed")


def run(kiln, bench, options):
    import torch
    lib = ctypes.CDLL(options.seeds_library)
    lib.seeds_launch_loop.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_size_t, ctypes.c_uint64, ctypes.c_void_p]
    rows, errors = [], []

    def measure(what, go):
        kernel, stream, shape, table, count = go.raw
        got = part_einsum.Measured()
        settled(lambda calls: lib.seeds_launch_loop(kernel, stream, ctypes.byref(shape), table, count, calls, ctypes.byref(got)), got, what)
        rows.append({"what": what, "us a call": got.us, "host us a call": got.issue_us, "host allocations": got.host - max(0, got.driver),
                     "of the driver's own code": got.driver, "device allocations": got.device, "right": got.host == max(0, got.driver) and got.device == 0})
    for name in ("layer_norm.jl", "linear.jl", "adam.jl"):
        kiln.load(os.path.join(options.examples, name))
    x, w, b, y, reference = kernels.linear_data(torch)
    tiling = kernels.Linear(K=768, **{k: v for k, v in options.table("linear.json")["plain"].items() if k != "us"})
    measure("linear", kiln.prepare(tiling.call(), **tiling.options()).bind(tiling.blocks(), tiling.threads, tiling.arguments(y, x, w, b), **({"cluster": tiling.C} if tiling.C > 1 else {})))
    right = float((y.float() - reference).abs().max()) < 0.01
    rows[-1]["right"] = rows[-1]["right"] and right
    plan = kernels.LayerNorm(H=768, **{k: v for k, v in options.table("layer_norm.json")["768"].items() if k != "us"})
    kernel = kiln.prepare(plan.call(), **plan.options())
    plan.found = kernel.resources()
    x, vectors, y, reference = kernels.layer_norm_data(torch, 768)
    measure("layer_norm, H = 768", kernel.bind(plan.blocks(kernels.ROWS), plan.threads, plan.arguments(y, x, vectors, kernels.ROWS), shared_bytes=plan.shared))
    n = 1 << 20
    vector = "CuDeviceVector{Float32,1}"
    tensors = [torch.rand(n, device="cuda") for _ in range(3)]
    measure("adam, 2^20", kiln.prepare(f"adam({vector}, {vector}, {vector}, Float32, Float32, Float32, Float32)").bind(
        n // 256, 256, [binding.array(t.data_ptr(), n) for t in tensors] + [binding.scalar("f", v) for v in (0.9, 0.999, 1e-3, 1e-8)]))
    library = part_einsum.Library(options.seeds_library, bench.stream.cuda_stream)
    a, b = part_einsum.operands(torch, part_einsum.CASES[0], 16, "float32")
    out = torch.empty_like(torch.einsum(part_einsum.CASES[0][0], a, b))
    for calls in (2 * CALLS, 2 * CALLS, CALLS):
        got = library.loop(part_einsum.CASES[0][0], out, a, b, calls)
    rows.append({"what": "einsum bij, jk", "us a call": got.us, "host us a call": got.issue_us, "host allocations": got.host - max(0, got.driver),
                     "of the driver's own code": got.driver, "device allocations": got.device, "right": got.host == max(0, got.driver) and got.device == 0})
    if rows[0]["host allocations"] < 0:
        errors.append("the counters are not there: LD_PRELOAD names no libkiln_seeds_count.so")
    return {"unit": f"allocations of {CALLS} calls together", "rows": rows, "errors": errors,
            "columns": ["what", "us a call", "host us a call", "host allocations", "of the driver's own code", "device allocations"],
            "seed": "the issue's benchmark allocates in each call, which took most of its 0.8 to 1.0 ms (other hardware)"}
