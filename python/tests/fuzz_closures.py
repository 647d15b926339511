# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels with nested functions and lambdas, whose values have to be those that CPython computes.

    fuzz_closures.py [--seed N] [--programs N]

Variables are assigned before, after and around closures. The kernels run on the CPU, with and without optimisation.
A kernel may be refused with the place of the closure. Program number N follows from N alone."""

import argparse
import collections
import importlib.util
import os
import random
import sys
import tempfile
import time
import warnings

import numpy as np

from kiln import cuda, errors

VARIABLES = ["x", "y", "z"]
DEPTH = 3  # of statements in statements
BATCH = 100
STEPS = 200_000  # lines that a program may take
REFUSAL = "a closure over `"


class Writer:
    """The text of one program."""

    def __init__(self, seed):
        self.rng, self.count = random.Random(seed), 0
        self.functions, self.parameters, self.lines = [], [], []
        # What statements assign to, `out` last; in some programs nothing else.
        self.targets = self.rng.sample(VARIABLES, self.rng.choice([0, 1, 1, 2, 3])) + ["out"]

    def program(self, name):
        self.lines = [f"def {name}(o, n):"]
        self.line(1, "out = 0")
        for v in VARIABLES:
            self.line(1, f"{v} = {self.rng.randrange(1, 9)}")
        self.block(1, self.rng.choice([2, 3, 4, 5, 8]), False)
        self.line(1, f"o[0] = out + {self.value(1)}")
        return "\n".join(self.lines) + "\n"

    def line(self, depth, text):
        self.lines.append("    " * depth + text)

    def pick(self, *choices):
        return self.rng.choice(choices)

    def new_name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    # ---- expressions

    def value(self, depth=0):
        r = self.rng.random()
        if depth > 2 or r < 0.42:
            return self.leaf()
        if r < 0.62:
            a, b = self.value(depth + 1), self.value(depth + 1)
            return f"({a} * {b}) % 97" if self.rng.random() < 0.3 else f"({a} {self.pick('+', '-')} {b})"
        if r < 0.84 and self.functions:
            return self.call(depth)
        if r < 0.9:
            return f"({self.value(depth + 1)} if {self.condition(depth + 1)} else {self.value(depth + 1)})"
        if r < 0.95:
            return f"(lambda: {self.value(depth + 1)})()"
        a = self.new_name("a")
        self.parameters.append(a)
        inner = self.value(depth + 1)
        self.parameters.pop()
        return f"(lambda {a}: {inner})({self.leaf()})"

    def leaf(self):
        r = self.rng.random()
        if r < 0.2:
            return str(self.rng.randrange(1, 9))
        if r < 0.45 and self.parameters:
            return self.rng.choice(self.parameters)
        return self.pick("n", "n", *VARIABLES, *VARIABLES, *VARIABLES, "out")

    def call(self, depth):
        name, arity, kind = self.rng.choice(self.functions)
        if kind == "plain" and not arity and self.rng.random() < 0.15:
            return f"twice({name})"
        args = f"({', '.join(self.value(depth + 1) for _ in range(arity))})"
        return f"{name}{args}()" if kind == "maker" else f"{name}{args}"

    def condition(self, depth=1):
        return f"{self.value(depth)} {self.pick('<', '!=')} {self.value(depth)}"

    # ---- statements

    def block(self, depth, count, in_loop):
        known = len(self.functions), len(self.parameters)
        for _ in range(count):
            self.statement(depth, in_loop)
        del self.functions[known[0]:], self.parameters[known[1]:]

    def inner(self, depth, in_loop):
        self.block(depth + 1, self.rng.randrange(1, 5), in_loop)

    def statement(self, depth, in_loop):
        r = self.rng.random()
        if r < 0.26:
            self.line(depth, f"{self.pick(*self.targets)} = {self.value()}")
        elif r < 0.3:
            self.line(depth, f"{self.pick(*self.targets)} += {self.value()}")
        elif r < 0.4 and self.functions:
            self.line(depth, f"{self.targets[-1]} = {self.targets[-1]} + {self.call(0)}")
        elif r < 0.65:
            self.closure(depth)
        elif r < 0.68 and in_loop:
            self.line(depth, f"if {self.condition()}:")
            self.line(depth + 1, self.pick("break", "continue"))
        elif depth >= DEPTH:
            self.line(depth, f"{self.targets[-1]} += {self.value()}")
        elif r < 0.78:
            self.line(depth, f"if {self.condition()}:")
            self.inner(depth, in_loop)
            if self.rng.random() < 0.5:
                self.line(depth, "else:")
                self.inner(depth, in_loop)
        elif r < 0.92:
            name = self.new_name("i") if self.rng.random() < 0.7 or len(self.targets) == 1 else self.pick(*VARIABLES)
            self.line(depth, f"for {name} in range({self.rng.randrange(1, 4)}):")
            self.parameters.append(name)
            self.inner(depth, True)
            self.parameters.pop()
        else:
            name = self.new_name("c")
            self.line(depth, f"{name} = 0")
            self.line(depth, f"while {name} < {self.rng.randrange(1, 4)}:")
            self.line(depth + 1, f"{name} += 1")
            self.inner(depth, True)

    def closure(self, depth):
        r = self.rng.random()
        params = [self.new_name("a") for _ in range(self.rng.randrange(0, 2))]
        if r < 0.08:  # may be assigned more than once
            self.line(depth, f"h = lambda: {self.value(1)}")
            self.line(depth, f"{self.targets[-1]} += h()")
            return
        name = self.new_name("f")
        self.parameters += params
        if r < 0.2:
            self.line(depth, f"{name} = lambda {', '.join(params)}: lambda: {self.value(1)}")
            kind = "maker"
        elif r < 0.6 or depth >= DEPTH:
            self.line(depth, f"{name} = lambda {', '.join(params)}: {self.value(1)}")
            kind = "plain"
        else:
            self.line(depth, f"def {name}({', '.join(params)}):")
            before, self.targets = self.targets, [self.new_name("u")]
            self.line(depth + 1, f"{self.targets[0]} = {self.leaf()}")
            self.parameters += self.targets
            if self.rng.random() < 0.5:
                self.inner(depth, False)
            self.line(depth + 1, f"return {self.value(1)}")
            self.parameters.pop()
            self.targets = before
            kind = "plain"
        del self.parameters[len(self.parameters) - len(params):]
        self.functions.append((name, len(params), kind))


class TooLong(Exception):
    """A program takes more than STEPS lines."""


def in_python(function):
    """What CPython makes of the program; None: an unassigned variable, or too long."""
    left = STEPS

    def count(frame, event, argument):
        nonlocal left
        left -= 1
        if left < 0:
            raise TooLong
        return count

    out = [0]
    sys.settrace(count)
    try:
        function(out, 3)
    except (UnboundLocalError, NameError, TooLong, RecursionError):
        return None
    finally:
        sys.settrace(None)
    return out[0] if abs(out[0]) < 1 << 62 else None


def load(folder, seeds):
    """The programs of the seeds as functions of a module, whose text is in a file."""
    path = os.path.join(folder, f"closures{seeds[0]}.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write("def twice(f):\n    return f() + f()\n\n\n")
        for seed in seeds:
            file.write(Writer(seed).program(f"p{seed}") + "\n\n")
    spec = importlib.util.spec_from_file_location(f"closures{seeds[0]}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=100)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    began, counts, bad = time.monotonic(), collections.Counter(), []
    seed, ran = options.seed, 0
    with tempfile.TemporaryDirectory() as folder:
        while ran < options.programs:
            seeds = range(seed, seed + BATCH)
            seed += BATCH
            module = load(folder, seeds)
            for number in seeds:
                function = getattr(module, f"p{number}")
                wanted = in_python(function)
                if wanted is None or ran == options.programs:
                    continue
                ran += 1
                for optimised in (True, False):
                    out = np.zeros(1, np.int64)
                    what = "kernels" if optimised else "kernels without optimisation"
                    try:
                        cuda.jit(function, opt=optimised)[1, 1](out, 3)
                    except errors.NumbaError as error:
                        if REFUSAL in str(error):
                            counts[what + " refused"] += 1
                            continue
                        out[0] = -1
                        print(error)
                    counts[what] += 1
                    if out[0] != wanted:
                        bad.append(number)
                        print(f"==== program {number}, opt={optimised}: {out[0]}; CPython gives {wanted}\n{Writer(number).program(f'p{number}')}", flush=True)
    text = ", ".join(f"{n} {what}" for what, n in sorted(counts.items()))
    print(f"{ran} programs from seed {options.seed} in {time.monotonic() - began:.0f} s: {text}; {len(set(bad))} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
