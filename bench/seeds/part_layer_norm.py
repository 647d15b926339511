# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bias + bias + layer norm, Float16 [8192, H] (NVIDIA/Fuser issue 383), GB/s of x read, y written and four vectors read, L2 flushed."""
import os

import kernels

SEED = {768: 877, 1024: 953, 1280: 881, 1536: 1030, 1600: 882, 2048: 1079, 2560: 1009, 4096: 1162, 5140: 807, 12288: 1115, 16384: 973, 20480: 930}  # nvFuser's fix, on an A100
EPS = 1e-5


def peers(torch, h, x, vectors, out, errors, slow):
    """{name: function that computes the layer norm}, each already compiled."""
    import torch._dynamo
    import triton_kernels
    F = torch.nn.functional

    def op(x, b1, b2, w, b):
        return F.layer_norm(x + b1 + b2, (h,), w, b, EPS)
    found = {"torch eager": lambda: op(x, *vectors)}
    block = 1 << (h - 1).bit_length()
    for warps in (4, 8, 16, 32):
        if 4 <= block // (32 * warps) <= 128:
            found[f"Triton, {warps} warps"] = lambda warps=warps: triton_kernels.layer_norm[(kernels.ROWS,)](out, x, *vectors, h, EPS, BLOCK=block, num_warps=warps)
    for name, mode in (("torch.compile", None), ("max-autotune", "max-autotune-no-cudagraphs")) if slow else (("torch.compile", None),):
        torch._dynamo.reset()
        compiled = torch.compile(op, dynamic=False, **({"mode": mode} if mode else {}))
        try:
            compiled(x, *vectors)
            found[name] = lambda compiled=compiled: compiled(x, *vectors)
        except Exception as e:                      # a peer that fails is told, and the others go on
            errors.append(f"{h}: {name}: {str(e)[:200]}")
    return found


def run(kiln, bench, options):
    import torch
    kiln.load(os.path.join(options.examples, "layer_norm.jl"))
    known, rows, errors = options.plans.table("layer_norm.json"), [], []
    plans = {}
    for h, p in known.items():
        p = {k: v for k, v in p.items() if k != "us"}
        plans[int(h)] = kernels.LayerNorm(H=int(h), **p)
    compiled = dict(zip(plans, kiln.prepare_all([(p.call(), p.options()) for p in plans.values()], options.threads)))
    for h, plan in plans.items():
        if bench.seconds() > options.seconds:
            errors.append(f"{h}: no time left")
            continue
        if isinstance(compiled[h], Exception):
            raise compiled[h]
        x, vectors, y, reference = kernels.layer_norm_data(torch, h)
        plan.found = compiled[h].resources()
        ours = compiled[h].bind(plan.blocks(kernels.ROWS), plan.threads, plan.arguments(y, x, vectors, kernels.ROWS), shared_bytes=plan.shared)
        y.fill_(float("nan"))
        ours()
        bench.stream.synchronize()
        error = float((y.float() - reference).abs().max())
        out = torch.empty_like(x)
        functions = {"Kiln": ours, **peers(torch, h, x, vectors, out, errors, options.slow)}
        wrong = {}
        for name, fn in functions.items():
            if name != "Kiln":
                got = fn()
                got = got if torch.is_tensor(got) else out
                wrong[name] = float((got.float() - reference).abs().max())
        seen = bench.rounds(functions, options.rounds, options.reps)
        moved = kernels.layer_norm_bytes(h)
        rate = {name: moved / s["us"] / 1e3 for name, s in seen.items()}
        best = max((n for n in rate if n != "Kiln"), key=rate.get)
        rows.append({"what": h, "Kiln": rate["Kiln"], "us": seen["Kiln"]["us"], "spread": [seen["Kiln"]["min"], seen["Kiln"]["max"]], "best peer": rate[best], "peer": best,
                     "ratio": rate["Kiln"] / rate[best], "of ceiling": rate["Kiln"] / options.ceiling, "error": error, "peers": rate, "peers' errors": wrong, "seed": SEED[h],
                     "plan": str(plan), "resources": plan.found, "right": error == error and error < 0.02})
        print(f"    {h}: Kiln {rate['Kiln']:.0f}, best peer {rate[best]:.0f} ({best}), {rate['Kiln'] / rate[best]:.3f}", flush=True)
    return {"unit": "GB/s", "rows": rows, "errors": errors, "columns": ["what", "Kiln", "best peer", "peer", "ratio", "of ceiling", "error", "seed"],
            "seed": "nvFuser after its fix on an A100, whose copies reach 1555 GB/s (the issue's own figures; other hardware)"}
