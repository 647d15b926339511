#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws refusals of Kiln by a fixed seed, runs each again, and checks the parts of its message.

    refusals.py --kiln PROGRAM [--all] [--write]

The refusals are the names that lib/world/julia_names.def refuses, and the code in snippets.txt. sample.txt lists the
100 that a draw took; --write draws again. Each message must have

    the feature      the refused name, or a word of the snippet's line in the message
    the place        FILE:LINE of the code that uses it
    an alternative   a clause with an imperative that says what to write instead

The last part is checked by the verbs below, so a reader must judge what a clause is worth. A snippet whose code runs,
or whose error is one of the program itself in Julia, is no refusal."""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SEED, SIZE = 20261129, 100
VERBS = "use|link|measure|exchange|write|call|take|pass|give|read|run|keep|leave|declare|define|make|choose|put|return|test|dispatch|launch|" \
    "print|open|build|fetch|install|load|import|add|solve|catch|convert|copy|annotate|factorize|do|move|compute|store|" \
    "set|name|compile|hand|remove|start|allow|sort|rename|work|look|place|unpack"  # fmt: skip
ADVICE = re.compile(
    rf"(?:^|[:;,.]\s+|\bhint: |\band |\bor )(?:{VERBS})\b|\b(?:gives?|shows|asks|print with|did you mean)\b", re.I | re.M
)
NAMES = re.compile(r'REFUSED\("([^"]+)",\s*((?:"(?:[^"\\]|\\.)*"\s*)+),((?:\s*"(?:[^"\\]|\\.)*",?)+)\s*\)')
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


DEFINED = ("@captured",)  # in the table, but runs


def refused_names():
    """Yields a refusal for each name of the table: its title, kind, signature and code."""
    for module, _advice, names in NAMES.findall((ROOT / "lib/world/julia_names.def").read_text()):
        for name in set(STRING.findall(names)) - set(DEFINED):
            use = f"{module}.{name} 1" if name.startswith("@") else f"{module}.{name}"
            yield f"{module}.{name}", "script", "", f"import {module}\nx = {use}\n"


def snippets():
    for part in re.split(r"^=== ", (HERE / "snippets.txt").read_text(), flags=re.M)[1:]:
        title, _, code = part.partition("\n")
        head, _, signature = title.partition("|")
        kind, name = head.split()
        yield f"{kind} {name}", kind, signature.strip(), code


def run(kiln, kind, signature, code):
    """Returns the message, or an empty text if nothing is refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "refused.jl"
        path.write_text(code)
        if kind == "kernel":
            command = [kiln, "compile", str(path), signature, "--target", "ptx", "-o", str(path.with_suffix(".ptx"))]
        else:
            command = [kiln, "script", "--device", "cpu", str(path)]
        made = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120, cwd=folder)
        return made.stderr.strip().replace(folder + "/", "") if made.returncode else ""


def lacking(title, message):
    """Returns the parts that a message lacks."""
    parts = []
    name = title.rpartition(".")[2]
    if " " not in title and name not in message:
        parts.append("feature")
    if not re.search(r"refused\.jl:\d+", message):
        parts.append("place")
    if not ADVICE.search(message):
        parts.append("alternative")
    return parts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--all", action="store_true", help="run all refusals, not those of sample.txt")
    parser.add_argument("--write", action="store_true", help="draw again, and write sample.txt")
    options = parser.parse_args()
    kiln = str(pathlib.Path(options.kiln).resolve())
    found = {entry[0]: entry for entry in [*refused_names(), *snippets()]}
    sample = HERE / "sample.txt"
    if options.write:
        drawn = random.Random(SEED).sample(sorted(found), SIZE)
        sample.write_text("".join(f"{title}\n" for title in sorted(drawn)))
    titles = sorted(found) if options.all else sample.read_text().split("\n")[:-1]
    good = 0
    for title in titles:
        message = run(kiln, *found[title][1:])
        parts = ["refusal"] if not message else lacking(title, message)
        good += not parts
        print(f"{'right' if not parts else 'lacks ' + ', '.join(parts):20} {title}")
        print("    " + message.replace("\n", "\n    "))
    print(f"{good} of {len(titles)} refusals have the feature, the place and an alternative")
    return 0 if good == len(titles) else 1


if __name__ == "__main__":
    sys.exit(main())
