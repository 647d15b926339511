#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes man pages from the programs' own --help: man.py KILN FOLDER [PROGRAM...]

FOLDER gets kiln.1.gz, a page for each command (kiln-compile.1.gz, kiln-cache-gc.1.gz), and one for each other program."""
import gzip
import pathlib
import re
import subprocess
import sys


EXAMPLES = ("Example", "Examples")


def text_of(kiln: str, *words: str) -> str:
    return subprocess.run([kiln, *words], check=True, text=True, stdout=subprocess.PIPE).stdout


def roff(text: str) -> str:
    """Escapes text so that troff prints it literally, also hyphens and a dot at the start of a line."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)


def sections(help_text: str) -> tuple[str, str, dict[str, list[tuple[str, list[str]]]]]:
    """Parses a --help text: its description, its usage, and for each section a list of (left column, lines of the right column)."""
    description, usage, parts, current = [], "", {}, None
    for line in help_text.splitlines():
        if line.startswith("Usage: "):
            usage = line.removeprefix("Usage: ")
        elif usage and current is None and line.startswith("       "):
            usage += "\n" + line.strip()
        elif re.fullmatch(r"[A-Z][\w ]*:", line) and usage:
            current = parts.setdefault(line[:-1], [])
        elif not line.strip():
            continue
        elif current is None:
            if usage == "":
                description.append(line)
        elif entry := re.match(r" {1,3}(\S.*?)(?: {2,}(\S.*))?$", line):
            current.append((entry[1], [entry[2]] if entry[2] else []))
        elif current:
            current[-1][1].append(line.strip())
    return "\n".join(description), usage, parts


def command_groups(parts: dict) -> list[str]:
    """Titles of the --help sections that list commands."""
    return [title for title in parts if title not in ("Options", "Positionals", "Environment", *EXAMPLES)]


def roff_entries(entries: list[tuple[str, list[str]]]) -> list[str]:
    out = []
    for left, lines in entries:
        out += [".TP", ".B " + roff(left).replace("|", "|\\:")]  # a long list of values may break after each
        out += [piece for i, line in enumerate(lines) for piece in ([".br"] if i else []) + [roff(line)]] or ["\\&"]
    return out


def page(name: str, help_text: str, version: str, others: list[str]) -> str:
    description, usage, parts = sections(help_text)
    first, *more = description.splitlines() or [name]
    first = first.rstrip(":.").removeprefix("Kiln ")
    examples = [left for title in EXAMPLES for left, _ in parts.pop(title, [])]
    commands = {title: parts.pop(title) for title in command_groups(parts)}
    out = [f'.TH {name.upper()} 1 "" "Kiln {version}" "Kiln"', ".nh", ".ad l", ".SH NAME", f"{roff(name)} \\- {roff(first[0].lower() + first[1:] if first[1:2].islower() else first)}", ".SH SYNOPSIS"]
    out += [".nf", *(roff(line) for line in usage.splitlines()), ".fi"]
    if more:
        out += [".SH DESCRIPTION", *(roff(line) for line in more)]
    for title, entries in parts.items():
        out += [f".SH {title.upper()}", *roff_entries(entries)]
    if commands:
        out.append(".SH COMMANDS")
        for title, entries in commands.items():
            out += [f".SS {title}", *roff_entries(entries)]
    if examples:
        out += [".SH EXAMPLES", ".nf", *(roff(line) for line in examples), ".fi"]
    if others:
        out += [".SH SEE ALSO", ",\n".join(f".BR {roff(other)} (1)" for other in others).replace(",\n", " ,\n")]
    return "\n".join(out) + "\n"


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    kiln, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.1.gz"):
        old.unlink()
    version = text_of(kiln, "--version").split()[1]
    pages: dict[tuple[str, ...], str] = {}

    def walk(words: tuple[str, ...]) -> None:
        pages[words] = text_of(kiln, *words, "--help")
        parts = sections(pages[words])[2]
        for title in command_groups(parts):
            for command, _ in parts[title]:
                walk((*words, command))

    walk(())
    for words, text in pages.items():
        others = ["-".join(("kiln", *each)) for each in pages if each != words and (each[:-1] == words or each == words[:-1])]
        with open(folder / ("-".join(("kiln", *words)) + ".1.gz"), "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as packed:
            packed.write(page("-".join(("kiln", *words)), text, version, others).encode())
    for program in sys.argv[3:]:
        name = pathlib.Path(program).name
        with open(folder / f"{name}.1.gz", "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as packed:
            packed.write(page(name, text_of(program, "--help"), version, ["kiln"]).encode())


if __name__ == "__main__":
    main()
