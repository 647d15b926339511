# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomics, barriers that count, cooperative groups, integer functions, printing: the device library on the CPU."""
import math
import random

import npy
from exceptions import on_device

FILE = ["device.jl"]
DESCR = {"Int8": "|i1", "Int16": "<i2", "Int32": "<i4", "Int64": "<i8", "UInt8": "|u1", "UInt16": "<u2", "UInt32": "<u4", "UInt64": "<u8",
         "Float16": "<f2", "Float32": "<f4", "Float64": "<f8", "Bool": "|b1"}
BITS = {name: int(name.lstrip("UIntFloa")) for name in DESCR if name != "Bool"}


def check(kiln, checks):
    fetch_add(kiln, checks)
    integer_atomics(kiln, checks)
    updates(kiln, checks)
    shared(kiln, checks)
    groups(kiln, checks)
    integers(kiln, checks)
    printing(kiln, checks)
    callables(kiln, checks)


def fetch_add(kiln, checks):
    """Old values of additions of v are all multiples of v, each once, whatever the order of threads and blocks."""
    for name in ("Int32", "UInt32", "Int64", "UInt64", "Int16", "UInt8", "Float16", "Float32", "Float64"):
        threads, blocks = (16, 7) if BITS[name] <= 16 else (64, 40)
        total = threads * blocks
        o, old = kiln.run(FILE, "fetch_add", [f"zeros({name}, 1)", f"zeros({name}, {total})", f"{name}(2)"], threads=threads, blocks=blocks, out=[1, 2])
        checks.equal(name, o[0], 2 * total, f"{total} atomic additions of {name}")
        checks.true(sorted(old.items) == [2 * i for i in range(total)], f"old values of atomic additions of {name}")


def integer_atomics(kiln, checks):
    for name in ("Int32", "UInt32", "Int64", "UInt64", "Int16", "UInt8"):
        bits, signed, n = BITS[name], name[0] == "I", 7
        m = (1 << (bits - 1)) - 20 if not signed else 0  # beyond half of the range: min and max must be unsigned ones
        wrap = lambda v: (v + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1)) if signed else v % (1 << bits)
        start = [50, wrap(-1), 0, 100, m, m, 3, 0]
        given = kiln.write("start", npy.vector(DESCR[name], start))
        o, = kiln.run(FILE, "integer_atomics", [given, f"{name}({m})", name], threads=n, out=[1])
        x = 100
        for i in range(1, n + 1):
            x ^= i
        wanted = [50 - 2 * n, wrap(~((1 << n) - 1)), (1 << n) - 1, x, m - n, m + n, 9]
        for i, value in enumerate(wanted):
            checks.equal(name, o[i], value, f"atomic {i + 1} of {name}")
        checks.true(1 <= o[7] <= n, f"one thread of {name} won: {o[7]}")
    o, = kiln.run(FILE, "wrapping", ["zeros(Int32, 2)"], threads=20, out=[1])
    up = down = 0
    for _ in range(20):
        up = 0 if up >= 5 else up + 1
        down = 5 if down == 0 or down > 5 else down - 1
    checks.true(o.items == [up, down] or list(o.items) == [up, down], f"wrapping {list(o.items)}, expected {[up, down]}")


def updates(kiln, checks):
    for name in ("Int32", "UInt64", "Int16", "UInt16", "Float16", "Float32", "Float64"):
        n = 4
        given = kiln.write("u", npy.vector(DESCR[name], [1, 64, 1, 0, 100, 0]))
        o, = kiln.run(FILE, "updates", [given], threads=n, out=[1])
        weighted = 1
        for _ in range(n):
            weighted = 3 * weighted + 2
        for i, value in enumerate([2 ** n, 64 / 2 ** n, weighted, n, 100 - 3 * n, n]):
            checks.equal(name, o[i], value if name[0] == "F" else int(value), f"update {i + 1} of {name}")
    for name in ("Int32", "UInt8", "Int64"):
        given = kiln.write("r", npy.vector(DESCR[name], [100, 1, 64, 99]))
        o, = kiln.run(FILE, "remainders", [given], threads=5, out=[1])
        for i, value in enumerate([100 % 7, 1 << 5, 64 ^ 1 ^ 2 ^ 3 ^ 4 ^ 5, 99 // 32]):
            checks.equal(name, o[i], value, f"integer update {i + 1} of {name}")
    m, z, r = kiln.run(FILE, "indexed", ["zeros(Int64, 3, 3)", "zeros(Float32, 1)", "zeros(Int64, 2)"], threads=3, out=[1, 2, 3])
    for i in range(3):
        checks.equal("Int64", m[i, 0], -(i + 1), f"atomic minimum at {i + 1, 1}")
        checks.equal("Int64", m[i, 1], i + 1, f"atomic addition at {i + 1, 2}")
    checks.equal("Float32", z[0], 6.0, "A[] by atomics")
    checks.true(list(r.items) == [0, 2] and m[0, 2] == 2, f"what @atomic returns: {list(r.items)}")
    o, = kiln.run(FILE, "from_nan", [kiln.write("nan", npy.vector("<f4", [math.nan]))], threads=3, out=[1])
    checks.true(math.isnan(o[0]), f"maximum with NaN: {o[0]}")


def shared(kiln, checks):
    generator = random.Random(3)
    x = [generator.randint(1, 8) for _ in range(1000)]
    o, = kiln.run(FILE, "shared_bins", ["zeros(Int64, 8)", kiln.write("bins", npy.vector("<i4", x))], threads=64, blocks=16, out=[1])
    for b in range(8):
        checks.equal("Int64", o[b], x.count(b + 1), f"bin {b + 1} by shared atomics")
    for _ in range(10):
        o, = kiln.run(FILE, "last_block_sums", ["zeros(Int64, 1)", "zeros(Int64, 50)", "zeros(Int32, 1)", kiln.write("bins", npy.vector("<i4", x))], threads=4, blocks=50, out=[1])
        checks.equal("Int64", o[0], sum(x), "sum by the last block")
    n = 37
    x = [generator.randint(0, 3) for _ in range(n)]
    for values in (x, [1] * n):
        o, = kiln.run(FILE, "counted", [f"zeros(Int64, {n}, 6)", kiln.write("c", npy.vector("<i4", values))], threads=n, out=[1])
        for r in (1, 2):
            for i in range(n):
                wanted = (sum(v > r for v in values), int(all(values)), 0)
                checks.true((o[i, 3 * r - 3], o[i, 3 * r - 2], o[i, 3 * r - 1]) == wanted, f"counting barriers of thread {i + 1}, round {r}: expected {wanted}")


def groups(kiln, checks):
    generator = random.Random(4)
    x = [generator.randint(-99, 99) for _ in range(48)]
    o, = kiln.run(FILE, "group_reverse", ["zeros(Int32, 16, 3)", kiln.write("g", npy.vector("<i4", x))], threads="4,2,2", blocks="3", out=[1], options=["--shmem", "64"])
    for b in range(3):
        for t in range(16):
            checks.equal("Int32", o[t, b], x[16 * b + 15 - t], f"reversed by a group {t, b}")
    for name in ("UInt8", "Int16", "Float32", "Float64", "Bool"):
        data = [generator.randint(0, 1) if name == "Bool" else generator.randint(0, 100) for _ in range(256)]
        o, = kiln.run(FILE, "group_copy", [f"zeros({name}, 256)", kiln.write("d", npy.vector(DESCR[name], data)), "64"], threads=5, out=[1], options=["--shmem", "512"])
        checks.true(list(o.items) == data, f"copies of {name} through shared memory")
    if on_device("device:read_only"):
        read_only(kiln, checks)


def read_only(kiln, checks):
    o, = kiln.run(FILE, "read_only", ["zeros(Int64, 8)", "[1, 2, 3, 4, 5, 6, 7, 8]"], threads=8, out=[1])
    checks.true(list(o.items) == [3 * (i + 1) for i in range(8)], f"read-only loads: {list(o.items)}")


def callables(kiln, checks):
    o, = kiln.run(FILE, "Writer(2.5)", ["zeros(Float64, 4)"], threads=4, out=[1])
    checks.true(list(o.items) == [2.5 * (i + 1) for i in range(4)], f"a callable struct: {list(o.items)}")


def nth_bit(v, base, offset):
    if offset == 0:
        return base if v >> base & 1 else -1
    places = [i for i in (range(base, 32) if offset > 0 else range(base, -1, -1)) if v >> i & 1]
    return places[abs(offset) - 1] if len(places) >= abs(offset) else -1


def signed(v, bits):
    v %= 1 << bits
    return v - (1 << bits) if v >> (bits - 1) else v


def integers(kiln, checks):
    generator = random.Random(5)
    x = [0, 1, 0xffffffff, 0x80000000, 0x00ff00ff] + [generator.getrandbits(32) for _ in range(27)]
    o, = kiln.run(FILE, "integer_functions", ["zeros(Int64, 32, 10)", kiln.write("w", npy.vector("<u4", x))], threads=32, out=[1])
    for i, v in enumerate(x):
        other = ~v % (1 << 32)
        octets = [v >> 8 * k & 255 for k in range(4)] + [other >> 8 * k & 255 for k in range(4)]
        permuted = 0
        for k, digit in enumerate((4, 1, 5, 12)):
            byte = octets[digit & 7]
            permuted |= ((255 if byte >> 7 else 0) if digit & 8 else byte) << 8 * k
        wanted = [bin(v).count("1"), 32 - v.bit_length(), (v & -v).bit_length(), int(f"{v:032b}"[::-1], 2), nth_bit(v, 3, 2), nth_bit(v, 20, -2), signed(permuted, 32),
                  signed(1 + sum(octets[k] * signed(octets[4 + k], 8) for k in range(4)), 32),
                  1 + sum(octets[k] * (v >> 1 >> 8 * k & 255) for k in range(4)), (1 << i) - 1]
        for c, value in enumerate(wanted):
            checks.equal("Int64", o[i, c], value, f"integer function {c + 1} of {v:#x}")


def printing(kiln, checks):
    _, out, err, status = kiln.start(FILE, "printing", ["[1.5f0]"])
    wanted = "7 8 text|%\nx = 1.500000 100% (1, 2.500000)1name-3255\nno end\nx[1] + 1 = 2.500000\n2.500000\n"
    checks.true(status == 0 and out == wanted, f"printed {out!r}, status {status} {err}")
    for argument, text in (("3", None), ("0", "n > 0"), ("9", "too large")):
        _, out, err, status = kiln.start(FILE, "asserted", [argument])
        checks.true(status == 0 if text is None else status == 1 and "AssertionError" in err and text in err, f"@cuassert of {argument}: {status} {err}")
    o, = kiln.run(FILE, "shuffled", ["[1f0]"], out=[1])
    checks.true(o[0] == 1, f"a shuffle with itself: {o[0]}")
