#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the order of the house: check.py REPOSITORY. Prints every violation; exit status 1 if there is one.

- An include points down: never up, never sideways to a component of the same layer.
- Of another component only the header of its own name is included (and .def lists, and what SECOND_HEADERS names).
- add_component's DEPENDS points down as well.
- LLVM headers appear only in the components that are about LLVM, and never in include/kiln.
- A file has at most 400 lines, one licence line, and a header one #pragma once.
"""
import os
import re
import sys

# Component, folder, layer. docs/architecture.md says what each is for.
COMPONENTS = [
    ("support", "lib/support", 0),
    ("types", "lib/types", 1),
    ("abi", "lib/abi", 1),
    ("lowered", "lib/lowered", 2),
    ("world", "lib/world", 3),
    ("job", "lib/job", 4),
    ("frontend", "lib/frontend", 4),
    ("interp", "lib/interp", 4),
    ("infer", "lib/infer", 5),
    ("julia", "lib/frontend/julia", 5),
    ("llvm_support", "lib/llvm_support", 5),
    ("cache", "lib/cache", 6),
    ("emit", "lib/emit", 6),
    ("rewrite", "lib/rewrite", 6),
    ("optimize", "lib/optimize", 6),
    ("codegen", "lib/codegen", 6),
    ("runtime", "runtime", 6),  # the .jl files as bytes
    ("pipeline", "lib/pipeline", 7),
    ("native", "targets/native", 7),
    ("ptx", "targets/ptx", 7),
    ("host", "runtime/host", 7),
    ("targets", "targets", 7.5),  # the one place that names every target
    ("session", "lib/session", 8),
    ("tools", "tools", 9),
    ("bench", "bench", 9),
    ("test", "test", 9),
]
LAYER = {component: layer for component, _, layer in COMPONENTS}
FOLDER = {component: folder for component, folder, _ in COMPONENTS}
TOP = 9

# Public headers that are named after a part of a component.
PUBLIC_OWNER = {"kiln": "session", "stream": "session", "foreign": "session", "precompile": "session", "device": "host", "result": "support", "timing": "support", "target": "job"}

# Headers that others include beside the one of their component's name, because few need them and they would rebuild all.
SECOND_HEADERS = {"support/stack.h"}

LLVM_COMPONENTS = {"llvm_support", "emit", "rewrite", "optimize", "codegen", "pipeline", "targets", "native", "ptx", "host",
              "session", "tools", "bench", "test"}
# Only these may know that a Julia frontend exists.
JULIA_USERS = {"julia", "session", "tools", "bench", "test"}

LIMIT = 400
LONG_FILES = {}  # path: reason why this file may be longer

SOURCES = (".cpp", ".h", ".def", ".jl", ".py")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>]+)>|"([^"]+)")', re.M)


def component_of(path):
    """The component a file belongs to: the one with the longest folder that holds it."""
    holders = [(len(folder), component) for component, folder, _ in COMPONENTS if path.startswith(folder + "/")]
    return max(holders)[1] if holders else None


def owner_of_public(name, known):
    stem = name.removeprefix("kiln/").removesuffix(".h")
    owner = PUBLIC_OWNER.get(stem, stem)
    return owner if owner in known else None


def may_include(user, used):
    """None, or what is wrong with component `user` including component `used`."""
    if used == "julia" and user not in JULIA_USERS:
        return "only session and tools may know the Julia frontend"
    if user == used or LAYER[user] == TOP:
        return None
    if LAYER[used] > LAYER[user]:
        return "upward include"
    if LAYER[used] == LAYER[user]:
        return "sideways include"
    return None


def strip_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)


def check_includes(root, path, text, report):
    public = path.startswith("include/kiln/")
    component = owner_of_public(path.removeprefix("include/"), LAYER) if public else component_of(path)
    if component is None:
        report(path, 1, "belongs to no component")
        return
    text = strip_comments(text)
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start(0)) + 1
        angled, quoted = match.groups()
        if quoted is not None:
            target = os.path.normpath(os.path.join(os.path.dirname(path), quoted))
            if public or not os.path.exists(os.path.join(root, target)):
                continue  # generated in the build folder, or found by include path
            if component_of(target) != component and LAYER[component] != TOP:
                report(path, line, f'"{quoted}" lies in another component; write <component/component.h>')
            continue
        first, _, rest = angled.partition("/")
        if first in ("llvm", "llvm-c"):
            if public:
                report(path, line, f"<{angled}>: no LLVM header in the public API; a forward declaration will do")
            elif component not in LLVM_COMPONENTS:
                report(path, line, f"<{angled}>: component {component} stays free of LLVM")
        elif first == "kiln" and rest:
            used = owner_of_public(angled, LAYER)
            if used is None:
                report(path, line, f"<{angled}> belongs to no component")
            elif wrong := may_include(component, used):
                report(path, line, f"<{angled}>: {wrong}: {component} is in layer {LAYER[component]}, {used} in {LAYER[used]}")
        elif first in LAYER and rest and os.path.isdir(os.path.join(root, FOLDER[first])):
            if public:
                report(path, line, f"<{angled}>: a public header includes public headers only")
            elif wrong := may_include(component, first):
                report(path, line, f"<{angled}>: {wrong}: {component} is in layer {LAYER[component]}, {first} in {LAYER[first]}")
            elif rest != first + ".h" and not rest.endswith(".def") and first != component and angled not in SECOND_HEADERS:
                own_test = re.match(rf"test/({first}\b|{first}_|fuzz/)", path)
                if not own_test:
                    report(path, line, f"<{angled}>: other components include <{first}/{first}.h> alone")


def check_depends(path, text, report):
    for match in re.finditer(r"add_component\s*\(\s*(\w+)([^)]*)\)", text):
        component, rest = match.groups()
        if component not in LAYER:
            report(path, 1, f"add_component({component}): no such component in test/structure/check.py")
            continue
        words = re.search(r"DEPENDS\s+([\w\s]*)", rest)
        for used in words.group(1).split() if words else []:
            if used in ("LLVM", "LINK"):
                break
            if used not in LAYER:
                report(path, 1, f"add_component({component}) depends on {used}, which is no component")
            elif wrong := may_include(component, used):
                report(path, 1, f"add_component({component}) depends on {used}: {wrong}")


def check_file(path, text, report):
    lines = text.count("\n") + (not text.endswith("\n"))
    if lines > LIMIT and path not in LONG_FILES:
        report(path, LIMIT + 1, f"{lines} lines; {LIMIT} is the limit, exceptions stand in LONG_FILES with a reason")
    if lines <= LIMIT and path in LONG_FILES:
        report(path, 1, "is short again: take it off LONG_FILES")
    if path.endswith((".cpp", ".h")):
        if not text.startswith("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"):
            report(path, 1, "does not start with the licence line")
    if path.endswith(".h") and "\n#pragma once\n" not in text:
        report(path, 1, "has no #pragma once")


def check(root):
    violations = []
    report = lambda path, line, message: violations.append(f"{path}:{line}: {message}")
    for top in ("include", "lib", "targets", "runtime", "tools", "bench", "test"):
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders.sort()
            for name in sorted(files):
                path = os.path.relpath(os.path.join(folder, name), root)
                if name != "CMakeLists.txt" and not name.endswith(SOURCES):
                    continue
                with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
                    text = file.read()
                if name == "CMakeLists.txt":
                    check_depends(path, text, report)
                    continue
                check_file(path, text, report)
                if name.endswith((".cpp", ".h")):
                    check_includes(root, path, text, report)
    for path in LONG_FILES:
        if not os.path.exists(os.path.join(root, path)):
            violations.append(f"{path}:1: is on LONG_FILES but does not exist")
    return violations


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = check(sys.argv[1])
    print("\n".join(found) or "the house is in order")
    sys.exit(1 if found else 0)
