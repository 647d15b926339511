# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The agent as a process, and a session's side of its protocol (lib/remote/protocol.h), written without Kiln's code."""
import ctypes
import ctypes.util
import hashlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

import laws

HELLO, WELCOME, GET, ANSWER, CANCEL, PUT, TAKEN, STATISTICS, REPORT, STOP, WAIT, RELEASE, TAKE, TASKS, FINISH = range(64, 79)
SPANS = 96
FOUND, ABSENT, FAILED, REFUSED, LEASED = range(5)
ANSWERED, NO_ANSWER, OTHER_LIST, UNUSABLE = range(4)
DONE, WRONG, RETRY = range(3)
PROTOCOL = 3


def skip(why):
    print("skipped:", why, flush=True)
    sys.exit(77)


def expect(holds, what):
    print(("ok      " if holds else "NOT SO  ") + what, flush=True)
    if not holds:
        raise SystemExit(1)


def wait_until(condition, what, seconds=20.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    expect(False, f"{what} within {seconds} s")


def stop(process):
    """Stops a child process, and returns when all its threads stand still: the signal alone may take effect after the next request."""
    process.send_signal(signal.SIGSTOP)
    if process.returncode is None:
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


try:
    XXHASH = ctypes.CDLL("libxxhash.so.0")
except OSError:
    skip("libxxhash.so.0 is not installed (Debian: libxxhash0)")
XXHASH.XXH3_128bits.restype = Hash128
XXHASH.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]


def checksum(data):
    data = struct.pack("<Q", len(data)) + data
    return XXHASH.XXH3_128bits(data, len(data)).low


def frame(kind, payload, magic=b"KILNWORK", version=1):
    head = magic + struct.pack("<IIQQ", version, kind, len(payload), checksum(payload))
    return head + struct.pack("<Q", checksum(head)) + payload


def name_of(text):
    return hashlib.sha256(text.encode()).digest()


def text(value):
    return struct.pack("<I", len(value)) + value


BUILD = b"a build"
ENVELOPE_BYTES = 176 + len(BUILD)


def envelope(name, payload):
    """An entry that nobody signed (docs/design/remote.md)."""
    fixed = struct.pack("<8sII32s32sQq16s", b"KilnSeal", 1, len(BUILD), name, hashlib.sha256(payload).digest(), len(payload), 0, bytes(16))
    return fixed + BUILD + bytes(64) + payload


def hello(remotes, protocol=PROTOCOL):
    return struct.pack("<I", protocol) + text(BUILD) + struct.pack("<I", len(remotes)) + b"".join(text(url.encode()) for url in remotes)


def get_request(number, limit_ms, count, wants_lease=False, cost_us=0):
    return struct.pack("<QIBQI", number, limit_ms, wants_lease, cost_us, count)


class Session:
    """A connection that greets, and is welcome unless `refused`."""

    def __init__(self, path, remotes=(), protocol=PROTOCOL, refused=False):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.number = 0
        self.waits = []  # (number, index, microseconds, holder) of the messages Wait
        self.remotes = remotes
        self.send(HELLO, hello(remotes, protocol))
        kind, payload = self.receive()
        assert kind == WELCOME, kind
        _, size = struct.unpack_from("<II", payload)
        self.refusal = payload[8 : 8 + size].decode()
        self.patience_us = struct.unpack_from("<I", payload, 8 + size)[0]
        if bool(self.refusal) != refused:
            expect(False, f"the session is {'refused' if refused else 'welcome'}: {self.refusal}")

    def send(self, kind, payload=b""):
        self.socket.sendall(frame(kind, payload))

    def read(self, size):
        data = bytearray()
        while len(data) < size:
            got = self.socket.recv(min(size - len(data), 1 << 20))
            if not got:
                raise EOFError("the agent closed the connection")
            data += got
        return bytes(data)

    def receive(self):
        head = self.read(40)
        magic, version, kind, size, payload_sum, head_sum = struct.unpack("<8sIIQQQ", head)
        assert magic == b"KILNWORK" and version == 1 and head_sum == checksum(head[:32]), head
        payload = self.read(size)
        assert payload_sum == checksum(payload)
        return kind, payload

    def start_get(self, names, limit_ms=20_000, wants_lease=False, cost_us=0):
        self.number += 1
        self.send(GET, get_request(self.number, limit_ms, len(names), wants_lease, cost_us) + b"".join(names))
        return self.number

    def release(self, names):
        self.send(RELEASE, struct.pack("<I", len(names)) + b"".join(names))

    def receive_answer(self):
        kind, payload = self.receive()
        while kind == WAIT:
            number, index, microseconds, size = struct.unpack_from("<QIQI", payload)
            assert len(payload) == 24 + size
            self.waits.append((number, index, microseconds, payload[24:].decode()))
            kind, payload = self.receive()
        assert kind == ANSWER, kind
        number, index, outcome, patience_us, size = struct.unpack_from("<QIBII", payload)
        assert len(payload) == 21 + size
        return number, index, outcome, patience_us, payload[21:]

    def get(self, names, limit_ms=20_000):
        """[(outcome, bytes)] in the order of the names."""
        number = self.start_get(names, limit_ms)
        answers = [None] * len(names)
        for _ in names:
            answered, index, outcome, self.patience_us, data = self.receive_answer()
            assert answered == number and answers[index] is None
            assert (outcome == FOUND) == bool(data)
            answers[index] = outcome, data
        return answers

    def get_one(self, name, limit_ms=20_000):
        return self.get([name], limit_ms)[0]

    def put(self, entries):
        """The number of entries that the agent took."""
        self.number += 1
        self.send(PUT, struct.pack("<QI", self.number, len(entries)) + b"".join(name + text(data) for name, data in entries))
        kind, payload = self.receive()
        assert kind == TAKEN
        number, taken = struct.unpack("<QI", payload)
        assert number == self.number
        return taken

    def start_take(self, queue, list_digest, jobs, wanted=1, limit_s=600):
        """Asks for jobs, named by 16 bytes, of a queue."""
        self.number += 1
        self.send(TAKE, struct.pack("<Q", self.number) + text(queue.encode()) + list_digest + struct.pack("<III", limit_s, wanted, len(jobs)) + b"".join(jobs))

    def receive_tasks(self):
        """(outcome, a letter a job, why not, help)"""
        kind, payload = self.receive()
        assert kind == TASKS, kind
        number, outcome = struct.unpack_from("<QB", payload)
        assert number == self.number
        texts, at = [], 9
        for _ in range(3):
            size = struct.unpack_from("<I", payload, at)[0]
            texts.append(payload[at + 4 : at + 4 + size].decode())
            at += 4 + size
        assert at == len(payload)
        return (outcome, *texts)

    def take(self, *arguments, **more):
        """The letters alone."""
        self.start_take(*arguments, **more)
        outcome, states, _, _ = self.receive_tasks()
        assert outcome == ANSWERED, outcome
        return states

    def finish(self, queue, job, outcome):
        self.send(FINISH, text(queue.encode()) + job + bytes([outcome]))

    def statistics(self):
        self.send(STATISTICS)
        kind, payload = self.receive()
        assert kind == REPORT
        report = json.loads(payload)
        check_laws(report)
        return report

    def remote(self, index=0):
        """The counters of the session's remote of this number."""
        scheme, _, rest = self.remotes[index].partition("://")
        shown = f"{scheme}://{rest.rpartition('@')[2].removeprefix('localhost' if scheme == 'file' else '').rstrip('/')}"
        return next(remote for remote in self.statistics()["remotes"] if remote["url"] == shown)

    def wait_for_uploads(self):
        return wait_until(lambda: (counters := self.remote())["uploads_pending"] == 0 and counters, "the uploads end")

    def is_closed(self):
        ready, _, _ = select.select([self.socket], [], [], 10)
        try:
            return bool(ready) and self.socket.recv(1 << 16) == b""
        except ConnectionResetError:
            return True


def check_laws(report):
    assert report["protocol"] == PROTOCOL, report
    laws.check_agent(report)


class Agent:
    """A running agent, in a folder of its own. Ends, and shows its log, with the block that it is used in."""

    def __init__(self, program, options=(), environment=None, folder=None):
        self.program = program
        self.scratch = tempfile.TemporaryDirectory(prefix="kiln-agent-") if folder is None else None
        self.folder = folder or os.path.join(self.scratch.name, "own")
        self.path = os.path.join(self.folder, "agent.sock")
        self.log = os.path.join(os.path.dirname(self.folder), "log")
        self.environment = {**{name: value for name, value in os.environ.items() if not name.startswith("KILN")}, "HOME": os.path.dirname(self.folder), "KILN_REMOTE_TRUST": "none", **(environment or {})}
        self.start(*options)

    def start(self, *options):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([self.program, "serve", "--socket", self.path, "--log", "debug", *options], env=self.environment, stdin=subprocess.DEVNULL, stderr=log)

        def answers():
            try:
                Session(self.path)
                return True
            except OSError:
                return self.process.poll() is not None

        wait_until(answers, "the agent answers")

    def session(self, *remotes, **more):
        return Session(self.path, remotes, **more)

    def command(self, word):
        return subprocess.run([self.program, word, "--socket", self.path], env=self.environment, capture_output=True, text=True, timeout=20, check=False)

    def log_text(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def end(self):
        """Its exit status after SIGTERM."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        status = self.end()
        if kind is not None:
            print("---- the agent's log, last lines\n" + self.log_text()[-4000:], flush=True)
        if self.scratch:
            self.scratch.cleanup()
        if kind is None:
            expect(status in (0, -signal.SIGKILL), f"the agent ends with the status {status}")
