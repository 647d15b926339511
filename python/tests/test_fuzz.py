# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Some seconds of fuzz_syntax.py, in a process of its own."""

import os
import subprocess
import sys


def test_functions_of_the_standard_library():
    program = os.path.join(os.path.dirname(__file__), "fuzz_syntax.py")
    done = subprocess.run([sys.executable, "-B", program, "5", "7"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
