#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why Adam (bench/seeds/part_adam.py) stays below 0.98 of the copy ceiling: widths of blocks, hints to the caches, groups of four a thread and the divisions, by turns
in one run beside docs/examples/adam.jl and a copy of as many bytes, some 40 s. Ends with 77 (skipped) where there is no GPU or PyTorch.

    adam_variants.py --library libkiln.so
"""
import argparse
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "seeds"))
N = 1 << 27
VECTOR = "CuDeviceVector{Float32,1}"
# Threads, reads, writes, groups of four a thread, by products, most registers (0: as many as it takes, 34: six blocks of 256 a multiprocessor, where 32 let eight run).
VARIANTS = [(256, "plain", "plain", 1, False, 0), (128, "plain", "plain", 1, False, 0), (512, "plain", "plain", 1, False, 0), (256, "plain", "plain", 1, False, 32),
            (128, "plain", "plain", 1, False, 32), (256, "plain", "plain", 1, True, 0), (128, "plain", "plain", 1, True, 32), (256, "plain", "streaming", 1, False, 32),
            (256, "streaming", "streaming", 1, False, 0), (256, "once", "streaming", 1, False, 32), (256, "once", "once", 1, False, 0), (128, "once", "once", 1, True, 32),
            (128, "plain", "plain", 2, False, 0), (128, "plain", "plain", 2, True, 0), (256, "once", "streaming", 2, False, 0)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", required=True)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    try:
        import torch
    except ImportError:
        print("skipped: no PyTorch")
        return 77
    if not torch.cuda.is_available():
        print("skipped: no GPU that PyTorch sees")
        return 77
    import binding
    import measure
    import part_adam
    bench = measure.Bench()
    kiln = binding.Kiln(options.library, bench.stream.cuda_stream)
    ceiling, copies = bench.ceiling()
    kiln.load(os.path.join(HERE, "adam_variants.jl"))
    kiln.load(os.path.join(HERE, "..", "..", "docs", "examples", "adam.jl"))
    g0, m0, v0 = torch.rand(N, device="cuda") - 0.5, torch.rand(N, device="cuda") - 0.5, torch.rand(N, device="cuda")
    g, m, v = g0.clone(), m0.clone(), v0.clone()
    given = [binding.array(t.data_ptr(), N) for t in (g, m, v)] + [binding.scalar("f", x) for x in (part_adam.B1, part_adam.B2, part_adam.ETA, part_adam.EPS)]
    types = f"{VECTOR}, {VECTOR}, {VECTOR}, Float32, Float32, Float32, Float32"
    plain = kiln.prepare(f"adam({types})").bind(N // 256, 256, given)
    for _ in range(4):      # the second launch asks for the coarse entry
        plain()
    bench.stream.synchronize()
    time.sleep(2)
    fewer = kiln.prepare(f"adam({types})", maxregs=32).bind(N // 256, 256, given)
    for _ in range(4):
        fewer()
    bench.stream.synchronize()
    time.sleep(1)
    functions, about = {"docs/examples/adam.jl": plain, "docs/examples/adam.jl, 32 registers": fewer}, {}
    for threads, reads, writes, groups, products, most in VARIANTS:
        name = f"{threads} threads, {reads}/{writes}, {groups} groups{', products' if products else ''}{f', {most} registers' if most else ''}"
        kernel = kiln.prepare(f"adam_variant({types}, Ways{{:{reads},:{writes},{groups},{str(products).lower()}}})", **({"maxregs": most} if most else {}))
        functions[name] = kernel.bind(N // (4 * threads * groups), threads, given)
        about[name] = kernel.resources()
    # 24 bytes an element as a copy: three arrays' worth read and written.
    from_, to = torch.rand(3 * N, device="cuda"), torch.empty(3 * N, device="cuda")
    functions["copy of as many bytes"] = lambda: to.copy_(from_)
    # At ptxas' level a plain read of three and write of three, without arithmetic.
    functions["torch: three arrays, one kernel"] = torch.compile(lambda: (g.mul_(1.0), m.mul_(1.0), v.mul_(1.0)), dynamic=False)
    step = torch.compile(lambda: [a.copy_(b) for a, b in zip((m, v, g), part_adam.update(torch, g, m, v))], dynamic=False)
    functions["torch.compile"] = step
    wanted, wrong = [t.float() for t in part_adam.update(torch, g0.double(), m0.double(), v0.double())], []
    for name, fn in functions.items():
        if "torch:" in name or name.startswith("copy"):
            continue
        for now, first in ((g, g0), (m, m0), (v, v0)):
            now.copy_(first)
        fn()
        bench.stream.synchronize()
        # Where terms cancel, an element's error is as large as that of its neighbours.
        if max(float(((got - r).abs() / (r.abs() + r.abs().mean())).max()) for got, r in zip((m, v, g), wanted)) > 1e-4:
            wrong.append(name)
    del wanted
    for now, first in ((g, g0), (m, m0), (v, v0)):
        now.copy_(first)
    seen = bench.rounds(functions, options.rounds, 5)
    print(f"copies: {json.dumps({k: round(x) for k, x in copies.items()})}")
    for name, s in sorted(seen.items(), key=lambda e: e[1]["us"]):
        rate = 24 * N / s["us"] / 1e3
        print(f"{name:58} {s['us']:8.1f} us ({s['min']:.1f} to {s['max']:.1f})  {rate:6.0f} GB/s  {rate / ceiling:.3f} of the ceiling  {about.get(name, '')}{'  WRONG' if name in wrong else ''}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
