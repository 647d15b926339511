#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every rule of check.py finds its violation, and an orderly house passes."""
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import check

check.LONG_FILES = {}  # of the tree itself

LICENCE = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
HEADER = LICENCE + "#pragma once\n"
PUBLIC = HEADER + "#include <kiln/version.h>\n"
ORDERLY = {
    "cmake/components.txt": "# layer component folder\n0 support lib/support\n1 types lib/types\n2 syntax lib/frontend/julia/syntax\n3 world lib/world\n4 job lib/job\n5 julia lib/frontend/julia\n6 emit lib/emit LLVM\n6 cache lib/cache\n7 pipeline lib/pipeline LLVM\n",
    "cmake/public_headers.txt": "# component headers\nsupport result.h version.h\njob job.h\n",
    "include/kiln/version.h": HEADER,
    "include/kiln/result.h": HEADER + "#include <kiln/version.h>\nnamespace kiln::inline KILN_API_VERSION {\nclass Error {\n};\nclass Later;\n} // namespace kiln::inline KILN_API_VERSION\n",
    "include/kiln/job.h": HEADER + "#include <kiln/result.h>\n",
    "lib/support/support.h": HEADER + '#include "file.h"\n#include <kiln/result.h>\n',
    "lib/support/file.h": HEADER,
    "lib/types/types.h": HEADER + "#include <support/support.h>\n",
    "lib/types/CMakeLists.txt": "add_component(types DEPENDS support)\n",
    "lib/emit/emit.h": HEADER,
    "lib/emit/emit.cpp": LICENCE + '#include "emit.h"\n#include <llvm/IR/Module.h>\n#include <types/types.h>\n',
    "lib/cache/cache.h": HEADER,
    "lib/frontend/julia/julia.h": HEADER,
    "lib/frontend/julia/julia.cpp": LICENCE + "#include <syntax/syntax.h>\n",
    "lib/frontend/julia/syntax/syntax.h": HEADER,
    "test/unit/support/file_test.cpp": LICENCE + "#include <support/file.h>\n",
}
ORDERLY.update({f"test/unit/{component}/CMakeLists.txt": "" for component in ("support", "types", "syntax", "world", "job", "julia", "emit", "cache", "pipeline")})


class Rules(unittest.TestCase):
    def violations(self, changes):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**ORDERLY, **changes}.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            return check.check(root)

    def finds(self, path, text, message, line=None):
        found = self.violations({path: text})
        self.assertEqual(len(found), 1, found)
        self.assertIn(message, found[0])
        self.assertTrue(found[0].startswith(f"{path}:{line or ''}"), found[0])

    def test_order(self):
        self.assertEqual(self.violations({}), [])

    def test_standard_streams(self):
        for text in ("int f = ::open(name, 0);", "FILE *f = std::fopen(name, mode);", "int f = ::openat(at, name, 0);", "int f = ::dup(1);"):
            self.finds("lib/support/a.cpp", LICENCE + text + "\n", "descriptor.h", 2)

    def test_versions(self):
        self.finds("lib/support/a.cpp", LICENCE + "namespace llvm {\nclass Error;\n}\nnamespace kiln {\nvoid f() {\n}\n\nclass Error;\nclass Mine;\n} // namespace kiln\n", "kiln/forward.h", 9)
        self.finds("include/kiln/job.h", HEADER + "#include <kiln/result.h>\nnamespace kiln {\nclass World;\nstruct Job {\n  int i;\n};\n} // namespace kiln\n", "kiln::inline", 6)
        self.finds("include/kiln/job.h", HEADER, "refuses older C++", 1)

    def test_upward(self):
        self.finds("lib/support/a.cpp", LICENCE + "#include <types/types.h>\n", "upward", 2)

    def test_program(self):
        self.finds("tools/kiln/a.cpp", LICENCE + "#include <cache/cache.h>\n", "uses the public API", 2)
        self.assertEqual(self.violations({"tools/kiln/a.cpp": LICENCE + "#include <support/support.h>\n"}), [])
        self.assertEqual(self.violations({"tools/embed/a.cpp": LICENCE + "#include <cache/cache.h>\n"}), [])

    def test_upward_public(self):
        self.finds("lib/types/a.cpp", LICENCE + "\n#include <kiln/job.h>\n", "upward", 3)

    def test_sideways(self):
        self.finds("lib/emit/a.cpp", LICENCE + "#include <cache/cache.h>\n", "sideways")

    def test_inner_header(self):
        self.finds("lib/emit/a.cpp", LICENCE + "#include <support/file.h>\n", "alone")

    def test_second_header(self):
        self.assertEqual(self.violations({"lib/emit/a.cpp": LICENCE + "#include <support/stack.h>\n", "lib/support/stack.h": HEADER}), [])

    def test_relative_escape(self):
        self.finds("lib/emit/a.cpp", LICENCE + '#include "../support/file.h"\n', "another component")

    def test_test_of_another_room(self):
        self.finds("test/unit/types/a.cpp", LICENCE + "#include <support/file.h>\n", "alone")

    def test_llvm_below_the_border(self):
        self.finds("lib/types/a.cpp", LICENCE + "#include <llvm/IR/Module.h>\n", "free of LLVM")

    def test_public_header_without_component(self):
        self.finds("include/kiln/new.h", PUBLIC, "cmake/public_headers.txt does not say")

    def test_listed_header_that_is_gone(self):
        self.finds("cmake/public_headers.txt", "support result.h version.h gone.h\njob job.h\n", "kiln/gone.h does not exist")

    def test_client(self):
        components = ORDERLY["cmake/components.txt"] + "9 session lib/session\n10 tune lib/tune client\n"
        found = self.violations({"cmake/components.txt": components, "lib/session/session.h": HEADER,
                                 "test/unit/session/CMakeLists.txt": "", "test/unit/tune/CMakeLists.txt": "", "lib/tune/tune.cpp": LICENCE + "#include <session/session.h>\n"})
        self.assertEqual(len(found), 1, found)
        self.assertIn("reaches the session by public headers alone", found[0])

    def test_llvm_in_public(self):
        self.finds("include/kiln/job.h", PUBLIC + "#include <llvm/IR/Module.h>\n", "no LLVM header")

    def test_component_header_in_public(self):
        self.finds("include/kiln/job.h", PUBLIC + "#include <types/types.h>\n", "public headers only")

    def test_internal_header(self):
        internal = "include/kiln/extension/language/internal/"
        include = f"#include <{internal.removeprefix('include/')}world.h>\n"
        for path in ("include/kiln/job.h", "tools/kiln/a.cpp", "python/src/a.cpp", "test/system/api/a.cpp", "docs/examples/lisp/a.cpp"):
            found = self.violations({path: (HEADER if path.endswith(".h") else LICENCE) + include})
            self.assertTrue([each for each in found if "not installed" in each], found)
        found = self.violations({internal + "a.h": HEADER + include, "lib/emit/a.cpp": LICENCE + include})
        self.assertFalse([each for each in found if "not installed" in each], found)

    def test_julia_is_a_client(self):
        self.finds("lib/pipeline/a.cpp", LICENCE + "#include <julia/julia.h>\n", "Julia frontend")
        self.finds("lib/emit/a.cpp", LICENCE + "#include <syntax/syntax.h>\n", "knows its parts")

    def test_depends(self):
        self.finds("lib/types/CMakeLists.txt", "add_component(types DEPENDS support world)\n", "upward")

    def test_comment_is_no_include(self):
        self.assertEqual(self.violations({"lib/support/a.cpp": LICENCE + "// #include <types/types.h>\n"}), [])

    def test_stages_ask_capabilities(self):
        self.finds("lib/emit/a.cpp", LICENCE + "int a = target.is<PtxOptions>();\n", "capabilities", 2)

    def test_retired_word(self):
        self.finds("lib/emit/a.cpp", LICENCE + "// internal to the room\n", "Kiln says component", 2)

    def test_diagram(self):
        self.finds("docs/architecture.md", "0  support\n", "diagram of the layers")

    def test_long_file(self):
        self.finds("lib/support/a.cpp", LICENCE + "\n" * 400, "401 lines")

    def test_licence(self):
        self.finds("lib/support/a.cpp", "int a;\n", "licence")

    def test_message_text(self):
        for line in ('bool a = d.message.starts_with("x");', 'bool a = error.diagnostics()[0].message == "x";', 'bool a = e.what().find("x") != 0;'):
            self.finds("lib/emit/a.cpp", LICENCE + line + "\n", "not by a text", 2)
        self.finds("python/kiln/a.py", "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\nif 'x' in str(error):\n    pass\n", "not by a text", 2)
        self.assertEqual(self.violations({"test/unit/emit/a.cpp": LICENCE + 'bool a = d.message.starts_with("x");\n'}), [])

    def test_guest(self):
        self.finds("lib/emit/a.cpp", LICENCE + 'auto a = std::getenv("A");\n', "environment_variable", 2)
        self.finds("lib/emit/a.cpp", LICENCE + 'std::fprintf(file, "a");\n', "no stream", 2)
        self.finds("lib/emit/a.cpp", LICENCE + "llvm::errs() << 1;\n", "no stream", 2)
        self.finds("lib/emit/a.cpp", LICENCE + "std::abort();\n", "the process is the embedder's", 2)
        self.finds("lib/emit/a.cpp", LICENCE + 'std::setlocale(LC_ALL, "");\n', "the process is the embedder's", 2)
        self.assertEqual(self.violations({"lib/emit/a.cpp": LICENCE + 'const char *a = "printf(1) is not supported"; // exit(1)\nemit_exit(1);\n',
                                          "test/unit/emit/a.cpp": LICENCE + 'int a = std::getenv("A") != nullptr;\n'}), [])

    def test_import_cycle(self):
        base = {"python/kiln/__init__.py": "from .a import f\n", "python/kiln/c/__init__.py": "from .. import a\n", "python/kiln/c/d.py": "def f():\n    from .. import b\n"}
        self.assertEqual(self.violations({**base, "python/kiln/a.py": "import os\n", "python/kiln/b.py": "from . import a\n"}), [])
        found = self.violations({**base, "python/kiln/a.py": "def f():\n    from . import b\n", "python/kiln/b.py": "from .a import f\n"})
        self.assertEqual(len(found), 1, found)
        self.assertIn("import cycle kiln.a -> kiln.b -> kiln.a", found[0])
        self.assertTrue(found[0].startswith("python/kiln/a.py:2: "), found[0])
        found = self.violations({**base, "python/kiln/a.py": "def f():\n    from .c import d\n", "python/kiln/b.py": ""})  # kiln.c runs first
        self.assertIn("import cycle kiln.a -> kiln.c -> kiln.a", found[0])
        found = self.violations({**base, "python/kiln/a.py": 'import importlib\nimportlib.import_module("kiln.b")\n', "python/kiln/b.py": "import kiln.a\n"})
        self.assertIn("import cycle kiln.a -> kiln.b -> kiln.a", found[0])

    def test_hidden_imports(self):
        self.finds("python/kiln/a.py", "import importlib\nimportlib.import_module('.' + 'b', __name__)\n", "computed name", 2)
        self.finds("python/kiln/a.py", "import sys\nb = sys.modules.get('kiln.b')\n", "import the module", 2)
        self.finds("python/src/a.cpp", LICENCE + 'auto a = nb::module_::import_("kiln._a");\n', "kiln/_hooks.py", 2)

    def test_places_of_tests(self):
        self.finds("cmake/components.txt", ORDERLY["cmake/components.txt"] + "8 tune lib/tune\n", "test/unit/tune")
        [found] = self.violations({"test/unit/chamber/a.py": ""})
        self.assertIn("test/unit/chamber:1: no component has this name", found)
        [found] = self.violations({"test/emit/a.py": ""})
        self.assertIn("test/emit:1: is none of TEST_FOLDERS", found)

    def test_root(self):
        self.finds("saxpy.ptx", ".version 8.0\n", "stands in the root")

    def test_pragma(self):
        self.finds("lib/support/a.h", LICENCE, "#pragma once")


if __name__ == "__main__":
    unittest.main()
