# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Oracles of published exercises, of plots of functions and of small kernels."""

import collections
import functools
import math
import re
import statistics

from .algorithms import values
from .heat import numpy
from .outputs import BENCHMARK, expect, near, numbers, require, text
from .registry import oracle

FINCH = "hecarson/finch-bc-gpu"
STEPS = ("modules loaded", "compiling kernel", "launching kernel")


@oracle(f"{FINCH}/cuda_test1.jl", "kernels")
def sums_of_indices(output):
    require(tuple(output.lines[:3]) == STEPS, f"{output.lines[:3]}")
    values(output, "result", text([a + b for b in range(1, 101) for a in range(1, 101)]))


@oracle(f"{FINCH}/cuda_test2.jl")
def sums_of_digits(output):
    cube = [sum(n // 3**k % 3 + 1 for k in range(3)) for n in range(27)]
    expect(output, *STEPS, BENCHMARK, text(cube))


@oracle(f"{FINCH}/cuda_test3.jl")
def sums_of_a_matrix(output):
    expect(output, *STEPS, BENCHMARK, text([16 * 16] * 64))


@oracle(f"{FINCH}/cuda_test4.jl")
def counts(output):
    require(output.status == 0 and tuple(output.lines[:3]) == STEPS, f"{output.lines[:3]}")
    require(output.lines[-1] == text([512 // 16] * 16), output.lines[-1])


@oracle(f"{FINCH}/profile/bte2d/bte-boundary.jl")
@oracle(f"{FINCH}/testing/bte2d/bte-boundary.jl")
def needs_its_parent(output):
    """The file is a part: its macro comes from the file that includes it."""
    require(output.status != 0, "status 0, although @callbackFunction is not defined")
    require(re.search(r"UndefVarError: `@callbackFunction` not defined", output.err), f"error {output.err[:200]}")


@oracle(f"{FINCH}/ad1d_bdry_kernels.jl", "kernels")
def boundary(output):
    require(output.status == 0, f"status {output.status}")
    faces, cells = (3, 1, 5, 2, 4), (8, 6, 4, 2, 1)
    parts = zip((0.05, 0.1, 0.3), *map(output.values, ("flux", "index", "vector")))
    for time, flux, index, vector in parts:
        inflow = math.sin(math.pi * time / 0.2) ** 2 if time < 0.2 else 0
        expected = {cells[face - 1]: inflow * (face / 4) / (cells[face - 1] + 1) for face in faces}
        near(numbers(flux), [expected[cells[face - 1]] for face in faces] + [0] * 3, 1e-12, f"flux at {time}")
        require(index == text([cells[face - 1] for face in faces] + [0] * 3), index)
        near(numbers(vector), [1 + expected.get(cell, 0) for cell in range(1, 9)], 1e-12, f"vector at {time}")
    near(output.numbers("facex"), [face / 10 for face in faces] + [0] * 3, 0, "center")


@oracle("ki2098/learn-julia/cudajl/start.jl", "kernels")
def repeated_sum(output):
    require(BENCHMARK.fullmatch(output.lines[0]), output.lines[0])
    one, total = output.numbers("result")
    require(one == 1 and total >= 3 and total == int(total), f"x is {one}, y is {total}")


@functools.cache
def relax(kind):
    """Returns the errors of red-black relaxation of the heat equation over 1,001 points, from 0 to 100."""
    np = numpy()
    t, errors = np.zeros(1001, dtype=kind), []
    right = 100 / 2e6 / 1
    diagonal = np.full(1001, -1.0)
    diagonal[[0, -1]] = 1 / 2e6

    def residual():
        wide = t.astype(np.float64)
        rest = np.empty(1001)
        rest[1:-1] = wide[1:-1] - 0.5 * (wide[2:] + wide[:-2])
        rest[0], rest[-1] = -wide[0] / 2e6, right - wide[-1] / 2e6
        return rest

    while not errors or errors[-1] > 1e-6:
        for color in (1, 0):  # Julia's even indices first
            step = (1.5 * residual() / diagonal)[color::2]
            t[color::2] = (t[color::2].astype(np.float64) + step).astype(kind)
        errors.append(math.sqrt(float((residual().astype(kind).astype(np.float64) ** 2).mean())))
    return errors


def check_relaxation(output, errors, tolerance):
    require(output.status == 0, f"status {output.status}")
    steps = [part.split(", ") for part in output.lines]
    require([int(step) for step, _ in steps] == list(range(1, len(steps) + 1)), "the iterations do not count")
    found = [float(error) for _, error in steps]
    require(found[-1] <= 1e-6 < min(found[:-1]), f"it ends with {found[-1]}")
    require(abs(len(found) - len(errors)) <= tolerance * len(errors), f"{len(found)} iterations, not {len(errors)}")
    for at in (1, 10, 100, 1000, 10000, 100000):
        near(found[at] / errors[at], 1.0, max(tolerance, 1e-9), f"ratio of errors {at}")


@oracle("ki2098/learn-julia/heat/cpuheat.jl")
def relaxation(output):
    check_relaxation(output, relax("float64"), 1e-5)


@oracle("ki2098/learn-julia/heat/gpuheat.jl")
def relaxation_gpu(output):
    check_relaxation(output, relax("float32"), 0.05)


def owner(rows, x, y):
    """Returns the color and the places of the empty region at a place, by flood fill."""
    if rows[y - 1][x - 1] != " ":
        return " ", []
    seen, colors, queue = {(x, y)}, set(), collections.deque([(x, y)])
    while queue:
        a, b = queue.popleft()
        for place in ((a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)):
            if 1 <= place[0] <= len(rows[0]) and 1 <= place[1] <= len(rows) and place not in seen:
                if rows[place[1] - 1][place[0] - 1] == " ":
                    seen.add(place)
                    queue.append(place)
                else:
                    colors.add(rows[place[1] - 1][place[0] - 1])
    return (colors.pop() if len(colors) == 1 else " "), sorted(seen)


def pairs(places):
    return "[" + ", ".join(map(str, places)) + "]" if places else "Tuple{Int64, Int64}[]"


@oracle("pascal-p/julia-exercism/go_counting/src/go_counting.jl", "exercises")
def go_counting(output):
    boards = (("  B  ", " BB  ", "BB   ", "B    ", "     "), (" BW ", " BW "),
              ("   W ", "WWWW ", "    W", "BBBBB", "     "))  # fmt: skip
    found, owners = [], []
    for rows in boards:
        regions = collections.defaultdict(set)
        for y in range(1, len(rows) + 1):
            for x in range(1, len(rows[0]) + 1):
                color, places = owner(rows, x, y)
                regions[color] |= set(places)
                found.append(f"({x}, {y}, '{color}', {pairs(places)})")
        owners.append("[" + ", ".join(f"('{color}', {pairs(sorted(regions[color]))})" for color in " BW") + "]")
    values(output, "territory", *found)
    for line, expected in zip(output.values("owners"), owners, strict=True):
        require(line.partition("[")[2] == expected[1:], f"{line}, not {expected}")
    values(output, "thrown", "ArgumentError", "ArgumentError")


LECTURES = "JuliaTeachingCTU/Julia-for-Optimization-and-Learning/docs/src"


@oracle(f"{LECTURES}/lecture_11/utilities.jl", "exercises")
def data(output):
    values(output, "rows", text([float(n) for n in range(1, 21)]))
    values(output, "sizes", "((16, 3), (4, 3), 16, 4)")
    values(output, "labels", "true")
    columns = ((1, 3, 5), (2, 8, 5))
    for line, others in zip(output.values("normal"), (columns, ((3, 7), (5, 2))), strict=True):
        expected = [(x - statistics.mean(c)) / statistics.stdev(c) for c, part in zip(columns, others) for x in part]
        near(numbers(line), expected, 1e-12, "normalized")
    values(output, "hot", "Bool[0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0]")
    values(output, "cold", text(["b", "a", "c", "a"]))
    near(numbers(output.values("prepared")[0]), [0, 0, 0], 1e-12, "sum")
    near(numbers(output.values("prepared")[1]), [15, 15, 15], 1e-12, "sum of squares")
    values(output, "classes", '(["a", "b"], (2, 16), 16)')


@oracle(f"{LECTURES}/lecture_08/data/auxiliary.jl", "exercises")
def extrema(output):
    points = [(1 + x / 2) * math.sin(x) for x in (3 + 9 * k / 999 for k in range(1000))]
    inner = range(1, 999)
    minima = [k for k in inner if points[k - 1] > points[k] < points[k + 1]]
    maxima = [k for k in inner if points[k - 1] < points[k] > points[k + 1]]
    values(output, "minima", text([k - 1 for k in minima]))  # the program subtracts one from its place in 2:end-1
    values(output, "maxima", text([k - 1 for k in maxima]))
    near(output.numbers("values"), [points[0], points[499], points[999]], 1e-12, "value")


@oracle("jla524/learn-julia/StockProblem/path.jl", "exercises")
def paths(output):
    values(output, "paths", "(10, [10000], [100.0])")
    up, down = 0.08e-4 + 0.3e-2, 0.08e-4 - 0.3e-2
    chance = (math.exp(0.08e-4) - math.exp(down)) / (math.exp(up) - math.exp(down))
    for line in output.values("path"):
        ups, *steps, last = numbers(line)
        near(steps, [up, up, down, down], 1e-12, "step")
        near(last, 100 * math.exp(ups * up + (9999 - ups) * down), 1e-9, "last price")
        require(abs(ups - 9999 * chance) < 7 * math.sqrt(9999) / 2, f"{ups} steps up, a chance of {chance}")


@oracle("jdamiba/julia-examples/basic-linear-algebra.jl", "lessons")
def matrices(output):
    products = ([3 + 28 + 4, 12 + 7 + 6, 15 + 35 + 10], [3 + 21 + 4, 12 + 84 + 16, 6 + 42 + 8], [-4, 9, -5], [3, 14])
    values(output, "products", text(tuple(products)))
    near(output.numbers("Q5"), [-1, math.sin(math.pi), -math.sin(math.pi), 1], 1e-15, "entry")


@oracle("jdamiba/julia-examples/basic-plotting.jl", "lessons")
def powers(output):
    halves = [k / 2 for k in range(-20, 21)]
    values(output, "y1", text([x**2 for x in halves]))
    values(output, "y2", text([x**3 for x in halves]))


@oracle("jdamiba/julia-examples/subplots.jl", "lessons")
def ranges(output):
    total = 2 * sum(k * k for k in range(1, 1001)) / 100
    near(output.numbers("x"), [2001, -100, 100, 0, total], 1e-12, "number")


@oracle("jdamiba/julia-examples/partial-diff-eq.jl", "lessons")
def sine(output):
    near(output.numbers("u"), [math.sin(2 * math.pi * (5 + 0.317 * k)) for k in range(16)], 1e-11, "sine")


@oracle("akabaoglu/Julia-Tutorials/L3.jl", "lessons")
def pieces(output):
    values(output, "fx", text([6 * x * x if x < 5 else (x - 2) ** 2 + 72 if x > 5 else -20 for x in range(-14, 11)]))


@oracle("jla524/learn-julia/BasicProblems/timeseries_generation.jl", "lessons")
def series(output):
    values(output, "series", "(3, [200, 200, 200], [0.0, 0.0, 0.0])")
    require(all(0.5 < shock < 1.7 for shock in output.numbers("shocks")), f"variances {output.value('shocks')}")
