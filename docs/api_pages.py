#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One page for each public header, in the order of the header: api_pages.write(INCLUDE, FOLDER) -> [(title, path)]

A header's opening comment becomes the page's first paragraphs. Each declaration becomes a heading with its name, its comment
as text, and its code. Private members, forward declarations and `namespace detail` are left out. clang-format lays the headers
out, so lines and braces are enough to find declarations.
"""
import ast
import glob
import os
import re

DROPPED = re.compile(r"^(#(?!define)|namespace |extern \"C\" \{|\} // (namespace|extern)|using namespace|(class|struct|union|enum class) [\w:]+;( //.*)?$|typedef struct (\w+) \3;$|#define \w+_H$)")
NAME = re.compile(
    r"(?:^|\n)\s*(?:template ?<[^\n]*>\s*(?:requires[^\n]*\s*)?)?(?:"
    r"#define (?P<macro>\w+)"
    r"|using (?P<alias>\w+) ="
    r"|concept (?P<concept>\w+)"
    r"|typedef (?:struct|enum) (?P<ctype>\w+)"
    r"|(?:class|struct|union|enum class|enum) (?:KILN\w+ )?(?:\[\[[^\]]*\]\] )?(?P<type>\w+)"
    r"|[^\n(=;]*?(?P<function>operator[^\s(]+|~?\w+)\("
    r"|[^\n(=;]*?(?P<constant>\w+)(?:\[\w*\])* ?[=;{])"
)
EXPORTS = re.compile(r"\b(KILN\w*_API|KILN_LOCAL|KILN_HEADER_INLINE) ?")


def without_strings(line):
    return re.sub(r"//.*|/\*.*?\*/|\"(\\.|[^\"\\])*\"|'(\\.|[^'\\])'", "", line)


def blocks(text):
    """(comment, code) for each declaration; code is empty for a comment that stands alone."""
    lines, at, comment = text.split("\n"), 0, []
    while at < len(lines):
        line = lines[at]
        if re.match(r"namespace .*\bdetail\b", line):
            while not lines[at].startswith("} // namespace"):
                at += 1
        elif not line.strip():
            if comment:
                yield "\n".join(comment), ""
            comment = []
        elif re.match(r"\s*//", line):
            comment.append(re.sub(r"^\s*//[/!]? ?", "", line))
        elif re.match(r"\s*/\*", line) and not re.search(r"\*/.*\S", line):
            while True:
                comment.append(re.sub(r"\s*\*/\s*$|^\s*/?\*+ ?", "", lines[at]))
                if lines[at].rstrip().endswith("*/"):
                    break
                at += 1
        elif DROPPED.match(line):
            comment = [] if line.startswith(("class ", "struct ")) else comment
        else:
            begin, depth = at, 0
            while True:
                plain = without_strings(lines[at]).rstrip()
                depth += sum(map(plain.count, "({[")) - sum(map(plain.count, ")}]"))
                if depth <= 0 and not plain.endswith("\\") and (plain.endswith((";", "}")) or lines[begin].startswith("#define") or at + 1 == len(lines)):
                    break
                at += 1
            yield "\n".join(comment), "\n".join(lines[begin : at + 1])
            comment = []
        at += 1
    if comment:
        yield "\n".join(comment), ""


def public_part(code):
    """A class without its private members."""
    kept, hidden_at = [], None
    for line in code.split("\n"):
        indent = len(line) - len(line.lstrip())
        if hidden_at is not None and line.strip() and (indent < hidden_at or indent == hidden_at and re.match(r"\s*(public:|\})", line)):
            hidden_at = None
        if re.match(r"\s*(private|protected):$", line):
            hidden_at = indent
            while kept and not kept[-1].strip():
                kept.pop()
        if hidden_at is None:
            kept.append(line)
    text = "\n".join(kept)
    return text if text.startswith("#define") else EXPORTS.sub("", text)


def members(code):
    """(first lines, [(comment, code)]) of a class; a member without a comment goes with the one before it."""
    head, _, body = code.partition("{\n")
    body = re.sub(r"^(public:|friend .*;)\n", "", re.sub(r"^  ", "", body.removesuffix("};"), flags=re.M), flags=re.M)
    found = []
    for comment, member in blocks(body):
        member = re.sub(r" \{\n.*\n\}$", ";", member, flags=re.S) if re.search(r"\) (const )?\{\n", member) else member
        if comment or not found:
            found.append((comment, member))
        elif member:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{member}".strip("\n"))
    return head, found


def name_of(code):
    found = NAME.search(code)
    return next((name for name in found.groupdict().values() if name), None) if found else None


class Reference:
    """All headers of a language, so that the text of one can link to names of another."""

    def __init__(self, prefix):
        self.prefix, self.pages, self.links = prefix, {}, {}

    def add(self, include, path):
        with open(os.path.join(include, path), encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"^(//|/\*) SPDX[^\n]*\n( \*\n|//\n)?", lambda m: "/*\n" if m.group(1) == "/*" else "", text)
        opening, items = "", []
        for comment, code in blocks(text):
            if not code and not items and not opening:
                opening = comment
            elif code or comment:
                items.append((comment, public_part(code), name_of(code)))
        page = page_of(path).split("/", 2)[2]
        self.pages[page] = (path, opening, items)
        for _, _, name in items:
            if name and len(name) > 3:
                self.links.setdefault(name, page)

    def prose(self, text, page):
        """A comment as Markdown: names as code, with links to those of the reference."""

        def link(word):
            name = word.removeprefix("kiln::").split("::")[0].split("(")[0]
            target = self.links.get(name)
            if not target or not (name[0].isupper() or "_" in name):
                return f"`{word}`"
            return f"[`{word}`]({os.path.relpath(target, os.path.dirname(page))}#{name})"

        def escape(match):
            code, word, sign = match.groups()
            if code:
                return link(code.strip("`"))
            if word:
                coded = re.search(r"_|::|\(\)$", word) or word in self.links and word[0].isupper()
                return link(word) if coded and not word.endswith(".h") else word
            return "\\" + sign

        return re.sub(r"(`[^`]+`)|((?<![\w/.])~?\w[\w:]*\w(?:\(\))?(?![\w/]))|([*_<>#|\[\]])", escape, text)

    def of_class(self, name, code, page):
        head, parts = members(code)
        out = [f"```cpp\n{head.rstrip()};\n```\n"]
        for comment, member in parts:
            section = re.match(r"-{4} ?(.*?)(?:\. |\n|$)(.*)", comment, re.S)
            if section:
                out.append(f"**{section[1][:1].upper()}{section[1][1:]}**\n")
                comment = section[2]
            of = name_of(member)
            if of:
                out.append(f"### {name}::{of}\n")
            out += [self.prose(comment, page), "", f"```cpp\n{member}\n```\n"] if member else [self.prose(comment, page), ""]
        return out

    def write(self, folder):
        names = []
        for page, (path, opening, items) in self.pages.items():
            out = [f"# {path}\n", self.prose(opening, page), ""]
            level = "##"
            for comment, code, name in items:
                section = re.match(r"-{4} ?(.*)", comment, re.S)
                if section:
                    head, _, rest = section[1].partition("\n")
                    out += [f"## {head.rstrip('.')[:1].upper()}{head.rstrip('.')[1:]}\n", self.prose(rest, page), ""]
                    level, comment = "###", ""
                if code and name:
                    shown = name if not self.prefix or code.startswith("#define") else self.prefix + name
                    repeated = shown == names[-1] if names else False
                    if not repeated or comment:
                        out.append(f"{level} {shown} {{ #{name} }}\n" if self.links.get(name) == page and not repeated else "")
                    names.append(shown)
                out += [self.prose(comment, page), ""] if comment else []
                if code.startswith(("class ", "template")) and "\npublic:\n" in code:
                    out += self.of_class(name, code, page)
                else:
                    out += [f"```{'cpp' if self.prefix else 'c'}\n{code}\n```\n"] if code else []
            target = os.path.join(folder, page)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8") as file:
                file.write(re.sub(r"\n{3,}", "\n\n", "\n".join(out)))
        return [(path, page) for page, (path, _, _) in self.pages.items()]


def headers(include, is_wanted):
    for folder, folders, files in sorted(os.walk(include)):
        folders[:] = [name for name in folders if name != "internal"]
        for name in sorted(files):
            path = os.path.relpath(os.path.join(folder, name), include)
            if name.endswith(".h") and is_wanted(path):
                yield path


def is_c(path):
    return os.path.basename(path).startswith(("c_", "c.h", "runtime_c"))


def page_of(path):
    """Where the site has a header's page: "kiln/c_tune.h" is in api/c/c_tune.md."""
    return f"api/{'c' if is_c(path) else 'cpp'}/{path.removeprefix('kiln/').removesuffix('.h')}.md"


def write(include, folder, language):
    """Pages of the headers of "cpp" or "c" in FOLDER. Returns (header, page) of each."""
    reference = Reference("kiln::" if language == "cpp" else "")
    for path in headers(include, lambda path: is_c(path) == (language == "c")):
        reference.add(include, path)
    return reference.write(folder)


def python_pages(package, folder):
    """The typed stubs of the Python package: each public name with its signatures and its docstring from the sources."""
    docstrings = {}
    for source in sorted(glob.glob(os.path.join(package, "**", "*.py"), recursive=True)):
        with open(source, encoding="utf-8") as file:
            for node in ast.parse(file.read()).body:
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
                    docstrings.setdefault(node.name, ast.get_docstring(node))
    pages = []
    os.makedirs(folder, exist_ok=True)
    for stub in sorted(glob.glob(os.path.join(package, "**", "*.pyi"), recursive=True)):
        with open(stub, encoding="utf-8") as file:
            text = file.read()
        module = os.path.relpath(stub, os.path.dirname(package)).removesuffix(".pyi").removesuffix("/__init__").replace("/", ".")
        shown = {}
        for node in ast.parse(text).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                begin = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                shown.setdefault(node.name, []).append("\n".join(text.split("\n")[begin - 1 : node.end_lineno]))
        if not shown or "._" in module:
            continue
        out = [f"# {module}\n"]
        for name, code in shown.items():
            out += [f"## {module}.{name} {{ #{name} }}\n", Reference("").prose(docstrings.get(name, ""), ""), "\n```python\n" + "\n".join(code) + "\n```\n"]
        pages.append((module, module.replace(".", "-") + ".md"))
        with open(os.path.join(folder, pages[-1][1]), "w", encoding="utf-8") as file:
            file.write("\n".join(out))
    return pages
