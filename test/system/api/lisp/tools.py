#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kiln's tools on a language outside the tree: docs/examples/lisp, by its library.

    tools.py LISP LIBRARY KILN RUNTIME LANGUAGE_FOLDER

LISP is the language's program, LIBRARY its library for --language, RUNTIME libkiln-runtime.so. A trace of the program goes through
precompile, bundle and cache explain. Then the program compiles nothing, and its kernel runs from the bundle without a compiler. What the
library adds to the language is counted."""
import ctypes
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

MAX_LINES = 30  # that a language writes for the tools

lisp, library, kiln, runtime, folder = map(os.path.abspath, sys.argv[1:6])
scratch = tempfile.mkdtemp(prefix="kiln-lisp-")
programs = ["saxpy.lisp", "reduce.lisp"]
for program in programs:
    shutil.copy(os.path.join(folder, "programs", program), scratch)
faults = []


def expect(what, condition, got=""):
    print(("ok      " if condition else "FAILED  ") + what)
    if not condition:
        print(got)
        faults.append(what)


def call(*words, status=0, **environment):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=scratch, timeout=300,
                          env=dict(os.environ, **{"KILN_CACHE_DIR": "", "KILN_TRACE_JOBS": "", **environment}))
    expect(f"{os.path.basename(words[0])} {' '.join(words[1:3])} ends with {status}", done.returncode == status, done.stdout + done.stderr)
    return done.stdout


def statistics():
    text = call(kiln, "cache", "stat", "--cache", "cache")
    return {name: int(number) for name, number in re.findall(r"^(entries|hits|misses): (\d+)", text, re.MULTILINE)}


trace = os.path.join(scratch, "trace")
said = [call(lisp, program, KILN_TRACE_JOBS=trace) for program in programs]
with open(trace, encoding="utf-8") as lines:
    jobs = [json.loads(line) for line in lines]
expect("the trace has a job of each program", len(jobs) >= 2)
expect("each job and each file names its language", all(job["files"] for job in jobs) and
       all(job["language"] == "lisp" and file["language"] == "lisp" for job in jobs for file in job["files"]), jobs)
expect("each can be repeated", not any("cannot_repeat" in job for job in jobs), jobs)

# ---- precompile: the program then compiles nothing
filled = call(kiln, "precompile", "trace", "--language", library, "--cache", "cache")
expect("precompile compiles all of them", f"{len(jobs)} jobs: 0 were there, {len(jobs)} compiled, 0 failed" in filled, filled)
before = statistics()
again = [call(lisp, program, KILN_CACHE_DIR=os.path.join(scratch, "cache")) for program in programs]
after = statistics()
expect("the programs print the same", again == said, (said, again))
expect("they found each job", after["hits"] - before["hits"] >= len(jobs), (before, after))
expect("they compiled nothing", after["misses"] == before["misses"] and after["entries"] == before["entries"], (before, after))

# ---- cache explain
told = call(kiln, "cache", "explain", "trace", "--language", library, "--cache", "cache")
expect("cache explain finds every job", len(re.findall(r"^hit:", told, re.MULTILINE)) == len(jobs) and "miss" not in told, told)

# ---- bundle: the kernel runs without a compiler, and without the language
with open(os.path.join(scratch, "kernels.json"), "w", encoding="utf-8") as manifest:
    json.dump({"language": "lisp", "files": ["saxpy.lisp"], "jobs": ["(saxpy (Array f32) (Array f32) f32)"]}, manifest)
made = call(kiln, "bundle", "kernels.json", "--language", library, "--cache", "cache", "-o", "kernels.kiln")
expect("bundle takes the kernels", re.match(r"\d+ kernels?,", made), made)


class Shape(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("blocks", ctypes.c_uint * 3), ("threads", ctypes.c_uint * 3), ("shared", ctypes.c_uint64),
                ("cluster", ctypes.c_uint * 3), ("cooperative", ctypes.c_int), ("programmatic", ctypes.c_int), ("time_limit", ctypes.c_double)]


class Argument(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("kind", ctypes.c_int), ("type", ctypes.c_char_p), ("dtype", ctypes.c_uint8 * 4),
                ("data", ctypes.c_void_p), ("size", ctypes.c_size_t), ("ndim", ctypes.c_int), ("dims", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64))]


def check(status, error):
    if status:
        c.kiln_error_text.restype = ctypes.c_char_p
        sys.exit(c.kiln_error_text(error).decode())


def argument(kind, data, dims=None):
    made = Argument(ctypes.sizeof(Argument), kind, b"Float32", (ctypes.c_uint8 * 4)(), ctypes.cast(data, ctypes.c_void_p))
    if dims:
        made.ndim, made.dims = 1, (ctypes.c_int64 * 1)(dims)
    return made


c = ctypes.CDLL(runtime)
error, bundle, runtime_handle, device, stream = (ctypes.c_void_p() for _ in range(5))
check(c.kiln_bundle_open(os.path.join(scratch, "kernels.kiln").encode(), None, ctypes.byref(bundle), ctypes.byref(error)), error)
c.kiln_bundle_count.restype = ctypes.c_size_t
c.kiln_bundle_kernel_language.restype = c.kiln_bundle_kernel_name.restype = ctypes.c_char_p
kernels = {c.kiln_bundle_kernel_name(bundle, ctypes.c_size_t(i)).decode(): c.kiln_bundle_kernel_language(bundle, ctypes.c_size_t(i)).decode()
           for i in range(c.kiln_bundle_count(bundle))}
expect("the bundle's kernels name their language", kernels.get("saxpy") == "lisp" and set(kernels.values()) == {"lisp"}, kernels)
check(c.kiln_runtime_open(None, ctypes.byref(runtime_handle), ctypes.byref(error)), error)
check(c.kiln_runtime_device(runtime_handle, b"cpu", ctypes.byref(device), ctypes.byref(error)), error)
check(c.kiln_runtime_stream(runtime_handle, device, ctypes.byref(stream), ctypes.byref(error)), error)
n = 100
x, y, a = (ctypes.c_float * n)(*range(n)), (ctypes.c_float * n)(*[1] * n), ctypes.c_float(2)
arguments = (Argument * 3)(argument(1, y, n), argument(1, x, n), argument(0, ctypes.byref(a)))
shape = Shape(ctypes.sizeof(Shape), (ctypes.c_uint * 3)(1, 1, 1), (ctypes.c_uint * 3)(128, 1, 1))
check(c.kiln_bundle_launch(bundle, b"saxpy", None, stream, ctypes.byref(shape), arguments, ctypes.c_size_t(3), ctypes.byref(error)), error)
check(c.kiln_stream_synchronize(stream, ctypes.byref(error)), error)
expect("the kernel runs from the bundle", list(y) == [2.0 * i + 1 for i in range(n)], list(y)[:5])

# ---- one Kiln in the process: the program takes the place of libkiln.so.0 (docs/adr/032-language-libraries.md)
loaded = subprocess.run([kiln, "compile", "saxpy.lisp", "(saxpy (Array f32) (Array f32) f32)", "--language", library, "-o", "/dev/null"], cwd=scratch,
                        env=dict(os.environ, KILN_CACHE_DIR="", LD_DEBUG="files"), stderr=subprocess.PIPE, text=True, timeout=300)
expect("the library loads", loaded.returncode == 0 and os.path.basename(library) in loaded.stderr, loaded.stderr[-2000:])
expect("it brings no second Kiln", "generating link map" not in "".join(line for line in loaded.stderr.splitlines() if "libkiln.so" in line),
       [line for line in loaded.stderr.splitlines() if "libkiln" in line])

# ---- lines that the language wrote for the tools
with open(os.path.join(folder, "library.cpp"), encoding="utf-8") as source, open(os.path.join(folder, "CMakeLists.txt"), encoding="utf-8") as build:
    code = [line for line in source if line.strip() and not line.lstrip().startswith("//")]
    code += [line for line in build if "lisp_language" in line and not line.startswith("#")]
expect(f"the library takes {len(code)} lines of at most {MAX_LINES}", len(code) <= MAX_LINES)
shutil.rmtree(scratch)
sys.exit(f"{len(faults)} failed" if faults else 0)
