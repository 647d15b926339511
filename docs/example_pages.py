# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of docs/examples for the site: what each example shows, its commands with their outputs, its source.

Outputs are made while the site is built, by the programs of a build folder. Without that folder, pages have none. If the folder is configured
with tests and the command line, a missing program is an error. So is a folder of docs/examples that FOLDERS lacks.
"""
import ast
import os
import shlex
import struct
import subprocess
import tempfile

LANGUAGES = {".cpp": "cpp", ".h": "cpp", ".in": "cpp", ".c": "c", ".cu": "cuda", ".jl": "julia", ".json": "json", ".lisp": "lisp", ".infix": "text", ".txt": "cmake"}
FOLDERS = {  # folder: what it is, the guide, commands of a build
    "lisp": ("A language outside Kiln's tree, with S-expressions", "embed-a-language",
             [f"test/system/api/lisp/lisp/lisp programs/{name}.lisp" for name in ("saxpy", "reduce", "shapes", "redefine")]),
    "infix": ("An array language outside Kiln's tree", "embed-a-language", ["test/system/api/infix/infix/infix programs/statistics.infix"]),
    "emitter": ("A compiler that hands LLVM IR to Kiln", "embed-a-target", []),
    "derivative": ("Derivatives of functions in nested jobs", "nested-compilers", []),
    "target_amdgpu": ("A target for AMD GPUs outside Kiln's tree", "embed-a-target", []),
    "cprog": ("A program in C, and an array language in C", "embed-c", []),
    "bundle": ("A program that launches kernels of a bundle", "bundles", []),
}  # fmt: skip
BODIES = {"descr": "[('x', '<f4'), ('y', '<f4'), ('z', '<f4'), ('mass', '<f4')]", "count": 1024, "values": (1.0, 2.0, 3.0, 1.0)}
FORMATS = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "b1": "?"}


def is_configured(build):
    """Returns True if a build folder's options include the programs whose outputs the pages show."""
    cache = os.path.join(build, "CMakeCache.txt")
    if not os.path.exists(cache):
        return False
    with open(cache, encoding="utf-8") as file:
        options = dict(line.rstrip("\n").split(":BOOL=", 1) for line in file if ":BOOL=" in line)
    return all(options.get(name, "OFF").upper() in ("ON", "1", "TRUE", "YES") for name in ("KILN_BUILD_TESTS", "KILN_BUILD_COMMAND"))


def has_program(build, path):
    """Returns True if `build` has the program. Ends the process if its options include a program that is missing."""
    if not build:
        return False
    if os.path.exists(os.path.join(build, path)):
        return True
    if is_configured(build):
        raise SystemExit(f"{os.path.join(build, path)} is missing: build it, or correct its path in docs/example_pages.py")
    return False


def fence(text, language, indent=""):
    lines = [f"````{language}", *text.rstrip().split("\n"), "````"]
    return "\n".join(f"{indent}{line}".rstrip() for line in lines) + "\n\n"


def write_bodies(path):
    """The array of structures that nbody.jl reads."""
    header = f"{{'descr': {BODIES['descr']}, 'fortran_order': False, 'shape': ({BODIES['count']},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack("<4f", *BODIES["values"]) * BODIES["count"])


def npy_text(path):
    """One line about a NumPy file: its elements' type, its shape and its first elements."""
    with open(path, "rb") as file:
        file.seek(8)
        header = ast.literal_eval(file.read(struct.unpack("<H", file.read(2))[0]).decode())
        fields = header["descr"] if isinstance(header["descr"], list) else [("", header["descr"])]
        layout = struct.Struct("<" + "".join(FORMATS[kind[1:]] for _, kind in fields))
        count = 1
        for size in header["shape"]:
            count *= size
        items = [layout.unpack(file.read(layout.size)) for _ in range(min(4, count))]
    texts = [", ".join(f"{x:.6g}" if isinstance(x, float) else str(x) for x in item) for item in items]
    kind = header["descr"] if isinstance(header["descr"], str) else "(" + ", ".join(name for name, _ in fields) + ")"
    shown = " ".join(f"({text})" if len(fields) > 1 else text for text in texts)
    return f"{os.path.basename(path)}: {kind}, shape {header['shape']}: {shown}{' ...' if count > 4 else ''}"


def run(command, folder):
    environment = {**os.environ, "KILN_CACHE_DIR": "", "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(f"{shlex.join(command)} ends with status {done.returncode}:\n{done.stderr}")
    return done.stdout


def kernel_output(kiln, command, folder):
    """The output of a command in an example's comment, as a part of its page."""
    words = shlex.split(command)
    if words[:1] != ["kiln"] or words[1] not in ("compile", "run"):
        return ""
    printed = run([kiln, *words[1:]], folder)
    if words[1] == "compile":
        return f'??? example "Its output: {len(printed.splitlines())} lines of PTX"\n\n' + fence(printed, "text", "    ")
    written = [words[i + 1].partition("=")[2] for i, word in enumerate(words) if word == "--out"]
    return fence(printed + "\n".join(npy_text(os.path.join(folder, name)) for name in written), "text")


def kernel_page(source, target, kiln):
    """A kernel's file: its opening comment as text, the commands in that with their outputs, its code."""
    with open(source, encoding="utf-8") as file:
        lines = file.read().rstrip().split("\n")
    end = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    comment = [line[2:] for line in lines[2:end]]
    text = "\n".join(line for line in comment if not line.startswith("  ")).strip()
    name, page = os.path.basename(source), ""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(source, os.path.join(folder, name))
        write_bodies(os.path.join(folder, "bodies.npy"))
        for command in (line.strip() for line in comment if line.startswith("  ")):
            page += fence(command, "sh") + (kernel_output(kiln, command, folder) if kiln else "")
    with open(target, "w", encoding="utf-8") as file:
        file.write(f"# {name}\n\n{text}\n\n{page}" + fence("\n".join(lines[end:]).strip(), "julia"))
    return name, text.split("\n\n")[0].replace("\n", " ").split(". ")[0].rstrip(".")


def program_page(title, text, guide, files, folder, commands, target, build):
    """A program: its guide, the outputs of its commands, its files."""
    page = f"---\nsearch:\n  boost: 0.3\n---\n# {title}\n\n{text}. The guide: [{guide}](../guide/{guide}.md).\n\n"
    for command in commands:
        words = shlex.split(command)
        if has_program(build, words[0]):
            printed = run([os.path.join(build, words[0]), *words[1:]], folder)
            page += fence(" ".join([os.path.basename(words[0]), *words[1:]]), "sh") + fence(printed, "text")
    for name in files:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            page += f"## {name}\n\n" + fence(file.read(), LANGUAGES[os.path.splitext(name)[1]])
    with open(target, "w", encoding="utf-8") as file:
        file.write(page)


def source_files(folder):
    found = []
    for place, _, names in os.walk(folder):
        found += [os.path.relpath(os.path.join(place, name), folder) for name in names if os.path.splitext(name)[1] in LANGUAGES]
    return sorted(found, key=lambda name: (not name.startswith("main."), os.path.dirname(name), name))


def write(examples, target, build):
    """Writes the pages into the folder `target` and returns (title, page's name) of each. `build`: a build folder, or None."""
    names = sorted(os.listdir(examples))
    folders = {name for name in names if os.path.isdir(os.path.join(examples, name)) and name != "__pycache__"}
    if folders != set(FOLDERS):
        raise SystemExit(f"folders of docs/examples and FOLDERS in docs/example_pages.py differ: {', '.join(sorted(folders ^ set(FOLDERS)))}")
    kiln = os.path.join(build, "bin", "kiln") if has_program(build, "bin/kiln") else ""
    kernels = []
    for name in names:
        if name.endswith(".jl"):
            title, text = kernel_page(os.path.join(examples, name), os.path.join(target, f"{name.removesuffix('.jl')}.md"), kiln)
            kernels.append((title, f"{name.removesuffix('.jl')}.md", text))
    programs = [("embed.cpp", "embed.md", "A program in C++ that compiles, launches and redefines kernels")]
    program_page(*programs[0][::2], "embed-cpp", ["embed.cpp"], examples, ["docs/examples/example_embed"], os.path.join(target, "embed.md"), build)
    for folder, (text, guide, commands) in FOLDERS.items():
        place = os.path.join(examples, folder)
        program_page(folder, text, guide, source_files(place), place, commands, os.path.join(target, f"{folder}.md"), build)
        programs.append((folder, f"{folder}.md", text))
    with open(os.path.join(target, "index.md"), "w", encoding="utf-8") as file:
        file.write("# Examples\n\nThe files are in docs/examples. Outputs on these pages come from the CPU.\n\n")
        for title, rows in (("kernel", kernels), ("program", programs)):
            file.write(f"| {title} | what it shows |\n|---|---|\n" + "".join(f"| [{name}]({page}) | {text} |\n" for name, page, text in rows) + "\n")
    return [(name, page) for name, page, _ in kernels + programs]
