# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random expressions that give integers, floats and truth values."""
from expressions import call, lit
from numbers_of import INTS, limits, signed, width
from tree import Node
from types_of import NUMBERS, is_concrete


class NumberExpressions:
    """A part of Generator (generate.py)."""

    # ---- integers
    def i_binary(self, t, d):
        r = self.rng
        op = r.choice(["+", "-", "*", "+", "-", "&", "|", "⊻"])
        a, b = self.meeting(t)
        if r.random() < 0.08:
            return call(op if op not in "-⊻" else "+", *[self.expr(t, d - 1) for _ in range(3)], t=t)
        if r.random() < 0.08:
            return call("^", self.expr(t, d), lit("Int64", r.randint(0, 4)), t=t, style="infix")
        return call(op, self.expr(a, d), self.expr(b, d), t=t, style="infix")

    def i_divide(self, t, d):
        r = self.rng
        a, b = self.meeting(t)
        if signed(a) != signed(t) or signed(b) != signed(t):
            a = b = t
        if self.risky():
            divisor = self.expr(b, d)
        elif r.random() < 0.5:
            divisor = lit(b, r.choice([1, 2, 3, 5, 7, 16] + ([-1, -3] if signed(b) else [])))
        else:
            divisor = call("|", self.expr(b, d - 1), lit(b, 1), t=b, style="infix", paren=True)
        f = r.choice(["÷", "%", "div", "rem", "mod", "fld", "cld", "mod1"])
        return call(f, self.expr(a, d), divisor, t=t, style="infix" if f in "÷%" else "call")

    def i_shift(self, t, d):
        r = self.rng
        count_type = r.choice(["Int64", "Int64", "UInt8", "Int32", "UInt64"])
        count = lit(count_type, r.choice([0, 1, 2, 3, 7, 8, 15, 31, 32, 63, 64, 70] + ([-1, -5] if signed(count_type) else [])))
        if r.random() < 0.4:
            count = self.expr(count_type, d - 1)
        return call(r.choice(["<<", ">>", ">>>"]), self.expr(t, d), count, t=t, style="infix")

    def i_unary(self, t, d):
        f = self.rng.choice(["-", "~", "abs", "sign", "bswap", "bitreverse", "bitrotate", "reinterpret", "signed"])
        if f in "-~":
            return call(f, self.expr(t, d), t=t, style="prefix")
        if f == "bitrotate":
            return call(f, self.expr(t, d), self.expr("Int64", 1), t=t)
        other = "U" + t if signed(t) else t[1:]
        if f == "reinterpret":
            return call(f, self.type_node(t), self.expr(self.rng.choice([other, other, {32: "Float32", 64: "Float64"}.get(width(t), other)]), d), t=t)
        if f == "signed":
            return call("signed" if signed(t) else "unsigned", self.expr(other, d), t=t)
        return call(f, self.expr(t, d), t=t)

    def i_convert(self, t, d):
        r = self.rng
        kind = r.random()
        of = r.choice(INTS + ["Bool"])
        if kind < 0.45:
            return call("%", self.expr(of, d), self.type_node(t), t=t, style="infix")
        if kind < 0.65:
            if of != "Bool" and not (limits(t)[0] <= limits(of)[0] and limits(of)[1] <= limits(t)[1]) and not self.risky():
                return None
            return self.checked(t, self.expr(of, d))
        if kind < 0.9:
            f = r.choice(["Float32", "Float64"])
            x = call("clamp", self.expr(f, d), lit(f, 0.0), lit(f, 100.0), t=f) if not self.risky() else self.expr(f, d)
            return call(r.choice(["trunc", "round", "floor", "ceil"]), self.type_node(t), x, t=t)
        x = call("clamp", self.expr(of, d), lit(of, 0), lit(of, 100), t=of) if of != "Bool" else self.expr(of, d)
        return self.checked(t, x)

    def checked(self, t, x):
        kind = self.rng.random()
        if kind < 0.5:
            return call(t, x, t=t)
        if kind < 0.8:
            return call("convert", self.type_node(t), x, t=t)
        return call("oftype", self.expr(t, 1), x, t=t)

    def i_count(self, t, d):
        f = self.rng.choice(["leading_zeros", "trailing_zeros", "count_ones", "count_zeros", "leading_ones", "trailing_ones", "sizeof", "cmp", "length", "count"])
        if f == "length":
            return call(f, self.expr(self.tuple_type(d), d), t=t)
        if f == "cmp":
            of = self.number_type()
            return call(f, self.expr(of, d), self.expr(of, d), t=t)
        if f == "count":
            of = self.number_type()
            return call(f, self.function_value([of], "Bool", d - 1), self.expr(("Tuple",) + (of,) * self.rng.randint(1, 3), d), t=t)
        return call(f, self.expr(self.rng.choice(INTS), d), t=t)

    def i_range(self, t, d):
        r = self.rng
        of = r.choice([x for x in INTS if signed(x)])
        kind = r.random()
        if kind < 0.3:
            return call("length", self.small_range(of, d), t=t)
        if kind < 0.5:
            return call("sum", self.small_range(of, d, certain=True), t=t)
        if kind < 0.6:
            return call("something", self.expr_findfirst(d), lit("Int64", r.randint(-3, 3)), t=t)
        f = r.choice(["first", "step", "last", "minimum", "maximum"])
        return call(f, self.small_range("Int64", d, certain=True, steps=False), t=t)

    def expr_findfirst(self, d):
        of = self.number_type()
        return call("findfirst", self.function_value([of], "Bool", d - 1), self.expr(("Tuple",) + (of,) * self.rng.randint(1, 4), d), t=None)

    def small_range(self, t, d, certain=False, steps=True):
        """A range of few elements of a signed type; `certain`: of one at least."""
        r = self.rng
        a = r.randint(-5, 6)
        if steps and r.random() < 0.4:
            step = r.choice([1, 2, 3, 5, -1, -2, -3])
            n = r.randint(0, 4)
            end = a + step * n + (r.randint(0, abs(step) - 1) * (1 if step > 0 else -1)) if n or r.random() < 0.5 else a - step
            ends = [lit(t, a), lit(r.choice([t, t, "Int64", "Int32"]), step), lit(t, end)]
            node = Node("call", ends, ("StepRange", t, ends[1].t), f=":", style="infix", certain=(end - a) * step >= 0)
        else:
            b = a + r.randint(-2, 6)
            node = Node("call", [lit(t, a), lit(t, b)], ("UnitRange", t), f=":", style="infix", certain=b >= a)
        if certain and not node.a["certain"]:
            return self.small_range(t, d, certain, steps)
        if r.random() < 0.15:
            certain = node.a["certain"]
            node = Node("call", [node], None, f="reverse", certain=certain)
        return node

    # ---- floats
    def f_binary(self, t, d):
        op = self.rng.choice(["+", "-", "+", "-", "*", "/"])
        a, b = self.meeting(t)
        left, right = self.expr(a, d), self.expr(b, d)
        if op == "*":
            # Mostly a power of two: a product that is not rounded, which a sum may follow.
            left = lit(t, self.rng.choice([2.0, 0.5, -1.0, 4.0, 1.0])) if self.rng.random() < 0.85 else left
        if op == "/" and t == "Float64" and self.rng.random() < 0.3:
            left, right = self.expr(self.rng.choice(INTS), d), self.expr(self.rng.choice(INTS), d)
        return call(op, left, right, t=t, style="infix")

    def f_unary(self, t, d):
        f = self.rng.choice(["-", "abs", "floor", "ceil", "trunc", "round", "sqrt", "sign", "mod", "rem"])
        if f == "-":
            return call(f, self.expr(t, d), t=t, style="prefix")
        if f == "sqrt":
            return call(f, self.expr(t, d) if self.risky() else call("abs", self.expr(t, d), t=t), t=t)
        if f in ("mod", "rem"):
            return call(f, self.expr(t, d), lit(t, self.rng.choice([1.0, 2.0, 0.75, -3.0])), t=t)
        return call(f, self.expr(t, d), t=t)

    def f_convert(self, t, d):
        of = self.rng.choice(INTS + ["Float32", "Float64", "Bool"])
        if of in INTS and width(of) == width(t) and self.rng.random() < 0.15:
            return call("reinterpret", self.type_node(t), self.expr(of, d), t=t)
        return self.checked(t, self.expr(of, d))

    # ---- truth
    def b_compare(self, t, d):
        a, b = (self.rng.choice([x for x in NUMBERS if x != "Float16"]) for _ in range(2))
        if self.rng.random() < 0.6:
            b = a
        if "Bool" in (a, b):
            a = b = "Bool"
        return call(self.rng.choice(["<", "<=", ">", ">=", "==", "!=", "≤", "≥"]), self.expr(a, d), self.expr(b, d), t=t, style="infix")

    def b_logic(self, t, d):
        kind = self.rng.random()
        if kind < 0.25:
            return call("!", self.expr(t, d), t=t, style="prefix")
        if kind < 0.5:
            return call(self.rng.choice(["&", "|", "⊻"]), self.expr(t, d), self.expr(t, d), t=t, style="infix")
        return Node(self.rng.choice(["and", "or"]), [self.expr(t, d), self.expr(t, d)], t)

    def b_chain(self, t, d):
        of = self.number_type()
        n = self.rng.randint(3, 4)
        return Node("chain", [self.expr(of, d - 1) for _ in range(n)], t, ops=[self.rng.choice(["<", "<=", ">", "=="]) for _ in range(n - 1)])

    def b_test(self, t, d):
        f = self.rng.choice(["isodd", "iseven", "iszero", "isone", "isnan", "isfinite", "isinteger", "isless", "isequal"])
        of = self.rng.choice(["Float32", "Float64"]) if f.startswith("is") and f in ("isnan", "isfinite", "isinteger") else self.rng.choice(INTS)
        if f in ("isless", "isequal"):
            of = self.rng.choice([of, self.tuple_type(1), "Float64"])
            return call(f, self.expr(of, d), self.expr(of, d), t=t)
        return call(f, self.expr(of, d), t=t)

    def b_over(self, t, d):
        of = self.number_type()
        items = self.expr(("Tuple",) + (of,) * self.rng.randint(1, 4), d)
        if self.rng.random() < 0.4:
            return call("in", self.expr(of, d), items, t=t, style="infix")
        return call(self.rng.choice(["any", "all"]), self.function_value([of], t, d - 1), items, t=t)

    def b_same(self, t, d):
        of = self.any_type(1)
        if self.is_object(of) or (isinstance(of, tuple) and of[0] in ("UnitRange", "StepRange")):
            return None
        kind = self.rng.random()
        if kind < 0.3:
            return self.isa(of, d)
        return call(self.rng.choice(["===", "==", "!=", "!=="]), self.expr(of, d), self.expr(of, d), t=t, style="infix")

    def isa(self, of, d):
        n = Node("isa", [self.expr(of, d)], "Bool", paren=True)
        n.a["t"] = self.rng.choice([of, "Integer", "AbstractFloat", "Signed", "Tuple", "Real"] + [x for x in self.abstracts]) if is_concrete(of) else "Integer"
        if isinstance(n.a["t"], tuple) and n.a["t"][0] != "Struct":
            n.a["t"] = "Real"
        return n
