#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the command blocks of the user's documents as they stand, and looks at what they leave.

    commands.py KILN REPOSITORY SCRATCH

A block (indented or fenced) that begins with `# NAME.jl` is written to that file, as a reader would. Any other block is run,
line by line, in a folder where build/release/bin/kiln is the built program and docs/ the repository's. What cannot run here
is listed in LEFT_OUT with its reason, and printed. README's lists and tables: each `kiln ...` in them is run as CLAIMS says.
"""
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "language", "values"))
import npy

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "docs/cache.md", "docs/kernelabstractions.md"]
# (document, a line of the block): why the block is not run.
LEFT_OUT = {
    ("README.md", "./x demo"): "installs packages and builds Kiln, which a test inside the build cannot",
    ("CONTRIBUTING.md", "./x build"): "builds Kiln, runs this suite, fuzzes for minutes, reformats the sources",
    ("docs/cache.md", "miss"): "what `kiln cache explain` prints, no command: test/language/lit/cli/explain.jl checks its lines",
    ("docs/cache.md", "kiln precompile MANIFEST|TRACE"): "a synopsis, no command: test_synopsis looks for its options in the help",
}
# What each `kiln ...` in README's lists promises: commands, and a text that their output holds.
SAXPY = "saxpy.jl saxpy --arg 'ones(Float32, 1000)' --arg 'ones(Float32, 1000)' --arg 2f0 --threads 256 --blocks 4 --device cpu"
CLAIMS = {
    "kiln run --check": (f"kiln run --check {SAXPY}", ""),
    "kiln advise": ("kiln advise docs/examples/saxpy.jl 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)'", ""),
    "kiln timings diff": ("kiln compile docs/examples/saxpy.jl 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --timings=json:claim.json -o claim.s && cp claim.json again.json && kiln timings diff claim.json again.json", ""),
    "kiln precompile": ("kiln precompile docs/examples/manifest.json --dry-run", "saxpy"),
}


def blocks(text):
    """The indented and fenced blocks of a Markdown text, as lists of lines; not those that are marked as text, C++ or Python."""
    found, now, fenced, shown, before = [], None, False, True, ""
    for line in text.split("\n") + [""]:
        if line.startswith("```"):
            if fenced and shown:
                found.append(now)
            now, fenced = ([] if not fenced else None), not fenced
            shown = not line.startswith(("```text", "```cpp", "```python")) if fenced else True
        elif fenced:
            now.append(line)
        elif line.startswith("    ") and (now is not None or not before.strip()) and not before.startswith("- "):
            now = (now or []) + [line[4:]]
        elif now is not None and not line.strip():
            now.append("")
        elif now is not None:
            found.append(now)
            now = None
        before = line
    if now:
        found.append(now)
    parts = []
    for lines in found:  # a file and commands may follow each other with an empty line between
        cut = [[]]
        for i, line in enumerate(lines):
            if not line.strip() and i + 1 < len(lines) and re.match(r"(kiln|\$K|K=) ?", lines[i + 1]) and cut[-1] and cut[-1][0].startswith("# "):
                cut.append([])
            else:
                cut[-1].append(line)
        parts += ["\n".join(lines).strip("\n") for lines in cut]
    return [p for p in parts if p.strip()]


class Place:
    """The folder in which a document's commands run."""

    def __init__(self, kiln, repository, folder):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(os.path.join(folder, "build", "release", "bin"))
        os.symlink(kiln, os.path.join(folder, "build", "release", "bin", "kiln"))
        os.symlink(os.path.join(repository, "docs"), os.path.join(folder, "docs"))
        self.folder = folder
        self.environment = {**os.environ, "PATH": os.path.join(folder, "build", "release", "bin") + ":" + os.environ["PATH"],
                            "KILN_CACHE_DIR": os.path.join(folder, "cache"), "NO_COLOR": "1"}

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, command, prefix=""):
        return subprocess.run(["bash", "-euo", "pipefail", "-c", prefix + command], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=240)


class Checker:
    def __init__(self, kiln, repository, scratch):
        self.kiln, self.repository, self.scratch = os.path.abspath(kiln), os.path.abspath(repository), os.path.abspath(scratch)
        self.bad, self.ran, self.left_out = [], 0, set()

    def expect(self, ok, what):
        if not ok:
            self.bad.append(what)

    def document(self, name):
        with open(os.path.join(self.repository, name), encoding="utf-8") as file:
            text = file.read()
        place = Place(self.kiln, self.repository, os.path.join(self.scratch, name.replace("/", "_")))
        self.prepare(name, place)
        for block in blocks(text):
            first = block.split("\n")[0]
            skip = next((key for key in LEFT_OUT if key[0] == name and first.startswith(key[1])), None)
            if skip:
                self.left_out.add(skip)
                print(f"{name}: not run: {first}: {LEFT_OUT[skip]}")
            elif match := re.match(r"# (\w+\.jl)$", first):
                with open(place.path(match[1]), "w", encoding="utf-8") as file:
                    file.write(block + "\n")
            else:
                self.commands(name, place, block)
        if name == "README.md":
            self.claims(place, text)

    def prepare(self, name, place):
        """What a reader has beside the document: a program that embeds Kiln, kernels to precompile."""
        with open(place.path("program"), "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec kiln run {SAXPY} \"$@\"\n")
        os.chmod(place.path("program"), 0o755)
        if name == "docs/cache.md":
            shutil.copy(os.path.join(self.repository, "docs", "examples", "saxpy.jl"), place.path("saxpy.jl"))
            with open(place.path("kernels.json"), "w", encoding="utf-8") as file:
                json.dump({"files": ["saxpy.jl"], "jobs": ["saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)"]}, file)
            os.makedirs(place.path("build/cache"), mode=0o700)

    def commands(self, name, place, block):
        prefix = ""
        for command in re.sub(r"\\\n\s*", "", block).split("\n"):
            if not command.strip():
                continue
            if re.match(r"[A-Z]+=\S*$|[A-Z]+='[^']*'$", command):  # a variable for the commands behind it
                prefix += command + "\n"
                continue
            done = place.run(command, prefix)
            self.ran += 1
            self.expect(done.returncode == 0, f"{name}: {command}: exit status {done.returncode}\n{done.stderr}")
            if done.returncode == 0:
                self.look(name, place, command, prefix, done)

    # ---- what commands must leave
    def look(self, name, place, command, prefix, done):
        if "--target ptx" in command and "--emit" not in command:
            entry = "saxpy" if "saxpy" in command else "gpu_f" if "gpu_f" in done.stdout else "f"
            self.expect(re.search(rf"\.visible \.entry \w*{entry}\w*\(", done.stdout), f"{name}: {command}: no entry of {entry} in the PTX")
            arch = re.search(r"--arch (\w+)", command)
            self.expect(f".target {arch[1] if arch else 'sm_'}" in done.stdout, f"{name}: {command}: no .target")
        if "--emit" in command and "# or " in command:  # the other stages that the comment names
            self.expect("Float32" in done.stdout, f"{name}: {command}: no types")
            for stage in re.split(r",\s*", command.split("# or ")[1]):
                other = re.sub(r"--emit \w+", f"--emit {stage}", command.split("#")[0])
                also = place.run(other, prefix)
                self.ran += 1
                holds = {"lowered": "threadIdx", "llvm": "define", "llvm-opt": "define", "asm": ".entry"}[stage]
                self.expect(also.returncode == 0 and holds in also.stdout, f"{name}: {other}: exit status {also.returncode}, or no `{holds}`\n{also.stderr}")
        if "--out 1=y.npy" in command:
            y = npy.read(place.path("y.npy"))
            self.expect(y.shape == (1000,) and all(1 <= v < 3 for v in y.items) and len(set(y.items)) > 900, f"{name}: {command}: y is not 1 + 2 * rand")
            self.expect("LLVM back-end" in done.stderr, f"{name}: {command}: no timing table")
            # The same command on numbers that Python knows: products and sums of eighths are exact.
            x, before = [i / 8 for i in range(1000)], [100 - i / 4 for i in range(1000)]
            npy.write(place.path("x.npy"), npy.vector("<f4", x))
            npy.write(place.path("y0.npy"), npy.vector("<f4", before))
            fixed = command.replace("'ones(Float32, 1000)'", "@y0.npy").replace("'rand(Float32, 1000)'", "@x.npy")
            also = place.run(fixed, prefix)
            self.ran += 1
            self.expect(also.returncode == 0 and npy.read(place.path("y.npy")).items == [2 * a + b for a, b in zip(x, before)], f"{name}: {fixed}: wrong numbers\n{also.stderr}")
        if "--out 1=A.npy" in command:
            A = npy.read(place.path("A.npy"))
            self.expect(A.shape == (1000, 30) and all(A[i, j] == i + 1 + 1000 * (j + 1) for i in range(1000) for j in range(30)), f"{name}: {command}: wrong numbers")
        if command.startswith("KILN_TRACE_JOBS"):
            shutil.rmtree(place.path("cache"))  # what the program has compiled itself does not count
        if command.startswith("kiln precompile jobs.trace"):
            again = place.run("./program --timings")
            compiled = [line for line in again.stderr.split("\n") if re.match(r"\s*(inference|IR generation|LLVM)", line)]
            self.expect(again.returncode == 0 and not compiled, f"{name}: the program compiles after {command}: {compiled}\n{again.stderr if again.returncode else ''}")
        if "cache export" in command:
            exported = "image/index.json" if "--oci" in command else "kernels.cache"
            self.expect(os.path.getsize(place.path(exported)) > 100, f"{name}: {command}: nothing was exported")

    def claims(self, place, text):
        lines = [line for line in text.split("\n") if line.startswith(("|", "- "))]
        for code in re.findall(r"`(kiln [^`]+)`", "\n".join(lines)):
            if code not in CLAIMS:
                self.bad.append(f"README.md names `{code}`, and CLAIMS has no command for it")
                continue
            command, holds = CLAIMS[code]
            done = place.run(command)
            self.ran += 1
            self.expect(done.returncode == 0 and holds in done.stdout + done.stderr, f"README.md: `{code}`: {command}: exit status {done.returncode}, or no `{holds}`\n{done.stdout}{done.stderr}")
        for product in ("cubin", "sass", "resources"):
            done = place.run(f"kiln compile saxpy.jl 'saxpy(CuDeviceVector{{Float32,1}}, CuDeviceVector{{Float32,1}}, Float32)' --target ptx --arch sm_90 --emit {product} -o out.{product}")
            if done.returncode == 3:
                print(f"README.md: not run: --emit {product}: {done.stderr.splitlines()[0]}")
                continue
            self.ran += 1
            self.expect(done.returncode == 0 and os.path.getsize(place.path(f"out.{product}")) > 0, f"README.md: --emit {product}: {done.stderr}")

    def test_synopsis(self):
        """The options of docs/cache.md's synopsis are those of the program."""
        done = subprocess.run([self.kiln, "precompile", "--help"], capture_output=True, text=True)
        for option in ("--jobs", "--shard", "--dry-run"):
            self.expect(option in done.stdout + done.stderr, f"docs/cache.md: kiln precompile has no {option}")


def main():
    checker = Checker(*sys.argv[1:4])
    for name in DOCUMENTS:
        checker.document(name)
    checker.test_synopsis()
    for key in set(LEFT_OUT) - checker.left_out:
        checker.bad.append(f"LEFT_OUT names a block that {key[0]} does not have: {key[1]}")
    print("\n".join(checker.bad))
    print(f"{len(DOCUMENTS)} documents: {checker.ran} commands run, {len(checker.left_out)} blocks left out, {len(checker.bad)} faults")
    return 1 if checker.bad else 0


if __name__ == "__main__":
    sys.exit(main())
