#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions of a program give what they gave when they ran first, interpreted, once they are compiled (lib/programs/hot_code.h).

    random_functions.py --kiln PROGRAM [--seed N] [--count N]

Each has a loop over integers, floats, a Bool and two arrays, which it may write to. Its first call is short, so the interpreter makes it; longer ones
follow, until it is compiled; then the first call is made again. Results, and the arrays afterwards, have to be the same bit for bit."""

import argparse
import os
import random
import subprocess
import sys
import tempfile

INTEGERS = ["i", "k", "n", "t", "3", "-7", "1", "x[mod1(i, 20)]", "length(x)", "Int(b)"]
FLOATS = ["s", "0.5", "Float64(i)", "z[mod1(k, 20)]", "1.25", "Float64(Float32(s))"]
INTEGER_FORMS = ["({a} + {b})", "({a} - {b})", "({a} * {b})", "({a} & {b})", "({a} | {b})", "xor({a}, {b})", "max({a}, {b})", "min({a}, {b})", "abs({a})",
                 "({a} ÷ (abs({b}) % 13 + 1))", "({a} % (abs({b}) % 11 + 2))", "mod({a}, abs({b}) % 9 + 2)", "({a} << (abs({b}) % 7))", "({a} >> (abs({b}) % 7))",
                 "ifelse({a} < {b}, {a}, {b})", "Int({a} % Int32)", "({a} > {b} ? {b} : {a} + 1)", "sum(({a}, {b}, 1))", "gcd({a} % 1000, 12)",
                 "trunc(Int, {f} % 1000)", "sum(divrem({a}, 7))"]  # fmt: skip
FLOAT_FORMS = ["({a} + {b})", "({a} - {b})", "({a} * {b})", "({a} / (abs({b}) + 1))", "min({a}, {b})", "max({a}, {b})", "copysign({a}, {b})", "abs({a})",
               "sqrt(abs({a}))", "round({a} / 3)", "round({a} / (1 + abs({b})); digits=2)", "({a} * {b} + 0.1)", "floor({a} / 7)", "sin({a} % 100)", "({a} % 10)", "exp(-abs({a} % 20))", "log(abs({a}) + 1)", "Float64(cos(Float32({a} % 100)))", "Float64(exp(Float32({a} % 20)))", "abs({a}) ^ 0.7",
               "float({i})"]  # fmt: skip
STATEMENTS = ["x[mod1(k, 20)] = t % 100", "z[mod1(i, 20)] = s / 2", "k > 40 && continue", "t > 900000 && break", "if b; t += 1; else; s -= 1; end"]


def integer(depth):
    if not depth:
        return random.choice(INTEGERS)
    return random.choice(INTEGER_FORMS).format(a=integer(depth - 1), b=integer(depth - 1), f=random.choice(FLOATS))


def real(depth):
    if not depth:
        return random.choice(FLOATS)
    return random.choice(FLOAT_FORMS).format(a=real(depth - 1), b=real(depth - 1), i=random.choice(INTEGERS))


def function(name):
    return f"""function {name}(x, z, n)
    t = 1; s = 0.25; k = 2; b = false
    for i in 1:n
        t = ({integer(3)}) % 1000003
        s = {real(3)}
        isfinite(s) || (s = 1.0)
        abs(s) < 1e12 || (s = 1e6)
        k = abs({integer(2)}) % 50
        b = {integer(1)} < {integer(1)}
        {random.choice(STATEMENTS)}
    end
    return (t, s, k, b)
end
let x = [mod(7i, 23) for i in 1:20], z = [i / 3 for i in 1:20]
    x1, z1, x2, z2 = copy(x), copy(z), copy(x), copy(z)
    cold = {name}(x1, z1, 40)
    for _ in 1:12
        {name}(copy(x), copy(z), 400)
    end
    hot = {name}(x2, z2, 40)
    if !(all(map(isequal, cold, hot)) && x1 == x2 && isequal(z1, z2))
        println("{name}: ", cold, " interpreted, ", hot, " compiled; arrays are the same: ", x1 == x2, " ", isequal(z1, z2))
        global differ += 1
    end
end
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    options = parser.parse_args()
    random.seed(options.seed)
    text = "differ = 0\n" + "".join(function(f"f{n}") for n in range(options.count)) + 'println(differ, " differ")\n'
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "random.jl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([options.kiln, "script", "--device", "cpu", path], capture_output=True, text=True, timeout=600, check=False)
    print(done.stdout + done.stderr, end="")
    if done.returncode or done.stdout != "0 differ\n":
        print(f"the program of seed {options.seed}:\n{text}")
        return 1
    return 0


sys.exit(main())
