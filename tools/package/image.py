#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An OCI image that holds the program, the shared libraries it needs, and an example: what a container runs to try Kiln.

    image.py --build build/release [build/aarch64] --out build/dist

The image is kiln-VERSION-oci.tar in the folder --out: `podman load -i` takes it, and `podman run --rm kiln` runs saxpy. With builds for two
kinds of CPU, it is an image for two platforms. Needs umoci (Debian: umoci). Exit status 77 where umoci is missing."""
import argparse
import hashlib
import json
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
PLATFORMS = {"x86_64": "amd64", "aarch64": "arm64"}  # the names of image platforms
INDEX = "application/vnd.oci.image.index.v1+json"


def run(*command) -> str:
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.exit(f"image.py: {' '.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


def machine_of(program: pathlib.Path) -> str:
    """The machine whose number is in the program's ELF header: 'x86_64'."""
    return {62: "x86_64", 183: "aarch64"}[int.from_bytes(program.read_bytes()[18:20], "little")]


def shared_libraries(program: pathlib.Path, system: pathlib.Path) -> list[str]:
    """Paths below `system` of the shared libraries that the program loads, and of the dynamic linker."""
    folders = [f"/lib/{machine_of(program)}-linux-gnu", f"/usr/lib/{machine_of(program)}-linux-gnu"]
    found = re.findall(r"program interpreter: (/[^\]]+)", run("readelf", "--wide", "--program-headers", program))
    waiting = [program]
    while waiting:
        for name in re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "--wide", "--dynamic", waiting.pop())):
            if any(path.endswith("/" + name) for path in found):
                continue
            path = next((f"{folder}/{name}" for folder in folders if (system / folder[1:] / name).exists()), None)
            if not path:
                sys.exit(f"image.py: {program} needs {name}, which {system} lacks")
            found.append(path)
            waiting.append(system / path[1:])
    return found


def fill(root: pathlib.Path, build: pathlib.Path) -> None:
    run("cmake", "--install", build, "--component", "kiln", "--strip", "--prefix", root / "usr")
    program = root / "usr/bin/kiln"
    machine = machine_of(program)
    system = pathlib.Path("/") if machine == os.uname().machine else ROOT / f"build/{machine}-sysroot"
    for library in shared_libraries(program, system):
        to = root / library[1:]
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(system / library[1:], to)  # copies a link's target, under the name that the dynamic linker searches
        to.chmod(0o755)
    share = root / "usr/share/kiln"
    share.mkdir(parents=True)
    shutil.copy(ROOT / "docs/examples/saxpy.jl", share)
    shutil.copy(ROOT / "LICENSE", share)
    shutil.copy(build / "notices/kiln/THIRD-PARTY-NOTICES", share)
    for folder in ("tmp", "work"):
        (root / folder).mkdir()
        (root / folder).chmod(0o1777)


def add_image(layout: pathlib.Path, name: str, build: pathlib.Path, root: pathlib.Path, version: str) -> None:
    fill(root, build)
    image = f"{layout}:{name}"
    platform = PLATFORMS[machine_of(root / "usr/bin/kiln")]
    run("umoci", "new", "--image", image)
    run("umoci", "insert", *([] if os.geteuid() == 0 else ["--rootless"]), "--image", image, root, "/")
    run("umoci", "config", "--image", image, "--architecture", platform, "--config.entrypoint", "/usr/bin/kiln", *(f"--config.cmd={word}" for word in COMMAND),
        "--config.workingdir", "/work", "--config.env", "PATH=/usr/bin", "--config.env", "KILN_CACHE_DIR=/tmp/kiln",
        "--config.label", f"org.opencontainers.image.version={version}", "--author", "The Kiln project")  # fmt: skip


def join_platforms(layout: pathlib.Path, name: str) -> None:
    """Replaces the layout's images by one image of all their platforms: an index, from which a runtime takes its own platform's."""
    index = layout / "index.json"
    top = json.loads(index.read_text())
    for manifest in top["manifests"]:
        blobs = layout / "blobs/sha256"
        config = json.loads((blobs / manifest["digest"].removeprefix("sha256:")).read_text())["config"]["digest"]
        platform = json.loads((blobs / config.removeprefix("sha256:")).read_text())
        manifest["platform"] = {"architecture": platform["architecture"], "os": platform["os"]}
        del manifest["annotations"]
    text = json.dumps({"schemaVersion": 2, "mediaType": INDEX, "manifests": top["manifests"]}).encode()
    digest = hashlib.sha256(text).hexdigest()
    (layout / "blobs/sha256" / digest).write_bytes(text)
    top["manifests"] = [{"mediaType": INDEX, "digest": f"sha256:{digest}", "size": len(text), "annotations": {"org.opencontainers.image.ref.name": name}}]
    index.write_text(json.dumps(top))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True, nargs="+", help="one build for each platform")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    if not shutil.which("umoci"):
        print("skipped: umoci is not installed (Debian: umoci)")
        return 77
    version = ".".join(re.findall(r"#define KILN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (ROOT / "include/kiln/version.h").read_text()))
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        layout = pathlib.Path(scratch) / "layout"
        run("umoci", "init", "--layout", layout)
        names = ["kiln"] if len(options.build) == 1 else [f"kiln-{n}" for n in range(len(options.build))]
        for name, build in zip(names, options.build):
            add_image(layout, name, build.resolve(), pathlib.Path(scratch) / name, version)
        run("umoci", "gc", "--layout", layout)
        if len(names) > 1:
            join_platforms(layout, "kiln")  # podman and docker list the image as kiln
        out = options.out / f"kiln-{version}-oci.tar"
        run("tar", "--create", "--file", out, "--directory", layout, "--sort=name", "--owner=0", "--group=0", *sorted(os.listdir(layout)))
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
