# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops of a constant number of turns over tuples and small arrays. All values are small integers: exact in Float32."""
import random

import npy

FILE = ["tuple_loops.jl"]
ROWS = 5


def check(kiln, checks):
    generator = random.Random(23)
    for n in (1, 2, 5, 8, 13):
        x = [generator.randint(-3, 9) for _ in range(ROWS * n)]
        rows = [x[i * n:(i + 1) * n] for i in range(ROWS)]
        run(kiln, checks, "ways", n, x, f"zeros(Float32, 6, {ROWS})", lambda got: [[got[j, i] for j in range(6)] for i in range(ROWS)], [ways(t) for t in rows])
        run(kiln, checks, "sorted", n, x, f"zeros(Float32, {ROWS * n})", lambda got: [list(got[i * n + k] for k in range(n)) for i in range(ROWS)], [sorted(t) for t in rows])
        run(kiln, checks, "pairs_of", n, x, f"zeros(Float32, {ROWS})", flat, [sum(t[a] * t[b] for a in range(n) for b in range(a, n)) for t in rows])
        at = [generator.randint(1, n) for _ in range(n)]
        run(kiln, checks, "picked", n, x, f"zeros(Float32, {ROWS})", flat, [sum(t[a - 1] * (k + 1) for k, a in enumerate(at)) for t in rows],
            [kiln.write("at", npy.vector("<i8", at))])
    for n in (1, 5, 9):
        x = [generator.randint(-2, 2) for _ in range(ROWS * 3 * n)]
        run(kiln, checks, "rows_of", n, x, f"zeros(Float32, {ROWS})", flat, [spread(x[i * 3 * n:(i + 1) * 3 * n]) for i in range(ROWS)])
    for n, turns in ((1, 3), (4, 0), (6, 5), (9, 2)):
        x = [generator.randint(-2, 2) for _ in range(ROWS + n + 2 * turns + 1)]
        run(kiln, checks, "tile", n, x, f"zeros(Float32, {ROWS})", flat, [tile(x, i, n, turns) for i in range(1, ROWS + 1)], [str(turns)])


def run(kiln, checks, kernel, n, x, result, shape, expected, more=()):
    for options in ((), ("-O0",), ("-O3",)):
        got, = kiln.run(FILE, kernel, [result, kiln.write("x", npy.vector("<f4", x)), *more, f"Val({n})"], threads=ROWS, out=[1], options=options)
        for i, (g, e) in enumerate(zip(shape(got), expected)):
            checks.true(g == e, f"{kernel} of {n} {' '.join(options)}, thread {i}: {g}, expected {e}")


def flat(got):
    return [got[i] for i in range(ROWS)]


def ways(t):
    a = 0
    for e in t:
        a = 3 * a - e
    c = 0
    for k in range(len(t), 0, -2):
        c = 2 * c + t[k - 1]
    until = t.index(7) if 7 in t else len(t)
    return [a, sum((k + 1) * e for k, e in enumerate(t)), c, sum(e * f for e, f in zip(t, reversed(t))), sum(t[:until]), max([0] + t[::2])]


def spread(t):
    return sum((e - sum(t)) ** 2 for e in t)


def tile(x, i, n, turns):
    return sum((a - 2 * b) * x[i + a + k - 1] * x[i + b + 2 * k - 1] for a in range(1, n + 1) for b in range(1, n + 1) for k in range(turns))
