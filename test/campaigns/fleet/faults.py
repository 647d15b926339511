# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The server of a fleet, and what may happen to it, to agents and to disks while the processes run."""
import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time

from machines import BRIDGE, end_with_parent, seconds_of

FAULTS = ("none", "hung", "slow", "full", "lying", "restarting", "agent_killed", "agent_stopped", "disk_full")
SLOW_SECONDS = 0.1
SMALL_DISK = 64 * 1024  # bytes: some entries fit


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Redis:
    """A redis-server in the network's namespace, or on the loopback; and before it a proxy, for some faults."""

    def __init__(self, program, folder, network, fault, seed):
        self.program, self.folder, self.network = program, folder, network
        self.fault = fault
        self.host, self.port = (BRIDGE, 6379) if network else ("127.0.0.1", free_port())
        self.path = f"/tmp/kiln-fleet-{os.getpid()}.sock"  # a path of at most 107 bytes
        self.seconds = 0.0  # CPU time of servers that have ended
        self.start()
        self.proxy = None
        self.front = self.port
        if fault in ("slow", "lying"):
            self.front = 6380 if network else free_port()
            value = SLOW_SECONDS if fault == "slow" else seed
            self.proxy = self.spawn([sys.executable, "-B", os.path.join(os.path.dirname(os.path.abspath(__file__)), "proxy.py"), self.host, str(self.front), str(self.port), fault, str(value)])
        self.url = f"redis://{self.host}:{self.front}"

    def spawn(self, words):
        inside = self.network.inside if self.network else []
        with open(os.path.join(self.folder, "server.log"), "ab") as log:
            return subprocess.Popen([*inside, *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=end_with_parent)

    def start(self):
        options = ["--maxmemory", "1", "--maxmemory-policy", "noeviction"] if self.fault == "full" else []
        self.process = self.spawn([self.program, "--port", str(self.port), "--bind", self.host, "--protected-mode", "no", "--unixsocket", self.path, "--save", "", "--dir", self.folder, *options])
        end = time.monotonic() + 20
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                if self.call("PING") == b"+PONG":
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        raise SystemExit(f"redis-server does not start: {self.folder}/server.log")

    def kill(self):
        self.seconds += seconds_of(self.process.pid)
        self.process.kill()
        self.process.wait()

    def call(self, *words):
        """A reply of Redis: a line, or a list of bytes."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect(self.path)
            connection.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word.encode()) for word in words))
            file = connection.makefile("rb")
            line = file.readline().rstrip(b"\r\n")
            if not line.startswith(b"*"):
                return line
            return [file.read(int(file.readline()[1:]) + 2)[:-2] for _ in range(int(line[1:]))]

    def entries(self):
        return len(self.call("KEYS", "kiln:1:" + "?" * 64))

    def close(self):
        for process in (self.process, self.proxy):
            if process and process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()
        with contextlib.suppress(OSError):
            os.unlink(self.path)


class Trouble(threading.Thread):
    """Does what `fault` names until heal(). `first`: seconds until it begins."""

    def __init__(self, fault, server, machines, first, seed):
        super().__init__(daemon=True)
        self.fault, self.server, self.machines, self.first = fault, server, machines, first
        self.random = random.Random(seed)
        self.over = threading.Event()
        self.count = 0
        self.start()

    def run(self):
        if self.over.wait(self.first):
            return
        work = getattr(self, self.fault, None)
        while work and not self.over.is_set():
            work()
            self.count += 1

    def hung(self):
        self.server.process.send_signal(signal.SIGSTOP)
        self.over.wait()

    def restarting(self):
        self.server.kill()
        self.over.wait(0.2)
        self.server.start()
        self.over.wait(self.random.uniform(0.3, 2))

    def agent_killed(self):
        self.random.choice(self.machines).signal_agents(signal.SIGKILL)
        self.over.wait(self.random.uniform(0.1, 0.5))

    def agent_stopped(self):
        machine = self.random.choice(self.machines)
        machine.signal_agents(signal.SIGSTOP)
        self.over.wait(self.random.uniform(0.1, 3))
        machine.signal_agents(signal.SIGCONT)

    def heal(self):
        self.over.set()
        self.join()
        if self.fault == "hung":
            self.server.process.send_signal(signal.SIGCONT)
        if self.fault == "restarting":  # one that this thread's end does not end
            self.server.kill()
            self.server.start()
