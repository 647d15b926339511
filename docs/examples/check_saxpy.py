#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges saxpy.jl with Python alone: y = a*x + y, in double precision.

    check_saxpy.py make FOLDER N     writes N random elements each to FOLDER/x.npy and FOLDER/y.npy
    check_saxpy.py check FOLDER A    compares FOLDER/out.npy with A*x + y
"""
import array
import ast
import random
import struct
import sys

MAGIC = b"\x93NUMPY"


def write_npy(path, values):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % len(values)
    header += " " * (-(len(MAGIC) + 4 + len(header) + 1) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(MAGIC + b"\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        values.tofile(file)


def read_npy(path):
    with open(path, "rb") as file:
        if file.read(6) != MAGIC:
            sys.exit(f"{path}: not a NumPy file")
        major, _ = file.read(2)
        length = struct.unpack("<H", file.read(2))[0] if major == 1 else struct.unpack("<I", file.read(4))[0]
        header = ast.literal_eval(file.read(length).decode())
        if header["descr"] != "<f4" or len(header["shape"]) != 1:
            sys.exit(f"{path}: expected a vector of float32, found {header}")
        values = array.array("f")
        values.frombytes(file.read())
        if len(values) != header["shape"][0]:
            sys.exit(f"{path}: {len(values)} elements, its header says {header['shape'][0]}")
        return values


def make(folder, count):
    generator = random.Random(20)
    for name in "xy":
        write_npy(f"{folder}/{name}.npy", array.array("f", (generator.uniform(-1, 1) for _ in range(count))))


def check(folder, a):
    x, y, out = (read_npy(f"{folder}/{name}.npy") for name in ("x", "y", "out"))
    if not len(x) == len(y) == len(out) > 0:
        sys.exit(f"lengths differ: x {len(x)}, y {len(y)}, out {len(out)}")
    # One rounding (fused) or two: each adds at most half a unit in the last place of a float32, 2^-24 of its operand.
    for i in range(len(x)):
        product = a * x[i]
        expected = product + y[i]
        if not abs(out[i] - expected) <= 2.0**-24 * (abs(product) + abs(expected)) * 1.001:
            sys.exit(f"element {i}: {a} * {x[i]!r} + {y[i]!r} is {expected!r}, not {out[i]!r}")
    print(f"{len(x)} elements are right")


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]))
    elif len(sys.argv) == 4 and sys.argv[1] == "check":
        check(sys.argv[2], float(sys.argv[3]))
    else:
        sys.exit(__doc__)
