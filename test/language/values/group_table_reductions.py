# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of floats with NaN and zeros of both signs, and of integers of every width. Rules, all from docstrings: maximum and minimum are NaN
if any element is; -0.0 is less than 0.0; findmax and findmin give the first of equal ones, and the first NaN ("NaN is treated as
greater [less] than all other values"); sums and products of integers narrower than 64 bits are Int or UInt; of nothing, sum and prod
are zero and one, and extremes an ArgumentError."""
import itertools
import math

import npy
from numbers_of import DTYPES, INTS, limits, signed, wrap
from tables import CODES, INF, NAN, check_throws

FILE = "table_reductions.jl"


def order(x):
    return (x, math.copysign(1, x)) if isinstance(x, float) else (x, 0)


def find(v, greatest):
    for k, x in enumerate(v):
        if x != x:
            return x, k + 1
    best = (max if greatest else min)(v, key=order)
    return best, next(k for k, x in enumerate(v) if order(x) == order(best)) + 1


def magnitude(name, x):
    return abs(x) if isinstance(x, float) else wrap(name, abs(x))


def negated(name, x):
    return -x if isinstance(x, float) else wrap(name, -x)


def extremes(name, v):
    (most, a), (least, b) = find(v, True), find(v, False)
    return [(name, most), (name, least), (name, least), (name, most), (name, most), ("Int64", a), (name, least), ("Int64", b), ("Int64", a), ("Int64", b)]


def folded(name, v, start, step):
    total = "Int64" if name in INTS and signed(name) else "UInt64" if name in INTS else name
    r = start
    for x in v:
        r = step(r, x)
    return total, r if isinstance(r, float) and name not in INTS else wrap(total, r)


def sums(name, v):
    is_float = name not in INTS
    zero, one = (-0.0, 1.0) if is_float and v else (0.0, 1.0) if is_float else (0, 1)
    return folded(name, v, zero, lambda a, x: a + x), folded(name, v, one, lambda a, x: a * x)


def of_arrays(name, v):
    total, product = sums(name, v)
    rows = [total, product, ("Int64", len(v)), ("Int64", sum(x == 0 for x in v)), ("Bool", any(x == 0 for x in v)), ("Bool", all(x == 0 for x in v)), sums(name, [magnitude(name, x) for x in v])[0],
            ("Bool", all((b == b or True) and not (order_last(b) < order_last(a)) for a, b in zip(v, v[1:])))]
    if not v:
        return rows
    absolute, flipped = [magnitude(name, x) for x in v], [negated(name, x) for x in v]
    (most, a), (least, b) = find(flipped, True), find(flipped, False)
    difference = v[0]
    for x in v[1:]:
        difference = difference - x if isinstance(x, float) else wrap(name, difference - x)
    return rows + extremes(name, v) + [(name, find(absolute, True)[0]), (name, find(absolute, False)[0]), ("Int64", 1), (name, most), ("Int64", a), (name, least), ("Int64", b), (name, find(v, True)[0]), (name, difference)]


def order_last(x):
    """isless puts NaN last."""
    return (x != x, order(x) if x == x else (0, 0))


def of_tuples(name, v):
    total, product = sums(name, v)
    flipped = [negated(name, x) for x in v]
    most, a = find(flipped, True)
    return extremes(name, v) + [total, product, (name, find([magnitude(name, x) for x in v], True)[0]), (name, most), ("Int64", a), (name, find(v, False)[0]), (name, find(v, True)[0]),
                                (name, find(v[:2], False)[0]), (name, find(v[:2], True)[0])]


def compare(kiln, checks, entry, name, columns, args, rows, expected):
    from tables import same, value_of
    count = len(columns)
    data = kiln.write("columns", npy.Array(DTYPES[name], (4, count), [x for c in columns for x in c]), fortran=True)
    threads = min(count, 128)
    arrays, _, err, status = kiln.start(["tables.jl", FILE], entry, [f"zeros(Int64, 3, {rows}, {count})", data] + args + [name], threads=threads, blocks=-(-count // threads), out=[1])
    checks.true(status == 0, f"{entry} of {name}: status {status}\n{err}")
    for i, wanted in enumerate(expected if status == 0 else []):
        for k, (kind, value) in enumerate(wanted):
            code, low, high = arrays[0].items[3 * (k + rows * i):3 * (k + rows * i) + 3]
            got = CODES.get(code, f"code {code}")
            checks.true(got == kind and same(got, value_of(got, low, high), value, 0), f"{entry} of {name}, row {k + 1} of {columns[i]}: expected {kind} {value!r}, got {got} {value_of(got, low, high) if code in CODES else ''!r}")


def check(kiln, checks):
    for name in ["Float32", "Float64"] + INTS:
        if name in INTS:
            low, high = limits(name)
            values = [0, 1, low, high, 3 if low == 0 else -1]
        else:
            values = [0.0, -0.0, 1.0, NAN, -INF, INF] if name == "Float64" else [0.0, -0.0, 2.0, NAN, -1.0]
        columns = [list(c) for c in itertools.product(values, repeat=4)]
        lengths = [(i * 7 + i // 5) % 5 for i in range(len(columns))]
        compare(kiln, checks, "of_arrays", name, columns, [kiln.write("lengths", npy.vector("<i8", lengths))], 28, [of_arrays(name, c[:n]) for c, n in zip(columns, lengths)])
        compare(kiln, checks, "of_tuples", name, columns, [], 19, [of_tuples(name, c) for c in columns])
        data = kiln.write("columns", npy.Array(DTYPES[name], (4, 1), [1] * 4), fortran=True)
        cases = kiln.write("cases", npy.vector("<i8", list(range(8))))
        _, text, err, status = kiln.start(["tables.jl", FILE], "empty_ones", ["zeros(Int64, 3, 1, 1)", data, cases, name], threads=8, options=("-O0",))
        checks.true(status == 1 and "ArgumentError" in err and "alive" not in text, f"extremes of no {name}: status {status}\n{text}{err[:300]}")
