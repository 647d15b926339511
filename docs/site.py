#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the documents as one site: site.py REPOSITORY FOLDER [BUILD]. FOLDER/site/index.html is its first page.

docs/ is copied to FOLDER/pages, example_pages.py and api_pages.py write pages beside it, and MkDocs with Material makes the site of all. BUILD
is a build folder, whose programs make the outputs on the examples' pages. A warning is an error. Exit status 77, with a line that says so, where
MkDocs or Material is missing: ctest shows the test as skipped.
"""
import json
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import api_pages
import example_pages

BOOSTED = ("command-line.md", "environment.md", "errors.md", "install.md")  # first in the search's results
PAGES = (".md", ".svg", ".png", ".css", ".js", ".json")


def stage_page(source, target):
    """A page, in which links to headers lead to their pages, and fences with a file's name show that above themselves."""
    with open(source, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"\]\(\.\./((?:\.\./)*)include/(kiln/\S+\.h)\)", lambda m: f"]({m[1]}{api_pages.page_of(m[2])})", text)
    text = re.sub(r"\]\((\S+)\.ipynb\)", r"](\1.md)", text)
    text = re.sub(r"^```(\w+) (?:file=)?(\S+)$", r"`\2`:\n\n```\1", text, flags=re.M)
    with open(target, "w", encoding="utf-8") as file:
        file.write(("---\nsearch:\n  boost: 4\n---\n" if os.path.basename(source) in BOOSTED else "") + text)


def notebook_page(source, target):
    """A notebook as a page: its text, its code, and the outputs that it stores."""
    with open(source, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    page = []
    for cell in cells:
        text = "".join(cell["source"])
        page.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            shown = "".join(data["text/html"]) if "text/html" in data else "```text\n" + "".join(output.get("text", data.get("text/plain", ""))).rstrip() + "\n```"
            page.append(shown)
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n\n".join(page) + "\n")


def stage(docs, pages, programs):
    """The files of docs/ that the site shows, in the same places, and pages of the examples."""
    shutil.rmtree(pages, ignore_errors=True)
    for folder, folders, files in os.walk(docs):
        folders.sort()
        for name in sorted(files):
            source, target = os.path.join(folder, name), os.path.join(pages, os.path.relpath(folder, docs), name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if name.endswith(".md"):
                stage_page(source, target)
            elif name.endswith(".ipynb"):
                notebook_page(source, target.removesuffix(".ipynb") + ".md")
            elif name.endswith(PAGES):
                shutil.copy(source, target)
    return example_pages.write(os.path.join(docs, "examples"), os.path.join(pages, "examples"), programs)


def decisions(docs):
    for name in sorted(os.listdir(os.path.join(docs, "adr"))):
        with open(os.path.join(docs, "adr", name), encoding="utf-8") as file:
            title = file.readline().strip("# \n")
        if name != "README.md":
            yield title, name


def navigation(config, lists):
    """mkdocs.yml's text, in which a section that ends with `# NAME` or `# NAME: ...` gets the pages of that list below it."""
    lines = []
    for line in config.split("\n"):
        lines.append(line)
        if found := re.match(r"( *)- .*: # (adr|examples|api/\w+)", line):
            lines += [f"{found[1]}    - {json.dumps(title)}: {found[2]}/{page}" for title, page in lists[found[2]]]
    return "\n".join(lines)


def check_pages(site):
    """MkDocs says nothing of a table or fence that it did not understand: it shows them as text."""
    for folder, _, files in os.walk(site):
        for name in files:
            if name.endswith(".html"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = re.sub(r"<pre.*?</pre>", "", file.read(), flags=re.S)
                if wrong := re.search(r"^(?:<p>)?\|.*|```.*", text, re.M):
                    sys.exit(f"{os.path.relpath(os.path.join(folder, name), site)} shows as text what should be a table or code: {wrong[0]}")


def build(repository, folder, programs):
    python = os.path.join(repository, "build", "docs-venv", "bin", "python")
    python = python if os.path.exists(python) else sys.executable
    if subprocess.run([python, "-c", "import material"], capture_output=True).returncode:
        print("skipped: MkDocs with Material is missing (./x docs installs it)")
        sys.exit(77)
    pages, site, docs, config = (os.path.join(*path) for path in ((folder, "pages"), (folder, "site"), (repository, "docs"), (folder, "mkdocs.yml")))
    lists = {"examples": stage(docs, pages, programs), "adr": list(decisions(docs))}
    lists |= {f"api/{language}": api_pages.write(os.path.join(repository, "include"), os.path.join(pages, "api", language), language) for language in ("cpp", "c")}
    lists["api/python"] = api_pages.python_pages(os.path.join(repository, "python", "kiln"), os.path.join(pages, "api", "python"))
    with open(os.path.join(repository, "mkdocs.yml"), encoding="utf-8") as file:
        text = navigation(file.read(), lists)
    with open(config, "w", encoding="utf-8") as file:
        file.write(f"{text}docs_dir: {pages}\nsite_dir: {site}\n")
    done = subprocess.run([python, "-m", "mkdocs", "build", "--strict", "--clean", "--config-file", config], cwd=folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})  # fmt: skip
    if done.returncode or "WARNING" in done.stdout:
        sys.exit(f"{done.stdout}\nMkDocs ended with status {done.returncode}, warnings above")
    check_pages(site)
    print(f"{sum(len(files) for _, _, files in os.walk(site))} files: {os.path.join(site, 'index.html')}")


def main():
    repository, folder = map(os.path.abspath, sys.argv[1:3])
    os.makedirs(folder, exist_ok=True)
    build(repository, folder, os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None)


if __name__ == "__main__":
    main()
