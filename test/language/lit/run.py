# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py SOURCE FOLDER KILN OPT LIT OPTION...: runs lit over SOURCE/test/language/lit, copied below FOLDER.

The copy's path holds the name kiln, a blank and a letter outside ASCII, as a user's folder may: a test or a program that
takes a path apart fails here. KILN and OPT are linked into the copy. OPTION... goes to lit; a relative path picks tests.
"""
import os
import shutil
import subprocess
import sys

FOLDER_NAME = "lit in Düren/kiln"
COPIED = ("test/language/lit", "test/language/values", "docs/examples") # lit tests compile sources of the last two


def main():
    source, folder, kiln, opt, lit = map(os.path.abspath, sys.argv[1:6])
    copy = os.path.join(folder, FOLDER_NAME)
    shutil.rmtree(os.path.dirname(copy), ignore_errors=True)
    for part in COPIED:
        shutil.copytree(os.path.join(source, part), os.path.join(copy, part))
    programs = os.path.join(copy, "bin")
    os.makedirs(programs)
    for program in (kiln, opt):
        os.symlink(program, os.path.join(programs, os.path.basename(program)))
    options = ["--param", f"kiln={programs}/{os.path.basename(kiln)}", "--param", f"opt={programs}/{os.path.basename(opt)}",
               "--param", f"exec_root={copy}/build"]
    tests = []
    for option in sys.argv[6:]:
        test = os.path.join(copy, "test/language/lit", option)
        (tests if os.path.exists(test) else options).append(test if os.path.exists(test) else option)
    tests = tests or [os.path.join(copy, "test/language/lit")]
    return subprocess.run([sys.executable, lit, *options, *tests], check=False).returncode


sys.exit(main())
