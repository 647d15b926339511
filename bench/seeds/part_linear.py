# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A linear layer, Float16 [64, 768] times [768, 768] plus bias (IREE issue 17012), microseconds on the device: a graph of 100 calls, over 100."""
import os

import kernels

CALLS = 100


def run(kiln, bench, options):
    import torch
    F = torch.nn.functional
    kiln.load(os.path.join(options.examples, "linear.jl"))
    table, errors = options.plans.table("linear.json"), []
    x, w, b, y, reference = kernels.linear_data(torch)
    functions, wrong, resources = {}, {}, {}
    for name, key, early in (("Kiln", "plain", 0), ("Kiln, programmatic launches", "programmatic", 1)):
        tiling = kernels.Linear(K=768, **{k: v for k, v in table[key].items() if k != "us"})
        kernel = kiln.prepare(tiling.call(), **tiling.options())
        resources[name] = f"{tiling}, {kernel.resources()}"
        go = kernel.bind(tiling.blocks(), tiling.threads, tiling.arguments(y, x, w, b), programmatic_serialization=early, **({"cluster": tiling.C} if tiling.C > 1 else {}))
        y.fill_(float("nan"))
        go()
        bench.stream.synchronize()
        wrong[name] = float((y.float() - reference).abs().max())
        functions[name] = kiln.graph(go, CALLS)
    peers = {"cuBLAS (torch linear)": lambda: F.linear(x, w, b), "cuBLAS without bias (torch mm)": lambda: torch.mm(x, w.t())}
    if options.slow:
        try:
            tuned = torch.compile(lambda x, w, b: F.linear(x, w, b), dynamic=False, mode="max-autotune-no-cudagraphs")
            tuned(x, w, b)
            peers["max-autotune"] = lambda: tuned(x, w, b)
        except Exception as e:
            errors.append(f"max-autotune: {str(e)[:200]}")
    for name, fn in peers.items():
        wrong[name] = float((fn().float() - (reference if "without" not in name else reference - b.float())).abs().max())
        bench.stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=bench.stream):
            for _ in range(CALLS):
                fn()
        functions[name] = graph.replay
    seen = bench.rounds(functions, options.rounds, options.reps, flush=False)
    us = {name: s["us"] / CALLS for name, s in seen.items()}
    best = min((n for n in us if not n.startswith("Kiln") and "without" not in n), key=us.get)
    rows = [{"what": name, "us": t, "speed against the best peer": us[best] / t, "TFLOP/s": 2 * 64 * 768 * 768 / t / 1e6, "error": wrong[name], "how": resources.get(name, ""),
             "right": wrong[name] < 0.01} for name, t in sorted(us.items(), key=lambda e: e[1])]
    return {"unit": "us", "rows": rows, "errors": errors, "columns": ["what", "us", "speed against the best peer", "TFLOP/s", "error", "how"],
            "seed": "0.8 to 1.0 ms a call of iree-benchmark-module on an sm_86 GPU, most of it cudaMalloc (the issue's own figures; other hardware)"}
