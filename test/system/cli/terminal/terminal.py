#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Progress lines of commands that take more than a second, and Ctrl-C in kiln precompile: terminal.py KILN SCRATCH"""
import fcntl
import json
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

KILN, SCRATCH = os.path.abspath(sys.argv[1]), sys.argv[2]
JOBS = 150
KERNELS = """using CUDA
function fill!(y, ::Val{N}) where N
    i = threadIdx().x
    if i <= length(y)
        y[i] = N * sin(y[i]) + N
    end
    return
end
function slow(y)
    for _ in 1:30_000_000
        y[1] = y[1] * 0.5f0 + 1f0
    end
    return
end
"""
faults = 0


def expect(is_right, what):
    global faults
    faults += not is_right
    print("ok    " if is_right else "FAULT ", what)


def on_terminal(*words, columns=0):
    """Exit status, and what the command writes to a terminal as its standard error. Without columns its width is unknown."""
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([KILN, *words], cwd=SCRATCH, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=inner)
    os.close(inner)
    text = b""
    try:
        while piece := os.read(outer, 4096):
            text += piece
    except OSError:
        pass  # the other side is closed
    os.close(outer)
    return process.wait(), text.decode()


def off_terminal(*words):
    return subprocess.run([KILN, *words], cwd=SCRATCH, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def entries(folder):
    return [name for _, _, names in os.walk(os.path.join(SCRATCH, folder, "v1")) for name in names if len(name) == 30]


def check_progress():
    bench = ("bench", "k.jl", "slow", "--arg", "ones(Float32, 1)", "--device", "cpu", "--batch", "1", "--reps", "40", "--warmup", "0")
    status, text = on_terminal(*bench)
    shown = [(int(done), int(of)) for done, of in re.findall(r"\r\x1b\[Kmeasuring: (\d+) of (\d+), 0:\d\d", text)]
    expect(status == 0 and shown and all(of == 40 for _, of in shown) and shown == sorted(shown), f"bench shows its progress on a terminal {shown[:3]}")
    expect(text.endswith("\r\x1b[K"), "and removes the line")
    status, text = on_terminal(*bench, "--quiet")
    expect(status == 0 and text == "", f"not with --quiet {text[:80]!r}")
    done = off_terminal(*bench)
    expect(done.returncode == 0 and done.stderr == "" and "40 batches of 1 launches" in done.stdout, f"not in a pipe {done.stderr[:80]!r}")
    status, text = on_terminal(*bench[:10], "1", *bench[11:12], "1")
    expect(status == 0 and "measuring" not in text, f"nor in less than a second {text[:80]!r}")

    filled = off_terminal("precompile", "jobs.json", "--cache", "v")
    expect(filled.returncode == 0, f"{JOBS} jobs {filled.stderr}")
    status, text = on_terminal("cache", "verify", "jobs.json", "--sample", str(JOBS), "--cache", "v")
    expect(status == 0 and "verifying: 0:0" in text, f"cache verify shows that it is at work {text[:80]!r}")
    status, text = on_terminal("cache", "explain", "jobs.json", "-O3", "--cache", "none")
    expect(status == 0 and re.search(rf"explaining: \d+ of {JOBS}, 0:\d\d", text), f"cache explain shows its progress {text[:80]!r}")
    status, text = on_terminal("precompile", "jobs.json", "--cache", "p", "--jobs", "1")
    expect(status == 0 and re.search(rf"\d+ of {JOBS} jobs, 0 were there, 0 failed", text), f"precompile shows its progress {text[:80]!r}")
    status, text = on_terminal("precompile", "jobs.json", "--cache", "n", "--jobs", "1", columns=30)
    lines = text.split("\r\x1b[K")[1:]
    expect(status == 0 and len(lines) > 1 and lines[-1] == "" and all(len(line) == 29 and line.endswith("…") for line in lines[:-1]),
           f"cut to the terminal's width {lines[:2]}")


def check_interrupt():
    for jobs, form in (("1", ()), ("2", ("--json",))):
        folder = f"c{jobs}"
        process = subprocess.Popen([KILN, "precompile", "jobs.json", "--cache", folder, "--jobs", jobs, *form], cwd=SCRATCH, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 60
        while len(entries(folder)) < 10 and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        beside = off_terminal("cache", "ls", "--cache", folder, "--json")
        kinds = {entry["kind"] for entry in json.loads(beside.stdout or "{}").get("entries", [])}
        expect(beside.returncode == 0 and "obj" in kinds and "damaged" not in kinds, f"cache ls lists a folder that is being filled {kinds} {beside.stderr}")
        expect(process.poll() is None, "which goes on meanwhile")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        expect(process.returncode == 130, f"Ctrl-C ends precompile with status 130, not {process.returncode}")
        told = re.search(rf"interrupted: (\d+) of {JOBS} jobs are done, and their products are kept in (\S+);", err)
        expect(told and 0 < int(told[1]) < JOBS and told[2] == os.path.join(SCRATCH, folder), f"and tells what is kept: {err.strip()}")
        if not told:
            continue
        compiled = json.loads(out)["compiled"] if form else int(re.search(r"(\d+) compiled", out)[1])
        expect(compiled == int(told[1]), f"its result counts them too {out[:100]}")
        expect(not form or json.loads(out)["interrupted"], "--json says so")
        # Two jobs may share an entry of what they reach, but each has a product of its own.
        rest = json.loads(off_terminal("precompile", "jobs.json", "--cache", folder, "--json").stdout)
        expect(rest["hits"] == int(told[1]) and rest["hits"] + rest["compiled"] == JOBS, f"the next run goes on from there {rest['hits']}")


def check_interrupted_timings():
    """Ctrl-C reports also that the timing report could not be written."""
    os.makedirs(os.path.join(SCRATCH, "gone"))
    process = subprocess.Popen([KILN, "precompile", "jobs.json", "--cache", "g", "--jobs", "1", "--timings=json:gone/t.json"], cwd=SCRATCH,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while len(entries("g")) < 10 and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    os.rmdir(os.path.join(SCRATCH, "gone"))
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    expect(process.returncode == 130 and "interrupted: " in err, f"Ctrl-C with --timings: status {process.returncode}")
    expect("gone/t.json" in err and "this is the report of --timings=" in err, f"names the report that was not written: {err.strip()}")


def check_end():
    done = off_terminal("precompile", "jobs.json", "--cache", "e")
    lines = done.stdout.splitlines()
    expect(lines[0] == f"{JOBS} jobs: 0 were there, {JOBS} compiled, 0 failed", lines[0])
    size = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(os.path.join(SCRATCH, "e", "v1")) for name in names if len(name) == 30)
    cost = re.fullmatch(r"([0-9.]+) s, ([0-9.]+) MiB written to (\S+)", lines[1])
    # Records of what jobs reach are entries too, but no products.
    expect(cost and 0 < float(cost[1]) < 600 and 0 < float(cost[2]) <= size / 2**20 + 0.01, f"{lines[1]}: of {size / 2**20:.2f} MiB")
    slow = [re.fullmatch(r" *([0-9.]+) s  native +(fill!\(.*)", line) for line in lines[3:]]
    seconds = [float(row[1]) for row in slow if row]
    expect(lines[2] == "slowest:" and len(seconds) == 20 and seconds == sorted(seconds, reverse=True), f"the twenty slowest jobs {seconds[:3]}")
    wide = [line for line in lines if len(line.replace(cost[3], "") if cost else line) > 100] # a path is as long as it is
    expect(not wide, f"within 100 columns {wide}")
    quiet = off_terminal("precompile", "jobs.json", "--cache", "q", "--quiet")
    expect(quiet.stdout == lines[0] + "\n", f"--quiet leaves the counts {quiet.stdout[:100]}")


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    with open(os.path.join(SCRATCH, "k.jl"), "w", encoding="utf-8") as file:
        file.write(KERNELS)
    with open(os.path.join(SCRATCH, "jobs.json"), "w", encoding="utf-8") as file:
        json.dump({"files": ["k.jl"], "jobs": [{"call": "fill!(CuDeviceVector{Float32,1}, Val{$N})", "candidates": {"N": {"from": 1, "to": JOBS}}}]}, file)
    check_progress()
    check_interrupt()
    check_interrupted_timings()
    check_end()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
