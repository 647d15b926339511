# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of many threads as users write them, against loops in Python."""
import math
import random

import npy
from numbers_of import rounded


def f32(x):
    return rounded("Float32", x)


def same(checks, got, wanted, what, tolerance=0.0):
    wanted = list(wanted)
    bad = [(i, g, w) for i, (g, w) in enumerate(zip(got, wanted)) if not abs(g - w) <= tolerance * max(1.0, abs(w))]
    checks.true(len(got) == len(wanted) and not bad, f"{what}: {len(bad)} of {len(wanted)} differ, first {bad[:1]}")


def scans(run, checks, r):
    xs = [r.randint(-50, 50) for _ in range(150)]
    out, sums = run("scan_kernel", ["+", "zeros(Int64, 150)", npy.vector("<i4", xs), "zeros(Int64, 3)", "Val(64)"], 64, 3, [2, 4])
    wanted = [sum(xs[i // 64 * 64:i + 1]) for i in range(150)]
    same(checks, out.items, wanted, "scan")
    same(checks, sums.items, [sum(xs[64 * b:64 * b + 64]) for b in range(3)], "sums of scans")
    out, = run("scan_kernel", ["max", "zeros(Int32, 150)", npy.vector("<i4", xs), "nothing", "Val(64)"], 64, 3, [2])
    same(checks, out.items, [max(xs[i // 64 * 64:i + 1]) for i in range(150)], "scan by max")


def histograms(run, checks, r):
    xs = [f32(r.uniform(-0.1, 1.1)) for _ in range(999)]
    bins, = run("histogram", ["zeros(Int32, 20)", npy.vector("<f4", xs), "Binning(0f0, 1f0, Int32(20))"], 96, 3, [1], options=["--shmem", "80"])
    wanted = [0] * 20
    for x in xs:
        wanted[min(max(math.floor(f32(f32(x) * 20)), 0), 19)] += 1
    same(checks, bins.items, wanted, "histogram")


def particles(run, checks, r):
    made = "[Particle((Float32(i % 7) / 8, Float32(i % 5) / 8), (Float32(i % 3) - 1, Float32(i % 4) / 2 - 1), Int32(i), i % 7 != 0) for i in 1:40]"
    out, = run("run_steps", ["zeros(Float32, 6, 40)", made, "5", "0.125f0"], 16, 3, [1])
    wanted = []
    for i in range(1, 41):
        pos, vel, alive = [i % 7 / 8, i % 5 / 8], [i % 3 - 1.0, i % 4 / 2 - 1], i % 7 != 0
        for _ in range(5):
            if not alive:
                break
            for d in range(2):
                force = f32((-1.0 if d == 1 else 0.0) + f32(-0.5 * vel[d]))
                vel[d] = f32(vel[d] + f32(0.125 * force))
                pos[d] = f32(pos[d] + f32(0.125 * vel[d]))
                if pos[d] < 0:
                    pos[d], vel[d] = f32(-pos[d]), -vel[d]
                elif pos[d] > 1:
                    pos[d], vel[d] = f32(2 - pos[d]), -vel[d]
            alive = i % 3 != 0
        wanted += pos + vel + [i, alive]
    same(checks, out.items, wanted, "particles", 1e-5)


def stencils(run, checks, r):
    n, m = 13, 9
    a = npy.Array("<f8", (n, m), [r.random() for _ in range(n * m)])
    w = (0.5, -1.0, 2.0, 0.25, 1.5)
    for mode in ("wrap", "zero"):
        out, = run("stencil!", [f"zeros({n}, {m})", a, f"{w}", "2", f"Val(:{mode})"], "8,8", "2,2", [1])

        def at(i, j):
            if mode == "wrap":
                return a[i % n, j % m]
            return a[i, j] if 0 <= i < n and 0 <= j < m else 0.0
        wanted = [sum(w[d + 2] * (at(i + d, j) + at(i, j + d)) for d in range(-2, 3)) for j in range(m) for i in range(n)]
        same(checks, out.items, wanted, f"stencil {mode}", 1e-12)


def warps(run, checks, r):
    xs = [r.randint(0, 30) for _ in range(100)]
    vals, places = run("argmin_kernel", ["zeros(Int64, 4)", "zeros(Int32, 4)", npy.vector("<i8", xs)], 64, 2, [1, 2])
    for w in range(4):
        part = xs[32 * w:32 * w + 32]
        checks.true(vals[w] == min(part) and places[w] == 32 * w + part.index(min(part)) + 1, f"least of warp {w}")


def products(run, checks, r):
    a = npy.Array("<i4", (10, 21), [r.randint(-9, 9) for _ in range(210)])
    b = npy.Array("<i4", (21, 13), [r.randint(-9, 9) for _ in range(273)])
    plain = [sum(a[i, k] * b[k, j] for k in range(21)) for j in range(13) for i in range(10)]
    out, = run("tiled_matmul!", ["zeros(Int32, 10, 13)", a, b], "8,8", "2,2", [1])
    same(checks, out.items, plain, "tiled product")
    out, = run("tiled_matmul!", ["zeros(Int32, 10, 13)", a, b, "relu", "Val(4)"], "4,4", "3,4", [1])
    same(checks, out.items, [max(x, 0) for x in plain], "tiled product with relu")


def abstractions(run, checks, r):
    a = npy.Array("<f4", (20, 12), [f32(r.random()) for _ in range(240)])
    out, = run("ka_transpose!", ["zeros(Float32, 12, 20)", a, "Val(4)"], "4,4", "5,3", [1])
    same(checks, out.items, [a[i, j] for i in range(20) for j in range(12)], "transpose through local memory")
    x = [r.random() for _ in range(300)]
    out, = run("ka_sum!", ["zeros(2)", npy.vector("<f8", x)], 64, 2, [1])
    same(checks, out.items, [sum(x[k] for k in range(300) if k // 64 % 2 == g) for g in range(2)], "sums of groups", 1e-12)


def sparse_and_bits(run, checks, r):
    rows = [[(c, r.random()) for c in range(8) if r.random() < 0.4] for _ in range(11)]
    start = [1]
    for row in rows:
        start.append(start[-1] + len(row))
    col = [c + 1 for row in rows for c, _ in row]
    val = [v for row in rows for _, v in row]
    x = [r.random() for _ in range(8)]
    out, = run("spmv!", ["zeros(11)", npy.vector("<i4", start), npy.vector("<i4", col), npy.vector("<f8", val), npy.vector("<f8", x)], 4, 3, [1])
    same(checks, out.items, [sum(v * x[c] for c, v in row) for row in rows], "sparse product", 1e-12)
    ordered = sorted(r.sample(range(200), 40))
    keys = [r.randint(0, 220) for _ in range(50)]
    out, = run("search!", ["zeros(Int64, 50)", npy.vector("<i8", ordered), npy.vector("<i8", keys)], 50, 1, [1])
    wanted = []
    for k in keys:
        at = sum(x < k for x in ordered) + 1
        wanted.append(at if k in ordered else -at)
    same(checks, out.items, wanted, "binary search")
    xs, ys = [r.randrange(1 << 16) for _ in range(30)], [r.randrange(1 << 16) for _ in range(30)]
    out, = run("morton!", ["zeros(UInt32, 30)", npy.vector("<i8", xs), npy.vector("<u2", ys)], 30, 1, [1])
    same(checks, out.items, [sum((x >> b & 1) << 2 * b | (y >> b & 1) << 2 * b + 1 for b in range(16)) for x, y in zip(xs, ys)], "Morton codes")


def iterations(run, checks, r):
    out, = run("mandel!", ["zeros(Int32, 12, 9)", "12", "9", "40"], "8,8", "2,2", [1])
    wanted = []
    for j in range(9):
        for i in range(12):
            c, z, n = complex(3 * i / 12 - 2, 2 * j / 9 - 1), 0j, 0
            while n < 40 and z.real**2 + z.imag**2 <= 4:
                z, n = z * z + c, n + 1
            wanted.append(n)
    same(checks, out.items, wanted, "Mandelbrot")
    xs = [0.25, 2.0, 9.0, 100.0]
    out, = run("newton!", ["zeros(Float16, 4)", npy.vector("<f2", xs)], 4, 1, [1])
    same(checks, out.items, [math.sqrt(x) for x in xs], "square roots in halves", 1e-3)


def check(kiln, checks):
    count = 0

    def run(entry, args, threads, blocks, out, options=()):
        nonlocal count
        given = []
        for arg in args:
            if isinstance(arg, npy.Array):
                count += 1
                arg = kiln.write(f"u{count}", arg)
            given.append(arg)
        return kiln.run(["user_threads.jl"], entry, given, threads=threads, blocks=blocks, out=out, options=list(options))

    for part in (scans, histograms, particles, stencils, warps, products, abstractions, sparse_and_bits, iterations):
        part(run, checks, random.Random(7))
