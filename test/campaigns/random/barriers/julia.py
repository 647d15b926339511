# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints kernels and their launches as a program in Julia."""
from tree import JULIA

PRELUDE = """using CUDA

# The barriers of these functions are the caller's.
@noinline function exchange(s, mine, value, other)
    sync_threads()
    s[mine] = value
    sync_threads()
    found = s[other]
    sync_threads()
    return found
end
@inline function exchange_inline(s, mine, value, other)
    sync_threads()
    s[mine] = value
    sync_threads()
    found = s[other]
    sync_threads()
    return found
end
"""
OPS = {"xor": "⊻", "and": "&", "or": "|", "shl": "<<", "shr": ">>", "ushr": ">>>"}
CALLS = ("div", "rem", "mod", "mod1", "min", "max", "rotate")
MACROS = {"add": "+=", "and": "&=", "or": "|=", "xor": "⊻="}


def literal(t, value):
    if t == "i64":
        return "typemin(Int64)" if value == -(1 << 63) else f"({value})" if value < 0 else str(value)
    return f"{JULIA[t]}({value})"


class Printer:
    def __init__(self, kernel):
        self.kernel = kernel

    def expression(self, e):
        kind, t = e[0], e[1]
        x = self.expression
        if kind == "num":
            return literal(t, e[2])
        if kind == "var":
            return e[2]
        if kind in ("bin", "shift"):
            op, a, b = e[2], x(e[3]), x(e[4])
            if op in CALLS:
                return f"{'bitrotate' if op == 'rotate' else op}({a}, {b})"
            return f"({a} {OPS.get(op, op)} {b})"
        if kind == "un":
            a = x(e[3])
            if e[2] in ("count_ones", "leading_zeros", "trailing_zeros"):
                return f"({e[2]}({a}) % {JULIA[t]})"
            return f"abs({a})" if e[2] == "abs" else f"({e[2]}{a})"
        if kind == "conv":
            return f"({x(e[2])} % {JULIA[t]})"
        if kind == "sel":
            return f"({x(e[2])} ? {x(e[3])} : {x(e[4])})" if e[5] else f"ifelse({x(e[2])}, {x(e[3])}, {x(e[4])})"
        if kind == "load":
            return self.element(e[2], e[3], e[4])
        if kind in ("input", "item", "mine"):
            return f"{e[2]}[{x(e[3])}]"
        if kind == "cmp":
            return f"({x(e[3])} {e[2]} {x(e[4])})"
        if kind == "not":
            return f"!{x(e[2])}"
        return f"({x(e[2])} {'&&' if kind == 'and' else '||'} {x(e[3])})"

    def index(self, name, column, row):
        a = self.kernel.array(name)
        index = self.expression(column)
        if row is not None:
            row = self.expression(row)
            index = index if row == "1" else f"{index} + n * ({row} - 1)"
        return f"{index} + {self.size(a)} * (b - 1)" if a.kind == "segment" else index

    def size(self, array):
        if self.kernel.has_literal_sizes:
            return str(self.kernel.size(array))
        return "n" if array.rows == 1 else f"{array.rows} * n"

    def element(self, name, column, row):
        if row is not None and self.kernel.array(name).has_two_dimensions:
            return f"{name}[{self.expression(column)}, {self.expression(row)}]"
        return f"{name}[{self.index(name, column, row)}]"

    def atomic(self, s):
        _, name, op, column, row, value, target, is_macro = s
        value = self.expression(value)
        if is_macro and target is None:
            at = self.element(name, column, row)
            return f"CUDA.@atomic {at} {MACROS[op]} {value}" if op in MACROS else f"CUDA.@atomic {at} = {op}({at}, {value})"
        call = f"CUDA.atomic_{op}!(pointer({name}, {self.index(name, column, row)}), {value})"
        return f"{target} = {call}" if target else call

    def vote(self, s):
        _, kind, target, condition = s
        condition = self.expression(condition)
        if kind == "count":
            return f"{target} = sync_threads_count({condition}) % Int64"
        return f"{target} = ifelse(sync_threads_{kind}({condition}) != 0, 1, 0)"

    def statements(self, body, indent):
        lines = []
        for s in body:
            lines += self.statement(s, indent)
        return lines

    def statement(self, s, indent):
        kind, x, pad = s[0], self.expression, "    " * indent
        if kind == "if":
            lines = [f"{pad}if {x(s[1])}"] + self.statements(s[2], indent + 1)
            if s[3]:
                lines += [pad + "else"] + self.statements(s[3], indent + 1)
            return lines + [pad + "end"]
        if kind == "for":
            return [f"{pad}for {s[1]} in 1:{x(s[2])}"] + self.statements(s[3], indent + 1) + [pad + "end"]
        if kind == "while":
            return [f"{pad}{s[1]} = {x(s[2])}", f"{pad}while {s[1]} > 0", f"{pad}    {s[1]} -= 1"] + self.statements(s[3], indent + 1) + [pad + "end"]
        if kind in ("break", "continue", "return"):
            return [f"{pad}{x(s[1])} && {kind}"]
        return [pad + self.simple(s)]

    def simple(self, s):
        kind, x = s[0], self.expression
        if kind == "set":
            return f"{s[1]} = {x(s[2])}"
        if kind == "tuple":
            return f"{s[1]} = ({', '.join(x(e) for e in s[2])})"
        if kind == "private":
            return f"{s[1]}[{x(s[2])}] = {x(s[3])}"
        if kind == "out":
            return f"o[{s[1]} + {self.kernel.slots} * (t - 1 + n * (b - 1))] = {x(s[2])} % Int64"
        if kind == "store":
            return f"{self.element(s[1], s[2], s[3])} = {x(s[4])}"
        if kind == "atomic":
            return self.atomic(s)
        if kind == "vote":
            return self.vote(s)
        if kind == "exchange":
            _, target, name, column, row, value, other, is_inline = s
            call = "exchange_inline" if is_inline else "exchange"
            return f"{target} = {call}({name}, {self.index(name, column, row)}, {x(value)}, {self.index(name, other, None)})"
        assert kind == "sync", kind
        return "sync_threads()"


def parameters(kernel):
    return ["o", "p1", *kernel.inputs, *(a.name for a in kernel.arrays if not a.is_shared)]


def prologue(kernel):
    lines = ["tx, ty, tz = Int64(threadIdx().x), Int64(threadIdx().y), Int64(threadIdx().z)"]
    if kernel.has_literal_sizes:
        lines.append(f"n = {kernel.threads}")
        lines.append(f"t = tx + {kernel.block[0]} * (ty - 1) + {kernel.block[0] * kernel.block[1]} * (tz - 1)")
    else:
        lines.append("n = Int64(blockDim().x * blockDim().y * blockDim().z)")
        lines.append("t = Int64(threadIdx().x + blockDim().x * (threadIdx().y - 1i32 + blockDim().y * (threadIdx().z - 1i32)))")
    lines.append("b = Int64(blockIdx().x + gridDim().x * (blockIdx().y - 1i32 + gridDim().y * (blockIdx().z - 1i32)))")
    lines.append("nb = Int64(gridDim().x * gridDim().y * gridDim().z)")
    offsets, _ = kernel.dynamic_layout()
    for a in kernel.arrays:
        shape = f"({kernel.threads}, {a.rows})" if a.has_two_dimensions else str(kernel.size(a))
        if a.kind == "static":
            lines.append(f"{a.name} = CuStaticSharedArray({JULIA[a.type]}, {shape})")
        elif a.kind == "dynamic":
            lines.append(f"{a.name} = CuDynamicSharedArray({JULIA[a.type]}, {shape}, {offsets[a.name]})")
    lines += [f"{name} = {literal(t, value)}" for name, (t, value) in kernel.variables.items()]
    for name, types in kernel.tuples.items():
        lines.append(f"{name} = ({', '.join(literal(t, k + 1) for k, t in enumerate(types))})")
    for name, (t, size) in kernel.privates.items():
        lines.append(f"{name} = MVector{{{size},{JULIA[t]}}}(undef)")
        lines += [f"{name}[{k}] = {literal(t, k)}" for k in range(1, size + 1)]
    return lines


def kernel_text(kernel):
    inner = 2 if kernel.is_inbounds else 1
    lines = [f"function {kernel.name}({', '.join(parameters(kernel))})"]
    if kernel.is_inbounds:
        lines.append("    @inbounds begin")
    lines += ["    " * inner + line for line in prologue(kernel)]
    lines += Printer(kernel).statements(kernel.body, inner)
    if kernel.is_inbounds:
        lines.append("    end")
    return "\n".join([*lines, "    return", "end", ""])


def launch_text(kernel):
    """Launches the kernel, and prints each array that it writes in a line: kernel, array, elements."""
    outputs = ["o"] + [a.name for a in kernel.arrays if not a.is_shared]
    lines = ["let", f"    o = CuArray(zeros(Int64, {max(kernel.slots, 1) * kernel.threads * kernel.blocks}))"]
    for name, (t, values) in kernel.inputs.items():
        lines.append(f"    {name} = CuArray({JULIA[t]}[{', '.join(map(str, values))}])")
    for name, values in kernel.contents.items():
        lines.append(f"    {name} = CuArray({JULIA[kernel.array(name).type]}[{', '.join(map(str, values))}])")
    arguments = ", ".join(parameters(kernel)).replace("p1", str(kernel.scalar), 1)
    _, shmem = kernel.dynamic_layout()
    lines.append(f"    @cuda threads={kernel.block} blocks={kernel.grid} shmem={shmem} {kernel.name}({arguments})")
    lines += [f'    println("{kernel.name} {name} ", join(Array({name}), " "))' for name in outputs]
    return "\n".join([*lines, "    flush(stdout)", "end", ""])


def program_text(kernels):
    return PRELUDE + "".join(f"\n{kernel_text(k)}{launch_text(k)}" for k in kernels)
