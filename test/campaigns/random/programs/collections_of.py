# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Base functions over tuples, ranges and arrays, and those that call functions they are given ("Collections and data
structures" of Julia's documentation). Each gets the evaluator first."""
import library_bits  # noqa: F401, its entries of BASE
from library import BASE, convert, is_equal, is_less, items_of
from numbers_of import INTS, signed, width
from types_of import Ambiguous
from values import Array, Named, Num, Range, Thrown, Tup, as_type, boolean, egal

FUNCTIONS = {}


def function(*names):
    def put(f):
        for name in names:
            FUNCTIONS[name] = f
        return f
    return put


def get_index(x, i):
    if isinstance(i, Range):
        return Tup([get_index(x, e) for e in items_of(i)])
    items = items_of(x)
    if not 1 <= i.v <= len(items):
        raise Thrown("BoundsError")
    return items[i.v - 1]


def set_index(array, i, x):
    x = convert(array.T, x)
    if not 1 <= i.v <= len(array.items):
        raise Thrown("BoundsError")
    array.items[i.v - 1] = x


def count(n):
    return Num("Int64", n)


FUNCTIONS["length"] = lambda ev, x: count(len(items_of(x)))
FUNCTIONS["first"] = lambda ev, x: get_index(x, count(1)) if not isinstance(x, Range) else Num(x.T, x.r.start)
FUNCTIONS["lastindex"] = FUNCTIONS["length"]
FUNCTIONS["firstindex"] = lambda ev, x: count(1)
FUNCTIONS["tuple"] = lambda ev, *args: Tup(args)
FUNCTIONS["ifelse"] = lambda ev, c, a, b: a if c.v else b
FUNCTIONS["==="] = lambda ev, a, b: boolean(egal(a, b))
FUNCTIONS["!=="] = lambda ev, a, b: boolean(not egal(a, b))
FUNCTIONS["isnothing"] = lambda ev, x: boolean(x is None)
FUNCTIONS["Base.tail"] = lambda ev, t: Tup(t.items[1:])
FUNCTIONS["Base.front"] = lambda ev, t: Tup(t.items[:-1])
FUNCTIONS["eachindex"] = lambda ev, x: Range("Int64", None, range(1, len(items_of(x)) + 1))
FUNCTIONS["values"] = lambda ev, x: Tup(x.items)
FUNCTIONS["Tuple"] = lambda ev, x: Tup(items_of(x))


@function("last")
def last(ev, x):
    items = items_of(x)
    if not items:
        raise Ambiguous("the last element of nothing")
    return items[-1]


@function("reverse")
def reverse(ev, x):
    return Range(x.T, x.S or x.T, x.r[::-1]) if isinstance(x, Range) else Tup(x.items[::-1])


@function("==")
def equal(ev, a, b):
    if isinstance(a, Num) and isinstance(b, Num):
        return boolean(a.v == b.v)
    if isinstance(a, Named) and isinstance(b, Named) and a.names != b.names:
        return boolean(False)
    if isinstance(a, (Tup, Named, Range)):
        x, y = items_of(a), items_of(b)
        return boolean(len(x) == len(y) and all(ev.call("==", [p, q], {}).v for p, q in zip(x, y)))
    return boolean(egal(a, b))


FUNCTIONS["!="] = lambda ev, a, b: boolean(not ev.call("==", [a, b], {}).v)


@function("isequal")
def isequal(ev, a, b):
    if isinstance(a, Num):
        return boolean(is_equal(a, b))
    return boolean(len(a.items) == len(b.items) and all(isequal(ev, x, y).v for x, y in zip(a.items, b.items)))


@function("isless")
def isless(ev, a, b):
    if isinstance(a, Num):
        return boolean(is_less(a, b))
    for x, y in zip(a.items, b.items):
        if isless(ev, x, y).v:
            return boolean(True)
        if not isequal(ev, x, y).v:
            return boolean(False)
    return boolean(len(a.items) < len(b.items))


@function("in", "∈")
def contains(ev, x, items):
    return boolean(any(ev.call("==", [x, y], {}).v for y in items_of(items)))


@function("promote")
def promote(ev, *args):
    from numbers_of import meet
    t = args[0].t
    for x in args[1:]:
        t = meet(t, x.t)
    return Tup([convert(t, x) for x in args])


FUNCTIONS["divrem"] = lambda ev, a, b: Tup([BASE["div"](a, b), BASE["rem"](a, b)])
FUNCTIONS["fldmod"] = lambda ev, a, b: Tup([BASE["fld"](a, b), BASE["mod"](a, b)])
FUNCTIONS["minmax"] = lambda ev, a, b: Tup([BASE["min"](a, b), BASE["max"](a, b)])
FUNCTIONS["extrema"] = lambda ev, t: Tup([reduced(ev, "minimum", items_of(t)), reduced(ev, "maximum", items_of(t))])


@function("something")
def something(ev, *args):
    return next(x for x in args if x is not None)


@function("merge")
def merge(ev, a, b):
    return Named(*zip(*{**dict(zip(a.names, a.items)), **dict(zip(b.names, b.items))}.items()))


@function("Base.setindex")
def setindex(ev, t, x, i):
    if not 1 <= i.v <= len(t.items):
        raise Thrown("BoundsError")
    return Tup([x if j == i.v - 1 else e for j, e in enumerate(t.items)])


# ---- with functions
@function("map")
def map_(ev, f, *sources):
    t = [items_of(x) for x in sources]
    found = [ev.apply(f, list(args)) for args in zip(*t)]
    return Named(sources[0].names, found) if isinstance(sources[0], Named) else Tup(found)


@function("ntuple")
def ntuple(ev, f, n):
    return Tup([ev.apply(f, [count(i + 1)]) for i in range(n.v)])


@function("foldl", "reduce")
def foldl(ev, op, items, init=None):
    items = ([] if init is None else [init]) + items_of(items)
    if not items:
        raise Ambiguous("a fold of nothing")
    x = items[0]
    for y in items[1:]:
        x = ev.apply(op, [x, y])
    return x


@function("foldr")
def foldr(ev, op, items):
    items = items_of(items)
    x = items[-1]
    for y in items[-2::-1]:
        x = ev.apply(op, [y, x])
    return x


@function("mapreduce")
def mapreduce(ev, f, op, items):
    return foldl(ev, op, Tup([ev.apply(f, [x]) for x in items_of(items)]))


def reduced(ev, name, items):
    """sum, prod, minimum and maximum of numbers; small integers are summed in Int64 or UInt64."""
    if name in ("sum", "prod"):
        if not items:
            raise Ambiguous("a sum of nothing")
        if any(x.t in INTS + ["Bool"] and width(x.t) < 64 for x in items):
            items = [as_type("UInt64" if x.t != "Bool" and not signed(x.t) else "Int64", x) for x in items]
        return BASE["+" if name == "sum" else "*"](*items)
    if not items:
        raise Thrown("ArgumentError")
    return BASE["min" if name == "minimum" else "max"](*items)


for each in ("sum", "prod", "minimum", "maximum"):
    def of(ev, *args, name=each):
        items = items_of(args[-1])
        return reduced(ev, name, [ev.apply(args[0], [x]) for x in items] if len(args) == 2 else items)
    FUNCTIONS[each] = of


@function("any")
def any_(ev, f, items):
    return boolean(any(ev.apply(f, [x]).v for x in items_of(items)))


@function("all")
def all_(ev, f, items):
    return boolean(all(ev.apply(f, [x]).v for x in items_of(items)))


@function("count")
def count_(ev, f, items):
    return count(sum(ev.apply(f, [x]).v for x in items_of(items)))


@function("findfirst")
def findfirst(ev, f, items):
    return next((count(i + 1) for i, x in enumerate(items_of(items)) if ev.apply(f, [x]).v), None)


@function("zip")
def zip_(ev, *sources):
    return Tup([Tup(items) for items in zip(*map(items_of, sources))])


@function("enumerate")
def enumerate_(ev, items):
    return Tup([Tup([count(i + 1), x]) for i, x in enumerate(items_of(items))])


@function("MVector")
def mvector(ev, *args):
    return Array(args[0].t, list(args), len(args))


@function("fill!")
def fill(ev, array, x):
    array.items[:] = [convert(array.T, x)] * len(array.items)
    return array
