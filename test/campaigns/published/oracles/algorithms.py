# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Oracles of published algorithms: sorting, number theory, trees."""

import collections
import datetime
import functools
import itertools
import math
import statistics

from .outputs import TIME, near, require, text
from .registry import oracle


def drawn(seed, count):
    """Returns the numbers of the driver's linear congruential generator."""
    state, found = seed, []
    for _ in range(count):
        state = (1103515245 * state + 12345) % 2**31
        found.append(state // 65536 % 201 - 100)
    return found


def values(output, name, *expected):
    require(output.status == 0, f"status {output.status}")
    found = output.values(name)
    require(len(found) == len(expected), f"{len(found)} lines of {name}, not {len(expected)}")
    for one, other in zip(found, expected):
        require(one == other, f"{name}: `{one}` is not `{other}`")


def is_timed(output):
    require(TIME.fullmatch(output.lines[0]), f"`{output.lines[0]}` is not a time")


def check_sorted(output, is_timed_first=True):
    if is_timed_first:
        is_timed(output)
    shapes = ((1, 1), (2, 2), (3, 17), (4, 60), (5, 200))
    values(output, "sorted", *(text(sorted(drawn(seed, count))) for seed, count in shapes))


for program in (
    "We-Gold/julia-algorithms/sorting/selectionsort.jl",
    "We-Gold/julia-algorithms/sorting/countingsort.jl",
    "We-Gold/julia-algorithms/sorting/bubblesort.jl",
    "We-Gold/julia-algorithms/sorting/quicksort.jl",
    "We-Gold/julia-algorithms/sorting/mergesort.jl",
):
    oracle(program, "algorithms")(check_sorted)
oracle("TheAlgorithms/Julia/src/sorts/counting_sort.jl", "algorithms")(
    functools.partial(check_sorted, is_timed_first=False)
)


def largest_factor(number):
    return max(n for n in prime_factors(number))


def prime_factors(number):
    divisor = 2
    while divisor * divisor <= number:
        if number % divisor:
            divisor += 1
        else:
            yield divisor
            number //= divisor
    if number > 1:
        yield number


@oracle("TheAlgorithms/Julia/src/project_euler/problem_003.jl", "algorithms")
def euler_3(output):
    cases = (17, 13195, 600851475143, 9, 2 * 3 * 7 * 7, 1000003)
    values(output, "factors", text([largest_factor(number) for number in cases]))
    values(output, "thrown", "DomainError")


@oracle("TheAlgorithms/Julia/src/data_structures/binary_tree/basic_binary_search_tree.jl", "algorithms")
def search_tree(output):
    places = {value: index + 1 for index, value in enumerate((50, 20, 70, 10, 30, 60, 80, 25))}
    values(output, "places", text([places.get(value, 0) for value in range(0, 101, 5)]))


@oracle("TheAlgorithms/Julia/src/math/permutation.jl", "algorithms")
def permutations(output):
    values(output, "permutations", text([math.perm(n, r) for n in range(10) for r in range(n + 1)]))


def sundays(first, last):
    """Counts Sundays on the first of a month, from February of the first year to January after the last year."""
    months = [(year, month) for year in range(first, last + 1) for month in range(1, 13)][1:] + [(last + 1, 1)]
    return sum(datetime.date(year, month, 1).isoweekday() == 7 for year, month in months)


@oracle("TheAlgorithms/Julia/src/project_euler/problem_019.jl", "algorithms")
def euler_19(output):
    spans = ((1901, 2000), (1901, 2200), (2020, 2023), (2024, 2024))
    values(output, "Sundays", text([sundays(*span) for span in spans]))
    values(output, "thrown", "DomainError")


def modes(items):
    """Returns the most frequent items, in the order in which they reached that number."""
    counts, order = collections.Counter(items), []
    most, seen = max(counts.values()), collections.Counter()
    for item in items:
        seen[item] += 1
        if seen[item] == most:
            order.append(item)
    return order


@oracle("TheAlgorithms/Julia/src/math/average_mode.jl", "algorithms")
def mode(output):
    cases = ([2, 3, 4, 5, 3, 4, 2, 5, 2, 2, 4, 2, 2, 2], drawn(7, 500), ["x", "x", "y", "y", "z"])
    values(output, "modes", *("Any" + text(modes(case)) for case in cases))


@oracle("We-Gold/julia-algorithms/misc/coins.jl", "algorithms")
def coins(output):
    is_timed(output)
    fewest = [0]
    for amount in range(1, 121):
        fewest.append(1 + min(fewest[amount - coin] for coin in (1, 5, 10, 25) if coin <= amount))
    six = min(a + b + c for a in range(49) for b in range(9) for c in range(2) if a + 6 * b + 27 * c == 48)
    values(output, "coins", text([six] + fewest[1:]))


def walk(node, order):
    children = [walk(child, order) if child <= 9 else [] for child in (2 * node, 2 * node + 1)]
    return {"pre": [node] + children[0] + children[1], "in": children[0] + [node] + children[1]}.get(
        order, children[0] + children[1] + [node]
    )


@oracle("We-Gold/julia-algorithms/trees/binary_dfs.jl", "algorithms")
def depth_first(output):
    is_timed(output)
    require(output.lines[1].split() == [str(node) for node in walk(1, "pre")], f"preorder: {output.lines[1]}")
    values(output, "inorder", text(walk(1, "in")))
    values(output, "postorder", text(walk(1, "post")))


@oracle("We-Gold/julia-algorithms/trees/binary_bfs.jl")
def breadth_first(output):
    is_timed(output)
    require(output.lines[1].split() == [str(node) for node in range(1, 10)], f"level order: {output.lines[1]}")


@oracle("TheAlgorithms/Julia/src/matrix/gauss_jordan_elim.jl", "algorithms")
def gauss_jordan(output):
    require(output.status == 0, f"status {output.status}")
    first, second = output.values("solved")
    near(eval_list(first), [1, 0, 0, 1, -1, 2], 1e-12, "row of the first system")
    x, y, z = eval_list(second)[9:]  # the last column: the solution
    near([2 * y + z, 3 * x + y - z, x + y + z], [5, 2, 6], 1e-12, "right side")
    near(eval_list(second)[:9], [1, 0, 0, 0, 1, 0, 0, 0, 1], 1e-12, "identity")
    values(output, "thrown", "AssertionError")


def eval_list(line):
    return [float(word) for word in line.strip("[]").split(", ")]


@oracle("TheAlgorithms/Julia/src/strings/hamming_distance.jl", "algorithms")
def hamming(output):
    pairs = (("karolin", "kathrin"), ("0000", "1111"), ("ABCDEFG", "AZCDWGM"))
    values(output, "distances", text([sum(x != y for x, y in zip(a, b)) for a, b in pairs]))
    values(output, "thrown", "AssertionError")


@oracle("TheAlgorithms/Julia/src/project_euler/problem_018.jl", "algorithms")
def euler_18(output):
    values(output, "total", "1074")  # the answer that Project Euler's page confirms


@oracle("TheAlgorithms/Julia/src/math/average_median.jl", "algorithms")
def median(output):
    cases = ([2, 1, 3, 4], [2, 70, 6, 50, 20, 8, 4], [0], drawn(9, 40))
    values(output, "medians", text([float(statistics.median(case)) for case in cases]))


@oracle("TheAlgorithms/Julia/src/math/armstrong_number.jl", "algorithms")
def armstrong(output):
    found = [n for n in range(10000) if n == sum(int(digit) ** len(str(n)) for digit in str(n))]
    values(output, "armstrong", text(found))


@oracle("TheAlgorithms/Julia/src/project_euler/problem_008.jl", "algorithms")
def euler_8(output):
    digits = [abs(number) % 10 for number in drawn(11, 1000)]
    best = [max(math.prod(digits[at : at + size]) for at in range(1001 - size)) for size in (4, 13)]
    values(output, "products", text([12] + best))
    values(output, "thrown", "DomainError")


@oracle("We-Gold/julia-algorithms/misc/knapsack.jl", "algorithms")
def knapsack(output):
    items = (3, 34, 4, 12, 5, 2)
    sums = {sum(part) for size in range(1, 7) for part in itertools.combinations(items, size)}
    values(output, "sums", "Bool" + text([int(target in sums) for target in range(1, 61)]))


@oracle("We-Gold/julia-algorithms/conversions/binarytodecimal.jl", "algorithms")
def binary(output):
    is_timed(output)
    values(output, "numbers", text(list(range(-20, 301, 7))))


@oracle("forio/julia-tutorials/beginner/2-primes/main.jl", "algorithms")
def primes(output):
    require(
        output.lines[0] == text(len(list(prime_factors(10002021))) == 1), f"{output.lines[0]}: 10002021 is 3 · 3334007"
    )
    values(output, "primes", text([n for n in range(2, 2001) if all(n % d for d in range(2, math.isqrt(n) + 1))]))


@oracle("forio/julia-tutorials/beginner/3-quadratic/quadratic.jl", "algorithms")
def quadratic(output):
    require(output.status == 0, f"status {output.status}")
    for line, expected in zip(output.values("roots"), ((2, 1), (-0.5 + 1.5j, -0.5 - 1.5j))):
        parts = line.strip("()").replace(" ", "").replace("im", "j").split(",")
        for part, root in zip(parts, expected, strict=True):
            near(abs(complex(part) - root), 0.0, 1e-4, "distance of a root")
