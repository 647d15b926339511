# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranges of every type of integer, with ends at the corners. Rules: the docstring of `:` ("a:s:b is from a up to b, by steps of s; the last
element is the last that is not past b"; an empty a:b ends at a - 1) and Julia's base/range.jl for types: length is an Int for integers below 64
bits and of the elements' type for others, in which it wraps; sum is `length * first + step * (length * (length - 1) / 2)`, so of
the type in which length, first and step meet, modulo 2^N."""
from numbers_of import limits, meet, signed, width, wrap
from tables import INTS, check_table, check_throws, corners


def described(name, a, step, step_type, b, v, index):
    low, high = limits(name)
    count = max((b - a) // step + 1, 0)
    length_type = name if width(name) >= 64 else "Int64"
    last = a + (count - 1) * step if count else a - (1 if step > 0 else -1)
    total_type = meet(meet(length_type, name), step_type)
    total = count * a + step * (count * (count - 1) // 2)
    seen = [a + k * step for k in range(min(count, 300))]
    rolled = 0
    for x in seen:
        rolled = rolled * 31 + x
    inside = count > 0 and min(a, last) <= v <= max(a, last) and (v - a) % step == 0
    first_row = [(length_type, wrap(length_type, count)), (name, a), (name, wrap(name, last)), (step_type, step), ("Bool", count == 0), (total_type, wrap(total_type, total)),
                 ("Int64", len(seen)), ("Int64", wrap("Int64", rolled)), (name, seen[-1] if seen else 0), ("Bool", inside), ("Bool", True)]
    if not count:
        return first_row
    return first_row + [(name, v) for v in (min(a, last), max(a, last), min(a, last), max(a, last), a, a + (index - 1) * step, last, a)]


def index_in(count):
    return max(1, min(count, 2**62, count // 2 + 1 if count % 2 else count))


def check_type(kiln, checks, name):
    few = corners(name, True)
    low, high = limits(name)
    units = [(a, b, v, index_in(b - a + 1)) for a in few for b in few for v in (few[len(few) // 2], high)]
    given = [(name, [u[0] for u in units]), (name, [u[1] for u in units]), (name, [u[2] for u in units]), ("Int64", [u[3] for u in units])]
    check_table(kiln, checks, "table_ranges.jl", "unit_ranges", given, [name], 19, [described(name, a, 1, name, b, v, n) for a, b, v, n in units], f"{name} ranges", ("-O0",) if width(name) == 128 else ())
    ones = [(a, v, index_in(a)) for a in few for v in few]
    check_table(kiln, checks, "table_ranges.jl", "one_to", [(name, [x[0] for x in ones]), (name, [x[1] for x in ones]), ("Int64", [x[2] for x in ones])], [name], 19,
                [described(name, 1, 1, name, max(a, 0), v, n) for a, v, n in ones], f"OneTo of {name}", ("-O0",))
    for step_type in sorted({name, "Int64", "Int8"}):
        slow, shigh = limits(step_type)
        steps = sorted({s for s in (1, 2, 3, 7, shigh // 2, -1, -3, slow + 1) if s and slow <= s <= shigh})
        cases = []
        for a in few:
            for b in few:
                for s in steps:
                    count = max((b - a) // s + 1, 0)
                    cases.append((a, b, a + s * (count // 2) if count and low <= a + s * (count // 2) <= high else b, index_in(count), s))
        given = [(name, [c[0] for c in cases]), (name, [c[1] for c in cases]), (name, [c[2] for c in cases]), ("Int64", [c[3] for c in cases]), (step_type, [c[4] for c in cases])]
        expected = [described(name, a, s, step_type, b, v, n) for a, b, v, n, s in cases]
        check_table(kiln, checks, "table_ranges.jl", "step_ranges", given, [name, step_type], 19, expected, f"{name} ranges by {step_type}", ("-O0",))
    beyond = [(a, b, n) for a, b in ((0, 5), (3, 2), (low, low + 1), (high - 1, high), (high, high)) for n in (0, -1, b - a + 2, -2**63, 2**63 - 1)]
    check_throws(kiln, checks, "table_ranges.jl", "outside", [(name, [c[0] for c in beyond]), (name, [c[1] for c in beyond]), ("Int64", [c[2] for c in beyond])], [name], "BoundsError", f"{name} ranges", ("-O0",))
    empty = [(5, 4, w) for w in range(5)] + [(high, low, w) for w in range(5)]
    check_throws(kiln, checks, "table_ranges.jl", "nothing_there", [(name, [c[0] for c in empty]), (name, [c[1] for c in empty]), ("UInt64", [c[2] for c in empty])], [name], "ArgumentError", f"empty {name} ranges", ("-O0",))


def check(kiln, checks):
    for name in INTS:
        check_type(kiln, checks, name)
