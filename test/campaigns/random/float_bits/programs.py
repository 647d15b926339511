# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions of floating-point numbers: their text in Julia, and the same in Python for the oracle."""
import random

from arithmetic import to_single

LENGTH = 72  # elements of a loop: two vectors of 32 and a rest
SHAPES = ("loop", "sum", "sums", "threads", "barriers", "complex", "complex sum", "columns")
CONSTANTS = (0.1, 0.3, 0.7, 1.1, 3.0, -0.2, 1e-3, 7.7)


class Pair(tuple):
    """An expression: its text in Julia, and in Python."""

    __slots__ = ()


class Program:
    """Program number `seed`. `julia`: a kernel; `host`: a function of arrays, or None; `python`: the oracle's text."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.seed, self.name = seed, f"f{seed}"
        self.single = rng.random() < 0.5
        self.type = "Float32" if self.single else "Float64"
        self.shape = rng.choice(SHAPES)
        self.threads, self.blocks = (LENGTH, 1) if self.shape in ("threads", "barriers") else (1, 9)
        pool = [self.number() for _ in range(rng.choice((3, 8, 200)))]
        self.inputs = [[rng.choice(pool) for _ in range(8 * self.threads * self.blocks)] for _ in range(3)]
        getattr(self, "make_" + self.shape.replace(" ", "_"))()

    def number(self):
        x = self.rng.choice((self.rng.choice(CONSTANTS), self.rng.uniform(-2, 2), self.rng.uniform(0.5, 1) * 10.0 ** self.rng.randint(-3, 3)))
        return to_single(x) if self.single else x

    # ---- expressions
    def constant(self):
        x = self.number()
        return Pair((f"Float32({x!r})" if self.single else f"({x!r})", f"({x!r})"))

    def real(self, names, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.1:
            return Pair((rng.choice(names),) * 2) if rng.random() < 0.85 else self.constant()
        x, y = self.real(names, depth - 1), self.real(names, depth - 1)
        kind = rng.choices(("sum", "of product", "of products", "product", "quotient", "negative", "choice", "select", "fma", "root"), (6, 8, 6, 8, 2, 2, 1, 1, 2, 1))[0]
        sign = rng.choice("+-")
        if kind == "sum":
            return self.binary(sign, x, y)
        if kind == "of product":
            p = self.binary("*", x, y)
            z = self.real(names, 0)
            return self.binary(sign, p, z) if rng.random() < 0.5 else self.binary(sign, z, p)
        if kind == "of products":
            return self.binary(sign, self.binary("*", self.real(names, 0), x), self.binary("*", self.real(names, 0), y))
        if kind == "product":
            return self.binary("*", x, y)
        if kind == "quotient":
            return Pair((f"({x[0]} / {y[0]})", f"div({x[1]}, {y[1]})"))
        if kind == "negative":
            return Pair((f"(-{x[0]})", f"(-{x[1]})"))
        if kind == "choice":
            z = self.real(names, 0)
            return Pair((f"({z[0]} < {y[0]} ? {x[0]} : {y[0]})", f"({x[1]} if {z[1]} < {y[1]} else {y[1]})"))
        if kind == "select":
            z = self.real(names, 0)
            return Pair((f"ifelse({x[0]} <= {z[0]}, {z[0]}, {y[0]})", f"({z[1]} if {x[1]} <= {z[1]} else {y[1]})"))
        if kind == "root":
            return Pair((f"sqrt(abs({x[0]}))", f"sqrt(abs({x[1]}))"))
        f, z = rng.choice(("fma", "muladd")), self.real(names, 0)
        return Pair((f"{f}({x[0]}, {y[0]}, {z[0]})", f"{f}({x[1]}, {y[1]}, {z[1]})"))

    def binary(self, op, x, y):
        python = f"({x[1]} {op} {y[1]})"
        return Pair((f"({x[0]} {op} {y[0]})", f"R{python}" if self.single else python))

    def complex(self, names, depth):
        rng = self.rng
        if depth == 0:
            return Pair((rng.choice(names),) * 2)
        x, y = self.complex(names, depth - 1), self.complex(names, depth - 1)
        kind = rng.choice(("+", "-", "*", "*", "*", "conj", "scale", "negative"))
        if kind in "+-*":
            return Pair((f"({x[0]} {kind} {y[0]})", f"{ {'+': 'cadd', '-': 'csub', '*': 'cmul'}[kind] }({x[1]}, {y[1]})"))
        if kind == "conj":
            return Pair((f"conj({x[0]})", f"(lambda z: (z[0], -z[1]))({x[1]})"))
        if kind == "negative":
            return Pair((f"(-{x[0]})", f"(lambda z: (-z[0], -z[1]))({x[1]})"))
        c = self.constant()
        return Pair((f"({c[0]} * {x[0]})", f"scale({c[1]}, {x[1]})"))

    def lets(self, names, make, depth):
        """Statements that name intermediate results, so that some are used several times; then one more expression."""
        lines = []
        for k in range(self.rng.randint(0, 3)):
            value = make(names, depth)
            lines.append(Pair((f"t{k} = {value[0]}", f"t{k} = {value[1]}")))
            names = (*names, f"t{k}")
        return lines, make(names, depth)

    # ---- shapes
    def finish(self, before, head, body, after, host=True):
        """The loop `head` around `body`; `before` and `after` stand around it. Pairs, or text that both languages read."""
        both = lambda line: line if isinstance(line, tuple) else (line, line)
        arguments = "a, b, c, d"
        lines = [both(line)[0] for line in before] + [head[0]] + ["    " + both(line)[0] for line in body] + ["end"] + [both(line)[0] for line in after]
        inside = "".join(f"    {line}\n" for line in lines)
        guard = "    blockIdx().x == 1 || return\n" if self.threads == 1 else ""
        self.julia = f"function {self.name}(out, {arguments})\n{guard}{inside}    return\nend\n"
        self.host = f"function h{self.seed}({arguments})\n{inside}    return\nend\n" if host else None
        lines = [both(line)[1] for line in before] + [head[1]] + ["    " + both(line)[1] for line in body] + [both(line)[1] for line in after]
        self.python = f"def f({arguments}):\n" + "".join(f"    {line}\n" for line in lines)

    RANGE = (f"for i in 1:{LENGTH}", f"for i in range({LENGTH}):")
    READ = tuple(Pair((f"@inbounds {x} = {array}[i]", f"{x} = {array}[i]")) for x, array in zip("xyz", "abc"))

    def make_loop(self):
        lines, value = self.lets(("x", "y", "z"), self.real, 2)
        self.finish([], self.RANGE, [*self.READ, *lines, Pair((f"@inbounds d[i] = {value[0]}", f"d[i] = {value[1]}"))], [])

    def make_sum(self):
        zero = "0f0" if self.single else "0.0"
        term = self.real(("x", "y", "z"), 1) if self.rng.random() < 0.5 else self.binary("*", Pair(("x", "x")), Pair(("y", "y")))
        step = self.binary(self.rng.choice("+-"), Pair(("s", "s")), term)
        self.finish([Pair((f"s = {zero}", "s = 0.0"))], self.RANGE, [*self.READ, Pair((f"s = {step[0]}", f"s = {step[1]}"))], [Pair(("@inbounds d[1] = s", "d[0] = s"))])

    def make_sums(self):
        lines, value = self.lets(("x", "y", "s", "t"), self.real, 1)
        other = self.real(("y", "z", "s", "t"), 1)
        start = self.constant()
        damp = self.binary("*", self.constant(), Pair(("s", "s")))
        self.finish([Pair((f"s = {start[0]}", f"s = {start[1]}")), Pair((f"t = {start[0]}", f"t = {start[1]}"))], self.RANGE,
                    [*self.READ, *lines, Pair((f"s = {value[0]}", f"s = {value[1]}")), Pair((f"t = {other[0]}", f"t = {other[1]}")), Pair((f"@inbounds d[i] = {damp[0]}", f"d[i] = {damp[1]}"))],
                    [Pair(("@inbounds d[2] = t", "d[1] = t"))])  # fmt: skip

    def make_threads(self):
        lines, value = self.lets(("x", "y", "z"), self.real, 2)
        self.finish([], ("for i in threadIdx().x:threadIdx().x", self.RANGE[1]), [*self.READ, *lines, Pair((f"@inbounds d[i] = {value[0]}", f"d[i] = {value[1]}"))], [], host=False)

    def make_barriers(self):
        """A barrier in a loop whose length memory holds: the threads of a block are coroutines."""
        lines, value = self.lets(("x", "y", "z"), self.real, 1)
        step = [*lines, Pair((f"x = {value[0]}", f"x = {value[1]}"))]
        julia = ["i = threadIdx().x", *(line[0] for line in self.READ), "for r in 1:3+out[1, 1, 1]"]
        julia += ["    " + line[0] for line in step] + ["    sync_threads()", "end", "@inbounds d[i] = x", "return"]
        self.julia = f"function {self.name}(out, a, b, c, d)\n" + "".join(f"    {line}\n" for line in julia) + "end\n"
        self.host = None
        python = [self.RANGE[1], *("    " + line[1] for line in self.READ), "    for r in range(3):", *("        " + line[1] for line in step), "    d[i] = x"]
        self.python = "def f(a, b, c, d):\n" + "".join(f"    {line}\n" for line in python)

    PAIRS = (f"for i in 1:{LENGTH // 2}", f"for i in range({LENGTH // 2}):")
    READ_COMPLEX = tuple(Pair((f"@inbounds {x} = complex({m}[2 * i - 1], {m}[2 * i])", f"{x} = ({m}[2 * i], {m}[2 * i + 1])")) for x, m in zip("uvw", "abc"))

    def make_complex(self):
        lines, value = self.lets(("u", "v", "w"), self.complex, 2)
        size = self.rng.random() < 0.3
        store = [Pair((f"r = {value[0]}", f"r = {value[1]}"))]
        if size:
            store += [Pair(("@inbounds d[i] = abs2(r)", "d[i] = abs2(r)"))]
        else:
            store += [Pair(("@inbounds d[2 * i - 1] = real(r)", "d[2 * i] = r[0]")), Pair(("@inbounds d[2 * i] = imag(r)", "d[2 * i + 1] = r[1]"))]
        self.finish([], self.PAIRS, [*self.READ_COMPLEX, *lines, *store], [])

    def make_complex_sum(self):
        zero = "complex(0f0, 0f0)" if self.single else "complex(0.0, 0.0)"
        term = self.rng.choice((Pair(("(u * v)", "cmul(u, v)")), Pair(("(conj(u) * v)", "cmul((u[0], -u[1]), v)")), self.complex(("u", "v", "w"), 2)))
        self.finish([Pair((f"s = {zero}", "s = (0.0, 0.0)"))], self.PAIRS, [*self.READ_COMPLEX, Pair((f"s = s + {term[0]}", f"s = cadd(s, {term[1]})"))],
                    [Pair(("@inbounds d[1] = real(s)", "d[0] = s[0]")), Pair(("@inbounds d[2] = imag(s)", "d[1] = s[1]"))])  # fmt: skip

    def make_columns(self):
        """A product of a matrix of 8 rows and a vector, as written by hand."""
        step = self.binary(self.rng.choice("+-"), Pair(("s", "s")), self.binary("*", Pair(("x", "x")), Pair(("y", "y"))))
        end = self.real(("s", "z"), 1)
        zero = "0f0" if self.single else "0.0"
        julia = ["for i in 1:8", f"    s = {zero}", "    for j in 1:9", "        @inbounds x = a[8 * (j - 1) + i]", "        @inbounds y = b[j]", f"        s = {step[0]}", "    end"]
        julia += ["    @inbounds z = c[i]", f"    @inbounds d[i] = {end[0]}", "end"]
        inside = "".join(f"    {line}\n" for line in julia)
        self.julia = f"function {self.name}(out, a, b, c, d)\n    blockIdx().x == 1 || return\n{inside}    return\nend\n"
        self.host = f"function h{self.seed}(a, b, c, d)\n{inside}    return\nend\n"
        python = ["for i in range(8):", "    s = 0.0", "    for j in range(9):", "        x, y = a[8 * j + i], b[j]", f"        s = {step[1]}", "    z = c[i]", f"    d[i] = {end[1]}"]
        self.python = "def f(a, b, c, d):\n" + "".join(f"    {line}\n" for line in python)
