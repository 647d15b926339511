# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random expressions of compound types, and of types that are not known (parameters of generic functions)."""
from expressions import call, lit, var
from numbers_of import FLOATS, INTS, width
from tree import Node
from types_of import NUMBERS


class Compounds:
    """A part of Generator (generate.py)."""

    # ---- types
    def number_type(self):
        return self.rng.choices(["Int64", "Int32", "Float64", "Float32", "Int8", "UInt8", "Int16", "UInt16", "UInt32", "UInt64", "Float16"],
                                [8, 6, 4, 5, 2, 2, 1, 1, 3, 2, 0])[0]

    def tuple_type(self, d):
        return ("Tuple",) + tuple(self.any_type(d - 1) if self.rng.random() < 0.2 and d > 0 else self.number_type() for _ in range(self.rng.randint(1, 4)))

    def any_type(self, d):
        r = self.rng
        kind = r.random()
        if d <= 0 or kind < 0.6:
            return self.number_type() if r.random() < 0.9 else "Bool"
        if kind < 0.75:
            return self.tuple_type(d - 1)
        if kind < 0.85:
            n = r.randint(1, 3)
            return ("NamedTuple", tuple(r.sample("abcdefg", n)), tuple(self.any_type(d - 1) for _ in range(n)))
        structs = [s for s in self.types.structs.values() if not s.mutable]
        return self.instance_of(r.choice(structs)) if structs else self.number_type()

    def instance_of(self, d):
        """The struct with some parameters."""
        return ("Struct", d.name) + tuple(self.below(b) for _, b in d.params)

    def below(self, bound):
        """A concrete type below a bound."""
        r = self.rng
        if bound in self.abstracts:
            return self.instance_of(r.choice([s for s in self.types.structs.values() if self.types.below(("Struct", s.name), bound) and not s.mutable]))
        pool = [t for t in NUMBERS if t not in ("Bool", "Float16") and self.types.below(t, bound or "Any")]
        return r.choice(pool)

    def is_object(self, t):
        return isinstance(t, tuple) and (t[0] in ("MVector", "Vector", "Function") or (t[0] == "Struct" and self.types.structs[t[1]].mutable))

    # ---- values
    def made(self, t, d):
        """A new value of a compound type."""
        r = self.rng
        kind = t[0]
        if kind == "Tuple":
            types = t[1:]
            if len(types) >= 2 and d > 0 and r.random() < 0.2:  # (t..., x)
                at = r.randint(1, len(types) - 1)
                return Node("tuple", [self.expr(("Tuple",) + types[:at], d - 1)] + [self.expr(x, d - 1) for x in types[at:]], t, splat=(0,))
            return Node("tuple", [self.expr(x, d - 1) for x in types], t)
        if kind == "NamedTuple":
            parts = [self.expr(x, d - 1) for x in t[2]]
            if d > 0 and len(parts) >= 2 and r.random() < 0.25:  # (; nt..., b = x)
                at = r.randint(1, len(parts) - 1)
                head = self.expr(("NamedTuple", t[1][:at], t[2][:at]), d - 1)
                if r.random() < 0.5:
                    return Node("named", [head] + parts[at:], t, names=(None,) + t[1][at:])
                return call("merge", head, self.expr(("NamedTuple", t[1][at:], t[2][at:]), d - 1), t=t)
            return Node("named", parts, t, names=t[1], short=r.random() < 0.2)
        if kind == "Struct":
            d_ = self.types.structs[t[1]]
            types = d_.field_types(t[2:])
            explicit = bool(d_.params) and r.random() < 0.5
            if (explicit or not d_.params) and r.random() < 0.3:  # the constructor converts
                types = [self.convertible(x) for x in types]
            return Node("new", [self.expr(x, d - 1) for x in types], t, name=t[1], params=t[2:] if explicit else None)
        if kind in ("UnitRange", "StepRange"):
            n = self.small_range(t[1], d, steps=kind == "StepRange")
            while n.t != t:
                n = self.small_range(t[1], d, steps=kind == "StepRange")
            return n
        raise AssertionError(t)

    def convertible(self, t):
        """A type whose numbers t holds without loss."""
        if t not in NUMBERS or t == "Bool":
            return t
        if t in FLOATS:
            return self.rng.choice([t, "Int8", "Int16", "UInt8"] + (["Float32"] if t == "Float64" else []))
        return self.rng.choice([t, "Bool"] + [x for x in INTS if width(x) < width(t) and (x[0] == "U" or t[0] == "I")])

    def made_by_library(self, t, d):
        r = self.rng
        if t[0] == "Tuple":
            types = t[1:]
            if len(types) == 2 and types[0] == types[1]:
                f = r.choice(["minmax", "promote"] + (["divrem", "fldmod"] if types[0] in INTS else []))
                if types[0] in NUMBERS and types[0] != "Bool":
                    x = types[0]
                    second = call("|", self.expr(x, d - 1), lit(x, 1), t=x, style="infix") if f in ("divrem", "fldmod") else self.expr(x, d - 1)
                    return call(f, self.expr(x, d - 1), second, t=t)
            kind = r.random()
            if len(set(types)) == 1 and kind < 0.5:
                x = types[0]
                if r.random() < 0.5:
                    return call("ntuple", self.function(["Int64"], x, d - 1), r.choice([lit("Int64", len(types)), Node("val", v=len(types))]), t=t)
                of = self.number_type()
                return call("map", self.function_value([of], x, d - 1), self.expr(("Tuple",) + (of,) * len(types), d - 1), t=t, do=r.random() < 0.3)
            if kind < 0.6:
                return call("reverse", self.expr(("Tuple",) + types[::-1], d - 1), t=t)
            if kind < 0.7:
                return call("Base.tail", self.expr(("Tuple", self.number_type()) + types, d - 1), t=t)
            if kind < 0.8:
                return call("Base.front", self.expr(("Tuple",) + types + (self.number_type(),), d - 1), t=t)
            at = r.randrange(len(types))
            if kind < 0.9:
                return call("Base.setindex", self.expr(t, d - 1), self.expr(types[at], d - 1), lit("Int64", at + 1), t=t)
            return call("tuple", *[self.expr(x, d - 1) for x in types], t=t)
        if t[0] == "NamedTuple" and len(set(t[2])) == 1 and t[2][0] in NUMBERS:
            return call("map", self.function([t[2][0]], t[2][0], d - 1), self.expr(t, d - 1), t=t)
        return None

    # ---- what a generic function knows of a value of type T
    def generic(self, t, d):
        """An expression of the open type t; there is a variable of it."""
        r = self.rng
        here = self.paths(t)
        if not here:
            raise AssertionError(f"nothing of type {t}")
        x = lambda: self.generic(t, d - 1)
        bound = t[2]
        if d <= 0 or r.random() < 0.3 or not (bound in self.types.supers and self.types.below(bound, "Number")):
            return r.choice(here)
        integer, real = self.types.below(bound, "Integer"), self.types.below(bound, "Real")
        kind = r.random()
        if kind < 0.2:
            return Node("cond", [self.expr("Bool", d - 1), x(), x()], t)
        if kind < 0.3:
            return call("oftype", r.choice(here), lit("Int64", r.randint(0, 9)), t=t)
        if kind < 0.4:
            return call(r.choice(["zero", "one"]), r.choice(here), t=t)
        if kind < 0.5 and real:
            return call(r.choice(["min", "max"]), x(), x(), t=t)
        if kind < 0.6 and real:
            return call("abs", x(), t=t)
        if integer:
            if r.random() < 0.2:
                return call(r.choice(["<<", ">>"]), x(), lit("Int64", r.randint(0, 5)), t=t, style="infix")
            if r.random() < 0.2:
                return call(r.choice(["~", "-"]), x(), t=t, style="prefix")
            return call(r.choice(["+", "-", "*", "&", "|", "⊻"]), x(), x(), t=t, style="infix")
        return call(r.choice(["+", "-"]), x(), x(), t=t, style="infix")

    def p_tv(self, t, d):
        """A number of a known integer type from a value of an open one, or from its type."""
        r = self.rng
        open_ = [v for v in self.vars if isinstance(v.t, tuple) and v.t[0] == "TV"]
        if not open_:
            return None
        v = r.choice(open_)
        x = var(v.name, v.t)
        bound = v.t[2]
        if bound in self.abstracts:
            f = self.interfaces.get(bound)
            return call(f[0], x, t=t) if f and f[1] == t else None
        if not self.types.below(bound, "Number"):
            return None
        if self.types.below(bound, "Integer") and r.random() < 0.7:
            return call("%", self.generic(v.t, d - 1), self.type_node(t), t=t, style="infix")
        test = r.choice([lambda: Node("isa", [x], "Bool", paren=True, **{"t_": 0}), lambda: call(r.choice(["<", ">", "=="]), x, self.expr(self.number_type(), d - 1), t="Bool", style="infix")])() \
            if self.types.below(bound, "Real") else None
        if test is None:
            return None
        if test.kind == "isa":
            test.a = {"paren": True, "t": r.choice(["Integer", "Signed", "AbstractFloat", "Int64", "Float32"])}
        return Node("cond", [test, self.expr(t, d - 1), self.expr(t, d - 1)], t)
