#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions that make, keep, drop and give arrays compute what Python computes, interpreted and compiled (runtime/host/host_arrays.h).

    random_arrays.py --kiln PROGRAM [--seed N] [--count N]

Each has a few vectors of Int64 in variables, an argument, fields of a struct and tuples, and a loop whose statements make new ones from them. The same statements, as
Python, say what comes out. A last function makes so much that what is not needed has to go while it runs."""

import argparse
import os
import random
import subprocess
import sys
import tempfile

M = 10007
NAMES = ["a", "b", "c", "d"]
# Julia, Python; {u} {v} {w} are variables, {k} a number, {n} the round.
MADE = [
    ("zeros(Int, {k})", "[0] * {k}"),
    ("fill(i, {k})", "[i] * {k}"),
    ("copy({u})", "list({u})"),
    ("[mod(x + i, 10007) for x in {u}]", "[(x + i) % 10007 for x in {u}]"),
    ("[mod({u}[j] * j, 10007) for j in 1:length({u})]", "[{u}[j] * (j + 1) % 10007 for j in range(len({u}))]"),
    ("[x for x in {u} if isodd(x)]", "[x for x in {u} if x % 2]"),
    ("mod.({u} .* 3 .+ i, 10007)", "[(x * 3 + i) % 10007 for x in {u}]"),
    ("map(x -> x ÷ 2, {u})", "[x // 2 for x in {u}]"),
    ("{u}[1:min(end, {k})]", "{u}[: min(len({u}), {k})]"),
    ("{u}[end:-1:1]", "{u}[::-1]"),
    ("[i, {k}, length({u})]", "[i, {k}, len({u})]"),
    ("reversed({u})", "{u}[::-1]"),
    ("pick({u}, {v}, i)", "({u} if i % 2 else {v})"),
    ("p.x", "p[0]"),
    ("p.y", "p[1]"),
    ("t[1]", "t[0]"),
    ("collect(1:{k})", "list(range(1, {k} + 1))"),
    ("nested({k})", "[x * x % 10007 for x in range({k})]"),
]
DONE = [
    ("{u}, {v} = {v}, {u}", "{u}, {v} = {v}, {u}"),
    ("p = Pair2({u}, {v}, i)", "p = ({u}, {v}, i)"),
    ("t = ({u}, p)", "t = ({u}, p)"),
    ("for j in 1:length({u}); {u}[j] = mod({u}[j] + i, 10007); end", "for j in range(len({u})): {u}[j] = ({u}[j] + i) % 10007"),
    ("isempty({u}) || ({u}[end] = i)", "if {u}: {u}[-1] = i"),
    ("s = mod(s * 31 + total({u}), 10007)", "s = (s * 31 + total({u})) % 10007"),
    ("s = mod(s + total(t[2].x) + t[2].n, 10007)", "s = (s + total(t[1][0]) + t[1][2]) % 10007"),
    ("i % 7 == 3 && ({u} = {v})", "if i % 7 == 3: {u} = {v}"),
    ("length({u}) > 40 && ({u} = {u}[1:5])", "if len({u}) > 40: {u} = {u}[:5]"),
    ("length({u}) < 60 && push!({u}, i)", "if len({u}) < 60: {u}.append(i)"),
    ("length({u}) < 60 && push!({u}, i, {k})", "if len({u}) < 60: {u}.extend([i, {k}])"),
    ("isempty({u}) || (s = mod(s + pop!({u}), 10007))", "if {u}: s = (s + {u}.pop()) % 10007"),
    ("isempty({u}) || (s = mod(s * 3 + popfirst!({u}), 10007))", "if {u}: s = (s * 3 + {u}.pop(0)) % 10007"),
    ("length({u}) < 60 && pushfirst!({u}, {k})", "if len({u}) < 60: {u}.insert(0, {k})"),
    ("length({u}) > 2 && deleteat!({u}, 2)", "if len({u}) > 2: del {u}[1]"),
    ("length({u}) < 60 && insert!({u}, length({u}) ÷ 2 + 1, i)", "if len({u}) < 60: {u}.insert(len({u}) // 2, i)"),
    ("length({u}) < 40 && append!({u}, {v}[1:min(end, 9)])", "if len({u}) < 40: {u}.extend({v}[:9])"),
    ("length({u}) < 40 && append!({u}, {u})", "if len({u}) < 40: {u}.extend(list({u}))"),
    ("length({u}) < 40 && append!({u}, (i, {k}))", "if len({u}) < 40: {u}.extend([i, {k}])"),
    ("resize!({u}, min(length({u}), 5))", "del {u}[5:]"),
    ("i % 11 == 0 && empty!({u})", "if i % 11 == 0: {u}.clear()"),
]
HELP = """struct Pair2
    x::Vector{Int}
    y::Vector{Int}
    n::Int
end
function total(v)
    s = 0
    for x in v
        s = mod(s * 7 + x, 10007)
    end
    return s
end
pick(u, v, i) = isodd(i) ? u : v
@noinline function reversed(u)
    r = similar(u)
    for j in 1:length(u)
        r[length(u)+1-j] = u[j]
    end
    return r
end
@noinline nested(n) = n == 0 ? Int[] : joined(nested(n - 1), mod((n - 1)^2, 10007))
@noinline function joined(v, x)
    w = zeros(Int, length(v) + 1)
    for j in 1:length(v)
        w[j] = v[j]
    end
    w[end] = x
    return w
end
"""


def total(v):
    s = 0
    for x in v:
        s = (s * 7 + x) % M
    return s


def fill(form, names):
    names = [*names, "g"]
    holes = {"u": random.choice(names), "v": random.choice(names), "k": random.randint(1, 30)}
    return [text.format(**holes) for text in form]


def function(name):
    start = [fill(random.choice(MADE[:2] + MADE[16:]), NAMES) for _ in NAMES]
    body = []
    for _ in range(random.randint(3, 9)):
        if random.random() < 0.5:
            target = random.choice(NAMES)
            julia, python = fill(random.choice(MADE), NAMES)
            body.append((f"{target} = {julia}", f"{target} = {python}"))
        else:
            body.append(fill(random.choice(DONE), NAMES))
    julia = [f"function {name}(n, g)", "    i = 0; s = 1"]
    python = [f"def {name}(n, g):", "    i = 0; s = 1"]
    for target, (j, p) in zip(NAMES, start):
        julia.append(f"    {target} = {j}")
        python.append(f"    {target} = {p}")
    julia += ["    p = Pair2(a, b, 0)", "    t = (c, p)", "    for i in 1:n"]
    python += ["    p = (a, b, 0)", "    t = (c, p)", "    for i in range(1, n + 1):"]
    for j, p in body:
        julia.append("        " + j)
        python.append("        " + p)
    julia += ["    end", "    return (a, b, c, d, p.x, p.y, t[1], g, s)", "end"]
    python += ["    return (a, b, c, d, p[0], p[1], t[0], g, s)"]
    return "\n".join(julia), "\n".join(python)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=20_000, help="of the last call of each")
    options = parser.parse_args()
    random.seed(options.seed)
    text = HELP
    wanted = []
    for number in range(options.count):
        julia, python = function(f"f{number}")
        text += julia + f"""
for n in (1, 2, 5, 30, 1500, 3, 50, {options.rounds})
    g = [3, 1, 4]
    r = f{number}(n, g)
    println("f{number} ", n, " ", map(total, r[1:8]), " ", map(length, r[1:8]), " ", r[9], " ", sum([Int(r[j] === r[k]) for j in 1:8 for k in 1:8]), " ", total(g))
end
"""  # fmt: skip
        scope = {"total": total}
        exec(python, scope)
        for n in (1, 2, 5, 30, 1500, 3, 50, options.rounds):
            g = [3, 1, 4]
            r = scope[f"f{number}"](n, g)
            same = sum(r[j] is r[k] for j in range(8) for k in range(8))
            wanted.append(f"f{number} {n} ({', '.join(str(total(v)) for v in r[:8])}) ({', '.join(str(len(v)) for v in r[:8])}) {r[8]} {same} {total(g)}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "random.jl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([options.kiln, "script", "--device", "cpu", path], capture_output=True, text=True, timeout=1200, check=False)
    found = done.stdout.splitlines()
    for have, want in zip(found + [""] * len(wanted), wanted):
        if have != want:
            print(f"seed {options.seed}: want {want}\n      have {have}\n{done.stderr}")
            name = want.split()[0]
            print(text[text.index(f"function {name}(") :].split("\nfor n in")[0])
            return 1
    print(f"{len(wanted)} calls are right")
    return done.returncode


sys.exit(main())
