# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a generated program as text. Parentheses stand where Julia's table of operator precedence asks for them, and
where a node says so (`paren`), so that the parser is tested too."""
import math

from numbers_of import FLOATS, limits, signed, width
from types_of import StructDef, type_text

# What an operand's own operator must bind at least as strongly as.
COND, OR, AND, COMPARE, COLON, SUM, PRODUCT, SHIFT, UNARY, POWER, TIGHT = range(1, 12)
INFIX = {"==": COMPARE, "!=": COMPARE, "<": COMPARE, "<=": COMPARE, ">": COMPARE, ">=": COMPARE, "===": COMPARE, "!==": COMPARE,
         "in": COMPARE, "∈": COMPARE, "≤": COMPARE, "≥": COMPARE, ":": COLON, "+": SUM, "-": SUM, "|": SUM, "⊻": SUM, "*": PRODUCT, "/": PRODUCT,
         "÷": PRODUCT, "%": PRODUCT, "&": PRODUCT, "<<": SHIFT, ">>": SHIFT, ">>>": SHIFT, "^": POWER}


def literal(x):
    """(text, how strongly it binds)"""
    t, v = x.t, x.v
    if t == "Bool":
        return ("true" if v else "false"), TIGHT
    if t in FLOATS:
        tail = {"Float16": "16", "Float32": "32", "Float64": ""}[t]
        if v != v:
            return "NaN" + tail, TIGHT
        if math.isinf(v):
            return ("-Inf" if v < 0 else "Inf") + tail, UNARY if v < 0 else TIGHT
        text = repr(v)
        if t == "Float32":
            text = text.replace("e", "f") if "e" in text else text + "f0"
        elif t == "Float16":
            return f"Float16({text})", TIGHT
        return text, UNARY if text[0] == "-" else TIGHT
    if signed(t) and v == limits(t)[0]:
        return f"typemin({t})", TIGHT
    if t == "Int64":
        return str(v), UNARY if v < 0 else TIGHT
    if signed(t):
        return f"{t}({v})", TIGHT
    return f"0x{v:0{width(t) // 4}x}", TIGHT


class Writer:
    def __init__(self):
        self.lines = []

    def add(self, depth, text):
        self.lines.append("    " * depth + text)

    # ---- expressions
    def e(self, n, least=0):
        text, binds = getattr(self, "e_" + n.kind)(n)
        return f"({text})" if binds < least or (n.a.get("paren") and n.kind not in ("lit", "var")) else text

    def args(self, nodes, splat=()):
        return ", ".join(self.e(c, 0 if c.kind == "lambda" else TIGHT if i in splat else COND) + ("..." if i in splat else "") for i, c in enumerate(nodes))

    def e_lit(self, n):
        return literal(n.a["v"])

    def e_var(self, n):
        return n.a["name"], TIGHT

    def e_param(self, n):
        return n.a["name"], TIGHT

    def e_nothing(self, n):
        return "nothing", TIGHT

    def e_fn(self, n):
        name = n.a["name"]
        return (f"({name})" if not name[0].isalpha() else name), TIGHT

    def e_type(self, n):
        return type_text(n.a["t"]), TIGHT

    def e_val(self, n):
        v = n.a["v"]
        text = v[1] if isinstance(v, tuple) else f":{v}" if isinstance(v, str) else str(v).lower()
        return f"Val({text})", TIGHT

    def e_call(self, n):
        f, names, splat = n.a["f"], n.a.get("keywords", ()), n.a.get("splat", ())
        args = n.k[:len(n.k) - len(names)]
        if n.a.get("style") == "infix" and len(args) == 2:
            p = INFIX[f]
            if f == "^":
                return f"{self.e(args[0], TIGHT)}^{self.e(args[1], TIGHT)}", POWER
            left, right = self.e(args[0], p + (p in (COMPARE, COLON))), self.e(args[1], p + 1)
            return (f"{left}:{right}" if f == ":" else f"{left} {f} {right}"), p
        if n.a.get("style") == "infix" and f == ":" and len(args) == 3:
            return ":".join(self.e(c, COLON + 1) for c in args), COLON
        if n.a.get("style") == "prefix":
            text = self.e(args[0], TIGHT)
            return (f"{f}({text})" if text[0] == "(" else f"{f}{text}"), UNARY  # ~(a, b)[1] would be a call with two arguments
        text = self.args(args, splat)
        keywords = []
        for name, c in zip(names, n.k[len(args):]):
            same = name is not None and c.kind == "var" and c.a["name"] == name
            keywords.append(self.e(c, TIGHT) + "..." if name is None else name if same else f"{name}={self.e(c, COND)}")
        if keywords:
            text += ("; " if n.a.get("semicolon") or None in names or any("=" not in k for k in keywords) else ", " if text else "") + ", ".join(keywords)
        if n.a.get("do") and args and args[0].kind == "lambda":
            return f"{f}({self.args(args[1:])}) do {self.params(args[0])}\n{self.inner(args[0].k[0])}end", TIGHT
        if not f[0].isalpha() and f != "÷" and f[0] != "_":
            f = f"({f})"
        return f"{f}({text})", TIGHT

    def inner(self, block):
        w = Writer()
        w.block(block, 1)
        return "\n".join(w.lines) + "\n"

    def e_apply(self, n):
        return f"{self.e(n.k[0], TIGHT) if n.k[0].kind == 'var' else '(' + self.e(n.k[0]) + ')'}({self.args(n.k[1:])})", TIGHT

    def e_new(self, n):
        params = n.a.get("params")
        return n.a["name"] + ("{" + ", ".join(map(type_text, params)) + "}" if params else "") + f"({self.args(n.k)})", TIGHT

    def e_index(self, n):
        return f"{self.e(n.k[0], TIGHT)}[{self.e(n.k[1], COND)}]", TIGHT

    def e_field(self, n):
        return f"{self.e(n.k[0], TIGHT)}.{n.a['name']}", TIGHT

    def e_tuple(self, n):
        return "(" + self.args(n.k, n.a.get("splat", ())) + ("," if len(n.k) == 1 else "") + ")", TIGHT

    def e_named(self, n):
        parts = []
        for name, c in zip(n.a["names"], n.k):
            short = n.a.get("short") and c.kind == "var" and c.a["name"] == name
            parts.append(self.e(c, TIGHT) + "..." if name is None else name if short else f"{name} = {self.e(c, COND)}")
        semi = None in n.a["names"] or n.a.get("short")
        return ("(; " + ", ".join(parts) + ")") if semi else "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")", TIGHT

    def e_cond(self, n):
        return f"{self.e(n.k[0], OR)} ? {self.e(n.k[1], SUM)} : {self.e(n.k[2], COND if n.k[2].kind == 'cond' else SUM)}", COND

    def e_ifx(self, n):
        return f"if {self.e(n.k[0])}; {self.line(n.k[1])}; else; {self.line(n.k[2])}; end", TIGHT

    def e_and(self, n):
        return f"{self.e(n.k[0], AND + 1)} && {self.operand(n.k[1], AND)}", AND

    def e_or(self, n):
        return f"{self.e(n.k[0], OR + 1)} || {self.operand(n.k[1], OR)}", OR

    def operand(self, n, least):
        if hasattr(self, "e_" + n.kind):
            return self.e(n, least)
        text = self.line(n)
        return text if n.kind in ("return", "continue", "break", "throw", "put") else f"({text})"

    def e_chain(self, n):
        text = self.e(n.k[0], COMPARE + 1)
        for op, c in zip(n.a["ops"], n.k[1:]):
            text += f" {op} {self.e(c, COMPARE + 1)}"
        return text, COMPARE

    def e_isa(self, n):
        return f"{self.e(n.k[0], COMPARE + 1)} isa {type_text(n.a['t'])}", COMPARE

    def e_block(self, n):
        return f"begin {self.line(n)} end", TIGHT

    def e_let(self, n):
        given = ", ".join(f"{name} = {self.e(c, COND)}" for name, c in zip(n.a["names"], n.k))
        return f"let {given}; {self.line(n.k[-1])}; end", TIGHT

    def params(self, n):
        return ", ".join(pattern_text(p) for p in n.a["params"]) + ("..." if n.a.get("vararg") else "")

    def e_lambda(self, n):
        simple = len(n.a["params"]) == 1 and isinstance(n.a["params"][0], str) and not n.a.get("vararg")
        head = self.params(n) if simple else f"({self.params(n)}{',' if len(n.a['params']) == 1 and not isinstance(n.a['params'][0], str) and not n.a.get('vararg') else ''})"
        body = n.k[0]
        if len(body.k) == 1 and hasattr(self, "e_" + body.k[0].kind):
            return f"{head} -> {self.e(body.k[0], COND)}", 0
        return f"{head} -> begin {self.line(body)} end", 0

    def e_sumgen(self, n):
        given = f" if {self.e(n.k[2], COND)}" if len(n.k) > 2 else ""
        return f"{n.a['f']}({self.e(n.k[0], COND)} for {n.a['var']} in {self.e(n.k[1], COLON)}{given})", TIGHT

    def line(self, n):
        """Statements on one line."""
        w = Writer()
        for c in n.k if n.kind == "block" else [n]:
            w.statement(c, 0)
        return "; ".join(x.strip() for x in w.lines)

    # ---- statements
    def block(self, n, depth):
        for c in n.k:
            self.statement(c, depth)

    def statement(self, n, depth):
        f = getattr(self, "s_" + n.kind, None)
        if f:
            f(n, depth)
        else:
            self.add(depth, self.e(n))

    def s_assign(self, n, depth):
        declared = "::" + type_text(n.a["declared"]) if n.a.get("declared") else ""
        self.add(depth, f"{n.a['name']}{declared} = {self.e(n.k[0])}")

    def s_opassign(self, n, depth):
        self.add(depth, f"{n.a['name']} {n.a['op']}= {self.e(n.k[0])}")

    def s_destruct(self, n, depth):
        text = pattern_text(n.a["pattern"])
        self.add(depth, (text[1:-1] if n.a["pattern"][0] != "named" and len(n.a["pattern"]) > 1 and not n.a.get("paren") else text) + f" = {self.e(n.k[0])}")

    def s_setindex(self, n, depth):
        self.add(depth, f"{self.e(n.k[0], TIGHT)}[{self.e(n.k[2], COND)}] {n.a.get('op') or ''}= {self.e(n.k[1])}")

    def s_setfield(self, n, depth):
        self.add(depth, f"{self.e(n.k[0], TIGHT)}.{n.a['name']} {n.a.get('op') or ''}= {self.e(n.k[1])}")

    def s_if(self, n, depth):
        for i in range(0, len(n.k) - 1, 2):
            self.add(depth, f"{'elseif' if i else 'if'} {self.e(n.k[i])}")
            self.block(n.k[i + 1], depth + 1)
        if len(n.k) % 2:
            self.add(depth, "else")
            self.block(n.k[-1], depth + 1)
        self.add(depth, "end")

    def s_for(self, n, depth):
        heads = [f"{pattern_text(p)} {n.a.get('word', 'in')} {self.e(c, COLON)}" for p, c in zip(n.a["patterns"], n.k)]
        self.add(depth, (n.a.get("macro", "") + " for ").lstrip() + ", ".join(heads))
        self.block(n.k[-1], depth + 1)
        self.add(depth, "end")

    def s_while(self, n, depth):
        self.add(depth, f"while {self.e(n.k[0])}")
        self.block(n.k[1], depth + 1)
        self.add(depth, "end")

    def s_break(self, n, depth):
        self.add(depth, "break")

    def s_continue(self, n, depth):
        self.add(depth, "continue")

    def s_return(self, n, depth):
        self.add(depth, "return" + (" " + self.e(n.k[0]) if n.k else ""))

    def s_put(self, n, depth):
        self.add(depth, f"put(o, {n.a['slot']}, k, {self.e(n.k[0], COND)})")

    def s_throw(self, n, depth):
        self.add(depth, {"DivideError": "throw(DivideError())", "BoundsError": "throw(BoundsError())", "ArgumentError": 'throw(ArgumentError("given"))',
                         "ErrorException": 'error("given")', "DomainError": 'throw(DomainError(0, "given"))', "OverflowError": 'throw(OverflowError("given"))'}[n.a["what"]])

    # ---- definitions
    def define(self, d):
        if isinstance(d, StructDef):
            params = ", ".join(p + (f"<:{b}" if b else "") for p, b in d.params)
            self.add(0, f"{'mutable ' if d.mutable else ''}struct {d.name}{'{' + params + '}' if params else ''}{' <: ' + d.parent if d.parent != 'Any' else ''}")
            for name, t in d.fields:
                self.add(1, f"{name}::{type_text(t)}")
            self.add(0, "end")
        elif isinstance(d, tuple) and d[0] == "abstract":
            self.add(0, f"abstract type {d[1]}{' <: ' + d[2] if d[2] != 'Any' else ''} end")
        elif isinstance(d, tuple):
            self.add(0, f"const {d[1]} = {self.e(d[2])}")
        else:
            self.method(d)

    def method(self, m):
        params = []
        first_default = len(m.params) - m.vararg - len(m.defaults)
        for i, (name, p) in enumerate(m.params):
            last = m.vararg and i == len(m.params) - 1
            text = pattern_text(name) + ("" if p == "Any" else f"::{type_text(p)}") + ("..." if last else "")
            if not last and i >= first_default and m.defaults:
                text += f"={self.e(m.defaults[i - first_default], COND)}"
            params.append(text)
        name = m.name
        if name[0] == "(":
            name, params = f"({params[0]})", params[1:]
        elif not name[0].isalpha():
            name = f"Base.:{name}" if name != "==" else "Base.:(==)"
        head = f"{name}({', '.join(params)}"
        if m.keywords:
            head += "; " + ", ".join(f"{n}{'::' + type_text(t) if t else ''}={self.e(c, COND)}" for n, t, c in m.keywords)
        head += ")" + (f"::{type_text(m.annotated)}" if m.annotated else "")
        if m.where:
            head += " where {" + ", ".join(v + (f"<:{type_text(b)}" if b else "") for v, b in m.where.items()) + "}"
        prefix = "@noinline " if m.noinline else ""
        if m.short and not (m.annotated and m.where) and len(m.body.k) == 1 and hasattr(self, "e_" + m.body.k[0].kind):
            self.add(0, f"{prefix}{head} = {self.e(m.body.k[0])}")
        else:
            self.add(0, f"{prefix}function {head}")
            self.block(m.body, 1)
            self.add(0, "end")


def pattern_text(p):
    if isinstance(p, str):
        return p
    if p[0] == "named":
        return "(; " + ", ".join(p[1:]) + ")"
    return "(" + ", ".join(map(pattern_text, p)) + ("," if len(p) == 1 else "") + ")"


def text_of(program):
    w = Writer()
    for d in program.definitions:
        w.define(d)
    arrays = "".join(f", {a}_" for a in program.arrays)
    w.add(0, f"function {program.name}(o{arrays})")
    w.add(1, "k = (blockIdx().x - 1) * blockDim().x + threadIdx().x")
    used = {n.a["name"] for n in program.body.walk() if n.kind == "var"}
    for a in program.arrays:
        if a in used:
            w.add(1, f"{a} = view({a}_, :, k)")
    w.block(program.body, 1)
    w.add(1, "return")
    w.add(0, "end")
    return "\n".join(w.lines) + "\n"


PRELUDE = """using CUDA

type_code(::Type) = 14
for (code, T) in enumerate((Bool, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Float16, Float32, Float64, Nothing))
    @eval type_code(::Type{$T}) = $code
end
raw_bits(x) = 0
raw_bits(x::Bool) = x ? 1 : 0
raw_bits(x::Union{Int8,UInt8,Int16,UInt16,Int32,UInt32,Int64,UInt64}) = x % Int64
raw_bits(x::Float16) = reinterpret(UInt16, x) % Int64
raw_bits(x::Float32) = reinterpret(UInt32, x) % Int64
raw_bits(x::Float64) = reinterpret(Int64, x)
# Thread k leaves x's type and its bits in slot i of an Int64 array.
@noinline function put(o, i, k, x::T) where {T}
    o[1, i, k] = type_code(T)
    o[2, i, k] = raw_bits(x)
    return nothing
end
"""
