#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Entries that come before a job asks for them: `kiln precompile` with a remote, and entries that name the next one.

    prefetch.py KILN KILN_AGENT [JOBS [DELAY]]    with JOBS: times so many warmed jobs; DELAY: round trip of the network to Redis in ms (0)
"""
import json
import os
import queue
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

from agent_client import ABSENT, FOUND, GET, Agent, expect, name_of
from kernels import source_of_kernels
from servers import Redis


class Relay:
    """A socket in the agent's place. Forwards all bytes, and counts the messages Get."""

    def __init__(self, folder, agent):
        self.path, self.agent, self.gets = os.path.join(folder, "relay.sock"), agent, 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(16)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client, _ = self.listener.accept()
            agent = socket.socket(socket.AF_UNIX)
            agent.connect(self.agent)
            threading.Thread(target=self.forward, args=(client, agent, True), daemon=True).start()
            threading.Thread(target=self.forward, args=(agent, client, False), daemon=True).start()

    def forward(self, source, target, is_counted):
        rest = b""
        try:
            while data := source.recv(1 << 16):
                target.sendall(data)
                rest += data
                while is_counted and len(rest) >= 40 and len(rest) >= 40 + struct.unpack_from("<Q", rest, 16)[0]:
                    self.gets += struct.unpack_from("<I", rest, 12)[0] == GET
                    rest = rest[40 + struct.unpack_from("<Q", rest, 16)[0] :]
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # one side has closed its end


class Fleet:
    """Jobs that a first machine has compiled, and machines that find them."""

    def __init__(self, kiln, folder, agent, url, jobs):
        self.kiln, self.folder, self.agent, self.url, self.jobs, self.machines = kiln, folder, agent, url, jobs, 0
        self.source = os.path.join(folder, f"kernels{jobs}.jl")
        with open(self.source, "w", encoding="utf-8") as file:
            file.write(source_of_kernels(jobs))
        self.manifest = os.path.join(folder, f"kernels{jobs}.json")
        calls = [f"kernel{n}(CuDeviceVector{{Float32,1}}, CuDeviceVector{{Float32,1}})" for n in range(jobs)]
        with open(self.manifest, "w", encoding="utf-8") as file:
            json.dump({"files": [self.source], "jobs": calls, "targets": [{"target": "ptx", "arch": "sm_90"}], "configs": [{"emit": "asm"}]}, file)
        self.run("precompile", self.manifest)
        agent.session(url).wait_for_uploads()

    def run(self, *words, socket_path=None):
        """Runs kiln with an empty folder. (the answers of its jobs, seconds)"""
        self.machines += 1
        report = os.path.join(self.folder, "report.json")
        environment = {"PATH": os.environ["PATH"], "HOME": self.folder, "KILN_CACHE_DIR": os.path.join(self.folder, f"cache{self.jobs}-{self.machines}"),
                       "KILN_AGENT": socket_path or self.agent.path, "KILN_REMOTE_CACHE": self.url, "KILN_REMOTE_TRUST": "none"}  # fmt: skip
        began = time.perf_counter()
        subprocess.run([self.kiln, *words, f"--timings=json:{report}"], env=environment, check=True, capture_output=True, timeout=300)
        seconds = time.perf_counter() - began
        with open(report, encoding="utf-8") as file:
            return [job["lookups"][0]["answer"] for job in json.load(file)["jobs"] if job["lookups"]], seconds


def check_many(kiln, agent_program):
    with tempfile.TemporaryDirectory() as folder, Redis() as redis, Agent(agent_program) as agent:
        gets = {}
        for jobs in (20, 200):
            fleet = Fleet(kiln, folder, agent, f"{redis.url}/{jobs % 7}", jobs)
            relay_folder = tempfile.mkdtemp(prefix="kiln-relay-")
            relay = Relay(relay_folder, agent.path)
            answers, _ = fleet.run("precompile", fleet.manifest, socket_path=relay.path)
            expect(answers == ["remote"] * jobs, f"{jobs} jobs are found in the remote store")
            gets[jobs] = relay.gets
            os.unlink(relay.path)
            os.rmdir(relay_folder)
        expect(gets[20] == gets[200] and gets[200] <= 2, f"20 jobs and 200 cost as many round trips to the agent: {gets[20]} and {gets[200]}")


def check_next(agent_program):
    with Redis() as redis, Agent(agent_program) as agent:
        session = agent.session(redis.url)
        names = [name_of(f"entry {n}") for n in range(4)]
        session.put([(names[0], b"record" + names[1] + b"KilnNext"), (names[1], b"code"), (names[2], b"record" + names[3] + b"KilnNext")])
        session.wait_for_uploads()

        def answers(asked, count, **more):
            session.start_get(asked, **more)
            return {index: (outcome, data) for _, index, outcome, _, data in (session.receive_answer() for _ in range(count))}

        both = answers([names[0]], 2)
        expect(both == {1: (FOUND, b"code"), 0: (FOUND, b"record" + names[1] + b"KilnNext")} and list(both) == [1, 0], "an entry comes after the one that it names")
        expect(list(answers([names[2]], 1)) == [0], "an entry comes alone if the server lacks the one that it names")
        expect(session.remote()["misses"] == 1, "that is a miss")
        expect(list(answers([names[0]], 1, wants_lease=True)) == [0], "a session that wants a lease gets the entry alone")
        many = answers([names[3], names[0], names[1], names[2]], 5)
        expect({index: outcome for index, (outcome, _) in many.items()} == {0: ABSENT, 1: FOUND, 2: FOUND, 3: FOUND, 5: FOUND}, "entries that others name have indices of their own")


class Network:
    """A relay to a port of the loopback, over a network whose round trip takes `delay` ms."""

    def __init__(self, port, delay):
        self.target, self.delay = port, delay / 2000
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(("127.0.0.1", self.target))
            for source, target in ((client, server), (server, client)):
                source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                under_way = queue.SimpleQueue()
                threading.Thread(target=self.receive, args=(source, under_way), daemon=True).start()
                threading.Thread(target=self.deliver, args=(under_way, target), daemon=True).start()

    def receive(self, source, under_way):
        while data := source.recv(1 << 20):
            under_way.put((time.perf_counter() + self.delay, data))

    def deliver(self, under_way, target):
        while True:
            due, data = under_way.get()
            time.sleep(max(0.0, due - time.perf_counter()))
            target.sendall(data)


def measure(kiln, agent_program, jobs, delay):
    with tempfile.TemporaryDirectory() as folder, Redis() as redis, Agent(agent_program) as agent:
        port = Network(redis.port, delay).port if delay else redis.port
        fleet = Fleet(kiln, folder, agent, f"redis://127.0.0.1:{port}", jobs)
        runs = [fleet.run("precompile", fleet.manifest, "--jobs", "1") for _ in range(9)]
        found = sum(answers.count("remote") for answers, _ in runs)
        times = sorted(seconds for _, seconds in runs)
        print(f"{jobs} jobs: median {times[len(times) // 2]:.3f} s, best {times[0]:.3f} s of {len(runs)}; {found} of {len(runs) * min(jobs, 1024)} found")


if __name__ == "__main__":
    if len(sys.argv) > 3:
        measure(*map(os.path.abspath, sys.argv[1:3]), int(sys.argv[3]), float(sys.argv[4]) if len(sys.argv) > 4 else 0)
    else:
        check_next(os.path.abspath(sys.argv[2]))
        check_many(*map(os.path.abspath, sys.argv[1:3]))
