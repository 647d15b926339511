# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stores that are full, and servers behind a proxy that fails."""
import glob
import os
import random
import signal
import stat
import tempfile
import time

from agent_client import FAILED, FOUND, Agent, expect, name_of, stop, wait_until
from servers import Nginx, Process, Redis, Script, find

MEGABYTE = random.Random(2).randbytes(1 << 20)


class Haproxy(Process):
    """HTTP from its port to `backend`, a port; a server that takes longer than 300 ms is a 504."""

    def __init__(self, backend):
        super().__init__()
        self.program, self.backend = find("haproxy", "haproxy"), backend

    def command(self):
        path = os.path.join(self.folder, "haproxy.cfg")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"""global
  maxconn 200
defaults
  mode http
  timeout connect 300ms
  timeout client 30s
  timeout server 300ms
  retries 0
frontend entries
  bind 127.0.0.1:{self.port}
  default_backend store
backend store
  server one 127.0.0.1:{self.backend}
""")
        return [self.program, "-f", path, "-db"]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"


def test_full(program):
    with Redis("--maxmemory", "4mb", "--maxmemory-policy", "noeviction") as server, Agent(program) as agent:
        session = agent.session(server.url)
        expect(session.put([(name_of("small"), b"small")]) == 1, "a small entry fits")
        session.wait_for_uploads()
        expect(session.put([(name_of(f"large {i}"), MEGABYTE) for i in range(6)]) == 6, "six entries of a megabyte are taken")
        counters = wait_until(lambda: (c := session.remote())["uploads"] + c["upload_errors"] == 7 and c, "each upload ends", 90)
        expect(counters["upload_errors"] >= 3, f"a Redis that is full takes {counters['uploads'] - 1} of them")
        expect("OOM" in agent.log_text(), "the log has Redis' own words")
        wait_until(lambda: session.get_one(name_of("small"), 5000) == (FOUND, b"small"), "what is there is served", 60)
    with tempfile.TemporaryDirectory() as scratch:
        # Files may have 50 kB: a write beyond that fails as one on a full disk does, in the middle of the file.
        limited = os.path.join(scratch, "limited")
        with open(limited, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nulimit -f 100\nexec "{program}" "$@"\n')
        os.chmod(limited, stat.S_IRWXU)
        store = os.path.join(scratch, "store")
        os.mkdir(store)
        with Agent(limited) as agent:
            session = agent.session(f"file://{store}")
            session.put([(name_of("large"), MEGABYTE), (name_of("small"), b"small")])
            counters = wait_until(lambda: (c := session.remote())["uploads"] + c["upload_errors"] == 2 and c, "each upload ends")
            expect(counters["upload_errors"] == 1, "an entry that does not fit fails, and the other one is kept")
            expect(session.get_one(name_of("large"))[0] != FOUND and session.get_one(name_of("small")) == (FOUND, b"small"), "nothing of it is found")
            files = [path for path in glob.glob(f"{store}/**", recursive=True) if os.path.isfile(path)]
            expect([os.path.basename(path) for path in files] == [name_of("small").hex()], "and no part of it stays")


def test_proxy(program):
    with Nginx() as server, Haproxy(server.port) as proxy, Agent(program) as agent:
        session = agent.session(proxy.url)
        session.put([(name_of("a"), b"through a proxy"), (name_of("large"), MEGABYTE)])
        session.wait_for_uploads()
        expect(session.get([name_of("a"), name_of("large")]) == [(FOUND, b"through a proxy"), (FOUND, MEGABYTE)], "entries go through a proxy")
        server.kill()
        began = time.monotonic()
        expect([session.get_one(name_of("a"))[0] for _ in range(10)] == [FAILED] * 10 and time.monotonic() - began < 10, "503, while the server is away, is a failure and no miss")
        wait_until(lambda: session.remote()["breaker"] != "closed", "the breaker opens")
        began = time.monotonic()
        session.get_one(name_of("a"))
        expect(time.monotonic() - began < 1, "which answers at once")
        server.start()
        wait_until(lambda: session.get_one(name_of("a"), 5000)[0] == FOUND, "the server is used again when it is back", 60)
        stop(proxy.process)
        began = time.monotonic()
        expect(session.get_one(name_of("b"), 200) == (FAILED, b"") and time.monotonic() - began < 5, "a proxy that hangs fails in time")
        proxy.signal(signal.SIGCONT)
        wait_until(lambda: session.get_one(name_of("a"), 5000)[0] == FOUND, "and is used again", 60)
    with Script(lambda server, connection: time.sleep(20)) as silent, Haproxy(silent.port) as proxy, Agent(program) as agent:
        session = agent.session(proxy.url)
        began = time.monotonic()
        expect(session.get_one(name_of("a"), 5000) == (FAILED, b"") and time.monotonic() - began < 4, "504 from the proxy is a failure")


GROUPS = {"full": test_full, "proxy": test_proxy}
