# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The evaluator's statements, and its scopes."""
import collections_of
from library import items_of
from numbers_of import CODES, bits
from tree import assigned
from types_of import Invalid
from values import Named, Num, Thrown, type_of


class Break(Exception):
    pass


class Continue(Exception):
    pass


class Return(Exception):
    def __init__(self, value):
        self.value = value


class Scope:
    """Variables of one scope; a name belongs to the innermost scope that declares it."""
    __slots__ = ("vars", "declared", "parent")

    def __init__(self, parent, names, given=()):
        self.parent, self.vars = parent, dict(given)
        self.declared = set(self.vars)
        for n in names:
            if parent is None or not parent.knows(n):
                self.declared.add(n)

    def knows(self, name):
        return name in self.declared or (self.parent is not None and self.parent.knows(name))

    def home(self, name):
        s = self
        while s is not None and name not in s.declared:
            s = s.parent
        return s

    def set(self, name, value):
        self.home(name).vars[name] = value

    def get(self, name):
        s = self.home(name)
        if s is None or name not in s.vars:
            raise Invalid(f"{name} is not defined")
        return s.vars[name]


class Statements:
    """A part of Evaluator (evaluate.py)."""

    def value(self, n, s):
        """A statement where an expression may stand: its value."""
        f = getattr(self, "st_" + n.kind, None)
        return f(n, s) if f else self.ev(n, s)

    def statements(self, block, s):
        if block.kind != "block":
            return self.value(block, s)
        x = None
        for c in block.k:
            x = self.value(c, s)
        return x

    def bind(self, pattern, x, put):
        if isinstance(pattern, str):
            if pattern != "_":
                put(pattern, x)
            return
        if pattern[0] == "named":
            for name in pattern[1:]:
                put(name, x.items[list(x.names if isinstance(x, Named) else [f for f, _ in x.d.fields]).index(name)])
            return
        items = items_of(x)
        if len(items) < len(pattern):
            raise Thrown("BoundsError")
        for p, i in zip(pattern, items):
            self.bind(p, i, put)

    def st_assign(self, n, s):
        x = self.ev(n.k[0], s)
        s.set(n.a["name"], self.converted(n.a["declared"], x) if n.a.get("declared") else x)
        return x

    def st_opassign(self, n, s):
        x = self.call(n.a["op"], [s.get(n.a["name"]), self.ev(n.k[0], s)], {})
        s.set(n.a["name"], x)
        return x

    def st_destruct(self, n, s):
        x = self.ev(n.k[0], s)
        self.bind(n.a["pattern"], x, s.set)
        return x

    def st_setindex(self, n, s):
        array, i = self.ev(n.k[0], s), self.ev(n.k[2], s)
        if n.a.get("op"):
            old = collections_of.get_index(array, i)
            x = self.call(n.a["op"], [old, self.ev(n.k[1], s)], {})
        else:
            x = self.ev(n.k[1], s)
        collections_of.set_index(array, i, x)
        return x

    def st_setfield(self, n, s):
        o = self.ev(n.k[0], s)
        i = [f for f, _ in o.d.fields].index(n.a["name"])
        x = self.ev(n.k[1], s)
        if n.a.get("op"):
            x = self.call(n.a["op"], [o.items[i], x], {})
        o.items[i] = self.converted(o.d.field_types(o.args)[i], x)
        return x

    def st_if(self, n, s):
        for i in range(0, len(n.k) - 1, 2):
            if self.truth(n.k[i], s):
                return self.statements(n.k[i + 1], s)
        return self.statements(n.k[-1], s) if len(n.k) % 2 else None

    def st_for(self, n, s):
        try:
            self.loop(n, s, 0)
        except Break:
            pass

    def loop(self, n, s, depth):
        if depth == len(n.k) - 1:
            try:
                self.statements(n.k[-1], Scope(s, assigned(n.k[-1])))
            except Continue:
                pass
            return
        if depth:
            s = Scope(s, assigned(n.k[depth]))
        for x in items_of(self.ev(n.k[depth], s)):
            given = {}
            self.bind(n.a["patterns"][depth], x, given.__setitem__)
            self.loop(n, Scope(s, (), given), depth + 1)

    def st_while(self, n, s):
        while self.truth(n.k[0], s):
            try:
                self.statements(n.k[1], Scope(s, assigned(n.k[1])))
            except Continue:
                pass
            except Break:
                break

    def st_break(self, n, s):
        raise Break

    def st_continue(self, n, s):
        raise Continue

    def st_return(self, n, s):
        raise Return(self.ev(n.k[0], s) if n.k else None)

    def st_put(self, n, s):
        x = self.ev(n.k[0], s)
        if not isinstance(x, Num) and x is not None:
            raise Invalid("put of what is no number")
        self.out[n.a["slot"]] = (CODES[type_of(x)], 0 if x is None else bits(x.t, x.v))

    def st_throw(self, n, s):
        raise Thrown(n.a["what"])
