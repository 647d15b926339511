# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy files with the standard library alone: numbers, bools, complex numbers and structs, any number of dimensions.

An Array holds its elements in column-major order, as Kiln's arrays do: a[i, j] of Python is element i + j*rows.
"""
import ast
import itertools
import struct

MAGIC = b"\x93NUMPY"
FORMATS = {"b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "f2": "e", "f4": "f", "f8": "d"}


def flat(descr):
    """The struct format of one element, and whether it stands for a tuple."""
    if isinstance(descr, str):
        if descr[1] == "c":
            return {"8": "ff", "16": "dd"}[descr[2:]], True
        return FORMATS[descr[1:]], False
    text = ""
    for field in descr:
        form, _ = flat(field[1])
        text += ("%dx" % int(field[1][2:])) if field[1][1] == "V" else form * (field[2][0] if len(field) > 2 else 1)
    return text, True


class Array:
    def __init__(self, descr, shape, items):
        self.descr, self.shape, self.items = descr, tuple(shape), list(items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        if not isinstance(index, tuple):
            return self.items[index]
        at, stride = 0, 1
        for i, n in zip(index, self.shape):
            assert 0 <= i < n, (index, self.shape)
            at += i * stride
            stride *= n
        return self.items[at]

    def column(self, j):
        rows = self.shape[0]
        return self.items[j * rows:(j + 1) * rows]


def vector(descr, items):
    items = list(items)
    return Array(descr, (len(items),), items)


def c_order(shape):
    """Positions in column-major order of the elements in C order."""
    strides = [1]
    for n in shape[:-1]:
        strides.append(strides[-1] * n)
    for index in itertools.product(*(range(n) for n in shape)):
        yield sum(i * s for i, s in zip(index, strides))


def write(path, array, fortran=False):
    form, compound = flat(array.descr)
    packer = struct.Struct("<" + form)
    header = repr({"descr": array.descr, "fortran_order": fortran, "shape": array.shape})
    header += " " * (-(len(MAGIC) + 4 + len(header) + 1) % 64) + "\n"
    items = array.items if fortran or len(array.shape) < 2 else [array.items[i] for i in c_order(array.shape)]
    with open(path, "wb") as file:
        file.write(MAGIC + b"\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for x in items:
            if isinstance(x, complex):
                x = (x.real, x.imag)
            file.write(packer.pack(*x) if compound else packer.pack(x))


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:6] != MAGIC:
        raise ValueError(f"{path}: not a NumPy file")
    start, size = (10, struct.unpack("<H", data[8:10])[0]) if data[6] == 1 else (12, struct.unpack("<I", data[8:12])[0])
    header = ast.literal_eval(data[start:start + size].decode())
    descr, shape = header["descr"], header["shape"]
    form, compound = flat(descr)
    items = [x if compound else x[0] for x in struct.iter_unpack("<" + form, data[start + size:])]
    if isinstance(descr, str) and descr[1] == "c":
        items = [complex(*x) for x in items]
    if not header["fortran_order"] and len(shape) > 1:
        ordered = [None] * len(items)
        for k, i in enumerate(c_order(shape)):
            ordered[i] = items[k]
        items = ordered
    count = 1
    for n in shape:
        count *= n
    if count != len(items):
        raise ValueError(f"{path}: {len(items)} elements, its header says {count}")
    return Array(descr, shape, items)
