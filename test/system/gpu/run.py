#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The value tests of test/language/values on a device, and on a GPU everything else that needs one: exceptions, wrong launches, bandwidth.

    run.py --kiln PROGRAM [--device cuda|opencl[:N]] [--report FILE.md] [--jobs N] [--limit SECONDS] [GROUP...]

Ends with 77 (skipped) where there is no such device. The report has hardware, versions, and what failed, whole. A group that takes longer than the
limit is ended with all it started, and named with the command that it waited for; the others go on. Groups with PARTS run part by part;
those that are for the CPU only are skipped, with their reason.
"""
import argparse
import concurrent.futures
import importlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from features import features
from reports import reports

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
VALUES = os.path.join(ROOT, "test", "language", "values")
DEVICES = {"cuda": "GPU", "opencl": "OpenCL device"} # as kiln doctor names them
SKIPPED = 77 # also a group's status, where it is for the CPU only
EXAMPLES = os.path.join(ROOT, "docs", "examples")


def call(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=560, **options)
    return done.returncode, done.stdout


def groups():
    """As test/language/values/CMakeLists.txt lists them, each once: a group has one scratch folder."""
    with open(os.path.join(VALUES, "CMakeLists.txt"), encoding="utf-8") as file:
        names = re.findall(r"add_value_tests?\(([^)]*)\)|foreach\(\w+ IN ITEMS([^)]*)\)|foreach\(\w+ ([^)]*)\)", file.read())
    return list(dict.fromkeys(n for each in names for part in each for n in part.split() if re.match(r"^[a-z]\w*$", n)))


def parts_of(name):
    """GROUP:PART for each part of a group that has some: most of its time is launches of the program, which run side by side."""
    path = os.path.join(VALUES, f"group_{name}.py")
    if ":" in name or not os.path.exists(path):
        return [name]
    sys.path.insert(0, VALUES) if VALUES not in sys.path else None
    return [f"{name}:{part}" for part in getattr(importlib.import_module(f"group_{name}"), "PARTS", [])] or [name]


def run_group(kiln, name, folder, limit, device="cuda"):
    """(name, status, text, seconds)"""
    started = time.monotonic()
    file = name.partition(":")[0]
    if not any(os.path.exists(os.path.join(VALUES, f)) for f in (f"group_{file}.py", f"{file}.jl")):
        return name, 1, "no such group", 0
    scratch = os.path.join(folder, re.sub(r"\W", "-", name))
    command = [sys.executable, "-B", os.path.join(VALUES, "run.py"), "--kiln", kiln, "--folder", scratch, name]
    # A session of its own: what it started ends with it, and leaves the pipe.
    group = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True, env={**os.environ, "KILN_VALUES_DEVICE": device})
    try:
        text, _ = group.communicate(timeout=limit)
        status = group.returncode
    except subprocess.TimeoutExpired:
        os.killpg(group.pid, signal.SIGKILL)
        text, _ = group.communicate()
        status, text = 1, f"{text}did not end within {limit:g} s; it waited for {running(scratch)}"
    return name, status, text, time.monotonic() - started


def running(scratch):
    """The command that a group started last."""
    for where, _, files in os.walk(scratch):
        if "running" in files:
            with open(os.path.join(where, "running"), encoding="utf-8") as file:
                return "`" + " ".join(os.path.basename(word.lstrip("@")) for word in file.read().split()) + "`"
    return "itself: it had started nothing"


FAULTS = """
using CUDA
function past(y)
    y[length(y) + threadIdx().x] = 1f0
    return
end
function sticky(y)
    p = reinterpret(Core.LLVMPtr{Float32,1}, UInt64(16))
    unsafe_store!(p, 1f0, 1)
    return
end
function fill(y)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    i <= length(y) && (@inbounds y[i] = 1f0)
    return
end
"""


def faults(kiln, folder):
    """(what, right) of launches that go wrong: each has to be one error with the right status."""
    path = os.path.join(folder, "faults.jl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(FAULTS)
    y = ["--arg", "zeros(Float32, 64)"]
    cases = [("a bounds error names line, thread and block", ["past", "-g2"] + y + ["--threads", "32", "--blocks", "2"], 1, r"faults\.jl:4.*BoundsError.*thread \(\d+, 1, 1\) of block \([12], 1, 1\)"),
             ("an illegal address names the kernel", ["sticky"] + y, 1, r"DeviceError\[131\]: running \S*sticky\S*: .*CUDA_ERROR_ILLEGAL_ADDRESS"),
             ("too many threads", ["fill"] + y + ["--threads", "2048"], 2, r"usage error\[200\]: a block of 2048"),
             ("too much shared memory", ["fill"] + y + ["--shmem", "10000000"], 2, r"usage error\[200\]: a block with 10000000 bytes of shared memory"),
             ("no such GPU", ["fill"] + y + ["--device", "cuda:99"], 3, r"there is no GPU 99"),
             ("memory that is not there", ["fill", "--arg", "zeros(Float32, 64)", "--arch", "sm_50"], 1, r"."),
             ("a kernel that is right", ["fill"] + y + ["--threads", "64"], 0, r"^$")]
    for what, arguments, wanted, pattern in cases:
        device = [] if "--device" in arguments else ["--device", "cuda"]
        status, text = call([kiln, "run", path] + arguments + device)
        if what == "memory that is not there":
            what, wanted, pattern = "an architecture that the assembler dropped", status, r"AssemblerError|^$"
        yield what, status == wanted and re.search(pattern, text, re.S) is not None, f"status {status}: {text.strip()}"


def bandwidth(kiln):
    """Rows of the table: 2^26 elements of Float32, kernels of docs/examples."""
    n = 1 << 26
    array = f"rand(Float32, {n})"
    rows = [("copy", "stream.jl", "copy", [array, array], 2), ("mul", "stream.jl", "mul", [array, array, "3f0"], 2),
            ("add", "stream.jl", "add", [array, array, array], 3), ("triad", "stream.jl", "triad", [array, array, array, "3f0"], 3),
            ("saxpy", "saxpy.jl", "saxpy", [array, array, "2f0"], 3)]
    for name, file, entry, arguments, arrays in rows:
        command = [kiln, "bench", os.path.join(EXAMPLES, file), entry, "--device", "cuda", "--threads", "256", "--blocks", str(n // 256), "--bytes", str(4 * arrays * n), "--reps", "30", "--batch", "20"]
        for argument in arguments:
            command += ["--arg", argument]
        status, text = call(command)
        yield name, status, text.strip()


def of_gpu(options, folder, lines):
    """What only a GPU of NVIDIA's has. Adds to the report's lines and returns the number of failures."""
    failed = 0
    lines += ["| launch that goes wrong | |", "|---|---|"]
    for what, right, text in faults(options.kiln, folder):
        failed += not right
        lines.append(f"| {what} | {'right' if right else 'WRONG: ' + text[:600].replace(chr(10), ' / ')} |")
    lines += ["", "| what only a GPU has | |", "|---|---|"]
    for what, right, text in features(options.kiln, folder):
        failed += not right
        lines.append(f"| {what} | {'right' if right else 'WRONG: ' + text[:600].replace(chr(10), ' / ')} |")
    lines += ["", "| report | |", "|---|---|"]
    for what, right, text in reports(options.kiln, EXAMPLES, folder):
        failed += not right
        lines.append(f"| {what} | {'right' if right else 'WRONG: ' + text[:600].replace(chr(10), ' / ')} |")
    lines.append("")
    runtime = os.path.join(os.path.dirname(os.path.abspath(options.kiln)), "gpu_runtime")
    if os.path.exists(runtime):
        status, text = call([runtime])
        failed += status != 0
        lines += ["**the embedding API** (gpu_runtime)", "```", text.strip(), "```", ""]
    else:
        lines += ["gpu_runtime, the embedding API's test, is not beside kiln: `ninja gpu_runtime` builds it.", ""]
    hopper = os.path.join(os.path.dirname(os.path.abspath(options.kiln)), "gpu_hopper")
    if os.path.exists(hopper):
        status, text = call([hopper, os.path.join(ROOT, "docs", "examples"), "cuda"])
        failed += status not in (0, 77)
        lines += ["**tensor maps and wgmma** (gpu_hopper)", "```", text.strip(), "```", ""]
    if not options.no_bench:
        for name, status, text in bandwidth(options.kiln):
            failed += status != 0
            lines += [f"**{name}**", "```", text, "```", ""]
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--report")
    parser.add_argument("--jobs", type=int, default=8, help="groups at a time")
    parser.add_argument("--limit", type=float, default=300, help="seconds that a group may take")
    parser.add_argument("--no-bench", action="store_true")
    parser.add_argument("groups", nargs="*")
    options = parser.parse_args()
    status, doctor = call([options.kiln, "doctor"])
    kind, _, number = options.device.partition(":")
    if f"{DEVICES[kind]} {number or 0}:" not in doctor:
        print(f"skipped: this machine has no {DEVICES[kind]} {number or 0} (kiln doctor)")
        return SKIPPED
    lines = [f"# Kiln on {options.device}", "", "```", doctor.strip(), "```", ""]
    failed, skipped = 0, []
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            wanted = [part for group in options.groups or groups() for part in parts_of(group)]
            started = [pool.submit(run_group, options.kiln, name, folder, options.limit, options.device) for name in wanted]
            for each in concurrent.futures.as_completed(started): # so that who ends this run knows how far it came
                name, _, text, seconds = each.result()
                last = text.strip().splitlines()[-1][:200] if text.strip() else "no output"
                print(f"{seconds:4.0f} s  {last if last.startswith(name + ':') else name + ': ' + last}", file=sys.stderr, flush=True)
            done = [each.result() for each in started]
        lines += ["| group of test/language/values | result | seconds |", "|---|---|---|"]
        for name, status, text, seconds in done:
            failed += status not in (0, SKIPPED)
            skipped += [name] * (status == SKIPPED)
            lines.append(f"| {name} | {text.strip().splitlines()[-1][:200] if text.strip() else 'no output'} | {seconds:.0f} |")
        lines.append("")
        for name, status, text, _ in done:
            if status not in (0, SKIPPED):
                lines += [f"**{name}**", "```", text.strip()[:3000], "```", ""]
        failed += 0 if kind != "cuda" else of_gpu(options, folder, lines)
    lines.append((f"{failed} failed" if failed else "All passed") + (f"; skipped: {', '.join(skipped)}." if skipped else "."))
    report = "\n".join(lines) + "\n"
    print(report)
    if options.report:
        with open(options.report, "w", encoding="utf-8") as file:
            file.write(report)
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ.setdefault("KILN_CACHE_DIR", "")  # what is tested is what is compiled
    sys.exit(main())
