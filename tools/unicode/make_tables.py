#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes tables from Python's copy of the Unicode Character Database.

    tools/unicode/make_tables.py > lib/support/unicode_tables.inc
    tools/unicode/make_tables.py compositions > lib/frontend/julia/syntax/composition_tables.inc

Case mappings are the simple ones (one character to one character), as utf8proc has them. utf8proc's one exception
is taken over: the capital of U+00DF is U+1E9E."""
import sys
import unicodedata

CATEGORIES = ("Cn Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co").split()
CODES = range(sys.maxunicode + 1)


def upper(c):
    if c == "\u00df":
        return "\u1e9e"
    full = c.upper()
    if len(full) == 1:
        return full
    return c.title() if len(c.title()) == 1 else c


def lower(c):
    return "i" if c == "\u0130" else c.lower() if len(c.lower()) == 1 else c


def title(c):
    if len(c.upper()) > 1:
        return upper(c)
    return c.title() if len(c.title()) == 1 else c


def runs(key):
    """Run-length encodes key(character) over all characters: a list of [count, key]."""
    found = []
    for code in CODES:
        now = key(chr(code))
        if found and found[-1][1] == now:
            found[-1][0] += 1
        else:
            found.append([1, now])
    return found


# Ranges in which also unassigned characters are two columns wide. EastAsianWidth.txt has them, but Python's data does not.
WIDE_BLOCKS = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FFFD), (0x30000, 0x3FFFD))


def is_wide(c):
    if unicodedata.category(c) == "Cn":
        return any(first <= ord(c) <= last for first, last in WIDE_BLOCKS)
    return unicodedata.east_asian_width(c) in "WF"


def steps(mapping, other=lambda c: c):
    """Encodes a case mapping as ranges [first, last, distance, step]. Leaves out characters that `other` maps equally."""
    found = []
    for code in CODES:
        to = mapping(chr(code))
        if to == other(chr(code)):
            continue
        distance = ord(to) - code
        if found:
            first, last, of, step = found[-1]
            gap = code - last
            if of == distance and gap in (1, 2) and (first == last or step == gap):
                found[-1] = [first, code, of, gap]
                continue
        found.append([code, code, distance, 1])
    return found


def write(items, width=118):
    line = " "
    for item in items:
        if len(line) + len(item) + 2 > width:
            print(line)
            line = " "
        line += f" {item},"
    print(line)


def write_head():
    print("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception")
    print("//")
    print(f"// Written by tools/unicode/make_tables.py from the Unicode Character Database {unicodedata.unidata_version}.")
    print("// clang-format off")


def write_properties():
    print("constexpr uint32_t category_runs[] = { // characters << 5 | category")
    write(f"{count << 5 | CATEGORIES.index(of)}" for count, of in runs(unicodedata.category))
    print("};")
    print("constexpr uint32_t wide_runs[] = { // characters << 5 | are they two columns wide?")
    write(f"{count << 5 | int(of)}" for count, of in runs(is_wide))
    print("};")
    for name, mapped in (("upper", steps(upper)), ("lower", steps(lower)), ("title", steps(title, upper))):
        print(f"constexpr Mapping {name}_steps[] = {{ // first, last, distance, step")
        write("{%#x, %#x, %d, %d}" % tuple(each) for each in mapped)
        print("};")


def write_compositions():
    parts = []  # Hangul syllables are computed
    for code in CODES:
        pair = unicodedata.decomposition(chr(code))
        if pair and not pair.startswith("<"):
            first, *second = (int(part, 16) for part in pair.split())
            composes = unicodedata.normalize("NFC", chr(code)) == chr(code)
            parts.append("{%#x, %#x, %#x, %d}" % (code, first, second[0] if second else 0, composes))
    print("constexpr Decomposition decompositions[] = { // code, its two parts (0: only one), do they compose again?")
    write(parts)
    print("};")
    print("constexpr uint32_t class_runs[] = { // characters << 8 | canonical combining class")
    write(f"{count << 8 | of}" for count, of in runs(unicodedata.combining))
    print("};")


write_head()
write_compositions() if sys.argv[1:] == ["compositions"] else write_properties()
print("// clang-format on")
