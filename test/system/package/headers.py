#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The installed headers with every compiler that programs may use, and programs whose headers are not the library's.

    headers.py --build FOLDER --folder SCRATCH --cmake CMAKE --version VERSION

A compiler that is missing is named as skipped."""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
for name in ("build", "folder", "cmake", "version"):
    parser.add_argument("--" + name, required=True)
options = parser.parse_args()
HERE = os.path.dirname(os.path.abspath(__file__))
PREFIX = os.path.join(options.folder, "prefix")
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic")
# (C++, C, what each calls C++23)
COMPILERS = (("g++-12", "gcc-12", "c++23"), ("clang++-14", "clang-14", "c++2b"), ("clang++-22", "clang-22", "c++23"))
faults = []


def run(*command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def expect(condition, what, output=""):
    print(("ok      " if condition else "FAILED  ") + what, flush=True)
    if not condition:
        print("\n".join(output.splitlines()[:12]))
        faults.append(what)


def must(*command):
    done = run(*command)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}\nexit status {done.returncode}")


def installed():
    """Headers and library of the package; C++ and C headers by the names that programs include."""
    shutil.rmtree(options.folder, ignore_errors=True)
    for component in ("libkiln0", "libkiln-dev"):
        must(options.cmake, "--install", options.build, "--prefix", PREFIX, "--component", component)
    include = os.path.join(PREFIX, "include")
    cpp, c = [], []
    for folder, _, names in os.walk(include):
        for name in sorted(names):
            if name.endswith(".h"):
                is_c = os.path.basename(folder) == "kiln" and re.fullmatch(r"(c|c_\w+|runtime_c)\.h", name)
                (c if is_c else cpp).append(os.path.relpath(os.path.join(folder, name), include))
    libraries = [folder for folder, _, names in os.walk(PREFIX) if "libkiln.so" in names]
    expect(len(cpp) > 60 and len(c) > 10 and len(libraries) == 1, f"the package has {len(cpp)} headers of C++ and {len(c)} of C")
    return include, libraries[0], sorted(cpp), sorted(c)


def check(compiler, flags, include, headers, name):
    """Compiles one source with these headers; its first errors, or "" """
    source = os.path.join(options.folder, name)
    with open(source, "w", encoding="utf-8") as out:
        out.write("".join(f"#include <{header}>\n" for header in headers) + "int main(void) { return 0; }\n")
    done = run(compiler, *flags, *WARNINGS, "-I", include, "-fsyntax-only", source)
    return "" if done.returncode == 0 else f"{' '.join(headers[:2])}: {done.stdout}"


def compile_headers(include, cpp, c):
    for cxx, cc, newest in COMPILERS:
        if not shutil.which(cxx) or not shutil.which(cc):
            print(f"skipped {cxx} or {cc} is not installed")
            continue
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            # One compiler shows whether a header includes what it needs: 80 sources take each of them two minutes.
            by_themselves = [[header] for header in cpp] if cxx == "clang++-22" else [cpp]
            alone = list(pool.map(lambda headers: check(cxx, ("-std=c++20",), include, headers, f"{cxx}.{headers[0].replace('/', '_')}.{len(headers)}.cpp"), by_themselves))
            in_c = [pool.submit(check, cc, (f"-std={standard}",), include, [header], f"{cc}.{standard}.{os.path.basename(header)}.c")
                    for standard in ("c99", "c11") for header in c]
            together = pool.submit(check, cxx, (f"-std={newest}", "-fno-exceptions", "-fno-rtti"), include, cpp + c, f"{cxx}.all.cpp")
            in_c = [each.result() for each in in_c]
        bad = [each for each in alone if each]
        expect(not bad, f"{cxx}: {len(cpp)} headers in C++20, {'each by itself' if len(alone) > 1 else 'together'}", "\n".join(bad))
        expect(not together.result(), f"{cxx}: all headers in C++23, without exceptions and type information", together.result())
        bad = [each for each in in_c if each]
        expect(not bad, f"{cc}: each of {len(c)} headers by itself in C99 and C11", "\n".join(bad))
        once = ("-ferror-limit=1",) if cxx.startswith("clang") else ("-fmax-errors=1",)
        old = {header: re.search(r"error: (.*)", check(cxx, ("-std=c++17", *once), include, [header], f"{cxx}.old.cpp")) for header in cpp
               if header.count("/") == 1 and (cxx == "clang++-22" or header == "kiln/kiln.h")}
        other = [header for header, first in old.items() if not first or "need C++20" not in first[1] or "kiln/c.h" not in first[1]]
        expect(not other, f"{cxx}: {len(old)} headers refuse C++17 by a sentence, first of all {other}")


def doctored(name, changes):
    """A copy of the headers with changes: {header: [(before, after)]}."""
    include = os.path.join(options.folder, name)
    shutil.copytree(os.path.join(PREFIX, "include"), include)
    for header, pairs in changes.items():
        path = os.path.join(include, header)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for before, after in pairs:
            assert before in text, f"{header} does not say {before}"
            text = text.replace(before, after, 1)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return include


def programs(include, library):
    major, minor, patch = options.version.split(".")
    source = os.path.join(HERE, "headers/consumer.cpp")
    environment = dict(os.environ, LD_LIBRARY_PATH=library)
    other_minor = doctored("minor", {"kiln/version.h": [(f"KILN_VERSION_MINOR {minor}", f"KILN_VERSION_MINOR {int(minor) + 1}")]})
    other_size = doctored("patch", {"kiln/version.h": [(f"KILN_VERSION_PATCH {patch}", f"KILN_VERSION_PATCH {int(patch) + 1}")],
                                    "kiln/session_options.h": [("  bool use_environment = true;\n", "  bool use_environment = true;\n  std::string one_more = {};\n")],
                                    "kiln/stream.h": [("  bool cooperative = false;\n", "  bool cooperative = false;\n  uint64_t one_more = 0;\n")]})
    for cxx in ("g++-12", "clang++-22"):
        if not shutil.which(cxx):
            print(f"skipped {cxx} is not installed")
            continue
        program = os.path.join(options.folder, cxx + ".program")
        command = [cxx, "-std=c++20", "-O1", "-fno-exceptions", "-fno-rtti", *WARNINGS, source, "-o", program, "-L" + library, "-lkiln"]
        done = run(*command, "-I", include)
        expect(done.returncode == 0, f"{cxx}: a program without exceptions and type information builds", done.stdout)
        done = run(program, env=environment)
        expect(done.returncode == 0 and done.stdout == "7, 10\n", f"{cxx}: and runs", done.stdout)
        done = run(*command, "-I", other_minor)
        wanted = rf"undefined (?:reference to|symbol:).*kiln::v{major}_{int(minor) + 1}::Session::open"
        expect(done.returncode != 0 and re.search(wanted, done.stdout), f"{cxx}: with headers of the next minor version it does not link, and the linker names the version", done.stdout)
        done = run(*command, "-I", other_size)
        expect(done.returncode == 0, f"{cxx}: with headers of another patch it links", done.stdout)
        done = run(program, env=environment)
        said = re.search(rf"headers of Kiln {major}\.{minor}\.{int(patch) + 1}, and the library is Kiln {re.escape(options.version)}: .*SessionOptions \((\d+) bytes, in the library (\d+)\), "
                         r"LaunchOptions \((\d+) bytes, in the library (\d+)\)", done.stdout)
        expect(done.returncode == 2 and said and int(said[1]) - int(said[2]) == 32 and int(said[3]) - int(said[4]) in (8, 16),
               f"{cxx}: and is a usage error with the sizes and versions", done.stdout)


include, library, cpp, c = installed()
compile_headers(include, cpp, c)
programs(include, library)
sys.exit(f"{len(faults)} of the checks failed" if faults else 0)
