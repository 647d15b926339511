#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of a page of docs/measurements and replaces the figures below each.

    page.py SUBJECT [--only TEXT] [--list]

SUBJECT is the page's name without `.md`; --only runs the commands that contain TEXT, --list prints them.

A command is the indented text above a line `<!-- figures -->`, or `<!-- figures, GPU -->` if it needs a GPU. Its output replaces the text
down to `<!-- end -->`, below a line with the date, the commit and the machine. Commands run in the repository's root with bash. A command that
is skipped (no GPU, or status 77) or fails keeps its figures; exit status 1 if one failed.
"""
import argparse
import datetime
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"((?:^ {4}[^\n]*\n)+)\n?<!-- figures(?P<gpu>, GPU)? -->\n.*?<!-- end -->", re.M | re.S)
SKIPPED = 77


def first_line(*command):
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip().partition("\n")[0]
    except (OSError, subprocess.CalledProcessError):
        return ""


def circumstances():
    """Date, commit and machine, without the machine's name."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        cpu = re.search(r"model name\s*: (.*)", file.read())
    parts = [datetime.date.today().isoformat(), "commit " + first_line("git", "rev-parse", "--short", "HEAD"),
             f"{os.cpu_count()} cores" + (f" of {cpu[1]}" if cpu else ""), first_line("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"),
             f"load average {os.getloadavg()[0]:.1f}"]
    return ", ".join(part for part in parts if part) + "."


def as_markdown(output):
    """Text with a table stays as it is, without the title of a report; other text goes into a fence."""
    output = re.sub(r"^# .*\n+", "", output)
    return output if re.search(r"^\|", output, re.M) else f"```text\n{output}\n```"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("subject")
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    path, failed = os.path.join(ROOT, "docs", "measurements", options.subject + ".md"), []
    has_gpu = bool(first_line("nvidia-smi", "-L"))

    def measured(block):
        command = re.sub(r"^ {4}", "", block[1], flags=re.M).strip()
        if options.only not in command:
            return block[0]
        print(command, flush=True)
        if options.list:
            return block[0]
        if block["gpu"] and not has_gpu:
            print("skipped: no GPU", flush=True)
            return block[0]
        where = circumstances()  # before the run, whose own load would show
        done = subprocess.run(["bash", "-c", command], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            print(f"status {done.returncode}: the figures stay\n{done.stdout[-2000:]}", flush=True)
            failed.extend([command] * (done.returncode != SKIPPED))
            return block[0]
        return f"{block[1]}\n<!-- figures{block['gpu'] or ''} -->\n\n{where}\n\n{as_markdown(done.stdout.strip())}\n\n<!-- end -->"

    with open(path, encoding="utf-8") as file:
        text = file.read()
    new = BLOCK.sub(measured, text)
    if new != text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
