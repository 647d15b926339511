#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of Julia's exported names: julia_names.py REPOSITORY [--kiln PROGRAM] [--write]

Reads lib/world/julia_names.def. Fails if docs/guide/julia-names.md is not the page that --write makes, and if a name is
listed twice. With --kiln, asks programs: a supported name is defined; the use of a refused name ends in an error that
contains its advice, and in no other suggestion."""

import argparse
import ast
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

MISSING = "missing name: "  # begins the lines of the asking program
ENTRY = re.compile(r'^(SUPPORTED|REFUSED)\(((?:[^"()]|"(?:[^"\\]|\\.)*")*)\)', re.M)
PAGE = """# Julia's exported names

Programs (`kiln script`, `kiln repl`) have most names that Julia 1.12 exports. This page lists the names of Base, of the
standard libraries that come with Kiln, and of CUDA.jl and its companions. A name that is refused ends in an error with
the advice that is printed here. [Programs](programs.md) describes what programs can do; [Library](../library.md) lists
the functions that kernels may call.

`test/system/docs/julia_names.py . --write` makes this page from lib/world/julia_names.def, and a test runs every name.

"""


# Types and functions that exist, so that code can name them, and refuse to be called.
HAS_DEFINITION = ("@main", "schur", "schur!", "hessenberg", "hessenberg!")


# Macros are forms of the language, so that isdefined does not see all: a use of each.
USES = {
    "@big_str": 'big"1"', "@coalesce": "@coalesce(missing, 1)", "@something": "@something(nothing, 1)", "@kwdef": "@kwdef struct K; a = 1; end",
    "@isdefined": "@isdefined(x)", "@NamedTuple": "@NamedTuple{a::Int}", "@lazy_str": 'lazy"a"', "@doc": '@doc "d" d() = 1',
    "@generated": "@generated g(x) = :(x)", "@eval": "@eval 1", "@boundscheck": "b() = @boundscheck 1", "@inbounds": "@inbounds 1",
    "@fastmath": "@fastmath 1.0 + 1.0", "@simd": "@simd for i in 1:2; end", "@inline": "@inline i() = 1", "@noinline": "@noinline n() = 1",
    "@nospecialize": "s(@nospecialize(x)) = 1", "@specialize": "@specialize", "@assert": "@assert true",
    "@atomic": "A = [1]; f(A) = @atomic A[1] += 1", "@atomicswap": "w(A) = @atomicswap A[1] = 2", "@atomicreplace": "r(A) = @atomicreplace A[1] 1 => 2",
    "@__dot__": "@__dot__ sin([1.0])", "@label": "l() = (@label here; 1)", "@goto": "t() = (@goto there; @label there; 1)", "@view": "@view [1][1:1]",
    "@views": "@views [1][1:1]", "@static": "@static if true; 1; end", "@__FILE__": "@__FILE__", "@__DIR__": "@__DIR__", "@__LINE__": "@__LINE__",
    "@__MODULE__": "@__MODULE__", "@cuassert": "f() = @cuassert true", "@cuprintf": 'f() = @cuprintf("a")', "@cuprint": 'f() = @cuprint("a")',
    "@cuprintln": 'f() = @cuprintln("a")', "@cushow": "f(x) = @cushow x", "@cuStaticSharedMem": "f() = @cuStaticSharedMem(Int, 2)",
    "@cuDynamicSharedMem": "f() = @cuDynamicSharedMem(Int, 2)", "@device_code": "f() = @device_code @cuda k()", "@device_code_lowered": "@device_code_lowered @cuda k()",
    "@device_code_typed": "@device_code_typed @cuda k()", "@device_code_warntype": "@device_code_warntype @cuda k()",
    "@device_code_llvm": "@device_code_llvm @cuda k()", "@device_code_ptx": "@device_code_ptx @cuda k()", "@device_code_sass": "f() = @device_code_sass @cuda k()", "@device_override": "@device_override k() = nothing",
    "@kernel": "@kernel function m(A) end", "@Const": "@kernel function m(@Const(A)) end", "@localmem": "@kernel function m(A); l = @localmem Int (2,); end",
    "@private": "@kernel function m(A); l = @private Int (2,); end", "@uniform": "@kernel function m(A); @uniform n = 1; end",
    "@synchronize": "@kernel function m(A); @synchronize; end", "@index": "@kernel function m(A); i = @index(Global); end",
    "@groupsize": "@kernel function m(A); n = @groupsize(); end", "@ndrange": "@kernel function m(A); n = @ndrange(); end",
    "@print": '@kernel function m(A); @print("a"); end',
}  # fmt: skip


def entries(repository):
    """(kind, module, advice, names) for each entry of the list."""
    text = re.sub(r"^//[^\n]*$", "", (repository / "lib/world/julia_names.def").read_text(), flags=re.M)
    for kind, inner in ENTRY.findall(text):
        strings = [ast.literal_eval(each) for each in re.findall(r'"(?:[^"\\]|\\.)*"', inner)]
        advice = strings.pop(1) if kind == "REFUSED" else ""
        yield kind, strings[0], advice, strings[1:]


def wrapped(words, width=116):
    lines, line = [], ""
    for word in words:
        if line and len(line) + len(word) + 1 > width:
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
    return [*lines, line]


def page(repository):
    parts, last = [PAGE], None
    for kind, module, advice, names in entries(repository):
        if module != last:
            parts.append(f"## {module}\n\n")
            last = module
        if kind == "REFUSED":
            parts.append(f"Refused; {advice}:\n\n")
        parts.append("```text\n" + "\n".join(wrapped(names)) + "\n```\n\n")
    return "".join(parts).rstrip() + "\n"


def quoted(name):
    return json.dumps(name, ensure_ascii=False).replace("$", "\\$")


def use(name):
    """A statement that uses a name."""
    if not name.startswith("@"):
        return f"var{quoted(name)}"
    return "`ls`" if name == "@cmd" else f'{name[1:-4]}"1"' if name.endswith("_str") else f"{name} x"


def error_of(kiln, module, name):
    """Standard error of a program that uses a name."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "name.jl")
        script.write_text(("" if module in ("Base", "Iterators") else f"using {module}\n") + use(name) + "\n")
        made = subprocess.run([kiln, "script", "--device", "cpu", str(script)], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    return made.stderr


def undefined(kiln, module, names):
    """The names that a module lacks; a reason instead of all names where the program fails."""
    owner = "Base.Iterators" if module == "Iterators" else module
    lines = ["k() = nothing"] if module in ("Base", "Iterators") else [f"using {module}", "k() = nothing"]
    for name in names:
        lines.append(USES.get(name) or f"isdefined({owner}, Symbol({quoted(name)})) || println({quoted(MISSING + name)})")
    # A hint compares the name with all of the library, so each of these must have a definition.
    lines += ["a_name_of_this_program = 1", "a_name_of_this_progran"]
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "names.jl")
        script.write_text("\n".join(lines) + "\n")
        made = subprocess.run([kiln, "script", "--device", "cpu", str(script)], capture_output=True, text=True, timeout=300)
    if "did you mean a_name_of_this_program?" not in made.stderr:
        return [made.stderr]
    return [line.removeprefix(MISSING) for line in made.stdout.splitlines() if line.startswith(MISSING)]


def run(repository, kiln):
    wrong = []
    for module in dict.fromkeys(entry[1] for entry in entries(repository)):
        supported = [name for kind, of, _, names in entries(repository) if (kind, of) == ("SUPPORTED", module) for name in names]
        wrong += [f"{module}: listed as supported, but not defined: {name}" for name in undefined(kiln, module, supported)]
    refused = [(module, advice, name) for kind, module, advice, names in entries(repository) if kind == "REFUSED" for name in names]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        texts = pool.map(lambda each: error_of(kiln, each[0], each[2]), refused)
        for (module, advice, name), text in zip(refused, texts):
            if name not in HAS_DEFINITION and (advice not in text or "did you mean" in text):
                wrong.append(f"{module}.{name} is refused, but its error lacks the advice: {text.strip()[:200]}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=pathlib.Path)
    parser.add_argument("--kiln")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    target = options.repository / "docs/guide/julia-names.md"
    if options.write:
        target.write_text(page(options.repository))
        return 0
    wrong = [] if target.exists() and target.read_text() == page(options.repository) else [f"{target} is not what --write makes"]
    seen = set()
    for _, module, _, names in entries(options.repository):
        wrong += [f"{module}.{name} is listed twice" for name in names if (module, name) in seen]
        seen |= {(module, name) for name in names}
    if options.kiln:
        wrong += run(options.repository, str(pathlib.Path(options.kiln).resolve()))
    print("\n".join(wrong) if wrong else f"{len(seen)} names")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
