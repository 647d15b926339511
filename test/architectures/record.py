#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""record.py --kiln PROGRAM: writes values.json anew, the kernels of test/values as assemble.py takes them.

Runs the value groups on the CPU and reads the trace of their jobs. `since` is the oldest architecture for which the
kernels compile, of those in OLDEST; `only` the single one. Kernels that no architecture takes are left out and listed.
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
VALUES = os.path.join(os.path.dirname(HERE), "values")
OLDEST = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100f", "sm_90a"]  # sm_90a's own instructions end with it


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", required=True)
    kiln = os.path.abspath(parser.parse_args().kiln)
    found, left_out = [], []
    with tempfile.TemporaryDirectory() as folder:
        for names, calls in sorted(recorded(kiln, folder).items()):
            for arch in OLDEST:
                if not calls:
                    break
                rest = failing(kiln, names, calls, arch, folder)
                if taken := sorted(set(calls) - set(rest)):
                    found.append({"files": list(names), "only" if arch == "sm_90a" else "since": arch, "calls": taken})
                calls = rest
            left_out += [f"{' '.join(names)}: {call}" for call in calls]
    with open(os.path.join(HERE, "values.json"), "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1, ensure_ascii=False)
        file.write("\n")
    print(f"{sum(len(f['calls']) for f in found)} kernels; left out, since they are for CPUs:")
    print("\n".join(left_out))


if __name__ == "__main__":
    main()
