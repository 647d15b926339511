# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nest.py KIND DEPTH FILE: writes a kernel k(y) that nests so deep, or one expression for KIND value."""
import sys

kind, depth, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
body, before = "y[1] = 1f0", ""
if kind == "calls":
    before = "f0(x) = x + 1f0\n" + "".join(f"f{i}(x) = f{i - 1}(x) * 2f0\n" for i in range(1, depth))
    body = f"@inbounds y[1] = f{depth - 1}(y[1])"
elif kind == "parentheses":
    body = "@inbounds y[1] = " + "(" * depth + "y[1]" + ")" * depth
elif kind == "arguments":
    before, body = "f(x) = x * 2f0\n", "@inbounds y[1] = " + "f(" * depth + "y[1]" + ")" * depth
elif kind == "blocks":
    body = "if y[1] > 0f0\n" * depth + "y[1] = 1f0\n" + "end\n" * depth
elif kind == "evaluation":
    before, body = f"g(n) = n <= 0 ? 0f0 : 1f0 + g(n - 1)\nconst c = g({depth})\n", "@inbounds y[1] = c"
with open(path, "w", encoding="utf-8") as file:
    file.write(f"{before}function k(y)\n    {body}\n    return\nend\n")
