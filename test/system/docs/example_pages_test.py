#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of the examples (docs/example_pages.py): a missing program or an unlisted folder stops the site."""
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "docs"))
import example_pages

PROGRAMS = ["bin/kiln", "docs/examples/example_embed", "test/system/api/lisp/lisp/lisp", "test/system/api/infix/infix/infix"]


class Pages(unittest.TestCase):
    def setUp(self):
        self.root = self.enterContext(tempfile.TemporaryDirectory())
        self.examples, self.pages, self.build = (os.path.join(self.root, name) for name in ("examples", "pages", "build"))
        for folder in (*(os.path.join(self.examples, name) for name in example_pages.FOLDERS), self.pages):
            os.makedirs(folder)
        self.make("examples/embed.cpp", "int main() {}")
        self.make("examples/one.jl", "# SPDX\n#\n# One kernel.\n#   kiln run one.jl\none() = 1\n")
        self.make("examples/lisp/programs/saxpy.lisp", "(saxpy)")

    def make(self, path, text, mode=0o644):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)

    def make_build(self, programs, has_tests):
        self.make("build/CMakeCache.txt", f"# cache\nKILN_BUILD_COMMAND:BOOL=ON\nKILN_BUILD_TESTS:BOOL={has_tests}\nCMAKE_AR:FILEPATH=/usr/bin/ar\n")
        for program in programs:
            self.make(f"build/{program}", "#!/bin/sh\necho output of ${0##*/}\n", 0o755)

    def write(self, build):
        return example_pages.write(self.examples, self.pages, build)

    def page(self, name):
        with open(os.path.join(self.pages, name), encoding="utf-8") as file:
            return file.read()

    def test_outputs_of_a_complete_build(self):
        self.make_build(PROGRAMS, "ON")
        self.write(self.build)
        for page, program in (("one.md", "kiln"), ("embed.md", "example_embed"), ("lisp.md", "lisp"), ("infix.md", "infix")):
            self.assertIn(f"output of {program}", self.page(page))

    def test_each_missing_program_is_an_error(self):
        for missing in PROGRAMS:
            with self.subTest(missing):
                self.make_build(PROGRAMS, "ON")
                os.remove(os.path.join(self.build, missing))
                with self.assertRaisesRegex(SystemExit, f"{missing} is missing"):
                    self.write(self.build)

    def test_a_build_without_tests_has_pages_without_outputs(self):
        self.make_build(["bin/kiln"], "OFF")
        self.write(self.build)
        self.assertIn("output of kiln", self.page("one.md"))
        self.assertNotIn("output of", self.page("lisp.md"))

    def test_no_build_folder(self):
        for build in (None, self.build):  # the folder does not exist
            self.write(build)
            self.assertNotIn("output of", self.page("one.md") + self.page("lisp.md"))

    def test_a_folder_without_an_entry_is_an_error(self):
        os.makedirs(os.path.join(self.examples, "new"))
        with self.assertRaisesRegex(SystemExit, "FOLDERS in docs/example_pages.py differ: new$"):
            self.write(None)

    def test_an_entry_without_a_folder_is_an_error(self):
        os.rmdir(os.path.join(self.examples, "cprog"))
        with self.assertRaisesRegex(SystemExit, "differ: cprog$"):
            self.write(None)


if __name__ == "__main__":
    unittest.main()
