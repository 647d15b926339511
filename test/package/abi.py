#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""abi.py LIBRARY BASELINE [--update]: is the C API of libkiln.so, in binary form, still that of the baseline?

New functions are allowed: they show as a note, and `--update` takes them in, in the commit that adds them. Anything else is a failure: a
function that is gone or takes something else, a structure that is laid out differently. A structure that grew at its end is allowed
by docs/guide/install.md, and still is a failure here until `--update` says that somebody looked. Status 77 without abidiff."""

import shutil
import subprocess
import sys

library, baseline = sys.argv[1:3]
only = ["--keep-fn", "^kiln_"]
if not shutil.which("abidiff"):
    print("skipped: abidiff is not installed (Debian: abigail-tools)")
    sys.exit(77)
if "--update" in sys.argv[3:]:
    # abidw knows no --keep-fn: a suppression takes the C++ API out, which is promised in source alone.
    suppressions = baseline + ".suppressions"
    with open(suppressions, "w") as out:
        out.write("[suppress_function]\n  symbol_name_regexp = ^_Z\n[suppress_variable]\n  symbol_name_regexp = ^_Z\n")
    try:
        subprocess.run(["abidw", "--suppressions", suppressions, "--no-corpus-path", "--no-show-locs", "--no-comp-dir-path", "--no-architecture",
                        "--no-elf-needed", "--exported-interfaces-only", "--out-file", baseline, library], check=True)
    finally:
        import os
        os.remove(suppressions)
    sys.exit(0)

done = subprocess.run(["abidiff", *only, baseline, library], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
strict = subprocess.run(["abidiff", *only, "--no-added-syms", baseline, library], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
if done.returncode & 3:
    print(done.stdout)
    sys.exit("abidiff failed")
if strict.returncode == 0:
    if done.returncode:
        print("note: functions that the baseline has not yet:\n" + done.stdout)
    print("the C API is that of the baseline")
    sys.exit(0)
print(strict.stdout)
sys.exit("the C API is not that of the baseline" + (": programs that are linked against it break" if strict.returncode & 8 else "") +
         f"; for a change that is meant: abi.py {library} {baseline} --update, and a line in the CHANGELOG")
