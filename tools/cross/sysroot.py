#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Creates a folder with Debian's libraries for another architecture, for a cross-build.

    sysroot.py --arch arm64 --out build/aarch64-sysroot [--programs] PACKAGE...

The folder gets the packages and their dependencies, without documents, and without programs unless --programs is given. apt runs with its
own configuration, lists and cache inside the folder, so that the system's packages and lists stay as they are. A second run with the same
packages does nothing. OUT/dpkg is a database of the unpacked packages, in which dpkg-shlibdeps finds the packages of libraries.
Needs apt-get, dpkg-deb, and Debian's archive keys. KILN_DEBIAN names another mirror than http://deb.debian.org.
Exit status 77: the packages cannot be had (no apt-get, no network, unknown package)."""
import argparse
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
SOURCES = """deb [signed-by={keys}] {mirror}/debian bookworm main
deb [signed-by={keys}] {mirror}/debian bookworm-updates main
deb [signed-by={keys}] {mirror}/debian-security bookworm-security main
"""
LEFT_OUT = ["./etc", "./var", "./usr/share/doc", "./usr/share/man", "./usr/share/locale"]
# Programs would shadow the host's under an emulator that searches the folder first.
PROGRAMS = ["./bin", "./sbin", "./usr/bin", "./usr/sbin", "./usr/lib/python3*"]


def missing(reason: str):
    print(f"sysroot.py: {reason}", file=sys.stderr)
    sys.exit(77)


def apt_settings() -> str:
    """The system's settings for downloads, such as proxies. Its hooks are left out: they clean the system's cache."""
    dump = subprocess.run(["apt-config", "dump"], text=True, stdout=subprocess.PIPE, check=True).stdout
    return "".join(line + "\n" for line in dump.splitlines() if re.match(r"Acquire::(http|https|ftp|Retries|ForceIPv)", line))


def write_configuration(apt: pathlib.Path, arch: str) -> pathlib.Path:
    for folder in ("lists/partial", "archives/partial", "empty"):
        (apt / folder).mkdir(parents=True, exist_ok=True)
    (apt / "status").touch()
    mirror = os.environ.get("KILN_DEBIAN", "http://deb.debian.org").rstrip("/")
    (apt / "sources.list").write_text(SOURCES.format(keys=KEYS, mirror=mirror))
    configuration = apt / "apt.conf"
    configuration.write_text(
        apt_settings()
        + f"""APT::Architecture "{arch}";
APT::Architectures {{ "{arch}"; }};
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Languages "none";
Dir::State "{apt}";
Dir::State::status "{apt}/status";
Dir::Cache "{apt}";
Dir::Log "{apt}";
Dir::Etc::Parts "{apt}/empty";
Dir::Etc::SourceList "{apt}/sources.list";
Dir::Etc::SourceParts "{apt}/empty";
Dir::Etc::PreferencesParts "{apt}/empty";
Dir::Etc::TrustedParts "{apt}/empty";
"""
    )
    return configuration


def run_apt(configuration: pathlib.Path, *command: str) -> None:
    environment = dict(os.environ, APT_CONFIG=str(configuration), DEBIAN_FRONTEND="noninteractive", LC_ALL="C")
    done = subprocess.run(["apt-get", "-q", "-y", *command], env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if line.startswith(("E:", "W:", "Err:"))]
    # `apt-get update` reports an archive that it cannot reach as a warning only.
    if done.returncode or (command[0] == "update" and lines):
        missing(f"apt-get {command[0]} failed:\n" + "\n".join(lines or done.stdout.splitlines()[-10:]))


def unpack(package: pathlib.Path, root: pathlib.Path, left_out: list[str]) -> list[str]:
    """Returns the names of the unpacked files."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as archive:
        listed = subprocess.run(["tar", "--extract", "--verbose", "--keep-directory-symlink", "--no-same-owner", "--directory", root,
                                 *("--exclude=" + name for name in left_out)], stdin=archive.stdout, stdout=subprocess.PIPE, text=True, check=True)  # fmt: skip
    if archive.returncode:
        sys.exit(f"sysroot.py: dpkg-deb could not read {package}")
    return listed.stdout.splitlines()


def add_to_database(database: pathlib.Path, package: pathlib.Path, files: list[str], out: pathlib.Path) -> None:
    """Adds a package to dpkg's database. Its files have the names that they get in `out`."""
    info = database / "info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "format").write_text("1\n")  # names of files contain the architecture
    with tempfile.TemporaryDirectory() as scratch:
        control = pathlib.Path(scratch, "control")
        subprocess.run(["dpkg-deb", "--control", package, control], check=True)
        fields = (control / "control").read_text().rstrip()
        name = re.search("^Package: (.*)$", fields, re.MULTILINE).group(1)
        if re.search("^Multi-Arch: same$", fields, re.MULTILINE):
            name += ":" + re.search("^Architecture: (.*)$", fields, re.MULTILINE).group(1)
        for kind in ("shlibs", "symbols"):
            if (control / kind).exists():
                shutil.copy(control / kind, info / f"{name}.{kind}")
    names = (re.sub("^[.](?=/(lib|bin|sbin)/)", "/usr", file).removeprefix(".").rstrip("/") for file in files)  # Debian's merged /usr
    (info / f"{name}.list").write_text("".join(f"{out}{file}\n" for file in names))
    with open(database / "status", "a", encoding="utf-8") as status:
        status.write(f"{fields}\nStatus: install ok installed\n\n")


def make_links_relative(root: pathlib.Path) -> None:
    for folder, folders, files in os.walk(root):
        for name in folders + files:
            link = pathlib.Path(folder, name)
            if link.is_symlink() and os.readlink(link).startswith("/"):
                target = os.path.relpath(root / os.readlink(link).lstrip("/"), folder)
                link.unlink()
                link.symlink_to(target)


def complete_cmake_paths(root: pathlib.Path) -> None:
    """CMake's exports of some packages name libraries by absolute paths, which find_package does not look up in the sysroot."""
    for file in root.glob("usr/lib/**/*.cmake"):
        text = file.read_text()
        changed = re.sub(r'(?<=[";])(?=/usr/lib/[^";]*\.(so|a)\b)', "${CMAKE_SYSROOT}", text)
        if changed != text:
            file.write_text(changed)


def make(root: pathlib.Path, out: pathlib.Path, arch: str, packages: list[str], left_out: list[str]) -> list[str]:
    """Fills the empty folder `root`, which is renamed to `out`. Returns the file names of the unpacked packages, which contain their versions."""
    apt = root / "apt"
    configuration = write_configuration(apt, arch)
    run_apt(configuration, "update")
    run_apt(configuration, "install", "--download-only", *packages)
    for name in ("bin", "sbin", "lib"):  # Debian's merged /usr
        (root / "usr" / name).mkdir(parents=True)
        (root / name).symlink_to("usr/" + name)
    downloaded = sorted((apt / "archives").glob("*.deb"))
    for package in downloaded:
        add_to_database(root / "dpkg", package, unpack(package, root, left_out), out)
    make_links_relative(root)
    complete_cmake_paths(root)
    shutil.rmtree(apt)
    return [package.stem for package in downloaded]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", required=True, help="Debian's name of the architecture")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--programs", action="store_true", help="unpack programs and Python's library too")
    parser.add_argument("packages", nargs="+")
    arguments = parser.parse_args()
    out = arguments.out.absolute()
    left_out = LEFT_OUT + ([] if arguments.programs else PROGRAMS)
    wanted = " ".join([arguments.arch, str(out), str(arguments.programs), hashlib.sha256(pathlib.Path(__file__).read_bytes()).hexdigest()[:16], *sorted(arguments.packages)])
    stamp = out / "packages.txt"
    if stamp.exists() and stamp.read_text().splitlines()[0] == wanted:
        return 0
    for tool in ("apt-get", "apt-config", "dpkg-deb"):
        if not shutil.which(tool):
            missing(f"no {tool} here: the libraries for {arguments.arch} come from Debian's archive")
    if not os.path.exists(KEYS):
        missing(f"{KEYS} is missing: install the package debian-archive-keyring")
    print(f"sysroot.py: downloading {len(arguments.packages)} packages for {arguments.arch}, with their dependencies, to {out}", file=sys.stderr)
    unfinished = out.with_name(out.name + ".unfinished")
    for old in (unfinished, out):
        shutil.rmtree(old, ignore_errors=True)
    unfinished.mkdir(parents=True)
    unpacked = make(unfinished, out, arguments.arch, arguments.packages, left_out)
    (unfinished / "packages.txt").write_text("\n".join([wanted, *unpacked]) + "\n")
    unfinished.rename(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
