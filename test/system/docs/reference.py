#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The user guide's reference pages are complete, and name nothing that is not there.

    reference.py options KILN REPOSITORY       docs/guide/command-line.md and options.md against what each command's --help prints
    reference.py config REPOSITORY [--write]   the table of docs/guide/options.md against include/kiln/config.def; --write writes it
    reference.py environment REPOSITORY        docs/guide/environment.md against the variables that the sources read
    reference.py errors REPOSITORY             docs/guide/errors.md against the numbers of errors, which have all literal names
    reference.py features REPOSITORY           docs/guide/embed-c.md against the names that has_feature knows
    reference.py links REPOSITORY              links of all documents lead to files, paths of the sources that they name exist
"""
import os
import re
import subprocess
import sys

# A function of the sources that reads a variable whose name it is given: its callers pass literals, which are found by their form.
READS_NAMED = re.compile(r'\b(?:(?:secure_)?getenv|environment_text|environment_variable)\((?!"|const char)')
READERS = {"lib/support/environment.cpp", "lib/session/options/environment.cpp", "tools/kiln/program_host.cpp", "targets/ptx/cuda_toolkit.cpp", "tools/agent/main.cpp", "runtime/opencl/driver_faults.cpp",
           "lib/agent/span_exporter.cpp", "lib/support/rank.cpp", "lib/precompile/rank.cpp"}
VARIABLE = re.compile(r'"((?:KILN|CUDA|CL_CONFIG|XDG|CONDA|JULIA|AWS|OTEL|SLURM|OMPI|JOB)_[A-Z_0-9]+|NO_COLOR|VIRTUAL_ENV|HOME|PATH|TMPDIR|RANK|WORLD_SIZE)"')
# Literals of that form that name something else.
OTHERS = {"KILN_VERSION", "CUDA_SUCCESS"}
# Variables of others' programs that the page mentions, and the build's.
MENTIONED = {"CUDA_VISIBLE_DEVICES", "KILN_JOBS", "KILN_DEBIAN"}


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def rows(text):
    """The first cells of the tables' rows."""
    return [line.split("|")[1] for line in text.split("\n") if line.startswith("| `")]


# ---- options

def commands_of(kiln, words=()):
    """Every command that can be run, as tuples of words, with the options of its help."""
    text = subprocess.run([kiln, *words, "--help"], capture_output=True, text=True, check=True).stdout
    titles = re.split(r"^([A-Z][\w ]*):\n", text, flags=re.M)
    sections = dict(zip(titles[1::2], titles[2::2]))
    options_text = sections.pop("Options", "")
    commands_text = "".join(body for title, body in sections.items() if title not in ("Positionals", "Environment", "Example", "Examples"))
    options = set()
    for line in options_text.split("\n"):
        found = re.match(r"  (-[\w-]+(?:,-[\w-]+)*)", line)
        options |= set(found[1].split(",")) if found else set()
    found = {words: options}
    for name in re.findall(r"^  (\w+) ", commands_text, re.M):
        found |= commands_of(kiln, (*words, name))
    return found


def options(kiln, repository):
    page = "\n".join(read(repository, "docs", "guide", name) for name in ("command-line.md", "options.md"))
    documented = {}
    for section in re.split(r"^## ", page, flags=re.M)[1:]:
        heading, _, body = section.partition("\n")
        first = body.strip().split("\n\n")[0]
        for command in re.findall(r"`kiln ?([^`]*)`", heading + (first if first.startswith("Commands:") else "")):
            names = documented.setdefault(tuple(command.split()), set())
            for row in rows(body):
                names |= set(re.findall(r"`(--?[\w-]+)", row))
    bad = []
    there = commands_of(kiln)
    for command, expected in sorted(there.items()):
        found = documented.get(command, set())
        title = " ".join(("kiln", *command))
        bad += [f"{title} has {option}, which no heading with `{title}` in docs/guide/command-line.md or options.md explains" for option in sorted(expected - found)]
        bad += [f"docs/guide/command-line.md or options.md gives {title} the option {option}, which it has not" for option in sorted(found - expected)]
    bad += [f"docs/guide/command-line.md has a command that is not there: kiln {' '.join(command)}" for command in sorted(set(documented) - set(there))]
    return bad, f"{len(there)} commands, {sum(map(len, there.values()))} options"


# ---- the table of options

def arguments(text):
    """The arguments of a macro, at commas outside of brackets and strings."""
    found, depth, begin, in_string = [], 0, 0, False
    for i, c in enumerate(text):
        if c == '"' and text[i - 1] != "\\":
            in_string = not in_string
        elif in_string:
            continue
        elif c in "({[<":
            depth += 1
        elif c in ")}]>":
            depth -= 1
        elif c == "," and depth == 0:
            found.append(text[begin:i])
            begin = i + 1
    return [argument.strip() for argument in (*found, text[begin:])]


def unquoted(text):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).replace('\\"', '"')


def option_rows(repository):
    """The table's lines: option, field, values, target, meaning."""
    text = re.sub(r"^\s*//.*$", "", read(repository, "include", "kiln", "config.def"), flags=re.M)
    choices = {name: [unquoted(each) for each in arguments(values)] for header in ("job.h", "target.h")
               for name, values in re.findall(r"(\w+)\[\] = \{([^}]*)\};", read(repository, "include", "kiln", header))}
    owners = {"JOB_OPTION": "", "JOB_PART": "", "TARGET_OPTION": "target.", "NATIVE_OPTION": "native.", "PTX_OPTION": "ptx.", "SPIRV_OPTION": "spirv."}
    for kind, row in re.findall(r"^KILN_(\w+)\((.*?)\)$", text, re.M | re.S):
        _, field, _, name, values, scope, meaning = arguments(row)
        name, meaning = unquoted(name), unquoted(meaning)
        form, given = values.split("(", 1)
        given = arguments(given.rstrip(")"))
        dashes = "" if scope == "in_text" or not name else "-" if len(name) == 1 else "--"
        places = {"number": lambda: unquoted(given[2]), "text": lambda: unquoted(given[0]), "choice": lambda: "\\|".join(choices[given[0]]), "extents": lambda: "X[,Y[,Z]]",
                  "cpu_name": lambda: "ARCH", "architecture": lambda: "ARCH", "version": lambda: "VERSION", "target_name": lambda: "TARGET", "files": lambda: "FILE"}
        option = f"`{dashes}{name}{' ' + places[form]() if dashes and form in places else ''}`" if name else "(C++ only)"
        if form == "flag_or":
            option += f", `--{unquoted(given[0])}`"
            meaning += f"; else {unquoted(given[1])}"
        kinds = {"number": lambda: f"{given[0]} to {given[1]}", "flag": lambda: "bool", "flag_or": lambda: "bool", "off": lambda: "bool",
                 "choice": lambda: ", ".join(choices[given[0]]), "extents": lambda: "> 0", "configs": lambda: "an object"}
        own = {"NATIVE_OPTION": "native", "PTX_OPTION": "ptx", "SPIRV_OPTION": "spirv"}
        target = scope if scope in own.values() else own.get(kind, "all")
        yield f"| {option} | `{owners[kind]}{field}` | {kinds.get(form, lambda: 'text')()} | {target} | {meaning.replace('|', chr(92) + '|')} |"


def config(repository, mode=""):
    path = os.path.join(repository, "docs", "guide", "options.md")
    page, table = read(path), list(option_rows(repository))
    lines = re.search(r"^\| option \| C\+\+ field \|.*\n\|---.*\n((?:\|.*\n)*)", page, re.M)[1].splitlines()
    if mode == "--write":
        head = re.search(r"^\| option \|.*\n\|---.*\n", page, re.M).end()
        with open(path, "w", encoding="utf-8") as file:
            file.write(page[:head] + "\n".join(table) + "\n" + re.sub(r"\A(\|.*\n)*", "", page[head:]))
        lines = table
    bad = [f"docs/guide/options.md lacks the row (reference.py config . --write):\n  {row}" for row in table if row not in lines]
    bad += [f"docs/guide/options.md has a row that include/kiln/config.def has not:\n  {row}" for row in lines if row not in table]
    return bad, f"{len(table)} options"


# ---- environment

def sources(repository):
    for top in ("include", "lib", "targets", "runtime", "tools"):
        for folder, _, files in os.walk(os.path.join(repository, top)):
            for name in files:
                if name.endswith((".cpp", ".h")):
                    path = os.path.join(folder, name)
                    yield os.path.relpath(path, repository), read(path)


def environment(repository):
    page = read(repository, "docs", "guide", "environment.md")
    documented = set(re.findall(r"`([A-Z][A-Z0-9_]+)`", page))
    bad, found = [], set()
    for path, text in sources(repository):
        code = re.sub(r"//[^\n]*", "", text)
        found |= set(re.findall(r'(?:getenv|environment_text|environment_variable)\("(\w+)"', code)) | set(VARIABLE.findall(code))
        if READS_NAMED.search(code) and path not in READERS:
            bad.append(f"{path} reads a variable by a name that it is given: see that VARIABLE of {os.path.basename(__file__)} finds all such names, and add the file to READERS")
    found -= OTHERS
    bad += [f"the sources read {name}, which docs/guide/environment.md does not explain" for name in sorted(found - documented)]
    bad += [f"docs/guide/environment.md explains {name}, which the sources do not read" for name in sorted(documented - found - MENTIONED)]
    return bad, f"{len(found)} variables"


# ---- numbers of errors, names of features

def errors(repository):
    table = re.findall(r'^KILN_FAULT\((\d+), (\w+), \w+, "([^"]+)", ', read(repository, "include", "kiln", "faults.def"), re.M)
    page = re.findall(r"^\| (\d+) \| `([^`]+)` \| `(\w+)` \|$", read(repository, "docs", "guide", "errors.md"), re.M)
    documented = {(number, kind, name) for number, name, kind in page}
    bad = [f"docs/guide/errors.md does not list {entry}" for entry in sorted(set(table) - documented)]
    bad += [f"docs/guide/errors.md lists {entry}, which is no number" for entry in sorted(documented - set(table))]
    return bad, f"{len(table)} numbers"


def features(repository):
    names = set(re.findall(r'"(\w+)"', read(repository, "lib", "session", "options", "feature.cpp").partition("names = {")[2].partition("};")[0]))
    section = read(repository, "docs", "guide", "embed-c.md").partition("## What this library has")[2].partition("\n## ")[0]
    documented = set(re.findall(r"^\| `(\w+)` \|", section, re.M))
    bad = [f"docs/guide/embed-c.md does not explain the feature {name}" for name in sorted(names - documented)]
    bad += [f"docs/guide/embed-c.md explains {name}, which has_feature does not know" for name in sorted(documented - names)]
    return bad, f"{len(names)} features"


# ---- links and paths

# Folders of which the documents name files. A path with * or <> is a pattern.
SOURCE_PATH = re.compile(r"(?<![\w/.-])((?:include|lib|targets|runtime|tools|test|bench|cmake|docs)/[\w./-]*\w\.(?:cpp|h|def|jl|py|txt|cmake|md|json|svg))\b")
# Documents that speak of files that were there.
MOVED = {"docs/adr/015-pipeline-and-seams.md": ("lib/driver/driver.cpp", "lib/driver/assemble.cpp")}
# Not files of the tree: the site's API reference, other sites, places of the page itself.
MADE = ("api/", "http://", "https://", "#")


def documents(repository):
    for folder, folders, files in os.walk(repository):
        folders[:] = sorted(name for name in folders if name != "build" and not name.startswith("."))
        yield from (os.path.relpath(os.path.join(folder, name), repository) for name in sorted(files) if name.endswith(".md"))


def links(repository):
    bad, count = [], 0
    for name in documents(repository):
        text = read(repository, name)
        prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", prose):
            count += 1
            if not target.removeprefix("../").startswith(MADE) and not os.path.exists(os.path.join(repository, os.path.dirname(name), target.split("#")[0])):
                bad.append(f"{name}: the link to {target} leads nowhere")
        for path in SOURCE_PATH.findall(prose) if name != "CHANGELOG.md" else []:
            count += 1
            if not os.path.exists(os.path.join(repository, path)) and path not in MOVED.get(name, ()):
                bad.append(f"{name}: names {path}, which does not exist")
    return bad, f"{count} links and paths"



def main():
    check = {"options": options, "config": config, "environment": environment, "errors": errors, "features": features, "links": links}[sys.argv[1]]
    bad, counted = check(*sys.argv[2:])
    print("\n".join(bad))
    print(f"{counted}, {len(bad)} faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
