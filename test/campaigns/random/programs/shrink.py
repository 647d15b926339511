# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a program smaller as long as `still` says that it shows the same fault: definitions and statements go, blocks take
the place of what holds them, an expression gives way to a part of it or to a literal of its type, bodies to their values."""
import copy
import time

from tree import Node
from types_of import NUMBERS
from values import Num


def clone(program):
    memo = {id(program.types): program.types}
    return copy.deepcopy(program, memo)


def roots(program):
    """The trees of a program: (owner, attribute or index)."""
    found = [program.body]
    for d in program.definitions:
        if hasattr(d, "patterns"):
            found.append(d.body)
            found += d.defaults
            found += [k[2] for k in d.keywords]
    return found


def forget_names(program):
    for root in roots(program):
        for n in root.walk():
            n.names = None


def size(program):
    return sum(1 for root in roots(program) for _ in root.walk()) + 5 * len(program.definitions)


def simplest(t):
    return Node("lit", t=t, v=Num(t, {"Bool": True}.get(t, 1.0 if t.startswith("F") else 1)))


def replacements(n):
    """Smaller nodes that may stand for n, the smallest first."""
    if n.t in NUMBERS and n.kind not in ("lit",):
        yield simplest(n.t)
    if n.kind in ("block",):
        return
    inner = [c for c in n.walk() if c is not n and c.kind not in ("block",)]
    if n.t is not None:
        same = [c for c in inner if c.t == n.t and not (isinstance(c.t, tuple) and c.t[0] == "Lambda")]
        yield from same[:12]
    if n.kind == "lit" and n.t in NUMBERS and n.t != "Bool" and n.a["v"].v not in (0, 1):
        yield simplest(n.t)


def shrink(program, still, seconds=120):
    end = time.monotonic() + seconds
    best = program

    def attempt(change):
        """Applies change(copy) and keeps the copy if the fault is still there."""
        nonlocal best
        if time.monotonic() > end:
            return False
        trial = clone(best)
        before = size(trial)
        if change(trial) is False:
            return False
        forget_names(trial)
        if size(trial) > before or not still(trial):
            return False
        best = trial
        return True

    def without_statements(trial, r, b, first, count):
        block = [n for n in roots(trial)[r].walk() if n.kind == "block"][b]
        if first >= len(block.k) or (len(block.k) == 1 and r > 0 and b == 0):
            return False
        del block.k[first:first + count]

    def hoist(trial, r, b, i):
        """The statements of a block within take the statement's place."""
        block = [n for n in roots(trial)[r].walk() if n.kind == "block"][b]
        inner = [c for c in block.k[i].k if c.kind == "block"]
        if not inner:
            return False
        block.k[i:i + 1] = inner[0].k

    def replace(trial, r, at, number):
        nodes = [(p, j) for p in roots(trial)[r].walk() for j in range(len(p.k))]
        if at >= len(nodes):
            return False
        p, j = nodes[at]
        options = list(replacements(p.k[j]))
        if number >= len(options):
            return False
        p.k[j] = options[number].copy()

    attempt(lambda t: (setattr(t, "threads", 1), setattr(t, "blocks", 1)))
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for i in reversed(range(len(best.definitions))):
            if i < len(best.definitions):
                progress |= attempt(lambda t: t.definitions.__delitem__(i))
        for r in range(len(roots(best))):
            if r >= len(roots(best)):
                break
            b = 0
            while b < len([n for n in roots(best)[r].walk() if n.kind == "block"]):
                step = 8
                while step:
                    i = 0
                    while i < len([n for n in roots(best)[r].walk() if n.kind == "block"][b].k):
                        if attempt(lambda t: without_statements(t, r, b, i, step)):
                            progress = True
                        else:
                            i += step
                        if b >= len([n for n in roots(best)[r].walk() if n.kind == "block"]):
                            break
                    if b >= len([n for n in roots(best)[r].walk() if n.kind == "block"]):
                        break
                    step //= 2
                b += 1
            b = 0
            while b < len([n for n in roots(best)[r].walk() if n.kind == "block"]):
                for i in range(len([n for n in roots(best)[r].walk() if n.kind == "block"][b].k)):
                    progress |= attempt(lambda t: hoist(t, r, b, i) if b < len([n for n in roots(t)[r].walk() if n.kind == "block"]) and i < len([n for n in roots(t)[r].walk() if n.kind == "block"][b].k) else False)
                    if b >= len([n for n in roots(best)[r].walk() if n.kind == "block"]):
                        break
                b += 1
            at = 0
            while at < sum(len(p.k) for p in roots(best)[r].walk()) and time.monotonic() < end:
                nodes = [(p, j) for p in roots(best)[r].walk() for j in range(len(p.k))]
                p, j = nodes[at]
                for number in range(len(list(replacements(p.k[j])))):
                    if attempt(lambda t: replace(t, r, at, number)):
                        progress = True
                        break
                at += 1
    return best
