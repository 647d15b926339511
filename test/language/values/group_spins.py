# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that wait for what others write: they let each other go on, whatever the number of host threads."""
import os

FILE = ["spins.jl"]
CPU_ONLY = "threads of a block that wait for each other by plain loads: a GPU need not let the others go on"
THREADS = "KILN_CPU_THREADS"


def check(kiln, checks):
    before = os.environ.get(THREADS)
    for host_threads in ("1", "2", "8"):
        os.environ[THREADS] = host_threads
        waits(kiln, checks, f"{host_threads} host threads")
    for host_threads in ("1", "2"):
        os.environ[THREADS] = host_threads
        never(kiln, checks)
    os.environ.pop(THREADS)
    if before is not None:
        os.environ[THREADS] = before


def waits(kiln, checks, what):
    for entry in ("relay", "plain_relay"):
        for threads in (1, 2, 33, 256):
            got, = kiln.run(FILE, entry, [f"zeros(Int64, {threads})", "zeros(Int32, 1)"], threads=threads, out=[1])
            wanted = [1]
            for _ in range(threads - 1):
                wanted.append(2 * wanted[-1] % 1000003)
            checks.true(list(got.items) == wanted, f"{entry}: {threads} threads, {what}")
    for threads, blocks, turns in ((1, 1, 1), (64, 1, 3), (32, 8, 2), (1, 50, 1)):
        got, = kiln.run(FILE, "locked", ["zeros(Int64, 1)", "zeros(Int32, 1)", str(turns)], threads=threads, blocks=blocks, out=[1])
        checks.true(got[0] == threads * blocks * turns, f"locked: {got[0]}, {threads} threads, {blocks} blocks, {what}")
        n = threads * blocks
        got, = kiln.run(FILE, "tickets", [f"fill(Int32(-1), {n})", "zeros(Int32, 1)", "zeros(Int32, 1)"], threads=threads, blocks=blocks, out=[1])
        checks.true(list(got.items) == list(range(n)), f"tickets: {n}, {what}")
    for threads, blocks in ((1, 2), (32, 20), (4, 100)):
        got, = kiln.run(FILE, "blocks_backwards", [f"zeros(Int64, {blocks})", f"zeros(Int32, {blocks})"], threads=threads, blocks=blocks, out=[1])
        checks.true(list(got.items) == list(range(blocks, 0, -1)), f"blocks_backwards: {blocks} blocks, {what}")
        n = threads * blocks
        got, = kiln.run(FILE, "meeting", [f"zeros(Int64, {n})", f"zeros(Int64, {n})", "zeros(Int32, 1)"], threads=threads, blocks=blocks, out=[1])
        checks.true(list(got.items) == list(range(n, 0, -1)), f"meeting: {blocks} blocks of {threads}, {what}")
    for answer in (0, 1):
        got, = kiln.run(FILE, "gives_up", [f"Int64[0, {answer}]", "zeros(Int32, 1)", "100000"], threads=2, out=[1])
        checks.true(got[0] == 2 - answer, f"gives_up, {answer}, {what}")
    rounds, x = 200_000, 1
    for _ in range(rounds):
        x = (x * 0x0019660D + 0x3C6EF35F) % 2**32
    got, = kiln.run(FILE, "patient", ["zeros(UInt32, 2)", "zeros(Int32, 1)", str(rounds)], threads=2, out=[1])
    checks.true(list(got.items) == [x, x], f"patient, {what}")


def never(kiln, checks):
    """No progress: an error that names the loops."""
    for entry, args, lines in (("nobody_writes", ["zeros(Int32, 1)"], (123,)), ("never_unlocked", ["zeros(Int64, 1)", "zeros(Int32, 1)"], (129,)),
                               ("apart", ["zeros(Int32, 1)"], (137, 140))):
        for blocks in (1, 5):
            _, _, err, status = kiln.start(FILE, entry, args, threads=33, blocks=blocks)
            named = all(f"spins.jl:{line}" in err for line in lines)
            checks.true(status == 1 and "SynchronizationError" in err and named, f"{entry}, {blocks} blocks: status {status}\n{err}")
