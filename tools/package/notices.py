#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the notices of other projects that are inside a package's files: notices.py OUT PACKAGE...

OUT/PACKAGE/THIRD-PARTY-NOTICES: each project of third_party.txt with its licence, and the licence's text as its Debian package or its
package of PyPI has it. Where the machine lacks the text, the notice names the project's own page."""
import importlib.metadata
import pathlib
import sys
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
RULE = "=" * 80


class Project(NamedTuple):
    name: str
    debian: str
    licence: str
    source: str
    packages: list[str]
    marker: str  # "-": none


def projects() -> list[Project]:
    lines = (HERE / "third_party.txt").read_text().splitlines()
    rows = [[field.strip() for field in line.split("|")] for line in lines if line and not line.startswith("#")]
    for row in rows:
        if len(row) != 6:
            sys.exit(f"third_party.txt: {' | '.join(row)}: there are six fields")
    return [Project(name, debian, licence, source, packages.split(), marker) for name, debian, licence, source, packages, marker in rows]


def licence_text(project: Project) -> str:
    """The licence text from this machine's packages. If it is missing, a sentence with the address of the project."""
    if project.debian.startswith("pypi:"):
        try:
            distribution = importlib.metadata.distribution(project.debian.removeprefix("pypi:"))
        except importlib.metadata.PackageNotFoundError:
            distribution = None
        for file in (distribution and distribution.files) or []:
            if file.name.upper().startswith("LICENSE"):
                return file.locate().read_text()
    elif (text := pathlib.Path("/usr/share/doc") / project.debian / "copyright").exists():
        return text.read_text(encoding="utf-8")
    return f"The licence stands at {project.source}.\n"


def notices(package: str) -> str:
    inside = [project for project in projects() if package in project.packages]
    if not inside:
        return "Files of this package contain no code of other projects.\n"
    text = "Files of this package contain code of the projects below, under these licences.\n"
    for project in inside:
        text += f"\n{RULE}\n{project.name}: {project.licence}\n{project.source}\n{RULE}\n\n{licence_text(project).strip()}\n"
    return text


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for package in sys.argv[2:]:
        folder = pathlib.Path(sys.argv[1]) / package
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "THIRD-PARTY-NOTICES").write_text(notices(package), encoding="utf-8")


if __name__ == "__main__":
    main()
