# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rule of docs/adr/033-versioned-names.md: kiln/*.h declare everything in the inline namespace of Kiln's version.

A class that is declared ahead outside that namespace would be another class, so that only its own header and kiln/forward.h do so."""
import os
import re

VERSIONED = "kiln::inline KILN_API_VERSION"
FORWARD_HEADER = "include/kiln/forward.h"
CPP_HEADER = re.compile(r"include/kiln/(?!(?:c|c_\w+|runtime_c)\.h$)\w+\.h")
NAMESPACE = re.compile(r"namespace\b *([\w: ]*?) *\{")
CLASS = re.compile(r"(?:template <.*> ?)?(?:enum )?(?:class|struct) (?:\[\[\w+\]\] |KILN_API )*(\w+)")
FORWARD = re.compile(r"(?:template <.*> ?)?(?:enum )?(?:class|struct) (\w+)(?: : \w+)?;")


def declarations(text):
    """(line, namespace, text) of the lines that begin a declaration of a namespace: those without indentation."""
    names, depth = [], 0  # depth: of braces that are no namespace's
    for number, line in enumerate(text.split("\n"), 1):
        if line[:1] in ("", " ", "#"):
            continue
        opened = NAMESPACE.match(line)
        if opened and "}" not in line:
            names.append(opened[1])
        elif line[0] == "}":
            if depth:
                depth -= 1
            elif names:
                names.pop()
        else:
            yield number, "::".join(names), line
        if not opened and re.search(r"\{\s*$", line):
            depth += 1


def versioned_classes(root):
    """The classes of kiln/*.h, each with its header."""
    folder, found = os.path.join(root, "include", "kiln"), {}
    for name in sorted(os.listdir(folder)):
        if CPP_HEADER.fullmatch("include/kiln/" + name):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for _, namespace, line in declarations(file.read()):
                    if namespace == VERSIONED and (declared := CLASS.match(line)) and not FORWARD.match(line):
                        found[declared[1]] = "include/kiln/" + name
    return found


def check_versions(classes, path, text, report):
    """`text`: of a header or source at `path`, without its comments."""
    is_header = bool(CPP_HEADER.fullmatch(path))
    for number, namespace, line in declarations(text):
        forward = FORWARD.match(line)
        if forward and namespace.startswith("kiln") and path not in (FORWARD_HEADER, classes.get(forward[1], path)):
            report(path, number, f"{forward[0]} names another class than that of {classes[forward[1]]}: include <kiln/forward.h>")
        elif is_header and line.startswith("KILN_API extern"):
            report(path, number, "an exported object has a second address in programs (copy relocation): export a function that returns it")
        elif is_header and namespace == "kiln" and not forward:
            report(path, number, f"kiln/*.h declare everything in namespace {VERSIONED}")
    if is_header and path != "include/kiln/version.h" and "#include <kiln/" not in text:
        report(path, 1, "includes no header of Kiln's: <kiln/version.h> refuses older C++")
