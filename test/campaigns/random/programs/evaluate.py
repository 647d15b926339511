# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates a generated program: an interpreter of syntax trees by the rules of Julia's manual ("Scope of variables",
"Functions", "Methods", "Types"). What base functions do is in library.py and collections_of.py."""
import collections_of
from execute import Return, Scope, Statements
from library import BASE, convert, items_of
from numbers_of import CODES
from tree import assigned
from types_of import Invalid, is_concrete
from values import Array, Fn, Lambda, Named, Num, Struct, Thrown, Tup, TypeValue, Val, boolean, type_of


class TooLong(Exception):
    """The program takes more steps than a test may."""


class Evaluator(Statements):
    def __init__(self, program, steps=30000):
        self.program, self.types, self.left = program, program.types, steps
        self.table = program.methods()
        self.globals = Scope(None, ())
        self.depth = 0
        for d in program.definitions:
            if isinstance(d, tuple) and d[0] == "const":
                self.globals.declared.add(d[1])
                self.globals.vars[d[1]] = self.ev(d[2], self.globals)

    def run(self, arrays, thread):
        """What one thread leaves: {slot: (type's code, bits)}, and the exception's kind or None."""
        self.out = {}
        given = {name: Array(t, items) for name, (t, items) in arrays.items()}
        scope = Scope(self.globals, assigned(self.program.body), {**given, "k": Num("Int64", thread)})
        try:
            self.statements(self.program.body, scope)
        except Thrown as thrown:
            return self.out, str(thrown)
        except Return:
            pass
        except RecursionError:
            raise TooLong
        return self.out, None

    def ev(self, n, s):
        self.left -= 1
        if self.left < 0:
            raise TooLong
        x = getattr(self, "ev_" + n.kind)(n, s)
        if n.t is not None and is_concrete(n.t) and not isinstance(n.t, tuple) and type_of(x) != n.t:
            raise AssertionError(f"{n.kind} {n.a}: expected {n.t}, is {type_of(x)}")
        return x

    # ---- leaves
    def ev_lit(self, n, s):
        return n.a["v"]

    def ev_var(self, n, s):
        return s.get(n.a["name"])

    def ev_type(self, n, s):
        return TypeValue(self.static(n.a["t"], s))

    def static(self, t, s):
        """A type as it is written, its variables replaced."""
        if isinstance(t, tuple) and t[0] in ("Var", "TV"):
            return s.get("type " + t[1].lstrip("'"))
        return t

    def ev_val(self, n, s):
        v = n.a["v"]
        return Val(s.get("type " + v[1]) if isinstance(v, tuple) else v)

    def ev_param(self, n, s):
        """A static parameter as a value: N of Val{N}."""
        v = s.get("type " + n.a["name"])
        return boolean(v) if isinstance(v, bool) else Num("Int64", v)

    def ev_fn(self, n, s):
        return Fn(n.a["name"])

    def ev_nothing(self, n, s):
        return None

    # ---- compound expressions
    def ev_call(self, n, s):
        names = n.a.get("keywords", ())
        at = len(n.k) - len(names)
        args = []
        for i, c in enumerate(n.k[:at]):
            x = self.ev(c, s)
            args += items_of(x) if i in n.a.get("splat", ()) else [x]
        keywords = {}
        for name, c in zip(names, n.k[at:]):
            x = self.ev(c, s)
            if name is None:  # a splatted named tuple
                keywords.update(zip(x.names, x.items))
            else:
                keywords[name] = x
        f = n.a["f"]
        if n.a.get("local"):
            return self.apply(s.get(f), args)
        return self.call(f, args, keywords)

    def ev_apply(self, n, s):
        f, *args = [self.ev(c, s) for c in n.k]
        return self.apply(f, args)

    def ev_new(self, n, s):
        args = [self.ev(c, s) for c in n.k]
        return self.construct(n.a["name"], n.a.get("params"), args, s)

    def construct(self, name, params, args, s=None):
        d = self.types.structs[name]
        if params is None:
            found = self.types.dispatch(self.table.get(name, []), [type_of(x) for x in args])
            if found:
                return self.invoke(*found, args, {})
            params = {}
            for x, (_, t) in zip(args, d.fields):
                if not self.types.matches(type_of(x), t, dict(d.params), params):
                    if t[0] == "Var":
                        raise Invalid("fields of one type parameter have different types")
            params = [params.get(p) for p, _ in d.params]
            if None in params:
                raise Invalid("a type parameter is open")
        else:
            params = [self.static(p, s) for p in params]
        types = d.field_types(params)
        if len(args) != len(types):
            raise Invalid("number of fields")
        return Struct(d, params, [self.converted(t, x) for t, x in zip(types, args)])

    def converted(self, t, x):
        if type_of(x) == t or (isinstance(t, str) and not is_concrete(t) and self.types.below(type_of(x), t)):
            return x
        if isinstance(t, tuple) and t[0] == "Tuple" and isinstance(x, Tup):
            return Tup([self.converted(e, i) for e, i in zip(t[1:], x.items)])
        if not isinstance(t, str):
            raise Invalid("no such conversion")
        return convert(t, x)

    def ev_index(self, n, s):
        x, i = [self.ev(c, s) for c in n.k]
        return collections_of.get_index(x, i)

    def ev_field(self, n, s):
        x, name = self.ev(n.k[0], s), n.a["name"]
        names = x.names if isinstance(x, Named) else [f for f, _ in x.d.fields]
        return x.items[list(names).index(name)]

    def ev_tuple(self, n, s):
        items = []
        for i, c in enumerate(n.k):
            x = self.ev(c, s)
            items += items_of(x) if i in n.a.get("splat", ()) else [x]
        return Tup(items)

    def ev_named(self, n, s):
        found = {}
        for name, c in zip(n.a["names"], n.k):
            x = self.ev(c, s)
            if name is None:
                found.update(zip(x.names, x.items))
            else:
                found[name] = x
        return Named(found.keys(), found.values())

    def truth(self, n, s):
        x = self.ev(n, s)
        if type_of(x) != "Bool":
            raise Invalid("a condition that is no Bool")
        return x.v

    def ev_cond(self, n, s):
        return self.ev(n.k[1] if self.truth(n.k[0], s) else n.k[2], s)

    def ev_ifx(self, n, s):
        return self.statements(n.k[1] if self.truth(n.k[0], s) else n.k[2], s)

    def ev_and(self, n, s):
        return self.value(n.k[1], s) if self.truth(n.k[0], s) else boolean(False)

    def ev_or(self, n, s):
        return boolean(True) if self.truth(n.k[0], s) else self.value(n.k[1], s)

    def ev_chain(self, n, s):
        left = self.ev(n.k[0], s)
        for op, c in zip(n.a["ops"], n.k[1:]):
            right = self.ev(c, s)
            if not self.call(op, [left, right], {}).v:
                return boolean(False)
            left = right
        return boolean(True)

    def ev_isa(self, n, s):
        return boolean(self.types.matches(type_of(self.ev(n.k[0], s)), n.a["t"], {}, {}))

    def ev_block(self, n, s):
        return self.statements(n, s)

    def ev_let(self, n, s):
        inner = s
        for name, c in zip(n.a["names"], n.k):
            inner = Scope(inner, assigned(c))  # what the value assigns for the first time is the let's own
            inner = Scope(inner, (), {name: self.ev(c, inner)})
        return self.statements(n.k[-1], Scope(inner, assigned(n.k[-1])))

    def ev_lambda(self, n, s):
        return Lambda(n, s)

    def ev_sumgen(self, n, s):
        found = []
        for x in items_of(self.ev(n.k[1], s)):
            inner = Scope(s, (), {n.a["var"]: x})
            if len(n.k) < 3 or self.truth(n.k[2], inner):
                found.append(self.ev(n.k[0], inner))
        return collections_of.reduced(self, n.a["f"], found)

    # ---- calls
    def apply(self, f, args):
        if isinstance(f, Fn):
            return self.call(f.name, args, {})
        if isinstance(f, TypeValue):
            return self.converted(f.t, args[0]) if len(args) == 1 else self.construct(f.t[1], None, args)
        if isinstance(f, Struct):
            found = self.types.dispatch(self.table.get("(" + f.d.name + ")", []), [type_of(x) for x in [f] + args])
            if not found:
                raise Invalid("no callable")
            return self.invoke(*found, [f] + args, {})
        if not isinstance(f, Lambda):
            raise Invalid("a call of what is no function")
        params = f.node.a["params"]
        if f.node.a.get("vararg"):
            args = args[:len(params) - 1] + [Tup(args[len(params) - 1:])]
        if len(params) != len(args):
            raise Invalid("number of arguments")
        given = {}
        for p, x in zip(params, args):
            self.bind(p, x, given.__setitem__)
        try:
            return self.statements(f.node.k[0], Scope(f.env, assigned(f.node.k[0]), given))
        except Return as r:
            return r.value

    def call(self, name, args, keywords):
        if name in self.table:
            found = self.types.dispatch(self.table[name], [type_of(x) for x in args])
            if found:
                return self.invoke(*found, args, keywords)
        if name in self.types.structs:
            return self.construct(name, None, args)
        if name in collections_of.FUNCTIONS:
            x = collections_of.FUNCTIONS[name](self, *args, **keywords)
            if x is not NotImplemented:
                return x
        if name in CODES and len(args) == 1:
            return convert(name, args[0])
        if name not in BASE:
            raise Invalid(f"no method of {name}")
        try:
            return BASE[name](*args)
        except (AttributeError, TypeError) as e:
            raise Invalid(f"{name}: {e}")

    def invoke(self, method, bound, args, keywords):
        self.depth += 1
        if self.depth > 60:
            raise TooLong
        try:
            return self.run_method(method, bound, args, keywords)
        finally:
            self.depth -= 1

    def run_method(self, method, bound, args, keywords):
        scope = Scope(self.globals, assigned(method.body))
        put = lambda name, x: (scope.declared.add(name), scope.vars.__setitem__(name, x))
        for name, t in bound.items():
            put("type " + name, t)
        names = [p for p, _ in method.params]
        fixed = len(names) - method.vararg
        for p, x in zip(names[:fixed], args):
            self.bind(p, x, put)
        if len(args) < fixed:  # Julia defines f(x) = f(x, default): another method may take that call
            full = list(args)
            for i in range(len(args), fixed):
                full.append(self.ev(method.defaults[i - fixed + len(method.defaults)], scope))
                put(names[i], full[-1])
            return self.call(method.name, full, keywords)
        if method.vararg:
            put(names[-1], Tup(args[fixed:]))
        for name, t, default in method.keywords:
            x = keywords.pop(name) if name in keywords else self.ev(default, scope)
            if t is not None and type_of(x) != t:
                raise Invalid(f"keyword {name}: another type")
            put(name, x)
        if keywords:
            raise Invalid("unknown keywords")
        try:
            x = self.statements(method.body, scope)
        except Return as r:
            x = r.value
        return self.converted(method.annotated, x) if method.annotated else x
