#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a sick server, agent or disk costs a process that compiles: sick.py --programs DIR [--launches 2000] [--fault NAME]... [--cores 0,1]

DIR contains kiln and kiln-agent. Processes of `kiln compile` for PTX without a remote and with one take turns; no entry is in a cache. Each output is
compared with that of the process before it. Servers run on the loopback. Goals: the median 1.05 of that without a remote, the 99th percentile within
5 ms. Exit status 77: redis-server is missing; 1: a wrong output.
"""
import argparse
import contextlib
import json
import os
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "test", "system", "remote"))
from kernels import source_of_kernels  # noqa: E402
from servers import Redis, Script, http, http_reply  # noqa: E402

KERNELS = 20
# A proxy as a program of its own, so that it takes no time of this one: PORT TARGET DELAY
PROXY = """
import socket, sys, threading, time
port, target, delay = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
def pump(source, sink, delay):
    while data := source.recv(1 << 16):
        time.sleep(delay)
        sink.sendall(data)
listener = socket.create_server(("127.0.0.1", port))
while True:
    client, _ = listener.accept()
    server = socket.create_connection(("127.0.0.1", target))
    threading.Thread(target=pump, args=(client, server, 0), daemon=True).start()
    threading.Thread(target=pump, args=(server, client, delay), daemon=True).start()
"""


class Machine:
    """A cache folder and, with a remote, an agent. Each run begins with an empty folder."""

    def __init__(self, programs, scratch, name, remote="", has_full_disk=False):
        self.kiln, self.agent = (os.path.join(programs, each) for each in ("kiln", "kiln-agent"))
        self.folder = os.path.join(scratch, name)
        os.makedirs(self.folder)
        self.agent_folder = tempfile.mkdtemp(prefix="kiln-bench-")  # a socket's path has at most 107 bytes
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("KILN_")}
        self.environment = {**inherited, "HOME": self.folder, "KILN_CACHE_DIR": os.path.join(self.folder, "cache"), "KILN_AGENT": os.path.join(self.agent_folder, "agent.sock"),
                            "KILN_REMOTE_CACHE": remote, "KILN_REMOTE_TRUST": "none", "KILN_LOG": "error"}  # fmt: skip
        self.has_full_disk = has_full_disk

    def run(self, source, kernel, keeps_folder=False):
        """(ms, output)"""
        if not keeps_folder:
            shutil.rmtree(self.environment["KILN_CACHE_DIR"], ignore_errors=True)
        command = [self.kiln, "compile", source, f"kernel{kernel}(CuDeviceVector{{Float32,1}}, CuDeviceVector{{Float32,1}})", "--target", "ptx", "--arch", "sm_90"]
        # Python ignores SIGXFSZ, and so do its children then: a write to a file fails as on a full disk.
        limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))) if self.has_full_disk else None
        began = time.perf_counter()
        done = subprocess.run(command, env=self.environment, capture_output=True, timeout=120, preexec_fn=limit, restore_signals=not self.has_full_disk)
        wall = 1000 * (time.perf_counter() - began)
        if done.returncode:
            raise SystemExit(done.stderr.decode())
        return wall, done.stdout

    def agent_process(self):
        done = subprocess.run([self.agent, "stat"], env=self.environment, capture_output=True, text=True, timeout=60)
        return json.loads(done.stdout)["process"] if done.returncode == 0 else None

    def stop(self):
        subprocess.run([self.agent, "stop"], env=self.environment, capture_output=True, timeout=60)
        shutil.rmtree(self.agent_folder, ignore_errors=True)


class Fault:
    """A healthy store that has no entry. `before(turn)` is called before each turn."""

    has_full_disk = False

    def __init__(self, stack):
        self.redis = stack.enter_context(Redis())
        self.url = self.redis.url

    def begin(self, machine):
        """After the first launches, in which the agent has met its server."""

    def before(self, turn, machine):
        if turn % KERNELS == 0 and self.redis.process.poll() is None:
            self.redis.call("flushall")

    def end(self, machine):
        pass


class Hung(Fault):
    def begin(self, machine):
        self.redis.signal(signal.SIGSTOP)

    def before(self, turn, machine):
        pass

    def end(self, machine):
        self.redis.signal(signal.SIGCONT)


class Slow(Fault):
    delay = 0.05

    def __init__(self, stack):
        super().__init__(stack)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        proxy = subprocess.Popen([sys.executable, "-c", PROXY, str(port), str(self.redis.port), str(self.delay)], stderr=subprocess.DEVNULL)
        stack.callback(proxy.wait)
        stack.callback(proxy.kill)
        self.url = f"redis://127.0.0.1:{port}"
        time.sleep(0.3)


class VerySlow(Slow):
    delay = 0.3


class Full(Fault):
    def __init__(self, stack):
        self.redis = stack.enter_context(Redis("--maxmemory", "2mb", "--maxmemory-policy", "noeviction"))
        self.url = self.redis.url
        for number in range(1000):
            if "OOM" in self.redis.call("set", f"junk{number}", "x" * 50_000):
                break

    def before(self, turn, machine):
        pass


class Lying(Fault):
    def __init__(self, stack):
        server = stack.enter_context(Script(http_reply(lambda line: http(b"<html>this is no entry</html>"))))
        self.url = f"http://127.0.0.1:{server.port}"

    def before(self, turn, machine):
        pass


class Restarting(Fault):
    def before(self, turn, machine):
        if turn % 20 == 10:
            self.redis.kill()
        if turn % 20 == 15:
            self.redis.start()


class AgentKilled(Fault):
    def before(self, turn, machine):
        super().before(turn, machine)
        if turn % 50 == 25 and (process := machine.agent_process()):
            os.kill(process, signal.SIGKILL)


class AgentStopped(Fault):
    def begin(self, machine):
        self.process = machine.agent_process()
        os.kill(self.process, signal.SIGSTOP)

    def end(self, machine):
        os.kill(self.process, signal.SIGCONT)


class DiskFull(Fault):
    has_full_disk = True


FAULTS = {"none": Fault, "hung": Hung, "slow 50 ms": Slow, "slow 300 ms": VerySlow, "full": Full, "lying": Lying, "restarting": Restarting,
          "agent killed": AgentKilled, "agent stopped": AgentStopped, "disk full": DiskFull}  # fmt: skip


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def measure(name, programs, turns):
    """Prints a row. The number of wrong outputs."""
    with tempfile.TemporaryDirectory() as scratch, contextlib.ExitStack() as stack:
        fault = FAULTS[name](stack)
        source = os.path.join(scratch, "kernels.jl")
        with open(source, "w", encoding="utf-8") as file:
            file.write(source_of_kernels(KERNELS))
        alone, sick = Machine(programs, scratch, "alone", has_full_disk=fault.has_full_disk), Machine(programs, scratch, "sick", fault.url, fault.has_full_disk)
        try:
            for turn in range(5):
                alone.run(source, turn)
                sick.run(source, turn)
            fault.begin(sick)
            times, wrong = ([], []), 0
            for turn in range(turns):
                fault.before(turn, sick)
                outputs = [None, None]
                for which in (0, 1) if turn % 2 else (1, 0):
                    wall, outputs[which] = (alone, sick)[which].run(source, turn % KERNELS)
                    times[which].append(wall)
                wrong += outputs[0] != outputs[1]
            fault.end(sick)
        finally:
            sick.stop()
            alone.stop()
    medians, tails = ([calculate(walls) for walls in times] for calculate in (statistics.median, lambda walls: percentile(walls, 0.99)))
    print(f"| {name} | {medians[0]:.2f} ms | {medians[1]:.2f} ms | {medians[1] / medians[0]:.3f} | {tails[0]:.2f} ms | {tails[1]:.2f} ms | {tails[1] - tails[0]:+.2f} ms | {wrong} |", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--launches", type=int, default=2000, help="for each fault, half of them without a remote")
    parser.add_argument("--fault", action="append", choices=list(FAULTS))
    parser.add_argument("--cores", default="", help="0,1: this program and all that it starts run on these")
    options = parser.parse_args()
    if options.cores:
        os.sched_setaffinity(0, [int(core) for core in options.cores.split(",")])
    print("| fault | alone, median | with it, median | ratio | alone, p99 | with it, p99 | difference | wrong |")
    print("|---|---|---|---|---|---|---|---|")
    wrong = sum(measure(name, os.path.abspath(options.programs), options.launches // 2) for name in options.fault or FAULTS)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
