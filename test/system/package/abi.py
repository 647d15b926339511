#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""abi.py HEADER[,HEADER...] LIBRARY BASELINE [--update]: is the C API in binary form still that of the baseline, and does the library export all of it?

What is compared is a library of empty functions made from the headers, by a C compiler with debug information: abidiff then sees the types
without those of C++ behind them. New functions are allowed and named in a note; `--update` takes them in, in the commit that adds them.
Anything else fails: a function that is gone or takes something else, a structure that is laid out differently. A structure that grew at its
end is allowed by docs/guide/install.md, and still fails here until `--update` says that somebody looked. Status 77 without abidiff."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

header, library, baseline = sys.argv[1:4]
if not shutil.which("abidiff"):
    print("skipped: abidiff is not installed (Debian: abigail-tools)")
    sys.exit(77)


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def must(*command):
    done = run(*command)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


with tempfile.TemporaryDirectory() as folder:
    source, empty = os.path.join(folder, "c.c"), os.path.join(folder, "c.so")
    text = "".join(re.sub(r"#include <kiln/[^>]*>\n", "", open(path, encoding="utf-8").read()) for path in header.split(","))
    text = re.sub(r"\n#define [^\n]*\\\n(?:[^\n]*\\\n)*[^\n]*", "", text)  # macros of several lines declare for their users
    text = re.sub(r"\n#define KILN_C_API[^\n]*", r"\n#define KILN_C_API", text)
    text, functions = re.subn(r"KILN_C_API ([^;]*?\bkiln_\w+\([^;]*\));", r"\1 { __builtin_trap(); }", text)
    with open(source, "w", encoding="utf-8") as out:
        out.write(text)
    must("cc", "-std=gnu2x", "-g", "-O0", "-fPIC", "-shared", "-Wl,-soname,libkiln.so.0", source, "-o", empty)
    names = set(re.findall(r"\bT (kiln_\w+)", must("nm", "-D", "--defined-only", empty)))
    exported = set(re.findall(r"\bT (kiln_\w+)", must("nm", "-D", "--defined-only", library)))
    if not names or len(names) != functions:
        sys.exit(f"{functions} declarations, {len(names)} functions: this script no longer understands {header}")
    if names != exported:
        sys.exit(f"declared and not exported: {sorted(names - exported)}; exported and not declared: {sorted(exported - names)}")
    if "--update" in sys.argv[4:]:
        must("abidw", "--no-corpus-path", "--no-show-locs", "--no-comp-dir-path", "--no-elf-needed", "--out-file", baseline, empty)
        sys.exit(0)
    done, strict = run("abidiff", baseline, empty), run("abidiff", "--no-added-syms", baseline, empty)

if (done.returncode | strict.returncode) & 3:
    print(done.stdout)
    sys.exit("abidiff failed")
if strict.returncode == 0:
    if done.returncode:
        print("note: functions that the baseline has not yet:\n" + done.stdout)
    print(f"the C API, {len(names)} functions, is that of the baseline")
    sys.exit(0)
print(strict.stdout)
sys.exit("the C API is not that of the baseline" + (": programs that are linked against it break" if strict.returncode & 8 else "") +
         "; for a change that is meant: this command with --update, and a line in the CHANGELOG")
