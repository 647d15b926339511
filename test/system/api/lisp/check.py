#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/examples/lisp, a language outside the tree, over its programs. Expected values are computed here.

    check.py LISP FOLDER [--device DEVICE] [--kiln KILN]

LISP is the program, FOLDER docs/examples/lisp/programs. With a GPU's name the programs run there; what only the CPU or the compiler
tells is left out then."""
import argparse
import os
import re
import struct
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("lisp")
parser.add_argument("folder")
parser.add_argument("--device", default="cpu")
parser.add_argument("--kiln", help="the program kiln: kernels are compared with the same ones in Julia")
options = parser.parse_args()
faults = []


def single(x):
    """x rounded to 32 bits."""
    return struct.unpack("f", struct.pack("f", x))[0]


def call(*arguments, text=""):
    # Run where the programs are, so that places in errors are short names.
    return subprocess.run([os.path.abspath(options.lisp), *arguments], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          cwd=options.folder, env=dict(os.environ, KILN_CACHE_DIR=""), timeout=300)


def expect(what, condition, got=""):
    print(("ok      " if condition else "FAILED  ") + what)
    if not condition:
        print(got)
        faults.append(what)


def words(line):
    return [float(word) if re.match(r"[-+]?\d", word) else word for word in line.replace("[", " ").replace("]", " ").split()]


def lines_of(program):
    done = call("--device", options.device, program)
    expect(f"{program} ends with 0", done.returncode == 0, done.stdout + done.stderr)
    return [words(line) for line in done.stdout.splitlines()]


def is_near(got, wanted, tolerance=1e-5):
    return len(got) == len(wanted) and all(abs(g - w) <= tolerance * max(1, abs(w)) if isinstance(w, float) else g == w for g, w in zip(got, wanted))


def values(program, wanted):
    got = lines_of(program)
    for i, line in enumerate(wanted):
        expect(f"{program}: line {i + 1}", i < len(got) and is_near(got[i], line), f"got {got[i:i + 1]}, wanted {line}")
    expect(f"{program}: prints {len(wanted)} lines", len(got) == len(wanted), got)


def programs():
    y = [2 * 0.5 * i + i % 7 for i in range(1000)]
    values("saxpy.lisp", [[y[0], y[1], y[999]], [float(sum(y))]])
    counts = [float(sum(1 for i in range(10000) if i % 13 == k)) for k in range(13)]
    values("reduce.lisp", [[float(sum(i % 13 for i in range(10000)))], counts])

    def steps(re, im):
        c, z, n = complex(re, im), 0j, 0
        while n < 100 and z.real * z.real + z.imag * z.imag < 4:
            z, n = z * z + c, n + 1
        return float(n)
    # No point near the edge: single and double precision count alike.
    values("shapes.lisp", [[36.0, single(3.1415927) * 4, "a", "circle", "a", "shape"], [steps(x * 0.0625 - 2, 0.3) for x in range(64)]])

    n = 48
    a = [[(3 * i + j) % 5 for j in range(n)] for i in range(n)]
    b = [[(i + 2 * j) % 7 for j in range(n)] for i in range(n)]
    values("matrices.lisp", [[float(sum(a[i][k] * b[k][j] for k in range(n))) for i, j in ((0, 0), (17, 30), (47, 47))]])
    values("redefine.lisp", [[1.0] * 4, [10.0] * 4, [7.0] * 4, [107.0] * 4 + [2.0], ["true"]])


def errors():
    """Each fault of faults.lisp is reported with file, line and column, and the kernel's exceptions with the stack."""
    done = call("--device", options.device, "faults.lisp")
    text = done.stdout + done.stderr
    expect("faults.lisp ends with 1", done.returncode == 1, text)
    with open(os.path.join(options.folder, "faults.lisp"), encoding="utf-8") as file:
        source = file.read().splitlines()

    def line_of(part):
        return 1 + next(i for i, line in enumerate(source) if part in line)
    for message, part in (("BoundsError", "(ref y (length y))"), ("the first element is too large", '(throw "the first'), ("no method matching (+ i64 f32)", "(+ 1 2f)"),
                          ("sqroot", "(sqroot 2f)"), ("set! changes a local variable", "(set! y 3)"), ("two parameters have this name", "(twice x x)")):
        line = line_of(part)
        found = re.search(r"faults\.lisp:%d:\d+: .*%s" % (line, re.escape(message)), text) or re.search(
            re.escape(message) + r"[^\n]*\n(?:[^\n]*\n){0,6}?[^\n]*faults\.lisp:%d" % line, text)
        expect(f"faults.lisp: `{message}` at line {line}", found, text)
    expect("an exception names thread and block", re.search(r"thread.*block|block.*thread", text), text)
    broken = call(text='(define (f x)\n  (+ x 1)\n(print "x"\n')
    expect("a list without an end waits for more", broken.returncode == 0)
    for text, place, message in (("(+ 1 2))\n", "repl:1.lisp:1:8", "closing parenthesis"), ("(+ 1 12x)\n", "repl:1.lisp:1:6", "is no number"),
                                 ("(overlay cuda (define (f) 1))\n", "repl:1.lisp:1:10", "there are kernels, ptx"), ("(struct P (x f33))\n", "repl:1.lisp:1:14", "not defined"),
                                 ("(abstract S)\n(struct C :is S (x f32) (x f32))\n", "repl:2.lisp:1:25", "two parameters"),
                                 ("(define (f x) :where (T) x)\n", "repl:1.lisp:1:1", "type variable T"), ("(launch + 1)\n", "", "a launch is (launch")):
        done = call(text=text)
        expect(f"refused: {text.strip()}", place in done.stdout and message in done.stdout, done.stdout)


def repl():
    done = call(text="(define (square x)\n  (* x x))\n(square 12)\n(square 1.5)\n; a comment (\n(struct P (x i64) (y f64))\n(P 3 0.5)\n(.y (P 3 0.5))\n"
                "(let ((k 10)) ((lambda (i) (+ i k)) 5))\n(define (square x) 0)\n(square 12)\n(undefined 1)\n(if (< 1 2) \"yes\" \"no\")\n'name\nf32\n")
    out = done.stdout.splitlines()
    wanted = ["144", "2.25", "(P 3 0.5)", "0.5", "15", "0"]
    expect("the REPL prints values, and takes definitions again", out[:len(wanted)] == wanted and out[-3:] == ["yes", "name", "f32"], done.stdout + done.stderr)
    expect("the REPL goes on behind an error, which has its place", "repl:11.lisp:1:1" in done.stdout and "undefined" in done.stdout, done.stdout)


def products():
    def emit(program, stage, text, *more):
        done = call("--emit", stage, text, *more, program)
        expect(f"{program}: {stage} of {text}", done.returncode == 0, done.stderr)
        return done.stdout
    ptx = emit("saxpy.lisp", "asm", "(saxpy (Array f32) (Array f32) f32)", "--target", "ptx")
    expect("saxpy's PTX has one fused multiply-add, and no check", ptx.count("fma.rn.f32") == 1 and "trap" not in ptx, ptx)
    file = re.search(r'\.file\s+(\d+) "[^"]*saxpy\.lisp"', ptx)
    expect("debug lines of the PTX name the program's file: the store is in line 5", file and re.search(r"\.loc\s+%s 5 " % file[1], ptx), ptx)
    shared = emit("reduce.lisp", "asm", "(sum! (Array f32) (Array f32))", "--target", "ptx")
    expect("the sum's PTX has shared memory, a barrier and an atomic", all(part in shared for part in (".shared", "bar.sync", "red.")) or "atom." in shared, shared)
    expect("lowered code is the program's", "set-ref!" in emit("saxpy.lisp", "lowered", "(saxpy (Array f32) (Array f32) f32)"))
    roots = emit("redefine.lisp", "asm", "(root! (Array f32))", "--target", "ptx")
    expect("a GPU's overlay in the library's own text is used on GPUs", "rsqrt.approx.f32" in roots, roots)
    roots = emit("redefine.lisp", "asm", "(root! (Array f32))")
    expect("and on the CPU it is not: a root and a division", re.search(r"\b(v?sqrt[ps]s|fsqrt)\b", roots) and re.search(r"\b(v?div[ps]s|fdiv)\b", roots), roots)


def instructions(ptx):
    """The instructions in order of their names, without registers, labels, and what exactly is compared."""
    body = ptx[ptx.index(".entry"):]
    return sorted(re.sub(r"^setp\.\w+", "setp", re.sub(r"^@!?%p\d+ ", "", line.strip())).split()[0] for line in body.splitlines() if re.match(r"\s+(@|[a-z])", line) and "\t.loc" not in line)


def twins():
    """The same kernels in Julia (twins.jl) make the same PTX, or more of it: one that counts from 1 subtracts."""
    here = os.path.dirname(os.path.abspath(__file__))
    vector, matrix = "CuDeviceVector{Float32,1}", "CuDeviceMatrix{Float32,1}"
    for program, call_text, twin, more in (("saxpy.lisp", "(saxpy (Array f32) (Array f32) f32)", f"saxpy({vector}, {vector}, Float32)", ["add.s32"]),
                                           ("reduce.lisp", "(sum! (Array f32) (Array f32))", f"sum!({vector}, {vector})", None),
                                           ("matrices.lisp", "(multiply! (Array f32 2) (Array f32 2) (Array f32 2))", f"multiply!({matrix}, {matrix}, {matrix})", [])):
        own = call("--emit", "asm", call_text, "--target", "ptx", program)
        theirs = subprocess.run([options.kiln, "compile", "--target", "ptx", "--emit", "asm", os.path.join(here, "twins.jl"), twin, "--arch", "sm_90"],
                                stdout=subprocess.PIPE, text=True, env=dict(os.environ, KILN_CACHE_DIR=""))
        expect(f"{program} and its twin compile", own.returncode == 0 and theirs.returncode == 0, own.stderr)
        a, b = instructions(own.stdout), instructions(theirs.stdout)
        if more is None:
            expect(f"{program}: no more instructions than its twin in Julia ({len(a)}, {len(b)})", len(a) <= len(b), f"{a}\n{b}")
        else:
            expect(f"{program}: its twin's instructions, but for {more}", sorted(a + more) == b, f"{a}\n{b}")


programs()
errors()
if options.device == "cpu":
    repl()
    products()
    if options.kiln:
        twins()
sys.exit(f"{len(faults)} of the checks failed" if faults else 0)
