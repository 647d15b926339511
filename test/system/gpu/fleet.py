#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two processes on two GPUs with one Redis: fleet.py --kiln KILN --agent KILN_AGENT --folder SCRATCH.

Each process has a cache folder and an agent of its own, sees one GPU, and launches saxpy at the same time as the other. One of them compiles, and both
results are right. Exit status 77: there are fewer than two GPUs, or no redis-server.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "test", "system", "remote"))
from servers import Redis  # noqa: E402

ELEMENTS = 100_000
SOURCE, CHECK = (os.path.join(ROOT, "docs", "examples", name) for name in ("saxpy.jl", "check_saxpy.py"))


def gpus():
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    return [line for line in listed.stdout.splitlines() if line.startswith("GPU ")]


def run(kiln, scratch, gpu, url):
    """(how each product was found, what was logged)"""
    folder = os.path.join(scratch, f"gpu{gpu}")
    os.makedirs(folder)
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": str(gpu), "KILN_CACHE_DIR": os.path.join(folder, "cache"), "KILN_AGENT": os.path.join(tempfile.mkdtemp(prefix="kiln-gpu-"), "agent.sock"),
                   "KILN_REMOTE_CACHE": url, "KILN_REMOTE_TRUST": "none", "KILN_LOG": "warning"}  # fmt: skip
    subprocess.run([sys.executable, CHECK, "make", folder, str(ELEMENTS)], check=True)
    report = os.path.join(folder, "report.json")
    done = subprocess.run([kiln, "run", SOURCE, "saxpy", "--arg", f"@{folder}/y.npy", "--arg", f"@{folder}/x.npy", "--arg", "2.5f0", "--device", "cuda", "--threads", "256", "--blocks", str((ELEMENTS + 255) // 256),
                           "--out", f"1={folder}/out.npy", f"--timings=json:{report}"], env=environment, capture_output=True, text=True, timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stderr
    subprocess.run([sys.executable, CHECK, "check", folder, "2.5"], check=True)
    with open(report, encoding="utf-8") as file:
        jobs = json.load(file)["jobs"]
    return {look["product"]: look["answer"] for job in jobs for look in job["lookups"]}, done.stderr, environment


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--agent", required=True)
    parser.add_argument("--folder", required=True)
    options = parser.parse_args()
    if len(gpus()) < 2:
        print(f"skipped: {len(gpus())} GPUs, and two are needed")
        sys.exit(77)
    shutil.rmtree(options.folder, ignore_errors=True)
    os.makedirs(options.folder)
    with Redis() as server:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            done = list(pool.map(lambda gpu: run(os.path.abspath(options.kiln), options.folder, gpu, server.url), range(2)))
        for found, log, environment in done:
            print(found, log)
            subprocess.run([os.path.abspath(options.agent), "stop"], env=environment, capture_output=True)
        for product in ("asm", "cubin"):
            answers = sorted(found[product] for found, _, _ in done)
            assert answers == ["made", "remote"], (product, answers)
    print("fleet: one compile for two GPUs, and both results are right")


main()
