#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the pages of docs/howto tell to write, as files.

    howto.py list PAGE                       the files that the page makes or changes, one a line
    howto.py extract PAGE REPOSITORY OUT [PATH...]   writes them to OUT, and beside them these files of the tree as they are
    howto.py check REPOSITORY                every change of every page fits the tree
    howto.py tests PAGE KILN OPT REPOSITORY OUT LIT FILECHECK LLVM_AS    writes the page's lit tests and groups of values, and runs them
    howto.py readme REPOSITORY OUT           README's C++ as the program OUT/readme.cpp

Fenced blocks, by the words behind the fence:
  cpp file=PATH   a new file; a further block of the same file goes on where that one ended
  jl, llvm file=PATH    the same
  diff            a change of a file: `--- PATH`, then lines as they are (` `), that go (`-`) and that come (`+`). Where lines that are
                  left out lie between, there is a line `…`. The lines that are and that go must be in the file once, together.
"""
import os
import re
import shutil
import subprocess
import sys

HOWTO = os.path.join("docs", "howto")


class Mismatch(Exception):
    pass


def blocks(text):
    """(words behind the fence, lines) of each fenced block."""
    for match in re.finditer(r"^```([^\n]*)\n(.*?)^```$", text, re.M | re.S):
        yield match[1].split(), match[2].rstrip("\n").split("\n")


def apply(lines, hunk, path):
    """The file's lines with one hunk applied."""
    before = [line[1:] for line in hunk if line[:1] in (" ", "-")]
    after = [line[1:] for line in hunk if line[:1] in (" ", "+")]
    places = [i for i in range(len(lines) - len(before) + 1) if lines[i:i + len(before)] == before]
    if len(places) != 1:
        raise Mismatch(f"{path} has these lines {len(places)} times, not once:\n" + "\n".join(before))
    return lines[:places[0]] + after + lines[places[0] + len(before):]


def hunks(lines):
    """A diff's hunks, cut at lines `…`."""
    found = [[]]
    for line in lines:
        if line.strip() == "…":
            found.append([])
        else:
            found[-1].append(line if line else " ")
    return found


def files(page, repository=None):
    """What the page makes: {path: text}. Without a repository texts of changed files are None."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    made = {}
    for words, lines in blocks(text):
        named = next((word[5:] for word in words if word.startswith("file=")), None)
        if named:
            made[named] = (made[named] + "\n" if named in made else "") + "\n".join(lines) + "\n"
        elif words[:1] == ["diff"]:
            path = lines[0].removeprefix("--- ")
            if repository is None:
                made.setdefault(path, None)
                continue
            if made.get(path) is None:
                with open(os.path.join(repository, path), encoding="utf-8") as file:
                    made[path] = file.read()
            changed = made[path].split("\n")
            for hunk in hunks(lines[1:]):
                changed = apply(changed, hunk, path)
            made[path] = "\n".join(changed)
    return made


def check(repository):
    bad, count = [], 0
    folder = os.path.join(repository, HOWTO)
    for name in sorted(os.listdir(folder)):
        try:
            made = files(os.path.join(folder, name), repository)
        except (Mismatch, FileNotFoundError) as wrong:
            bad.append(f"docs/howto/{name}: {wrong}")
            continue
        count += len(made)
    print("\n\n".join(bad))
    print(f"{count} files that the how-tos make or change, {len(bad)} faults")
    return 1 if bad else 0


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def extract(page, repository, out, *copies):
    try:
        made = files(page, repository)
    except Mismatch as wrong:
        sys.exit(f"{page}: {wrong}")
    for path, text in made.items():
        write(os.path.join(out, path), text)
    for path in copies:
        os.makedirs(os.path.dirname(os.path.join(out, path)), exist_ok=True)
        shutil.copyfile(os.path.join(repository, path), os.path.join(out, path))
    return made


def tests(page, kiln, opt, repository, out, lit, filecheck, llvm_as):
    """The page's lit tests and its groups of values, beside copies of the scripts that run such."""
    shutil.rmtree(out, ignore_errors=True)
    for folder, kinds in (("test/language/lit", ".py"), ("test/language/values", (".py", ".jl"))):
        os.makedirs(os.path.join(out, folder))
        for name in os.listdir(os.path.join(repository, folder)):
            if name.endswith(kinds):
                shutil.copy(os.path.join(repository, folder, name), os.path.join(out, folder))
    made = extract(page, repository, out)
    groups = [os.path.basename(path).removesuffix(".jl") for path in made if path.startswith("test/language/values/")]
    values = os.path.join(out, "test/language/values")
    commands = [[sys.executable, lit, "-sv", *(part for name, value in (("kiln", kiln), ("opt", opt), ("filecheck", filecheck), ("llvm_as", llvm_as), ("sanitize", ""), ("exec_root", os.path.join(out, "lit")))
                                              for part in ("--param", f"{name}={value}")), os.path.join(out, "test/language/lit")]]
    if groups:
        commands.append([sys.executable, "-B", os.path.join(values, "run.py"), "--kiln", kiln, "--folder", os.path.join(out, "values"), *groups])
    return max(subprocess.run(command).returncode for command in commands)


def readme(repository, out):
    with open(os.path.join(repository, "README.md"), encoding="utf-8") as file:
        [code] = ["\n".join(lines) for words, lines in blocks(file.read()) if words == ["cpp"]]
    write(os.path.join(out, "readme.cpp"), "// README's C++, in a program.\n#include <kiln/kiln.h>\n\n#include <cstdio>\n#include <vector>\n\n"
          "int main() {\n  std::vector<float> y(1000, 1.0f), x(1000, 2.0f);\n" + code + "\n  return y.front() == 5 && y.back() == 5 ? 0 : 1;\n}\n")


def main():
    command, *arguments = sys.argv[1:]
    if command == "list":
        print("\n".join(files(arguments[0])))
    elif command == "extract":
        extract(*arguments)
    elif command == "check":
        sys.exit(check(*arguments))
    elif command == "tests":
        sys.exit(tests(*arguments))
    elif command == "readme":
        readme(*arguments)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
