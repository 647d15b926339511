#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tortures a cache that processes share through a folder. Python's standard library is all it needs.

    torture.py --kiln build/release/bin/kiln [--seconds 600] [--processes 64]
    torture.py --run 'mytool --cache {store} --job {item} -o {out}' [--items 6] [--judge 'cmp {out} right/{item}'] [--missed REGEX]

--run is any command that looks for its result in the folder {store}, makes it if it is not there, and writes it to {out};
{item} is a number. What is right is what the command gives on a folder of its own, or what --judge says by its exit status.
--missed is found in the command's standard error when it had to make the result: with it, lost entries and doubled work
show too. --other is the same command of another version of the tool, which is to share the folder.

Always wanted: status 0, the right result, in time. Phases: `storm` (processes are killed at random while entries are damaged and the
folder is moved, copied, removed and aged), `together` (all start on an empty folder), `neighbours` (one entry is damaged, the
others must be hits), and the fates of a folder one by one: copied, moved, aged, read-only, full, removed, another version, a killed writer.
"""
import argparse
import fcntl
import os
import random
import re
import resource
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

KERNELS = "".join(f"function k{i}(y)\n    y[threadIdx().x] = Float32({i}) * threadIdx().x + sqrt(16f0)\n    return\nend\n" for i in range(64))


def take_errors(job):
    """What a process has written to its pipe, which is closed."""
    parts = []
    try:
        while part := os.read(job["errors"], 1 << 16):
            parts.append(part)
    except BlockingIOError: # a process that it started still holds the other end
        pass
    os.close(job["errors"])
    return b"".join(parts).decode(errors="replace")


class Torture:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.rng = random.Random(options.seed)
        self.wrong, self.done, self.killed, self.serial, self.attacks = [], 0, 0, 0, 0
        self.right = {}
        self.missed = re.compile(options.missed) if options.missed else None
        self.longest = 0.0

    # ---- one command

    def start(self, item, store, other=False, wrap=(), before=None):
        self.serial += 1
        job = {"item": item, "out": os.path.join(self.scratch, f"out{self.serial}"), "began": time.monotonic()}
        template = self.options.other if other and self.options.other else self.options.run
        names = {"item": item, "store": store, "out": job["out"], "scratch": self.scratch}
        command = [*wrap, *(word.format(**names) for word in shlex.split(template))]
        # A pipe, for limits on files hold for what goes to a file of errors too. It takes a whole report.
        job["errors"], errors = os.pipe()
        fcntl.fcntl(errors, fcntl.F_SETPIPE_SZ, 1 << 20)
        os.set_blocking(job["errors"], False)
        job["process"] = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True, preexec_fn=before, restore_signals=before is None)
        os.close(errors)
        return job

    def judge(self, job):
        if self.options.judge:
            command = [word.format(item=job["item"], out=job["out"]) for word in shlex.split(self.options.judge)]
            return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0
        try:
            with open(job["out"], "rb") as file:
                return file.read() == self.right[job["item"]]
        except OSError:
            return False

    def finish(self, job, where):
        """Whether it had to make its result; None where nobody can tell."""
        try:
            status = job["process"].wait(max(0.1, self.options.patience - (time.monotonic() - job["began"])))
        except subprocess.TimeoutExpired:
            self.wrong.append(f"{where}: item {job['item']} hangs")
            job["process"].kill()
            job["process"].wait()
            return None
        self.done += 1
        self.longest = max(self.longest, time.monotonic() - job["began"])
        errors = take_errors(job)
        job["text"] = errors
        if status != 0:
            self.wrong.append(f"{where}: item {job['item']}: status {status}: {errors[-400:]}")
        elif not self.judge(job):
            self.wrong.append(f"{where}: item {job['item']}: a wrong result")
        if os.path.exists(job["out"]):
            os.unlink(job["out"])
        return bool(self.missed.search(errors)) if self.missed else None

    def run(self, item, store, where, **more):
        return self.finish(self.start(item, store, **more), where)

    def all_items(self, store, where, wanted=None, **more):
        """Runs every item; `wanted`: at most so many may be made anew. How many were."""
        made = sum(bool(self.run(item, store, where, **more)) for item in range(self.options.items))
        if wanted is not None and self.missed and made > wanted:
            self.wrong.append(f"{where}: {made} of {self.options.items} were made anew, and at most {wanted} need be")
        return made

    def entries(self, store):
        """Files that hold something: an empty one is a lock or a mark."""
        found = []
        for base, folders, names in os.walk(store):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(base, name)
                if re.search(self.options.entries, os.path.relpath(path, store)):
                    found.append(path)
        return found

    def folder(self, name):
        path = os.path.join(self.scratch, name)
        shutil.rmtree(path, ignore_errors=True)
        return path

    # ---- attacks

    def damage(self, path):
        kind = self.rng.randrange(5)
        size = max(1, os.path.getsize(path))
        if kind == 0:  # a bit
            with open(path, "r+b") as file:
                at = self.rng.randrange(size)
                file.seek(at)
                byte = file.read(1) or b"\0"
                file.seek(at)
                file.write(bytes([byte[0] ^ (1 << self.rng.randrange(8))]))
        elif kind == 1:
            os.truncate(path, self.rng.randrange(size))
        elif kind == 2:
            os.truncate(path, size + self.rng.randrange(1, 5000))
        elif kind == 3:
            os.unlink(path)
        else:
            with open(path, "r+b") as file:
                file.write(os.urandom(size))

    def attack(self, store):
        kind = self.rng.randrange(24)
        found = self.entries(store)
        try:
            if kind < 14 and found:
                self.damage(self.rng.choice(found))
            elif kind < 17 and found:  # another key's entry
                shutil.copy(self.rng.choice(found), self.rng.choice(found))
            elif kind < 20 and found:  # a clock that jumps
                when = time.time() + self.rng.choice([-1e9, -86400, 86400, 1e9])
                for path in self.rng.sample(found, min(3, len(found))):
                    os.utime(path, (when, when))
            elif kind == 20:
                os.rename(store, self.folder(f"moved{time.monotonic_ns()}"))
            elif kind == 21:
                copy = self.folder(f"copy{time.monotonic_ns()}")
                shutil.copytree(store, copy)
                os.rename(store, copy + ".old")
                os.rename(copy, store)
            elif kind == 22:
                shutil.rmtree(store)
            elif kind == 23:
                os.chmod(store, 0o500)
                time.sleep(0.01)
                os.chmod(store, 0o700)
        except OSError:
            pass  # others are at it too
        except shutil.Error:
            pass
        self.attacks += 1

    # ---- phases

    def learn(self):
        for item in range(self.options.items):
            store = self.folder(f"own{item}")
            job = self.start(item, store)
            if job["process"].wait(self.options.patience) != 0:
                sys.exit(f"the command fails on a folder of its own: {take_errors(job)}")
            os.close(job["errors"])
            with open(job["out"], "rb") as file:
                self.right[item] = file.read()
            if not self.judge(job):
                sys.exit(f"item {item}: its result on a folder of its own is judged wrong")
            shutil.rmtree(store, ignore_errors=True)

    def storm(self):
        store = self.folder("storm")
        running, end, usual = [], time.monotonic() + self.options.seconds, 0.1
        while running or time.monotonic() < end:
            storming = time.monotonic() < end
            while storming and len(running) < self.options.processes:
                job = self.start(self.rng.randrange(self.options.items), store, other=self.rng.randrange(4) == 0)
                # By the number of processes, not by time, which is short of where there are many: one in four dies young.
                job["dies"] = self.rng.randrange(4) == 0
                if job["dies"]:
                    threading.Timer(self.rng.random() * usual, job["process"].kill).start()
                running.append(job)
                if self.rng.randrange(3) == 0:
                    self.attack(store)
            for job in list(running):
                ended = job["process"].poll()  # asked once: it may die between two questions
                if job["dies"] and ended == -signal.SIGKILL:
                    running.remove(job)
                    os.close(job["errors"])
                    if os.path.exists(job["out"]):
                        os.unlink(job["out"])
                    self.killed += 1
                    continue
                if ended is not None or time.monotonic() - job["began"] > self.options.patience:
                    running.remove(job)
                    usual += (time.monotonic() - job["began"] - usual) / 16
                    self.finish(job, "storm")
            time.sleep(0.002)
        # What the storm has left is usable: each result is found or made, and then found.
        self.all_items(store, "after the storm")
        self.all_items(store, "after the storm, again", wanted=0)

    def together(self):
        store = self.folder("together")
        jobs = [self.start(0, store) for _ in range(self.options.processes)]
        made = sum(bool(self.finish(job, "together")) for job in jobs)
        if self.missed and made != 1:
            self.wrong.append(f"together: {made} of {len(jobs)} processes that started on an empty folder made the result")

    def neighbours(self):
        store = self.folder("neighbours")
        self.all_items(store, "neighbours, filling")
        self.all_items(store, "neighbours, filled", wanted=0)
        for path in self.rng.sample(self.entries(store), min(6, len(self.entries(store)))):
            self.damage(path)
            self.all_items(store, f"neighbours of {os.path.relpath(path, store)}", wanted=1)

    def fates(self):
        store = self.folder("fates")
        self.all_items(store, "fates, filling")
        copy = self.folder("fates.copy")
        shutil.copytree(store, copy)
        self.all_items(copy, "copied", wanted=0)
        moved = self.folder("fates.moved")
        os.rename(copy, moved)
        self.all_items(moved, "moved", wanted=0)
        for name, when in (("1970", 0), ("the past", time.time() - 1e9), ("the future", time.time() + 1e9)):
            for path in self.entries(moved):
                os.utime(path, (when, when))
            self.all_items(moved, f"entries of {name}", wanted=0)
        if self.options.other:
            self.all_items(moved, "another version", other=True)
            self.all_items(moved, "another version, again", wanted=0, other=True)
            self.all_items(moved, "this version beside another", wanted=0)
        empty, into = self.folder("fates.empty"), self.folder("fates.removed")
        os.mkdir(empty, 0o700)
        jobs = [self.start(item, into) for item in range(self.options.items)]
        time.sleep(0.02)
        shutil.rmtree(into, ignore_errors=True)
        for job in jobs:
            self.finish(job, "removed while in use")
        # No space: files of a process may not grow, as on a full disk.
        def no_space():
            resource.setrlimit(resource.RLIMIT_FSIZE, (300, resource.RLIM_INFINITY))
        self.all_items(empty, "no space in files", before=no_space)
        namespace = ["unshare", "-m", "sh", "-c"]
        if subprocess.run([*namespace, "mount -t tmpfs -o size=4k none /mnt"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            self.all_items(empty, "full disk", wrap=[*namespace, f"mount -t tmpfs -o size=16k,nr_inodes=8 none {shlex.quote(empty)} && exec \"$@\"", "sh"])
            remount = f"mount --bind {shlex.quote(moved)} {shlex.quote(moved)} && mount -o remount,ro,bind {shlex.quote(moved)} && exec \"$@\""
            self.all_items(moved, "read-only file system, filled", wanted=0, wrap=[*namespace, remount, "sh"])
            remount = remount.replace(shlex.quote(moved), shlex.quote(empty))
            self.all_items(empty, "read-only file system, empty", wrap=[*namespace, remount, "sh"])
        else:
            print("left out: a full disk and a read-only one (no right to mount)")
        # A writer that is killed keeps nobody waiting.
        for pause in (0.0, 0.005, 0.02, 0.05):
            store = self.folder("fates.killed")
            job = self.start(0, store)
            time.sleep(pause)
            job["process"].kill()
            job["process"].wait()
            began = time.monotonic()
            self.run(0, store, "after a killed writer")
            if time.monotonic() - began > self.options.patience / 4:
                self.wrong.append(f"after a killed writer: {time.monotonic() - began:.1f} s")


def other_build(kiln, scratch):
    """The program with another digest of itself in it: to its cache, another version of Kiln."""
    told = subprocess.run([kiln, "doctor"], capture_output=True, text=True, check=True).stdout
    digest = re.search(r"build ([0-9a-f]{16})", told).group(1).encode()
    with open(kiln, "rb") as file:
        program = file.read()
    if digest not in program:
        sys.exit("the program's own digest is not in it")
    path = os.path.join(scratch, "other-kiln")
    with open(path, "wb") as file:
        file.write(program.replace(digest, digest[::-1] if digest != digest[::-1] else b"0" * 16))
    os.chmod(path, 0o755)
    return path


def judge_kiln(item, out):
    """What kernel `item` gives, computed here."""
    with open(out, "rb") as file:
        return list(struct.unpack("<8f", file.read()[-32:])) == [item * i + 4.0 for i in range(1, 9)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", help="tortures Kiln's own cache, with this program")
    parser.add_argument("--run", help="or the cache of this command: {store} {item} {out}")
    parser.add_argument("--other", help="the same of another version")
    parser.add_argument("--judge", help="tells by its status whether {out} is right for {item}")
    parser.add_argument("--missed", help="regular expression for the standard error of a command that made its result")
    parser.add_argument("--entries", default=".", help="regular expression for files of the folder that are entries")
    parser.add_argument("--items", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=4, help="of the storm")
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--patience", type=float, default=60, help="seconds: a process that takes longer hangs")
    parser.add_argument("--phases", default="together,neighbours,fates,storm")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if bool(options.kiln) == bool(options.run):
        parser.error("one of --kiln and --run")
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        if options.kiln:
            source = os.path.join(scratch, "kernels.jl")
            with open(source, "w", encoding="utf-8") as file:
                file.write(KERNELS)
            command = "{} run {} k{{item}} --arg 'zeros(Float32, 8)' --threads 8 --device cpu --cache {{store}} --out 1={{out}} --timings=json"
            options.run = command.format(shlex.quote(os.path.abspath(options.kiln)), shlex.quote(source))
            options.other = command.format(other_build(options.kiln, scratch), shlex.quote(source))
            options.missed, options.entries = "machine-code generation", r"\b[0-9a-f]{2}/[0-9a-f]{30}$"
        torture = Torture(options, scratch)
        if options.kiln:
            torture.judge = lambda job: os.path.exists(job["out"]) and judge_kiln(job["item"], job["out"])
        torture.learn()
        for phase in options.phases.split(","):
            before = len(torture.wrong)
            getattr(torture, phase)()
            print(f"{phase}: {len(torture.wrong) - before} faults", flush=True)
    print(f"{torture.done} processes ended, {torture.killed} were killed, {torture.attacks} attacks, the longest took {torture.longest:.1f} s, "
          f"{len(torture.wrong)} faults in {time.monotonic() - began:.0f} s")
    for each in torture.wrong[:20]:
        print(each)
    return 1 if torture.wrong or torture.done == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
