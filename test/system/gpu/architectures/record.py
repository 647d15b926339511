#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""record.py --kiln PROGRAM [--accept]: writes values.json anew, the kernels of test/language/values as assemble.py takes them.

Runs the value groups on the CPU and reads the trace of their jobs. Each kernel gets the first entry of STEPS whose
architecture it compiles for: `since`, the oldest architecture, or `only`, all that take it. Kernels that no
architecture takes are left out and listed. A kernel that moved to a later step is an error, and nothing is written:
code that was for sm_75 and now needs sm_80 is a fault as a rule. --accept records it nevertheless.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
VALUES = os.path.join(HERE, "..", "..", "..", "language", "values")
TENSOR_CORES = ["sm_100a", "sm_100f", "sm_103a", "sm_103f", "sm_110a", "sm_110f"]  # those with tcgen05
STEPS = [("sm_75", {"since": "sm_75"}), ("sm_80", {"since": "sm_80"}), ("sm_90", {"since": "sm_90"}), ("sm_100", {"since": "sm_100"}),
         ("sm_90a", {"only": ["sm_90a"]}), ("sm_100f", {"only": TENSOR_CORES}), ("sm_100a", {"only": ["sm_100a", "sm_110a"]})]


def groups():
    with open(os.path.join(VALUES, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"foreach\(group ([^)]*)\)", file.read())[1].split()


def recorded(kiln, folder):
    """{files: [calls]} of the kernels that the groups compile."""
    trace = os.path.join(folder, "trace")
    environment = {**os.environ, "KILN_TRACE_JOBS": trace, "KILN_CACHE_DIR": os.path.join(folder, "cache")}
    for group in groups():
        done = subprocess.run([sys.executable, "-B", os.path.join(VALUES, "run.py"), "--kiln", kiln, "--folder", folder, group], capture_output=True, text=True, env=environment)
        print(done.stdout.strip(), flush=True)
        if done.returncode:
            raise SystemExit(f"{group} failed\n{done.stderr}")
    jobs = collections.defaultdict(dict)
    with open(trace, encoding="utf-8") as file:
        for line in file:
            job = json.loads(line)
            inside = all(f.get("folder") and os.path.normpath(os.path.join(f["folder"], f["name"])).startswith(VALUES + os.sep) for f in job["files"])
            if job["config"].get("kernel", True) and not job.get("cannot_repeat") and inside:
                names = tuple(os.path.relpath(os.path.normpath(os.path.join(f["folder"], f["name"])), VALUES) for f in job["files"])
                jobs[names][job["call"]] = True
    return {names: list(calls) for names, calls in jobs.items()}


def failing(kiln, names, calls, arch, folder):
    out = os.path.join(folder, "out")
    subprocess.run([kiln, "compile"] + [os.path.join(VALUES, n) for n in names] + calls + ["--target", "ptx", "--arch", arch, "--no-cache", "-g0", "-o", out + os.sep], capture_output=True, text=True)
    with open(os.path.join(out, "index.json"), encoding="utf-8") as file:
        return [job["call"] for job in json.load(file) if "error" in job]


def steps_of(values):
    """{(files, call): index of its step} of values.json."""
    fits = [fit for _, fit in STEPS]
    return {(tuple(each["files"]), call): fits.index({k: each[k] for k in ("since", "only") if k in each}) for each in values for call in each["calls"]}


def risen(before, now, left_out):
    """Lines about kernels that need a later step than before, or that no architecture takes any more."""
    for (files, call), step in sorted(before.items()):
        to = now.get((files, call))
        if (files, call) in left_out or (to is not None and to > step):
            yield f"{' '.join(files)}: {call}: from {STEPS[step][0]} to {'none' if to is None else STEPS[to][0]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--accept", action="store_true", help="record kernels that need a newer architecture than before")
    options = parser.parse_args()
    kiln, path = os.path.abspath(options.kiln), os.path.join(HERE, "values.json")
    with open(path, encoding="utf-8") as file:
        before = steps_of(json.load(file))
    found, left_out = [], set()
    with tempfile.TemporaryDirectory() as folder:
        for names, calls in sorted(recorded(kiln, folder).items()):
            for arch, fit in STEPS:
                if not calls:
                    break
                rest = failing(kiln, names, calls, arch, folder)
                if taken := sorted(set(calls) - set(rest)):
                    found.append({"files": list(names), **fit, "calls": taken})
                calls = rest
            left_out.update((names, call) for call in calls)
    lines = list(risen(before, steps_of(found), left_out))
    if lines and not options.accept:
        sys.exit("these kernels need a newer architecture than before (--accept records them so):\n" + "\n".join(lines))
    with open(path, "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1, ensure_ascii=False)
        file.write("\n")
    print(f"{sum(len(f['calls']) for f in found)} kernels; left out, since no architecture takes them: {len(left_out)}")
    for names, call in sorted(left_out):
        print(f"{' '.join(names)}: {call}")


if __name__ == "__main__":
    main()
