#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds plans of docs/examples/layer_norm.jl and tilings of linear.jl for the GPU of this machine.

    search.py --library libkiln.so [--only layer_norm,linear] [--sizes 768,1024] [--seconds N] --out FOLDER

All candidates of a size are compiled in one batch, by as many threads as there are cores, then measured: each shortly, the best of these
longer with tighter register limits and other hints, the last few by turns. One wins only if its values are right. Writes
layer_norm.json and linear.json into a folder for the card, such as plans/h200. Sizes that were not searched keep their plans."""
import argparse
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "..", "docs", "examples")
sys.path.insert(0, HERE)
import binding
import kernels

SIZES = (768, 1024, 1280, 1536, 1600, 2048, 2560, 4096, 5140, 12288, 16384, 20480)


def plans(h):
    """The first round's plans of a size."""
    widest = 8 if h % 8 == 0 else 4 if h % 4 == 0 else 2
    found = []
    for v in (8, 4) if widest == 8 and h <= 2048 else (widest,):  # a small row may have more threads with less each
        vectors = h // v
        for n in range(1, 9):
            t = 32 * -(-vectors // (32 * n))
            if t > 1024 or n * t > 1.25 * vectors + 32 or n * v > 48:
                continue
            for r in (1, 2, 4, 8):
                if t * r > (256 if r > 1 else 1024) or (t == 32 and r == 1):
                    continue
                for sums in (1, 2):
                    for kept in ("Float32", "Float16") if n > 1 else ("Float32",):
                        for order in ("late", "early", "ahead"):
                            if order == "ahead" and n * v > 32 or order == "early" and n > 3:
                                continue
                            for depth in (0, 1, 2, 3, 4, 6) if order == "ahead" else (0,):
                                if 2 * v * n * t * r * depth > 200 << 10 or depth and v < 4:
                                    continue
                                for hint in ("plain", "once"):
                                    for limit in (0,) if order == "ahead" else (0, 32, 40) if n == 1 else (0, 40, 48, 56) if n == 2 else (0, 48, 64, 80):
                                        if limit * t * r <= 65536:
                                            found.append(kernels.LayerNorm(h, v, n, t, r, sums, kept, order, depth, hint, hint, limit))
    return list(dict.fromkeys(found))


def tilings(k=768, rows=64, columns=768):
    found = []
    for m in (1, 2, 4):
        for n in (1, 2, 3, 4, 6):
            for wm in (1, 2, 4):
                for wn in (1, 2, 3, 4):
                    for wk in (1, 2, 3, 4, 6, 8, 12):
                        for c in (1, 2, 3, 4, 6, 8):
                            t = kernels.Linear(k, m, n, wm, wn, wk, c)
                            s = k // (32 * wk * c)
                            if k % (32 * wk * c) or rows % t.rows or columns % t.columns or t.rows * t.columns // 2 % c or not 4 <= wm * wn * wk <= 16:
                                continue
                            blocks = rows // t.rows * (columns // t.columns) * c
                            if 44 <= blocks <= 300 and t.shared <= 48 << 10 and (2 * m + n) * s * 4 + 4 * m * n <= 200 and blocks * (t.rows + t.columns) * k // c * 2 < 9 << 20:
                                found.append(t)
    return found


def before(report, name):
    """The plans that an earlier search of this card found."""
    path = os.path.join(report, name)
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def layer_norm(kiln, bench, sizes, threads, until, report):
    import torch
    table = before(report, "layer_norm.json")
    for h in sizes:
        began = time.monotonic()
        if began > until:
            print(f"{h}: no time left", flush=True)
            break
        x, vectors, y, reference = kernels.layer_norm_data(torch, h)

        def candidates(plans):
            compiled = kiln.prepare_all([(p.call(), p.options()) for p in plans], threads)
            for p, k in zip(plans, compiled):
                if isinstance(k, binding.KilnError):
                    print(f"{p}: {str(k)[:300]}", flush=True)
                    continue
                p.found = k.resources()
                yield p, k.bind(p.blocks(kernels.ROWS), p.threads, p.arguments(y, x, vectors, kernels.ROWS), shared_bytes=p.shared)

        def timed(some, reps):
            out = []
            for p, go in some:
                go()
                us = bench.batch(go, reps)
                out.append((us, p, go))
            return sorted(out, key=lambda o: o[0])
        first = timed(candidates(plans(h)), 7)
        made = time.monotonic() - began
        more = dict.fromkeys(q for us, p, go in first[:16] for q in p.variants())
        second = timed(candidates(list(more)), 9)
        best = []
        for us, p, go in sorted(first[:20] + second, key=lambda o: o[0]):
            y.fill_(float("nan"))
            go()
            bench.stream.synchronize()
            error = float((y.float() - reference).abs().max())
            if error == error and error < 0.02:
                best.append((us, p, go))
            else:
                print(f"{p}: WRONG, off by {error}", flush=True)
            if len(best) == 12:
                break
        last = bench.rounds({p: go for us, p, go in best}, rounds=11, reps=15)
        order = sorted(best, key=lambda o: last[o[1]]["us"])
        moved = kernels.layer_norm_bytes(h)
        table[str(h)] = dict(order[0][1].as_json(), us=round(last[order[0][1]]["us"], 2))
        print(f"{h}: {len(first)} + {len(second)} candidates, {made:.1f} s, {time.monotonic() - began:.1f} s in all", flush=True)
        for us, p, go in order[:4]:
            print(f"    {moved / last[p]['us'] / 1e3:6.0f} GB/s  {last[p]['us']:.2f} us  {p} {p.found}", flush=True)
        print("    first round's " + ", ".join(f"{moved / us / 1e3:.0f} {p}" for us, p, go in first[:3]), flush=True)
        with open(os.path.join(report, "layer_norm.json"), "w", encoding="utf-8") as out:
            json.dump(table, out, indent=1)
        del first, second, best, order, last


def linear(kiln, bench, threads, report):
    import torch
    x, w, b, y, reference = kernels.linear_data(torch)
    some = tilings()
    began = time.monotonic()
    compiled = kiln.prepare_all([(t.call(), t.options()) for t in some], threads)
    made, out = time.monotonic() - began, []
    for t, k in zip(some, compiled):
        if isinstance(k, binding.KilnError):
            print(f"{t}: {str(k)[:300]}", flush=True)
            continue
        t.found = k.resources()
        for pdl in (0, 1):
            go = k.bind(t.blocks(), t.threads, t.arguments(y, x, w, b), programmatic_serialization=pdl, **({"cluster": t.C} if t.C > 1 else {}))
            try:
                y.fill_(float("nan"))
                go()
                bench.stream.synchronize()
                error = float((y.float() - reference).abs().max())
                if not error < 0.01:
                    print(f"{t}: WRONG, off by {error}", flush=True)
                    break
                graph = kiln.graph(go, 100)
                out.append((bench.batch(graph, 7, flush=False) / 100, pdl, t, graph))
            except binding.KilnError as e:
                print(f"{t} pdl {pdl}: {str(e)[:300]}", flush=True)
                break
    print(f"linear: {len(out)} of {2 * len(some)} candidates, compiled in {made:.1f} s, {time.monotonic() - began:.1f} s in all", flush=True)
    table = {}
    for wanted, name in ((0, "plain"), (1, "programmatic")):
        best = sorted((o for o in out if o[1] == wanted), key=lambda o: o[0])[:8]
        last = bench.rounds({t: g for us, pdl, t, g in best}, rounds=9, reps=7, flush=False)
        order = sorted(best, key=lambda o: last[o[2]]["us"])
        for us, pdl, t, g in order[:4]:
            print(f"    {name} {last[t]['us'] / 100:.3f} us  {t} {t.found}", flush=True)
        table[name] = dict(order[0][2].as_json(), us=round(last[order[0][2]]["us"] / 100, 3))
    with open(os.path.join(report, "linear.json"), "w", encoding="utf-8") as file:
        json.dump(table, file, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", required=True)
    parser.add_argument("--only", default="layer_norm,linear")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--out", default=os.path.join(HERE, "plans"))
    parser.add_argument("--count", action="store_true", help="only say how many candidates there are")
    options = parser.parse_args()
    if options.count:
        print({h: len(plans(h)) for h in SIZES}, len(tilings()))
        return
    import measure
    bench = measure.Bench()
    kiln = binding.Kiln(options.library, bench.stream.cuda_stream)
    for name in ("layer_norm.jl", "linear.jl"):
        kiln.load(os.path.join(EXAMPLES, name))
    options.out = os.path.join(options.out, measure.card())
    os.makedirs(options.out, exist_ok=True)
    threads = len(os.sched_getaffinity(0))
    print(measure.machine(), f"{threads} cores", flush=True)
    until = time.monotonic() + options.seconds
    if "linear" in options.only:
        linear(kiln, bench, threads, options.out)
    if "layer_norm" in options.only:
        layer_norm(kiln, bench, [int(h) for h in options.sizes.split(",")], threads, until, options.out)


if __name__ == "__main__":
    main()
