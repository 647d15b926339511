#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes that start together and want the same kernels, with one redis-server: bench/fleet.py --kiln KILN --folder SCRATCH [--picture docs/guide/fleet.svg].

Each process has a cache folder and an agent of its own, as on a machine of its own. Their reports are merged; --picture keeps the page's picture.
Prints the merged text's first lines, and checks the laws of all sessions.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "test", "system", "remote"))
import laws
from servers import Redis

TYPES = "CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}"


def source(kernels):
    return "".join(
        f"""
function kernel{n}(y, x)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = sin(x[i]) * {n}f0 + muladd(x[i], {n}f0, y[i])
    end
    return
end
""" for n in range(kernels))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--picture", help="file for the picture of the merged page")
    parser.add_argument("--processes", type=int, default=32)
    parser.add_argument("--kernels", type=int, default=50)
    options = parser.parse_args()
    kiln, folder = os.path.abspath(options.kiln), os.path.abspath(options.folder)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    kernels = os.path.join(folder, "kernels.jl")
    with open(kernels, "w", encoding="utf-8") as file:
        file.write(source(options.kernels))
    calls = [f"kernel{n}({TYPES})" for n in range(options.kernels)]
    agents = tempfile.mkdtemp(prefix="kiln-fleet-")  # paths of sockets are short
    environments, reports = [], []
    for rank in range(options.processes):
        own = os.path.join(folder, str(rank))
        os.makedirs(os.path.join(own, "out"))
        reports.append(os.path.join(own, "report.json"))
        environments.append({"PATH": os.environ["PATH"], "HOME": own, "KILN_CACHE_DIR": os.path.join(own, "cache"), "KILN_AGENT": os.path.join(agents, str(rank), "agent.sock"),
                             "KILN_REMOTE_TRUST": "none", "RANK": str(rank), "WORLD_SIZE": str(options.processes)})
    agent = os.path.join(os.path.dirname(kiln), "kiln-agent")
    try:
        with Redis() as server:
            for environment in environments:  # a node's agent runs before the job starts
                subprocess.run([agent, "serve", "--background"], env=environment, check=True)
            began = time.monotonic()
            running = []
            for rank, environment in enumerate(environments):
                command = [kiln, "compile", kernels, *calls, "--target", "ptx", "--arch", "sm_90", "-o", os.path.join(folder, str(rank), "out") + "/", "--remote", server.url,
                           f"--timings=json:{reports[rank]}"]
                running.append(subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL))
            failed = [rank for rank, process in enumerate(running) if process.wait() != 0]
            print(f"{options.processes} processes, {options.kernels} kernels: {time.monotonic() - began:.2f} s, {len(failed)} failed")
    finally:
        for environment in environments:
            subprocess.run([agent, "stop"], env=environment, check=False)
        shutil.rmtree(agents, ignore_errors=True)
    told = []
    for report in reports:
        with open(report, encoding="utf-8") as file:
            told.append(json.load(file))
        laws.check_session(told[-1])
    compiled = laws.compiled_keys(told)
    print(f"{sum(compiled.values())} compiles of {len(compiled)} keys; the laws of all sessions hold")
    page = os.path.join(folder, "fleet.html")
    merged = subprocess.run([kiln, "timings", "merge", *reports, "-o", "-", "--html", page], check=True, capture_output=True, text=True).stdout
    print("\n".join(merged.splitlines()[:3]))
    print(f"the page: {page}")
    if options.picture:
        with open(page, encoding="utf-8") as file:
            picture = re.search(r"<svg.*?</svg>\n", file.read(), re.DOTALL)[0]
        # Without the notes of single bars, which no image shows.
        picture = re.sub(r'(<path class="." d="[^"]*")><title>[^<]*</title></path>\n', r"\1/>", picture)
        with open(options.picture, "w", encoding="utf-8") as file:
            file.write(picture)
        print(f"{options.picture}: {len(picture)} bytes")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
