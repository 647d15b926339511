#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the command lines of docs/guide/mistakes.md, and compares status and answer: mistakes.py KILN REPOSITORY SCRATCH

Standard output has to be empty, and a wrong command line may crash nothing: each message is one of Kiln's own."""
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys

MINIMUM = 40


def rows(page):
    """(command, status, answer) of each row."""
    for line in page.split("\n"):
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)]
        if len(cells) == 5 and cells[1].startswith("`kiln"):
            answer = re.fullmatch(r"`` (.*) ``", cells[3])
            yield cells[1].strip("`"), int(cells[2]), answer[1] if answer else cells[3]


def prepare(folder, page):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "folder"))
    files = {"k.jl": re.search(r"```julia\n(.*?)```", page, re.S)[1], "empty.jl": "", "notes.txt": "Lines of text, and no code: hello world\n",
             "jobs.json": '{"files": ["k.jl"], "jobs": ["total(Int64)"]}\n'}
    for name, text in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(os.path.join(folder, "y.npy"), "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<4f", 1, 2, 3, 4))


def main():
    kiln, repository, folder = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
    with open(os.path.join(repository, "docs", "guide", "mistakes.md"), encoding="utf-8") as file:
        page = file.read()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KILN_")}
    environment.update(KILN_CACHE_DIR="", KILN_CUDA_DRIVER="/nowhere/libcuda.so.1", NO_COLOR="1")
    faults, count = 0, 0
    for command, status, answer in rows(page):
        prepare(folder, page)
        count += 1
        words = [kiln, *shlex.split(command)[1:]]
        done = subprocess.run(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60)
        if done.returncode != status or answer not in done.stderr or done.stdout:
            faults += 1
            print(f"$ {command}\nexit status {done.returncode}, not {status}, or the answer lacks: {answer}\n{done.stdout[:300]}{done.stderr}")
    print(f"{count} mistakes, {faults} with another answer")
    if count < MINIMUM:
        print(f"the page shows {MINIMUM} mistakes at least")
    return 1 if faults or count < MINIMUM else 0


if __name__ == "__main__":
    sys.exit(main())
