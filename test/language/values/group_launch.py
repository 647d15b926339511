# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches: indices, shared memory, barriers, atomics, arguments that hold arrays."""
import random

import npy


def check(kiln, checks):
    file = ["launch.jl"]
    o, = kiln.run(file, "indices", ["zeros(Int64, 6, 6, 4)"], threads="3,2,2", blocks="2,3,2", out=[1])
    for i in range(6):
        for j in range(6):
            for k in range(4):
                checks.equal("Int64", o[i, j, k], 100 * (i + 1) + 10 * (j + 1) + k + 1, f"index {i, j, k}")

    generator = random.Random(1)
    values = [float(generator.randint(-100, 100)) for _ in range(300)]
    o, = kiln.run(file, "block_sum", ["zeros(Float32, 5)", kiln.write("x", npy.vector("<f4", values))], threads=64, blocks=5, out=[1])
    for b in range(5):
        checks.equal("Float32", o[b], sum(values[64 * b:64 * b + 64]), f"sum of block {b}")

    numbers = [generator.randint(-1000, 1000) for _ in range(96)]
    o, = kiln.run(file, "block_reverse", ["zeros(Int32, 96)", kiln.write("n", npy.vector("<i4", numbers))], threads=32, blocks=3, out=[1], options=["--shmem", "128"])
    for b in range(3):
        for t in range(32):
            checks.equal("Int32", o[32 * b + t], numbers[32 * b + 31 - t], f"reversed element {t} of block {b}")

    matrix = npy.Array("<f8", (16, 24), [generator.random() for _ in range(16 * 24)])
    for fortran in (False, True):
        o, = kiln.run(file, "transpose_tile", ["zeros(Float64, 24, 16)", kiln.write("m", matrix, fortran=fortran)], threads="8,8", blocks="2,3", out=[1])
        checks.true(o.shape == (24, 16), f"shape of the transposed {o.shape}")
        for i in range(16):
            for j in range(24):
                checks.equal("Float64", o[j, i], matrix[i, j], f"transposed {i, j}")

    args = ["zeros(Float64, 3)", "[1.0, 2.0, 3.0]", "(Float32[10, 20, 30], 7)", "(scale = 2, offsets = Int32[1, 2, 3])"]
    o, = kiln.run(file, "through_struct", args, threads=3, out=[1])
    for i in range(3):
        checks.equal("Float64", o[i], (i + 1) * (10.0 * (i + 1)) + 0.5 + 2 * (i + 1), f"element {i} through a struct")

    o, = kiln.run(file, "grid_stride", ["zeros(Int32, 1000)"], threads=32, blocks=3, out=[1])
    checks.true(list(o.items) == list(range(1, 1001)), "grid stride loop")
    histogram(kiln, checks, file, generator)
    atomics(kiln, checks, file)


def where_there_is(feature, kiln, checks, *call, **options):
    """The arrays of a run; none, and an error that names the feature, while Kiln lacks it."""
    arrays, _, err, status = kiln.start(*call, **options)
    checks.true(status == 0 or (status == 1 and feature in err), f"{call[1]}: status {status}\n{err}")
    return arrays


def histogram(kiln, checks, file, generator):
    picks = [generator.randint(1, 10) for _ in range(1000)]
    found = where_there_is("atomic", kiln, checks, file, "histogram", ["zeros(Int32, 10)", kiln.write("p", npy.vector("<i8", picks))], threads=128, blocks=8, out=[1])
    for b in range(10 if found else 0):
        checks.equal("Int32", found[0][b], picks.count(b + 1), f"bin {b}")


def atomics(kiln, checks, file):
    found = where_there_is("atomic", kiln, checks, file, "atomics", ["zeros(Int32, 6)", "zeros(Int32, 20)", "zeros(Float32, 1)"], threads=20, out=[1, 2, 3])
    if not found:
        return
    o, old, f = found
    for i, wanted in enumerate([20, 20, -40, (1 << 20) - 1, -20]):
        checks.equal("Int32", o[i], wanted, f"atomic {i + 1}")
    checks.true(1 <= o[5] <= 20, f"one thread won: {o[5]}")
    checks.true(sorted(old) == list(range(20)), f"old values of atomic_add!: {sorted(old)}")
    checks.equal("Float32", f[0], 10.0, "sum by atomics")
