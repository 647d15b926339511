#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The language of docs/examples/lisp on a GPU: its programs' values and its kernels' exceptions, as test/system/api/lisp/check.py has them.

    lisp.py LISP [--device cuda:N]

LISP is the language's program, built against the installed Kiln or in the tree (build/release/test/system/api/lisp/lisp/lisp). Ends with 77
(skipped) where there is no GPU."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))


def main():
    lisp = sys.argv[1]
    device = sys.argv[3] if sys.argv[2:3] == ["--device"] else "cuda"
    probe = subprocess.run([lisp, "--device", device], input="", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if probe.returncode:
        print("skipped:", probe.stderr.strip())
        return 77
    return subprocess.run([sys.executable, "-B", os.path.join(ROOT, "test", "system", "api", "lisp", "check.py"), lisp,
                           os.path.join(ROOT, "docs", "examples", "lisp", "programs"), "--device", device]).returncode


if __name__ == "__main__":
    sys.exit(main())
