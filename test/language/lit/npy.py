# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy files without NumPy.

    npy.py write FILE DESCR SHAPE VALUE...   DESCR as in the header, '<f4' or "[('x', '<f4'), ...]"; values in C order
    npy.py header FILE TEXT                  a file of nothing but this header
    npy.py show FILE                         prints dtype, shape and values in C order
"""
import ast
import math
import struct
import sys

CODES = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "b1": "?",
         "c8": "2f", "c16": "2d"}


def pattern(descr):
    """The struct module's format of one element."""
    if isinstance(descr, list):
        return "".join(pattern(field[1]) * math.prod(field[2] if len(field) > 2 else ()) for field in descr)
    kind = descr.lstrip("<=|")
    return f"{kind[1:]}x" if kind.startswith("V") else CODES[kind]


def write(path, descr, shape, values):
    descr = ast.literal_eval(descr) if descr.startswith("[") else descr
    header = repr({"descr": descr, "fortran_order": False, "shape": ast.literal_eval(shape)})
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    element = struct.Struct("<" + pattern(descr))
    fields = len(element.unpack(bytes(element.size)))
    numbers = [ast.literal_eval(v) for v in values]
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for i in range(0, len(numbers), fields):
            file.write(element.pack(*numbers[i:i + fields]))


def header(path, text):
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text) + 1) + text.encode() + b"\n")


def show(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", "no NumPy file of version 1.0"
    start = 10 + struct.unpack("<H", data[8:10])[0]
    assert start % 64 == 0, "elements are not aligned"
    header = ast.literal_eval(data[10:start].decode())
    assert header["fortran_order"] is False
    element = struct.Struct("<" + pattern(header["descr"]))
    count = 1
    for extent in header["shape"]:
        count *= extent
    assert len(data) - start == count * element.size, "size does not fit"
    values = [value for one in element.iter_unpack(data[start:]) for value in one]
    print("dtype", header["descr"], "shape", header["shape"], "values", *values)


if sys.argv[1] == "write":
    write(*sys.argv[2:5], sys.argv[5:])
elif sys.argv[1] == "header":
    header(*sys.argv[2:])
else:
    show(sys.argv[2])
