#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""BigInt and BigFloat of programs against Python's integers and its module decimal: big_numbers.py --kiln PROGRAM [--seed N] [--count N]

Ends with 77 (skipped) where GMP (libgmp.so.10) or MPFR (libmpfr.so.6) is not installed."""
import argparse
import ctypes
import decimal
import math
import random
import sys

from scripts import run_script

BITS = 256
TRIG = {"sqrt": lambda x: x.sqrt(), "exp": lambda x: x.exp(), "log": lambda x: x.ln(), "log10": lambda x: x.log10()}


def truncated(x, y):
    q = abs(x) // abs(y)
    return q if (x < 0) == (y < 0) else -q


INTEGER_OPERATIONS = [
    ("{} + {}", lambda x, y: x + y), ("{} - {}", lambda x, y: x - y), ("{} * {}", lambda x, y: x * y),
    ("div({}, {})", lambda x, y: truncated(x, y) if y else None), ("rem({}, {})", lambda x, y: x - y * truncated(x, y) if y else None),
    ("fld({}, {})", lambda x, y: x // y if y else None), ("mod({}, {})", lambda x, y: x % y if y else None),
    ("cld({}, {})", lambda x, y: -(-x // y) if y else None), ("gcd({}, {})", math.gcd), ("lcm({}, {})", math.lcm),
    ("{} & {}", lambda x, y: x & y), ("{} | {}", lambda x, y: x | y), ("xor({}, {})", lambda x, y: x ^ y),
    ("{} < {}", lambda x, y: str(x < y).lower()), ("{} == {}", lambda x, y: str(x == y).lower()), ("isless({}, {})", lambda x, y: str(x < y).lower()),
    ("max({}, {})", max), ("min({}, {})", min), ("cmp({}, {})", lambda x, y: (x > y) - (x < y)),
]  # fmt: skip
UNARY_OPERATIONS = [
    ("-{}", lambda x, _: -x), ("~{}", lambda x, _: ~x), ("abs({})", lambda x, _: abs(x)), ("{} << {n}", lambda x, n: x << n), ("{} >> {n}", lambda x, n: x >> n),
    ("({})^{n}", lambda x, n: x**n), ("isqrt(abs({}))", lambda x, _: math.isqrt(abs(x))), ("string(abs({}), base=16)", lambda x, _: f"{abs(x):x}"),
    ("ndigits({})", lambda x, _: len(str(abs(x)))), ("count_ones(abs({}))", lambda x, _: abs(x).bit_count()), ("digits({})[1]", lambda x, _: int(math.fmod(x, 10)) if abs(x) < 10 else (abs(x) % 10) * (1 if x > 0 else -1)),
    ("rem({}, UInt64)", lambda x, _: x % 2**64), ("rem({}, Int32)", lambda x, _: (x + 2**31) % 2**32 - 2**31), ("isodd({})", lambda x, _: str(x % 2 == 1).lower()),
    ("powermod({}, {n}, big(1000007)^3)", lambda x, n: pow(x, n, 1000007**3)), ("parse(BigInt, string({}))", lambda x, _: x), ("sum([{0}, 1, {0}])", lambda x, _: 2 * x + 1),
    ("bitstring(Float64({}))", lambda x, _: f"{ctypes.c_uint64.from_buffer(ctypes.c_double(float(x))).value:064b}"),
    ("length(1:abs({}) % 1000)", lambda x, _: abs(x) % 1000), ("Dict({0} => 7)[{0}]", lambda x, _: 7), ("hash({0}) == hash({0} + 0)", lambda x, _: "true"),
]  # fmt: skip


def literal(x, machine=False):
    if machine and -(2**63) < x < 2**63:
        return f"({x})"
    return f'big"{x}"' if x >= 0 else f'(-big"{-x}")'


def integer_cases(rng, count):
    for _ in range(count):
        x, y = (rng.randrange(-(2**size), 2**size + 1) for size in rng.choices((3, 31, 63, 64, 65, 128, 300, 900), k=2))
        text, value = rng.choice(INTEGER_OPERATIONS)
        machine = rng.random() < 0.3
        expected = value(x, y)
        if expected is not None:
            yield text.format(literal(x), literal(y, machine)), expected
        n = rng.randrange(0, 40)
        text, value = rng.choice(UNARY_OPERATIONS)
        yield text.format(literal(x), n=n), value(x, n)


def float_cases(rng, count):
    """(expression of a BigFloat, its value with 60 more digits)"""
    for _ in range(count):
        a, b = (f"{rng.randrange(1, 10**12)}.{rng.randrange(10**9)}e{rng.randrange(-20, 10)}" for _ in range(2))
        operation = rng.choice("+-*/")
        x, y = decimal.Decimal(a), decimal.Decimal(b)
        # The operands are rounded to 256 bits, so that the error of a difference is relative to them.
        yield f'parse(BigFloat, "{a}") {operation} parse(BigFloat, "{b}")', {"+": x + y, "-": x - y, "*": x * y, "/": x / y}[operation], max(abs(x), abs(y)) if operation in "+-" else 0
        name, function = rng.choice(sorted(TRIG.items()))
        z = decimal.Decimal(rng.randrange(2, 4000)) / 8
        yield f"{name}(BigFloat({z}))", function(z), 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    options = parser.parse_args()
    try:
        for library in ("libgmp.so.10", "libmpfr.so.6"):
            ctypes.CDLL(library)
    except OSError as e:
        print("skipped:", e)
        return 77
    rng = random.Random(options.seed)
    decimal.getcontext().prec = 140
    sys.set_int_max_str_digits(0)
    integers = list(integer_cases(rng, options.count))
    floats = list(float_cases(rng, options.count // 3))
    done = run_script(options.kiln, "".join(f"println({text})\n" for text, *_ in integers + floats))
    lines = done.stdout.splitlines()
    wrong = 0
    for (text, *expected), line in zip(integers + floats, lines):
        if len(expected) == 1:
            is_right = line == str(expected[0])
        else:
            value, scale = expected
            is_right = abs(decimal.Decimal(line) - value) <= max(abs(value), scale) * 4 / decimal.Decimal(2) ** BITS
        if not is_right:
            wrong += 1
            print(f"{text}\n  printed  {line}\n  expected {expected[0]}")
    print(f"{len(lines)} of {len(integers) + len(floats)} expressions, {wrong} wrong, seed {options.seed}")
    if done.returncode or len(lines) != len(integers) + len(floats):
        print(done.stderr)
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
