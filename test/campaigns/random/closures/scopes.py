# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of closures: a tree, its Julia text, and its value by Julia's scope rules.

The rules (Julia manual, "Scope of Variables"): a name that a scope assigns and that no scope around it has is
local to that scope, from its beginning. Function bodies, loop bodies, `let`, `try` and `catch` are scopes; `if`
and `begin` are none. Each round of a loop has new variables. Closures capture variables, not values."""

STEPS = 20000
DEPTH = 60  # of calls
BIG = 300  # elements of the array `big` of zeros: calls with so many are compiled at once


class Undefined(Exception):
    """An UndefVarError."""


class TooLong(Exception):
    """The program takes more than STEPS steps, or calls deeper than DEPTH."""


class Broken(Exception):
    """Control leaves a round of a loop: `continue`, or else `break`."""

    def __init__(self, goes_on):
        super().__init__()
        self.goes_on = goes_on


class Cell:
    """A variable."""

    __slots__ = ("value",)

    def __init__(self):
        self.value = None


class Closure:
    """A function with the scope that it was made in."""

    def __init__(self, node, scope):
        self.node, self.scope = node, scope

    def has_unassigned(self, seen=()):
        """Does it capture a variable, also through closures, that is not assigned now?"""
        if self in seen:
            return False
        for name in names_in(self.node, set()):
            cell = self.scope.find(name) if self.scope else None
            if cell and (cell.value is None or isinstance(cell.value, Closure) and cell.value.has_unassigned((*seen, self))):
                return True
        return False


def names_in(node, found):
    """All names that a tree mentions."""
    for part in node:
        if isinstance(part, str):
            found.add(part)
        elif isinstance(part, (tuple, list)):
            names_in(part, found)
    return found


def assigned_names(block, found, local):
    """Names that the statements of one scope assign (`found`) or declare (`local`), inner scopes left out."""
    for s in block:
        if s[0] in ("assign", "closure", "empty"):
            found.append(s[1])
        elif s[0] == "local":
            local.append(s[1])
        elif s[0] == "while":
            found.append(s[1])
        elif s[0] == "if":
            assigned_names(s[2], found, local)
            assigned_names(s[3], found, local)


class Scope:
    """Variables by name, and the scope around."""

    def __init__(self, parent, names=()):
        self.parent, self.cells = parent, {name: Cell() for name in names}

    def find(self, name):
        scope = self
        while scope:
            if name in scope.cells:
                return scope.cells[name]
            scope = scope.parent
        return None

    def block(self, block):
        """The scope of a block that begins in this one."""
        found, local = [], []
        assigned_names(block, found, local)
        inner = Scope(self, local)
        for name in found:
            if inner.find(name) is None:
                inner.cells[name] = Cell()
        return inner


def rem(a, b):
    """Julia's %: of the dividend's sign."""
    r = abs(a) % abs(b)
    return -r if a < 0 else r


class Evaluator:
    """The value of a program."""

    def __init__(self):
        self.steps = self.depth = 0
        self.takes_unassigned = False  # a closure was made or used while a variable of it was not assigned

    def closure(self, node, scope):
        made = Closure(node, scope)
        self.takes_unassigned = self.takes_unassigned or made.has_unassigned()
        return made

    def run(self, program, n):
        return self.call(Closure(("function", ["n"], [], program.body, ("var", "out")), None), [n])

    def step(self):
        self.steps += 1
        if self.steps > STEPS:
            raise TooLong

    def call(self, closure, args):
        self.step()
        _, params, defaults, body, result = closure.node
        scope = Scope(closure.scope, params)
        for i, name in enumerate(params):
            # A default sees the parameters before it.
            scope.cells[name].value = args[i] if i < len(args) else self.value(defaults[i - len(params) + len(defaults)], scope)
        scope = scope.block(body)
        self.depth += 1
        if self.depth > DEPTH:
            raise TooLong
        self.block(body, scope)
        value = self.value(result, scope)
        self.depth -= 1
        return value

    def read(self, name, scope):
        cell = scope.find(name)
        if cell is None or cell.value is None:
            raise Undefined(name)
        if isinstance(cell.value, Closure):
            self.takes_unassigned = self.takes_unassigned or cell.value.has_unassigned()
        return cell.value

    def value(self, e, scope):
        self.step()
        kind = e[0]
        if kind == "int":
            return e[1]
        if kind == "var":
            return self.read(e[1], scope)
        if kind == "op":
            a, b = self.value(e[2], scope), self.value(e[3], scope)
            return {"+": a + b, "-": a - b, "*": rem(a * b, 97)}[e[1]]
        if kind == "if":
            return self.value(e[2 if self.condition(e[1], scope) else 3], scope)
        if kind == "call":
            f = self.read(e[1], scope)
            return self.call(f, [self.value(a, scope) for a in e[2]])
        if kind == "twice":  # h(a)(): what a maker gives is called at once
            f = self.read(e[1], scope)
            return self.call(self.call(f, [self.value(a, scope) for a in e[2]]), [])
        if kind == "function":
            return self.closure(e, scope)
        if kind in ("map", "do", "sum"):
            f = self.closure(("function", [e[1]], [], [], e[2]), scope)
            return sum(self.call(f, [i]) for i in (1, 2, 3))
        if kind == "array":
            f = self.closure(("function", [e[1]], [], [], e[2]), scope)
            total = sum(self.call(f, [0]) for _ in range(BIG))
            return abs(total) // BIG * (1 if total >= 0 else -1)
        if kind == "fold":
            f = self.closure(("function", [e[1], e[2]], [], [], e[3]), scope)
            return self.call(f, [self.call(f, [1, 2]), 3])
        if kind == "now":
            return self.call(self.closure(("function", [], [], [], e[1]), scope), [])
        if kind == "defined":
            cell = scope.find(e[1])
            return self.value(e[2], scope) if cell is not None and cell.value is not None else 7
        if kind == "all":  # what the closures of a vector give
            return sum(self.call(f, []) for f in self.read(e[1], scope))
        raise AssertionError(kind)

    def condition(self, c, scope):
        a, b = self.value(c[1], scope), self.value(c[2], scope)
        return a < b if c[0] == "<" else a != b

    def block(self, block, scope):
        for s in block:
            self.statement(s, scope)

    def statement(self, s, scope):
        self.step()
        kind = s[0]
        if kind in ("assign", "closure"):
            scope.find(s[1]).value = self.value(s[2], scope)
        elif kind == "local":
            if s[2] is not None:
                scope.find(s[1]).value = self.value(s[2], scope)
        elif kind == "push":
            self.read(s[1], scope).append(self.value(s[2], scope))
        elif kind == "empty":
            scope.find(s[1]).value = []
        elif kind == "if":
            self.block(s[2] if self.condition(s[1], scope) else s[3], scope)
        elif kind == "for":
            for i in range(1, s[2] + 1):
                inner = Scope(scope, [s[1]])
                inner.cells[s[1]].value = i
                if not self.round(s[3], inner):
                    break
        elif kind == "while":
            scope.find(s[1]).value = 0
            while self.read(s[1], scope) < s[2]:
                body = [("assign", s[1], ("op", "+", ("var", s[1]), ("int", 1)))] + s[3]
                if not self.round(body, scope):
                    break
        elif kind == "let":
            for name, e in s[1]:
                value = None if e is None else self.value(e, scope)
                scope = Scope(scope, [name])
                scope.cells[name].value = value
            self.block(s[2], scope.block(s[2]))
        elif kind == "leave":
            if self.condition(s[2], scope):
                raise Broken(s[1] == "continue")
        elif kind == "try":
            depth = self.depth
            try:
                inner = scope.block(s[1])
                self.block(s[1], inner)
                if self.condition(s[2], inner):
                    raise ArithmeticError
            except (ArithmeticError, Undefined):
                self.depth = depth
                self.block(s[3], scope.block(s[3]))
        else:
            raise AssertionError(kind)

    def round(self, block, scope):
        """One round of a loop; false: it was the last."""
        try:
            self.block(block, scope.block(block))
        except Broken as broken:
            return broken.goes_on
        return True


# ---- text


def show(e):
    kind = e[0]
    if kind == "int":
        return str(e[1]) if e[1] >= 0 else f"({e[1]})"
    if kind == "var":
        return e[1]
    if kind == "op":
        return f"({show(e[2])} * {show(e[3])}) % 97" if e[1] == "*" else f"({show(e[2])} {e[1]} {show(e[3])})"
    if kind == "if":
        return f"({condition(e[1])} ? {show(e[2])} : {show(e[3])})"
    if kind == "call":
        return f"{e[1]}({', '.join(map(show, e[2]))})"
    if kind == "twice":
        return f"{e[1]}({', '.join(map(show, e[2]))})()"
    if kind == "function":
        body = f"begin\n{text(e[3], 0)}{show(e[4])}\nend" if e[3] else show(e[4])
        return f"(({', '.join(e[1])}) -> {body})"
    if kind == "map":
        return f"sum(map({e[1]} -> {show(e[2])}, (1, 2, 3)))"
    if kind == "do":
        return f"sum(map((1, 2, 3)) do {e[1]}\n{show(e[2])}\nend)"
    if kind == "sum":
        return f"sum({show(e[2])} for {e[1]} in 1:3)"
    if kind == "array":
        return f"sum(map({e[1]} -> {show(e[2])}, big)) ÷ {BIG}"
    if kind == "fold":
        return f"foldl(({e[1]}, {e[2]}) -> {show(e[3])}, (1, 2, 3))"
    if kind == "now":
        return f"(() -> {show(e[1])})()"
    if kind == "defined":
        return f"(@isdefined({e[1]}) ? {show(e[2])} : 7)"
    if kind == "all":
        return f"sum(Int[f() for f in {e[1]}])"
    raise AssertionError(kind)


def condition(c):
    return f"{show(c[1])} {c[0] if c[0] == '<' else '!='} {show(c[2])}"


def parameters(node):
    _, params, defaults, _, _ = node
    first = len(params) - len(defaults)
    return ", ".join(params[:first] + [f"{p} = {show(d)}" for p, d in zip(params[first:], defaults)])


def statement(s, depth):
    pad, kind = "    " * depth, s[0]
    if kind == "assign":
        return f"{pad}{s[1]} = {show(s[2])}\n"
    if kind == "closure":
        node, form = s[2], s[3]
        if form == "arrow":
            return f"{pad}{s[1]} = {show(node)}\n"
        if form == "short" and not node[3]:
            return f"{pad}{s[1]}({parameters(node)}) = {show(node[4])}\n"
        return f"{pad}function {s[1]}({parameters(node)})\n{text(node[3], depth + 1)}{pad}    return {show(node[4])}\n{pad}end\n"
    if kind == "local":
        return f"{pad}local {s[1]}" + (f" = {show(s[2])}\n" if s[2] is not None else "\n")
    if kind == "push":
        return f"{pad}push!({s[1]}, {show(s[2])})\n"
    if kind == "empty":
        return f"{pad}{s[1]} = []\n"
    if kind == "if":
        other = f"{pad}else\n{text(s[3], depth + 1)}" if s[3] else ""
        return f"{pad}if {condition(s[1])}\n{text(s[2], depth + 1)}{other}{pad}end\n"
    if kind == "for":
        return f"{pad}for {s[1]} in 1:{s[2]}\n{text(s[3], depth + 1)}{pad}end\n"
    if kind == "while":
        return f"{pad}{s[1]} = 0\n{pad}while {s[1]} < {s[2]}\n{pad}    {s[1]} += 1\n{text(s[3], depth + 1)}{pad}end\n"
    if kind == "let":
        bindings = ", ".join(n if e is None else f"{n} = {show(e)}" for n, e in s[1])
        return f"{pad}let {bindings}\n{text(s[2], depth + 1)}{pad}end\n"
    if kind == "leave":
        return f"{pad}{condition(s[2])} && {s[1]}\n"
    if kind == "try":
        return f'{pad}try\n{text(s[1], depth + 1)}{pad}    {condition(s[2])} && error("")\n{pad}catch\n{text(s[3], depth + 1)}{pad}end\n'
    raise AssertionError(kind)


def text(block, depth):
    return "".join(statement(s, depth) for s in block)
