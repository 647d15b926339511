# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions of arrays, of objects that they change, of structs with parameters, and with variables of two types."""
from definitions import tv
from expressions import call, var
from tree import Node
from types_of import Method


class ObjectDefinitions:
    """A part of Generator (generate.py)."""

    def literal_of(self, t):
        if isinstance(t, str):
            return self.literal(t)
        if t[0] == "Tuple":
            return Node("tuple", [self.literal_of(x) for x in t[1:]], t)
        if t[0] == "NamedTuple":
            return Node("named", [self.literal_of(x) for x in t[2]], t, names=t[1])
        return self.made(t, 0)

    def d_array(self):
        """A loop over an array that it is given; it may write there."""
        r = self.rng
        name, t = self.fresh(self.prefix + "f"), r.choice(["Int64", "Int32", "UInt8", "Float32", "Int16", "UInt64"])
        result = self.number_type()
        element = Node("index", [var("A", None), var("i", "Int64")], t)
        with self.keeping(vars=[], arrays_here=False, outputs=False, ret=None):
            self.add_var("i", "Int64", frozen=True)
            self.add_var("e", t, frozen=True)
            self.add_var("y", result, frozen=True)
            stored, step = self.expr(t, 2), self.expr(result, 2)
        body = [Node("assign", [element.copy()], name="e"), Node("assign", [step], name="s")]
        if r.random() < 0.6:
            body.append(Node("setindex", [var("A", None), stored, var("i", "Int64")], op=r.choice([None, "+"])))
        start = Node("assign", [var("y", result)], name="s")
        loop = Node("for", [call("eachindex", var("A", None), t=None), Node("block", body)], patterns=["i"], macro="@inbounds" if r.random() < 0.3 else "")
        m = Method(name, [("A", r.choice(["Any", ("Vector", t)])), ("y", result)], Node("block", [start, loop, var("s", result)]), result, noinline=r.random() < 0.3)
        m.static = [("Vector", t), result]
        self.define(m)
        self.family(name, [m])

    def d_mutator(self):
        """Changes the object that it is given."""
        r = self.rng
        mutable = [s for s in self.types.structs.values() if s.mutable and not s.params]
        if not mutable:
            return
        s = r.choice(mutable)
        name, t, other = self.fresh(self.prefix + "f"), ("Struct", s.name), self.number_type()
        with self.keeping(vars=[], arrays_here=False, outputs=False, ret=None):
            self.add_var("x", t, frozen=True)
            self.add_var("y", other, frozen=True)
            body = []
            for _ in range(r.randint(1, 3)):
                self.s_field(body, 1)
            body.append(self.expr(other, 2))
        m = Method(name, [("x", r.choice(["Any", t])), ("y", other)], Node("block", body), other, noinline=r.random() < 0.4)
        m.static = [t, other]
        self.define(m)
        self.family(name, [m])

    def d_instances(self):
        """Methods for a struct with parameters: for some of them, and for all."""
        r = self.rng
        found = [s for s in self.types.structs.values() if s.params and not s.mutable]
        if not found:
            return
        s = r.choice(found)
        name = self.fresh(self.prefix + "f")
        bounds = dict(s.params)
        open_ = [tv(p, b or "Number") for p, b in s.params]
        where = {p: b or "Number" for p, b in s.params}
        made = [self.method(name, [("x", ("Struct", s.name) + tuple(("Var", p) for p in bounds))], [("Struct", s.name) + tuple(open_)],
                            r.choice([open_[0], self.number_type()]), where=where, count=0)]
        if r.random() < 0.7:
            t = self.instance_of(s)
            made.append(self.method(name, [("x", t)], [t], self.number_type()))
        self.family(name, made)

    def d_union(self):
        """A variable that holds one of two types, and is asked which."""
        r = self.rng
        name, of, t = self.fresh(self.prefix + "f"), self.number_type(), self.number_type()
        a, b = r.sample(["Int64", "Int32", "Float64", "Float32", "UInt8", ("Tuple", "Int64", "Int32")], 2)
        with self.keeping(vars=[], arrays_here=False, outputs=False, ret=None, in_branch=True):
            self.add_var("x", of, frozen=True)
            either = Node("cond", [self.expr("Bool", 2), self.expr(a, 2), self.expr(b, 2)], None)
            with self.keeping():
                self.add_var("z", a, frozen=False)
                first = self.expr(t, 2)
            with self.keeping():
                self.add_var("z", b, frozen=False)
                second = self.expr(t, 2)
        test = Node("isa", [var("z", None)], "Bool", paren=True)
        test.a["t"] = a
        m = Method(name, [("x", of)], Node("block", [Node("assign", [either], name="z"), Node("cond", [test, first, second], t)]), t)
        m.static = [of]
        self.define(m)
        self.family(name, [m])
