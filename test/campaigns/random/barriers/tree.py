# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as trees. julia.py prints them, simulate.py computes their results, shrink.py makes them smaller.

An expression is a tuple (kind, type, ...); a type is "i32", "u32", "i64", or "b" for a condition:

    num value | var name | bin op a b | un op a | shift op a amount | conv a | sel condition a b is_lazy
    input array index | load array column row | item tuple index | mine private_array index
    cmp op a b | and a b | or a b | not a

A statement is a tuple (kind, ...):

    set name value | tuple name values | private name index value | out slot value
    store array column row value | atomic array op column row value target is_macro
    sync | vote kind target condition | exchange target array column row value index is_inline
    if condition then else | for name limit body | while name start body
    break condition | continue condition | return condition

Indices start at 1. An element of an array has a column (1 to threads) and a row; without a row (None), the column is
an index of the whole array.
"""
from dataclasses import dataclass, field

WIDTH = {"i32": 32, "u32": 32, "i64": 64}
JULIA = {"i32": "Int32", "u32": "UInt32", "i64": "Int64"}
TYPES = tuple(WIDTH)
# What every thread knows; those of the block are equal in all its threads.
THREAD_NAMES = ("t", "tx", "ty", "tz")
BLOCK_NAMES = ("n", "b", "nb", "p1")


@dataclass
class Array:
    """An array of a block (static, dynamic, segment) or of all blocks (total: only for atomics with one operation)."""

    name: str
    type: str
    kind: str
    rows: int
    has_two_dimensions: bool = False
    op: str = ""  # of a total

    @property
    def is_shared(self):
        return self.kind in ("static", "dynamic")


@dataclass
class Kernel:
    seed: int
    block: tuple
    grid: tuple
    scalar: int  # p1, an Int64
    inputs: dict  # name: (type, values), only read
    arrays: list
    contents: dict  # name: initial values of a segment or total
    variables: dict  # name: (type, initial value)
    tuples: dict  # name: types of its items
    privates: dict  # name: (type, size)
    slots: int = 0  # outputs of a thread
    is_inbounds: bool = False
    has_literal_sizes: bool = False
    body: list = field(default_factory=list)

    @property
    def name(self):
        return f"k{self.seed}"

    @property
    def threads(self):
        return self.block[0] * self.block[1] * self.block[2]

    @property
    def blocks(self):
        return self.grid[0] * self.grid[1] * self.grid[2]

    def array(self, name):
        return next(a for a in self.arrays if a.name == name)

    def size(self, array):
        """Elements of an array in a block; of a total in all blocks."""
        return array.rows * (1 if array.kind == "total" else self.threads)

    def dynamic_layout(self):
        """({name: offset in bytes}, bytes) of the dynamic shared memory."""
        offsets, end = {}, 0
        for a in self.arrays:
            if a.kind == "dynamic":
                size = WIDTH[a.type] // 8
                end = -(-end // size) * size
                offsets[a.name] = end
                end += size * self.size(a)
        return offsets, end


def wrap(type_, value):
    bits = WIDTH[type_]
    value &= (1 << bits) - 1
    return value - (1 << bits) if type_[0] == "i" and value >> (bits - 1) else value


def num(type_, value):
    return ("num", type_, value)


def var(type_, name):
    return ("var", type_, name)


def walk(tree):
    """All tuples of a tree that have a kind."""
    if isinstance(tree, (tuple, list)):
        if isinstance(tree, tuple) and tree and isinstance(tree[0], str):
            yield tree
        for part in tree:
            yield from walk(part)
