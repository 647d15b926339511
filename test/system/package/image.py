#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the OCI image, unpacks it, and runs its own command in the root that it holds, with nothing else there.

    image.py --source TREE --build FOLDER --folder SCRATCH

Ends with 77 (skipped) without umoci, or where this user may not change the root folder of a process."""
import argparse
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import time

LIMIT_MB = 200

parser = argparse.ArgumentParser()
for name in ("source", "build", "folder"):
    parser.add_argument("--" + name, type=pathlib.Path, required=True)
options = parser.parse_args()
faults = 0


def run(*command):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode == 77:
        print(done.stdout.strip())
        sys.exit(77)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}\nexit status {done.returncode}")
    return done.stdout


def expect(condition, what):
    global faults
    print(("ok      " if condition else "FAILED  ") + what, flush=True)
    faults += not condition


if os.geteuid() != 0:
    print("skipped: only root can run a program in another root folder")
    sys.exit(77)
shutil.rmtree(options.folder, ignore_errors=True)
options.folder.mkdir(parents=True)
run(sys.executable, "-B", options.source / "tools/package/image.py", "--build", options.build, "--out", options.folder)
(archive,) = options.folder.glob("kiln-*-oci.tar")
layout = options.folder / "layout"
layout.mkdir()
run("tar", "--extract", "--file", archive, "--directory", layout)
bundle = options.folder / "bundle"
run("umoci", "unpack", "--image", f"{layout}:kiln", bundle)
config = json.loads((bundle / "config.json").read_text())
root, command = bundle / "rootfs", config["process"]["args"]
size = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file()) / 1e6
expect(size < LIMIT_MB, f"unpacked, the image has {size:.1f} MB of at most {LIMIT_MB}, and {archive.stat().st_size / 1e6:.1f} MB packed")
expect(command[0] == "/usr/bin/kiln", "the image runs kiln")
expect(not (root / "usr/bin/python3").exists() and not (root / "bin/sh").exists(), "nothing else is in it")


def inside(*words):
    began = time.monotonic()
    done = subprocess.run(["/usr/sbin/chroot", str(root), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, cwd="/",
                          env={"PATH": "/usr/bin", "KILN_CACHE_DIR": "/tmp/kiln"})  # fmt: skip
    return done, time.monotonic() - began


version, _ = inside("/usr/bin/kiln", "--version")
expect(version.returncode == 0 and re.search(r"\b0\.\d+\.\d+", version.stdout), "kiln --version: " + version.stdout.strip().split("\n")[0])
first, cold = inside(*command)
expect(first.returncode == 0 and "LLVM back-end" in first.stdout, f"the image's command compiles and runs saxpy: {cold * 1e3:.0f} ms")
if first.returncode:
    print(first.stdout)
again, warm = inside(*command)
expect(again.returncode == 0 and "LLVM back-end" not in again.stdout, f"once more, from its cache: {warm * 1e3:.0f} ms")
# y[1] = 2 * 3 + 4, by hand: the values are right, not only the exit status.
values, _ = inside("/usr/bin/kiln", "run", "/usr/share/kiln/saxpy.jl", "saxpy", "--arg", "[4f0]", "--arg", "[3f0]", "--arg", "2f0", "--out", "1=/tmp/y.npy")
written = root / "tmp/y.npy"
y = struct.unpack("<f", written.read_bytes()[-4:])[0] if written.exists() else values.stdout
expect(y == 10, f"y = a*x + y for 2, 3, 4: {y}")
sys.exit(1 if faults else 0)
