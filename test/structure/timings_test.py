#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
""".ci/timings.py: two programs take turns at being first, and a program that is missing is an error."""
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SCRIPT = os.path.join(ROOT, ".ci", "timings.py")
PROGRAM = """#!/bin/sh
echo ${0##*/} >>"${0%/*}/runs"
for word; do case $word in --timings=json:*) echo "{}" >"${word#--timings=json:}" ;; esac; done
"""


def load():
    spec = importlib.util.spec_from_file_location("timings", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Timings(unittest.TestCase):
    def make_program(self, folder, name):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        os.chmod(path, 0o755)
        return path

    def test_each_program_is_first_in_every_other_turn(self):
        os.chdir(ROOT)
        with tempfile.TemporaryDirectory() as folder:
            programs = [self.make_program(folder, name) for name in ("old", "new")]
            paths = load().measure(programs, "saxpy", folder)
            with open(os.path.join(folder, "runs"), encoding="utf-8") as file:
                self.assertEqual(file.read().split(), ["old", "new", "new", "old", "old", "new", "new", "old", "old", "new"])
            for path in paths:
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(file.read(), "{}\n" * 5)

    def test_a_missing_program_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "build/release/bin"))
            self.make_program(os.path.join(folder, "build/release/bin"), "kiln")
            subprocess.run("git init -q && git -c user.name=n -c user.email=e commit -q --allow-empty -m first", shell=True, check=True, cwd=folder)
            for wrong in ("no/kiln", "build"):
                done = subprocess.run([sys.executable, "-B", SCRIPT], cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, "KILN_TIMINGS_BEFORE": wrong})
                self.assertEqual((done.returncode, done.stdout), (2, f"error: KILN_TIMINGS_BEFORE={wrong} is no program; name an executable file\n"))


if __name__ == "__main__":
    unittest.main()
