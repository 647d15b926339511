# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The syntax trees of generated programs.

A Node has a kind, children k, attributes a, and (expressions) the type t that the generator made it for. Kinds of
expressions and their children:

    lit(v) var(name) type(t) val(v) fn(name)                       leaves
    call(f; args..., keyword values...)   attributes: style infix|call|dot, names of keywords, splat: positions, kwsplat
    apply(callee, args...)                a call of what an expression gives
    new(name, params; args...)            a struct
    index(x, i...) field(x; name) tuple(...) named(names; ...)
    cond(c, a, b) and(a, b) or(a, b) chain(ops; ...) not a scope: block(...) ifx(c, block, block)
    let(names; values..., block) lambda(params; block) sumgen(f, var; element, iterator[, condition])

and of statements:

    assign(name[, declared]; e) opassign(name, op; e) destruct(pattern; e)
    setindex(x, e, i...; op) setfield(x, e; name, op)
    if(c, block, c, block ..., [block]) for(patterns; iterators..., block) while(c, block)
    break continue return([e]) put(slot; e) throw(what) and expressions
"""


class Node:
    __slots__ = ("kind", "k", "a", "t", "names")

    def __init__(self, kind, k=(), t=None, **a):
        self.kind, self.k, self.t, self.a, self.names = kind, list(k), t, a, None

    def copy(self):
        n = Node(self.kind, [c.copy() for c in self.k], self.t)
        n.a = dict(self.a)
        return n

    def walk(self):
        yield self
        for c in self.k:
            yield from c.walk()


SCOPES = {"for", "while", "let", "lambda", "sumgen"}


def pattern_names(p):
    """Names in a pattern of a destructuring: a name, or a tuple of patterns; ("named", ...) for (; a, b)."""
    if isinstance(p, str):
        return [] if p in ("_", "named") else [p.rstrip(".")]
    return [n for x in p for n in pattern_names(x)]


def assigned(node):
    """Names that are assigned in a scope's statements, but not in the scopes within."""
    if node.names is None:
        found = set()
        if node.kind in ("assign", "opassign"):
            found.add(node.a["name"])
        elif node.kind == "destruct":
            found.update(pattern_names(node.a["pattern"]))
        inner = node.k
        if node.kind == "for":
            inner = node.k[:1]  # the first iterator stands in the scope around
        elif node.kind == "sumgen":
            inner = node.k[1:2]
        elif node.kind == "while":
            inner = node.k[:1]
        elif node.kind in ("lambda", "let"):
            inner = []
        for c in inner:
            found |= assigned(c)
        node.names = frozenset(found)
    return node.names


class Program:
    """Definitions and a kernel's body; `arrays` are the names and types of the vectors that each thread has of its own."""

    def __init__(self, types, name):
        self.types, self.name = types, name
        self.definitions = []  # StructDef, ("abstract", name, parent), Method, ("const", name, node), in order
        self.body = Node("block")
        self.slots = 0
        self.threads, self.blocks = 1, 1

    def methods(self):
        table = {}
        for d in self.definitions:
            if hasattr(d, "patterns"):
                table.setdefault(d.name, []).append(d)
        return table
