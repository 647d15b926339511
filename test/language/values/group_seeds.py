# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of bench/seeds at small sizes: docs/examples/layer_norm.jl and linear.jl in each of the ways that their plans can ask for, and
bench/seeds/candidates.jl (adam.jl is in group_examples.py, einsum in test/system/bench)."""
import math
import os
import random

import npy
from kiln import HERE
from numbers_of import rounded

EXAMPLES = os.path.join(HERE, "..", "..", "..", "docs", "examples")
EPS = 1e-5


def half(x):
    return rounded("Float16", x)


def check(kiln, checks):
    generator = random.Random(17)
    for plan in PLANS:
        layer_norm(kiln, checks, generator, *plan)
    for shape in TILINGS:
        linear(kiln, checks, generator, *shape)
    for tile in ((32, 32, 4, 4, 4), (64, 32, 8, 8, 4)):
        candidate(kiln, checks, generator, tile, 64, 64, 16)


# H, V, N, T, R, sums, kept, order, depth, reads, writes; rows, blocks
PLANS = (
    (256, 8, 1, 32, 2, 1, "Float32", "late", 0, "once", "once", 5, 3),
    (256, 8, 1, 32, 1, 2, "Float32", "early", 0, "plain", "plain", 3, 3),
    (768, 8, 1, 96, 1, 1, "Float32", "early", 0, "once", "once", 3, 3),
    (520, 4, 3, 64, 2, 2, "Float16", "late", 0, "streaming", "streaming", 4, 2),      # vectors that some threads have not
    (514, 2, 3, 96, 1, 1, "Float32", "early", 0, "streaming", "streaming", 2, 2),
    (640, 8, 5, 32, 1, 1, "Float32", "late", 0, "plain", "plain", 2, 2),
    (512, 8, 1, 64, 2, 1, "Float32", "ahead", 0, "once", "streaming", 9, 2),          # blocks go over several rows, and the last one has too few
    (512, 8, 2, 32, 4, 2, "Float16", "ahead", 0, "plain", "plain", 9, 1),
    (520, 8, 3, 32, 1, 1, "Float32", "ahead", 3, "once", "once", 8, 2),
    (516, 4, 2, 96, 2, 2, "Float32", "ahead", 2, "streaming", "streaming", 7, 2),
    (2304, 8, 1, 288, 1, 1, "Float32", "late", 0, "once", "once", 2, 2),         # nine warps a row
)


def layer_norm(kiln, checks, generator, h, v, n, t, r, sums, kept, order, depth, reads, writes, rows, blocks):
    what = f"layer_norm H {h} V {v} N {n} T {t} R {r} {sums} {kept} {order} {depth} {reads} {writes}"
    # Rows far from 0, so that a variance by the difference of large sums would show.
    x = [half(generator.uniform(-2, 2) + 20 * (i // h % 3)) for i in range(h * rows)]
    vectors = [[half(generator.uniform(-1, 1)) for _ in range(h)] for _ in range(4)]
    given = ["zeros(Float16, %d, %d)" % (h, rows), kiln.write("x", npy.Array("<f2", (h, rows), x))]
    given += [kiln.write(f"v{i}", npy.Array("<f2", (h,), e)) for i, e in enumerate(vectors)] + ["1f-5", f"Plan{{{h},{v},{n},{t},{r},{sums},{kept},:{order},{depth},:{reads},:{writes}}}()"]
    options = ("--shmem", str(2 * v * n * t * r * depth)) if depth else ()
    out, = kiln.run([os.path.join(EXAMPLES, "layer_norm.jl")], "layer_norm", given, threads=t * r, blocks=blocks, out=[1], options=options)
    bias, bias2, weight, shift = vectors
    for row in range(rows):
        values = [x[row * h + i] + bias[i] + bias2[i] for i in range(h)]
        if kept == "Float16":
            values = [half(e) for e in values]
        mean = math.fsum(values) / h
        scale = 1 / math.sqrt(math.fsum((e - mean)**2 for e in values) / h + EPS)
        wanted = [(e - mean) * scale * weight[i] + shift[i] for i, e in enumerate(values)]
        wrong = [(i, out[i, row], e) for i, e in enumerate(wanted) if not abs(out[i, row] - e) <= 2e-3 * (1 + abs(e))]
        checks.true(not wrong, f"{what}, row {row}: {len(wrong)} elements, the first {wrong[:1]}")


# K, M, N, WM, WN, WK, rows, columns
TILINGS = ((128, 1, 1, 2, 1, 2, 32, 48), (64, 2, 3, 1, 2, 1, 32, 96), (96, 1, 2, 1, 1, 3, 16, 32), (256, 4, 1, 1, 2, 4, 64, 32))


def linear(kiln, checks, generator, k, m, n, wm, wn, wk, rows, columns):
    exact = lambda count: [generator.randint(-8, 8) / 8 for _ in range(count)]   # products and sums of these are exact in Float32
    x, w, b = exact(k * rows), exact(k * columns), exact(columns)
    given = [f"zeros(Float16, {columns}, {rows})", kiln.write("x", npy.Array("<f2", (k, rows), x)), kiln.write("w", npy.Array("<f2", (k, columns), w)),
             kiln.write("b", npy.Array("<f2", (columns,), b)), f"Tiling{{{k},{m},{n},{wm},{wn},{wk},1}}()"]
    out, = kiln.run([os.path.join(EXAMPLES, "linear.jl")], "linear", given, threads=32 * wm * wn * wk, blocks=f"{columns // (8 * n * wn)},{rows // (16 * m * wm)}", out=[1])
    wrong = [(r, c) for r in range(rows) for c in range(columns)
             if out[c, r] != half(b[c] + sum(p * q for p, q in zip(x[r * k:(r + 1) * k], w[c * k:(c + 1) * k])))]
    checks.true(not wrong, f"linear K {k} M {m} N {n} warps {wm}x{wn}x{wk}: {len(wrong)} elements differ, the first {wrong[:1]}")


def candidate(kiln, checks, generator, tile, m, n, k):
    a, b = [generator.randint(-3, 3) for _ in range(m * k)], [generator.randint(-3, 3) for _ in range(k * n)]
    given = [f"zeros(Float32, {m * n})", kiln.write("a", npy.vector("<f4", a)), kiln.write("b", npy.vector("<f4", b)), f"Int32({n})", f"Int32({k})", f"Val({tile})"]
    out, = kiln.run([os.path.join(HERE, "..", "..", "..", "bench", "seeds", "candidates.jl")], "tiled_product", given, threads=tile[0] * tile[1] // (tile[3] * tile[4]),
                    blocks=f"{n // tile[1]},{m // tile[0]}", out=[1])
    wrong = [(i, j) for i in range(m) for j in range(n) if out[i * n + j] != sum(a[i * k + d] * b[d * n + j] for d in range(k))]
    checks.true(not wrong, f"tiled_product {tile}: {len(wrong)} elements differ, the first {wrong[:1]}")
