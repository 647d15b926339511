# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random numbers in kernels: the bits by a Philox of Python's own, the distributions by their moments and counts."""
import math
import os

from numbers_of import rounded

MASK = 0xFFFFFFFF


def philox(a, b, key):
    for _ in range(10):
        product = 0xD256D193 * a
        a, b, key = (product >> 32) ^ key ^ b, product & MASK, (key + 0x9E3779B9) & MASK
    return a, b


# The known answers of Random123's kat_vectors for philox2x32 of 10 rounds.
assert philox(0, 0, 0) == (0xFF1DAE59, 0x6CD10DF2)
assert philox(MASK, MASK, MASK) == (0x2C3F628B, 0xAB4FD7AD)
assert philox(0x243F6A88, 0x85A308D3, 0x13198A2E) == (0xDD7CE038, 0xF62A4C12)


def values(array, rows, columns):
    return [array[i, j] for j in range(columns) for i in range(rows)]


def bits(kiln, checks):
    out, = kiln.run(["random.jl"], "words", ["zeros(UInt32, 64, 4)"], threads=32, blocks=2, out=[1])
    for i in range(64):
        for k in range(4):
            checks.equal("UInt32", out[i, k], philox(k, i, 0)[0], f"word {k} of thread {i}")
    seed = 0x123456789ABCDEF0
    key = (seed & MASK) ^ (seed >> 32)
    out, = kiln.run(["random.jl"], "wide", ["zeros(UInt64, 8, 3)", "0x123456789abcdef0"], threads=8, out=[1])
    for i in range(8):
        for k, call in ((0, 0), (1, 1), (2, 0)):
            a, b = philox(call, i, key)
            checks.equal("UInt64", out[i, k], a << 32 | b, f"seeded word {k} of thread {i}")
    options = [] if os.environ.get("KILN_VALUES_DEVICE") else ["--check"]  # the checks take the thread's words for a variable
    out, = kiln.run(["random.jl"], "shaped", ["zeros(UInt32, 120, 2)"], threads="5,2,3", blocks="2,1,2", out=[1], options=options)
    for i in range(120):
        checks.equal("UInt32", out[i, 0], philox(0, i, 0)[0], f"first word in a grid of three dimensions, thread {i}")
        checks.equal("UInt32", out[i, 1], philox(3, i, 0)[0], f"word behind the barrier, thread {i}")


def moments(kiln, checks):
    """Means of powers within 5 standard errors of the distribution's."""
    normal = lambda n: math.prod(range(n - 1, 0, -2)) if n % 2 == 0 else 0
    raw = {"rand": lambda n: 1 / (n + 1), "randn": normal, "randexp": lambda n: math.factorial(n)}
    rows, columns = 256, 128
    count = rows * columns
    for f in raw:
        for T in ("Float32", "Float64", "Float16"):
            out, = kiln.run(["random.jl"], "floats", [f"zeros({T}, {rows}, {columns})", f"Val(:{f})", T], threads=64, blocks=4, out=[1])
            x = values(out, rows, columns)
            for power in (1, 2, 3):
                mean, wanted = math.fsum(v ** power for v in x) / count, raw[f](power)
                error = math.sqrt((raw[f](2 * power) - wanted ** 2) / count)
                slack = 2e-4 if T == "Float16" else 0 # its steps
                checks.true(abs(mean - wanted) < 5 * error + slack, f"{f}({T}): the mean of powers {power} is {mean}, expected {wanted} +- {error}")
            if f == "rand":
                checks.true(all(0 <= v < 1 for v in x), f"rand({T}) is in [0, 1)")
            checks.true(all(math.isfinite(v) and rounded(T, v) == v for v in x), f"{f}({T}) is finite")
            # No correlation between neighbours, along the draws and along the threads.
            centre, spread = raw[f](1), raw[f](2) - raw[f](1) ** 2
            for shift in (1, rows):
                pairs = math.fsum((a - centre) * (b - centre) for a, b in zip(x, x[shift:])) / (count - shift) / spread
                checks.true(abs(pairs) < 5 / math.sqrt(count), f"{f}({T}): correlation {pairs} at {shift}")


def kinds(kiln, checks):
    rows, columns = 64, 400
    out, = kiln.run(["random.jl"], "others", [f"zeros(Float64, {rows}, {columns})", "[7.0, 8.0, 9.0]"], threads=64, out=[1])
    column = [[out[i, k] for k in range(c, columns, 20) for i in range(rows)] for c in range(20)]
    n = len(column[0])
    for c, choices in ((0, range(1, 7)), (1, range(10, 50, 10)), (2, (2, 3, 5)), (3, (7, 8, 9)), (4, (0, 1))):
        for choice in choices:
            p = 1 / len(choices)
            share, error = column[c].count(choice) / n, math.sqrt(p * (1 - p) / n)
            checks.true(abs(share - p) < 5 * error, f"kind {c}: {choice} comes in {share} of {n}")
        checks.true(set(column[c]) <= set(choices), f"kind {c}: nothing else comes")
    for c, low, high in ((5, -128, 127), (6, 0, 1), (7, 0, 1), (8, 0, 1), (9, 0, 1), (10, 0, 1), (11, 0, 1), (14, 0, 1), (15, 0, 1), (17, 0, 2**28 - 1), (18, 0, 65535)):
        mean, error = math.fsum(column[c]) / n, (high - low) / math.sqrt(12 * n)
        checks.true(abs(mean - (low + high) / 2) < 5 * error and min(column[c]) >= low and max(column[c]) <= high, f"kind {c} has the mean {mean}")
    for c in (12, 13, 16):
        mean, square = math.fsum(column[c]) / n, math.fsum(v * v for v in column[c]) / n
        checks.true(abs(mean) < 5 / math.sqrt(n) and abs(square - 1) < 5 * math.sqrt(2 / n), f"kind {c} has the moments {mean}, {square}")
    mean = math.fsum(column[19]) / n
    checks.true(abs(mean - 1) < 5 / math.sqrt(n), f"randexp() has the mean {mean}")


def check(kiln, checks):
    bits(kiln, checks)
    moments(kiln, checks)
    kinds(kiln, checks)
    *_, err, status = kiln.start(["random.jl"], "none", ["zeros(1)", "0"])
    checks.true(status == 1 and "ArgumentError" in err, f"a choice of nothing: {status} {err}")
    *_, err, status = kiln.start(["random.jl"], "array", ["zeros(1)", "3"])
    checks.true(status == 1 and "rand!(A)" in err, f"an array of random numbers: {status} {err}")
