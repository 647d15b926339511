# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What came with sm_90: barriers that count bytes, bulk copies, products by a warpgroup from every layout in shared memory. Elements are
small integers, so every sum is exact; layouts are those of the PTX manual's "canonical layouts", computed here."""
import os
import random
import struct

import npy

FILE = ["hopper.jl"]
DESCR = {"Float16": "<e", "BFloat16": "<e", "Float32": "<f", "Int8": "<b", "UInt8": "<B"}
BYTES = {"Float16": 2, "BFloat16": 2, "Float32": 4, "Int8": 1, "UInt8": 1}


def check(kiln, checks):
    barriers(kiln, checks)
    copies(kiln, checks)
    generator = random.Random(11)
    for t in ("Float16", "BFloat16"):
        for along in ("kk", "ik", "ki", "ii"):
            for swizzle in (0, 32, 64, 128):
                n = generator.choice([8, 16, 64, 128]) if (along, swizzle) != ("ik", 128) else 256
                product(kiln, checks, generator, t, along, swizzle, n, keep=generator.random() < 0.5)
    for t, columns in (("Float32", 24), ("Int8", 32), ("UInt8", 96)):
        for swizzle in (0, 128, 32):
            product(kiln, checks, generator, t, "kk", swizzle, columns, keep=swizzle != 0)


def barriers(kiln, checks):
    for n, turns, blocks in ((1, 3, 2), (7, 2, 1), (96, 5, 3)):
        x = list(range(1, n + 1))
        for _ in range(turns):
            x = [3 * x[i] + x[(i + 1) % n] for i in range(n)]
        got, = kiln.run(FILE, "rounds", [f"zeros(Int64, {n * blocks})", str(turns)], threads=n, blocks=blocks, out=[1])
        checks.true(list(got.items) == x * blocks, f"rounds of {n} threads: expected {x * blocks}, got {list(got.items)}")
    got, = kiln.run(FILE, "phases", ["zeros(Int64, 14)"], out=[1])
    wanted = [0, 1, 3, 2, 0, 0, 0, 1, 1, 0, 3, 0, 1, 0]
    checks.true(list(got.items) == wanted, f"phases: expected {wanted}, got {list(got.items)}")


def copies(kiln, checks):
    for count in (1, 2, 9):
        x = [float(i % 97) for i in range(64 * count)]
        got, = kiln.run(FILE, "doubled", [f"zeros(Float32, {len(x)})", kiln.write("x", npy.vector("<f4", x))], threads=64, out=[1])
        wanted = [2 * v + i // 64 + 1 for i, v in enumerate(x)]
        checks.true(list(got.items) == wanted, f"doubled: {count} blocks differ")
    if os.environ.get("KILN_VALUES_DEVICE", "cpu") == "cpu":  # a GPU's answer is undefined
        _, _, err, status = kiln.start(FILE, "crooked", ["zeros(Float32, 1)", "zeros(Float32, 64)", "24"])
        checks.true(status == 1 and "multiples of 16" in err, f"crooked: status {status}\n{err}")


def layout(rows, depth, size, along, swizzle):
    """(stride, lead, step from one instruction's part to the next, bytes, place): the matrix as densely as it lies."""
    groups = (rows + 7) // 8
    if along == "k" and swizzle:
        stride = 8 * swizzle
        return stride, 16, 32, groups * stride, lambda i, k: i % 8 * swizzle + i // 8 * stride + k * size
    chunk = 16 // size
    if along == "k":
        lead = groups * 128
        return 128, lead, 2 * lead, depth // chunk * lead, lambda i, k: i % 8 * 16 + i // 8 * 128 + k // chunk * lead + k % chunk * size
    if swizzle:
        span, stride = swizzle // size, 8 * swizzle
        lead = depth // 8 * stride
        return stride, lead, 2 * stride, (rows + span - 1) // span * lead, lambda i, k: i % span * size + i // span * lead + k % 8 * swizzle + k // 8 * stride
    lead = groups * 128
    return 128, lead, 2 * lead, depth // 8 * lead, lambda i, k: i % chunk * size + i // chunk * 128 + k % 8 * 16 + k // 8 * lead


def encoded(t, x):
    return struct.pack("<f", x)[2:] if t == "BFloat16" else struct.pack(DESCR[t], x)


def memory(t, matrix, size, place, swizzle, encode=encoded):
    """The matrix's bytes as they lie in shared memory, whose start is a multiple of 1024."""
    data = bytearray(size)
    for i, row in enumerate(matrix):
        for k, x in enumerate(row):
            at = place(i, k)
            if swizzle:
                at ^= (at >> 7 & swizzle // 16 - 1) << 4
            element = encode(t, x)
            data[at:at + len(element)] = element
    return data


def product(kiln, checks, generator, t, along, swizzle, n, keep):
    size = BYTES[t]
    instruction = 32 // size
    steps = max(swizzle // 32, 1) if along == "kk" else 1 if "k" in along and swizzle == 32 else 2
    depth = steps * instruction
    low, high = (0, 255) if t == "UInt8" else (-127, 127) if t == "Int8" else (-9, 9)
    a = [[generator.randint(low, high) for _ in range(depth)] for _ in range(64)]
    b = [[generator.randint(low, high) for _ in range(depth)] for _ in range(n)]
    d = [[generator.randint(-50, 50) for _ in range(n)] for _ in range(64)]
    stride_a, lead_a, step_a, size_a, place_a = layout(64, depth, size, along[0], swizzle)
    stride_b, lead_b, step_b, size_b, place_b = layout(n, depth, size, along[1], swizzle)
    size_a = (size_a + 1023) // 1024 * 1024
    files = [kiln.write(name, npy.vector("|u1", list(memory(t, x, bytes_, place, swizzle)))) for name, x, bytes_, place in (("a", a, size_a, place_a), ("b", b, size_b, place_b))]
    result = "<f4" if "Float" in t else "<i4"
    file_d = kiln.write("d", npy.Array(result, (64, n), [d[i][j] for j in range(n) for i in range(64)]))
    options = ["--shmem", str(size_a + size_b + 1024)]
    if os.environ.get("KILN_VALUES_DEVICE", "cpu") != "cpu":
        options += ["--arch", "sm_90a"]
    args = [file_d] + files + [t, f"Val((:{along[0]}, :{along[1]}))", f"Val({swizzle})", f"({stride_a}, {lead_a}, {stride_b}, {lead_b}, {step_a}, {step_b})", f"Val({n // 2})", str(steps), str(keep).lower()]
    out, = kiln.run(FILE, "product", args, threads=128, out=[1], options=options)
    wrong = [(i, j) for i in range(64) for j in range(n) if out[i, j] != sum(x * y for x, y in zip(a[i], b[j])) + (d[i][j] if keep else 0)]
    checks.true(not wrong, f"wgmma {t} along {along}, swizzle {swizzle}, {n} columns: {len(wrong)} differ, first {wrong[:1]}")
