#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Long loops within functions that stay interpreted, since they print, catch exceptions or share variables with closures: the same values and effects as in Python.

    random_loops.py --kiln PROGRAM [--seed N] [--count N]

A random function has nested loops over integers, an array, a dictionary and a list. Loops break, continue, return, and throw, also late. A statement that only the
interpreter runs stands at a random depth, so that compiled code continues the loops inside it (docs/design/programs.md). Python runs the same statements."""

import argparse
import os
import random
import subprocess
import sys
import tempfile

MOST_ROUNDS = 30_000  # of the loops of one nest
VARIABLES = ("a", "b", "c", "t")


class Stop(Exception):
    pass


class Text:
    """Lines of one function in both languages."""

    def __init__(self):
        self.julia, self.python, self.depth = [], [], 1

    def add(self, julia, python):
        self.julia.append("    " * self.depth + julia)
        if python is not None:
            self.python.append("    " * self.depth + python)

    def begin(self, julia, python):
        self.add(julia, python)
        self.depth += 1

    def end(self):
        self.depth -= 1
        self.add("end", None)


class Case:
    def __init__(self, number, rng):
        self.rng, self.text, self.loops, self.rounds = rng, Text(), 0, 1
        self.name = f"case{number}"
        # Depth of loops at which a statement of the interpreter alone stands.
        self.interpreted = rng.choice([0, 1, 1, 2])
        self.shares, self.guards = rng.random() < 0.25, rng.random() < 0.4
        self.throws = rng.choice([None, None, 5, 90, 777])

    def expression(self):
        x = self.rng.choice(VARIABLES + ("i1",) * (self.loops > 0) + (f"i{self.loops}",) * (self.loops > 0))
        y = self.rng.choice(VARIABLES)
        k = self.rng.randint(1, 40)
        return self.rng.choice(
            [
                (f"mod({x} * {k} + {y}, 1009)", f"({x} * {k} + {y}) % 1009"),
                (f"mod({x} + v[mod({y}, 16)+1], 1009)", f"({x} + v[{y} % 16]) % 1009"),
                (f"get(d, mod({x}, 7), {k})", f"d.get({x} % 7, {k})"),
                (f"mod({x} - {y}, {k})", f"({x} - {y}) % {k}"),
                (f"(isodd({x}) ? {y} : {k})", f"({y} if {x} % 2 else {k})"),
            ]
        )

    def condition(self, often):
        x = self.rng.choice(VARIABLES)
        k = self.rng.randint(2, 9) if often else self.rng.randint(200, 900)
        r = self.rng.randrange(k)
        return f"mod({x}, {k}) == {r}", f"{x} % {k} == {r}"

    def statement(self):
        julia, python = self.expression()
        x, y = self.rng.choice(VARIABLES), self.rng.choice(VARIABLES)
        kind = self.rng.randrange(8)
        if kind < 3:
            self.text.add(f"{x} = {julia}", f"{x} = {python}")
        elif kind == 3:
            self.text.add(f"v[mod({x}, 16)+1] = {julia}", f"v[{x} % 16] = {python}")
        elif kind == 4:
            self.text.add(f"d[mod({x}, 7)] = {julia}", f"d[{x} % 7] = {python}")
        elif kind == 5:
            self.text.add(f"({x}, {y}) = ({y}, {julia})", f"{x}, {y} = {y}, {python}")
        elif kind == 6:
            self.text.add(f"push!(list, {julia})", f"list_.append({python})")
        else:
            jc, pc = self.condition(True)
            self.text.begin(f"if {jc}", f"if {pc}:")
            self.text.add(f"{x} = {julia}", f"{x} = {python}")
            self.text.end()

    def leave(self):
        kind = self.rng.randrange(5)
        jc, pc = self.condition(kind == 1)
        x = self.rng.choice(VARIABLES)
        if kind == 0:
            self.text.add(f"{jc} && break", f"if {pc}: break")
        elif kind == 1:
            self.text.add(f"{jc} && continue", f"if {pc}: continue")
        elif kind == 2:
            self.text.add(f"{jc} && return ({x}, v, d, list)", f"if {pc}: return ({x}, v, d, list_)")
        elif kind == 3:  # statements of the interpreter alone, on the way out of the loop
            self.text.begin(f"if {jc}", f"if {pc}:")
            self.statement()
            self.text.add(f'println(io, "out ", {x}, " ", b)', f"out.append(f'out {{{x}}} {{b}}')")
            self.text.add(f"{x} += 1", f"{x} += 1")
            self.text.add("break", "break")
            self.text.end()
        elif self.throws is not None:
            self.text.add(f'{x} == {self.throws} && error("at ", {x})', f"if {x} == {self.throws}: raise Stop(f'at {{{x}}}')")

    def loop(self, depth):
        self.loops += 1
        name = f"i{self.loops}"
        n = min(self.rng.choice([3, 40, 300] if depth > 1 else [30, 1500]), MOST_ROUNDS // self.rounds)
        self.rounds *= n
        kind = self.rng.randrange(4)
        if kind == 0 and depth > 1 and n >= 16:
            self.text.begin(f"for {name} in v", f"for {name} in v:")
        elif kind == 1:
            self.text.begin(f"for {name} in {n}:-1:1", f"for {name} in range({n}, 0, -1):")
        else:
            self.text.begin(f"for {name} in 1:{n}", f"for {name} in range(1, {n} + 1):")
        for _ in range(self.rng.randint(1, 3)):
            self.statement()
        if self.rng.random() < 0.4:
            self.leave()
        if self.interpreted == depth:
            self.text.begin(f"if mod({name}, 10) == 3", f"if {name} % 10 == 3:")
            self.text.add('println(io, a, " ", t)', "out.append(f'{a} {t}')")
            self.text.end()
        if depth < 3 and self.rng.random() < 0.75:
            self.loop(depth + 1)
        self.statement()
        self.text.end()
        self.loops -= 1
        self.rounds //= n

    def make(self):
        t = self.text
        for _ in range(self.rng.randint(1, 2)):
            guarded = self.guards and self.rng.random() < 0.7
            if guarded:
                t.begin("try", "try:")
            if self.shares and self.rng.random() < 0.5:
                t.add("seen = () -> a + c", "seen = lambda: a + c")
                self.loop(1)
                t.add("t = mod(t + seen(), 1009)", "t = (t + seen()) % 1009")
            else:
                self.loop(1)
            if guarded:
                t.depth -= 1
                t.begin("catch e", "except Stop as e:")
                t.add('println(io, e.msg, " ", b)', "out.append(f'{e} {b}')")
                t.end()
            t.add('println(io, a, " ", b, " ", c, " ", t)', "out.append(f'{a} {b} {c} {t}')")
        julia = f"function {self.name}(io, v)\n    (a, b, c, t) = (1, 2, 3, 4)\n    d = Dict{{Int,Int}}()\n    list = Int[]\n" + "\n".join(t.julia) + "\n    return (t, v, d, list)\nend\n"
        python = f"def {self.name}(out, v):\n    a, b, c, t = 1, 2, 3, 4\n    d = {{}}\n    list_ = []\n" + "\n".join(t.python) + "\n    return (t, v, d, list_)\n"
        return julia, python


HELP = """
function told(f)
    io = IOBuffer()
    v = collect(1:16)
    r = try
        (x, w, d, list) = f(io, v)
        string(x, " ", [get(d, k, -1) for k in 0:6], " ", length(list), " ", isempty(list) ? 0 : mod(sum(list), 1009))
    catch e
        e isa ErrorException ? e.msg : rethrow()
    end
    println(join(split(String(take!(io)), "\\n"; keepempty=false), "|"), " : ", r, " ", v)
end
"""


def told(f):
    out, v = [], list(range(1, 17))
    try:
        x, _, d, items = f(out, v)
        r = f"{x} [{', '.join(str(d.get(k, -1)) for k in range(7))}] {len(items)} {sum(items) % 1009}"
    except Stop as e:
        r = str(e)
    return f"{'|'.join(out)} : {r} [{', '.join(map(str, v))}]"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kiln", required=True)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=60)
    options.add_argument("--keep", help="file for the program")
    given = options.parse_args()
    rng = random.Random(given.seed)
    lines, expected = [HELP], []
    for number in range(given.count):
        julia, python = Case(number, rng).make()
        names = {"Stop": Stop}
        exec(python, names)  # noqa: S102
        # Called twice: the second call finds the code of the first one's loops.
        lines += [julia, f"told(case{number})", f"told(case{number})"]
        expected += [(number, told(names[f"case{number}"]))] * 2
    with tempfile.TemporaryDirectory() as folder:
        path = given.keep or os.path.join(folder, "program.jl")
        with open(path, "w") as file:
            file.write("\n".join(lines))
        ran = subprocess.run([given.kiln, "script", "--device", "cpu", path], capture_output=True, text=True)
    found = ran.stdout.splitlines()
    wrong = [(n, e, f) for (n, e), f in zip(expected, found) if e != f]
    for number, right, value in wrong[:5]:
        print(f"case{number}:\n  expected {right[:400]}\n  found    {value[:400]}")
    if wrong or len(found) != len(expected) or ran.returncode:
        print(f"{len(wrong)} of {len(expected)} lines differ; {len(found)} lines; seed {given.seed}", ran.stderr[-2000:])
        return 1
    print(f"{given.count} functions with loops: equal values and effects")
    return 0


if __name__ == "__main__":
    sys.exit(main())
