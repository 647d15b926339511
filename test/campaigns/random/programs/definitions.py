# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random definitions: types, constants and families of methods, and calls of them.

A method knows, beside what is written, the types that its parameters have in its body (`static`; open ones are
("TV", name, bound)) and what it gives (`ret`). Who calls for a result of a type chooses a method that can give it, and
arguments for it; which method is then taken is up to dispatch.
"""
from expressions import call, lit, var
from numbers_of import INTS
from tree import Node
from types_of import NUMBERS, Method, StructDef


def tv(name, bound):
    return ("TV", name, bound)


class Definitions:
    """A part of Generator (generate.py)."""

    def define(self, d):
        self.program.definitions.append(d)

    def define_all(self):
        r = self.rng
        for _ in range(r.randint(0, 2)):
            name = self.fresh(self.prefix + "A")
            self.types.supers[name] = "Any"
            self.abstracts.append(name)
            self.define(("abstract", name, "Any"))
            for _ in range(r.randint(1, 2)):
                self.struct(name)
        for _ in range(r.randint(1, 3)):
            self.struct("Any", mutable=r.random() < 0.4)
        for a in self.abstracts:
            self.interface(a)
        for _ in range(r.randint(0, 2)):
            name, t = self.fresh(self.prefix + "C"), self.any_type(1)
            if not isinstance(t, tuple) or t[0] != "Struct":
                self.define(("const", name, self.literal_of(t)))
                self.constants.append((name, t))
        makers = [self.d_plain, self.d_plain, self.d_overloads, self.d_overloads, self.d_where, self.d_val, self.d_type, self.d_varargs, self.d_defaults, self.d_keywords,
                  self.d_recursive, self.d_higher, self.d_destructured, self.d_ntuple, self.d_callable, self.d_operator, self.d_outer, self.d_nothing,
                  self.d_array, self.d_mutator, self.d_instances, self.d_union]
        for maker in r.sample(makers, r.randint(3, 8)):
            maker()

    def struct(self, parent, mutable=False):
        r = self.rng
        params = [(p, r.choice([None, "Integer", "Real"])) for p in "TS"[:r.choice([0, 0, 1, 1, 2])]]
        fields = [(f, ("Var", p)) for f, (p, _) in zip("xy", params)]
        fields += [(f, r.choice([self.number_type(), self.number_type(), "Bool", ("Var", params[0][0]) if params else "Int64"])) for f in "abc"[:r.randint(not params, 3)]]
        d = StructDef(self.fresh(self.prefix + "S"), params, fields, parent, mutable)
        self.types.structs[d.name] = d
        self.define(d)

    # ---- bodies
    def method(self, name, params, static, ret, count=None, names=None, where=(), defaults=(), keywords=(), vararg=False, extra=(), d=3):
        """A method with a random body; `extra` are further variables that it knows."""
        r = self.rng
        with self.keeping(vars=[], arrays_here=False, outputs=False, ret=ret if r.random() < 0.5 else None, in_closure=False, in_branch=False, in_loop=False, loop_depth=0):
            self.know(params, static, vararg)
            for n, t in extra:
                self.add_var(n, t, frozen=True)
            body = self.body(r.choice([0, 0, 1, 2, 4]) if count is None else count, 1)
            result = self.expr(ret, d)
            body.append(Node("return", [result]) if r.random() < 0.4 else result)
        annotated = None
        if isinstance(ret, str) and ret in INTS and r.random() < 0.08:
            annotated = ret
        m = Method(name, params, Node("block", body), ret, vararg, where, defaults, keywords, annotated, short=r.random() < 0.6, noinline=r.random() < 0.25)
        m.static = static
        self.define(m)
        return m

    def know(self, params, static, vararg):
        for i, ((name, _), t) in enumerate(zip(params, static)):
            if isinstance(name, tuple):
                for n, e in zip(name, t[1:]):
                    self.add_var(n, e, frozen=True)
            elif not (vararg and i == len(params) - 1) and name != "_" and not (isinstance(t, tuple) and t[0] in ("Val", "Type", "NTuple")):
                self.add_var(name, t, frozen=True)

    def family(self, name, methods):
        self.families.append((name, methods))

    def params(self, n):
        types = [self.any_type(1) for _ in range(n)]
        return [(self.fresh("a"), self.annotation(t)) for t in types], types

    def annotation(self, t):
        """What a parameter of this type may be annotated with, where there is one method."""
        if self.rng.random() < 0.4:
            return "Any"
        if isinstance(t, tuple) and t[0] == "Struct" and len(t) > 2 and self.rng.random() < 0.5:
            return ("Family", t[1])
        return t

    # ---- families
    def d_plain(self):
        name = self.fresh(self.prefix + "f")
        params, static = self.params(self.rng.randint(1, 3))
        self.family(name, [self.method(name, params, static, self.any_type(1))])

    def d_overloads(self):
        """Methods for types that lie below each other, or beside."""
        r = self.rng
        name = self.fresh(self.prefix + "f")
        pool = r.sample(["Any", "Number", "Real", "Integer", "Signed", "Unsigned", "Int32", "Int64", "UInt8", "AbstractFloat", "Float32", ("Union", "Int8", "Int16"), ("Union", "Float64", "Int32")] + self.abstracts, r.randint(2, 5))
        second = self.number_type() if r.random() < 0.4 else None
        made = []
        for bound in pool:
            x = self.fresh("a")
            open_ = tv("'" + x, "Real" if isinstance(bound, tuple) else bound)
            t = bound if bound in NUMBERS else open_
            ret = r.choice([t, self.number_type(), self.number_type()])
            params, static = [(x, bound)], [t]
            if second:
                params.append((self.fresh("a"), second))
                static.append(second)
            m = self.method(name, params, static, ret)
            m.pool = bound[1:] if isinstance(bound, tuple) else None
            made.append(m)
        self.family(name, made)

    def d_where(self):
        r = self.rng
        name = self.fresh(self.prefix + "f")
        bound = r.choice(["Integer", "Signed", "Real", "AbstractFloat"])
        T = tv("T", bound)
        made = [self.method(name, [("x", ("Var", "T")), ("y", ("Var", "T"))], [T, T], r.choice([T, T, "Int64"]), where={"T": bound})]
        if r.random() < 0.6:
            a, b = tv("'x", bound), tv("'y", bound)
            made.append(self.method(name, [("x", bound), ("y", bound)], [a, b], r.choice([a, "Int32", "Bool"])))
        if r.random() < 0.5:
            S = r.choice([t for t in INTS + ["Float32", "Float64"] if self.types.below(t, bound)])
            made.append(self.method(name, [("x", S), ("y", S)], [S, S], self.number_type()))
        self.family(name, made)

    def d_val(self):
        r = self.rng
        name = self.fresh(self.prefix + "f")
        t = self.number_type()
        made = []
        for v in r.sample([1, 2, 3, True, False, "up", "down"], r.randint(1, 3)):
            made.append(self.method(name, [("_", ("Val", v)), ("x", t)], [("Val", v), t], self.number_type()))
        if r.random() < 0.6:
            m = self.method(name, [("_", ("Val", ("Var", "N"))), ("x", t)], [("Val", tv("N", "Int")), t], "Int64", where={"N": None})
            m.body = Node("block", [call("+", self.parameter("N"), m.body, t="Int64", style="infix")]) if len(m.body.k) == 1 and m.body.k[0].kind != "return" else m.body
            if len(m.body.k) == 1 and m.body.k[0].kind == "call" and len(m.body.k[0].k) == 2 and m.body.k[0].k[1].kind == "block":
                m.body.k[0].k[1] = m.body.k[0].k[1].k[0]
            made.append(m)
        self.family(name, made)

    def parameter(self, name):
        return Node("param", t="Int64", name=name)

    def d_type(self):
        r = self.rng
        name = self.fresh(self.prefix + "f")
        t = r.choice(INTS)
        T = tv("T", r.choice(["Integer", "Signed", "Unsigned"]))
        value = call("%", var("x", t), self.type_node(T), t=T, style="infix")
        m = Method(name, [("_", ("Type", ("Var", "T"))), ("x", t)], Node("block", [value]), T, where={"T": T[2]}, short=True)
        m.static = [("Type", T), t]
        self.define(m)
        made = [m]
        for S in r.sample(["Int32", "Float32", "Float64", "UInt8", "Bool"], r.randint(0, 2)):
            made.append(self.method(name, [("_", ("Type", S)), ("x", t)], [("Type", S), t], S))
        self.family(name, made)

    def d_varargs(self):
        r = self.rng
        name = self.fresh(self.prefix + "f")
        t = r.choice(INTS)
        rest = var("r", None)
        made = []
        if r.random() < 0.5:  # by recursion
            made.append(self.method(name, [("x", t)], [t], t, count=0))
            step = call(r.choice(["+", "-", "⊻", "*"]), var("x", t), Node("call", [rest], t, f=name, splat=(0,)), t=t, style="infix")
            m = Method(name, [("x", t), ("r", t)], Node("block", [step]), t, vararg=True, short=True)
        else:
            use = r.choice([lambda: call("length", rest, t="Int64"), lambda: call("foldl", Node("fn", name="+"), Node("tuple", [lit("Int64", 1), call("length", rest, t="Int64")], None), t="Int64"),
                            lambda: call("count", self.function([t], "Bool", 2), rest, t="Int64")])()
            m = Method(name, [("x", t), ("r", "Any" if r.random() < 0.4 else t)], Node("block", [use]), "Int64", vararg=True, short=True)
            if r.random() < 0.5:
                made.append(self.method(name, [("x", t), ("y", t)], [t, t], self.number_type()))
        m.static = [t, t]
        self.define(m)
        self.family(name, made + [m])

    def d_defaults(self):
        r = self.rng
        name = self.fresh(self.prefix + "f")
        params, static = self.params(r.randint(2, 3))
        params = [(n, t) for (n, _), t in zip(params, static)]
        count = r.randint(1, len(params) - 1)
        defaults = []
        for i in range(len(params) - count, len(params)):
            with self.keeping(vars=[], arrays_here=False, outputs=False, ret=None, in_closure=True):
                self.know(params[:i], static, False)
                defaults.append(self.expr(static[i], 2))
        self.family(name, [self.method(name, params, static, self.any_type(1), defaults=defaults)])

    def d_keywords(self):
        r = self.rng
        name = self.fresh(self.prefix + "f")
        params, static = self.params(r.randint(1, 2))
        keywords, known = [], []
        for _ in range(r.randint(1, 3)):
            t = self.number_type()
            with self.keeping(vars=[], arrays_here=False, outputs=False, ret=None, in_closure=True):
                self.know(params, static, False)
                for n, of in known:
                    self.add_var(n, of, frozen=True)
                keywords.append((self.fresh("w"), t if r.random() < 0.5 else None, self.expr(t, 2)))
            known.append((keywords[-1][0], t))
        m = self.method(name, params, static, self.any_type(1), keywords=keywords, extra=known)
        m.known = known
        self.family(name, [m])

    def d_recursive(self):
        name = self.fresh(self.prefix + "f")
        t = self.number_type()
        with self.keeping(vars=[], arrays_here=False, outputs=False, ret=None):
            self.add_var("n", "Int64", frozen=True)
            self.add_var("x", t, frozen=True)
            stop, again = self.expr(t, 2), self.expr(t, 2)
        more = Node("call", [call("-", var("n", "Int64"), lit("Int64", 1), t="Int64", style="infix"), again], t, f=name)
        test = call("<=", var("n", "Int64"), lit("Int64", 0), t="Bool", style="infix")
        m = Method(name, [("n", "Int64"), ("x", t)], Node("block", [Node("cond", [test, stop, more], t)]), t, short=self.rng.random() < 0.5)
        m.static, m.small = ["Int64", t], True
        self.define(m)
        self.family(name, [m])

    def d_higher(self):
        r = self.rng
        name = self.fresh(self.prefix + "f")
        t = self.number_type()
        params = [("g", r.choice(["Any", "Function"])), ("x", t)]
        ft = ("Function", (t,), t)
        self.family(name, [self.method(name, params, [ft, t], r.choice([t, self.number_type()]), d=4)])

    def d_destructured(self):
        name = self.fresh(self.prefix + "f")
        t = ("Tuple", self.number_type(), self.number_type())
        names = (self.fresh("a"), self.fresh("a"))
        other, static = self.params(1)
        self.family(name, [self.method(name, [(names, self.rng.choice([t, "Any"]))] + other, [t] + static, self.any_type(1))])

    def d_ntuple(self):
        """Loops over a tuple of any length."""
        r = self.rng
        name = self.fresh(self.prefix + "f")
        bound = r.choice(["Integer", "Signed"])
        T, N = tv("T", bound), tv("N", "Int")
        with self.keeping(vars=[], arrays_here=False, outputs=False, ret=None):
            self.add_var("e", T, frozen=True)
            self.add_var("s", "Int64", frozen=False)
            step = self.expr("Int64", 2)
            last = self.keep("e", lambda: self.expr("Int64", 2))
        loop = Node("for", [var("t", None), Node("block", [Node("opassign", [step], name="s", op=r.choice("+-⊻"))])], patterns=["e"])
        result = call("+", last, self.parameter("N"), t="Int64", style="infix")
        m = Method(name, [("t", ("NTuple", ("Var", "N"), ("Var", "T")))], Node("block", [Node("assign", [lit("Int64", 0)], name="s"), loop, result]), "Int64",
                   where={"N": None, "T": bound})
        m.static = [("NTuple", N, T)]
        self.define(m)
        made = [m]
        if r.random() < 0.4:
            t = ("Tuple", "Int32", "Int32")
            made.append(self.method(name, [("t", t)], [t], self.number_type()))
        self.family(name, made)

    def keep(self, name, make):
        """make(), without the variable `name`."""
        with self.keeping():
            self.hide(name)
            return make()

    def interface(self, a):
        """A function with a method for each type below an abstract one."""
        name, t = self.fresh(self.prefix + "f"), self.rng.choice(INTS)
        made = []
        for s in [s for s in self.types.structs.values() if s.parent == a]:
            fields = [x for _, x in s.fields]
            if s.params:
                x = tv("'x", s.name)
                m = self.method(name, [("x", ("Family", s.name))], [x], t, count=0)
                made.append(m)
                m.instance = s
            else:
                x = ("Struct", s.name)
                made.append(self.method(name, [("x", x)], [x], t))
        self.interfaces[a] = (name, t)
        self.family(name, made)

    def d_callable(self):
        plain = [s for s in self.types.structs.values() if not s.params and not s.mutable]
        if not plain:
            return
        s = self.rng.choice(plain)
        params, static = self.params(self.rng.randint(1, 2))
        self.family("(" + s.name + ")", [self.method("(" + s.name + ")", [("self", ("Struct", s.name))] + params, [("Struct", s.name)] + static, self.any_type(1))])

    def d_operator(self):
        plain = [s for s in self.types.structs.values() if not s.params and not s.mutable]
        if not plain:
            return
        s, op = self.rng.choice(plain), self.rng.choice("+-*")
        t = ("Struct", s.name)
        if any(name == op and t == m.static[0] for name, ms in self.families for m in ms):
            return
        self.family(op, [self.method(op, [("x", t), ("y", t)], [t, t], self.rng.choice([t, self.number_type()]))])

    def d_outer(self):
        """A constructor with fewer arguments."""
        plain = [s for s in self.types.structs.values() if not s.params and not s.mutable and len(s.fields) > 1]
        if not plain or any(hasattr(d, "patterns") and d.name in self.types.structs for d in self.program.definitions):
            return
        s = self.rng.choice(plain)
        t = self.number_type()
        with self.keeping(vars=[], arrays_here=False, outputs=False, ret=None):
            self.add_var("x", t, frozen=True)
            value = Node("new", [self.expr(f, 2) for f in s.field_types(())], ("Struct", s.name), name=s.name)
        m = Method(s.name, [("x", t)], Node("block", [value]), ("Struct", s.name), short=True)
        m.static = [t]
        self.define(m)
        self.family(s.name, [m])

    def d_nothing(self):
        """A function that gives a number or nothing, and one that looks."""
        name, t = self.fresh(self.prefix + "f"), self.number_type()
        of = self.number_type()
        with self.keeping(vars=[], arrays_here=False, outputs=False, ret=None):
            self.add_var("x", of, frozen=True)
            test, value = self.expr("Bool", 2), self.expr(t, 2)
            m = Method(name, [("x", of)], Node("block", [Node("cond", [test, Node("nothing"), value], None)]), None, short=self.rng.random() < 0.5)
            m.static = [of]
            self.define(m)
            looks = name + "l"
            found = Node("call", [self.expr(of, 1)], None, f=name)
            if self.rng.random() < 0.5:
                body = [call("something", found, self.expr(t, 1), t=t)]
            else:
                none = self.expr(t, 1)
                self.add_var("z", t, frozen=True)
                body = [Node("assign", [found], name="z"), Node("cond", [call("===", var("z", None), Node("nothing"), t="Bool", style="infix"), none, self.expr(t, 2)], t)]
        l = Method(looks, [("x", of)], Node("block", body), t)
        l.static = [of]
        self.define(l)
        self.family(looks, [l])
