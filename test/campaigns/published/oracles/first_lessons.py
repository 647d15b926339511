# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Oracles of published first steps in Julia: texts of values, arithmetic, dispatch and closures."""

import math

from .outputs import TIME, check_line, expect, float_text, near, numbers, require, text
from .registry import oracle

S1000F = "S1000f/learn-julia"
PINA = "h-pina/julia-examples"
JLA = "jla524/learn-julia"


@oracle(f"{S1000F}/extra/closureAndCurrying.jl")
def closures(output):
    expect(output, str(3**2 + 4), "3", str(2 + 3), str((3 + 1) * 2))


@oracle(f"{S1000F}/hello.jl")
def hello(output):
    lyrics = ("I am a lumberjack, and I'm okay", "I sleep all night and I work all day") * 2
    half = math.sqrt(0.5)
    area = math.pi * 4
    expect(output, "Hello world!", 10 * math.log10(20), half, half, 1 + half, *lyrics, "nothingSpam!Spam!", "Spam!Spam!",
           "16", "16", "x > y", "0 < x <= 30", area, area)  # fmt: skip


@oracle(f"{S1000F}/scope.jl")
def scope(output):
    expect(output, "before job mutex : true", "lock mutex : false", "do something...", "unlock mutex : true",
           text([1, 2, 3, 4]))  # fmt: skip


@oracle(f"{S1000F}/struct.jl")
def structs(output):
    later = (3, 0, 59) > (13, 29, 44)
    box = "Rectangle(100.0, 200.0, MuPoint(0.0, 0.0))"
    expect(output, "Point(3.0, 5.0)", "3.0", box, "false", "false", text(later))


def newton(number, guess):
    """Returns the guesses of Newton's method for a square root, until two differ by less than 1e-11."""
    guesses = [guess]
    while len(guesses) < 2 or abs(guesses[-1] - guesses[-2]) >= 1e-11:
        guesses.append((guesses[-1] + number / guesses[-1]) / 2)
    return guesses[:-1]


@oracle(f"{S1000F}/functions.jl")
def functions(output):
    expect(output, "di = 25", math.hypot(3, 4), "5 4 3 2 1 Blastoff!", "3", *newton(4, 3)[1:])


@oracle(f"{S1000F}/array.jl")
def arrays(output):
    fruit = ["pineapple", "apple"]
    more = fruit + ["orange", "berry"]
    expect(
        output,
        "Vector{Any}Vector{String}Vector{Any}",
        text(fruit),
        "true",
        *fruit * 2,
        f"copied stringArray and pushed a new element in it -> {text(fruit + ['peach'])}",
        text([fruit[0], "melon", fruit[1]]),
        f"original stringArray is safe and sound -> {text(fruit)}",
        text(more),
        text([n * n for n in (1, 2, 3)]),
        text([word.upper() for word in more]),
        "true",
    )


@oracle(f"{PINA}/4_strings.jl")
def strings(output):
    letters = "abcdefghijklm"
    lorem = output.lines[4]
    require(len(lorem.split()) == 72 and "  " not in lorem, f"{len(lorem.split())} words of one line, not 72")
    require(lorem.startswith("Lorem ipsum") and lorem.endswith("ultricies enim."), lorem)
    expect(output, letters[2] + letters[0] + letters[-1] + letters[5], f"Hello  guys.  How are you? {letters}", chr(0xD8),
           "Hi everyone.", lorem, "Hello guys. How are you?")  # fmt: skip


@oracle(f"{PINA}/5_functions.jl")
def operators(output):
    a, b = 2, 4
    expect(
        output,
        f"{2 + 3} | {1 + 1} | {5 + 6} | {4 + 2} ",
        text((a + b, a * b, a - b, a / b, a**b)),
        f"{1 + 2} | {2 * 4}",
    )


@oracle(f"{PINA}/2_nomes.jl")
def names(output):
    expect(output, "10.0 | 20 | -50 | -2.5 | Hi", f"Para cima Feliz | {float_text(math.pi + 1)}")


@oracle("jdamiba/julia-examples/multiple-dispatch.jl")
def dispatch(output):
    kinds = ("foo with integer and integer", "duck typed foo", "foo with float and float", "foo with integer and float")
    expect(output, *kinds, "duck typed foo")


@oracle("jdamiba/julia-examples/partial-diff-eq2.jl", "lessons")
def poisson(output):
    """Two unknowns: (U2 - 2 U1, U1 - 2 U2) / 0.09 = sin(2 pi (0.3, 0.6))."""
    first, second = (0.09 * math.sin(2 * math.pi * x) for x in (0.3, 0.6))
    near(output.numbers("U"), [-(2 * first + second) / 3, -(first + 2 * second) / 3], 1e-12, "U")


@oracle("jdamiba/julia-examples/factorials.jl", "lessons")
def factorials(output):
    found = output.values("factorial")
    require(len(found) == 1000, f"{len(found)} factorials")
    for n, line in enumerate(found, 1):
        exact = math.factorial(n)
        require(line == float_text(float(exact) if n <= 170 else math.inf), f"{n}!: {line}")


def dot(first, second):
    return sum(a * b for a, b in zip(first, second))


@oracle("jdamiba/julia-examples/linear-algebra.jl", "lessons")
def linear_algebra(output):
    a, c, right = output.numbers("A"), output.numbers("C"), output.numbers("b")
    require(a[0] == 17 and c[1:] == a[1:] and len(a) == 9 and set(c) <= {1, 2, 3, 4}, f"A is {a}, its copy {c}")
    columns = [a[3 * j : 3 * j + 3] for j in range(3)]
    rows = list(zip(*columns))
    near(right, [sum(row) for row in rows], 0, "b")
    near(output.numbers("Asym"), [rows[i][j] + rows[j][i] for j in range(3) for i in range(3)], 0, "A + A'")
    near(output.numbers("Apd"), [dot(columns[i], columns[j]) for j in range(3) for i in range(3)], 0, "A'A")
    near(output.numbers("solved"), [1, 1, 1], 1e-9, "solution")
    rest = [b - dot(output.numbers("tall"), row) for b, row in zip(right, rows)]
    near([dot(rest, column) for column in columns[:2]], [0, 0], 1e-8, "normal equation")
    require(output.value("same") == "(true, false, true)", output.value("same"))


@oracle(f"{JLA}/BasicProblems/factorial.jl")
def factorial_of_100(output):
    expect(output, str(math.factorial(100)))


@oracle(f"{JLA}/BasicProblems/logistic_map.jl", "lessons")
def logistic_map(output):
    rows = [numbers(line) for line in output.values("row")]
    near([row[0] for row in rows], [(2900 + i) / 1000 for i in range(1101)], 0, "rate")
    for rate, *states in rows:
        require(len(states) == 150, f"{len(states)} states")
        near(states[1:], [rate * x * (1 - x) for x in states[:-1]], 1e-13, f"states for {rate}")
        if rate < 2.98:  # one attracting fixed point; at 3 it loses its stability
            near(states[-1], 1 - 1 / rate, 1e-3, f"fixed point for {rate}")
        elif 3.05 < rate < 3.44:  # two states by turns
            near(states[-1], states[-3], 1e-6, f"period of two for {rate}")
            require(abs(states[-1] - states[-2]) > 0.1, f"one state for {rate}")


@oracle(f"{JLA}/BasicProblems/binomial.jl", "lessons")
def binomial(output):
    draws = numbers(output.lines[0])
    require(text(draws) == output.lines[0] and len(draws) == 10, f"{output.lines[0]} is not a vector of ten")
    require(all(0 <= draw <= 10 for draw in draws), f"draws {draws}")
    near(output.numbers("mean"), [2.5], 0.05, "mean")  # 7 standard errors
    low, high = output.numbers("range")
    require(0 <= low < high <= 10, f"range {low} to {high}")
    require(output.value("certain") == "(0, 7)", output.value("certain"))


@oracle(f"{JLA}/IntermediateProblems/linspace.jl")
def linspace(output):
    expect(output, "LinSpace(1, 2, 50)", "(50,)", 1 + 5 * (1 / 49), "(50,)", 54 / 49)


def probabilities(n):
    """Returns the binomial distribution of the steps of a stock price, by logarithms."""
    step = 1 / n
    up, down = math.exp(0.08 * step + 0.3 * math.sqrt(step)), math.exp(0.08 * step - 0.3 * math.sqrt(step))
    p = (math.exp(0.08 * step) - down) / (up - down)
    weights = [math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in range(n + 1)]
    return [math.exp(w + (n - k) * math.log(p) + k * math.log(1 - p)) for k, w in enumerate(weights)]


@oracle(f"{JLA}/StockProblem/distribution.jl", "lessons")
def distribution(output):
    near(numbers(output.lines[0]), probabilities(3), 1e-12, "printed probability")
    found = output.values("probabilities")
    require(found[0] == output.lines[0], "the printed probabilities differ")
    for line, n in zip(found, (3, 10, 50)):
        near(numbers(line), probabilities(n), 1e-12, f"probability of {n}")
        near(math.fsum(numbers(line)), 1.0, 1e-12, "sum")
    require(output.value("prices") == text([100 * 1.25 ** (4 - k) * 0.5**k for k in range(5)]), output.value("prices"))


@oracle(f"{S1000F}/generic.jl")
def generic(output):
    seconds = 13 * 3600 + 33 * 60 + 12
    times = ("UrTime(0, 0, 0)", "UrTime(3, 0, 0)", "UrTime(3, 24, 0)", "UrTime(3, 24, 30)")
    shown = [f"{h} hour : {m} minute : {s} second" for h, m, s in ((0, 1, 2), (0, 2, 4), (10, 12, 14))]
    expect(output, 'TypeError(:typeassert, "", Float64, 3)', "Int64 3", "123.0", *times, f"Int128 {seconds}",
           "UrTime(0, 1, 2) UrTime(0, 1, 2) true", *shown)  # fmt: skip


@oracle(f"{S1000F}/tuple.jl")
def tuples(output):
    letters = "NTuple{4, Char}->('a', 'b', 'c', 'd')"
    pairs = [f"Tuple{{Char, Int64}} : ('{letter}', {n})" for letter, n in zip("abc", (1, 2, 3))]
    numbered = [f"{n} {letter}" for letter, n in zip("abc", (1, 2, 3))] + ["1 : a 1", "2 : b 2", "3 : c 3"]
    people = {"Nick Kim : 334-3534", "Milly Cat : 344-1113", "Sully Kim : 053-343-1134"}
    listed = output.lines[32:35]  # a Dict has no fixed order
    require({line.partition(" -> ")[2] for line in listed} == people, f"entries {listed}")
    require([line.partition(" -> ")[0] for line in listed] == [f"index:{n}" for n in (1, 2, 3)], f"numbers of {listed}")
    for line, quote in zip(output.lines[30:32], "\"'"):
        entries = {f"{quote}{letter}{quote} => {n}" for letter, n in zip("abc", (10, 20, 30))}
        require(set(line.removeprefix("Dict(").removesuffix(")").split(", ")) == entries, line)
        require(line.startswith("Dict(") and line.endswith("0)"), line)
    expect(output, letters, letters, "Tuple{Int64}", "Int64", "(1, 'v', π)", "true", "true", "true", "true", "false", "ba",
           "1", "2", "uname : dohp.kim / domain : gmail.com", "false true", text((1, 2)), "3 4", text((5, 44)),
           text((3, 333)), text((1, 3.4, "haha")), "4", *pairs, *numbered, *output.lines[30:32], *listed)  # fmt: skip


@oracle(f"{S1000F}/extra/parametricType.jl")
def parametric_types(output):
    points = ("Point{Float64}(33.33, 55.55)", "Point{Float64}(2.0, 3.0)", "Point{Int64}(2, 3)")
    moved = text((2.0 + 8, 1.1 + 8))
    expect(output, *points, "false", "new X : 6.0, new Y : 5.1", moved, "110 :Int64", "Julia :String")


@oracle(f"{PINA}/11_sys.jl")
def system(output):
    expect(output, "Pinguin no comando senhoras e senhores")  # Kiln's hosts run Linux


@oracle(f"{PINA}/14_types.jl")
def types(output):
    expect(output, "20.0 | Tipo: Float32", "30 | Tipo: Int8", "Cachorro{Int64}(20, 10)",
           'Cachorro{String}("Vinte Quilos", "Medio")', 'Cachorro{String}("Vinte e Um Quilos", "Medio")')  # fmt: skip


@oracle(f"{PINA}/9_insertionSort.jl")
def insertion_sort(output):
    items = [7, 8, 5, 4, 2, 3, 6, 1]
    expect(output, f"Not sorted: {text(items)}", f"Sorted: {text(sorted(items))}")


@oracle(f"{PINA}/6_multipleDispatch.jl")
def sums(output):
    expect(output, f"Soma Geral: {text(3 + 1.2)}", "Soma Inteiros: 4", f"Soma Ponto Flutuante: {text(5.4 + 2.1)}")


@oracle(f"{PINA}/13_timeMacro.jl")
def timed(output):
    expect(output, TIME)


@oracle(f"{PINA}/7_controlFlow.jl")
def control_flow(output):
    value = str(4 * 3 + 4)
    expect(output, value, value, "Numero par", "Numero impar", "10", "1 2 false", "2 false", "2 1 true")


@oracle(f"{JLA}/IntermediateProblems/operator.jl")
def strang_operator(output):
    def product(x):
        padded = [0, *x, 0]
        return "[" + "; ".join(text(float(a - 2 * b + c)) for a, b, c in zip(padded, padded[1:], padded[2:])) + ";;]"

    expect(output, product([1] * 10), product([1, 2, 3, 4]))


@oracle(f"{JLA}/IntermediateProblems/my_range.jl")
def my_range(output):
    expect(output, str(range(1, 21, 2)[4]))


@oracle(f"{JLA}/BasicProblems/strang_matrix.jl")
def strang_matrix(output):
    rows = [[-2 if i == j else int(abs(i - j) == 1) for j in range(10)] for i in range(10)]
    require(output.lines[0] == "10×10 Matrix{Int8}:", output.lines[0])
    for line, row in zip(output.lines[1:], rows, strict=True):
        check_line(line, "".join(f" {entry:>2} " for entry in row).rstrip())


@oracle(f"{JLA}/AdvancedProblems/metaprogramming.jl")
def metaprogramming(output):
    expect(output, *[str(sum(c * 7**k for k, c in enumerate((2, 3, 4, 5))))] * 2)
