# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that wait for another thread's write: with work in other turns, in called functions, within other loops."""
import os

FILE = ["waits.jl"]
CPU_ONLY = "threads of a block that wait for each other: a GPU need not let the others go on"
THREADS = "KILN_CPU_THREADS"


def check(kiln, checks):
    before = os.environ.get(THREADS)
    for host_threads in ("1", "4"):
        os.environ[THREADS] = host_threads
        for options in ((), ("-O", "0")):
            ends(kiln, checks, options, f"{host_threads} host threads {' '.join(options)}")
    os.environ[THREADS] = "2"
    never(kiln, checks)
    os.environ.pop(THREADS)
    if before is not None:
        os.environ[THREADS] = before


def ends(kiln, checks, options, what):
    def run(entry, *args, **how):
        return list(kiln.run(FILE, entry, args, options=options, **how)[0].items)

    rows, columns = 10, 3
    wanted = [[0] * (columns + 1) for _ in range(rows + 2)]
    for r in range(rows, 0, -1):
        for u in range(columns, 0, -1):
            beside = 0 if u == columns else wanted[r][u + 1] if u + 1 <= columns else 0
            wanted[r][u] = max(beside, wanted[r + 1][u]) + 1
    got = run("tokens", f"zeros(Int64, {rows}, {columns})", f"zeros(Int32, {columns})", str(rows), threads=columns, out=[1])
    checks.true(sorted(got) == sorted(wanted[r][u] for r in range(1, rows + 1) for u in range(1, columns + 1)), f"tokens: {got}, {what}")
    for entry in ("called_relay", "counting_relay", "writing_relay", "plain_call_relay"):
        for threads in (1, 2, 70):
            relay = [1]
            for _ in range(threads - 1):
                relay.append(2 * relay[-1] % 1000003)
            got = run(entry, f"zeros(Int64, {threads})", "zeros(Int32, 2)", threads=threads, out=[1])
            checks.true(got == relay, f"{entry}: {threads} threads, {what}")
    for threads, blocks, turns in ((1, 1, 3), (40, 1, 2), (8, 5, 2)):
        got = run("called_lock", "zeros(Int64, 1)", "zeros(Int32, 1)", "zeros(Float32, 1)", str(turns), threads=threads, blocks=blocks, out=[1])
        checks.true(got == [threads * blocks * turns], f"called_lock: {got}, {threads} threads, {blocks} blocks, {what}")
        got = run("semaphore", "zeros(Int32, 1)", "Int32[2]", threads=threads, blocks=blocks, out=[1])
        checks.true(got == [threads * blocks], f"semaphore: {got}, {threads} threads, {blocks} blocks, {what}")
    got = run("blocks_in_turn", "zeros(Int64, 20)", "zeros(Int32, 20)", "300", threads=1, blocks=20, out=[1])
    checks.true(got == [300 * 301 // 2] * 20, f"blocks_in_turn: {got}, {what}")
    checks.true(run("warp_asks", "zeros(Int32, 32)", "zeros(Int32, 1)", threads=64, out=[1]) == [7] * 32, f"warp_asks, {what}")
    checks.true(run("warp_asks_block", "zeros(Int32, 32)", "zeros(Int32, 1)", threads=32, blocks=2, out=[1]) == [8] * 32, f"warp_asks_block, {what}")
    checks.true(run("block_asks", "zeros(Int32, 40)", "zeros(Int32, 1)", threads=40, blocks=2, out=[1]) == [9] * 40, f"block_asks, {what}")
    got = run("queue", "zeros(Int64, 1000)", "zeros(Int32, 1)", "1000", threads=40, blocks=3, out=[1])
    checks.true(got == [i * i for i in range(1000)], f"queue, {what}")


def never(kiln, checks):
    """All threads are idle: an error that names the loop."""
    flag = "zeros(Int32, 64)"
    for entry, args, line in (("called_never", [flag], 13), ("locked_never", ["ones(Int32, 1)"], 198), ("same_never", [flag], 204),
                              ("nested_never", [flag], 211), ("block_never", ["zeros(Int32, 40)", flag], 224),
                              ("row_never", ["zeros(Int64, 3)", flag], 237)):
        for threads, options in ((1, ()), (40, ("-O", "0"))):
            _, _, err, status = kiln.start(FILE, entry, args, threads=threads, options=options)
            checks.true(status == 1 and "SynchronizationError" in err and f"waits.jl:{line}" in err,
                        f"{entry}, {threads} threads {' '.join(options)}: status {status}\n{err}")
