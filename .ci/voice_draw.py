#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws comments and paragraphs for a blind trial: can a reader say what each means without the code?

    voice_draw.py [--seed N] [--comments 40] [--paragraphs 20] [--key FILE]

Prints them numbered, as a reader meets them: a comment with the one line of code after it (or beside it), a paragraph or
list entry of docs/ below its heading. FILE (default: voice_key.txt) gets each number's place. The same seed and sources give
the same draw.
"""
import argparse
import random
import re
import subprocess

from voice import COMMENT

FOLDERS = ("include/", "lib/", "runtime/", "targets/", "tools/", "python/")
MIN_WORDS = 6
SEED = 2743  # of the newest trial: change it with each trial, so that the draw can be repeated


def comments(path, text):
    """Yields (line, comment with a line of code) for each comment of at least MIN_WORDS words, file headers included."""
    sign, block, begin = COMMENT[path[path.rindex(".") :]], [], 0
    for number, line in enumerate(text.split("\n") + [""], 1):
        if whole := re.match(rf"\s*(?:{sign})(.*)$", line):
            begin = begin if block else number
            block.append((line, whole[1]))
            continue
        words = " ".join(plain for _, plain in block if "SPDX" not in plain).split()
        if len(words) >= MIN_WORDS:
            yield begin, "\n".join(line for line, _ in block if "SPDX" not in line) + f"\n{line}"
        block = []
        beside = re.search(r"\S\s+(?://+[/!<]*|#) (.*)$", line)
        if beside and not re.search(r"[\"']", beside[1]) and len(beside[1].split()) >= MIN_WORDS:
            yield number, line


def paragraphs(text):
    """Yields (line, heading and paragraph); tables, code and headings by themselves are left out."""
    fenced, heading, paragraph, begin = False, "", [], 0
    for number, line in enumerate(text.split("\n") + [""], 1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        indented = line.startswith("    ") and not paragraph
        ends = fenced or fence or indented or not line.strip() or re.match(r"[#|]|\s*[-*] |\s*\d+\. ", line)
        if ends:
            if len(" ".join(paragraph).split()) >= MIN_WORDS:
                yield begin, f"{heading}\n\n" + "\n".join(paragraph)
            paragraph = []
        if line.startswith("#") and not fenced:
            heading = line
        elif line.strip() and not (fenced or fence or indented or line.startswith(("|", "#"))):
            begin = begin if paragraph else number
            paragraph.append(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--comments", type=int, default=40)
    parser.add_argument("--paragraphs", type=int, default=20)
    parser.add_argument("--key", default="voice_key.txt")
    options = parser.parse_args()
    found = {"comment": [], "paragraph": []}
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    for path in sorted(listed):
        is_code = path.startswith(FOLDERS) and re.search(r"\.(h|cpp|c|def|py|jl)$", path)
        is_page = path.startswith("docs/") and path.endswith(".md")
        if is_code or is_page:
            with open(path, encoding="utf-8") as file:
                drawn = comments(path, file.read()) if is_code else paragraphs(file.read())
            found["comment" if is_code else "paragraph"] += [(f"{path}:{line}", text) for line, text in drawn]
    chance = random.Random(options.seed)
    draw = [(kind, *each) for kind, count in (("comment", options.comments), ("paragraph", options.paragraphs))
            for each in chance.sample(found[kind], min(count, len(found[kind])))]
    with open(options.key, "w", encoding="utf-8") as key:
        for number, (kind, place, text) in enumerate(draw, 1):
            print(f"==== {number}: {kind}\n{text}\n")
            print(f"{number}: {place}", file=key)


if __name__ == "__main__":
    main()
