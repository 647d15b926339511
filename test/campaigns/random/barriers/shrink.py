# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a kernel smaller as long as `find` shows the same fault in it.

The simulation refuses candidates without one outcome, for example those that lost a barrier which prevented a race.
"""
import dataclasses
import time

from simulate import Invalid, simulate
from tree import num, walk

BATCH = 24  # candidates in one process


def edits(body):
    """Smaller forms of a list of statements, the boldest first."""
    size = len(body)
    step = size
    while step >= 1:
        for start in range(0, size, step):
            yield body[:start] + body[start + step:]
        step //= 2
    for k, s in enumerate(body):
        for small in statement_edits(s):
            yield body[:k] + small + body[k + 1:]


def statement_edits(s):
    """Lists of statements that may take a statement's place."""
    if s[0] == "if":
        yield s[2]
        yield s[3]
    if s[0] in ("for", "while"):
        yield replaced(s[3], ("var", "i64", s[1]), num("i64", 1))
    for k, part in enumerate(s):
        if isinstance(part, list) and part and isinstance(part[0], tuple) and s[0] in ("if", "for", "while"):
            for small in edits(part):
                yield [s[:k] + (small,) + s[k + 1:]]
        elif isinstance(part, list):
            for i, e in enumerate(part):
                for small in expression_edits(e):
                    yield [s[:k] + (part[:i] + [small] + part[i + 1:],) + s[k + 1:]]
        elif isinstance(part, tuple):
            for small in expression_edits(part):
                yield [s[:k] + (small,) + s[k + 1:]]


def expression_edits(e):
    """Smaller expressions of the same type."""
    if e[1] != "b" and e[0] != "num":
        yield num(e[1], 1)
        if e[0] not in ("var", "load", "input", "item", "mine"):
            for part in e[2:]:
                if isinstance(part, tuple) and part[1] == e[1]:
                    yield part
    elif e[1] == "b":
        yield from (part for part in e[2:] if isinstance(part, tuple) and part[1] == "b")
    for k, part in enumerate(e):
        if isinstance(part, tuple):
            for small in expression_edits(part):
                yield e[:k] + (small,) + e[k + 1:]


def replaced(tree, old, new):
    if tree == old:
        return new
    if isinstance(tree, (list, tuple)):
        return type(tree)(replaced(part, old, new) for part in tree)
    return tree


def without_unused(kernel):
    """Without arguments, arrays and variables that the body does not name."""
    used = {part for s in walk(kernel.body) for part in s if isinstance(part, str)}
    only = lambda names: {name: value for name, value in names.items() if name in used}
    return dataclasses.replace(kernel, inputs=only(kernel.inputs), arrays=[a for a in kernel.arrays if a.name in used], contents=only(kernel.contents),
                               variables=only(kernel.variables), tuples=only(kernel.tuples), privates=only(kernel.privates))


def candidates(kernel):
    if kernel.grid != (1, 1, 1):
        yield dataclasses.replace(kernel, grid=(1, 1, 1))
    for threads in (1, 2, 7, 32, 33):
        if threads < kernel.threads:
            yield dataclasses.replace(kernel, block=(threads, 1, 1))
    small = without_unused(kernel)
    if small != kernel:
        yield small
    for body in edits(kernel.body):
        yield dataclasses.replace(kernel, body=body)


def fitted(kernel):
    """With as many initial values as the arrays have elements."""
    contents = {}
    for a in kernel.arrays:
        if not a.is_shared:
            contents[a.name] = kernel.contents[a.name][:kernel.size(a) * (kernel.blocks if a.kind == "segment" else 1)]
    return dataclasses.replace(kernel, contents=contents)


def prepared(kernel, number):
    """(kernel, expected values), or None if it has no outcome."""
    try:
        kernel = fitted(dataclasses.replace(kernel, seed=number))
        return kernel, simulate(kernel)
    except (Invalid, IndexError, NameError, SyntaxError, KeyError):
        return None


def shrink(kernel, find, seconds):
    """`find` gets a list of (kernel, expected values) and returns the number of the first one that shows the fault, or None."""
    end = time.monotonic() + seconds
    number = 0
    is_smaller = True
    while is_smaller and time.monotonic() < end:
        is_smaller = False
        batch = []
        for candidate in candidates(kernel):
            number += 1
            case = prepared(candidate, number)
            if case:
                batch.append(case)
            if len(batch) >= BATCH:
                found, batch = find(batch), []
                if found is not None or time.monotonic() > end:
                    break
        else:
            found = find(batch) if batch else None
        if found is not None:
            kernel, is_smaller = found, True
    return kernel
