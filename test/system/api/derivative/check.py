#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/examples/derivative, a compiler of derivatives in nested jobs: check.py DERIVATIVE [SEED].

Expected values are closed forms, central differences, and, for random functions, dual numbers in Python."""
import math
import os
import random
import re
import subprocess
import sys
import tempfile

program = os.path.abspath(sys.argv[1])
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 7
faults = []


def expect(what, condition, got=""):
    print(("ok      " if condition else "FAILED  ") + what)
    if not condition:
        print(got)
        faults.append(what)


class Runs:
    """The program over one file, with a cache of its own."""

    def __init__(self, text):
        self.folder = tempfile.TemporaryDirectory()
        self.write(text)

    def write(self, text):
        with open(os.path.join(self.folder.name, "f.jl"), "w", encoding="utf-8") as file:
            file.write(text)

    def call(self, *requests):
        done = subprocess.run([program, "cache", *requests], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder.name, timeout=300)
        counters = re.search(r"differentiated (\d+), compiled (\d+), from the folder (\d+)", done.stderr)
        return done, [int(n) for n in counters.groups()] if counters else None

    def values(self, *requests):
        done, counters = self.call("f.jl", *requests)
        return [float(line) for line in done.stdout.split()], counters, done.stderr


def near(got, wanted, tolerance):
    return abs(got - wanted) <= tolerance * max(1, abs(wanted))


# ---- functions with known derivatives: Julia's text, and the first and second derivative at x

CLOSED = (
    ("x * x * x - 2 * x", lambda x: (3 * x * x - 2, 6 * x)),
    ("sin(x) * cos(x)", lambda x: (math.cos(2 * x), -2 * math.sin(2 * x))),
    ("exp(-x * x)", lambda x: (-2 * x * math.exp(-x * x), (4 * x * x - 2) * math.exp(-x * x))),
    ("log(x) / x", lambda x: ((1 - math.log(x)) / x ** 2, (2 * math.log(x) - 3) / x ** 3)),
    ("sqrt(1 + x)", lambda x: (0.5 / math.sqrt(1 + x), -0.25 * (1 + x) ** -1.5)),
    ("x^oftype(x, 3.5)", lambda x: (3.5 * x ** 2.5, 3.5 * 2.5 * x ** 1.5)),
    ("x^-2", lambda x: (-2 * x ** -3, 6 * x ** -4)),
    ("tan(x)", lambda x: (1 / math.cos(x) ** 2, 2 * math.tan(x) / math.cos(x) ** 2)),
    ("atan(x)", lambda x: (1 / (1 + x * x), -2 * x / (1 + x * x) ** 2)),
    ("asin(x)", lambda x: ((1 - x * x) ** -0.5, x * (1 - x * x) ** -1.5)),
    ("tanh(x)", lambda x: (1 / math.cosh(x) ** 2, -2 * math.tanh(x) / math.cosh(x) ** 2)),
    ("hypot(x, 3)", lambda x: (x / math.hypot(x, 3), 9 / math.hypot(x, 3) ** 3)),
    ("abs(x - 2)", lambda x: (-1.0, 0.0)),
    ("max(x, x * x)", lambda x: (1.0, 0.0)),  # at 0.65
    ("log2(x) + log10(x) + log1p(x)", lambda x: (1 / (x * math.log(2)) + 1 / (x * math.log(10)) + 1 / (1 + x),
                                                 -1 / (x * x * math.log(2)) - 1 / (x * x * math.log(10)) - (1 + x) ** -2)),
    ("exp2(x) + expm1(x)", lambda x: (math.log(2) * 2 ** x + math.exp(x), math.log(2) ** 2 * 2 ** x + math.exp(x))),
    ("floor(3 * x) * x", lambda x: (1.0, 0.0)),
)


def closed_forms():
    x = 0.65
    text = "".join(f"f{i}(x) = {body}\nd{i}(x) = derivative(f{i}, x)\ndd{i}(x) = derivative(d{i}, x)\n" for i, (body, _) in enumerate(CLOSED))
    got, _, said = Runs(text).values(*(f"{d}{i} {type} {x}" for i in range(len(CLOSED)) for d, type in (("d", "Float64"), ("dd", "Float64"), ("d", "Float32"))))
    expect("closed forms compile", len(got) == 3 * len(CLOSED), said)
    for i, (body, wanted) in enumerate(CLOSED[:len(got) // 3]):
        first, second = wanted(x)
        expect(f"{body}: first and second derivative, and in Float32",
               near(got[3 * i], first, 1e-13) and near(got[3 * i + 1], second, 1e-12) and near(got[3 * i + 2], first, 1e-5), (got[3 * i:3 * i + 3], first, second))


# ---- control flow, calls, memory: against central differences of the function itself

PROGRAMS = """
struct Pair
    a::Float64
    b::Float64
end
square(p) = Pair(p.a * p.a - p.b * p.b, 2 * p.a * p.b)
function orbit(x)
    z = Pair(x, 0.3)
    for _ in 1:6
        w = square(z)
        z = Pair(w.a + 0.1 * x, w.b)
        if z.a > 1
            z = Pair(1 / z.a, z.b)
        end
    end
    z.a + z.b
end
factor(x, n) = n == 0 ? x : x * factor(x + 0.1, n - 1)
recursive(x) = factor(x, 5)
@noinline pick(t, i) = t[i]
function indexed(x)
    s = 0.0
    for i in 1:3
        s += pick((x, sin(x), x * x), i) * i
    end
    s
end
function halve(x)
    y = x
    while abs(y) > 0.1
        y = y / 2
    end
    y * x
end
checked(x) = (x > 0 || throw(DomainError(x, "negative")); sqrt(x) * x)
parameters(x) = derivative((x, a, n) -> a * x^n, x, 1.5, 3)
mixed_x(y, x) = derivative((x, y) -> x^2 * y^3, x, y)
mixed(x) = derivative(mixed_x, x, 2.0)
"""
FUNCTIONS = ("orbit", "recursive", "indexed", "halve", "checked")


def differences():
    x, h = 0.65, 1e-5
    text = PROGRAMS + "".join(f"d_{f}(x) = derivative({f}, x)\ndd_{f}(x) = derivative(d_{f}, x)\n" for f in FUNCTIONS)
    requests = [f"{name} Float64 {at!r}" for f in FUNCTIONS for name, at in ((f, x + h), (f, x - h), ("d_" + f, x), ("d_" + f, x + h), ("d_" + f, x - h), ("dd_" + f, x))]
    got, _, said = Runs(text).values(*requests, "parameters Float64 0.65", "mixed Float64 0.65")
    expect("control flow compiles", len(got) == 6 * len(FUNCTIONS) + 2, said)
    for i, f in enumerate(FUNCTIONS):
        above, below, first, first_above, first_below, second = got[6 * i:6 * i + 6]
        expect(f"{f}: derivatives as by differences", near(first, (above - below) / (2 * h), 1e-8) and near(second, (first_above - first_below) / (2 * h), 1e-8), got[6 * i:6 * i + 6])
    expect("further arguments are parameters", near(got[-2], 1.5 * 3 * 0.65 ** 2, 1e-14))
    expect("a mixed derivative", near(got[-1], 2 * 2.0 * 3 * 0.65 ** 2, 1e-13))


# ---- random functions: against dual numbers, nested for the second derivative

class Dual:
    def __init__(self, value, slope=0.0):
        self.value, self.slope = value, slope

    @staticmethod
    def of(x):
        return x if isinstance(x, Dual) else Dual(x)

    def __add__(self, other):
        other = Dual.of(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other):
        other = Dual.of(other)
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -Dual.of(other)

    def __truediv__(self, other):
        other = Dual.of(other)
        quotient = self.value / other.value
        return Dual(quotient, (self.slope - quotient * other.slope) / other.value)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return -self + other

    def __rtruediv__(self, other):
        return Dual.of(other) / self


def apply(name, x):
    if not isinstance(x, Dual):
        return getattr(math, name)(x)
    y = apply(name, x.value)
    slopes = {"sin": lambda: apply("cos", x.value), "cos": lambda: -1.0 * apply("sin", x.value), "exp": lambda: y, "log": lambda: 1.0 / x.value, "sqrt": lambda: 0.5 / y}
    return Dual(y, slopes[name]() * x.slope)


def plain(x):
    return plain(x.value) if isinstance(x, Dual) else x


class Program:
    """Random functions f0, f1, ... as Julia's text and as functions of Python's."""

    def __init__(self, choose):
        self.choose, self.functions, self.text = choose, [], ""
        for _ in range(25):
            self.function()

    def expression(self, names, depth):
        """Text, and a function from the variables' values."""
        c = self.choose
        if depth == 0 or c.random() < 0.1:
            if c.random() < 0.75:
                name = c.choice(names)
                return name, lambda v: v[name]
            number = round(c.uniform(-2, 2), 2)
            return f"({number})", lambda v: number
        kind = c.choice(("+", "-", "*", "/", "sin", "cos", "exp", "log", "sqrt", "if", "call", "power"))
        a, f = self.expression(names, depth - 1)
        if kind in "+-*":
            b, g = self.expression(names, depth - 1)
            operate = {"+": lambda p, q: p + q, "-": lambda p, q: p - q, "*": lambda p, q: p * q}[kind]
            return f"({a} {kind} {b})", lambda v: operate(f(v), g(v))
        if kind == "/":
            b, g = self.expression(names, depth - 1)
            return f"({a} / (2 + sin({b})))", lambda v: f(v) / (2.0 + apply("sin", g(v)))
        if kind in ("sin", "cos"):
            return f"{kind}({a})", lambda v: apply(kind, f(v))
        if kind == "exp":
            return f"exp(sin({a}))", lambda v: apply("exp", apply("sin", f(v)))
        if kind == "log":
            return f"log(1.5 + cos({a}))", lambda v: apply("log", 1.5 + apply("cos", f(v)))
        if kind == "sqrt":
            return f"sqrt(2 + sin({a}))", lambda v: apply("sqrt", 2.0 + apply("sin", f(v)))
        if kind == "power":
            n = c.randint(2, 3)
            return f"sin({a})^{n}", lambda v: (lambda y: y * y if n == 2 else y * y * y)(apply("sin", f(v)))
        if kind == "call" and self.functions:
            i = c.randrange(len(self.functions))
            called = self.functions[i]
            return f"f{i}(sin({a}))", lambda v: called(apply("sin", f(v)))
        b, g = self.expression(names, depth - 1)
        limit = round(c.uniform(-1, 1), 3)
        return f"({a} < {limit} ? {b} : {a})", lambda v: g(v) if plain(f(v)) < limit else f(v)

    def function(self):
        c, number = self.choose, len(self.functions)
        first, f = self.expression(["x"], 3)
        step, g = self.expression(["x", "y"], 2)
        last, h = self.expression(["x", "y"], 2)
        rounds = c.randint(1, 4)
        self.text += (f"function f{number}(x)\n    y = x + {first}\n    for i in 1:{rounds}\n        y = sin(y) + {step} / i\n    end\n    return {last} + y\nend\n"
                      f"d{number}(x) = derivative(f{number}, x)\ndd{number}(x) = derivative(d{number}, x)\n")

        def run(x):
            y = x + f({"x": x})
            for i in range(1, rounds + 1):
                y = apply("sin", y) + g({"x": x, "y": y}) / i
            return h({"x": x, "y": y}) + y
        self.functions.append(run)


def random_programs():
    choose = random.Random(seed)
    made = Program(choose)
    at = [round(choose.uniform(-1.5, 1.5), 4) for _ in made.functions]
    got, _, said = Runs(made.text).values(*(f"{d}{i} Float64 {x}" for i, x in enumerate(at) for d in ("f", "d", "dd")))
    expect(f"seed {seed}: random functions compile", len(got) == 3 * len(at), said)
    for i, f in enumerate(made.functions[:len(got) // 3]):
        y = f(Dual(Dual(at[i], 1.0), Dual(1.0, 0.0)))
        wanted = (y.value.value, y.value.slope, y.slope.slope)
        expect(f"seed {seed}: f{i} at {at[i]}: value, first and second derivative", all(near(g, w, 1e-9) for g, w in zip(got[3 * i:3 * i + 3], wanted)), (got[3 * i:3 * i + 3], wanted))


# ---- the cache, redefinition, errors

def cache():
    runs = Runs("g(x) = x * sin(x)\nf(x) = g(x) + exp(x)\nd(x) = derivative(f, x)\nother(x) = derivative(cos, x)\n")
    cold, counters, said = runs.values("d Float64 0.5", "other Float64 0.5")
    expect("a first process differentiates", counters and counters[0] >= 2 and counters[1] == 2, said)
    warm, counters, said = runs.values("d Float64 0.5", "other Float64 0.5")
    expect("a second process differentiates and compiles nothing", counters == [0, 0, 2] and warm == cold, said)
    runs.write("g(x) = x * cos(x)\nf(x) = g(x) + exp(x)\nd(x) = derivative(f, x)\nother(x) = derivative(cos, x)\n")
    changed, counters, said = runs.values("d Float64 0.5", "other Float64 0.5")
    expect("a changed function is differentiated again, and nothing else", counters and counters[1:] == [1, 1], said)
    expect("with its own value", near(changed[0], math.cos(0.5) - 0.5 * math.sin(0.5) + math.exp(0.5), 1e-14) and changed[1] == cold[1], changed)


def errors():
    for what, text, place, message in (
            ("an unknown function", "f(x) = x +\n  ccall(\"extern erf\", llvmcall, Float64, (Float64,), x)\nd(x) = derivative(f, x)\n", "f.jl:2:", "no derivative of `erf`"),
            ("bits", "f(x) = reinterpret(Float64, reinterpret(Int64, x) + 1)\nd(x) = derivative(f, x)\n", "f.jl:1:", "no derivative of `add` on the bits of a number"),
            ("a call of the erring function", "g(x) =\n  reinterpret(Float64, reinterpret(Int64, x) << 1)\nf(x) = g(2x)\nd(x) = derivative(f, x)\n", "f.jl:2:", "`shl`"),
            ("an exception of the function", "f(x) = (x > 1 ||\n  throw(DomainError(x, \"too small\")); sqrt(x))\nd(x) = derivative(f, x)\n", "f.jl:2:", "DomainError"),
            ("memory of a caller", "f(x, p) = (unsafe_store!(p,\n  x); x)\nd(x) = derivative(f, x, Ptr{Float64}(UInt64(64)))\n", "f.jl:1:", "no derivative through memory"),
            ("another result", "f(x) = 1f0\nd(x) = derivative(f, x)\n", "", "returns another type than its first argument's"),
            ("a closure", "d(x) = derivative(y -> x * y, x)\n", "", "no space for what it captures")):
        done, _ = Runs(text).call("f.jl", "d Float64 0.5")
        expect(f"an error of {what}", done.returncode == 1 and done.stderr.startswith(place) and message in done.stderr, done.stderr)


with tempfile.TemporaryDirectory() as folder:
    shown = subprocess.run([program, os.path.join(folder, "cache")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    expect("the tour", shown.returncode == 0, shown.stdout)
closed_forms()
differences()
random_programs()
cache()
errors()
sys.exit(f"{len(faults)} of the checks failed" if faults else 0)
