# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic operations with orderings and scopes, on every type; Atomix by its names."""
import functools
import random
import struct

import npy

FILE = ["ordered_atomics.jl"]
ORDERS = ["monotonic", "acquire", "release", "acq_rel", "seq_cst"]
SCOPES = ["block", "device", "system"]
INTEGERS = {"Int8": "|i1", "Int16": "<i2", "Int32": "<i4", "Int64": "<i8", "UInt8": "|u1", "UInt16": "<u2", "UInt32": "<u4", "UInt64": "<u8"}


def wrapped(name, x):
    bits = int(name.lstrip("UInt"))
    x %= 1 << bits
    return x - (1 << bits) if name[0] == "I" and x >> (bits - 1) else x


def check(kiln, checks):
    generator = random.Random(17)
    threads, blocks = 40, 3
    n = threads * blocks
    bits = [1 << i % 7 for i in range(n)]
    for name, descr in INTEGERS.items():
        for order in ORDERS:
            scope = generator.choice(SCOPES[1:]) # more than one block
            start = [0, 0, 0, 0, -1 if name[0] == "I" else 2**int(name[4:]) - 1, 0, 100, 0, 0, 0, 0, 0, 0]
            out, = kiln.run(FILE, "integers", [kiln.write("o", npy.vector(descr, start)), f"UnsafeAtomics.{order}", f"UnsafeAtomics.{scope}"], threads=threads, blocks=blocks, out=[1])
            wanted = [n, -n, 127, functools.reduce(lambda x, y: x ^ y, bits), ~127, min(n, 99), 1, 2 * n, n, 0, n, 7, 1]
            wanted = [wrapped(name, x) for x in wanted]
            checks.true(list(out.items) == wanted, f"{name} {order} {scope}: {list(out.items)}, expected {wanted}")
    out, = kiln.run(FILE, "integers", ["zeros(Int32, 13)", "UnsafeAtomics.acq_rel", "UnsafeAtomics.block"], threads=64, out=[1])
    checks.true(out[0] == 64 and out[8] == 64 and out[10] == 64, f"of one block: {list(out.items)}")
    for name in ("Float16", "Float32", "Float64", "BFloat16"):
        for order in ORDERS:
            entry, given = ("bfloats", "zeros(UInt16, 6)") if name == "BFloat16" else ("floats", f"zeros({name}, 6)")
            out, = kiln.run(FILE, entry, [given, f"UnsafeAtomics.{order}", f"UnsafeAtomics.{generator.choice(SCOPES[1:])}"], threads=threads, blocks=blocks, out=[1])
            got = [struct.unpack("<f", struct.pack("<I", x << 16))[0] for x in out.items] if name == "BFloat16" else list(out.items)
            wanted = [n, -n / 2, n, -n, n / 2, 3]
            checks.true(got == wanted, f"{name} {order}: {got}, expected {wanted}")
    out, = kiln.run(FILE, "tickets", [f"zeros(Int64, {n})", "zeros(Int64, 1)"], threads=threads, blocks=blocks, out=[1])
    checks.true(sorted(out.items) == list(range(1, n + 1)), "each thread has a ticket of its own")
    out, = kiln.run(FILE, "last_block", ["zeros(Int64, 1)", "zeros(Int64, 50)", "zeros(Int64, 1)"], threads=8, blocks=50, out=[1])
    checks.true(out[0] == 50 * 51 // 2, f"the last block sees what all wrote: {out[0]}")
    out, = kiln.run(FILE, "references", ["zeros(Int64, 6)"], out=[1])
    checks.true(list(out.items) == [10, 30, 5, 1, 10, 1030], f"references: {list(out.items)}")
    scatter(kiln, checks, generator)


def scatter(kiln, checks, generator):
    """A duplicate index is where an update that is not atomic would be lost."""
    operations = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y, "/": lambda x, y: x / y, "max": max, "min": min}
    for name, descr in (("Float32", "<f4"), ("Float64", "<f8"), ("Int32", "<i4")):
        for op, function in operations.items():
            if name == "Int32" and op == "/":
                continue
            # Powers of two, so that products and quotients are exact.
            src = [generator.choice([1, 2] if op in "*/" else [-3, -2, 5, 7]) for _ in range(90)]
            idx = [generator.randint(1, 5) for _ in src]
            start = [4, 8, 16, 32, 64]
            dst = npy.Array(descr, (2, 5), [x for s in start for x in (s, 99)])
            out, = kiln.run(FILE, "scattered", [kiln.write("dst", dst), op, kiln.write("idx", npy.vector("<i8", idx)), kiln.write("src", npy.vector(descr, src))],
                            threads=32, blocks=3, out=[1])
            wanted = list(start)
            for i, x in zip(idx, src):
                wanted[i - 1] = function(wanted[i - 1], x)
            got = [out[0, j] for j in range(5)]
            checks.true(got == wanted and all(out[1, j] == 99 for j in range(5)), f"scatter {op} {name}: {got}, expected {wanted}")
