#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a hit in a remote store costs beside one in the cache's folder: remote.py KILN KILN_AGENT [RUNS]

Single processes: `kiln compile` for PTX takes turns: a hit in the folder; hits through an agent in redis-server, nginx (WebDAV) and a folder, signed; a
compile without a remote, one whose remote has no such entry, one whose server hangs (SIGSTOP), and one whose agent hangs. Servers run on the loopback. Whole processes are timed, and the stages of the
cache are read from their reports. Each machine has used its cache folder before, for a kernel that is not timed.

Hits in a row: one process finds 50 kernels for CPUs one after the other (`kiln bundle --jobs 1`); its report has the time of each. The first one is left out. Exit status 77: a server is missing.
"""
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "test", "system", "remote"))
from kernels import source_of_kernels  # noqa: E402
from servers import Nginx, Redis  # noqa: E402

KERNELS = 20
IN_A_ROW = 50
TYPES = "CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}"
STAGES = ("cache read", "cache look-up", "cache remote")  # `cache look-up` contains the reading of edges


class Machine:
    """A cache folder and an agent."""

    def __init__(self, kiln, scratch, name, remote="", **environment):
        self.kiln, self.remote, self.folder = kiln, remote, os.path.join(scratch, name)
        self.folders = 0
        os.makedirs(self.folder)
        self.agent_folder = tempfile.mkdtemp(prefix="kiln-bench-")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("KILN_")}
        self.environment = {**inherited, "HOME": self.folder, "KILN_CACHE_DIR": os.path.join(self.folder, "cache"), "KILN_AGENT": os.path.join(self.agent_folder, "agent.sock"),
                            "KILN_REMOTE_CACHE": remote, **environment}  # fmt: skip

    def keep(self):
        """Later calls of `forget` begin with what the folder holds now."""
        self.kept = self.environment["KILN_CACHE_DIR"]

    def forget(self):
        """Begins with another folder. The earlier one stays: ext4 creates files slowly for seconds after others were deleted."""
        self.folders += 1
        self.environment["KILN_CACHE_DIR"] = os.path.join(self.folder, f"cache{self.folders}")
        shutil.copytree(self.kept, self.environment["KILN_CACHE_DIR"])

    def timed(self, *words):
        """(ms of the process, the jobs of its report)"""
        report = os.path.join(self.folder, "report.json")
        command = [self.kiln, *words, f"--timings=json:{report}"]
        began = time.perf_counter()
        subprocess.run(command, env=self.environment, check=True, capture_output=True, timeout=60)
        wall = 1000 * (time.perf_counter() - began)
        with open(report, encoding="utf-8") as file:
            return wall, json.load(file)["jobs"]

    def run_in_a_row(self, manifest):
        """[(ms of a job, how its product was found)]"""
        _, jobs = self.timed("bundle", manifest, "--jobs", "1", "-o", os.path.join(self.folder, "kernels.kiln"))
        return [(job["ns"] / 1e6, job["lookups"][0]["answer"]) for job in jobs[1:]]

    def run(self, source, kernel):
        """(ms of the process, ms in the cache, how the product was found)"""
        wall, (job,) = self.timed("compile", source, f"kernel{kernel}({TYPES})", "--target", "ptx", "--arch", "sm_90", "-o", os.devnull)
        spent = sum(row["ns"] for row in job["rows"] if row["depth"] == 0 and row["name"] in STAGES)
        return wall, spent / 1e6, job["lookups"][0]["answer"]


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def main():
    kiln, agent = map(os.path.abspath, sys.argv[1:3])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    with tempfile.TemporaryDirectory() as scratch, Redis() as redis, Redis() as hung, Nginx() as nginx:
        source, keys, store = (os.path.join(scratch, name) for name in ("kernels.jl", "writer", "store"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(source_of_kernels(1 + IN_A_ROW))
        manifest = os.path.join(scratch, "kernels.json")
        with open(manifest, "w", encoding="utf-8") as file:
            calls = [f"kernel{kernel}({TYPES})" for kernel in range(1 + IN_A_ROW)]
            json.dump({"files": [source], "jobs": calls, "targets": [{"target": "native", "arch": "x86-64-v3"}]}, file)
        os.mkdir(store)
        subprocess.run([agent, "keygen", keys], check=True, capture_output=True)
        machines = {"folder": (Machine(kiln, scratch, "folder"), "folder")}
        for name, url in (("Redis", redis.url), ("nginx", nginx.url), ("file://", f"file://{store}")):
            writer = Machine(kiln, scratch, f"writer of {name}".replace("/", ""), url, KILN_REMOTE_SIGN_KEY=keys)
            for kernel in range(KERNELS + 1):
                writer.run(source, kernel)
            writer.run_in_a_row(manifest)
            subprocess.run([agent, "stop"], env=writer.environment, check=True, capture_output=True)
            machines[f"{name}, through the agent"] = Machine(kiln, scratch, f"reader of {name}".replace("/", ""), url, KILN_REMOTE_TRUST_KEYS=keys + ".pub"), "remote"
        machines["compile, no remote"] = Machine(kiln, scratch, "compile"), "made"
        machines["compile, Redis has none"] = Machine(kiln, scratch, "misses", redis.url + "/1", KILN_REMOTE_TRUST_KEYS=keys + ".pub"), "made"
        hung_agent = Machine(kiln, scratch, "hung agent", redis.url + "/1", KILN_REMOTE_TRUST_KEYS=keys + ".pub")
        machines["compile, Redis hangs"] = Machine(kiln, scratch, "hung server", hung.url, KILN_REMOTE_TRUST_KEYS=keys + ".pub"), "made"
        machines["compile, the agent hangs"] = hung_agent, "made"
        found = {name: [] for name in machines}
        other = dict.fromkeys(machines, 0)
        for machine, _ in machines.values():
            machine.run(source, 0)  # starts its agent, and makes its folder
            machine.keep()
        for kernel in range(1, KERNELS + 1):
            machines["folder"][0].run(source, kernel)
        machines["folder"][0].run_in_a_row(manifest)
        hits = {name: [] for name, (_, expected) in machines.items() if expected != "made"}
        for _ in range(runs):
            for name in hits:
                machine, expected = machines[name]
                if name != "folder":
                    machine.forget()
                hits[name] += [wall for wall, answer in machine.run_in_a_row(manifest) if answer == expected]
        process = json.loads(subprocess.run([agent, "stat"], env=hung_agent.environment, check=True, capture_output=True, timeout=60).stdout)["process"]
        os.kill(process, signal.SIGSTOP)
        os.kill(hung.process.pid, signal.SIGSTOP)
        for _ in range(runs):
            for kernel in range(1, 1 + KERNELS):
                for name, (machine, expected) in machines.items():
                    if name != "folder":
                        machine.forget()
                    wall, spent, answer = machine.run(source, kernel)
                    if answer == expected:
                        found[name].append((wall, spent))
                    else:
                        other[name] += 1
        base = statistics.median(wall for wall, _ in found["folder"])
        print("| entry in | process, median | p99 | above a folder hit | in the cache, median | p99 | found otherwise |")
        print("|---|---|---|---|---|---|---|")
        for name, values in found.items():
            walls = [wall for wall, _ in values]
            wall = statistics.median(walls)
            spent = [spent for _, spent in values]
            print(f"| {name} | {wall:.2f} ms | {percentile(walls, 0.99):.2f} ms | {wall - base:+.2f} ms | {statistics.median(spent):.2f} ms | {percentile(spent, 0.99):.2f} ms | {other[name]} of {len(values) + other[name]} |")
        base = statistics.median(hits["folder"])
        print("\n| entry in | a hit of 50 in a row, median | p99 | above a folder hit | hits |")
        print("|---|---|---|---|---|")
        for name, walls in hits.items():
            print(f"| {name} | {statistics.median(walls):.3f} ms | {percentile(walls, 0.99):.3f} ms | {statistics.median(walls) - base:+.3f} ms | {len(walls)} of {runs * IN_A_ROW} |")
        os.kill(hung.process.pid, signal.SIGCONT)
        os.kill(process, signal.SIGCONT)
        for machine, _ in machines.values():
            if machine.remote:
                subprocess.run([agent, "stop"], env=machine.environment, capture_output=True)
            shutil.rmtree(machine.agent_folder)


main()
