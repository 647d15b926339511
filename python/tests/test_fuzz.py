# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Some seconds of fuzz_syntax.py and of fuzz_values.py, in processes of their own."""

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("program", ["fuzz_syntax.py", "fuzz_values.py"])
def test_programs_for_some_seconds(program):
    path = os.path.join(os.path.dirname(__file__), program)
    done = subprocess.run([sys.executable, "-B", path, "5", "7"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
