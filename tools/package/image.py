#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An OCI image that holds the program, the shared libraries it needs, and an example: what a container runs to try Kiln.

    image.py --build build/release --out build/dist

The image is kiln-VERSION-oci.tar in the folder --out: `podman load -i` takes it, and `podman run --rm kiln` runs saxpy. Needs umoci (Debian: umoci).
Exit status 77 where umoci is missing."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMMAND = ["run", "/usr/share/kiln/saxpy.jl", "saxpy", "--arg", "ones(Float32, 1000000)", "--arg", "rand(Float32, 1000000)", "--arg", "2f0",
           "--threads", "256", "--blocks", "3907", "--timings"]  # fmt: skip


def run(*command) -> str:
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.exit(f"image.py: {' '.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


def shared_libraries(program: pathlib.Path) -> list[pathlib.Path]:
    """Paths of the shared libraries that the program loads, and of the dynamic linker."""
    listed = run("ldd", program)
    missing = re.findall(r"(\S+) => not found", listed)
    if missing:
        sys.exit(f"image.py: {program} needs {', '.join(missing)}, which this machine lacks")
    return [pathlib.Path(path) for path in re.findall(r"(/\S+) \(0x", listed)]


def fill(root: pathlib.Path, build: pathlib.Path) -> None:
    run("cmake", "--install", build, "--component", "kiln", "--strip", "--prefix", root / "usr")
    program = root / "usr/bin/kiln"
    for library in shared_libraries(program):
        to = root / str(library).lstrip("/")
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(library, to)  # copies a link's target, under the name that the dynamic linker searches
        to.chmod(0o755)
    share = root / "usr/share/kiln"
    share.mkdir(parents=True)
    shutil.copy(ROOT / "docs/examples/saxpy.jl", share)
    shutil.copy(ROOT / "LICENSE", share)
    shutil.copy(build / "notices/kiln/THIRD-PARTY-NOTICES", share)
    for folder in ("tmp", "work"):
        (root / folder).mkdir()
        (root / folder).chmod(0o1777)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    if not shutil.which("umoci"):
        print("skipped: umoci is not installed (Debian: umoci)")
        return 77
    version = ".".join(re.findall(r"#define KILN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (ROOT / "include/kiln/version.h").read_text()))
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        root, layout = pathlib.Path(scratch) / "root", pathlib.Path(scratch) / "layout"
        fill(root, options.build.resolve())
        image = f"{layout}:kiln"  # podman and docker list the image as kiln
        run("umoci", "init", "--layout", layout)
        run("umoci", "new", "--image", image)
        run("umoci", "insert", *([] if os.geteuid() == 0 else ["--rootless"]), "--image", image, root, "/")
        run("umoci", "config", "--image", image, "--config.entrypoint", "/usr/bin/kiln", *(f"--config.cmd={word}" for word in COMMAND),
            "--config.workingdir", "/work", "--config.env", "PATH=/usr/bin", "--config.env", "KILN_CACHE_DIR=/tmp/kiln",
            "--config.label", f"org.opencontainers.image.version={version}", "--author", "The Kiln project")  # fmt: skip
        run("umoci", "gc", "--layout", layout)
        out = options.out / f"kiln-{version}-oci.tar"
        run("tar", "--create", "--file", out, "--directory", layout, "--sort=name", "--owner=0", "--group=0", *sorted(os.listdir(layout)))
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
