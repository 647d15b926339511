# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of matrices by a warp: every shape, type and layout that the hardware has. Elements are small integers, so every sum is exact."""
import random
import struct

import npy

FILE = ["wmma.jl"]
SHAPES = [(16, 16, 16), (32, 8, 16), (8, 32, 16)]
# (elements of A and B, of C, of D), shapes, the largest element
KINDS = [(("Float16", "Float32", "Float32"), SHAPES, 5), (("Float16", "Float16", "Float16"), SHAPES, 5), (("Float16", "Float16", "Float32"), SHAPES[:1], 5),
         (("Float16", "Float32", "Float16"), SHAPES[:1], 5), (("BFloat16", "Float32", "Float32"), SHAPES, 9), (("Int8", "Int32", "Int32"), SHAPES, 127),
         (("UInt8", "Int32", "Int32"), SHAPES, 255), (("Float32", "Float32", "Float32"), [(16, 16, 8)], 1000), (("Float64", "Float64", "Float64"), [(8, 8, 4)], 2**20)]
DESCR = {"Float16": "<f2", "BFloat16": "<u2", "Float32": "<f4", "Float64": "<f8", "Int8": "|i1", "UInt8": "|u1", "Int32": "<i4"}


def matrix(rows, cols, order, stride, at):
    """A matrix in memory: at(row, col) where it is, 0 in the gaps between its columns (or rows)."""
    lines, length = (cols, rows) if order == 1 else (rows, cols)
    return [0 if i >= length else at(i, j) if order == 1 else at(j, i) for j in range(lines) for i in range(stride)]


def bfloat(x):
    return struct.unpack("<I", struct.pack("<f", x))[0] >> 16


def check(kiln, checks):
    generator = random.Random(5)
    for (t, s, d), shapes, limit in KINDS:
        for m, n, k in shapes:
            orders = [[generator.choice([1, 2]) for _ in range(3)] for _ in range(2)]
            for order in [[a, b, c] for a in (1, 2) for b in (1, 2) for c in (1, 2)] if (m, t, s) == (16, "Float16", "Float32") else orders:
                product(kiln, checks, generator, (t, s, d), (m, n, k), order, limit)
    registers(kiln, checks, generator)
    a, b = ([[generator.randint(-4, 4) for _ in range(16)] for _ in range(16)] for _ in range(2))
    args = ["zeros(Float32, 16, 16)"] + [kiln.write(name, npy.Array("<f2", (16, 16), [x[i][j] for j in range(16) for i in range(16)])) for name, x in (("a", a), ("b", b))]
    out, = kiln.run(FILE, "scaled", args + ["Float16(3)"], threads=32, out=[1])
    for i in range(16):
        for j in range(16):
            wanted = max(3 * sum(a[i][q] * b[q][j] for q in range(16)) + 1 - 2, 0)
            checks.true(out[j, i] == wanted, f"scaled {i, j}: expected {wanted}, got {out[j, i]}")


def registers(kiln, checks, generator):
    for t, d, limit, shapes in (("Float16", "Float32", 5, [(16, 8, 8), (16, 8, 16)]), ("BFloat16", "Float32", 9, [(16, 8, 8), (16, 8, 16)]), ("Float32", "Float32", 1000, [(16, 8, 4), (16, 8, 8)]),
                                ("Float64", "Float64", 2**20, [(8, 8, 4)]), ("Int8", "Int32", 127, [(8, 8, 16), (16, 8, 16), (16, 8, 32)]), ("UInt8", "Int32", 255, [(8, 8, 16), (16, 8, 16), (16, 8, 32)])):
        for m, n, k in shapes:
            low = 0 if t == "UInt8" else -limit
            a, b, c = ([[generator.randint(*limits) for _ in range(cols)] for _ in range(rows)] for rows, cols, limits in ((m, k, (low, limit)), (k, n, (low, limit)), (m, n, (-50, 50))))
            files = [kiln.write(name, npy.Array(DESCR[e], (len(x), len(x[0])), [bfloat(v) if e == "BFloat16" else v for v in matrix(len(x), len(x[0]), 1, len(x), lambda i, j, x=x: x[i][j])]))
                     for name, x, e in (("a", a, t), ("b", b, t), ("c", c, d))]
            per_word = 1 if t in ("Float64", "Float32") else 2 if "16" in t else 4
            out, = kiln.run(FILE, "bfloat_registers" if t == "BFloat16" else "registers",
                            [f"zeros({d}, {m}, {n})"] + files + [t, f"Val({(m, n, k)})", f"Val({m * k // 32 // per_word})", f"Val({n * k // 32 // per_word})"], threads=32, out=[1])
            wrong = [(i, j) for i in range(m) for j in range(n) if out[i, j] != sum(a[i][q] * b[q][j] for q in range(k)) + c[i][j]]
            checks.true(not wrong, f"mma.sync {t} {(m, n, k)}: {len(wrong)} of {m * n} differ, first {wrong[:1]}")
    a, b = ([[generator.randint(-5, 5) for _ in range(cols)] for _ in range(16)] for cols in (16, 8))
    files = [kiln.write(name, npy.Array("<f2", (16, len(x[0])), matrix(16, len(x[0]), 1, 16, lambda i, j, x=x: x[i][j]))) for name, x in (("a", a), ("b", b))]
    out, = kiln.run(FILE, "by_ldmatrix", ["zeros(Float32, 16, 8)"] + files, threads=32, out=[1])
    wrong = [(i, j) for i in range(16) for j in range(8) if out[i, j] != sum(a[i][q] * b[q][j] for q in range(16))]
    checks.true(not wrong, f"ldmatrix: {len(wrong)} differ, first {wrong[:1]}")


def product(kiln, checks, generator, types, shape, order, limit):
    t, s, d = types
    m, n, k = shape
    low = 0 if t == "UInt8" else -limit
    a, b, c = ([[generator.randint(*limits) for _ in range(cols)] for _ in range(rows)] for rows, cols, limits in ((m, k, (low, limit)), (k, n, (low, limit)), (m, n, (-50, 50))))
    sides = [(m, k), (k, n), (m, n)]
    strides = [(rows if o == 1 else cols) + 16 for (rows, cols), o in zip(sides, order)]
    files = []
    for name, x, (rows, cols), o, stride, element in zip("abc", (a, b, c), sides, order, strides, (t, t, s)):
        items = matrix(rows, cols, o, stride, lambda i, j: x[i][j])
        files.append(kiln.write(name, npy.vector(DESCR[element], [bfloat(v) for v in items] if element == "BFloat16" else items)))
    size = strides[2] * (n if order[2] == 1 else m)
    out, = kiln.run(FILE, "bfloat_product" if t == "BFloat16" else "product", [f"zeros({d}, {size})"] + files + [f"Val({shape})", f"Val({tuple(order)})"] + [str(x) for x in strides], threads=32, out=[1])
    wanted = matrix(m, n, order[2], strides[2], lambda i, j: sum(a[i][q] * b[q][j] for q in range(k)) + c[i][j])
    wrong = [i for i in range(size) if out[i] != wanted[i]]
    checks.true(not wrong, f"{types} {shape} layouts {order}: {len(wrong)} of {size} differ" + (f", first {wrong[0]}: expected {wanted[wrong[0]]}, got {out[wrong[0]]}" if wrong else ""))
