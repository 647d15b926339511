# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes what a kernel writes: each thread is a Python generator that runs to its next barrier.

The tree becomes Python text. The simulation checks the rules that give a kernel one outcome: all threads of a block
pass the same barriers, and between barriers no thread touches an element that another thread writes. A kernel that
breaks a rule, reads an element that was never written or does not end soon is Invalid.
"""
from tree import THREAD_NAMES, WIDTH, wrap

MAX_STEPS = 3000  # loop iterations of a thread
ATOMICS = {"add": lambda a, b: a + b, "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "min": min, "max": max}
OPS = {"xor": "^", "and": "&", "or": "|"}


class Invalid(Exception):
    """The kernel has no outcome that the rules fix."""


class Memory:
    """The elements of an array, and who touched them since the last barrier."""

    def __init__(self, array, values):
        self.type, self.values = array.type, values
        self.barrier()

    def barrier(self):
        self.readers, self.writers, self.atomics = {}, {}, {}

    def read(self, i, me):
        if self.writers.get(i, me) != me or i in self.atomics and self.atomics[i][0] != me:
            raise Invalid("a race of a read")
        if self.readers.setdefault(i, me) != me:
            self.readers[i] = 0  # several
        value = self.values[i] if i >= 0 else None
        if value is None:
            raise Invalid("an element without a value")
        return value

    def write(self, i, me, value):
        if self.writers.setdefault(i, me) != me or self.readers.get(i, me) != me or i in self.atomics and self.atomics[i][0] != me:
            raise Invalid("a race of a write")
        if i < 0:
            raise IndexError
        self.values[i] = value

    def atomic(self, i, me, op, value, uses_old):
        """Atomics of several threads on an element have one outcome if they have one operation and no user of old values."""
        if self.writers.get(i, me) != me or self.readers.get(i, me) != me:
            raise Invalid("a race of an atomic")
        other, only, used = self.atomics.setdefault(i, (me, op, uses_old))
        if other != me and (only != op or used or uses_old):
            raise Invalid("atomics whose order matters")
        self.atomics[i] = (me if other == me else 0, op if op == only else "mixed", used or uses_old)
        old = self.values[i] if i >= 0 else None
        if old is None:
            raise Invalid("an element without a value")
        self.values[i] = wrap(self.type, ATOMICS[op](old, value))
        return old


def quotient(a, b):
    return a // b if a >= 0 else -(-a // b)


def mod1(a, b):
    return (a - 1) % b + 1


def rotate(t, value, k):
    bits, mask = WIDTH[t], (1 << WIDTH[t]) - 1
    k, value = k & (bits - 1), value & mask
    return wrap(t, value << k | value >> (bits - k))


def at(sequence, i):
    """An item of a tuple, a private array or an input; index 1 is the first."""
    if not 1 <= i <= len(sequence):
        raise Invalid("an index that is out of bounds")
    return sequence[i - 1]


class Translator:
    """A kernel as the text of a Python generator function."""

    def __init__(self, kernel):
        self.kernel, self.sites = kernel, 0

    def wrapped(self, t, text):
        if t == "u32":
            return f"({text} & 0xFFFFFFFF)"
        half = 1 << (WIDTH[t] - 1)
        return f"((({text}) + {half} & {2 * half - 1}) - {half})"

    def expression(self, e):
        kind, t, x = e[0], e[1], self.expression
        if kind == "num":
            return f"({e[2]})"
        if kind == "var":
            return e[2]
        if kind == "bin":
            op, a, b = e[2], x(e[3]), x(e[4])
            if op in "+-*":
                return self.wrapped(t, f"({a} {op} {b})")
            if op in OPS:
                return f"({a} {OPS[op]} {b})"
            return {"div": f"quotient({a}, {b})", "rem": f"({a} - {b} * quotient({a}, {b}))", "mod": f"({a} % {b})"}.get(op, f"{op}({a}, {b})")
        if kind == "shift":
            op, a, k = e[2], x(e[3]), x(e[4])
            if op == "rotate":
                return f"rotate({t!r}, {a}, {k})"
            if op == "shl":
                return self.wrapped(t, f"({a} << {k})")
            return f"({a} >> {k})" if op == "shr" else self.wrapped(t, f"(({a} & {(1 << WIDTH[t]) - 1}) >> {k})")
        if kind == "un":
            return self.unary(t, e[2], x(e[3]))
        if kind == "conv":
            return self.wrapped(t, x(e[2]))
        if kind == "sel":
            return f"({x(e[3])} if {x(e[2])} else {x(e[4])})" if e[5] else f"choose({x(e[2])}, {x(e[3])}, {x(e[4])})"
        if kind == "load":
            return f"{e[2]}.read({self.index(e[2], e[3], e[4])}, t)"
        if kind in ("input", "item", "mine"):
            return f"at({e[2]}, {x(e[3])})"
        if kind == "cmp":
            return f"({x(e[3])} {e[2]} {x(e[4])})"
        if kind == "not":
            return f"(not {x(e[2])})"
        return f"({x(e[2])} {kind} {x(e[3])})"

    def unary(self, t, op, a):
        mask = (1 << WIDTH[t]) - 1
        if op == "abs":
            return self.wrapped(t, f"abs({a})")
        if op == "count_ones":
            return f"({a} & {mask}).bit_count()"
        if op == "leading_zeros":
            return f"({WIDTH[t]} - ({a} & {mask}).bit_length())"
        if op == "trailing_zeros":
            return f"trailing_zeros({a}, {WIDTH[t]})"
        return self.wrapped(t, f"({op}{a})")

    def index(self, name, column, row):
        column = self.expression(column)
        return f"{column} - 1" if row is None else f"{column} - 1 + n * ({self.expression(row)} - 1)"

    def barrier(self, vote="0"):
        self.sites += 1
        return f"yield ({self.sites}, {vote})"

    def block(self, body, indent):
        return [line for s in body for line in self.statement(s, indent)] or ["    " * indent + "pass"]

    def statement(self, s, indent):
        kind, x, pad = s[0], self.expression, "    " * indent
        if kind == "if":
            return [f"{pad}if {x(s[1])}:"] + self.block(s[2], indent + 1) + [pad + "else:"] + self.block(s[3], indent + 1)
        step = f"{pad}    steps = step(steps)"
        if kind == "for":
            return [f"{pad}for {s[1]} in range(1, {x(s[2])} + 1):", step] + self.block(s[3], indent + 1)
        if kind == "while":
            return [f"{pad}{s[1]} = {x(s[2])}", f"{pad}while {s[1]} > 0:", f"{pad}    {s[1]} -= 1", step] + self.block(s[3], indent + 1)
        if kind in ("break", "continue", "return"):
            return [f"{pad}if {x(s[1])}: {kind}"]
        return [pad + line for line in self.simple(s)]

    def simple(self, s):
        kind, x = s[0], self.expression
        if kind == "set":
            return [f"{s[1]} = {x(s[2])}"]
        if kind == "tuple":
            return [f"{s[1]} = ({', '.join(x(e) for e in s[2])},)"]
        if kind == "private":
            return [f"i = {x(s[2])}", f"at({s[1]}, i)", f"{s[1]}[i - 1] = {x(s[3])}"]
        if kind == "out":
            return [f"o[{s[1]} - 1 + {self.kernel.slots} * (t - 1 + n * (b - 1))] = {self.wrapped('i64', x(s[2]))}"]
        if kind == "store":
            return [f"{s[1]}.write({self.index(s[1], s[2], s[3])}, t, {x(s[4])})"]
        if kind == "atomic":
            _, name, op, column, row, value, target, _ = s
            me = "t" if self.kernel.array(name).kind != "total" else "t + n * b"
            call = f"{name}.atomic({self.index(name, column, row)}, {me}, {op!r}, {x(value)}, {target is not None})"
            return [f"{target} = {call}" if target else call]
        if kind == "vote":
            return [f"votes = {self.barrier(f'bool({x(s[3])})')}", s[2] + " = " + {"count": "sum(votes)", "and": "int(all(votes))", "or": "int(any(votes))"}[s[1]]]
        if kind == "exchange":
            _, target, name, column, row, value, other, _ = s
            return [f"i, value, k = {self.index(name, column, row)}, {x(value)}, {self.index(name, other, None)}", self.barrier(),
                    f"{name}.write(i, t, value)", self.barrier(), f"{target} = {name}.read(k, t)", self.barrier()]
        assert kind == "sync", kind
        return [self.barrier()]

    def function(self):
        kernel = self.kernel
        names = [*THREAD_NAMES, "n", "b", "nb", "p1", "o", *kernel.inputs, *(a.name for a in kernel.arrays)]
        lines = [f"def thread({', '.join(names)}):", "    steps = 0"]
        lines += [f"    {name} = {value}" for name, (_, value) in kernel.variables.items()]
        lines += [f"    {name} = {tuple(range(1, len(types) + 1))}" for name, types in kernel.tuples.items()]
        lines += [f"    {name} = {list(range(1, size + 1))}" for name, (_, size) in kernel.privates.items()]
        return "\n".join(lines + self.block(kernel.body, 1) + ["    return", "    yield", ""])


def step(steps):
    if steps > MAX_STEPS:
        raise Invalid("too many iterations")
    return steps + 1


def trailing_zeros(a, width):
    return (a & -a).bit_length() - 1 if a else width


def function_of(kernel):
    scope = {"quotient": quotient, "mod1": mod1, "rotate": rotate, "at": at, "step": step, "trailing_zeros": trailing_zeros, "choose": lambda c, a, b: a if c else b}
    exec(compile(Translator(kernel).function(), kernel.name, "exec"), scope)
    return scope["thread"]


def run_block(threads, memories):
    """Runs the generators of a block from barrier to barrier."""
    votes = None
    while True:
        arrived = []
        for thread in threads:
            try:
                arrived.append(thread.send(votes))
            except StopIteration:
                arrived.append(None)
        sites = {a and a[0] for a in arrived}
        if sites == {None}:
            return
        if len(sites) != 1:
            raise Invalid("a barrier that some threads do not pass")
        votes = [a[1] for a in arrived]
        for m in memories:
            m.barrier()


def simulate(kernel):
    """{array: elements} after the launch."""
    thread, n, blocks = function_of(kernel), kernel.threads, kernel.blocks
    out = [0] * (max(kernel.slots, 1) * n * blocks)
    found = {"o": out}
    totals = {a.name: Memory(a, list(kernel.contents[a.name])) for a in kernel.arrays if a.kind == "total"}
    for name, memory in totals.items():
        found[name] = memory.values
    for a in kernel.arrays:
        if a.kind == "segment":
            found[a.name] = []
    inputs = [values for _, values in kernel.inputs.values()]
    for b in range(1, blocks + 1):
        memories = {}
        for a in kernel.arrays:
            size = kernel.size(a)
            values = kernel.contents[a.name][size * (b - 1):size * b] if a.kind == "segment" else [None] * size
            memories[a.name] = totals.get(a.name) or Memory(a, values)
        threads = []
        for t in range(1, n + 1):
            rest, x = divmod(t - 1, kernel.block[0])
            z, y = divmod(rest, kernel.block[1])
            threads.append(thread(t, x + 1, y + 1, z + 1, n, b, blocks, kernel.scalar, out, *inputs, *(memories[a.name] for a in kernel.arrays)))
        try:
            run_block(threads, [m for name, m in memories.items() if name not in totals])
        except (IndexError, NameError, ZeroDivisionError) as e:
            raise Invalid(str(e)) from e
        for a in kernel.arrays:
            if a.kind == "segment":
                found[a.name] += memories[a.name].values
    return found
