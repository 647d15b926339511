# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands that the examples' first lines show.

    examples.py run KILN FOLDER SCRATCH              runs each `kiln compile` and `kiln run` of them
    examples.py assemble KILN FOLDER SCRATCH PTXAS   compiles every kernel of them for sm_90, or what its command names, and assembles it
    examples.py advise KILN FOLDER SCRATCH           fails if `kiln advise` has something to say of a kernel of them
"""
import os
import re
import shlex
import subprocess
import sys

VECTOR, MATRIX = "CuDeviceVector{%s,1}", "CuDeviceMatrix{%s,1}"
# Kernels that no command compiles by name: those of stream.jl but triad.
FURTHER = {"stream.jl": [f"{name}({', '.join([VECTOR % 'Float64'] * arrays + ['Float64'] * scalars)})"
                         for name, arrays, scalars in (("copy", 2, 0), ("mul", 2, 1), ("add", 3, 0))]}


def commands(path):
    with open(path, encoding="utf-8") as file:
        return [shlex.split(line[1:].strip())[1:] for line in file if line.startswith("#   kiln ")]


def check(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)}\nends with status {done.returncode}\n{done.stderr}")
    return done.stdout


def main():
    mode, kiln, folder, scratch = sys.argv[1:5]
    folder = os.path.abspath(folder)
    kiln = os.path.abspath(kiln)
    ran = 0
    for file in sorted(os.listdir(folder)):
        if not file.endswith(".jl"):
            continue
        path = os.path.join(folder, file)
        shown = commands(path)
        if not shown:
            sys.exit(f"{file} shows no command")
        jobs = [command for command in shown if command[0] == "compile"]
        jobs += [["compile", file, signature, "--target", "ptx"] for signature in FURTHER.get(file, [])]
        if mode == "advise":
            for command in jobs:
                said = check([kiln, "advise", path] + command[2:], cwd=scratch)
                said = "".join(line for line in said.splitlines(keepends=True) if not line.startswith("not checked:"))
                if said:
                    sys.exit(f"{shlex.join(command)}:\n{said}")
                ran += 1
        elif mode == "assemble":
            for i, command in enumerate(jobs):
                ptx = os.path.join(scratch, re.sub(r"\W", "_", file) + f"_{i}.ptx")
                check([kiln, "compile", path] + command[2:] + ["--arch", "sm_90", "-o", ptx] if "--arch" not in command
                      else [kiln, "compile", path] + command[2:] + ["-o", ptx], cwd=scratch)
                arch = command[command.index("--arch") + 1] if "--arch" in command else "sm_90"
                check([sys.argv[5], f"-arch={arch}", ptx, "-o", ptx + ".cubin"])
                ran += 1
        else:
            for command in shown:
                if command[0] in ("compile", "run"):
                    check([kiln, command[0], path] + command[2:], cwd=scratch)
                    ran += 1
    print(f"{ran} commands")


if __name__ == "__main__":
    main()
