#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Large programs compute what small ones do: values.py --kiln PROGRAM --folder SCRATCH

Functions of many blocks and long blocks take other ways through the compiler (lib/optimize/conditions.h, merge_blocks.h, split_blocks.h,
lib/codegen/large_functions.h), and so do long tuples and sums (long_ntuple, long_afoldl). Kernels of shapes.py run on the CPU, at -O0, -O2 and -O3; Python computes what they must leave in the array, and which line must throw where the array is too short.
"""
import argparse
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "language", "values"))
import npy  # noqa: E402
import shapes  # noqa: E402


def rounded(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def sums(y, n):  # bounds_checks: whole numbers below 2^24, so that no order of additions matters
    y[0] = float(sum(y[:n]))


def stored(y, n):  # stores
    for i in range(n):
        y[i] = rounded(y[i * 7 % n] * 2 + i % 9)


def ifs(y, n):  # ifs_in_a_row
    x = y[0]
    for i in range(n):
        x = rounded(x * 2) if x > i else rounded(x + 1)
    y[0] = x


def returned(y, n):  # returns_early
    if y[0] not in range(n):
        y[0] = rounded(y[0] + 1)


def added(y, n):  # operands_of_a_sum
    total = y[0]
    for i in range(1, n):
        total = rounded(total + y[i % 9])
    y[0] = total


def ends(y, n):  # tuple_made
    y[0] = rounded(y[0] + rounded(y[0] * n))


def tuple_added(y, n):  # tuple_sum: whole numbers
    y[0] = float(sum(y[0] * (i % 9) for i in range(n)))


ALL = ("0", "2", "3")
# shape, size, what it does to a list, levels
CASES = (("bounds_checks", 700, sums, ALL), ("bounds_checks", 1100, sums, ALL), ("stores", 1500, stored, ALL), ("inbounds_stores", 1500, stored, ALL), ("ifs_in_a_row", 1500, ifs, ALL),
         ("inbounds_stores", 4500, stored, ("2",)), ("returns_early", 300, returned, ALL), ("operands_of_a_sum", 300, added, ALL), ("tuple_made", 63, ends, ALL),
         ("tuple_made", 66, ends, ALL), ("tuple_made", 200, ends, ALL), ("tuple_sum", 70, tuple_added, ALL), ("tuple_sum", 300, tuple_added, ALL))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--folder", required=True)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KILN_")} | {"KILN_CACHE_DIR": ""}
    bad = []

    def run(name, size, length, level):
        """(exit status, standard error, the array behind the kernel)"""
        shape = next(s for s in shapes.SHAPES if s.name == name)
        source, given, out = (os.path.join(options.folder, f"{name}.{suffix}") for suffix in ("jl", "in.npy", "out.npy"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(shape.source(size))
        npy.write(given, npy.Array("<f4", (length,), [float(i % 5 + 1) / (1 if name != "stores" else 1024) for i in range(length)]))
        if os.path.exists(out):
            os.remove(out)
        done = subprocess.run([options.kiln, "run", source, "k", "--arg", f"@{given}", "-O", level, "--out", f"1={out}"], env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr, npy.read(out).items if done.returncode == 0 else None

    for name, size, compute, levels in CASES:
        wanted = [float(i % 5 + 1) / (1 if name != "stores" else 1024) for i in range(size)]
        compute(wanted, size)
        for level in levels:
            status, err, got = run(name, size, size, level)
            if got is None:
                bad.append(f"{name} {size} -O{level}: exit {status}: {err.strip()[:300]}")
            elif got != wanted:
                at = next(i for i in range(size) if got[i] != wanted[i])
                bad.append(f"{name} {size} -O{level}: element {at + 1} is {got[at]}, expected {wanted[at]}")
    # An array that ends in the middle: the first line that is behind its end throws. Line 1 is the function's head, line 2 sets x, line i + 2 reads y[i].
    for length in (1, 300, 699):
        for level in ("0", "2", "3"):
            status, err, _ = run("bounds_checks", 700, length, level)
            if status != 1 or "BoundsError" not in err or f"bounds_checks.jl:{length + 3}" not in err:
                bad.append(f"bounds_checks of {length} elements -O{level}: exit {status}, expected a BoundsError at line {length + 3}: {err.strip()[:300]}")
    for line in bad:
        print(line, file=sys.stderr)
    print(f"{sum(len(levels) for *_, levels in CASES) + 9} runs, {len(bad)} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
