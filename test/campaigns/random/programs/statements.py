# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random statements. What they leave valid: a variable is read only where it has a value of the type that is known of
it, what a function captures is assigned once, and loops end."""
from expressions import call, lit, var
from numbers_of import FLOATS, INTS, signed
from tree import Node


class Statements:
    """A part of Generator (generate.py)."""

    def body(self, count, d):
        found = []
        for _ in range(count):
            self.statement(found, d)
        return found

    def statement(self, out, d):
        r = self.rng
        choices = [self.s_assign] * 5 + [self.s_update] * 4 + [self.s_put] * 3 + [self.s_destruct] * 2 + [self.s_array] * 2 + [self.s_field, self.s_swap, self.s_function]
        if d > 0:
            choices += [self.s_if] * 3 + [self.s_for] * 3 + [self.s_while, self.s_short, self.s_short, self.s_object, self.s_vector]
        r.choice(choices)(out, d)

    def fresh_assign(self, d):
        t = self.any_type(2)
        e = self.expr(t, max(d, 1))
        name = self.fresh("v")
        self.add_var(name, t, frozen=self.rng.random() < 0.5 and not self.in_branch)
        return Node("assign", [e], name=name)

    def s_assign(self, out, d):
        r = self.rng
        if r.random() < 0.1 and not self.in_branch:
            t = r.choice([x for x in INTS + ["Float64", "Float32"]])
            e = self.expr(self.convertible(t), 2)
            name = self.fresh("d")
            out.append(Node("assign", [e], name=name, declared=t))
            self.add_var(name, t, frozen=True)
            return
        out.append(self.fresh_assign(3))

    def changeable(self, wanted=lambda t: True):
        return [v for v in self.vars if not v.frozen and not v.fixed and wanted(v.t) and not self.is_object(v.t)]

    def s_update(self, out, d):
        r = self.rng
        found = self.changeable()
        if not found:
            return self.s_assign(out, d)
        v = r.choice(found)
        if v.t in INTS and r.random() < 0.6:
            op = r.choice(["+", "-", "*", "⊻", "&", "|", "<<", ">>"])
            if op in ("<<", ">>"):
                out.append(Node("opassign", [lit("Int64", r.randint(0, 9))], name=v.name, op=op))
            else:
                out.append(Node("opassign", [self.expr(v.t, 2)], name=v.name, op=op))
        elif v.t in FLOATS and r.random() < 0.5:
            out.append(Node("opassign", [self.expr(v.t, 2)], name=v.name, op=r.choice(["+", "-"])))
        else:
            out.append(Node("assign", [self.expr(v.t, 3)], name=v.name))

    def s_put(self, out, d):
        if not self.outputs or self.program.slots >= 40:
            return self.s_update(out, d)
        t = self.number_type() if self.rng.random() < 0.8 else "Bool"
        self.program.slots += 1
        out.append(Node("put", [self.expr(t, 4)], slot=self.program.slots))

    def s_destruct(self, out, d):
        r = self.rng
        if r.random() < 0.25:
            n = r.randint(1, 3)
            names = tuple(self.fresh("n") for _ in range(n))
            t = ("NamedTuple", names, tuple(self.any_type(1) for _ in names))
            out.append(Node("destruct", [self.expr(t, 2)], pattern=("named",) + names, paren=True))
            for name, x in zip(names, t[2]):
                self.add_var(name, x, frozen=not self.in_branch)
            return
        t = self.tuple_type(2)
        if len(t) < 3:
            t += (self.number_type(),)

        def pattern(t):
            names = []
            for x in t[1:]:
                if isinstance(x, tuple) and x[0] == "Tuple" and len(x) > 2 and r.random() < 0.7:
                    names.append(pattern(x))
                elif r.random() < 0.1:
                    names.append("_")
                else:
                    names.append(self.fresh("u"))
                    made.append((names[-1], x))
            return tuple(names)
        made = []
        p = pattern(t)
        out.append(Node("destruct", [self.expr(t, 2)], pattern=p, paren=r.random() < 0.5))
        for name, x in made:
            self.add_var(name, x, frozen=not self.in_branch and r.random() < 0.5)

    def s_swap(self, out, d):
        found = self.changeable()
        pairs = [(a, b) for a in found for b in found if a is not b and a.t == b.t]
        if not pairs:
            return self.s_update(out, d)
        a, b = self.rng.choice(pairs)
        right = [var(b.name, b.t), var(a.name, a.t) if self.rng.random() < 0.6 else self.expr(a.t, 2)]
        out.append(Node("destruct", [Node("tuple", right, ("Tuple", a.t, b.t))], pattern=(a.name, b.name)))

    def s_array(self, out, d):
        """A write to an array of the thread's own."""
        r = self.rng
        arrays = [v for v in self.vars if isinstance(v.t, tuple) and v.t[0] == "MVector"]
        if self.arrays_here and (not arrays or r.random() < 0.6):
            t = r.choice(list(self.array_of))
            target, n = var(self.array_of[t], ("Vector", t)), 8
        elif arrays:
            v = r.choice(arrays)
            t, target, n = v.t[2], var(v.name, v.t), v.t[1]
        else:
            return self.s_update(out, d)
        i = self.place(n)
        op = r.choice(["+", "-", "⊻"]) if t in INTS and r.random() < 0.4 else r.choice(["+", "-"]) if t in FLOATS and r.random() < 0.2 else None
        value = self.expr(t if op or r.random() < 0.6 else self.convertible(t), 3)
        out.append(Node("setindex", [target, value, i], op=op))

    def s_vector(self, out, d):
        if self.in_closure or self.in_branch or self.in_loop:
            return self.s_assign(out, d)
        t, n = self.rng.choice(["Int64", "Int32", "Float32", "Float64", "UInt8"]), self.rng.randint(2, 5)
        name = self.fresh("m")
        out.append(Node("assign", [call("MVector", *[lit(t, self.rng.randint(0, 9)) for _ in range(n)], t=None)], name=name))
        self.add_var(name, ("MVector", n, t), frozen=True)

    def s_object(self, out, d):
        mutable = [s for s in self.types.structs.values() if s.mutable]
        if not mutable or self.in_closure or self.in_branch or self.in_loop:
            return self.s_assign(out, d)
        t = self.instance_of(self.rng.choice(mutable))
        name = self.fresh("o")
        out.append(Node("assign", [self.made(t, 2)], name=name))
        self.add_var(name, t, frozen=True)

    def s_field(self, out, d):
        objects = [v for v in self.vars if isinstance(v.t, tuple) and v.t[0] == "Struct" and self.is_object(v.t)]
        if not objects:
            return self.s_put(out, d)
        v = self.rng.choice(objects)
        s = self.types.structs[v.t[1]]
        i = self.rng.randrange(len(s.fields))
        t = s.field_types(v.t[2:])[i]
        op = self.rng.choice(["+", "-", "*"]) if t in INTS and self.rng.random() < 0.4 else None
        value = self.expr(t if op else self.convertible(t), 2)
        out.append(Node("setfield", [var(v.name, v.t), value], name=s.fields[i][0], op=op))

    def s_function(self, out, d):
        """A function in a variable."""
        if self.in_branch or self.in_closure:
            return self.s_assign(out, d)
        types, t = tuple(self.number_type() for _ in range(self.rng.randint(1, 2))), self.number_type()
        e = self.function(list(types), t, 3)
        name = self.fresh("f")
        out.append(Node("assign", [e], name=name))
        self.add_var(name, ("Function", types, t), frozen=True)

    # ---- control
    def s_if(self, out, d):
        r = self.rng
        node = Node("if")
        arms = r.randint(1, 3)
        otherwise = r.random() < 0.6
        new = [(self.fresh("w"), self.any_type(1)) for _ in range(r.randint(0, 1))] if otherwise else []
        for i in range(arms + otherwise):
            if i < arms:
                node.k.append(self.expr("Bool", 2))
            with self.branch():
                body = self.body(r.randint(1, 3), d - 1)
                body += [Node("assign", [self.expr(t, 2)], name=name) for name, t in new]
                node.k.append(Node("block", body))
        out.append(node)
        for name, t in new:  # assigned on every way
            self.add_var(name, t, frozen=False)

    def s_for(self, out, d):
        r = self.rng
        if self.loop_depth >= 3:
            return self.s_update(out, d)
        with self.loop():
            patterns, iterators = [], []
            for _ in range(1 if r.random() < 0.8 else 2):
                p, it, types = self.iterator()
                patterns.append(p)
                iterators.append(it)
                for name, t in types:
                    self.add_var(name, t, frozen=True)
            leave = [self.leave(r.choice(["break", "continue"]))] if r.random() < 0.3 else []  # before the body: it knows no variable of it
            body = self.body(r.randint(1, 4), d - 1)
            at = r.randint(0, len(body))
            body[at:at] = leave
        out.append(Node("for", iterators + [Node("block", body)], patterns=patterns, word=r.choice(["in", "=", "∈"])))

    def leave(self, how):
        test = self.expr("Bool", 2)
        if self.rng.random() < 0.5:
            return Node(self.rng.choice(["and", "or"]), [test, Node(how)])
        return Node("if", [test, Node("block", [Node(how)])])

    def iterator(self):
        """(pattern, iterator, [(name, type)])"""
        r = self.rng
        kind = r.random()
        name = self.fresh("i")
        t = r.choice([x for x in INTS if signed(x)] + ["Int64", "Int64", "Int32"])
        if kind < 0.5:
            return name, self.small_range(t, 1), [(name, t)]
        if kind < 0.6:  # an end that is computed
            end = call("mod", self.expr("Int64", 2), lit("Int64", r.randint(2, 7)), t="Int64")
            return name, call(":", lit("Int64", r.randint(-1, 2)), end, t=None, style="infix"), [(name, "Int64")]
        if kind < 0.7:
            u = r.choice(["UInt8", "UInt32", "UInt64", "UInt16"])
            return name, call(":", lit(u, r.randint(0, 3)), lit(u, r.randint(0, 6)), t=None, style="infix"), [(name, u)]
        n = r.randint(1, 4)
        of = self.number_type()
        items = self.expr(("Tuple",) + (of,) * n, 1)
        if kind < 0.8:
            return name, items, [(name, of)]
        other = self.fresh("j")
        if kind < 0.9:
            return (name, other), call("enumerate", items, t=None), [(name, "Int64"), (other, of)]
        return (name, other), call("zip", items, self.small_range(t, 1), t=None), [(name, of), (other, t)]

    def s_while(self, out, d):
        r = self.rng
        if self.loop_depth >= 3:
            return self.s_update(out, d)
        name = self.fresh("c")
        t = r.choice(["Int64", "Int32"])
        out.append(Node("assign", [lit(t, 0)], name=name))
        with self.loop():
            self.add_var(name, t, frozen=False, fixed=True)  # read in the body, but neither changed nor captured
            test = call("<", var(name, t), lit(t, r.randint(1, 6)), t="Bool", style="infix")
            if r.random() < 0.3:
                test = Node("and", [test, self.expr("Bool", 2)], "Bool")
            leave = [self.leave(r.choice(["break", "continue"]))] if r.random() < 0.3 else []
            body = [Node("opassign", [lit(t, 1)], name=name, op="+")] + self.body(r.randint(1, 3), d - 1)
            at = r.randint(1, len(body))
            body[at:at] = leave
            if r.random() < 0.2:
                body.insert(1, Node("or", [test, Node("break")]))
                test = lit("Bool", True)
        out.append(Node("while", [test, Node("block", body)]))

    def s_short(self, out, d):
        """condition && (v = e), condition || return ..."""
        r = self.rng
        if self.throws and r.random() < 0.15:
            what = r.choice(["DivideError", "BoundsError", "ArgumentError", "ErrorException", "DomainError", "OverflowError"])
            out.append(Node("if", [self.expr("Bool", 2), Node("block", [Node("throw", what=what)])]))
            return
        if self.ret is not None and r.random() < 0.3:
            out.append(Node(r.choice(["and", "or"]), [self.expr("Bool", 2), Node("return", [self.expr(self.ret, 2)])]))
            return
        found = self.changeable()
        if not found:
            return self.s_assign(out, d)
        v = r.choice(found)
        out.append(Node(r.choice(["and", "or"]), [self.expr("Bool", 2), Node("assign", [self.expr(v.t, 2)], name=v.name)]))
