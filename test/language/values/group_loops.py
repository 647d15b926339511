# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops in kernels that neither wait nor throw, which the threads of a block run together."""
import math
import random

import npy

FILE = ["loops.jl"]


def check(kiln, checks):
    generator = random.Random(17)
    for threads, blocks, n in ((64, 2, 100), (1, 3, 3), (7, 5, 33), (256, 1, 256), (32, 4, 0)):
        collatz(kiln, checks, generator, threads, blocks, n)
    columns(kiln, checks, generator)
    for threads, rounds in ((33, 4), (8, 1), (100, 7), (5, 0)):
        nested(kiln, checks, threads, rounds)
    search(kiln, checks, generator)
    for shape, n in (("16", 12), ("5,9", 45), ("64", 200)):
        meet(kiln, checks, shape, n)
    ways(kiln, checks)


def collatz(kiln, checks, generator, threads, blocks, n):
    x = [generator.randint(1, 10**6) for _ in range(n)]
    for limit in (0, 10, 1000):
        got, = kiln.run(FILE, "collatz", [f"zeros(Int64, {max(n, 1)})", kiln.write("x", npy.vector("<i8", x)), str(limit)], threads=threads, blocks=blocks, out=[1])
        for i, v in enumerate(x):
            steps = 0
            while v != 1 and steps < limit:
                v, steps = v // 2 if v % 2 == 0 else 3 * v + 1, steps + 1
            checks.true(got[i] == 1000 * steps + (1 if v == 1 else 2), f"collatz of {x[i]} with {limit}, {threads} threads: {got[i]}")


def columns(kiln, checks, generator):
    for rows, cols, out, threads, blocks in ((20, 6, 3, "8,2", "3,2"), (64, 9, 2, "64,1", "1,2"), (5, 0, 1, "3,1", "2,1")):
        x = [generator.randint(0, 5) for _ in range(rows * cols)]
        w = [generator.randint(-3, 3) for _ in range(cols)]
        got, = kiln.run(FILE, "columns", [f"zeros(Float32, {rows}, {out})", matrix(kiln, x, rows, cols), vector(kiln, "w", w)],
                        threads=threads, blocks=blocks, out=[1])
        for i in range(rows):
            for j in range(1, out + 1):
                kept = [(x[i + rows * k], w[k]) for k in range(cols) if x[i + rows * k] >= j]
                wanted = sum(v * weight for v, weight in kept) + max((v for v, _ in kept), default=-math.inf)
                checks.true(got[i, j - 1] == wanted, f"columns of {rows} x {cols} at {i, j}: {got[i, j - 1]}, expected {wanted}")


def matrix(kiln, values, rows, cols):
    if not values:
        return f"zeros(Float32, {rows}, {cols})"
    return kiln.write("m", npy.Array("<f4", (rows, cols), values))


def vector(kiln, name, values):
    return kiln.write(name, npy.vector("<f4", values)) if values else "zeros(Float32, 0)"


def nested(kiln, checks, threads, rounds):
    blocks = 3
    for far in (5, -1000):
        got, = kiln.run(FILE, "nested", [f"zeros(Int64, {threads}, {blocks})", str(rounds), str(far)], threads=threads, blocks=blocks, out=[1])
        for t in range(1, threads + 1):
            for b in range(1, blocks + 1):
                total, last = 0, -1
                for r in range(1, rounds + 1):
                    v, found = t * r, 0
                    while v > b:
                        v, found = v - 3, found + 1
                        if v == far:
                            last = r
                            break
                        if found > 40:
                            break
                    total += found * r + v - (t if r % 2 else 0)
                checks.true(got[t - 1, b - 1] == 100 * total + last, f"nested loops of thread {t}, block {b}, {rounds} rounds: {got[t - 1, b - 1]}")


def search(kiln, checks, generator):
    for length in (0, 1, 40):
        values = sorted(generator.randint(-5, 60) for _ in range(length))
        got, = kiln.run(FILE, "search", ["zeros(Int32, 50)", kiln.write("s", npy.vector("<i4", values)) if values else "zeros(Int32, 0)"], threads=50, out=[1])
        for t in range(1, 51):
            wanted = next((k for k, v in enumerate(values) if v > t), length)
            checks.true(got[t - 1] == wanted, f"search for {t} among {length}: {got[t - 1]}, expected {wanted}")


def meet(kiln, checks, shape, n):
    threads = math.prod(int(side) for side in shape.split(","))
    got, = kiln.run(FILE, "meet", [f"zeros(Int64, {threads})", str(n)], threads=shape, out=[1])
    for t in range(1, threads + 1):
        wanted = math.gcd(t, n) if t <= n else 0
        checks.true(got[t - 1] == wanted, f"the divisor of {t} and {n}: {got[t - 1]}, expected {wanted}")


def ways(kiln, checks):
    for base in (-3, -1, 0, 1, 2):
        for exponent in (-4, -3, 0, 1, 6):
            if exponent >= 0:
                wanted = base**exponent
            else:
                wanted = {1: 1, -1: 1 if exponent % 2 == 0 else -1, 0: 77}.get(base, 0)
            for threads in (1, 9):
                got, = kiln.run(FILE, "ways", [f"zeros(Int64, {threads})", str(base), str(exponent)], threads=threads, out=[1])
                checks.true(list(got) == [wanted] * threads, f"ways of {base} and {exponent}, {threads} threads: {list(got)}, expected {wanted}")
