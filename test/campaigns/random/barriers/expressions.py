# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random expressions and conditions of a kernel, equal in all threads of the block (uniform) or not."""
from tree import BLOCK_NAMES, THREAD_NAMES, TYPES, WIDTH, num, var

COMPARES = ("<", "<=", ">", ">=", "==", "!=")


def boundary(rng, t):
    """A number near one of the type's limits, a small one, or any."""
    bits = WIDTH[t]
    low, high = (0, (1 << bits) - 1) if t == "u32" else (-(1 << bits - 1), (1 << bits - 1) - 1)
    choice = rng.random()
    if choice < 0.6:
        return rng.randint(max(low, -9), 20)
    if choice < 0.75:
        return rng.choice([low, high, low + 1, high - 1])
    return rng.randint(low, high)


def mod1(a, b):
    return ("bin", "i64", "mod1", a, b)


class Expressions:
    """Makes expressions from the names in scope. A subclass sets `kernel`, `rng`, and the modes of arrays."""

    def start(self):
        self.loops = []  # (name, is_uniform) of the loops around, innermost last
        self.modes = {}  # array: ("read",), ("own", column), ("atomic", op) or None
        self.uniforms = {}  # variables with one value in the block: type

    def scoped(self, t, uniform):
        """Names of type t whose values are known here."""
        names = [name for name, type_ in self.uniforms.items() if type_ == t]
        if t == "i64":
            names += BLOCK_NAMES
            names += [name for name, is_uniform in self.loops if is_uniform or not uniform]
        if not uniform:
            own = [name for name, (type_, _) in self.kernel.variables.items() if type_ == t and name not in self.uniforms]
            names += own * 3 + (list(THREAD_NAMES) if t == "i64" else [])
        return names

    def leaf(self, t, uniform):
        rng, choice = self.rng, self.rng.random()
        if choice < 0.2:
            return num(t, boundary(rng, t))
        if choice < 0.35:
            return self.input(t, uniform, 0)
        if choice < 0.5:
            found = self.load(t, uniform, 0)
            if found:
                return found
        if choice < 0.62 and not uniform:
            found = self.item(t)
            if found:
                return found
        names = self.scoped(t, uniform)
        if names:
            return var(t, rng.choice(names))
        other = rng.choice([o for o in TYPES if o != t])
        return ("conv", t, self.leaf(other, uniform))

    def input(self, t, uniform, depth):
        names = [name for name, (type_, _) in self.kernel.inputs.items() if type_ == t]
        if not names:
            return num(t, boundary(self.rng, t))
        name = self.rng.choice(names)
        return ("input", t, name, mod1(self.integer(uniform, depth), num("i64", len(self.kernel.inputs[name][1]))))

    def item(self, t):
        """An item of a tuple or an element of a private array."""
        rng = self.rng
        items = [(name, k, types) for name, types in self.kernel.tuples.items() for k, type_ in enumerate(types, 1) if type_ == t]
        privates = [name for name, (type_, _) in self.kernel.privates.items() if type_ == t]
        if items and (not privates or rng.random() < 0.6):
            name, k, types = rng.choice(items)
            if len(set(types)) == 1 and rng.random() < 0.4:
                return ("item", t, name, mod1(self.integer(False, 0), num("i64", len(types))))
            return ("item", t, name, num("i64", k))
        if privates:
            name = rng.choice(privates)
            return ("mine", t, name, self.private_index(name))
        return None

    def private_index(self, name):
        size = self.kernel.privates[name][1]
        return num("i64", self.rng.randint(1, size)) if self.rng.random() < 0.5 else mod1(self.integer(False, 0), num("i64", size))

    def load(self, t, uniform, depth):
        """A load from an array that this region reads, or from an element of the thread's own; None without one."""
        choices = [a for a in self.kernel.arrays if a.type == t and (self.modes.get(a.name) or ("none",))[0] in (("read",) if uniform else ("read", "own"))]
        if not choices:
            return None
        a = self.rng.choice(choices)
        if self.modes[a.name][0] == "own":
            return ("load", t, a.name, self.modes[a.name][1], self.row(a, False))
        if self.rng.random() < 0.6 and not uniform:  # an element of a neighbour, by its thread
            return ("load", t, a.name, self.column(False), self.row(a, uniform))
        return ("load", t, a.name, mod1(self.integer(uniform, depth), self.size_of(a)), None)

    def size_of(self, a):
        n = var("i64", "n")
        return n if a.rows == 1 else ("bin", "i64", "*", num("i64", a.rows), n)

    def row(self, a, uniform):
        if a.rows == 1 or self.rng.random() < 0.5:
            return num("i64", self.rng.randint(1, a.rows))
        return mod1(self.integer(uniform, 0), num("i64", a.rows))

    def column(self, only_fixed=True):
        """A permutation of the threads. only_fixed: from names that keep their values in a region between barriers."""
        rng, n, t = self.rng, var("i64", "n"), var("i64", "t")
        threads, choice = self.kernel.threads, rng.random()
        if choice < 0.15:
            return t
        if choice < 0.4:
            return ("bin", "i64", "-", ("bin", "i64", "+", n, num("i64", 1)), t)
        if choice < 0.7:
            steps = [num("i64", rng.randint(1, max(threads, 2))), var("i64", "b")] + [var("i64", name) for name, is_uniform in self.loops if is_uniform]
            return mod1(("bin", "i64", "+", t, rng.choice(steps)), n)
        if choice < 0.85 and threads & (threads - 1) == 0 and threads > 1:
            one = num("i64", 1)
            return ("bin", "i64", "+", ("bin", "i64", "xor", ("bin", "i64", "-", t, one), num("i64", rng.randrange(1, threads))), one)
        factors = [m for m in (3, 5, 7, 11, 13) if threads % m]
        return mod1(("bin", "i64", "*", t, num("i64", rng.choice(factors))), n)

    def integer(self, uniform, depth):
        """An Int64."""
        if self.rng.random() < 0.4:
            names = self.scoped("i64", uniform)
            return var("i64", self.rng.choice(names))
        return self.expression("i64", depth, uniform)

    def expression(self, t, depth, uniform=False):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.1:
            return self.leaf(t, uniform)
        x = lambda: self.expression(t, depth - 1, uniform)
        choice = rng.random()
        if choice < 0.5:
            return ("bin", t, rng.choice(("+", "+", "-", "-", "*", "and", "or", "xor", "min", "max")), x(), x())
        if choice < 0.6:
            return ("bin", t, rng.choice(("div", "rem", "mod")), x(), self.positive(t, uniform))
        if choice < 0.7:
            return ("shift", t, rng.choice(("shl", "shr", "ushr", "rotate")), x(), self.amount(t, uniform))
        if choice < 0.78:
            return ("un", t, rng.choice(("-", "~", "abs", "count_ones", "leading_zeros", "trailing_zeros")), x())
        if choice < 0.86:
            return ("conv", t, self.expression(rng.choice([o for o in TYPES if o != t]), depth - 1, uniform))
        if choice < 0.93:
            return ("sel", t, self.condition(depth - 1, uniform), x(), x(), rng.random() < 0.5)
        if choice < 0.97:
            return self.load(t, uniform, depth - 1) or x()
        return self.input(t, uniform, depth - 1)

    def positive(self, t, uniform):
        if self.rng.random() < 0.7:
            return num(t, self.rng.choice((1, 2, 3, 4, 5, 7, 8, 10, 16, 100, 641, 65536)))
        return ("bin", t, "or", ("bin", t, "and", self.leaf(t, uniform), num(t, self.rng.choice((6, 254)))), num(t, 1))

    def amount(self, t, uniform):
        """Of a shift: Julia's shifts by the width and more give 0 or the sign."""
        if self.rng.random() < 0.6:
            return num("i64", self.rng.randrange(0, WIDTH[t]))
        return ("bin", t, "and", self.leaf(t, uniform), num(t, self.rng.choice((7, WIDTH[t] - 1, 127))))

    def condition(self, depth, uniform=False):
        rng, choice = self.rng, self.rng.random()
        if depth > 0 and choice < 0.15:
            return (rng.choice(("and", "or")), "b", self.condition(depth - 1, uniform), self.condition(depth - 1, uniform))
        if depth > 0 and choice < 0.2:
            return ("not", "b", self.condition(depth - 1, uniform))
        if choice < 0.35 and not uniform:  # a part of the threads
            return ("cmp", "b", rng.choice(COMPARES), var("i64", rng.choice(THREAD_NAMES)), num("i64", rng.randint(1, self.kernel.threads)))
        if choice < 0.5:
            t = rng.choice(TYPES)
            bit = ("bin", t, "and", self.expression(t, depth - 1, uniform), num(t, rng.choice((1, 2, 3, 4))))
            return ("cmp", "b", rng.choice(("==", "!=")), bit, num(t, rng.choice((0, 0, 1, 2))))
        t = rng.choice(TYPES)
        return ("cmp", "b", rng.choice(COMPARES), self.expression(t, depth - 1, uniform), self.expression(t, depth - 1, uniform))
