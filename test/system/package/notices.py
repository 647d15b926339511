#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The notices of other projects: each package that has their code names them, and no other.

    notices.py --source TREE --build FOLDER --folder SCRATCH --cmake CMAKE

Compares tools/package/third_party.txt with docs/dependencies.md, and with texts that each project leaves in files that hold its code."""
import argparse
import os
import re
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
for name in ("source", "build", "folder", "cmake"):
    parser.add_argument("--" + name, required=True)
options = parser.parse_args()
sys.path.insert(0, os.path.join(options.source, "tools/package"))
from notices import projects  # noqa: E402

# Projects that docs/dependencies.md does not list: what static libraries of the system bring with them, and data.
BROUGHT = {"libbsd", "libmd", "ncurses", "libstdc++", "Unicode data"}
# Those that it lists and no file has inside: libraries that are loaded, programs, and what tests use.
OUTSIDE = {"oneTBB", "fmt", "zstd", "libcurl", "hiredis", "libsodium"}
faults = []


def expect(condition, what):
    print(("ok      " if condition else "FAILED  ") + what, flush=True)
    if not condition:
        faults.append(what)


def binaries(prefix):
    """The programs and libraries below a folder."""
    for folder, _, names in os.walk(prefix):
        for name in names:
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                with open(path, "rb") as file:
                    bytes_ = file.read()
                if bytes_.startswith(b"\x7fELF"):
                    yield bytes_


listed = {project.name: project for project in projects()}
with open(os.path.join(options.source, "docs/dependencies.md"), encoding="utf-8") as page:
    documented = set(re.findall(r"^\| ([^|]+?) \|", page.read(), re.M))
unknown = set(listed) - documented - BROUGHT
expect(not unknown, f"docs/dependencies.md has the projects of third_party.txt; but {unknown}")
expect(OUTSIDE <= documented and not OUTSIDE & set(listed), "libraries that are loaded are inside of no package")

for package in ("kiln", "kiln-agent", "libkiln0", "libkiln-runtime0", "libkiln-programs0"):
    prefix = os.path.join(options.folder, package)
    shutil.rmtree(prefix, ignore_errors=True)
    done = subprocess.run([options.cmake, "--install", options.build, "--prefix", prefix, "--component", package], capture_output=True, text=True, check=False)
    files = list(binaries(prefix))
    if done.returncode or not files:
        print(f"skipped {package}: this build has none")
        continue
    notice = os.path.join(prefix, "share/doc", package, "THIRD-PARTY-NOTICES")
    expect(os.path.exists(notice), f"{package} is installed with notices")
    with open(notice, encoding="utf-8") as file:
        text = file.read()
    for project in listed.values():
        named = f"{project.name}: {project.licence}" in text
        expect(named == (package in project.packages), f"{package}: its notices {'have' if named else 'leave out'} {project.name}")
        if project.marker != "-":
            inside = any(project.marker.encode() in file for file in files)
            expect(inside == named, f"{package}: its files have {'code' if inside else 'no code'} of {project.name}")
    needed = set(re.findall(r"\(NEEDED\).*\[(lib\w+)", "".join(
        subprocess.run(["readelf", "-dW", os.path.join(folder, name)], capture_output=True, text=True, check=False).stdout
        for folder, _, names in os.walk(prefix) for name in names)))
    expect("libLLVM" not in needed, f"{package} loads {', '.join(sorted(needed))}")
sys.exit(f"{len(faults)} of the checks failed" if faults else 0)
