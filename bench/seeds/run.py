#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The seeds' workloads on a GPU: Kiln beside its peers, by turns in one process.

    run.py --library libkiln.so --only PART [--out FOLDER] [--rounds N] [--reps N] [--seconds N] [--fast]
    run.py --join FOLDER                     the parts' results, as one page of Markdown

Each part measures the copy ceiling of its run, checks the values of everything that it times, ends within 8 minutes, and writes PART.json.
Ends with 77 (skipped) where there is no GPU or no PyTorch, with 1 where a value is wrong."""
import argparse
import importlib
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
PLANS, USUAL_CARD = os.path.join(HERE, "plans"), "h200"
PARTS = ("layer_norm", "adam", "linear", "einsum")


def shown(v):
    if isinstance(v, float):
        return f"{v:.0f}" if abs(v) >= 1000 else f"{v:.1f}" if abs(v) >= 100 else f"{v:.3g}" if abs(v) < 0.01 else f"{v:.3f}"
    return str(v)


def page(parts):
    lines = []
    for name in PARTS:
        if name not in parts:
            continue
        p = parts[name]
        lines += [f"## {name}", "", f"{p['about'].strip()} Unit: {p['unit']}. Copy ceiling of this run: {p['ceiling']:.0f} GB/s. {p.get('note', '')}".strip(), ""]
        lines += ["| " + " | ".join(p["columns"]) + " |", "|---" * len(p["columns"]) + "|"]
        lines += ["| " + " | ".join(shown(r.get(c, "")) for c in p["columns"]) + " |" for r in p["rows"]]
        lines += [""] + ([f"The seed's own figures: {p['seed']}.", ""] if p.get("seed") else []) + [f"- {e}" for e in p["errors"]] + [""] * bool(p["errors"])
    return "\n".join(lines)


class Plans:
    """The plans that search.py found on a card; for what it did not search there, those of the H200."""

    def __init__(self, folder, card):
        self.folder, self.card, self.foreign = folder, card, None  # None: no plans were read

    def read(self, card, name):
        path = os.path.join(self.folder, card, name)
        if not os.path.exists(path):
            return {}
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def table(self, name):
        own, others = self.read(self.card, name), self.read(USUAL_CARD, name)
        self.foreign = [key for key in others if key not in own and self.card != USUAL_CARD]
        return {key: own.get(key, plan) for key, plan in others.items()}

    def note(self):
        return f"Plans that were found on an {USUAL_CARD.upper()}: {', '.join(self.foreign)}." if self.foreign else f"All plans were found on this card ({self.card.upper()})."


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library")
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--out", default=".")
    parser.add_argument("--join")
    parser.add_argument("--plans", default=PLANS, help="folder in which search.py left a folder of plans for each card")
    parser.add_argument("--seeds-library", help="libkiln_seeds.so, for einsum")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--reps", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=420)
    parser.add_argument("--fast", action="store_true", help="without the peers that take long to compile (max-autotune)")
    options = parser.parse_args()
    if options.join:
        parts = {}
        for name in PARTS:
            path = os.path.join(options.join, name + ".json")
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    parts[name] = json.load(file)
        print(page(parts))
        return 0
    if not options.library or not options.only:
        parser.error("--library and --only, or --join")
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
    began = time.monotonic()
    options.slow, options.threads = not options.fast, len(os.sched_getaffinity(0))
    options.examples = os.path.join(HERE, "..", "..", "docs", "examples")

    options.plans = Plans(options.plans, measure.card())
    bench = measure.Bench()
    kiln = binding.Kiln(options.library, bench.stream.cuda_stream)
    options.ceiling, copies = bench.ceiling()
    part = importlib.import_module("part_" + options.only)
    print(f"{options.only}: copy ceiling {options.ceiling:.0f} GB/s", flush=True)
    result = part.run(kiln, bench, options)
    if options.plans.foreign is not None:
        result["note"] = f"{result.get('note', '')} {options.plans.note()}".strip()
    result.update(about=part.__doc__, ceiling=options.ceiling, copies=copies, machine=measure.machine(), rounds=options.rounds, reps=options.reps,
                  seconds=round(time.monotonic() - began, 1))
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(options.out, options.only + ".json"), "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
    print(page({options.only: result}), f"{result['seconds']} s", sep="\n", flush=True)
    return 0 if all(r.get("right", True) for r in result["rows"]) else 1


if __name__ == "__main__":
    sys.exit(main())
