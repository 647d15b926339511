#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/examples/infix, an array language outside the tree, over its programs: check.py INFIX FOLDER. Expected values are computed here."""
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

infix, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
faults = []


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def call(*arguments, cwd=folder, cache=""):
    # Without background compiles, so that a process leaves the same entries on a slow machine.
    environment = dict(os.environ, KILN_CACHE_DIR=cache, KILN_CPU_TIER="optimized")
    return subprocess.run([infix, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd, env=environment, timeout=300)


def expect(what, condition, got=""):
    print(("ok      " if condition else "FAILED  ") + what)
    if not condition:
        print(got)
        faults.append(what)


def numbers(line):
    return [float(word) for word in re.findall(r"-?\d[\d.]*(?:e[-+]?\d+)?", line.replace("elements", ""))]


def values(program, wanted, tolerance=2e-5):
    done = call(program)
    expect(f"{program} ends with 0", done.returncode == 0, done.stdout + done.stderr)
    lines = done.stdout.splitlines()
    expect(f"{program}: prints {len(wanted)} lines", len(lines) == len(wanted), done.stdout)
    for number, (line, expected) in enumerate(zip(lines, wanted), 1):
        got = [line == "true"] if line in ("true", "false") else numbers(line)
        near = len(got) == len(expected) and all(abs(g - e) <= tolerance * max(1, abs(e)) for g, e in zip(got, expected))
        expect(f"{program}: line {number}", near, f"got {line}, wanted {expected}")


def programs():
    n = 10000
    x = [(i % 97) / 10 - 3 for i in range(n)]
    y = [2.5 * t * t - t / 2 + 1 for t in x]
    mean = sum(y) / n
    smooth = [t * t * (3 - 2 * t) for t in (min(max(t / 3, 0), 1) for t in x)]
    w = [i / 3 for i in range(n)]
    values("statistics.infix", [y[:10] + [n], [sum(y), min(y), max(y)], [mean, math.sqrt(sum((t - mean) ** 2 for t in y) / n)], [sum(smooth)],
                                [sum(range(n)), max(w), sum(w[n - 1 - i] * w[i] for i in range(n))], [sum(i for i in range(n) if i % 3 == 0 or i % 5 == 0)],
                                [w[3] + w[6], n, 3, 6], [1 + 2 * 3 ** 2, -2 ** 2, (1 + 2) * 3, 7 % 4, 7 / 2]])
    x = range(4)
    roots = [next(n for n in range(100) if n * n >= limit) for limit in (0, 10, 20, 30, 40)]
    values("redefine.infix", [[t + 1 for t in x]] * 2 + [[t * 10 for t in x], [t - 3 for t in x] + [20], roots,
                              [1, 1 + 1 / 2, 1 + 1 / 2 + 1 / 3, 2.5, 2.5, 1, 1], [True]])


def errors():
    """Each names the line and column of the program's own file, types and operators as the language writes them."""
    for what, text, place, message in (
            ("an operator", "let x = f32(range(3))\nlet y = x +\n  (x > 1)\n", "2:9", "no method matching +(f32, bool)"),
            ("an operator in a function", "fn f(x) = x + true\nlet y = f(range(2))\n", "1:11", "no method matching +(i64, bool)"),
            ("a function", "let x = range(3)\nprint(sum(sqroot(x)))\n", "2:11", "`sqroot` not defined"),
            ("lengths", "let x = range(3)\nlet z = x * range(4)\n", "2:13", "4 elements, and those before it 3"),
            ("a condition in a kernel", "fn f(x) {\n  if x then 1 else 2\n}\nprint(f(range(3)))\n", "2:6", "non-boolean (i64)"),
            ("a condition", "if 3 { print(1) }\n", "1:4", "this is i64"),
            ("an index", "let x = range(3)\nprint(x[range(3) + 1])\n", "2:1", "BoundsError"),
            ("an index on the host", "let x = range(3)\nprint(x[7])\n", "2:7", "BoundsError"),
            ("a division on the host", "print(3 % 0)\n", "1:7", "DivideError"),
            ("a type", "fn f(x: f16) = x\n", "1:6", "`f16` is no type"),
            ("an array's elements", "let y = [1, 2.5]\n", "1:13", "this is f64, and the elements before it are i64"),
            ("a variable", "y = 3\n", "1:1", "`let` makes one"),
            ("a whole array in a function", "fn f(x) = sum(x)\nprint(f(range(2)))\n", "1:11", "outside of functions"),
            ("a parenthesis", "print(1 + (2 * 3)\n", "2:1", "expected `)` before the end"),
            ("a number", "let x = 12abc\n", "1:9", "is no number"),
            ("nesting", "print(" + "(" * 600 + "1" + ")" * 600 + ")\n", "1:5", "more than 500")):
        with tempfile.TemporaryDirectory() as scratch:
            with open(os.path.join(scratch, "wrong.infix"), "w", encoding="utf-8") as file:
                file.write(text)
            done = call("wrong.infix", cwd=scratch)
        said = done.stderr
        expect(f"an error of {what}", done.returncode == 1 and said.startswith(f"wrong.infix:{place}") and message in said, said)
        expect(f"an error of {what} names no type of Kiln's", not re.search(r"Int64|Float32|CuDevice|Infix\.", said), said)


def cache():
    with tempfile.TemporaryDirectory() as scratch:
        ptx = os.path.join(scratch, "all.ptx")
        cold = call("--counters", "--ptx", ptx, "statistics.infix", cache=scratch)
        warm = call("--counters", "statistics.infix", cache=scratch)
        with open(ptx, encoding="utf-8") as file:
            text = file.read()
    compiled = re.search(r"compiled (\d+), from the folder 0", cold.stdout)
    expect("a first process compiles", compiled and int(compiled[1]) > 10, cold.stdout + cold.stderr)
    expect("a second process compiles nothing", re.search(r"compiled 0, from the folder [1-9]", warm.stdout), warm.stdout)
    expect("and prints the same", cold.stdout.splitlines()[:-1] == warm.stdout.splitlines()[:-1])
    kernels = text.split(".visible .entry")[1:]
    expect("reductions have shared memory and a barrier in PTX", any("bar.sync" in k for k in kernels) and ".shared" in text)
    fused = kernels[1] if len(kernels) > 1 else ""  # y: the second array that is made by a kernel
    expect("an array expression is one kernel, with one load and one store", len(re.findall(r"ld\.global", fused)) == 1 and len(re.findall(r"st\.global", fused)) == 1, fused)


programs()
errors()
cache()
sys.exit(f"{len(faults)} of the checks failed" if faults else 0)
