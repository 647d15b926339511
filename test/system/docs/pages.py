#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does what the user guide's pages show, as a reader would, and compares.

    pages.py KILN REPOSITORY SCRATCH [PAGE...]

Without a PAGE: all of docs/guide that have a console block.
Fenced blocks, by the word behind the fence:
  julia    first line `# NAME.jl`: written to that file
  console  `$ COMMAND`, then what it prints (standard output, then standard error), and `exit status N` if N is not 0. A line `…`
           stands for any lines, `…` within a line for any text.
  npy FILE the numbers of a one-dimensional NumPy file that a command has written
  text     not looked at
"""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "language", "values"))
import npy



def pages(repository):
    """The guide's pages that show commands with their output."""
    names = sorted(os.listdir(os.path.join(repository, "docs", "guide")))
    for name in (os.path.join("docs", "guide", name) for name in names if name.endswith(".md")):
        with open(os.path.join(repository, name), encoding="utf-8") as file:
            if "\n```console\n" in file.read():
                yield name


def fences(text):
    """(words behind the fence, lines of the block) of each fenced block."""
    found, words, lines = [], None, []
    for line in text.split("\n"):
        if not line.startswith("```"):
            lines.append(line)
        elif words is None:
            words, lines = line[3:].split(), []
        else:
            found.append((words, lines))
            words, lines = None, []
    return found


def matches(pattern, printed):
    """Whether the printed lines are as the pattern's say."""
    if not pattern:
        return not printed
    if pattern[0].strip() == "…":
        return any(matches(pattern[1:], printed[i:]) for i in range(len(printed) + 1))
    expression = ".*".join(re.escape(part) for part in pattern[0].split("…"))
    return bool(printed) and re.fullmatch(expression, printed[0]) is not None and matches(pattern[1:], printed[1:])


class Page:
    def __init__(self, kiln, repository, name, folder):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        os.symlink(os.path.join(repository, "docs"), os.path.join(folder, "docs"))
        self.folder, self.name, self.bad, self.ran = folder, name, [], 0
        self.environment = {**os.environ, "PATH": os.path.dirname(kiln) + ":" + os.environ["PATH"], "KILN_CACHE_DIR": "", "NO_COLOR": "1"}
        with open(os.path.join(repository, name), encoding="utf-8") as file:
            text = file.read()
        for words, lines in fences(text):
            if words[:1] == ["julia"]:
                self.write(lines)
            elif words[:1] == ["console"]:
                self.command(lines)
            elif words[:1] == ["npy"]:
                self.numbers(words[1], lines)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, lines):
        file_name = re.fullmatch(r"# (\w+\.jl)", lines[0])
        if file_name:
            with open(self.path(file_name[1]), "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")

    def command(self, lines):
        if lines[0].startswith("kiln> "):
            return  # a session of the prompt: test/programs/prompt.py
        if not lines[0].startswith("$ "):
            self.bad.append(f"{self.name}: a console block begins with `$ COMMAND`: {lines[0]}")
            return
        command, expected = lines[0].removeprefix("$ "), lines[1:]
        shown = re.fullmatch(r"exit status (\d)", lines[-1])
        status = int(shown[1]) if shown else 0
        if shown:
            expected.pop()
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=240)
        self.ran += 1
        printed = (done.stdout + done.stderr).rstrip("\n").split("\n") if done.stdout + done.stderr else []
        if done.returncode != status or not matches(expected, printed):
            self.bad.append(f"{self.name}: {command}\nshown:\n" + "\n".join(expected) + f"\nexit status {status}\nprinted:\n" + "\n".join(printed) + f"\nexit status {done.returncode}")

    def numbers(self, name, lines):
        expected = [float(word) for word in " ".join(lines).split()]
        found = [float(number) for number in npy.read(self.path(name)).items] if os.path.exists(self.path(name)) else None
        if found != expected:
            self.bad.append(f"{self.name}: {name}: shown {expected}, it holds {found}")


def main():
    kiln, repository, scratch, *names = sys.argv[1:]
    names = names or list(pages(repository))
    bad, ran = [], 0
    for name in names:
        page = Page(kiln, repository, name, os.path.join(scratch, name.replace("/", "_")))
        bad, ran = bad + page.bad, ran + page.ran
        if not page.ran:
            bad.append(f"{name}: shows no command")
    print("\n\n".join(bad))
    print(f"{len(names)} pages: {ran} commands run, {len(bad)} faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
