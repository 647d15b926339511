#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels on the CPU and compares with what Python computes.

    run.py --kiln PROGRAM --folder SCRATCH GROUP...     a group is a .jl file here with `#:` comments, or group_<name>.py;
                                                        GROUP:PART is one of its PARTS, for those that take long where launches are slow
                                                        CPU_ONLY, a reason: on another KILN_VALUES_DEVICE it is skipped, and the reason told;
                                                        exceptions.py has what is left out on a kind of device
    run.py --number FILE.jl                             gives the slots of a file with `#:` comments their numbers

In a .jl file with expectations each kernel stands behind a line

    #! entry(o; 7; Int32(-3))                           what --arg says behind the results
    #! entry(o): status 1: DivideError                  a run that must fail so

and each of its lines `put(o, SLOT, expression)  #: PYTHON` says in Python what type and value is expected.
"""
import argparse
import importlib
import math
import os
import re
import sys
import unicodedata

from exceptions import device_kind, on_device, reason_for
from kiln import HERE, Checks, Kiln
from numbers_of import CODES

ENTRY = re.compile(r"^#! (\w+)\((.*?)\)(?:: status (\d+): ?(.*))?$")
SLOT = re.compile(r"put\(o, (\d+),")
SKIPPED = 77 # the status where no group ran, as CTest's SKIP_RETURN_CODE
EXPECTED = re.compile(r"put\(o, (\d+),.*#: (.*)$")


def expectation_names():
    """What a `#:` comment may say: i32(7), f32(x, ulps=1), true, other."""
    def typed(name):
        return lambda value, ulps=0: (name, value, ulps)
    short = {("i" if n[0] == "I" else "u" if n[0] == "U" else "f") + n.lstrip("UIntFloa"): typed(n) for n in CODES if n[-1].isdigit()}
    return {**short, "true": ("Bool", True, 0), "false": ("Bool", False, 0), "nothing": ("Nothing", None, 0), "other": ("Other", None, 0),
            "mixed": mixed, "category": unicodedata.category, "math": math, "pi": math.pi, "inf": math.inf, "nan": math.nan, **{f: getattr(math, f) for f in ("sin", "cos", "exp", "log", "sqrt", "atan2")}}


def mixed(f):
    """What f gives for each character up to U+00FF, in one number, as forms.jl mixes it."""
    h = 0
    for i in range(256):
        h = h * 31 + int(f(chr(i))) & 0xffffffff
    return h


def entries(name):
    """(entry, args, status, message, [(slot, wanted, source line)]) for each kernel of a file."""
    found = []
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if match := ENTRY.match(line):
                args = [a.strip() for a in re.split(r";", match[2])]
                found.append((match[1], args, int(match[3] or 0), match[4], []))
            elif match := EXPECTED.search(line):
                found[-1][4].append((int(match[1]), match[2], f"{name}:{number}: {line.strip().split('  #:')[0]}"))
            elif SLOT.search(line):
                raise SystemExit(f"{name}:{number}: a slot without expectation")
    return found


def check_file(kiln, checks, name, only):
    names = expectation_names()
    for entry, args, status, message, slots in entries(name):
        if (only and entry != only) or not on_device(f"{name.removesuffix('.jl')}:{entry}"):
            continue
        size = max([s[0] for s in slots], default=1)
        assert len({s[0] for s in slots}) == len(slots), f"{name}: {entry} has a slot twice: run.py --number"
        given = [f"zeros(Int64, 2, {size})" if a == "o" else a for a in args]
        arrays, _, err, got = kiln.start(["typed.jl", name], entry, given, out=[1] if slots else [])
        if got != status or (message and not re.search(message, err)):
            checks.true(False, f"{name}: {entry}: status {got}, expected {status} {message or ''}\n{err}")
            continue
        checks.true(True, entry)
        for slot, wanted, what in slots:
            checks.typed(arrays[0], (slot - 1), eval(wanted, dict(names)), what)


def number(path):
    """Gives the slots numbers from 1, anew behind each `#!`."""
    lines, slot = [], 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            if ENTRY.match(line.rstrip("\n")):
                slot = 0
            elif SLOT.search(line):
                slot += 1
                line = SLOT.sub(f"put(o, {slot},", line, count=1)
            lines.append(line)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln")
    parser.add_argument("--folder")
    parser.add_argument("--only", help="this entry of a .jl file alone")
    parser.add_argument("--number")
    parser.add_argument("groups", nargs="*")
    options = parser.parse_args()
    if options.number:
        return number(options.number)
    bad, ran = 0, 0
    for group in options.groups:
        kiln, checks = Kiln(options.kiln, os.path.join(options.folder, group.replace(" ", "_").replace(":", "-"))), Checks()
        name, _, part = group.partition(":")
        if os.path.exists(os.path.join(HERE, f"group_{name}.py")):
            module = importlib.import_module(f"group_{name}")
            if part and part not in getattr(module, "PARTS", []):
                raise SystemExit(f"{name} has no part {part!r}: {', '.join(getattr(module, 'PARTS', [])) or 'it is one'}")
            if (reason := getattr(module, "CPU_ONLY", "")) and device_kind() != "cpu":
                print(f"{group}: skipped, for the CPU only: {reason}")
                continue
            if reason := reason_for(name):
                print(f"{group}: skipped on {device_kind()}: {reason}")
                continue
            module.check(kiln, checks, *([part] if part else []))
        else:
            check_file(kiln, checks, group + ".jl", options.only)
        for line in checks.failed[:60]:
            print(line)
        if len(checks.failed) > 60:
            print(f"... and {len(checks.failed) - 60} more")
        print(f"{group}: {checks.count} checks, {len(checks.failed)} failed")
        bad += len(checks.failed)
        ran += 1
    return 1 if bad else 0 if ran else SKIPPED


if __name__ == "__main__":
    os.environ.setdefault("KILN_CACHE_DIR", "")  # what is tested is what is compiled
    sys.exit(main())
