# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs as kernels and as Python, whose values have to agree: fuzz_values.py [SECONDS [SEED]].

Numbers are small and dyadic, so that every operation is exact. What Python does not know (UnboundLocalError) debug=True has to raise too."""

import random
import sys
import time
import warnings

import numpy as np

import kiln
from kiln import cuda, errors

VARIABLES = "abcdef"


class Writer:
    """One program: a helper function and a kernel."""

    def __init__(self, rng):
        self.rng, self.lines, self.counters, self.loops = rng, [], 0, 0

    def pick(self, *choices):
        return self.rng.choice(choices)

    def integer(self, depth=0):
        """An expression that is an integer in Python and in kernels."""
        kind = self.rng.randrange(9 if depth < 2 else 3)
        if kind < 2:
            return str(self.rng.randrange(-4, 9))
        if kind == 2:
            return self.pick("n", "m", "len(x)")
        if kind == 3:
            return f"({self.integer(depth + 1)} {self.pick('+', '-', '*', '&', '|', '^')} {self.integer(depth + 1)})"
        if kind == 4:
            return f"({self.integer(depth + 1)} {self.pick('//', '%')} (1 + abs({self.integer(depth + 1)})))"
        if kind == 5:
            return f"int({self.value(depth + 1)})"
        if kind == 6:
            return f"({self.integer(depth + 1)} if {self.condition(depth + 1)} else {self.integer(depth + 1)})"
        if kind == 7:
            return f"{self.pick('min', 'max')}({self.integer(depth + 1)}, {self.integer(depth + 1)})"
        return f"(({self.integer(depth + 1)}) {self.pick('<<', '>>')} {self.rng.randrange(4)})"

    def value(self, depth=0):
        """An expression that is a number of any kind."""
        kind = self.rng.randrange(13 if depth < 3 else 4)
        if kind < 2:
            return self.pick(*VARIABLES)
        if kind == 2:
            return self.pick("0.5", "2.0", "-1.5", "y", "3")
        if kind == 3:
            return f"x[{self.integer(2)} % 8]"
        if kind == 4:
            return self.integer(depth)
        if kind == 5:
            return f"({self.value(depth + 1)} {self.pick('+', '-', '*')} {self.value(depth + 1)})"
        if kind == 6:
            return f"({self.value(depth + 1)} {self.pick('//', '%')} {self.pick('2', '3', '4.0', '-5')})"
        if kind == 7:
            return f"({self.value(depth + 1)} / {self.pick('2', '4')})"
        if kind == 8:
            return f"{self.pick('min', 'max')}({self.value(depth + 1)}, {self.value(depth + 1)}, {self.value(depth + 1)})"
        if kind == 9:
            return f"({self.value(depth + 1)} if {self.condition(depth + 1)} else {self.value(depth + 1)})"
        if kind == 10:
            return f"helper({self.value(depth + 1)}, {self.value(depth + 1)})"
        if kind == 11:
            return f"{self.pick('abs(', '-(', '+(', 'float(')}{self.value(depth + 1)})"
        return f"({self.pick(*VARIABLES)} := ({self.value(depth + 1)}) % 101)"

    def condition(self, depth=0):
        kind = self.rng.randrange(6 if depth < 3 else 2)
        if kind < 2:
            return f"{self.pick(*VARIABLES, 'n', 'y')} {self.pick('<', '<=', '==', '!=', '>', '>=')} {self.integer(2)}"
        if kind == 2:
            return f"{self.integer(2)} < {self.value(depth + 1)} <= {self.integer(2)}"
        if kind == 3:
            return f"(not {self.condition(depth + 1)})"
        return f"({self.condition(depth + 1)} {self.pick('and', 'or')} {self.condition(depth + 1)})"

    def put(self, indent, text):
        self.lines.append("    " * indent + text)

    def body(self, indent, count, in_loop):
        for _ in range(count):
            self.statement(indent, in_loop)

    def statement(self, indent, in_loop):
        kind = self.rng.randrange(14)
        deep = indent > 4
        if kind < 4 or (deep and kind < 10):
            self.put(indent, f"{self.pick(*VARIABLES)} = ({self.value()}) % 101")
        elif kind == 4:
            self.put(indent, f"out[{self.integer(2)} % 8] {self.pick('=', '+=', '-=')} ({self.value()}) % 101")
        elif kind == 5:
            first, second = self.rng.sample(VARIABLES, 2)
            self.put(indent, f"{first}, {second} = {second}, ({self.value()}) % 101")
        elif kind < 8:
            self.put(indent, f"if {self.condition()}:")
            self.body(indent + 1, self.rng.randrange(1, 4), in_loop)
            if self.rng.random() < 0.3:
                self.put(indent, f"elif {self.condition()}:")
                self.body(indent + 1, self.rng.randrange(1, 3), in_loop)
            if self.rng.random() < 0.5:
                self.put(indent, "else:")
                self.body(indent + 1, self.rng.randrange(1, 3), in_loop)
        elif kind == 8:
            self.loop(indent, f"for {self.pick(*VARIABLES, 'i', 'j')} in range({self.bounds()}):", in_loop)
        elif kind == 9:
            self.counters += 1
            counter = f"k{self.counters}"
            self.put(indent, f"{counter} = 0")
            self.loop(indent, f"while {counter} < {self.rng.randrange(5)} and {self.condition()}:", in_loop, f"{counter} += 1")
        elif kind == 10:
            self.loop(indent, f"for {self.pick(*VARIABLES)} in {self.pick('(1, 2, n)', 'x[1:4]', 'zip(x, out)', 'enumerate(x[:3])')}:", in_loop)
        elif in_loop and kind < 13:
            self.put(indent, f"if {self.condition()}:")
            self.put(indent + 1, self.pick("break", "continue"))
        else:
            self.put(indent, f"{self.pick(*VARIABLES)} = {self.pick(self.condition(), 'True', '0', '1.5', 'n')}")

    def bounds(self):
        kind = self.rng.randrange(4)
        if kind == 0:
            return str(self.rng.randrange(5))
        if kind == 1:
            return f"({self.integer()}) % 5"
        if kind == 2:
            return f"{self.rng.randrange(-2, 3)}, ({self.integer()}) % 4"
        return f"({self.integer()}) % 6, {self.rng.randrange(-2, 2)}, -{self.rng.randrange(1, 3)}"

    def loop(self, indent, head, in_loop, first=None):
        if "zip" in head or "enumerate" in head:
            head = head.replace("for ", f"for {self.pick(*'ij')}, ", 1)
        if self.loops >= 3:  # loops in loops in loops take long in Python
            return self.put(indent, "out[0] += 1")
        self.loops += 1
        self.put(indent, head)
        if first:
            self.put(indent + 1, first)
        self.body(indent + 1, self.rng.randrange(1, 4), True)
        if self.rng.random() < 0.2:
            self.put(indent, "else:")
            self.body(indent + 1, 1, in_loop)
        self.loops -= 1

    def program(self):
        self.put(0, "def helper(p, q):")
        for name in "abcdef":
            self.put(1, f"{name} = {self.pick('p', 'q', '1', '0.5')}")
        self.put(1, "n = m = 3")
        self.put(1, "y = p")
        self.put(1, f"if p < {self.rng.randrange(4)}:")
        self.put(2, f"return {self.pick('q', 'p * 2 % 11', '1', 'p > q')}")
        self.put(1, f"while p < {self.rng.randrange(3, 6)}:")
        self.put(2, f"p += {self.pick('1', '0.5')}")
        self.put(2, f"if q > p: {self.pick('break', 'q = 1', 'return p')}")
        self.put(1, f"return {self.pick('p - q', 'q', 'p')}")
        self.put(0, "def kernel(out, x, n, m, y):")
        self.put(1, "if n == 99:  # else a name may be none of the function's")
        self.put(2, " = ".join(VARIABLES) + " = 0")
        for name in VARIABLES:
            if self.rng.random() < 0.93:
                self.put(1, f"{name} = {self.pick('0', '1', '0.5', 'n', 'y', 'True', 'x[1]')}")
        self.body(1, self.rng.randrange(3, 9), False)
        for k, name in enumerate(self.rng.sample(VARIABLES, 4)):
            self.put(1, f"out[{k}] {self.pick('=', '+=')} {name}")
        return "\n".join(self.lines) + "\n"


def arguments():
    return np.arange(8) * 0.5 - 1, np.array([2.0, -1.5, 0.5, 3, 0, 7, -4, 1]), 5, -3, 2.5


def run(text, name):
    """What differs, after a colon; else what it was."""
    kiln.register_source(name, text)
    scope = {}
    exec(compile(text, name, "exec"), scope)
    wanted = arguments()
    try:
        scope["kernel"](wanted[0], *wanted[1:])
        unbound = False
    except UnboundLocalError:
        unbound = True
    except (OverflowError, ZeroDivisionError, TypeError, IndexError) as error:  # a tuple or an array in a variable
        return type(error).__name__
    for options in [{"debug": True, "opt": False}] if unbound else [{}, {"debug": True, "opt": False}]:
        given = arguments()
        try:
            cuda.jit(scope["kernel"], **options)[1, 1](*given)
            cuda.synchronize()
        except UnboundLocalError as error:
            if not unbound:
                return f"wrong: {options}: {error}"
            continue
        except errors.TypingError as error:
            return "refused" if "type" in str(error) else f"wrong: {options}: {error}"
        except Exception as error:
            return f"wrong: {options}: {type(error).__name__}: {error}"
        if unbound:
            return "wrong: Python read a variable that was not assigned, debug=True did not notice"
        if not np.array_equal(given[0], wanted[0]):
            return f"wrong: {options}: {given[0]}, Python: {wanted[0]}"
    return "unbound" if unbound else "equal"


def main(seconds: float, seed: int) -> int:
    warnings.simplefilter("ignore")
    end, counts, wrong = time.monotonic() + seconds, {}, 0
    while time.monotonic() < end:
        seed += 1
        text = Writer(random.Random(seed)).program()
        said = run(text, f"<fuzz {seed}>")
        counts[said.partition(":")[0]] = counts.get(said.partition(":")[0], 0) + 1
        if said.startswith("wrong"):
            wrong += 1
            print(f"seed {seed}: {said}\n{text}")
            if wrong > 4:
                break
    print(", ".join(f"{count} {said}" for said, count in sorted(counts.items())))
    return wrong


if __name__ == "__main__":
    sys.exit(1 if main(float(sys.argv[1]) if len(sys.argv) > 1 else 20, int(sys.argv[2]) if len(sys.argv) > 2 else 0) else 0)
