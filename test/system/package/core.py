#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and installs the core in a bare Debian root, where nothing is but a compiler and the five libraries that the core needs; then builds a
program against what was installed, and runs it.

    core.py --source TREE --folder SCRATCH [--jobs N]

Ends with 77 (skipped) without mmdebstrap, without a mirror of Debian, or for a user who may not make a root."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

TOOLS = ["clang-22", "lld-22", "cmake", "ninja-build", "python3-minimal"]
LIBRARIES = ["llvm-22-dev", "zlib1g-dev", "libtbb-dev", "libfmt-dev", "libxxhash-dev", "libzstd-dev"]  # LLVM's CMake files want zlib's
CONSUMER = """
cmake_minimum_required(VERSION 3.25)
project(consumer CXX)
find_package(Kiln 0.3 CONFIG REQUIRED)
add_executable(embed embed.cpp)
target_link_libraries(embed PRIVATE Kiln::kiln)
"""

parser = argparse.ArgumentParser()
parser.add_argument("--source", type=pathlib.Path, required=True)
parser.add_argument("--folder", type=pathlib.Path, required=True)
parser.add_argument("--jobs", type=int, default=os.cpu_count())
options = parser.parse_args()
root = options.folder / "root"
began = time.monotonic()


def say(what):
    print(f"[{time.monotonic() - began:4.0f} s] {what}", flush=True)


def run(*command, **more):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-6000:]}\nexit status {done.returncode}")
    return done.stdout


def inside(command):
    return run("/usr/sbin/chroot", root, "/bin/sh", "-ec", command, env={"PATH": "/usr/bin:/bin", "HOME": "/root", "KILN_CACHE_DIR": ""})


if not shutil.which("mmdebstrap"):
    print("skipped: mmdebstrap is not installed")
    sys.exit(77)
if os.geteuid() != 0:
    print("skipped: only root can make a bare root")
    sys.exit(77)
folder = str(options.folder.resolve())
mounted = [line.split()[4] for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines() if line.split()[4].startswith(folder + "/")]
if mounted:  # to delete them would delete what is mounted
    sys.exit(f"core.py: {', '.join(mounted)}: mounted there by another run; unmount them first")
shutil.rmtree(options.folder, ignore_errors=True)
options.folder.mkdir(parents=True)
lists = [path for path in ("/etc/apt/sources.list", *map(str, pathlib.Path("/etc/apt/sources.list.d").glob("*"))) if os.path.isfile(path)]
# In namespaces of its own: its mounts of /proc and /sys are seen by nobody else, and go with it when it is stopped.
alone = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
made = subprocess.run([*alone, "mmdebstrap", "--variant=minbase", f"--include={','.join(TOOLS + LIBRARIES)}", "bookworm", str(root), *lists],
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
if made.returncode:
    print(f"skipped: no bare root can be made here: {made.stdout[-2000:]}")
    sys.exit(77)
say(f"a bare root with {', '.join(TOOLS + LIBRARIES)}")
listed = run("git", "-C", options.source, "ls-files", "-z").split("\0")
(root / "kiln").mkdir()
for name in filter(None, listed):
    if (options.source / name).is_file():
        to = root / "kiln" / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(options.source / name, to)
inside("cd /kiln && cmake --preset core")
inside(f"cd /kiln && ninja -C build/core -j {options.jobs}")
say("the core is built")
inside("cd /kiln && cmake --install build/core --prefix /opt/kiln --strip")
library = next((root / "opt/kiln/lib").rglob("libkiln.so.0.*"))
say(f"{library.name}, stripped: {library.stat().st_size / 1e6:.1f} MB; it needs " + " ".join(
    line.split("[")[1].rstrip("]") for line in run("readelf", "-d", library).splitlines() if "(NEEDED)" in line))  # fmt: skip
consumer = root / "consumer"
consumer.mkdir()
(consumer / "CMakeLists.txt").write_text(CONSUMER)
shutil.copy(options.source / "docs/examples/embed.cpp", consumer)
inside("cd /consumer && cmake -G Ninja -B build -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_PREFIX_PATH=/opt/kiln && ninja -C build")
print(inside("/consumer/build/embed"))
say("a program was built against the installed core, and ran")
refused = subprocess.run(["/usr/sbin/chroot", str(root), "/bin/sh", "-c",
                          "cd /consumer && sed -i 's/CONFIG REQUIRED/CONFIG REQUIRED COMPONENTS tune/' CMakeLists.txt && cmake -G Ninja -B again "
                          "-DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_PREFIX_PATH=/opt/kiln"],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
if refused.returncode == 0 or "KILN_BUILD_TUNE=ON" not in refused.stdout:
    sys.exit("a part that the core lacks was not refused by name:\n" + refused.stdout)
say("find_package(Kiln COMPONENTS tune) is refused, and says which option builds it")
shutil.rmtree(root)
