# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Barriers that all threads pass together, and the same kernels where that is not known: values, conditions, exceptions."""
import os
import random

import npy
from exceptions import on_device

FILE = ["barriers.jl"]
PATHS = ("together", "apart")


def check(kiln, checks):
    generator = random.Random(5)
    for threads, order in ((1, 0), (2, 7), (8, 1234)):
        os.environ["KILN_CPU_THREADS"], os.environ["KILN_CPU_ORDER"] = str(threads), str(order)
        try:
            for path in PATHS:
                kinds(kiln, checks, generator, path)
                ways(kiln, checks, path)
                halves(kiln, checks, generator, path)
                if threads == 1:
                    conditions(kiln, checks, path)
                    turned(kiln, checks, path)
            crosses(kiln, checks, generator)
            exceptions(kiln, checks)
        finally:
            del os.environ["KILN_CPU_THREADS"], os.environ["KILN_CPU_ORDER"]


def wrapped(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def mod1(a, n):
    return (a - 1) % n + 1


def kinds(kiln, checks, generator, path):
    n, blocks, rounds = generator.choice([(37, 3), (128, 2), (1, 2), (150, 1)]) + (generator.choice([0, 1, 3]),)
    x = [generator.randint(-100, 100) for _ in range(n * blocks)]
    got, = kiln.run(FILE, "kinds_" + path, [f"zeros(Float64, {n * blocks}, 13)", kiln.write("x", npy.vector("<i8", x)), str(rounds)], threads=n, blocks=blocks, out=[1])
    for b in range(blocks):
        mine = x[b * n:b * n + n]
        value, odd = list(mine), [v % 2 == 1 for v in mine]
        small, real, pair = [v & 255 for v in mine], [v / 4 for v in mine], [[v + 1, v * 0.5] for v in mine]
        both = [[v, 1 if o else 2] for v, o in zip(mine, odd)]
        at = [v if o else x[0] for v, o in zip(mine, odd)]
        arrays = [[v + k for k in range(1, 5)] for v in mine]
        for r in range(1, rounds + 1):
            other = value[::-1]
            for inner in range(1, r + 1):
                s = [o + inner for o in other]
                value = [v + s[mod1(t + 2, n) - 1] for t, v in enumerate(value)]
                for t in range(n):
                    arrays[t][mod1(r + inner + t + 1, 4) - 1] += value[t]
            for t in range(n):
                small[t] = (small[t] + other[t]) & 255
                real[t] += other[t]
                odd[t] = odd[t] != (other[t] > value[t])
                pair[t] = [pair[t][0] + other[t], pair[t][1] + 0.5]
                both[t] = [both[t][0] - other[t], both[t][1] + 1]
        for t in range(n):
            wanted = [value[t], small[t], real[t], float(odd[t])] + pair[t] + both[t] + [at[t]] + arrays[t]
            line = [got[b * n + t, c] for c in range(13)]
            checks.true(line == wanted, f"kinds {path}, thread {t + 1} of {n}, block {b + 1}, {rounds} rounds: {line}, expected {wanted}")


def ways(kiln, checks, path):
    shape, n, blocks = "6,4", 24, 4
    for way in (0, 1, 2):
        for steps in (0, 1, 5):
            got, = kiln.run(FILE, "ways_" + path, [f"zeros(Int64, {n}, {blocks})", str(way), str(steps)], threads=shape, blocks=blocks, out=[1])
            for b in range(1, blocks + 1):
                v = [t * b for t in range(1, n + 1)]
                if way == 1:
                    v = [a + c for a, c in zip(v, v[::-1])]
                elif way == 2 and b > 1:
                    v = [2 * c - (n - t) for t, c in enumerate(v[::-1])]
                d = 1
                while d < steps:
                    v = [a + c + d for a, c in zip(v, v[::-1])]
                    d *= 2
                    if b % 2 == 0:
                        break
                for k in range(1, steps + 1):
                    if k != way:
                        v = [c + k for c in v[::-1]]
                checks.true([got[t, b - 1] for t in range(n)] == v, f"ways {path}, {way}, {steps} steps, block {b}")


def conditions(kiln, checks, path):
    width, height = 21, 3
    for a, b, far in ((5, 2, 0), (0, 30, 10), (-4, 3, -70), (21, 20, 2**63 - 64), (22, 1, 2**62), (1, 1, -2**63), (40, -2, 2**63 - 1), (7, 13, -3)):
        got, = kiln.run(FILE, "conditions_" + path, [f"zeros(Int64, {width * height})", str(a), str(b), f"Int64({far})" if far != -2**63 else "typemin(Int64)"],
                        threads=f"{width},{height}", out=[1])
        for t in range(1, width * height + 1):
            x, y = (t - 1) % width + 1, (t - 1) // width + 1
            i = wrapped(t + far, 64)
            holds = [x <= a, x < a, x >= a, a < x, x == a, x != a, a - x > b, b - x <= a, b < x <= a, x <= a or x > b, not (x <= a or x == b),
                     (x - b) % 2**32 < a % 2**32, wrapped(x + 100, 8) > wrapped(b, 8), i <= wrapped(a + far, 64), i > far, y == b, y <= b and x >= a,
                     2 * x < a, x & 3 == 1, i % 2**64 < (a + far) % 2**64]
            wanted = sum(1 << k for k, h in enumerate(holds) if h)
            checks.true(got[t - 1] == wanted, f"conditions {path} of thread ({x}, {y}), {a, b, far}: {got[t - 1]:b}, expected {wanted:b}")


def halves(kiln, checks, generator, path):
    for n in (1, 2, 31, 100, 256):
        x = [generator.randint(-99, 99) for _ in range(3 * n - n // 2)]
        got, = kiln.run(FILE, "halves_" + path, ["zeros(Int32, 3)", kiln.write("x", npy.vector("<i4", x))], threads=n, blocks=3, out=[1], options=["--shmem", str(4 * n)])
        checks.true(list(got.items) == [sum(x[k * n:k * n + n]) for k in range(3)], f"sums of blocks of {n}, {path}: {list(got.items)}")


def turned(kiln, checks, path):
    got, = kiln.run(FILE, "turned_" + path, ["zeros(Int32, 4, 5, 3)"], threads="4,5,3", out=[1])
    for x in range(4):
        for y in range(5):
            for z in range(3):
                wanted = 4 - x + 10 * (5 - y) + 100 * (3 - z)
                checks.true(got[x, y, z] == wanted, f"turned {path} at {x, y, z}: {got[x, y, z]}, expected {wanted}")


def crosses(kiln, checks, generator):
    """Tiles of 16 x 16 under blocks that are as wide, narrower, and of other heights: the sums of each thread's row and column."""
    for width, height in ((16, 16), (16, 4), (16, 1), (8, 8), (15, 2), (5, 3), (1, 16)):
        rows, cols = width * 2, height * 3
        x = [[float(generator.randint(-9, 9)) for _ in range(rows)] for _ in range(cols)]
        flat = kiln.write("x", npy.vector("<f4", [v for column in x for v in column]))
        got, = kiln.run(FILE, "cross_sums", [f"zeros(Float32, {rows * cols})", flat, str(rows)], threads=f"{width},{height}", blocks="2,3", out=[1])
        wanted = []
        for c in range(cols):
            for r in range(rows):
                r0, c0 = r - r % width, c - c % height
                wanted.append(6 * (sum((k + 1) * x[c][r0 + k] for k in range(width)) + sum(x[c0 + k][r] for k in range(height))))
        checks.true(list(got.items) == wanted, f"cross_sums, {width} x {height}")


def exceptions(kiln, checks):
    goes_on = on_device("barriers:one_throws")
    for shape, last in (("5", 5), ("5", 1), ("4,4", 7)):
        threads = 5 if shape == "5" else 16
        _, out, err, status = kiln.start(FILE, "one_throws", ["zeros(Int64, 64)", str(last)], threads=shape, blocks=4)
        whole = sum(range(2, threads + 2))
        # the one that threw has not added its second part, and who prints is still there
        wanted = {f"block 1 has {whole}", f"block 2 has {whole - 1}", f"block 4 has {whole}"}
        checks.true(status == 1 and "BoundsError" in err and (not goes_on or set(out.split("\n")) - {""} == wanted), f"one of {shape} threads throws: {status}\n{out}{err}")
