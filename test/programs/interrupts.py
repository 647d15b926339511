#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C during long work of a script: kernels, compiled functions, waits, library calls. Each ends by it within LIMIT seconds.

    interrupts.py --kiln PROGRAM

An interrupt takes 0.2 s on an idle machine; LIMIT is for a loaded one.
"""
import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time

LIMIT = 5.0

BEGIN = """using CUDA
function slow(y, n)
    s = 0.0
    for i in 1:n
        s = s * 0.999 + i
    end
    y[1] = s
    return
end
function locked(lock)
    while CUDA.atomic_cas!(pointer(lock), Int32(0), Int32(1)) != 0
        CUDA.atomic_add!(pointer(lock, 2), Int32(1))
    end
    return
end
function turns(n)
    s = 0.0
    for i in 1:n, j in 1:n
        s = s * 0.999 + i * j
    end
    return s
end
y = CUDA.zeros(Float64, 1)
lock = CuArray(Int32[1, 0])
x = rand(3_000_000)
turns(10)
"""

CASES = {
    "a kernel that is waited for": "@cuda slow(y, 10^12)\nREADY()\nsynchronize()",
    "kernels that are queued": "for k in 1:1000\n    @cuda slow(y, 10^9)\nend\nREADY()\nprintln(Array(y))",
    "a kernel that waits and writes": "@cuda threads=4 locked(lock)\nREADY()\nsynchronize()",
    "a kernel of many blocks": "@cuda threads=256 blocks=100000 slow(y, 10^7)\nREADY()\nsynchronize()",
    "a stream of its own": "s = CuStream()\n@cuda stream=s slow(y, 10^12)\nREADY()\nsynchronize(s)",
    "an event": "e = CuEvent()\n@cuda slow(y, 10^12)\nCUDA.record(e)\nREADY()\nsynchronize(e)",
    "a compiled function": "READY()\nturns(10^7)",
    "a product of matrices": "a = rand(3000, 3000)\nREADY()\nwhile true\n    global a = a * a / 1e6\nend",
    "cumsum": "READY()\nwhile true\n    cumsum(x)\nend",
    "sort": "READY()\nwhile true\n    sort(x)\nend",
    "sleep": "READY()\nsleep(1000)",
}
READY = 'READY() = println(stderr, "ready")\n'


def interrupt(kiln, text):
    """Seconds from the signal to the end, the status, all output."""
    with tempfile.NamedTemporaryFile("w", suffix=".jl", delete=False) as file:
        file.write(BEGIN + READY + text + "\n")
    run = subprocess.Popen([kiln, "script", "--device", "cpu", file.name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                           env={**os.environ, "KILN_CACHE_DIR": ""})
    try:
        while (line := run.stderr.readline()) not in ("ready\n", ""):
            pass
        time.sleep(0.5)
        begin = time.monotonic()
        run.send_signal(signal.SIGINT)
        try:
            out, err = run.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            run.kill()
            out, err = run.communicate()
        return time.monotonic() - begin, run.returncode, line + out + err
    finally:
        os.unlink(file.name)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kiln", required=True)
    options.add_argument("--only", help="a part of a case's name")
    given = options.parse_args()
    failed = 0
    for name, text in CASES.items():
        if given.only and given.only not in name:
            continue
        seconds, status, output = interrupt(given.kiln, text)
        ok = seconds < LIMIT and status == 130 and "InterruptException" in output
        failed += not ok
        print(f"{'ok' if ok else 'FAILED'}: {name}: {seconds:.2f} s, status {status}" + ("" if ok else "\n" + output))
    # The exception can be caught, and the device works afterwards.
    seconds, status, output = interrupt(given.kiln, "try\n    @cuda slow(y, 10^12)\n    READY()\n    synchronize()\ncatch e\n    println(typeof(e))\nend\n"
                                        "y .= 3\n@cuda slow(y, 2)\nprintln(Array(y), \" \", turns(2))")
    ok = seconds < LIMIT and status == 0 and "InterruptException" in output and "[2.999] 8.991" in output
    failed += not ok
    print(f"{'ok' if ok else 'FAILED'}: caught: {seconds:.2f} s, status {status}" + ("" if ok else "\n" + output))
    failed += not errors_print_first(given.kiln)
    return 1 if failed else 0


def errors_print_first(kiln):
    """The error of a function that has work in a stream of its own: it is told, and the process ends, before that work does."""
    text = BEGIN + "function fails()\n    s = CuStream()\n    @cuda stream=s slow(y, 10^12)\n    @cuda slow(y, 10^12)\n    error(\"first\")\nend\nfails()\n"
    with tempfile.NamedTemporaryFile("w", suffix=".jl", delete=False) as file:
        file.write(text)
    begin = time.monotonic()
    try:
        run = subprocess.run([kiln, "script", "--device", "cpu", file.name], capture_output=True, text=True, timeout=60, env={**os.environ, "KILN_CACHE_DIR": ""})
        status, output = run.returncode, run.stderr
    except subprocess.TimeoutExpired as late:
        status, output = None, str(late.stderr)
    finally:
        os.unlink(file.name)
    seconds = time.monotonic() - begin
    ok = status == 1 and "ERROR: LoadError: first" in output and seconds < 30
    print(f"{'ok' if ok else 'FAILED'}: an error prints first: {seconds:.2f} s, status {status}" + ("" if ok else "\n" + output))
    return ok


if __name__ == "__main__":
    sys.exit(main())
