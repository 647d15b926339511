#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""architectures.py KILN PAGE: is the table of docs/architectures.md what `kiln doctor --architectures` prints?"""
import re
import subprocess
import sys

kiln, page = sys.argv[1:]
printed = subprocess.run([kiln, "doctor", "--architectures"], capture_output=True, text=True, check=True).stdout.splitlines()
with open(page, encoding="utf-8") as file:
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in file if line.startswith(("| architecture |", "| sm_"))]
wanted = [re.split(r" {2,}", line.strip()) for line in printed]
if rows != wanted:
    print(f"{page}: the table is not what kiln doctor --architectures prints")
    for row, line in zip(rows + [[]] * len(wanted), wanted + [[]] * len(rows)):
        if row != line and (row or line):
            print(f"  page:    {row}\n  program: {line}")
    sys.exit(1)
