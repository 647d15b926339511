#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts what makes comments and pages hard to read: voice.py [--list [KIND]]. A part of `./x format --check`.

The rules are those of docs/howto/write.md. Exit status 1, with the places, where a kind has more than its LIMITS: lower a limit
whenever a change lowers its count.
"""
import re
import subprocess
import sys
from collections import defaultdict

LIMITS = {
    "comment begins with a clause": 0,
    "name in a dialect": 0,
    "odd phrase": 0,
    "sentence over 25 words": 20,
    "page line over 120 columns": 0,
}
# Names that look like the dialect and are not: the field's own.
NAMES = {
    "least_squares": "the method's name",
    "most_derived": "C++'s word",
    "few_shot": "the field's word",
}
CLAUSE = re.compile(r"(What|Whatever|Whether|Of|Those|The same|The ones?|Whose|Who|Whoever)\b")
DIALECT = re.compile(r"\b(?:most|least|few|fewest|many)_[a-z]\w*")
ODD = re.compile(r"\b(?:(?:is|are) told|told if|has it that|hardly ever|one behind the other|behind (?:it|them|that)\b|of its own accord|no fewer)")
COMMENT = {".h": r"//+[/!<]* ?|/?\*+(?=[ /]|$)/? ?", ".cpp": r"//+[/!<]* ?", ".c": r"/?\*+/? ?|// ?", ".def": r"//+ ?", ".py": r"# ?", ".jl": r"# ?"}


def sentences(text):
    text = re.sub(r"`[^`]*`|\"[^\"]*\"", "x", text)
    text = re.sub(r"\([^()]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return [part for part in re.split(r"(?<=[.!?:;])\s+", text) if part]


class Counts:
    def __init__(self):
        self.places = defaultdict(list)

    def prose(self, text, place):
        self.places["odd phrase"] += [f"{place}: {found[0]}" for found in ODD.finditer(text)]
        self.places["sentence over 25 words"] += [f"{place}: {part[:80]}" for part in sentences(text) if len(part.split()) > 25]

    def comment(self, lines, place):
        text = " ".join(lines).strip()
        if not text or "SPDX" in text or text.startswith("kiln "):  # an entry that is a command
            return
        if CLAUSE.match(text):
            self.places["comment begins with a clause"].append(f"{place}: {text[:80]}")
        self.prose(text, place)

    def code(self, path, text):
        sign, block, begin = COMMENT[path[path.rindex(".") :]], [], 0
        for number, line in enumerate(text.split("\n") + [""], 1):
            whole = re.match(rf"\s*(?:{sign})(.*)$", line)
            if whole:
                if re.match(r" {2,11}\S", whole[1]):  # an entry of a list
                    self.comment(block, f"{path}:{begin}")
                    block = []
                begin = begin if block else number
                block.append(whole[1].removesuffix("*/"))
                if not whole[1].strip():
                    self.comment(block, f"{path}:{begin}")
                    block = []
                continue
            self.comment(block, f"{path}:{begin}")
            block = []
            if (beside := re.search(r"\s(?://+[/!<]*|#) (.*)$", line)) and not re.search(r"[\"']", beside[1]):
                self.comment([beside[1]], f"{path}:{number}")
            plain = re.sub(r"\"[^\"]*\"|//.*", "", line)
            self.places["name in a dialect"] += [f"{path}:{number}: {name}" for name in DIALECT.findall(plain) if name not in NAMES]

    def page(self, path, text):
        fenced, paragraph, begin = False, [], 0
        for number, line in enumerate(text.split("\n") + [""], 1):
            fenced ^= line.lstrip().startswith("```")
            quiet = fenced or line.startswith("    ") or line.lstrip().startswith("```")
            if len(line) > 120 and not quiet and not re.match(r"\S*\s*\S*https?://\S+$", line):
                self.places["page line over 120 columns"].append(f"{path}:{number}")
            if quiet or not line.strip() or re.match(r"[#|]|\s*[-*] |\s*\d+\. ", line):
                self.prose(" ".join(paragraph), f"{path}:{begin}")
                paragraph = []
            if not quiet and line.strip():
                begin = begin if paragraph else number
                for cell in line.strip("|").split(" | ") if line.startswith("|") else [line]:
                    if line.startswith("|"):
                        self.prose(cell, f"{path}:{number}")
                    else:
                        paragraph.append(cell)


def main():
    counts = Counts()
    for path in subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n"):
        is_code = re.search(r"\.(h|cpp|c|def|py|jl)$", path) and not path.startswith(("test/", "bench/", "python/tests/"))
        is_page = path.endswith(".md") and path != "CHANGELOG.md"
        if is_code or is_page:
            with open(path, encoding="utf-8") as file:
                (counts.code if is_code else counts.page)(path, file.read())
    failed = False
    for kind, limit in LIMITS.items():
        places = counts.places[kind]
        print(f"{len(places):6} {kind} (limit {limit})")
        failed |= len(places) > limit
        if "--list" in sys.argv and sys.argv[-1] in ("--list", kind) or len(places) > limit:
            print("".join(f"         {place}\n" for place in places), end="")
    sys.exit(failed)


if __name__ == "__main__":
    main()
