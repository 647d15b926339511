# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs of timings_diff.jl and timings.jl.

    timings_diff.py FOLDER   writes the reports that are compared into a folder; times are in microseconds here, nanoseconds in the files
    timings_diff.py large    prints LLVM IR: a function of 4,100 additions and a return
"""
import json
import os
import sys


if sys.argv[1] == "large":
    print("define i64 @large(i64 %v0) {")
    for i in range(4100):
        print(f"  %v{i + 1} = add i64 %v{i}, {i}")
    print("  ret i64 %v4100\n}")
    sys.exit()


def row(name, depth, us, self_us=None, wait=False):
    return {"name": name, "depth": depth, "calls": 1, "ns": us * 1000, "self_ns": (us if self_us is None else self_us) * 1000, "wait": wait}


def report(machine_code=4000, preparation=50, more=None, instructions=None):
    """10 ms, of which 8 are the job's, if nothing else is said. `more`: a row of both that takes 3 ms. `instructions`: LLVM's, in the end."""
    back_end = machine_code + preparation + 3950
    extra = [more] if more else []
    stages = [row("LLVM back-end", 0, back_end, 3950), row("preparation", 1, preparation), row("machine-code generation", 1, machine_code), *extra]
    if instructions is not None:
        stages[2] |= {"instructions_before": 200, "instructions_after": instructions}
    job_us = back_end + (3000 if more else 0)
    return {"kiln_timings": 1, "title": "", "wall_ns": (job_us + 2000) * 1000, "threads": 1, "rows": [*stages, row("untimed", 0, 2000)],
            "jobs": [{"name": "f(Int64)", "target": "native", "key": "", "calls": 1, "ns": job_us * 1000, "rows": [*stages, row("untimed", 0, 0)],
                      "lookups": []}], "kernels": [], "warnings": []}


def whole(us):
    return {"kiln_timings": 1, "title": "", "wall_ns": us * 1000, "threads": 1, "rows": [row("untimed", 0, 0)], "jobs": [], "kernels": [], "warnings": []}


def write(name, text):
    with open(os.path.join(sys.argv[1], name), "w", encoding="utf-8") as file:
        file.write(text)


base = json.dumps(report())
write("base.json", base)
write("slower.json", json.dumps(report(machine_code=6000)))
write("small.json", json.dumps(report(preparation=140)))
write("new.json", json.dumps(report(more=row("hooks", 0, 3000))))
write("waits.json", json.dumps(report(more=row("wait for definitions", 0, 3000, wait=True))))
write("code.json", json.dumps(report(instructions=100)))
write("bit_more_code.json", json.dumps(report(instructions=105)))
write("more_code.json", json.dumps(report(instructions=110)))
write("noisy_a.json", "\n".join(json.dumps(whole(us)) for us in (10_000, 15_000, 14_000)))  # one after another
write("noisy_b.json", json.dumps([whole(us) for us in (13_000, 12_000, 16_000)]))  # a list
write("noisy_c.json", json.dumps([whole(us) for us in (15_000, 14_500, 16_000)]))
for stage_name, microseconds in (("stage_a", (4000, 4500)), ("stage_b", (6000, 5000)), ("stage_c", (4400, 6000))):
    write(f"{stage_name}.json", json.dumps([report(machine_code=us) for us in microseconds]))
write("text.json", "Section   ncalls\n")
write("empty.json", " \n")
write("other.json", '{"wall_ns": 1, "rows": []}')
write("later.json", base.replace('"kiln_timings": 1', '"kiln_timings": 2'))
write("cut.json", base[: len(base) // 2])
write("negative.json", base.replace('"wall_ns": 10000000', '"wall_ns": -1'))
