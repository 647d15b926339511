# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program's text by `kiln script`, for the tests of this folder."""
import argparse
import os
import subprocess
import tempfile


def run_script(kiln, text, device="cpu"):
    """The finished process, without a cache of the user's."""
    with tempfile.NamedTemporaryFile("w", suffix=".jl", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        return subprocess.run([kiln, "script", "--device", device, file.name], env={**os.environ, "KILN_CACHE_DIR": ""}, capture_output=True, text=True, timeout=600, check=False)


def random_options(description, count):
    """The options of a test that makes `count` random programs."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=count)
    return parser.parse_args()
