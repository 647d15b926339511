# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of warps, barriers by number and of the grid: on 1, 2 and 8 threads, blocks in their order and in others."""
import os
import random

import npy
from exceptions import on_device

FILE = ["warps.jl"]
FULL = 0xffffffff
ON_GPU = os.environ.get("KILN_VALUES_DEVICE", "cpu") != "cpu"
DESCR = {"Int8": "|i1", "UInt16": "<u2", "Int32": "<i4", "UInt64": "<u8", "Float16": "<f2", "Float32": "<f4", "Float64": "<f8", "Bool": "|b1"}


def check(kiln, checks):
    generator = random.Random(11)
    for threads, order in ((1, 0), (2, 0), (8, 0), (1, 17), (2, 5), (8, 99)):
        os.environ["KILN_CPU_THREADS"], os.environ["KILN_CPU_ORDER"] = str(threads), str(order)
        try:
            exchanges(kiln, checks, generator, whole=threads == 1)
            votes(kiln, checks, generator)
            groups(kiln, checks, generator)
            barriers(kiln, checks, generator)
        finally:
            del os.environ["KILN_CPU_THREADS"], os.environ["KILN_CPU_ORDER"]
    faults(kiln, checks)


def warps(threads, blocks):
    """(first thread of the grid, lanes) of every warp."""
    return [(b * threads + w, min(32, threads - w)) for b in range(blocks) for w in range(0, threads, 32)]


def sources(lane, lanes, width, source, delta, mask):
    """Where the four shuffles read; the lane itself where the segment ends, and where the warp does (on a GPU it is
    undefined what a shuffle from a lane that is not there gives: None)."""
    first = lane // width * width
    found = [first + (source - 1) % width,
             lane - delta if lane - delta >= first else lane,
             lane + delta if lane + delta < first + width else lane,
             lane ^ mask if lane ^ mask < first + width else lane]
    return [s if s < lanes else None if ON_GPU else lane for s in found]


def exchanges(kiln, checks, generator, whole):
    for name in DESCR if whole else ("Int32", "Float64"):
        threads, blocks = generator.choice([(32, 3), (40, 4), (7, 2), (96, 1)])
        source, width = generator.randint(1, 32), generator.choice([4, 8, 16, 32])
        delta, mask = generator.randint(0, 9), generator.randint(0, 31)
        n = threads * blocks
        x = [generator.randint(0, 1 if name == "Bool" else 100) for _ in range(n)]
        o, = kiln.run(FILE, "shuffles", [f"zeros({name}, {n}, 4)", kiln.write("x", npy.vector(DESCR[name], x)), str(source), str(delta), str(mask), str(width)],
                      threads=threads, blocks=blocks, out=[1])
        for first, lanes in warps(threads, blocks):
            for lane in range(lanes):
                read = sources(lane, lanes, width, source, delta, mask)
                wanted = [None if s is None else x[first + s] for s in read]
                got = [None if s is None else o[first + lane, c] for c, s in enumerate(read)]
                checks.true(got == wanted, f"shuffles of {name} in lane {lane} of {lanes}, {source, delta, mask, width}: {got}, expected {wanted}")
    x = [generator.randint(-2**40, 2**40) for _ in range(50)]
    o, = kiln.run(FILE, "structs", ["zeros(Float64, 50, 3)", kiln.write("x", npy.vector("<i8", x))], threads="25,2", out=[1])
    for first, lanes in warps(50, 1):
        for lane in range(lanes - 1 if ON_GPU and lanes < 32 else lanes):
            s = min(lane + 1, lanes - 1) + first
            checks.true([o[first + lane, c] for c in range(3)] == [x[s], s + 1, 1.5 * (s + 1)], f"a struct's fields in thread {first + lane}")


def bits(lanes):
    return sum(1 << lane for lane in lanes)


def votes(kiln, checks, generator):
    threads, blocks = 75, 3
    for kind in range(3):
        n = threads * blocks
        x = [generator.randint(0, 9) if kind == 0 else 7 if kind == 1 else generator.choice([0, 5]) for _ in range(n)]
        o, = kiln.run(FILE, "votes", [f"zeros(Int64, {n}, 9)", kiln.write("x", npy.vector("<i4", x))], threads=threads, blocks=blocks, out=[1])
        for first, lanes in warps(threads, blocks):
            v, there = x[first:first + lanes], bits(range(lanes))
            big = [lane for lane in range(lanes) if v[lane] > 4]
            for lane in range(lanes):
                same = len(set(v)) == 1
                wanted = [all(a > 0 for a in v), any(a > 8 for a in v), len(big) in (0, lanes), bits(big),
                          bits(k for k in range(lanes) if v[k] == v[lane]), there if same else 0, same, there, True]
                got = [o[first + lane, c] for c in range(9)]
                checks.true(got == wanted, f"votes in lane {lane} of {v}: {got}, expected {wanted}")
        x = [generator.randint(0, 5) for _ in range(n)]
        o, = kiln.run(FILE, "leaving", [f"zeros(Int64, {n}, 5)", kiln.write("x", npy.vector("<i4", x))], threads=threads, blocks=blocks, out=[1])
        together, = kiln.run(FILE, "rounds_together", [f"zeros(Int64, {n}, 8)", kiln.write("x", npy.vector("<i4", x))], threads=threads, blocks=blocks, out=[1])
        for first, lanes in warps(threads, blocks):
            for lane in range(lanes):
                wanted = [bits(k for k in range(lanes) if x[first + k] > r) if x[first + lane] > r else 0 for r in range(5)]
                checks.true([o[first + lane, r] for r in range(5)] == wanted, f"lanes leave: {x[first:first + lanes]}, lane {lane}")
                checks.true([together[first + lane, r] for r in (0, 1, 2, 3, 4, 7)] == wanted + [bits(range(lanes))], f"lanes in a loop: {x[first:first + lanes]}, lane {lane}")


def groups(kiln, checks, generator):
    x = [generator.randint(0, 99) for _ in range(64)]
    o, = kiln.run(FILE, "halves", ["zeros(Int64, 64)", kiln.write("x", npy.vector("<i8", x))], threads=32, blocks=2, out=[1])
    for b in range(2):
        low, high = x[32 * b:32 * b + 16], x[32 * b + 16:32 * b + 32]
        wanted = [sum(low) + 1] * 16 + [1 + bits(16 + k for k in range(16) if high[k] % 2)] * 16
        checks.true([o[32 * b + i] for i in range(32)] == wanted, f"two halves of warp {b}")
    for name in ("Int32", "Float64"):
        x = [generator.randint(-50, 50) for _ in range(1000)]
        o, = kiln.run(FILE, "block_sums", [f"zeros({name}, 5)", kiln.write("x", npy.vector(DESCR[name], x))], threads=224, blocks=5, out=[1])
        checks.true(list(o.items) == [sum(x[224 * b:224 * b + 224]) for b in range(5)], f"sums of blocks by shuffles: {list(o.items)}")
    n, below = 480, 40
    x = [generator.randint(0, 99) for _ in range(n)]
    chosen = [i + 1 for i in range(n) if x[i] < below]
    o, count = kiln.run(FILE, "aggregated", [f"zeros(Int32, {n})", "zeros(Int32, 1)", kiln.write("x", npy.vector("<i4", x)), str(below)], threads=96, blocks=5, out=[1, 2])
    checks.true(count[0] == len(chosen) and sorted(list(o.items)[:len(chosen)]) == chosen and not any(list(o.items)[len(chosen):]), "places by warp-aggregated atomics")
    for low, high in ((1, 32), (20, 30), (3, 3)):
        x = [generator.randint(-5, 99) for _ in range(64)]
        o, = kiln.run(FILE, "coalesced", ["zeros(Int64, 64, 6)", kiln.write("x", npy.vector("<i8", x)), str(low), str(high)], threads=64, out=[1])
        for i in range(64):
            lanes = [32 * (i // 32) + k for k in range(low - 1, high)]
            r, v = (lanes.index(i) if i in lanes else None), [x[k] for k in lanes]
            wanted = [0] * 6 if r is None else [v[-1 - r], v[max(r - 2, 0)] if r >= 2 else v[r], v[r + 3] if r + 3 < len(v) else v[r],
                                               bits(k for k in range(len(v)) if v[k] % 2), any(a > 90 for a in v), all(a >= 0 for a in v)]
            checks.true([o[i, c] for c in range(6)] == wanted, f"coalesced {low}:{high}, thread {i}: {[o[i, c] for c in range(6)]}, expected {wanted}")


def barriers(kiln, checks, generator):
    o, = kiln.run(FILE, "numbered", ["zeros(Int64, 48)"], threads=48, out=[1])
    checks.true(list(o.items) == [sum(48 - t + identity for identity in range(16)) for t in range(48)], f"barriers by number: {list(o.items)}")
    if on_device("warps:early_exit"):
        o, = kiln.run(FILE, "early_exit", ["zeros(Int64, 50)", "33"], threads=50, out=[1])
        checks.true(list(o.items) == [33 - t for t in range(33)] + [0] * 17, f"threads that ended do not keep a barrier closed: {list(o.items)}")
    if on_device("warps:grid_rounds"):
        grid_rounds(kiln, checks, generator)


def grid_rounds(kiln, checks, generator):
    threads, blocks, rounds = 20, 30, 4
    n = threads * blocks
    a = [generator.randint(-9, 9) for _ in range(n)]
    got, = kiln.run(FILE, "grid_rounds", [kiln.write("a", npy.vector("<i8", a)), f"zeros(Int64, {n})", str(rounds)], threads=threads, blocks=blocks, out=[1])
    for _ in range(rounds):
        a = [a[i] + a[(i + threads) % n] for i in range(n)]
    checks.true(list(got.items) == a, "rounds between barriers of the grid")


def faults(kiln, checks):
    _, _, err, status = kiln.start(FILE, "one_throws", ["zeros(Int64, 40)", "ones(Int64, 40)"], threads=40)
    checks.true(status == 1 and "BoundsError" in err and "thread (3, 1, 1)" in err, f"a lane throws: {status} {err}")
    if not on_device("warps:limits"):
        return
    for options, text in ((dict(threads=1025), "at most 1024"), (dict(threads="1,1,65"), "each direction"), (dict(threads=1, blocks="1,65536"), "grid of 1x65536x1"),
                          (dict(threads="65536,65536,65536"), "at most 1024"), (dict(threads=1, options=["--shmem", str(227 * 1024 + 1)]), "shared memory"),
                          (dict(threads=1, options=["--shmem", str(2**64 - 1)]), "shared memory"), (dict(threads=0), "above 0")):
        _, _, err, status = kiln.start(FILE, "early_exit", ["zeros(Int64, 50)", "33"], **options)
        checks.true(status == 2 and text in err, f"{options}: {status} {err}")
