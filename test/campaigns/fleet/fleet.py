#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A fleet starts cold: many processes on some machines want the same kernels, and share one redis-server.

    fleet.py --programs build/release/bin --folder build/fleet [--machines 32] [--processes 1000] [--kernels 50] [--fault NAME|all]

Each process is `kiln precompile` over all kernels, one after the other, for PTX and cubin. It compiles PTX. Its assembler is a script
that sleeps, counts, and writes a digest of the text. A machine is a cache folder, an agent and, for root, a network namespace.
On another machine, without the build tree:

    fleet.py --programs build/release/bin --pack build/pack    # stripped programs, their libraries, these scripts: 65 MB
    python3 build/pack/fleet.py --programs build/pack --folder /tmp/fleet --strict --fault all

Python's standard library is all it needs. Exit status 1: a law or a bound does not hold; 77: no redis-server."""
import argparse
import json
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

from faults import FAULTS, SMALL_DISK, Redis, Trouble
from machines import Machine, open_network, seconds_of

ARRAYS = "CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}"
ASSEMBLER = """#!/bin/sh
# In place of ptxas: assembling takes a while, and the cubin is a digest of the text.
if [ "$1" = --version ]; then echo "Cuda compilation tools, release 13.0, V13.0.88"; exit; fi
while [ $# -gt 0 ]; do
  [ "$1" = -o ] && output=$2
  input=$1
  shift
done
digest=$(md5sum < "$input")
echo "$FLEET_MACHINE $digest" >> "$FLEET_LOG"
sleep "$FLEET_SECONDS"
printf '\\177ELF%s' "$digest" > "$output"
"""


def source(kernels):
    return "using CUDA\n" + "".join(
        f"""
function kernel{n}(y, x)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    s = {n}f0
    for j in 1:{n + 2}
        s = muladd(s, @inbounds(x[i]), Float32(j))
    end
    @inbounds y[i] = s
    return
end
""" for n in range(kernels))


class Fleet:
    """The files and programs of all machines."""

    def __init__(self, options):
        self.options = options
        self.kiln, self.agent = (os.path.join(os.path.abspath(options.programs), name) for name in ("kiln", "kiln-agent"))
        self.redis = shutil.which("redis-server", path=os.path.abspath(options.programs) + ":" + os.environ["PATH"])
        libraries = os.path.join(os.path.abspath(options.programs), "lib")
        self.libraries = {"LD_LIBRARY_PATH": libraries} if os.path.isdir(libraries) else {}
        os.environ.update(self.libraries)  # for those that this process starts
        self.base = os.path.abspath(options.folder)
        shutil.rmtree(self.base, ignore_errors=True)
        os.makedirs(os.path.join(self.base, "toolkit/bin"))
        self.sources, self.manifest = os.path.join(self.base, "kernels.jl"), os.path.join(self.base, "manifest.json")
        with open(self.sources, "w", encoding="utf-8") as file:
            file.write(source(options.kernels))
        with open(self.manifest, "w", encoding="utf-8") as file:
            json.dump({"files": [self.sources], "targets": [{"target": "ptx", "arch": "sm_90"}], "jobs": [f"kernel{n}({ARRAYS})" for n in range(options.kernels)]}, file)
        assembler = os.path.join(self.base, "toolkit/bin/ptxas")
        with open(assembler, "w", encoding="utf-8") as file:
            file.write(ASSEMBLER)
        os.chmod(assembler, 0o755)
        subprocess.run([self.agent, "keygen", os.path.join(self.base, "key"), "--name", "fleet"], check=True, capture_output=True, timeout=60)

    def enter(self, name):
        """Makes the folder of one run."""
        self.folder = os.path.join(self.base, name)
        os.makedirs(self.folder)
        self.log = os.path.join(self.folder, "assembled")
        key = os.path.join(self.base, "key")
        self.environment = {**self.libraries, "KILN_REMOTE_SIGN_KEY": key, "KILN_REMOTE_TRUST_KEYS": key + ".pub", "KILN_CUDA_HOME": os.path.join(self.base, "toolkit"),
                            "KILN_ASSEMBLER": "ptxas", "FLEET_LOG": self.log, "FLEET_SECONDS": str(self.options.assemble)}

    def order(self, machine, count, url):
        report = os.path.join(machine.folder, "report{process}.json")
        command = [self.kiln, "precompile", self.manifest, "--jobs", "1", "--no-merge", f"--timings=json:{report}"]
        return {"count": count, "command": command, "limit": self.options.limit, "environment": {"KILN_REMOTE_CACHE": url} if url else {}}

    def assembled(self):
        """{(machine, text): runs of the assembler}"""
        runs = {}
        if os.path.exists(self.log):
            with open(self.log, encoding="ascii") as file:
                for line in file:
                    machine, digest = line.split()[:2]
                    runs[machine, digest] = runs.get((machine, digest), 0) + 1
        return runs


class Outcome:
    """What the processes of a run did."""

    def __init__(self, fleet, machines, answers):
        self.faults, self.logs = [], []
        self.ready, self.answers, self.late = [], {}, 0
        began = min(began for began, _, _ in answers)
        self.seconds = sum(seconds for _, _, seconds in answers)
        for machine, (_, ended, _) in zip(machines, answers):
            for number, (moment, status, log) in enumerate(ended):
                self.ready.append(moment - began)
                if "warning" in log:
                    self.logs.append(log)
                is_full = machine.disk and status == 3 and "that were made" in log  # all code is there, but not in the folder
                if not is_full and (status != 0 or re.search(r"\berror(\[|:)", log)):
                    self.faults.append(f"process {number} of machine {machine.number}: status {status}: {log}")
                    continue
                self.read(os.path.join(machine.folder, f"report{number}.json"), fleet.options.kernels)

    def read(self, path, kernels):
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        products = {}
        for job in report["jobs"]:
            for look in job["lookups"]:
                key = look["product"], look["answer"]
                self.answers[key] = self.answers.get(key, 0) + look["count"]
                self.late += look["count"] if "while the code was compiled" in look["reason"] else 0
                products[look["product"]] = products.get(look["product"], 0) + 1
        if products != {"asm": kernels, "cubin": kernels}:
            self.faults.append(f"{path}: {products} for {kernels} kernels")

    def made(self, product):
        return self.answers.get((product, "made"), 0)


def check_laws(report):
    """Laws of docs/design/remote.md. The remote of a report that holds them."""
    (remote,) = report["remotes"]
    leases = remote["leases"]
    assert remote["requests"] == sum(remote[name] for name in ("hits", "misses", "errors", "refused")), remote
    assert remote["refused"] == sum(remote["refusals"].values()), remote
    assert remote["uploads_taken"] == sum(remote[name] for name in ("uploads", "upload_errors", "uploads_dropped", "uploads_pending")), remote
    assert leases["wanted"] == sum(leases[name] for name in ("granted", "delivered", "compiled", "left", "waiting")), leases
    assert leases["granted"] == sum(leases[name] for name in ("published", "given_back", "overdue", "held")), leases
    return remote


def alone(fleet):
    """One process without a remote, and the code that it makes."""
    fleet.enter("alone")
    machine = Machine(fleet, 0)
    try:
        machine.tell(fleet.order(machine, 1, None))
        outcome = Outcome(fleet, [machine], [machine.hear()])
    finally:
        machine.close()
    if outcome.faults:
        raise SystemExit(outcome.faults[0])
    fleet.alone = machine
    return outcome


def cubin_of(fleet, machine, kernel):
    """A cubin of the machine's folder, which must be there."""
    output = os.path.join(machine.folder, "cubin")
    command = [fleet.kiln, "compile", fleet.sources, f"kernel{kernel}({ARRAYS})", "--target", "ptx", "--arch", "sm_90", "--emit", "cubin", "--compile", "never", "-o", output]
    done = subprocess.run(command, env=machine.environment, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        return done.stderr
    with open(output, "rb") as file:
        return file.read()


class Run:
    """One fault: a fleet that starts cold."""

    def __init__(self, fleet, fault, network):
        self.fleet, self.fault, self.network = fleet, fault, network
        self.options = fleet.options
        self.failures = []

    def expect(self, holds, what):
        print(("ok      " if holds else "NOT SO  ") + what, flush=True)
        if not holds:
            self.failures.append(what)

    def start(self):
        options, fleet = self.options, self.fleet
        fleet.enter(self.fault)
        self.server = Redis(fleet.redis, fleet.folder, self.network, self.fault, options.seed)
        self.machines = []
        for number in range(options.machines):
            disk = SMALL_DISK if self.fault == "disk_full" and number % 4 == 0 else 0
            self.machines.append(Machine(fleet, number, self.network, disk))
        if options.agents == "ready":
            for machine in self.machines:
                machine.start_agent()

    def run(self, one_alone):
        options = self.options
        self.start()
        try:
            trouble = Trouble(self.fault, self.server, self.machines, one_alone / 4, options.seed)
            for machine in self.machines:
                share = options.processes // options.machines + (machine.number < options.processes % options.machines)
                machine.tell(self.fleet.order(machine, share, self.server.url))
            outcome = Outcome(self.fleet, self.machines, [machine.hear() for machine in self.machines])
            trouble.heal()
            self.judge(outcome, one_alone, trouble)
        finally:
            for machine in self.machines:
                machine.close()
            self.server.close()

    def reports(self):
        """Of all agents, when nothing is under way."""
        end = time.monotonic() + 30
        while True:
            reports = [report for machine in self.machines if (report := machine.agent_report()) and report["remotes"]]
            remotes = [check_laws(report) for report in reports]
            if time.monotonic() > end or all(r["uploads_pending"] == r["in_flight"] == r["leases"]["waiting"] == r["leases"]["held"] == 0 for r in remotes):
                return remotes
            time.sleep(0.1)

    def judge(self, outcome, one_alone, trouble):
        options, kernels = self.options, self.options.kernels
        self.expect(not outcome.faults, f"{options.processes} processes end well" + "".join(f"\n{fault}" for fault in outcome.faults[:3]))
        remotes = self.reports()
        sums = {name: sum(remote[name] for remote in remotes) for name in ("requests", "hits", "misses", "errors", "refused", "skipped", "uploads", "upload_errors")}
        leases = {name: sum(remote["leases"][name] for remote in remotes) for name in ("wanted", "granted", "delivered", "compiled", "left", "node_only", "taken_over", "overdue", "expired")}
        assembled = self.fleet.assembled()
        starts = outcome.made("asm") + sum(assembled.values())
        entries = self.server.entries()
        seconds = outcome.seconds + self.server.seconds + seconds_of(self.server.process.pid) + sum(seconds_of(process) for machine in self.machines for process in machine.agents())
        last, bound = max(outcome.ready), seconds / os.cpu_count()
        print(f"""        last ready {last:.2f} s, median {statistics.median(outcome.ready):.2f} s; one process alone {one_alone:.2f} s: {last / one_alone:.2f} times
        CPU {seconds:.1f} s on {os.cpu_count()} cores: at least {bound:.2f} s
        compiles {outcome.made("asm")} of PTX, {sum(assembled.values())} of cubins, at most {max(assembled.values())} of one on one machine; {outcome.late} entries came during a compile
        {entries} entries at the server; {trouble.count} times {self.fault}; {len(outcome.logs)} processes with warnings
        {len(remotes)} agents: {sums}
        leases: {leases}""", flush=True)
        for log in outcome.logs[:1]:
            print("        " + log.strip().replace("\n", "\n        "))
        self.expect(len(remotes) == len(self.machines) or self.fault == "agent_killed", "all agents report, and their counters add up")
        if self.fault == "none":
            limit = 2 * kernels * 11 // 10 if options.strict else kernels * options.machines
            self.expect(entries == 4 * kernels, f"{entries} entries: of each kernel the edges, PTX, and a cubin under two keys")
            self.expect(leases["granted"] <= limit, f"at most {limit} compiles of PTX and cubins: {leases['granted']} with a lease, {starts - leases['granted']} beside a request")
        elif self.fault != "agent_killed":
            print(f"        {starts - leases['granted']} of {starts} compiles without a lease")
        if options.strict:
            self.expect(max(assembled.values()) == 1, "no machine makes a cubin twice")
        allowed = 1.3 * max(one_alone, bound) if options.strict else 3 * max(one_alone, bound) + 5
        self.expect(last <= allowed, f"the last one is ready within {allowed:.2f} s")
        self.check_folders()

    def check_folders(self):
        """Nothing wrong was kept: one kernel of each machine."""
        chance = random.Random(self.options.seed)
        wrong = []
        for machine in self.machines:
            if machine.disk:
                continue
            kernel = chance.randrange(self.options.kernels)
            found = cubin_of(self.fleet, machine, kernel)
            if found != cubin_of(self.fleet, self.fleet.alone, kernel):
                wrong.append(f"kernel{kernel} of machine {machine.number}: {found[-500:]}")
        self.expect(not wrong, "the machines' folders hold what one process alone makes" + "".join(f"\n{each}" for each in wrong[:3]))


def pack(programs, folder):
    """Copies to `folder` what another machine needs, except for glibc."""
    os.makedirs(os.path.join(folder, "lib"), exist_ok=True)
    for name in ("kiln", "kiln-agent", "redis-server"):
        program = shutil.which(name, path=os.path.abspath(programs) + ":" + os.environ["PATH"]) or sys.exit(f"{name} is not installed")
        subprocess.run(["strip", "-o", os.path.join(folder, name), program], check=True)
        for line in subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout.splitlines():
            library, _, path = line.strip().partition(" => ")
            if path and not re.match(r"lib(c|m|dl|rt|pthread|resolv)\.so", library):
                shutil.copy(path.split()[0], os.path.join(folder, "lib", library))
    here = os.path.dirname(os.path.abspath(__file__))
    for script in ("fleet.py", "machines.py", "faults.py", "proxy.py"):
        shutil.copy(os.path.join(here, script), folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, help="folder with kiln and kiln-agent")
    parser.add_argument("--folder", help="scratch folder, which is emptied")
    parser.add_argument("--pack", metavar="FOLDER", help="only copy there what another machine needs")
    parser.add_argument("--machines", type=int, default=32)
    parser.add_argument("--processes", type=int, default=1000)
    parser.add_argument("--kernels", type=int, default=50)
    parser.add_argument("--assemble", type=float, default=1, help="seconds that the assembler sleeps")
    parser.add_argument("--fault", default="none", help=f"{', '.join(FAULTS)}, or all; several with commas")
    parser.add_argument("--network", choices=["auto", "namespaces", "loopback"], default="auto")
    parser.add_argument("--agents", choices=["ready", "by-session"], default="ready", help="ready: they run before the processes start")
    parser.add_argument("--strict", action="store_true", help="assert the goals: for a machine that does nothing else, with a core for 70 processes")
    parser.add_argument("--limit", type=float, default=300, help="seconds for a process")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    options = parser.parse_args()
    if options.pack:
        return pack(options.programs, options.pack)
    if not options.folder:
        parser.error("--folder is missing")
    names = FAULTS if options.fault == "all" else options.fault.split(",")
    if unknown := set(names) - set(FAULTS):
        parser.error(f"unknown faults: {unknown}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends agents and servers, too
    fleet = Fleet(options)
    if not fleet.redis:
        print("skipped: redis-server is not installed (Debian: redis-server)")
        sys.exit(77)
    network, why = open_network(options.network)
    print(f"seed {options.seed}; {options.processes} processes on {options.machines} machines, {options.kernels} kernels, {options.assemble} s for a cubin; "
          + ("network namespaces" if network else f"all machines on one loopback ({why})"), flush=True)
    one_alone = max(alone(fleet).ready)
    failures = []
    try:
        for name in names:
            if name == "disk_full" and not network:
                print("left out: disk_full needs mounts, and so namespaces")
                continue
            print(f"---- {name}", flush=True)
            run = Run(fleet, name, network)
            run.run(one_alone)
            failures += [f"{name}: {failure}" for failure in run.failures]
    finally:
        if network:
            network.close()
    print(f"fleet: {len(failures)} failures" + "".join(f"\n  {failure}" for failure in failures))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
