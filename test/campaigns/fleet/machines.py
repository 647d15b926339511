# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Machines of a fleet: a cache folder, an agent and, where the kernel and the rights allow, a network namespace each.

    machines.py SPECIFICATION     # a machine's own program, started by Machine; it starts processes when it is told to

All namespaces belong to processes: nothing of them stays when these have ended.
"""
import contextlib
import ctypes
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

BRIDGE = "10.88.0.1"


def run(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False, **more)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def end_with_parent():
    """A process that this one starts ends with it, however that happens."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Network:
    """A bridge in a namespace of its own, where the servers are. None of it is seen from outside."""

    def __init__(self):
        self.holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=end_with_parent)
        own = os.readlink("/proc/self/ns/net")
        while self.holder.poll() is None and os.readlink(f"/proc/{self.holder.pid}/ns/net") == own:
            time.sleep(0.005)
        self.ports = 0
        self.inside = ["nsenter", "--target", str(self.holder.pid), "--net"]
        self.ip("link", "set", "lo", "up")
        self.ip("link", "add", "bridge0", "type", "bridge")
        self.ip("address", "add", f"{BRIDGE}/16", "dev", "bridge0")
        self.ip("link", "set", "bridge0", "up")

    def ip(self, *words):
        run(*self.inside, "ip", *words)

    def connect(self, number, process):
        """Gives the namespace of a process a cable to the bridge."""
        there = ["nsenter", "--target", str(process), "--net", "ip"]
        self.ports += 1  # the kernel removes those of ended machines later
        self.ip("link", "add", f"port{self.ports}", "type", "veth", "peer", "name", "cable0", "netns", str(process))
        self.ip("link", "set", f"port{self.ports}", "master", "bridge0", "up")
        run(*there, "link", "set", "lo", "up")
        run(*there, "address", "add", f"10.88.{1 + number // 250}.{1 + number % 250}/16", "dev", "cable0")
        run(*there, "link", "set", "cable0", "up")

    def close(self):
        self.holder.kill()
        self.holder.wait()


def open_network(wanted):
    """(the network, why there is none)"""
    if wanted == "loopback":
        return None, "--network loopback"
    try:
        return Network(), ""
    except (OSError, RuntimeError) as error:
        if wanted == "namespaces":
            raise
        return None, f"no network namespaces: {error}"


class Machine:
    """`network`: None: the machine shares the host's loopback. `disk`: bytes of its cache folder, 0: the host's disk."""

    def __init__(self, fleet, number, network=None, disk=0):
        self.fleet, self.number, self.disk = fleet, number, disk
        self.folder = os.path.join(fleet.folder, f"machine{number}")
        self.cache = os.path.join(self.folder, "cache")
        os.makedirs(self.cache)
        self.agent_folder = tempfile.mkdtemp(prefix="kiln-fleet-")  # a socket's path has at most 107 bytes
        self.socket = os.path.join(self.agent_folder, "agent.sock")
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.folder, "KILN_CACHE_DIR": self.cache, "KILN_AGENT": self.socket, "KILN_LOG": "warning", "FLEET_MACHINE": str(number), **fleet.environment}
        apart = ["unshare", "--net", "--mount"] if network else []
        self.program = subprocess.Popen([*apart, sys.executable, "-B", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self.environment, preexec_fn=end_with_parent)
        self.tell({"agent": [fleet.agent, "serve", "--background", "--socket", self.socket], "folder": self.folder})
        self.hear()  # the namespaces exist
        if network:
            network.connect(number, self.program.pid)
            if disk:
                run("nsenter", "--target", str(self.program.pid), "--mount", "mount", "-t", "tmpfs", "-o", f"size={disk},mode=0700", "none", self.cache)

    def tell(self, message):
        self.program.stdin.write(json.dumps(message) + "\n")
        self.program.stdin.flush()

    def hear(self):
        line = self.program.stdout.readline()
        if not line:
            raise RuntimeError(f"machine {self.number} has ended")
        return json.loads(line)

    def start_agent(self):
        self.tell("agent")
        assert self.hear() == 0, "the agent does not start"

    def agents(self):
        """Processes of its agent."""
        found = []
        for entry in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                if entry.isdigit():
                    with open(f"/proc/{entry}/cmdline", "rb") as file:
                        words = file.read().split(b"\0")
                    if self.socket.encode() in words and b"serve" in words:
                        found.append(int(entry))
        return found

    def signal_agents(self, number):
        for process in self.agents():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def agent_report(self):
        """None: no agent serves now."""
        done = subprocess.run([self.fleet.agent, "stat", "--socket", self.socket], env=self.environment, capture_output=True, text=True, timeout=60, check=False)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def close(self):
        self.signal_agents(signal.SIGCONT)
        self.signal_agents(signal.SIGKILL)
        self.program.kill()
        self.program.wait()
        shutil.rmtree(self.agent_folder, ignore_errors=True)


def seconds_of(process):
    """CPU seconds of a process that runs."""
    with contextlib.suppress(OSError), open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


# ---- the machine's own program

def start_processes(order, folder):
    """Starts order["count"] processes at once. (moment of the start, [(moment of the end, status, standard error)], CPU seconds)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = [None] * order["count"]
    began = time.monotonic()

    def one(number):
        errors = os.path.join(folder, f"errors{number}")
        with open(errors, "wb") as stream:
            words = [word.replace("{process}", str(number)) for word in order["command"]]
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, env={**os.environ, **order["environment"]})
            try:
                status = process.wait(order["limit"])
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                status = "it does not end"
        moment = time.monotonic()
        with open(errors, encoding="utf-8", errors="replace") as text:
            ended[number] = (moment, status, text.read()[-2000:])

    threads = [threading.Thread(target=one, args=(number,)) for number in range(order["count"])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return began, ended, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    machine = json.loads(sys.stdin.readline())
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        if order == "agent":
            answer = subprocess.run(machine["agent"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False).returncode
        else:
            answer = start_processes(order, machine["folder"])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
