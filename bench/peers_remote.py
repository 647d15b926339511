#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a remote store adds to a hit and a miss of Kiln, ccache and sccache: peers_remote.py --programs DIR [--runs 40] [--hung-runs 3] [--sccache PATH]

DIR contains kiln and kiln-agent. Tools that are not installed are left out. Each has caches of its own in a scratch folder. redis-server and nginx
(WebDAV) run on the loopback; a hung server is one that gets SIGSTOP after the tool has used it. Times are those of whole processes: Kiln compiles a
kernel to PTX, the others a C file by gcc. Exit status 77: redis-server or nginx is missing.
"""
import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import sick
from servers import Nginx, Redis, free_port

LIMIT_S = 200  # of a process beside a hung server


def timed(command, environment, folder):
    """ms; LIMIT_S if it takes longer."""
    began = time.perf_counter()
    try:
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return 1000.0 * LIMIT_S
    if done.returncode:
        raise RuntimeError(done.stderr[-500:])
    return 1000 * (time.perf_counter() - began)


class Kiln:
    name = "Kiln"

    def __init__(self, programs, scratch):
        self.programs, self.scratch, self.count = programs, scratch, 0
        self.machine = None

    def version(self):
        return subprocess.run([os.path.join(self.programs, "kiln"), "--version"], capture_output=True, text=True, check=True).stdout.split()[1]

    def begin(self, url):
        self.machine = sick.Machine(self.programs, self.scratch, f"kiln{self.count}", url)
        self.count += 1

    def forget(self):
        """Empties the local cache."""
        shutil.rmtree(self.machine.environment["KILN_CACHE_DIR"], ignore_errors=True)

    def compile(self, number):
        source = os.path.join(self.scratch, f"kernel-{number}.jl")
        if not os.path.exists(source):
            with open(source, "w", encoding="utf-8") as file:
                file.write(sick.SOURCE.replace("sin(x[i])", f"sin(x[i]) * {number + 2}f0"))
        return self.machine.run(source, number % sick.KERNELS, keeps_folder=True)[0]

    def end(self):
        self.machine.stop()


class CFiles:
    """A tool in front of gcc."""

    def __init__(self, scratch):
        self.scratch, self.environment, self.cache = scratch, {}, ""
        self.program = self.name

    def source(self, number):
        path = os.path.join(self.scratch, f"file{number}.c")
        if not os.path.exists(path):
            with open(path, "w", encoding="utf-8") as file:
                file.write("#include <stdio.h>\n" + "".join(f"int f{i}(int x) {{ printf(\"%d\", x); return x * {number} + {i}; }}\n" for i in range(10)))
        return path

    def compile(self, number):
        return timed([self.program, "gcc", "-O2", "-c", self.source(number), "-o", os.path.join(self.scratch, "out.o")], self.environment, self.scratch)


class Ccache(CFiles):
    name = "ccache"

    def version(self):
        return subprocess.run([self.program, "--version"], capture_output=True, text=True, check=True).stdout.split()[2]

    def begin(self, url):
        self.cache = tempfile.mkdtemp(dir=self.scratch)
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.scratch, "CCACHE_DIR": self.cache, "CCACHE_CONFIGPATH": os.path.join(self.scratch, "none")}
        if url:
            self.environment["CCACHE_REMOTE_STORAGE"] = url

    def forget(self):
        shutil.rmtree(self.cache, ignore_errors=True)

    def end(self):
        pass


class Sccache(CFiles):
    """A server process of the tool keeps one cache: a folder, or a remote store."""

    name = "sccache"

    def version(self):
        return subprocess.run([self.program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]

    def begin(self, url):
        self.cache = tempfile.mkdtemp(dir=self.scratch)
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.scratch, "SCCACHE_DIR": self.cache, "SCCACHE_SERVER_PORT": str(free_port()), "SCCACHE_IDLE_TIMEOUT": "0"}
        if url.startswith("redis"):
            self.environment["SCCACHE_REDIS_ENDPOINT"] = url.replace("redis://", "tcp://")
        elif url:
            self.environment["SCCACHE_WEBDAV_ENDPOINT"] = url
        started = subprocess.run([self.program, "--start-server"], env=self.environment, capture_output=True, text=True, timeout=60)
        if started.returncode:
            raise RuntimeError(started.stderr[-300:])

    def forget(self):
        pass  # with a remote store there is no local cache

    def end(self):
        subprocess.run([self.program, "--stop-server"], env=self.environment, capture_output=True, timeout=LIMIT_S)


class Numbers:
    """Sources that nobody has compiled."""

    last = 0

    def take(self):
        Numbers.last += 1
        return Numbers.last


def measure(tool, url, runs):
    """(median of misses, median of hits) in ms; hits come from the remote store where there is one."""
    misses, hits, numbers = [], [], Numbers()
    tool.begin(url)
    try:
        tool.compile(numbers.take())
        for _ in range(runs):
            number = numbers.take()
            misses.append(tool.compile(number))
            if url:
                time.sleep(0.05)  # the entry is uploaded
                tool.forget()
            hits.append(tool.compile(number))
    finally:
        tool.end()
    return statistics.median(misses), statistics.median(hits)


def measure_hung(tool, server, runs, max_runs):
    """The median of misses beside a server that hangs, the first of them apart: `runs`, and up to `max_runs` in five seconds."""
    numbers = Numbers()
    tool.begin(server.url)
    try:
        tool.compile(numbers.take())
        server.signal(signal.SIGSTOP)
        times, began = [], time.monotonic()
        while len(times) < runs or (len(times) < max_runs and time.monotonic() - began < 5):
            times.append(tool.compile(numbers.take()))
    finally:
        server.signal(signal.SIGCONT)
        tool.end()
    return times[0], statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--hung-runs", type=int, default=3)
    parser.add_argument("--sccache", default=shutil.which("sccache"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        tools = [Kiln(os.path.abspath(options.programs), scratch)]
        if shutil.which("ccache"):
            tools.append(Ccache(scratch))
        if options.sccache:
            tools.append(Sccache(scratch))
            tools[-1].program = options.sccache
        print("| tool | store | compile | a hit adds | a miss adds | a hung server adds, first | median |")
        print("|---|---|---|---|---|---|---|")
        for tool in tools:
            miss, hit = measure(tool, "", options.runs)
            for store, server in (("Redis", Redis()), ("HTTP", Nginx())):
                title = f"| {tool.name} {tool.version()} | {store} | {miss:.1f} ms"
                with server:
                    try:
                        far_miss, far_hit = measure(tool, server.url, options.runs)
                        first, hung = measure_hung(tool, server, options.hung_runs, options.runs)
                    except RuntimeError as failed:
                        print(f"{title} | cannot use it: {str(failed).strip().splitlines()[-1]} | | | |", flush=True)
                        continue
                found = f"{far_hit - hit:+.1f} ms" if far_hit - hit < 0.5 * (far_miss - hit) else "no hit"
                print(f"{title} | {found} | {far_miss - miss:+.1f} ms | {first - miss:+.1f} ms | {hung - miss:+.1f} ms |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
