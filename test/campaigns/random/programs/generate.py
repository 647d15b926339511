# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates one random program: definitions and a kernel whose threads write what they compute with `put`.

All is typed while it is made, so that every program is valid: no call without a method, no variable without a value.
"""
import contextlib
import random

from calls import Calls
from compounds import Compounds
from definitions import Definitions
from expressions import Expressions, lit
from number_expressions import NumberExpressions
from numbers_of import FLOATS
from object_definitions import ObjectDefinitions
from statements import Statements
from tree import Node, Program
from types_of import Types

ARRAYS = {"Ab": "Bool", "Ai8": "Int8", "Au8": "UInt8", "Ai16": "Int16", "Au16": "UInt16", "Ai32": "Int32", "Au32": "UInt32", "Ai64": "Int64",
          "Au64": "UInt64", "Af32": "Float32", "Af64": "Float64"}


class Var:
    """A variable that is in scope. frozen: assigned once, so functions may capture it; fixed: not to be assigned."""

    def __init__(self, name, t, frozen, fixed):
        self.name, self.t, self.frozen, self.fixed = name, t, frozen, fixed
        self.shadow = isinstance(t, str)


class Generator(Expressions, NumberExpressions, Compounds, Statements, Definitions, ObjectDefinitions, Calls):
    def __init__(self, seed, name):
        self.rng = random.Random(seed)
        self.types = Types()
        self.program = Program(self.types, name)
        self.program.arrays = ARRAYS
        self.prefix = name + "_"
        self.array_of = {t: a for a, t in ARRAYS.items()}
        self.abstracts, self.interfaces, self.families, self.constants = [], {}, [], []
        self.vars, self.count = [], 0
        self.arrays_here = self.outputs = False
        self.ret = None
        self.in_closure = self.in_branch = self.in_loop = False
        self.loop_depth = 0
        self.throws = self.rng.random() < 0.35

    # ---- scopes
    def fresh(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def add_var(self, name, t, frozen, fixed=False):
        self.vars.append(Var(name, t, frozen, fixed))

    def hide(self, name):
        self.vars = [v for v in self.vars if v.name != name]

    @contextlib.contextmanager
    def keeping(self, **changes):
        old = {name: getattr(self, name) for name in ["vars", "in_closure", "in_branch", "in_loop", "loop_depth", "arrays_here", "outputs", "ret"]}
        self.vars = list(self.vars)
        for name, value in changes.items():
            setattr(self, name, value)
        yield
        for name, value in old.items():
            setattr(self, name, value)

    def local(self):
        return self.keeping()

    def branch(self):
        return self.keeping(in_branch=True)

    def loop(self):
        return self.keeping(in_loop=True, in_branch=False, loop_depth=self.loop_depth + 1)

    def closure(self):
        return self.keeping(in_closure=True, vars=[v for v in self.vars if v.frozen], ret=None)

    # ---- the program
    def generate(self):
        self.define_all()
        r = self.rng
        p = self.program
        p.threads, p.blocks = r.choice([(1, 1), (1, 1), (4, 2), (3, 1), (32, 1)])
        with self.keeping(arrays_here=True, outputs=True, vars=[]):
            self.add_var("k", "Int64", frozen=True)
            body = self.body(r.randint(5, 12), 3)
            for _ in range(r.randint(3, 8)):
                self.s_put(body, 2)
            for v in self.vars[1:]:
                t = v.t
                if isinstance(t, str) and t != "Nothing" and p.slots < 60:
                    p.slots += 1
                    body.append(Node("put", [Node("var", t=t, name=v.name)], slot=p.slots))
                elif isinstance(t, tuple) and t[0] == "MVector" and p.slots < 60:
                    p.slots += 1
                    body.append(Node("put", [Node("index", [Node("var", t=None, name=v.name), lit("Int64", r.randint(1, t[1]))], t[2])], slot=p.slots))
        p.body = Node("block", body)
        return p


def inputs(seed, threads):
    """The arrays' contents: 8 elements of each for each thread."""
    r = random.Random(seed)
    made = {}
    for a, t in ARRAYS.items():
        rows = []
        for _ in range(threads):
            row = []
            for _ in range(8):
                if t == "Bool":
                    row.append(r.random() < 0.5)
                elif t in FLOATS:
                    row.append(float(r.choice([0.0, -0.0, 1.0, 2.0, 0.5, -3.0, 7.25, 100.0, -1.5, 1024.0, 3.0, 5.0])))
                else:
                    lo, hi = (-(1 << int(t[3:]) - 1), (1 << int(t[3:]) - 1) - 1) if t[0] == "I" else (0, (1 << int(t[4:])) - 1)
                    row.append(r.choice([r.randint(max(lo, -9), 9), r.randint(max(lo, -100), 100), r.randint(lo, hi), lo, hi]) if r.random() < 0.5 else r.randint(max(lo, -9), 20))
            rows.append(row)
        made[a] = (t, rows)
    return made
