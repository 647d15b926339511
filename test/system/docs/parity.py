#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C API has what the public C++ API has: parity.py REPOSITORY [--write|--list]

Reads the functions of the public C++ headers (include/kiln/*.h and include/kiln/extension/language/*.h) and those of the C headers, and
pairs them by parity.txt beside this script. Fails for a C++ function with neither a C function nor a reason, for a C function that stands
for no C++ function and has no reason, for names that do not exist, and if docs/guide/c-parity.md is not what --write writes.

--list prints the C++ functions that parity.txt does not mention."""
import fnmatch
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join("docs", "guide", "c-parity.md")
TITLE = """# The C++ API in C

This page lists each function of the public C++ headers with the C functions that do the same. Overloads of a C++
function share one row. "missing:" in a row means that the function has no C form yet. Other text in place of C
functions explains why C needs none.

`test/system/docs/parity.py . --write` makes this page from the headers and test/system/docs/parity.txt. A test fails if
a C++ function has neither a C form nor a reason in that file. [Embed in C](embed-c.md) introduces the C API.

"""


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


# ---- C++ declarations

def without_comments(text):
    """Comments and directives of the preprocessor are blanks."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"\[\[.*?\]\]|\bKILN_(?:API|LOCAL|PROGRAMS_API|HEADER_INLINE)\b|\b(?:alignas|explicit|noexcept)\s*\([^()]*\)", " ", text)
    text = re.sub(r"'(?:[^'\\\n]|\\.)'|\"(?:[^\"\\\n]|\\.)*\"", "0", text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", " ", text, flags=re.M)


def function_name(declaration):
    """The name of the function that a declaration declares; None: it declares something else, or an operator."""
    text = re.sub(r"\s+", " ", declaration).strip()
    if re.match(r"(using|typedef|friend|static_assert|enum|extern|namespace)\b", text) or "operator" in text or "~" in text.partition("(")[0]:
        return None
    depth = 0
    for i, c in enumerate(text):
        if c == "<":
            depth += 1
        elif c == ">":
            depth -= 1
        elif c == "=" and depth == 0:
            return None
        elif c == "(" and depth == 0:
            before = text[:i].rstrip()
            if re.search(r"\brequires$", before):
                return function_name(text[:i][: text[:i].rindex("requires")] + skip_parentheses(text[i:]))
            found = re.search(r"(\w+)$", before)
            return found[1] if found and re.search(r"[\w>&*]\s*[ &*]\w+$", before) else None
    return None


def skip_parentheses(text):
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return text[i + 1:]
    return ""


CLASS = re.compile(r"^(?:template\s*<.*?>\s*)?(?:requires\s+\w+\s*)?(class|struct|union)\s+([\w:]+)(?:\s+final)?\s*(?::[^:(].*)?$", re.S)


def functions_of(header):
    """Qualified names of the public functions that a header declares, in order."""
    text, found = without_comments(header), []

    def skip(i):  # behind the brace that closes the one at i
        depth = 0
        while i < len(text):
            depth += (text[i] == "{") - (text[i] == "}")
            i += 1
            if depth == 0:
                return i
        return i

    def scope(i, name, is_public):  # from behind the opening brace to behind the closing one
        start = i
        while i < len(text):
            c = text[i]
            if c == ":" and (label := re.search(r"\b(public|private|protected)\s*$", text[start:i])) and text[start:i].strip() == label[1]:
                is_public, start = label[1] == "public", i + 1
            elif c == ";":
                take(text[start:i], name, is_public)
                start = i + 1
            elif c == "}":
                return i + 1
            elif c == "{":
                head = text[start:i].strip()
                kind = CLASS.match(head)
                if head.startswith(("namespace", "inline namespace", "extern")):
                    i = skip(i) if re.search(r"\bdetail\b", head) else scope(i + 1, name, True)
                    start = i
                    continue
                if kind:
                    own = (name + "::" if name else "") + kind[2]
                    start = i = scope(i + 1, own, kind[1] != "class") if is_public else skip(i)
                else:
                    i = skip(i)
                    if text[i:].lstrip()[:1] not in (";", ","):  # a body, not the value of a variable
                        take(head, name, is_public)
                        start = i
                continue
            i += 1
        return i

    def take(declaration, scope_name, is_public):
        declaration = re.sub(r"\)\s*:.*", ")", declaration, flags=re.S) if re.search(r"\)\s*:[^:]", declaration) else declaration
        name = function_name(declaration)
        if is_public and name and name != scope_name.rpartition("::")[2]:
            full = f"{scope_name}::{name}" if scope_name else name
            if full not in found:
                found.append(full)

    scope(0, "", True)
    return found


def cpp_functions(repository):
    """{header: [function]} of the headers with functions; a function stands with the first header that declares it."""
    include = os.path.join(repository, "include", "kiln")
    seen, headers = set(), {}
    for folder in ("", os.path.join("extension", "language")):
        for name in sorted(os.listdir(os.path.join(include, folder))):
            path = os.path.join(folder, name)
            if name.endswith(".h") and not re.fullmatch(r"(c|c_\w+|runtime_c)\.h", name):
                own = [each for each in functions_of(read(include, path)) if each not in seen]
                seen.update(own)
                if own:
                    headers[path] = own
    return headers


def c_functions(repository):
    include, found = os.path.join(repository, "include", "kiln"), {}
    for name in sorted(os.listdir(include)):
        if re.fullmatch(r"(c|c_\w+|runtime_c)\.h", name):
            for function in re.findall(r"^KILN_C_API\s[^;]*?\b(kiln_\w+)\s*\(", without_comments(read(include, name)), re.M):
                found[function] = name
    return found


# ---- the table

def table(path):
    """Lines "PATTERN = c_function ..." and "PATTERN - reason"; a pattern may end with *. [header] heads a part of patterns that mean that header
    alone; "[C alone]" those of C functions."""
    rows, part = [], ""
    for number, line in enumerate(read(path).split("\n"), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            part = line.strip("[]")
            continue
        found = re.fullmatch(r"(\S+) (=|-) (.+)", line)
        if not found:
            sys.exit(f"{path}:{number}: neither \"NAME = c_function ...\" nor \"NAME - reason\"")
        rows.append({"line": number, "part": part, "name": found[1], "c": found[3].split() if found[2] == "=" else [], "reason": found[3] if found[2] == "-" else "", "used": 0})
    return rows


def row_of(rows, part, name):
    """The row for a function: its own, else the longest pattern's."""
    fits = [row for row in rows if row["part"] == part and fnmatch.fnmatchcase(name, row["name"])]
    return max(fits, key=lambda row: ("*" not in row["name"], len(row["name"])), default=None)


def table_rows(functions, cell):
    """The row of a table, in several lines where it is wider than 120 columns: further lines leave the first cell empty."""
    shown = next(text for count in (3, 2, 1) if len(text := shortened(functions, count)) + len(cell.split(",")[0]) < 112)
    lines, rest = [], cell.split(", ")
    while rest:
        count = next((count for count in range(len(rest), 1, -1) if len(f"| {shown} | {', '.join(rest[:count])} |") <= 120), 1)
        lines.append(f"| {shown} | {', '.join(rest[:count])} |")
        shown, rest = "", rest[count:]
    return lines


def shortened(functions, count):
    return ", ".join(f"`{each}`" for each in functions[:count]) + (f" and {len(functions) - count} more" if len(functions) > count else "")


def main():
    repository, mode = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    rows, cpp, c = table(os.path.join(HERE, "parity.txt")), cpp_functions(repository), c_functions(repository)
    bad, named, lines, counts = [], set(), [], {"C": 0, "reason": 0, "missing": 0}
    for header, functions in cpp.items():
        lines += [f"## kiln/{header}", "", "| C++ | C |", "|---|---|"]
        whole = []
        for function in functions:
            row = row_of(rows, header, function)
            if not row:
                bad.append(f"include/kiln/{header}: {function} has neither a C function nor a reason in parity.txt")
                continue
            row["used"] += 1
            named.update(row["c"])
            kind = "C" if row["c"] else "missing" if row["reason"].startswith("missing:") else "reason"
            counts[kind] += 1
            cell = ", ".join(f"`{each}`" for each in row["c"]) or row["reason"]
            whole.append((function, cell, row if "*" in row["name"] else None))
        for cell_row in {id(row): row for _, _, row in whole if row}.values():  # a pattern's functions share a line
            together = [function for function, _, row in whole if row is cell_row]
            lines += table_rows(together, next(cell for _, cell, row in whole if row is cell_row))
        lines += [line for function, cell, row in whole if not row for line in table_rows([function], cell)]
        lines.append("")
    lines += ["## C alone", "", "| C | why |", "|---|---|"]
    for function, header in c.items():
        row = next((row for row in rows if row["part"] == "C alone" and fnmatch.fnmatchcase(function, row["name"])), None)
        if function in named:
            if row and "*" not in row["name"]:
                bad.append(f"parity.txt:{row['line']}: {function} stands for a C++ function too")
        elif row:
            row["used"] += 1
            lines.append(f"| `{function}` ({header}) | {row['reason']} |")
        else:
            bad.append(f"include/kiln/{header}: {function} is in no row of parity.txt")
    bad += [f"parity.txt:{row['line']}: {each} is no C function" for row in rows for each in row["c"] if each not in c]
    bad += [f"parity.txt:{row['line']}: {row['name']} is no function of {row['part'] or 'the headers'}" for row in rows if not row["used"]]
    total = sum(counts.values())
    summary = f"{total} C++ functions: {counts['C']} have a C form, {counts['reason']} need none, {counts['missing']} have none yet. {len(c)} C functions."
    totals = (
        f"The public C++ headers have {total} functions: {counts['C']} have a C form, {counts['reason']} need none, and\n"
        f"{counts['missing']} have no C form yet. The C headers have {len(c)} functions."
    )
    page = TITLE + totals + "\n\n" + "\n".join(lines) + "\n"
    if mode == "--list":
        print("\n".join(f"{header}: {function}" for header, functions in cpp.items() for function in functions if not row_of(rows, header, function)))
    elif mode == "--write":
        with open(os.path.join(repository, PAGE), "w", encoding="utf-8") as file:
            file.write(page)
    elif not os.path.exists(os.path.join(repository, PAGE)) or read(repository, PAGE) != page:
        bad.append(f"{PAGE} is not what the headers and parity.txt say: parity.py {repository} --write")
    print("\n".join(bad))
    print(f"{summary} {len(bad)} faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
