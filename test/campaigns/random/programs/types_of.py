# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of the generated programs, and dispatch over them.

A type is a name ("Int32", "Integer", a user's abstract type) or a tuple whose first element says what it is:

    ("Tuple", T...)              ("NamedTuple", (name...), (T...))     ("Struct", name, parameter...)
    ("UnitRange", T)             ("StepRange", T, S)                   ("MVector", n, T)     ("Vector", T)
    ("Val", value)               ("Type", T)                           ("Fn", name)          ("Lambda", number)
    ("Union", T...)              ("TV", name, bound)                   a type that stands for any below its bound

A pattern, what a method's parameter is annotated with, is a type that may hold ("Var", name), ("Sub", bound) for
`<:bound` within braces, ("NTuple", n, T) and ("Family", name) for a struct without its parameters.

Dispatch follows the manual's chapter on methods: of the methods that apply the one whose signature is a subtype of all
others'; where there is no such method, the program is not one to be generated.
"""
from numbers_of import FLOATS, INTS

NUMBERS = ["Bool"] + INTS + FLOATS
SUPER = {"Any": None, "Number": "Any", "Real": "Number", "Integer": "Real", "AbstractFloat": "Real", "Signed": "Integer",
         "Unsigned": "Integer", "Bool": "Integer", "Nothing": "Any", "Function": "Any", "Tuple": "Any", "Symbol": "Any"}
SUPER.update({t: "Signed" if t.startswith("I") else "Unsigned" for t in INTS})
SUPER.update({t: "AbstractFloat" for t in FLOATS})


class Ambiguous(Exception):
    """The rules leave the outcome open, or this evaluator does not know them: no program to compare."""


class Invalid(Exception):
    """The program is no valid one: an error of the generator, or a step too far of the shrinker."""


class StructDef:
    def __init__(self, name, params, fields, parent="Any", mutable=False):
        self.name, self.params, self.fields, self.parent, self.mutable = name, params, fields, parent, mutable  # fields: (name, pattern)

    def field_types(self, args):
        return [substitute(t, dict(zip([p for p, _ in self.params], args))) for _, t in self.fields]


class Method:
    """params: (name, pattern); vararg: the last one takes any number; where: {variable: bound}; defaults: nodes of the
    last positional parameters; keywords: (name, type or None, node)."""

    def __init__(self, name, params, body, ret, vararg=False, where=(), defaults=(), keywords=(), annotated=None, short=False, noinline=False):
        self.name, self.params, self.body, self.ret, self.vararg = name, params, body, ret, vararg
        self.where, self.defaults, self.keywords, self.annotated = dict(where), list(defaults), list(keywords), annotated
        self.short, self.noinline = short, noinline

    def patterns(self, count):
        """The parameters' patterns for a call with so many arguments, or None."""
        own = [p for _, p in self.params]
        fixed = len(own) - self.vararg
        if count < fixed - len(self.defaults) or (count > fixed and not self.vararg):
            return None
        return own[:min(count, fixed)] + [own[-1]] * (count - fixed)


def substitute(t, binding):
    if isinstance(t, str):
        return t
    if t[0] == "Var":
        return binding.get(t[1], t)
    if t[0] == "TV":
        return binding.get(t[1], t)
    if t[0] in ("NamedTuple",):
        return (t[0], t[1], tuple(substitute(x, binding) for x in t[2]))
    if t[0] in ("Val", "Fn", "Lambda"):
        return (t[0], substitute(t[1], binding)) if isinstance(t[1], tuple) else t
    return (t[0],) + tuple(substitute(x, binding) if isinstance(x, (str, tuple)) and not (t[0] == "Struct" and i == 0) else x
                           for i, x in enumerate(t[1:]))


def is_concrete(t):
    return t in NUMBERS or t == "Nothing" or (isinstance(t, tuple) and t[0] not in ("Union", "TV", "Sub", "Family", "NTuple", "Var"))


class Types:
    """The types of one program: what is built in, and the user's."""

    def __init__(self):
        self.supers, self.structs = dict(SUPER), {}

    def parent(self, t):
        if isinstance(t, str):
            return self.supers.get(t)
        if t[0] == "TV":
            return t[2]
        return {"Struct": lambda: self.structs[t[1]].parent, "Tuple": lambda: "Tuple", "Fn": lambda: "Function", "Lambda": lambda: "Function"}.get(t[0], lambda: "Any")()

    def below(self, t, name):
        """Whether t has the nominal type `name` above it or is it."""
        while t is not None:
            if t == name:
                return True
            t = self.parent(t)
        return False

    def matches(self, t, p, where, bound):
        """Whether t is of the pattern p; binds the variables of `where` in `bound`."""
        if isinstance(t, tuple) and t[0] == "Union":
            return all(self.matches(x, p, where, bound) for x in t[1:])
        if isinstance(p, str):
            return self.below(t, p)
        kind = p[0]
        if kind == "Union":
            return any(self.matches(t, x, where, bound) for x in p[1:])
        if kind == "Var":
            if p[1] in bound:
                return bound[p[1]] == t and is_exact(t)
            if not isinstance(t, int) and p[1] in where and where[p[1]] is not None and not self.matches(t, where[p[1]], where, bound):
                return False
            bound[p[1]] = t
            return True
        if kind == "Sub":
            return self.matches(t, p[1], where, bound)
        if kind == "Family":
            return isinstance(t, tuple) and t[0] == "Struct" and t[1] == p[1]
        if isinstance(t, str):
            return False
        if kind == "NTuple":
            if t[0] != "Tuple" or (isinstance(p[1], int) and p[1] != len(t) - 1):
                return False
            if isinstance(p[1], tuple) and not self.matches(len(t) - 1, p[1], where, bound):
                return False
            return all(self.matches(x, p[2], where, bound) for x in t[1:])
        if t[0] != kind:
            return False
        if kind == "Tuple":
            return len(t) == len(p) and all(self.matches(x, y, where, bound) for x, y in zip(t[1:], p[1:]))
        if kind == "NamedTuple":
            return t[1] == p[1] and all(self.matches(x, y, where, bound) for x, y in zip(t[2], p[2]))
        if kind in ("Type", "Struct", "UnitRange", "StepRange", "MVector", "Vector", "Val"):  # invariant
            return len(t) == len(p) and all(self.same(x, y, where, bound) for x, y in zip(t[1:], p[1:]))
        return t == p

    def same(self, t, p, where, bound):
        if isinstance(p, tuple) and p[0] in ("Var", "Sub"):
            return self.matches(t, p, where, bound)
        if isinstance(t, tuple) and isinstance(p, tuple) and t[0] == p[0] and t[0] in ("Tuple", "Struct", "Type"):
            return len(t) == len(p) and all(self.same(x, y, where, bound) for x, y in zip(t[1:], p[1:]))
        return t == p and type(t) is type(p)  # Val(1) is not Val(true)

    def binding(self, method, args):
        """What the method's variables stand for in a call with arguments of these types; None: it does not apply."""
        patterns = method.patterns(len(args))
        bound = {}
        if patterns is None or not all(self.matches(t, p, method.where, bound) for t, p in zip(args, patterns)):
            return None
        return bound

    def rigid(self, p, where):
        """The pattern as a type: its variables are types of their own."""
        if isinstance(p, tuple) and p[0] == "Var":
            return ("TV", "'" + p[1], where.get(p[1]) or "Any")
        if isinstance(p, tuple) and p[0] not in ("Val", "NamedTuple", "Family"):
            return (p[0],) + tuple(self.rigid(x, where) for x in p[1:])
        return p

    def below_signature(self, m, n, count):
        """Whether m's signature for `count` arguments is a subtype of n's."""
        bound = {}
        mine, others = m.patterns(count), n.patterns(count)
        if m.vararg and not n.vararg:
            return False
        for p, q in zip(mine, others):
            t = self.rigid(p, m.where)
            if isinstance(t, tuple) and t[0] in ("Family", "NTuple", "Sub"):
                if t != q and q != "Any" and not (t[0] == "NTuple" and q == "Tuple") and not (t[0] == "Family" and isinstance(q, str) and self.below(("Struct", t[1]), q)):
                    return False
            elif not self.matches(t, q, n.where, bound):
                return False
        return True

    def more_specific(self, m, n, count):
        return self.below_signature(m, n, count) and not self.below_signature(n, m, count)

    def dispatch(self, methods, args):
        """(method, what its variables stand for); None where none applies."""
        found = [(m, b) for m in methods if (b := self.binding(m, args)) is not None]
        best = [(m, b) for m, b in found if all(m is n or self.more_specific(m, n, len(args)) for n, _ in found)]
        if found and len(best) != 1:
            raise Ambiguous("no method is the most specific one")
        return best[0] if best else None


def is_exact(t):
    """A variable that stands at two places stands for a concrete type (the manual's diagonal rule)."""
    return isinstance(t, (int, bool)) or is_concrete(t) or (isinstance(t, tuple) and t[0] == "TV")


def type_text(t):
    """The type as it is written."""
    if t == "'":
        return "Any"
    if isinstance(t, bool):
        return "true" if t else "false"
    if isinstance(t, (int, str)):
        return str(t)
    kind, rest = t[0], t[1:]
    if kind in ("Var", "TV"):
        return rest[0]
    if kind == "Sub":
        return "<:" + type_text(rest[0])
    if kind == "Family":
        return rest[0]
    if kind == "Struct":
        return rest[0] + ("{" + ", ".join(map(type_text, rest[1:])) + "}" if len(rest) > 1 else "")
    if kind == "Val":
        return "Val{" + (":" + rest[0] if isinstance(rest[0], str) else type_text(rest[0])) + "}"
    if kind == "Fn":
        return f"typeof({rest[0]})"
    if kind == "Lambda":
        return "Function"
    if kind == "NamedTuple":
        return "@NamedTuple{" + ", ".join(f"{n}::{type_text(x)}" for n, x in zip(*rest)) + "}"
    if kind == "Vector":
        return f"AbstractVector{{{type_text(rest[0])}}}"
    return kind + "{" + ", ".join(map(type_text, rest)) + "}"
