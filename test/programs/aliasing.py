#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assignments whose sources share memory with their destination, against Python, which computes all values before it stores them: aliasing.py --kiln PROGRAM [--device cpu|cuda] [--seed N] [--count N]

Each statement runs at top level, and in a function that is called until it is compiled; on arrays of the host, and then of the device."""
import random
import sys

from scripts import random_options, run_script

CALLS = 60  # from some call on, the function is compiled


def part(rng, n, count):
    """(text of a range, its indices from 0) with `count` elements of 1:n"""
    step = rng.choice([s for s in (1, 1, 2, -1, -2) if (count - 1) * abs(s) < n])
    span = (count - 1) * abs(step)
    low = rng.randrange(1, n - span + 1)
    first, last = (low, low + span) if step > 0 else (low + span, low)
    return (f"{first}:{last}" if step == 1 else f"{first}:{step}:{last}"), [first - 1 + k * step for k in range(count)]


def vector_case(rng):
    """(statement on a vector a, function of the elements)"""
    n = rng.randrange(4, 12)
    count = rng.randrange(1, n)
    to, at = part(rng, n, count)
    one, first = part(rng, n, count)
    two, second = part(rng, n, count)
    kind = rng.randrange(5)
    if kind == 0:
        text, value = f"view(a, {to}) .= view(a, {one}) .+ 2 .* view(a, {two})", lambda a, k: a[first[k]] + 2 * a[second[k]]
    elif kind == 1:
        text, value = f"view(a, {to}) .= view(a, {one})", lambda a, k: a[first[k]]
    elif kind == 2:
        text, value = f"@views a[{to}] .+= a[{one}]", lambda a, k: a[at[k]] + a[first[k]]
    elif kind == 3:
        text, value = f"copyto!(view(a, {to}), view(a, {one}))", lambda a, k: a[first[k]]
    else:
        i, j = rng.randrange(1, n - count + 2), rng.randrange(1, n - count + 2)
        at, text, value = range(i - 1, i - 1 + count), f"copyto!(a, {i}, a, {j}, {count})", lambda a, k: a[j - 1 + k]

    def run(a):
        values = [value(a, k) for k in range(count)]
        for k, place in enumerate(at):
            a[place] = values[k] % 1000
        return a

    return text, n, run


def matrix_case(rng):
    """The same of a square matrix, whose elements are in columns."""
    m = rng.randrange(2, 5)
    turned = rng.choice(("transpose(A)", "A'", "PermutedDimsArray(A, (2, 1))"))
    kind = rng.randrange(3)
    if kind == 0:
        text, value = f"A .= {turned}", lambda a, i, j: a[j + i * m]
    elif kind == 1:
        text, value = f"A .= A .+ 3 .* {turned}", lambda a, i, j: a[i + j * m] + 3 * a[j + i * m]
    else:
        text, value = "A .= view(A, size(A, 1):-1:1, :) .+ view(A, 1:size(A, 1), :)", lambda a, i, j: a[m - 1 - i + j * m] + a[i + j * m]

    def run(a):
        return [value(a, i, j) % 1000 for j in range(m) for i in range(m)]

    return f"(A = reshape(a, {m}, {m}); {text})", m * m, run


def compare(options, wrap, download):
    """Number of wrong results. `wrap` and `download`: functions that make an array of the device, and an Array of it."""
    rng = random.Random(options.seed)
    lines, expected = ["using CUDA"], []
    for k in range(options.count):
        text, n, run = rng.choice((vector_case, vector_case, matrix_case))(rng)
        start = [rng.randrange(1000) for _ in range(n)]
        show = f"println(join({download}(a), ' '))"
        lines += [f"a = {wrap}({start})", text, "a .= mod.(a, 1000)", show, f"f{k}(a) = ({text}; a .= mod.(a, 1000); a)", f"for i in 1:{CALLS}; f{k}(a); end", show]
        after = run(list(start))
        expected.append((text, start, list(after)))
        for _ in range(CALLS):
            after = run(list(after))
        expected.append((f"{text}, {CALLS} more times", start, after))
    done = run_script(options.kiln, "\n".join(lines) + "\n", options.device)
    if done.returncode != 0:
        sys.exit(done.stderr)
    wrong = 0
    for (text, start, values), line in zip(expected, done.stdout.splitlines(), strict=True):
        if line != " ".join(map(str, values)):
            wrong += 1
            print(f"a = {wrap}({start}); {text}\n  gives {line},\n  not   {' '.join(map(str, values))}")
    print(f"{options.count} statements on {wrap}; {wrong} of {2 * options.count} results wrong")
    return wrong


def main():
    options = random_options(__doc__, 60)
    return compare(options, "identity", "identity") + compare(options, "CuArray", "Array") != 0


sys.exit(main())
