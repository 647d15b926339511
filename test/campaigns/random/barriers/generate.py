# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels with barriers, without data races.

Between two barriers an array has one mode: every thread reads it, or each thread reads and writes elements of its own
(a permutation of the threads), or every thread does one atomic operation on it. Each barrier chooses the modes anew.
A loop and a branch with barriers end with a barrier that restores the modes of their beginning.
"""
import random

from expressions import Expressions, boundary
from tree import THREAD_NAMES, TYPES, Array, Kernel, num, var

BLOCKS = [(1, 1, 1), (7, 1, 1), (32, 1, 1), (33, 1, 1), (64, 1, 1), (100, 1, 1), (256, 1, 1), (2, 1, 1), (16, 4, 1), (4, 3, 1), (11, 3, 1), (5, 4, 5), (2, 3, 4), (1, 1, 32), (8, 8, 4), (31, 1, 1)]
GRIDS = [(1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (1, 2, 2), (5, 1, 1)]
ATOMICS = ("add", "min", "max", "and", "or", "xor")
MAX_THREADS = 520  # of a launch
MAX_WEIGHT = 40  # iterations of the innermost loop


class Generator(Expressions):
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        block = rng.choice(BLOCKS)
        threads = block[0] * block[1] * block[2]
        grid = rng.choice([g for g in GRIDS if g[0] * g[1] * g[2] * threads <= MAX_THREADS])
        self.kernel = Kernel(seed, block, grid, rng.randint(-5, 9), {}, [], {}, {}, {}, {}, is_inbounds=rng.random() < 0.5, has_literal_sizes=rng.random() < 0.5)
        self.start()
        self.weight, self.loop_count, self.depth = 1, 0, 0
        self.budget = rng.randint(5, 16)  # statements

    def generate(self):
        self.declare()
        self.body = []
        self.initialise()
        self.uniform_block(self.body)
        self.finish()
        self.kernel.body = self.body
        return self.kernel

    def declare(self):
        rng, kernel = self.rng, self.kernel
        for k in range(rng.randint(1, 3)):
            t = rng.choice(TYPES)
            kernel.inputs[f"x{k}"] = (t, [boundary(rng, t) for _ in range(rng.randint(1, 40))])
        for k in range(rng.randint(2, 5)):
            t = rng.choice(TYPES)
            kernel.variables[f"v{k}"] = (t, boundary(rng, t))
        for k in range(rng.randint(1, 3)):
            kernel.variables[f"u{k}"] = ("i64", rng.randint(-3, 9))
            self.uniforms[f"u{k}"] = "i64"
        for k in range(rng.choice((0, 1, 1, 2))):
            types = [rng.choice(TYPES) for _ in range(rng.randint(2, 4))]
            kernel.tuples[f"p{k + 2}"] = [types[0]] * len(types) if rng.random() < 0.5 else types
        for k in range(rng.choice((0, 0, 1))):
            kernel.privates[f"m{k}"] = (rng.choice(TYPES), rng.randint(2, 5))
        for k in range(rng.randint(1, 4)):
            kind = rng.choice(("static", "static", "dynamic", "dynamic", "segment"))
            rows = rng.choice((1, 1, 1, 2, 3))
            self.add_array(Array(f"s{k}", rng.choice(TYPES), kind, rows, kind != "segment" and rows > 1 and rng.random() < 0.5))
        if rng.random() < 0.4:
            self.add_array(Array("g0", rng.choice(TYPES), "total", rng.randint(1, 20), op=rng.choice(ATOMICS)))

    def add_array(self, a):
        self.kernel.arrays.append(a)
        if not a.is_shared:
            size = self.kernel.size(a) * (self.kernel.blocks if a.kind == "segment" else 1)
            self.kernel.contents[a.name] = [boundary(self.rng, a.type) for _ in range(size)]
        self.modes[a.name] = ("atomic", a.op) if a.kind == "total" else ("read",) if a.kind == "segment" else None

    def initialise(self):
        """Writes every element of shared memory, whose values are undefined at first."""
        for a in self.kernel.arrays:
            if a.is_shared:
                column = var("i64", "t") if self.rng.random() < 0.5 else self.column()
                for row in range(1, a.rows + 1):
                    self.body.append(("store", a.name, column, num("i64", row), self.distinct(a.type, 1)))
                self.modes[a.name] = ("own", column)

    # ---- barriers

    def barrier(self, body, modes=None):
        """Appends a barrier, after which arrays have the given modes or new ones."""
        rng = self.rng
        if rng.random() < 0.15:
            body.append(("vote", rng.choice(("count", "and", "or")), rng.choice(list(self.uniforms)), self.condition(1)))
        else:
            body.append(("sync",))
        if modes is None:
            modes = {a.name: self.new_mode() for a in self.kernel.arrays}
        self.modes = {a.name: self.modes[a.name] if a.kind == "total" else modes[a.name] for a in self.kernel.arrays}

    def new_mode(self):
        choice = self.rng.random()
        if choice < 0.5:
            return ("read",)
        return ("own", self.column()) if choice < 0.85 else ("atomic", self.rng.choice(ATOMICS))

    def uniform_block(self, body, is_inner=False):
        """Statements that all threads of the block execute together, barriers among them."""
        rng = self.rng
        for _ in range(rng.randint(2, 4) if is_inner else 100):
            if self.budget <= 0:
                return
            self.budget -= 1
            choice = rng.random()
            if choice < 0.3:
                self.barrier(body)
                self.use_modes(body)
            elif choice < 0.38 and self.depth < 3:
                self.uniform_if(body)
            elif choice < 0.52 and self.depth < 3 and self.weight < MAX_WEIGHT / 2:
                self.uniform_loop(body)
            elif choice < 0.6:
                name = rng.choice(list(self.uniforms))
                body.append(("set", name, self.expression("i64", 2, uniform=True)))
            elif choice < 0.66:
                self.exchange(body)
            elif choice < 0.67:
                body.append(("return", self.condition(1, uniform=True)))
            else:
                self.divergent(body, 2)

    def use_modes(self, body):
        """What makes a fault in the barrier's order visible: a write to own elements, a read of those of others."""
        for a in self.kernel.arrays:
            if self.rng.random() < 0.7:
                self.access(body, a)

    def exchange(self, body):
        arrays = [a for a in self.kernel.arrays if a.kind != "total"]
        variables = [name for name in self.kernel.variables if name not in self.uniforms]
        a = self.rng.choice(arrays)
        targets = [name for name in variables if self.kernel.variables[name][0] == a.type]
        if not targets:
            return
        other = ("bin", "i64", "mod1", self.integer(False, 1), self.size_of(a))
        body.append(("exchange", self.rng.choice(targets), a.name, self.column(), self.row(a, False), self.expression(a.type, 1), other, self.rng.random() < 0.5))
        self.modes = {x.name: self.modes[x.name] if x.kind == "total" else self.new_mode() for x in self.kernel.arrays}

    def uniform_if(self, body):
        """Its branches restore the modes, or a barrier follows."""
        before, condition, joins = self.modes, self.way(), self.rng.random() < 0.4
        branches = []
        self.depth += 1
        for k in range(2):
            branch, self.modes = [], before
            if k == 0 or self.rng.random() < 0.6:
                self.uniform_block(branch, is_inner=True)
                self.use_modes(branch)
                if not joins:
                    self.barrier(branch, before)
            branches.append(branch)
        self.depth -= 1
        self.modes = before
        body.append(("if", condition, *branches))
        if joins:
            self.barrier(body)

    def way(self):
        """A condition that is equal in the block, and often neither always true nor always false."""
        rng = self.rng
        if rng.random() < 0.3:
            return self.condition(2, uniform=True)
        names = ["b", "p1", *self.uniforms] + [name for name, is_uniform in self.loops if is_uniform] * 2
        x = var("i64", rng.choice(names))
        if rng.random() < 0.5:
            return ("cmp", "b", rng.choice(("==", "!=")), ("bin", "i64", "and", x, num("i64", 1)), num("i64", 0))
        return ("cmp", "b", rng.choice(("<=", ">", "==", "!=")), x, num("i64", rng.randint(1, 3)))

    def uniform_loop(self, body):
        rng, before, trips = self.rng, self.modes, self.rng.randint(1, 4)
        if rng.random() < 0.5:
            limit = num("i64", trips)
        else:
            limit = ("bin", "i64", "mod", self.integer(True, 1), num("i64", trips + 1))
        name, inner, weight = self.loop_name(), [], self.weight
        self.loops.append((name, True))
        self.weight *= trips
        self.depth += 1
        self.use_modes(inner)
        self.uniform_block(inner, is_inner=True)
        if rng.random() < 0.25:
            self.barrier(inner, before)
            inner.append((rng.choice(("break", "continue")), self.way()))
            self.uniform_block(inner, is_inner=True)
        self.use_modes(inner)
        self.barrier(inner, before)
        self.depth -= 1
        self.weight = weight
        self.loops.pop()
        body.append((rng.choice(("for", "for", "while")), name, limit, inner))

    def loop_name(self):
        self.loop_count += 1
        return f"c{self.loop_count}"

    # ---- statements of single threads

    def divergent(self, body, depth):
        rng, choice = self.rng, self.rng.random()
        if choice < 0.2 and depth > 0:
            branches = [[], []]
            for k in range(2 if rng.random() < 0.5 else 1):
                for _ in range(rng.randint(1, 2)):
                    self.divergent(branches[k], depth - 1)
            body.append(("if", self.condition(2), *branches))
        elif choice < 0.32 and depth > 0 and self.weight < MAX_WEIGHT:
            self.divergent_loop(body, depth)
        elif choice < 0.55:
            self.access(body, rng.choice(self.kernel.arrays))
        elif choice < 0.65 and self.kernel.tuples:
            name = rng.choice(list(self.kernel.tuples))
            body.append(("tuple", name, [self.expression(t, 1) for t in self.kernel.tuples[name]]))
        elif choice < 0.7 and self.kernel.privates:
            name = rng.choice(list(self.kernel.privates))
            body.append(("private", name, self.private_index(name), self.expression(self.kernel.privates[name][0], 2)))
        elif choice < 0.74:
            self.out(body, self.expression(rng.choice(TYPES), 2))
        else:
            name = rng.choice([v for v in self.kernel.variables if v not in self.uniforms])
            t = self.kernel.variables[name][0]
            value = self.expression(t, 3)
            if rng.random() < 0.6:  # what was read before stays visible
                value = ("bin", t, rng.choice(("+", "-", "xor")), var(t, name), value)
            body.append(("set", name, value))

    def distinct(self, t, depth):
        """An expression, often one that differs between threads."""
        value = self.expression(t, depth)
        if self.rng.random() < 0.3:
            return value
        thread = var("i64", "t") if t == "i64" else ("conv", t, var("i64", "t"))
        return ("bin", t, "+", value, ("bin", t, "*", thread, num(t, self.rng.choice((1, 3, 1001, 65537)))))

    def divergent_loop(self, body, depth):
        rng, inner, weight = self.rng, [], self.weight
        trips = rng.choice((3, 7))
        limit = ("bin", "i64", "and", self.integer(False, 1), num("i64", trips))
        name = self.loop_name()
        self.loops.append((name, False))
        self.weight *= trips
        for _ in range(rng.randint(1, 2)):
            self.divergent(inner, depth - 1)
        if rng.random() < 0.3:
            inner.insert(rng.randint(0, len(inner)), (rng.choice(("break", "continue")), self.condition(1)))
        self.weight = weight
        self.loops.pop()
        body.append((rng.choice(("for", "while")), name, limit, inner))

    def access(self, body, a):
        """A statement that the array's mode allows."""
        rng, mode = self.rng, self.modes[a.name]
        targets = [name for name, (t, _) in self.kernel.variables.items() if t == a.type and name not in self.uniforms]
        if mode[0] == "read":
            if targets:
                name = rng.choice(targets)
                body.append(("set", name, ("bin", a.type, rng.choice(("+", "-", "xor")), var(a.type, name), self.load(a.type, False, 1))))
            return
        value = self.distinct(a.type, 2)
        if mode[0] == "own":
            row = self.row(a, False)
            if rng.random() < 0.2:
                target = rng.choice(targets) if targets and rng.random() < 0.7 else None
                body.append(("atomic", a.name, rng.choice(ATOMICS), mode[1], row, value, target, rng.random() < 0.5))
            else:
                body.append(("store", a.name, mode[1], row, value))
            return
        size = num("i64", a.rows) if a.kind == "total" else self.size_of(a)
        index = ("bin", "i64", "mod1", self.integer(False, 1), size)
        body.append(("atomic", a.name, mode[1], index, None, value, None, rng.random() < 0.5))

    def out(self, body, value):
        self.kernel.slots += 1
        body.append(("out", self.kernel.slots, value))

    def finish(self):
        """Writes what the threads hold; some threads may return before, since no barrier follows."""
        body = self.body
        self.use_modes(body)
        self.barrier(body, {a.name: ("read",) for a in self.kernel.arrays})
        values = [var(t, name) for name, (t, _) in self.kernel.variables.items()]
        values += [("item", t, name, num("i64", k)) for name, types in self.kernel.tuples.items() for k, t in enumerate(types, 1)]
        values += [("mine", t, name, num("i64", k)) for name, (t, size) in self.kernel.privates.items() for k in range(1, size + 1)]
        for a in self.kernel.arrays:
            if a.is_shared:
                values += [("load", a.type, a.name, var("i64", "t"), num("i64", row)) for row in range(1, a.rows + 1)]
        self.rng.shuffle(values)
        for k, value in enumerate(values):
            if k and self.rng.random() < 0.08:
                body.append(("return", ("cmp", "b", ">", var("i64", self.rng.choice(THREAD_NAMES)), num("i64", self.rng.randint(1, self.kernel.threads)))))
            self.out(body, value)
