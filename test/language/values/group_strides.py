# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops by strides of the grid: on the CPU the threads of a block take their turns together."""
import random
import re

import npy

FILE = ["strides.jl"]
# Less than a turn, exactly one, some left over, and none at all.
SHAPES = ((64, 2, 100), (64, 2, 128), (32, 3, 1000), (256, 4, 10007), (1, 1, 5), (7, 5, 333), (100, 1, 0), (33, 2, 66 * 4), (33, 2, 66 * 4 - 1))


def check(kiln, checks):
    generator = random.Random(41)
    for threads, blocks, n in SHAPES:
        x, y = numbers(generator, n), numbers(generator, n)
        args = [vector(kiln, "y", y), vector(kiln, "x", x)]
        what = f"{threads} threads, {blocks} blocks, {n} elements"
        for entry in ("range_saxpy", "while_saxpy", "short_saxpy", "backwards"):
            got, = kiln.run(FILE, entry, args + ["3f0"], threads=threads, blocks=blocks, out=[1])
            checks.true(list(got.items)[:n] == [3 * a + b for a, b in zip(x, y)], f"{entry}: {what}")
        dots(kiln, checks, x, y, threads, blocks, what)
        got, = kiln.run(FILE, "twice", [f"zeros(Float32, {max(n, 1)})", vector(kiln, "x", x + [0.0] * (n == 0))], threads=threads, blocks=blocks, out=[1])
        checks.true(list(got.items)[:n] == [2 * a + i + 1 for i, a in enumerate(x)], f"twice: {what}")
        got, = kiln.run(FILE, "some_leave", [f"zeros(Float32, {max(n, 1)})", vector(kiln, "x", x + [0.0] * (n == 0)), "5"], threads=threads, blocks=blocks, out=[1])
        left = [0.0 if (i % (threads * blocks) % threads + 1) % 5 == 0 else a + 1 for i, a in enumerate(x)]
        checks.true(list(got.items)[:n] == left, f"some_leave: {what}")
        picks = [generator.randint(1, max(n, 1)) for _ in range(n)]
        got, = kiln.run(FILE, "through_picks", args + [kiln.write("p", npy.vector("<i8", picks))], threads=threads, blocks=blocks, out=[1])
        checks.true(list(got.items)[:n] == [b + x[p - 1] for b, p in zip(y, picks)], f"through_picks: {what}")
    for shape, blocks, n in (("8,4", 3, 1000), ("16,2", 1, 32), ("5,3", 2, 77)):
        x, y = numbers(generator, n), numbers(generator, n)
        got, = kiln.run(FILE, "plane_saxpy", [vector(kiln, "y", y), vector(kiln, "x", x), "3f0"], threads=shape, blocks=blocks, out=[1])
        checks.true(list(got.items) == [3 * a + b for a, b in zip(x, y)], f"plane_saxpy: {shape}, {n}")
    ends(kiln, checks, generator)
    faults(kiln, checks)
    checks_in_turns(kiln, checks, generator)
    others_go_on(kiln, checks, generator)


def dots(kiln, checks, x, y, threads, blocks, what):
    stride, n = threads * blocks, len(x)
    sums = [sum(x[i] * y[i] for i in range(t, n, stride)) for t in range(stride)]
    args = [f"zeros(Float32, {stride})", vector(kiln, "x", x), vector(kiln, "y", y)]
    got, = kiln.run(FILE, "range_dot", args, threads=threads, blocks=blocks, out=[1])
    checks.true(list(got.items) == sums, f"range_dot: {what}")
    got, = kiln.run(FILE, "while_dot", args, threads=threads, blocks=blocks, out=[1])
    wanted = []
    for t in range(stride):
        turns = len(range(t, n, stride))
        wanted.append(sums[t] + ((t + 1 + (turns - 1) * stride if turns else 0) + t + 1 + turns * stride))
    checks.true(list(got.items) == wanted, f"while_dot: {what}")
    if threads in (32, 64):
        got, = kiln.run(FILE, "block_dot", [f"zeros(Float32, {blocks})"] + args[1:], threads=threads, blocks=blocks, out=[1])
        checks.true(list(got.items) == [sum(sums[b * threads:(b + 1) * threads]) for b in range(blocks)], f"block_dot: {what}")


def ends(kiln, checks, generator):
    x = [float(generator.randint(0, 99)) for _ in range(500)]
    for limit in (-1, 60, 98, 200):
        got, = kiln.run(FILE, "first_above", ["zeros(Int64, 96)", vector(kiln, "x", x), f"{limit}f0"], threads=32, blocks=3, out=[1])
        checks.true(list(got.items) == [next((i + 1 for i in range(t, 500, 96) if x[i] > limit), 0) for t in range(96)], f"first_above {limit}")
    for n, threads in ((1, 1), (64, 64), (65, 64), (1000, 64), (1024, 32)):
        got, = kiln.run(FILE, "up_to_the_end", [f"zeros(Int64, {n})", str(2**63 - 1 - n)], threads=threads, out=[1])
        checks.true(list(got.items) == [1] * n, f"up_to_the_end, {n}")
    picks = [generator.randint(1, 10) for _ in range(3000)]
    got, = kiln.run(FILE, "counts", ["zeros(Int32, 10)", kiln.write("p", npy.vector("<i8", picks))], threads=64, blocks=3, out=[1])
    checks.true(list(got.items) == [picks.count(b) for b in range(1, 11)], "counts")


def faults(kiln, checks):
    """One element is missing: the thread whose turn it is throws, and no other."""
    for entry, line in (("range_saxpy", 9), ("short_saxpy", 27), ("range_dot", 55)):
        for threads, blocks, n in ((64, 3, 1000), (256, 2, 5000), (32, 1, 33)):
            arrays = [f"ones(Float32, {n})", f"ones(Float32, {n - 1})"]
            args = [f"zeros(Float32, {threads * blocks})"] + arrays if entry == "range_dot" else arrays + ["2f0"]
            _, _, err, status = kiln.start(FILE, entry, args, threads=threads, blocks=blocks)
            t = (n - 1) % (threads * blocks)
            where = f"in thread ({t % threads + 1}, 1, 1) of block ({t // threads + 1}, 1, 1)"
            checks.true(status == 1 and "BoundsError" in err and where in err and re.search(rf"strides\.jl:{line}\b", err),
                        f"{entry} of {n}: {where} at line {line}\n{err}")
    # Many throw: the first in time is told, and it is one of these.
    _, _, err, status = kiln.start(FILE, "range_saxpy", ["ones(Float32, 1000)", "ones(Float32, 500)", "2f0"], threads=32, blocks=2)
    checks.true(status == 1 and "BoundsError" in err and "strides.jl:9" in err, f"many throw\n{err}")


def checks_in_turns(kiln, checks, generator):
    """Checks that only some turns come to, or that differ from turn to turn and not from thread to thread."""
    for threads, blocks, n, far in ((32, 2, 1000, 7), (64, 1, 640, 200)):
        x = [0.0] * far + numbers(generator, n - far)
        y = numbers(generator, n)
        args = [vector(kiln, "y", y), vector(kiln, "x", x)]
        got, = kiln.run(FILE, "look_back", args + [str(far)], threads=threads, blocks=blocks, out=[1])
        checks.true(list(got.items) == [b + a + (x[i - far] if a > 8 else 0) for i, (a, b) in enumerate(zip(x, y))], f"look_back {far}")
        turns = -(-n // (threads * blocks))
        weights = numbers(generator, turns)
        args = [f"zeros(Float32, {n})", vector(kiln, "x", x), vector(kiln, "w", weights)]
        got, = kiln.run(FILE, "counted", args, threads=threads, blocks=blocks, out=[1])
        checks.true(list(got.items) == [a * weights[i // (threads * blocks)] for i, a in enumerate(x)], f"counted {n}")
        _, _, err, status = kiln.start(FILE, "counted", args[:2] + [vector(kiln, "w", weights[:-1])], threads=threads, blocks=blocks)
        checks.true(status == 1 and "BoundsError" in err and "strides.jl:197" in err, f"counted {n}, a weight is missing\n{err}")
    x = [0.0] * 500
    x[3] = 9.0 # its thread looks back beyond the beginning, and it alone
    _, _, err, status = kiln.start(FILE, "look_back", ["zeros(Float32, 500)", vector(kiln, "x", x), "7"], threads=32, blocks=2)
    checks.true(status == 1 and "BoundsError" in err and "in thread (4, 1, 1) of block (1, 1, 1)" in err and "strides.jl:187" in err, f"look_back too far\n{err}")


def others_go_on(kiln, checks, generator):
    """A thread that throws ends; the others do all of their turns."""
    for threads, blocks, n, present in ((32, 2, 500, 500), (32, 2, 500, 499), (32, 2, 500, 230), (64, 1, 64, 10), (64, 1, 200, 0)):
        x, stride = numbers(generator, present), threads * blocks
        _, out, err, status = kiln.start(FILE, "sum_to_the_end", [vector(kiln, "x", x) if x else "zeros(Float32, 0)", str(n)], threads=threads, blocks=blocks)
        wanted = {t + 1: sum(x[t::stride]) for t in range(stride) if not any(i >= present for i in range(t, n, stride))}
        checks.true(said(out) == wanted and status == (present < n), f"sum_to_the_end, {present} of {n}\n{out}{err}")
    for marks in (64, 63, 33, 1):
        x = numbers(generator, 500)
        _, out, err, status = kiln.start(FILE, "sum_of_some", [f"ones(Float32, {marks})", vector(kiln, "x", x)], threads=32, blocks=2)
        checks.true(said(out) == {t + 1: 1 + sum(x[t::64]) for t in range(marks)} and status == (marks < 64), f"sum_of_some, {marks}\n{out}{err}")


def said(out):
    return {int(t): float(s) for t, s in re.findall(r"thread (\d+) has (\S+)", out)}


def numbers(generator, n):
    return [float(generator.randint(-9, 9)) for _ in range(n)]


def vector(kiln, name, values):
    return kiln.write(name, npy.vector("<f4", values))
