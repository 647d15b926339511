# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random calls of the program's own functions, for a result of a wanted type."""
from expressions import lit, var
from tree import Node
from types_of import NUMBERS, Ambiguous, substitute


class Calls:
    """A part of Generator (generate.py)."""

    def call_of(self, t, d):
        """A call of a function of the program that gives a t."""
        choices = [(n, m, ms) for n, ms in self.families for m in ms if self.can_give(m, t) is not None]
        for _ in range(3):
            if not choices:
                return None
            name, m, methods = self.rng.choice(choices)
            node = self.call_method(name, m, methods, t, d)
            if node is not None:
                return node
        return None

    def can_give(self, m, t):
        binding = {}
        return binding if self.unify(m.ret, t, binding) else None

    def unify(self, p, t, binding):
        if isinstance(p, tuple) and p[0] == "TV":
            if p[1] in binding:
                return binding[p[1]] == t
            if isinstance(t, str) and (t in ("Bool", "Float16", "Nothing") or t not in NUMBERS):
                return False
            bound = p[2]
            if bound == "Int" or (bound in self.types.structs and (not isinstance(t, tuple) or t[1] != bound)):
                return False
            if bound not in self.types.structs and not self.types.matches(t, bound, {}, {}):
                return False
            if bound == "Any" and self.is_object(t):
                return False
            binding[p[1]] = t
            return True
        if isinstance(p, tuple) and isinstance(t, tuple):
            return len(p) == len(t) and all(self.unify(x, y, binding) if isinstance(x, tuple) else x == y for x, y in zip(p, t))
        return p == t

    def call_method(self, name, m, methods, t, d):
        r = self.rng
        binding = self.can_give(m, t)
        types = list(m.static)
        if m.vararg:
            types = types[:-1] + [m.static[-1]] * r.randint(1, 4)
        elif m.defaults and r.random() < 0.6:
            types = types[:len(types) - r.randint(1, len(m.defaults))]
        concrete = [self.instantiate(x, binding, getattr(m, "pool", None)) for x in types]
        if None in concrete or any(self.is_object(x) and x[0] in ("Vector", "Struct") and not self.objects(x) for x in concrete):
            return None
        if len(methods) > 1:
            try:
                found = self.types.dispatch(methods, [("Lambda", 0) if isinstance(x, tuple) and x[0] == "Function" else x for x in concrete])
            except Ambiguous:
                return None
            if not found:
                return None
            other, gives = found[0], {}
            count = len(concrete)
            static = other.static if not other.vararg else other.static[:-1] + [other.static[-1]] * (count - len(other.static) + 1)
            for p, x in zip(static, concrete):
                if isinstance(p, tuple) and p[0] == "TV" and p[2] != "Int":
                    gives[p[1]] = x
                elif isinstance(p, tuple) and p[0] == "Type" and isinstance(p[1], tuple):
                    gives[p[1][1]] = x[1]
                elif isinstance(p, tuple) and p[0] == "Struct":
                    gives.update({q[1]: y for q, y in zip(p[2:], x[2:]) if isinstance(q, tuple) and q[0] == "TV"})
            if substitute(other.ret, gives) != t if other.ret is not None else True:
                return None
        args = [self.argument(x, d, small=getattr(m, "small", False) and i == 0) for i, x in enumerate(concrete)]
        if name[0] == "(":
            return Node("apply", args, t)
        if name in self.types.structs:
            return Node("new", args, t, name=name, params=None)
        names, splat = (), ()
        if m.keywords:
            given = r.sample(m.known, r.randint(0, len(m.known)))
            if given and r.random() < 0.3:
                names = (None,)
                args.append(self.expr(("NamedTuple", tuple(n for n, _ in given), tuple(x for _, x in given)), d))
            else:
                names = tuple(n for n, _ in given)
                args += [self.expr(x, d - 1) for _, x in given]
        elif len(concrete) > 1 and r.random() < 0.15 and all(not (isinstance(x, tuple) and x[0] in ("Val", "Type")) and not self.is_object(x) for x in concrete):
            at = r.randint(0, len(concrete) - 2)
            args = args[:at] + [self.expr(("Tuple",) + tuple(concrete[at:]), d)]
            splat = (at,)
        infix = name in "+-*" and len(args) == 2 and not splat
        return Node("call", args, t, f=name, keywords=names, splat=splat, semicolon=r.random() < 0.5, style="infix" if infix else "call")

    def instantiate(self, p, binding, pool=None):
        """A concrete type for a parameter's."""
        if isinstance(p, str) or p is None:
            return p
        if p[0] == "TV":
            if p[1] not in binding:
                if p[2] == "Int":
                    binding[p[1]] = self.rng.randint(1, 4)
                elif p[2] in self.types.structs:
                    binding[p[1]] = self.instance_of(self.types.structs[p[2]])
                else:
                    binding[p[1]] = self.rng.choice(pool) if pool else self.below(p[2])
            return binding[p[1]] if not pool or binding[p[1]] in pool else None
        if p[0] == "NTuple":
            n = self.instantiate(p[1], binding)
            return ("Tuple",) + (self.instantiate(p[2], binding),) * n
        if p[0] == "Struct":
            return p[:2] + tuple(self.instantiate(x, binding) for x in p[2:])
        if p[0] in ("Type", "Val"):
            return (p[0], self.instantiate(p[1], binding) if isinstance(p[1], tuple) else p[1])
        return p

    def objects(self, t):
        """Arrays and objects of mutable structs that may be passed on."""
        found = [var(v.name, v.t) for v in self.vars if v.t == t]
        if self.arrays_here and t[0] == "Vector":
            found.append(var(self.array_of[t[1]], t))
        return found

    def argument(self, t, d, small=False):
        if small:
            return lit(t, self.rng.randint(0, 6))
        if isinstance(t, tuple) and t[0] == "Val":
            return Node("val", v=t[1])
        if isinstance(t, tuple) and t[0] == "Type":
            return self.type_node(t[1])
        if self.is_object(t) and t[0] in ("Vector", "Struct"):  # one that is there
            return self.rng.choice(self.objects(t)).copy()
        if isinstance(t, tuple) and t[0] == "Function":
            return self.function_value(list(t[1]), t[2], d)
        return self.expr(t, d)
