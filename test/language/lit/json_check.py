# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""json_check.py EXPRESSION...: reads one JSON object from standard input, and fails unless each expression of Python is true of it, `d`."""
import json
import sys

text = sys.stdin.read()
d = json.loads(text)
if not isinstance(d, dict) or not text.endswith("}\n") or text.count("\n") != 1:
    sys.exit(f"expected one object on a line, got: {text[:200]}")
for expression in sys.argv[1:]:
    if not eval(expression, {"d": d}):  # expressions of the tests' own
        sys.exit(f"{expression} is false of {text}")
