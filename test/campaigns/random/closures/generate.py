# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of closures (scopes.py): variables that are assigned before, after and around closures."""

import random

VARIABLES = ["x", "y", "z"]
DEPTH = 3  # of statements in statements


class Program:
    """A function of `n`, whose value is that of its variable `out`."""

    def __init__(self, body, host_only):
        self.body, self.host_only = body, host_only


class Generator:
    """One program of a seed. `host`: also what only host code has, vectors of closures and `try`."""

    def __init__(self, seed, host):
        self.rng = random.Random(seed)
        self.host, self.host_only = host, False
        self.count = 0
        self.functions = []  # (name, least and most arguments, is a maker), visible where the statement stands
        self.vectors = []
        self.parameters = []
        # What statements assign to, `out` last; in some programs nothing else.
        self.targets = self.rng.sample(VARIABLES + ["n"], self.rng.choice([0, 1, 1, 2, 4])) + ["out"]

    def program(self):
        body = [("assign", "out", ("int", 0))]
        body += [("assign", v, ("int", self.rng.randrange(1, 9))) for v in VARIABLES if self.rng.random() < 0.97]
        if self.rng.random() < 0.5:
            body.append(("local", "h", None))
            self.functions.append(("h", 0, 0, False))
        if self.host and self.rng.random() < 0.5:
            body.append(("empty", "fs"))
            self.vectors.append("fs")
            self.host_only = True
        body += self.block(0, self.rng.choice([2, 3, 4, 5, 8]), False)
        body.append(("assign", "out", ("op", "+", ("var", "out"), self.value(1))))
        return Program(body, self.host_only)

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
            return ("op", self.pick("+", "-", "*"), self.value(depth + 1), self.value(depth + 1))
        if r < 0.84 and self.functions:
            return self.call(depth)
        if r < 0.88:
            return ("if", self.condition(depth + 1), self.value(depth + 1), self.value(depth + 1))
        if r < 0.96:
            kind = self.pick("map", "do", "sum", "fold", "now", *(["array"] if self.host else []))
            self.host_only = self.host_only or kind == "array"
            names = [self.new_name("a")] if kind not in ("fold", "now") else [self.new_name("a"), self.new_name("b")] if kind == "fold" else []
            self.parameters += names
            inner = self.value(depth + 1)
            del self.parameters[len(self.parameters) - len(names):]
            return (kind, *names, inner)
        if self.vectors:
            return ("all", self.rng.choice(self.vectors))
        return self.leaf()

    def leaf(self):
        r = self.rng.random()
        if r < 0.2:
            return ("int", self.rng.randrange(-3, 9))
        if r < 0.45 and self.parameters:
            return ("var", self.rng.choice(self.parameters))
        if r < 0.48:
            return ("var", self.pick("n", "n", "n", "out"))
        return ("var", self.rng.choice(VARIABLES))

    def plain(self):
        """A value that no variable of VARIABLES is part of."""
        return ("var", self.rng.choice(self.parameters)) if self.parameters and self.rng.random() < 0.6 else ("int", self.rng.randrange(1, 9))

    def call(self, depth):
        name, least, most, maker = self.rng.choice(self.functions)
        args = [self.value(depth + 1) for _ in range(self.rng.randint(least, most))]
        call = ("twice" if maker else "call", name, args)
        return ("defined", name, call) if self.rng.random() < 0.15 or name == "h" else call

    def condition(self, depth=1):
        return (self.pick("<", "!="), self.value(depth), self.value(depth))

    # ---- statements

    def block(self, depth, count, in_loop):
        known = len(self.functions), len(self.vectors), len(self.parameters)
        body = []
        for _ in range(count):
            self.statement(body, depth, in_loop)
        for seen, size in zip((self.functions, self.vectors, self.parameters), known):
            del seen[size:]
        return body

    def statement(self, body, depth, in_loop):
        r = self.rng.random()
        inner = lambda loop=in_loop: self.block(depth + 1, self.rng.randrange(1, 5), loop)
        if r < 0.24:
            body.append(("assign", self.pick(*self.targets), self.value()))
        elif r < 0.34 and self.functions:
            body.append(("assign", self.pick(*self.targets), ("op", "+", ("var", self.pick(*self.targets)), self.call(0))))
        elif r < 0.56:
            self.closure(body, depth)
        elif r < 0.60:
            name = self.pick(*VARIABLES)
            if depth and not any(s[0] == "local" and s[1] == name for s in body):
                assigned_later = self.rng.random() < 0.4
                body.insert(0, ("local", name, None if assigned_later else self.plain()))
                if assigned_later:
                    self.closure(body, depth)
                    body.append(("assign", name, self.plain()))
        elif r < 0.63 and in_loop:
            body.append(("leave", self.pick("break", "continue"), self.condition()))
        elif r < 0.66 and self.vectors:
            body.append(("push", self.rng.choice(self.vectors), self.function([], depth)))
        elif depth >= DEPTH:
            body.append(("assign", self.targets[-1], ("op", "+", ("var", self.targets[-1]), self.value())))
        elif r < 0.74:
            body.append(("if", self.condition(), inner(), inner() if self.rng.random() < 0.5 else []))
        elif r < 0.84:
            name = self.new_name("i") if self.rng.random() < 0.9 else self.pick(*VARIABLES)
            self.parameters.append(name)
            block = inner(True)
            self.parameters.pop()
            body.append(("for", name, self.rng.randrange(1, 4), block))
        elif r < 0.90:
            body.append(("while", self.new_name("c"), self.rng.randrange(1, 4), inner(True)))
        elif r < 0.96 or not self.host:
            bindings = [(self.pick(*VARIABLES), self.value() if self.rng.random() < 0.95 else None) for _ in range(self.rng.randrange(0, 3))]
            body.append(("let", bindings, inner()))
        else:
            self.host_only = True
            body.append(("try", inner(), self.condition(), inner()))

    def function(self, params, depth, maker=False):
        """A function of the parameters, which may have a body with statements of its own."""
        self.parameters += params
        statements = []
        if self.rng.random() < 0.25 and depth < DEPTH:
            statements = self.inner_block(depth)
        if maker:
            result = ("function", [], [], [], self.value(1))
        elif self.rng.random() < 0.1 and depth < DEPTH:
            result = ("now", self.value(1))
        else:
            result = self.value(1)
        del self.parameters[len(self.parameters) - len(params):]
        return ("function", params, [], statements, result)

    def inner_block(self, depth):
        """Statements of a closure. Most closures assign to variables of their own: those that do not are host code."""
        if self.rng.random() < 0.2:
            return self.block(depth + 1, self.rng.randrange(1, 4), False)
        before, self.targets = self.targets, [self.new_name("u")]
        self.parameters += self.targets
        block = [("local", self.targets[0], self.leaf())]
        if block[0][2] == ("var", self.targets[0]):
            block = [("local", self.targets[0], ("int", 3))]
        block += self.block(depth + 1, self.rng.randrange(1, 4), False)
        self.parameters.pop()
        self.targets = before
        return block

    def closure(self, body, depth):
        r = self.rng.random()
        if r < 0.1:
            # May be assigned more than once, or in one round of a loop alone.
            closure = ("closure", "h", self.function([], depth), "arrow")
            body.append(closure if self.rng.random() < 0.5 else ("if", self.condition(2), [closure], []))
            self.functions.append(("h", 0, 0, False))
            return
        name = self.new_name("f")
        params = [self.new_name("a") for _ in range(self.rng.randrange(0, 2))]
        if r < 0.2:
            node = self.function(params, depth, maker=True)
            body.append(("closure", name, node, self.pick("arrow", "short", "long")))
            self.functions.append((name, len(params), len(params), True))
        elif r < 0.3:
            node = self.function([self.new_name("a"), self.new_name("b")], depth)
            node = (*node[:2], [self.value(1)], *node[3:])
            body.append(("closure", name, node, self.pick("short", "long")))
            self.functions.append((name, 1, 2, False))
        elif r < 0.36:  # counts down by calling itself
            a = self.new_name("a")
            self.parameters.append(a)
            step = ("call", name, [("op", "-", ("var", a), ("int", 1))])
            result = ("if", ("<", ("var", a), ("int", 1)), self.value(1), ("op", "+", step, self.value(1)))
            self.parameters.pop()
            down = ("function", [a], [], [], result)
            body.append(("closure", name, down, self.pick("short", "long")))
            small = ("call", name, [("int", self.rng.randrange(0, 4))])
            body.append(("assign", self.targets[-1], ("op", "+", ("var", self.targets[-1]), small)))
        else:
            body.append(("closure", name, self.function(params, depth), self.pick("arrow", "arrow", "short", "long")))
            self.functions.append((name, len(params), len(params), False))
