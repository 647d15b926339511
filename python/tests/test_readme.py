# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README's kernel runs as it stands."""
import os
import re

import numpy as np

README = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "README.md")


def test_readme(tmp_path):
    with open(README, encoding="utf-8") as file:
        [code] = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
    path = tmp_path / "readme.py"  # a kernel needs a file with its text
    path.write_text(code)
    names = {}
    exec(compile(code, str(path), "exec"), names)
    assert np.array_equal(names["y"], 1 + 2 * np.arange(1000, dtype=np.float32))
