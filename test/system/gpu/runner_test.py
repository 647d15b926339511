#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py itself, with a program in kiln's place that hangs in one group: the run ends, names that group and what it waited for, ends what it
started, and runs the others; a group with parts runs part by part, and one for the CPU alone is skipped. Needs no GPU."""
import os
import re
import stat
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
STAND_IN = """#!/bin/sh
case "$*" in
  doctor) echo "GPU 0: none" ;;
  *literals.jl*) echo $$ >> {pids}; exec sleep 600 ;;
  *) exit 1 ;;
esac
"""


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file: # a zombie has ended
        return file.read().rpartition(")")[2].split()[0] != "Z"


def main():
    failed = []

    def expect(ok, what):
        failed.append(what) if not ok else None

    with tempfile.TemporaryDirectory() as folder:
        program, pids = os.path.join(folder, "kiln"), os.path.join(folder, "pids")
        with open(program, "w", encoding="utf-8") as file:
            file.write(STAND_IN.format(pids=pids))
        os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR)
        started = time.monotonic()
        done = subprocess.run([sys.executable, "-B", os.path.join(HERE, "run.py"), "--kiln", program, "--no-bench", "--jobs", "2", "--limit", "40", "literals", "tuples", "table_floats:Float16", "spins", "nowhere"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=200)
        expect(time.monotonic() - started < 150, "the run ends soon after the limit")
        expect(done.returncode == 1, f"status {done.returncode}, expected 1")
        expect(re.search(r"\| literals \| did not end within 40 s; it waited for `kiln run typed\.jl literals\.jl ", done.stdout), "the group that hangs is named, with its command")
        expect(re.search(r"\| tuples \| tuples: \d+ checks, \d+ failed", done.stdout), "the others run")
        expect(re.search(r"\| table_floats:Float16 \| table_floats:Float16: \d+ checks", done.stdout), "a part runs alone")
        expect(re.search(r"\| spins \| spins: skipped, for the CPU only: threads \w+", done.stdout), "a group for the CPU alone is skipped, and says why")
        expect("**spins**" not in done.stdout and re.search(r"^\d+ failed; skipped: spins\.", done.stdout, re.M), "skipped is not failed, and stands in the last line")
        expect("| nowhere | no such group" in done.stdout, "an unknown group is an error")
        expect("literals: did not end" in done.stderr, "progress is on stderr")
        with open(pids, encoding="utf-8") as file:
            expect(not any(alive(int(pid)) for pid in file.read().split()), "what hung has been ended")
        sys.path.insert(0, HERE)
        from run import groups, parts_of
        expect({"table_floats:Float16", "table_floats:Float64", "table_floats:integers"} <= {p for g in groups() for p in parts_of(g)}, "table_floats runs in parts")
    for what in failed:
        print("FAILED:", what)
    if failed:
        print(done.stdout[:3000], done.stderr[:2000])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
