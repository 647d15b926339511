#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions with effects, which the program's maps, comprehensions, reductions and searches call: each effect happens once, in Julia's order.

    random_effects.py --kiln PROGRAM [--seed N] [--count N]

A random function counts its calls, changes an array, a dictionary, a list or a variable around it, and may throw at an element. Python computes what each operation calls,
and so the effects. Arrays have 0 to 1,000 elements: long ones run as compiled code (docs/design/programs.md)."""

import argparse
import os
import random
import subprocess
import sys
import tempfile

M = 1009
SIZES = (0, 3, 63, 64, 100, 300, 1000)


class Stop(Exception):
    pass


def fold(f, A, start):
    for x in A:
        start = (start * 3 + f(x)) % M
    return start


def first(f, A):
    return next((i for i, x in enumerate(A, 1) if f(x) % 2), None)


def store(f, A):
    for i, x in enumerate(A):
        A[i] = f(x)
    return A


def best(f, A):
    values = [f(x) for x in A]
    return max(values)


def pairs(f, A):
    d = {}
    for x in A:
        d[x % 11] = f(x)
    return sum(k * v for k, v in d.items())


# Julia, Python, smallest size. f gives an integer from 0 to M - 1.
OPERATIONS = [
    ("map(f, A)", lambda f, A: [f(x) for x in A], 0),
    ("[f(x) for x in A]", lambda f, A: [f(x) for x in A], 0),
    ("[x for x in A if isodd(f(x))]", lambda f, A: [x for x in A if f(x) % 2], 0),
    ("[f(x) for x in A if isodd(f(x + 1))]", lambda f, A: [f(x) for x in A if f(x + 1) % 2], 0),
    ("filter(x -> isodd(f(x)), A)", lambda f, A: [x for x in A if f(x) % 2], 0),
    ("collect(Iterators.filter(x -> isodd(f(x)), A))", lambda f, A: [x for x in A if f(x) % 2], 0),
    ("collect(Iterators.map(f, A))", lambda f, A: [f(x) for x in A], 0),
    ("f.(A)", lambda f, A: [f(x) for x in A], 0),
    ("f.(A) .+ f.(A)", lambda f, A: [f(x) + f(x) for x in A], 0),
    ("(A .= f.(A); A)", store, 0),
    ("map!(f, A, A)", store, 0),
    ("(foreach(f, A); 0)", lambda f, A: [f(x) for x in A] and 0 or 0, 0),
    ("sum(f, A; init=0)", lambda f, A: sum(f(x) for x in A), 0),
    ("sum(f(x) for x in A; init=0)", lambda f, A: sum(f(x) for x in A), 0),
    ("sum([f(x) for x in A if isodd(f(x))]; init=0)", lambda f, A: sum([f(x) for x in A if f(x) % 2]), 0),
    ("foldl((s, x) -> mod(3s + f(x), 1009), A; init=1)", lambda f, A: fold(f, A, 1), 0),
    ("mapfoldl(f, (s, y) -> mod(3s + y, 1009), A; init=2)", lambda f, A: fold(f, A, 2), 0),
    ("maximum(f, A)", best, 1),
    ("count(x -> isodd(f(x)), A)", lambda f, A: sum(f(x) % 2 for x in A), 0),
    ("any(x -> f(x) == 5, A)", lambda f, A: any(f(x) == 5 for x in A), 0),
    ("all(x -> f(x) != 5, A)", lambda f, A: all(f(x) != 5 for x in A), 0),
    ("findfirst(x -> isodd(f(x)), A)", first, 0),
    ("findall(x -> isodd(f(x)), A)", lambda f, A: [i for i, x in enumerate(A, 1) if f(x) % 2], 0),
    ("sum(k * v for (k, v) in Dict(mod(x, 11) => f(x) for x in A); init=0)", pairs, 0),
    ("[f(x + y) for x in A, y in 1:3]", lambda f, A: [f(x + y) for y in range(1, 4) for x in A], 0),
    ("[f(x) for x in A for y in 1:2 if isodd(f(y))]", lambda f, A: [f(x) for x in A for y in (1, 2) if f(y) % 2], 0),
    ("map((x, y) -> f(x + y), A, reverse(A))", lambda f, A: [f(x + y) for x, y in zip(A, A[::-1])], 0),
    ("accumulate((s, x) -> mod(s + f(x), 1009), A; init=0)", lambda f, A: [s := 0] and [s := (s + f(x)) % M for x in A], 0),
    ("loop(f, A)", lambda f, A: fold(f, A, 0), 0),
    ("until(f, A)", lambda f, A: first(f, A) or 0, 0),
]
HELP = """
loop(f, A) = (s = 0; for x in A; s = mod(3s + f(x), 1009); end; s)
function until(f, A)
    k = 1
    while k <= length(A)
        isodd(f(A[k])) && return k
        k += 1
    end
    return 0
end
mutable struct Counter
    n::Int
end
sum_of_all = 0
told(r) = r isa AbstractArray ? string(length(r), " ", sum([k * Int(x) for (k, x) in enumerate(r)]; init=0)) : string(r)
"""
# name: Julia's text, and what it changes in Python's state.
EFFECTS = {
    "count": ("calls[] += 1", lambda s, x: s.update(calls=s["calls"] + 1)),
    "array": ("c[mod(x, 16) + 1] += x", lambda s, x: add(s["c"], x % 16, x)),
    "dict": ("d[mod(x, 7)] = get(d, mod(x, 7), 0) + 1", lambda s, x: add(s["d"], x % 7, 1)),
    "list": ("push!(list, x)", lambda s, x: s["list"].append(x)),
    "variable": ("total += x", lambda s, x: s.update(total=s["total"] + x)),
    "object": ("o.n += x", lambda s, x: s.update(object=s["object"] + x)),
    "groups": ("push!(groups[mod(x, 3)+1], x)", lambda s, x: s["groups"][x % 3].append(x)),
    "set": ("push!(seen, mod(x, 9))", lambda s, x: s["seen"].add(x % 9)),
    "texts": ("push!(texts, string(x))", lambda s, x: s["texts"].append(str(x))),
    "global": ("global sum_of_all += x", lambda s, x: s.update(all=s["all"] + x)),
    "last": ("last_two = (last_two[2], x)", lambda s, x: s.update(last=(s["last"][1], x))),
    "words": ("words[string(mod(x, 5))] = x", lambda s, x: s["words"].update({str(x % 5): x})),
}
TOLD = """calls[], " ", sum(c .* (1:16)), " ", [get(d, k, 0) for k in 0:6], " ", length(list), " ", sum(list), " ", total, " ", o.n, " ", map(sum, groups), " ", sort(collect(seen)),
        " ", length(join(texts)), " ", sum_of_all, " ", last_two, " ", [get(words, string(k), 0) for k in 0:4]"""


def add(items, k, x):
    items[k] += x


VALUES = [("mod(x * {k}, 1009)", lambda x, k, s: x * k % M), ("mod(x + calls[] * {k}, 1009)", lambda x, k, s: (x + s["calls"] * k) % M),
          ("mod(c[mod(x, 16) + 1] + {k}, 1009)", lambda x, k, s: (s["c"][x % 16] + k) % M)]  # fmt: skip


def case(number, rng):
    """Its Julia text, and a function of an array that computes what it prints."""
    operation, compute, least = rng.choice(OPERATIONS)
    effects = rng.sample(sorted(EFFECTS), rng.randint(1, 3))
    value, value_of = rng.choice(VALUES)
    k = rng.randint(1, 40)
    stop = rng.choice([None, None, 2, 50, 90, 250, 777])
    lines = [EFFECTS[effect][0] for effect in effects] + ([f'x == {stop} && error("at ", x)'] if stop else []) + [value.format(k=k)]
    text = f"""
function case{number}(A)
    (calls, c, d, list, total, o, groups) = (Ref(0), fill(0, 16), Dict{{Int,Int}}(), Int[], 0, Counter(0), [Int[] for _ in 1:3])
    (seen, texts, last_two, words) = (Set{{Int}}(), String[], (0, 0), Dict{{String,Int}}())
    global sum_of_all = 0
    f = x -> begin
        {'''
        '''.join(lines)}
    end
    r = try
        told({operation})
    catch e
        e isa ErrorException ? e.msg : rethrow()
    end
    println("{number} ", r, " ", {TOLD})
end
for n in {[s for s in SIZES if s >= least]}
    case{number}(collect(1:n))
end
"""

    def run(n):
        s = {"calls": 0, "c": [0] * 16, "d": [0] * 7, "list": [], "total": 0, "object": 0, "groups": [[], [], []], "seen": set(), "texts": [], "all": 0,
             "last": (0, 0), "words": {}}  # fmt: skip

        def f(x):
            for effect in effects:
                EFFECTS[effect][1](s, x)
            if x == stop:
                raise Stop(f"at {x}")
            return value_of(x, k, s)

        try:
            r = compute(f, list(range(1, n + 1)))
            if isinstance(r, list):
                r = f"{len(r)} {sum(i * x for i, x in enumerate(r, 1))}"
            elif isinstance(r, bool):
                r = str(r).lower()
            elif r is None:
                r = "nothing"
        except Stop as e:
            r = str(e)
        c = sum(i * x for i, x in enumerate(s["c"], 1))
        words = [s["words"].get(str(k), 0) for k in range(5)]
        return (f"{number} {r} {s['calls']} {c} {s['d']} {len(s['list'])} {sum(s['list'])} {s['total']} {s['object']} {[sum(g) for g in s['groups']]} "
                f"{sorted(s['seen']) or 'Int64[]'} {len(''.join(s['texts']))} {s['all']} {s['last']} {words}")  # fmt: skip

    return text, [run(n) for n in SIZES if n >= least]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    texts, wanted = zip(*(case(number, rng) for number in range(options.count)))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "random.jl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HELP + "".join(texts))
        done = subprocess.run([options.kiln, "script", "--device", "cpu", path], capture_output=True, text=True, timeout=1200, check=False)
    found, faults, lines = done.stdout.splitlines(), 0, 0
    for text, results in zip(texts, wanted):
        have = found[lines : lines + len(results)]
        lines += len(results)
        wrong = [(h, w) for h, w in zip(have + [""] * len(results), results) if h != w]
        if wrong:
            faults += 1
            print(f"seed {options.seed}:{text}have {wrong[0][0]}\nwant {wrong[0][1]}")
            if not wrong[0][0]:
                break
    if faults or done.returncode:
        print(f"{faults} of {options.count} functions are wrong\n{done.stderr}")
        return 1
    print(f"{lines} calls are right")
    return 0


sys.exit(main())
