#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the documents as one site: site.py REPOSITORY FOLDER. FOLDER/site/index.html is its first page.

docs/ is copied to FOLDER/pages, Doxygen writes the API reference beside it, MkDocs makes the site of both. A warning of either is an
error. Exit status 77, with a line that says so, where a tool is missing: ctest shows the test as skipped.

    site.py --filter HEADER     prints a header with its opening comment as Doxygen's comment of the file
"""
import os
import re
import shutil
import subprocess
import sys

PAGES = (".md", ".svg", ".png", ".jl", ".cpp", ".json", ".py")
TOOLS = {"doxygen": "doxygen", "mkdocs": "mkdocs"}  # program: Debian's package


def opening_comment(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    end = next((i for i, line in enumerate(lines) if not line.startswith("//")), 0)
    if end > 2:
        lines[1:end] = ["/// \\file"] + ["/" + line for line in lines[2:end]]
    return "\n".join(lines)


def stage_page(source, target):
    """A page, in which fences with a file's name show that above themselves: MkDocs knows fences with one word."""
    with open(source, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"^```(\w+) (?:file=)?(\S+)$", r"`\2`:\n\n```\1", text, flags=re.M)
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)


def stage(docs, pages):
    """The files of docs/ that the site shows, in the same places."""
    shutil.rmtree(pages, ignore_errors=True)
    for folder, _, files in os.walk(docs):
        for name in files:
            if name.endswith(PAGES) and os.path.join(folder, name) != os.path.abspath(__file__):
                target = os.path.join(pages, os.path.relpath(folder, docs))
                os.makedirs(target, exist_ok=True)
                if name.endswith(".md"):
                    stage_page(os.path.join(folder, name), os.path.join(target, name))
                else:
                    shutil.copy(os.path.join(folder, name), target)


def run(command, folder, **more):
    done = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    warnings = [line for line in done.stdout.split("\n") if "warning" in line.lower() or line.startswith("ERROR")]
    if done.returncode or warnings:
        print(done.stdout)
        sys.exit(f"{command[0]} ended with status {done.returncode} and {len(warnings)} warnings")


def check_pages(site):
    """MkDocs says nothing of a table or fence that it did not understand: it shows them as text."""
    for folder, folders, files in os.walk(site):
        folders[:] = [name for name in folders if name != "api"]
        for name in files:
            if name.endswith(".html"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = re.sub(r"<pre>.*?</pre>", "", file.read(), flags=re.S)
                if wrong := re.search(r"^(?:<p>)?\|.*|```.*", text, re.M):
                    sys.exit(f"{os.path.relpath(os.path.join(folder, name), site)} shows as text what should be a table or code: {wrong[0]}")


def build(repository, folder):
    for program, package in TOOLS.items():
        if not shutil.which(program):
            print(f"skipped: {program} is missing (Debian's package {package}; ./x docs installs it)")
            sys.exit(77)
    pages, site = os.path.join(folder, "pages"), os.path.join(folder, "site")
    docs = os.path.join(repository, "docs")
    stage(docs, pages)
    with open(os.path.join(docs, "Doxyfile"), encoding="utf-8") as file:
        settings = file.read()
    settings += f'INPUT = "include/kiln"\nOUTPUT_DIRECTORY = "{pages}"\nINPUT_FILTER = "{sys.executable} \\"{os.path.abspath(__file__)}\\" --filter"\n'
    run(["doxygen", "-"], repository, input=settings)
    with open(os.path.join(folder, "mkdocs.yml"), "w", encoding="utf-8") as file:
        file.write(f"INHERIT: {os.path.join(repository, 'mkdocs.yml')}\ndocs_dir: {pages}\nsite_dir: {site}\n")
    run(["mkdocs", "build", "--strict", "--clean", "--config-file", os.path.join(folder, "mkdocs.yml")], folder)
    check_pages(site)
    print(f"{sum(len(files) for _, _, files in os.walk(site))} files: {os.path.join(site, 'index.html')}")


def main():
    if sys.argv[1] == "--filter":
        # Doxygen stumbles over specialisations of classes of std.
        print(re.sub(r"template <> struct std::hash<.*?\n};", lambda m: "\n" * m.group(0).count("\n"), opening_comment(sys.argv[2]), flags=re.S), end="")
        return
    repository, folder = map(os.path.abspath, sys.argv[1:3])
    os.makedirs(folder, exist_ok=True)
    build(repository, folder)


if __name__ == "__main__":
    main()
