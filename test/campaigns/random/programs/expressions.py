# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random expressions of a wanted type. Each production gives a node of exactly that type, or None where it has none."""
import math

from numbers_of import FLOATS, INTS, limits, meet, rounded, signed
from tree import Node
from types_of import NUMBERS
from values import Num

SMALL_FLOATS = [0.0, 1.0, -1.0, 2.0, 0.5, -0.5, 3.0, 1.5, -2.5, 100.0, 0.25, 7.0]
ODD_FLOATS = [-0.0, 0.1, 1e10, -3.3, math.inf, -math.inf, math.nan, 1e-5, 65504.0, 16777217.0, 1e30]


def lit(t, v):
    return Node("lit", t=t, v=Num(t, v))


def var(name, t):
    return Node("var", t=t, name=name)


def call(f, *args, t, **a):
    return Node("call", args, t, f=f, **a)


class Expressions:
    """A part of Generator (generate.py)."""

    # ---- leaves
    def literal(self, t):
        r = self.rng
        if t == "Bool":
            return lit(t, r.random() < 0.5)
        if t in FLOATS:
            v = r.choice(SMALL_FLOATS) if r.random() < 0.9 else r.choice(ODD_FLOATS)
            return lit(t, rounded(t, v))
        if t == "Nothing":
            return Node("nothing", t=t)
        lo, hi = limits(t)
        kind = r.random()
        if kind < 0.6:
            v = r.randint(max(lo, -4), 12)
        elif kind < 0.8:
            v = r.randint(max(lo, -130), min(hi, 260))
        elif kind < 0.9:
            v = r.choice([lo, hi, hi - 1, lo + 1, hi // 2 + 1, max(lo, -1)])
        else:
            v = r.randint(lo, hi)
        return lit(t, v)

    def paths(self, t, depth=2):
        """Nodes that read a variable of type t, or a part of one that has it."""
        found = []

        def look(node, have, left):
            if have == t:
                found.append(node)
            if left and isinstance(have, tuple):
                if have[0] == "Tuple":
                    for i, x in enumerate(have[1:]):
                        look(Node("index", [node, lit("Int64", i + 1)], x), x, left - 1)
                elif have[0] == "NamedTuple":
                    for name, x in zip(have[1], have[2]):
                        look(Node("field", [node], x, name=name), x, left - 1)
                elif have[0] == "Struct":
                    d = self.types.structs[have[1]]
                    for (name, _), x in zip(d.fields, d.field_types(have[2:])):
                        look(Node("field", [node], x, name=name), x, left - 1)
                elif have[0] in ("MVector",) and have[2] == t:
                    found.append(Node("index", [node, self.place(have[1])], t))
        for v in self.vars:
            look(var(v.name, v.t), v.t, depth)
        for name, of in self.constants:
            look(var(name, of), of, depth)
        return [n.copy() for n in found]

    def place(self, n):
        """An index from 1 to n."""
        if self.rng.random() < 0.7:
            return lit("Int64", self.rng.randint(1, n))
        if self.risky():
            return self.expr("Int64", 1)
        return call("mod1", self.expr("Int64", 1), lit("Int64", n), t="Int64")

    def leaf(self, t):
        paths = self.paths(t)
        if paths and self.rng.random() < 0.88:
            return self.rng.choice(paths)
        if t in NUMBERS or t == "Nothing":
            if self.arrays_here and t in self.array_of and self.rng.random() < 0.6:
                return Node("index", [var(self.array_of[t], ("Vector", t)), lit("Int64", self.rng.randint(1, 8))], t)
            return self.literal(t)
        return self.made(t, 0)

    def risky(self):
        """Whether to write what may throw."""
        return self.throws and self.rng.random() < 0.06

    # ---- the choice
    def expr(self, t, d):
        if isinstance(t, tuple) and t[0] == "TV":
            n = self.generic(t, d)
        elif d <= 0 or self.rng.random() < 0.12:
            return self.leaf(t)
        else:
            n = None
            for _ in range(6):
                n = self.rng.choice(self.productions(t))(t, d - 1)
                if n is not None:
                    break
            if n is None:
                return self.leaf(t)
        if self.rng.random() < 0.1:
            n.a["paren"] = True
        return n

    def productions(self, t):
        both = [self.p_cond, self.p_call, self.p_call, self.p_let, self.p_lambda, self.p_part, self.p_ifx]
        if t == "Bool":
            return both + [self.b_compare] * 5 + [self.b_logic] * 3 + [self.b_test] * 2 + [self.b_over, self.b_same, self.b_chain]
        if t in INTS:
            more = [self.i_count, self.i_range] if t == "Int64" else []
            return both + [self.i_binary] * 5 + [self.i_divide, self.i_shift, self.i_unary, self.i_convert, self.i_convert, self.p_fold, self.p_extreme, self.p_tv, self.p_type] + more
        if t in FLOATS:
            return both + [self.f_binary] * 4 + [self.f_unary] * 2 + [self.f_convert, self.f_convert, self.p_fold, self.p_extreme, self.p_type]
        return [self.p_cond, self.p_call, self.p_call, self.p_let, self.made, self.made, self.made, self.made_by_library]

    # ---- for any type
    def p_cond(self, t, d):
        if self.rng.random() < 0.3:
            return call("ifelse", self.expr("Bool", d), self.expr(t, d), self.expr(t, d), t=t) if not self.is_object(t) else None
        return Node("cond", [self.expr("Bool", d), self.expr(t, d), self.expr(t, d)], t)

    def p_ifx(self, t, d):
        return Node("ifx", [self.expr("Bool", d), self.block_of(t, d - 1), self.block_of(t, d - 1)], t, paren=True)

    def block_of(self, t, d):
        with self.branch():
            found = [self.fresh_assign(d)] if self.rng.random() < 0.3 and not self.in_closure else []
            return Node("block", found + [self.expr(t, d)])

    def p_let(self, t, d):
        with self.local():
            names, values = [], []
            for _ in range(self.rng.randint(1, 2)):
                of = self.any_type(1)
                values.append(self.expr(of, d - 1))
                # let x = x: a new variable over one of that name
                over = [v for v in self.vars if v.shadow and v.t == of and v.name not in names]
                names.append(self.rng.choice(over).name if over and self.rng.random() < 0.4 else self.fresh("l"))
                self.hide(names[-1])
                self.add_var(names[-1], of, frozen=True)
            return Node("let", values + [Node("block", [self.expr(t, d)])], t, names=names, paren=True)

    def p_lambda(self, t, d):
        """A call of a function made on the spot."""
        types = [self.number_type() for _ in range(self.rng.randint(1, 2))]
        args = [self.expr(x, d - 1) for x in types]
        return Node("apply", [self.function(types, t, d)] + args, t)

    def function(self, types, t, d, do=False):
        """An anonymous function of these arguments; it captures what never changes."""
        with self.closure():
            params = []
            for x in types:
                if isinstance(x, tuple) and x[0] == "Tuple" and len(x) > 1 and self.rng.random() < 0.5:
                    p = tuple(self.fresh("p") for _ in x[1:])
                    for name, e in zip(p, x[1:]):
                        self.add_var(name, e, frozen=True)
                else:
                    p = self.fresh("p")
                    self.add_var(p, x, frozen=True)
                params.append(p)
            body = Node("block", [self.expr(t, d)])
            return Node("lambda", [body], ("Lambda", 0), params=params)

    def function_value(self, types, t, d):
        """Something to call: an anonymous function, or a named one that fits."""
        if len(types) == 2 and types[0] == types[1] == t and t in INTS and self.rng.random() < 0.4:
            return Node("fn", name=self.rng.choice(["+", "*", "min", "max", "⊻", "&", "|", "-"]))
        if len(types) == 1 and types[0] == t and t in INTS and self.rng.random() < 0.3:
            return Node("fn", name=self.rng.choice(["abs", "~", "identity", "-"]))
        if types == ["Int64"] and t == "Bool" and self.rng.random() < 0.3:
            return Node("fn", name=self.rng.choice(["isodd", "iseven", "iszero"]))
        named = [v for v in self.vars if v.t == ("Function", tuple(types), t)]
        if named and self.rng.random() < 0.6:
            return var(self.rng.choice(named).name, None)
        return self.function(types, t, d)

    def p_call(self, t, d):
        """A call of a function of the program."""
        named = [v for v in self.vars if isinstance(v.t, tuple) and v.t[0] == "Function" and v.t[2] == t]
        if named and self.rng.random() < 0.4:
            v = self.rng.choice(named)
            return Node("call", [self.expr(x, d - 1) for x in v.t[1]], t, f=v.name, local=True)
        return self.call_of(t, d)

    def p_part(self, t, d):
        """A part of a tuple made on the spot."""
        n = self.rng.randint(1, 3)
        at = self.rng.randrange(n)
        types = [t if i == at else self.number_type() for i in range(n)]
        of = ("Tuple",) + tuple(types)
        form = self.rng.random()
        if form < 0.3 and at in (0, n - 1):
            return call("first" if at == 0 else "last", self.expr(of, d), t=t)
        if form < 0.5:
            names = tuple(self.rng.sample("abcdef", n))
            return Node("field", [self.expr(("NamedTuple", names, tuple(types)), d)], t, name=names[at])
        return Node("index", [self.expr(of, d), lit("Int64", at + 1)], t)

    def p_fold(self, t, d):
        """A fold over a tuple, a range or an array."""
        r = self.rng
        n = r.randint(1, 4)
        kind = r.random()
        if kind < 0.35 and t in INTS:
            return call(r.choice(["foldl", "foldr", "reduce"]), self.function_value([t, t], t, d), self.expr(("Tuple",) + (t,) * n, d), t=t)
        if kind < 0.5:
            of = self.number_type()
            return call(r.choice(["maximum", "minimum"]), self.function([of], t, d - 1), self.expr(("Tuple",) + (of,) * n, d), t=t)
        if kind < 0.6:
            return call(r.choice(["maximum", "minimum"]), self.expr(("Tuple",) + (t,) * n, d), t=t)
        if t not in ("Int64", "UInt64"):
            return None
        of = r.choice([x for x in INTS if signed(x)])
        if kind < 0.8 and t == "Int64":
            with self.closure():
                iterator = self.small_range(of, d)
                name = self.fresh("g")
                self.add_var(name, of, frozen=True)
                element = self.expr(t, d - 1)
                given = [self.expr("Bool", 1)] if r.random() < 0.3 and self.throws and r.random() < 0.3 else []
                if iterator.a["certain"]:
                    return Node("sumgen", [element, iterator] + given, t, f=r.choice(["sum", "sum", "prod", "maximum"]), var=name) if not given else None
            return None
        if kind < 0.9:
            return call("sum", self.function([of], t, d - 1), self.small_range(of, d, certain=True), t=t)
        return call("mapreduce", self.function([of], t, d - 1), self.function_value([t, t], t, d - 1), self.small_range(of, d, certain=True), t=t)

    def p_extreme(self, t, d):
        f = self.rng.choice(["min", "max", "clamp"] + (["copysign", "flipsign"] if t in FLOATS or signed(t) else []) + (["gcd"] if t in INTS else []))
        if f == "clamp":
            return call(f, self.expr(t, d), lit(t, 1), lit(t, 20), t=t)
        a, b = self.meeting(t) if f in ("min", "max") else (t, t)
        return call(f, self.expr(a, d), self.expr(b, d), t=t)

    def p_type(self, t, d):
        f = self.rng.choice(["zero", "one"] + (["typemin", "typemax"] if t in INTS else []))
        return call(f, self.type_node(t), t=t)

    def type_node(self, t):
        n = Node("type", t=("Type", t))
        n.a["t"] = t
        return n

    def meeting(self, t):
        """Two number types that promote to t."""
        if self.rng.random() < 0.5:
            return t, t
        pool = [x for x in NUMBERS if meet(x, t) == t and x != "Bool" and not (t in FLOATS and x == "Float16")]
        other = self.rng.choice(pool or [t])
        return (t, other) if self.rng.random() < 0.5 else (other, t)
