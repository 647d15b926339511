#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the Debian packages, unpacks them into an empty root, and builds and runs programs with what is there alone.

    deb.py --source TREE --build FOLDER --folder SCRATCH --cmake CMAKE --cpack CPACK --version VERSION

Ends with 77 (skipped) where dpkg's tools are missing."""
import argparse
import os
import re
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
for name in ("source", "build", "folder", "cmake", "cpack", "version"):
    parser.add_argument("--" + name, required=True)
options = parser.parse_args()
ROOT = os.path.join(options.folder, "root")
PREFIX = os.path.join(ROOT, "usr")
EXAMPLES = os.path.join(options.source, "docs/examples")
PACKAGES = {"kiln", "libkiln0", "libkiln-runtime0", "libkiln-programs0", "libkiln-dev", "libkiln-extension-dev"}
faults = []


def run(*command, ok=True, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if ok and done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}\nexit status {done.returncode}")
    return done


def expect(condition, what):
    print(("ok      " if condition else "FAILED  ") + what, flush=True)
    if not condition:
        faults.append(what)


def field(deb, name):
    return run("dpkg-deb", "--field", deb, name).stdout.strip()


for tool in ("dpkg-deb", "dpkg-shlibdeps"):
    if not shutil.which(tool):
        print(f"skipped: {tool} is not installed (Debian: dpkg-dev)")
        sys.exit(77)
shutil.rmtree(options.folder, ignore_errors=True)
os.makedirs(ROOT)
# Weakly compressed: what is in them is the same.
run(options.cpack, "-G", "DEB", "--config", os.path.join(options.build, "CPackConfig.cmake"), "-B", os.path.join(options.folder, "packages"),
    "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", cwd=options.folder)
debs = {}
for name in os.listdir(os.path.join(options.folder, "packages")):
    if name.endswith(".deb"):
        path = os.path.join(options.folder, "packages", name)
        debs[field(path, "Package")] = path
expect(set(debs) == PACKAGES, f"the packages are {', '.join(sorted(debs))}")

owners = {}
for package, deb in sorted(debs.items()):
    version, depends = field(deb, "Version"), field(deb, "Depends")
    expect(version == options.version, f"{package} {version}: {os.path.getsize(deb) / 1e6:.1f} MB; needs {depends}")
    run("dpkg-deb", "--extract", deb, ROOT)
    for line in run("dpkg-deb", "--contents", deb).stdout.splitlines():
        mode, owner, *_, path = line.split(maxsplit=5)
        path = path.split(" -> ")[0]
        if owner != "root/root" or (mode[8] == "w" and mode[0] != "l"):
            expect(False, f"{path} is root's alone to write")
        if not path.endswith("/"):
            owners.setdefault(path, []).append(package)
shared = {path: who for path, who in owners.items() if len(who) > 1}
expect(owners and not shared, f"each of the {len(owners)} files is in one package {shared or ''}")
expect("llvm-22-dev" in field(debs["libkiln-extension-dev"], "Depends"), "the archive's package brings LLVM 22")
expect("llvm" not in field(debs["libkiln0"], "Depends").lower(), "the shared library's does not")
for package in ("libkiln-dev", "libkiln-programs0"):
    expect(re.search(r"libkiln0 \(= " + re.escape(options.version), field(debs[package], "Depends")), f"{package} is of the library's version")

library = next(os.path.join(folder, f) for folder, _, files in os.walk(PREFIX) for f in files if f == "libkiln.so")
library = os.path.dirname(library)
environment = dict(os.environ, LD_LIBRARY_PATH=library)
done = run(os.path.join(PREFIX, "bin/kiln"), "--version", ok=False)
expect(done.returncode == 0 and options.version in done.stdout, "the program runs: " + done.stdout.splitlines()[0])


def build(name, source, target):
    folder = os.path.join(options.folder, name)
    run(options.cmake, "-S", source, "-B", folder, f"-DCMAKE_PREFIX_PATH={PREFIX}", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF", f"-DEXAMPLES={EXAMPLES}",
        "-DCMAKE_BUILD_TYPE=Release")
    run(options.cmake, "--build", folder)
    return os.path.join(folder, target)


scratch = os.path.join(options.folder, "cprog_files")
os.makedirs(scratch)
programs = {"cprog": [build("cprog", os.path.join(EXAMPLES, "cprog"), "cprog"), scratch],
            "embed": [build("embed", os.path.join(options.source, "test/system/package/embed"), "embed")]}
program = build("bundle", os.path.join(EXAMPLES, "bundle"), "main")
for name, command in programs.items():
    done = run(*command, ok=False, env=environment)
    expect(done.returncode == 0, f"{name} is built against the packages and runs" + ("" if done.returncode == 0 else "\n" + done.stdout))
    linked = run("ldd", command[0], env=environment).stdout
    expect(f"libkiln.so.0 => {library}" in linked, f"{name} has the packages' library")
bundle = os.path.join(options.folder, "bundle", "kernels.kiln")
expect(os.path.exists(bundle), "the packages' program makes a bundle while a program is built")
done = run(program, "cpu", bundle, ok=False, env=environment)
expect(done.returncode == 0 and "three kernels on" in done.stdout, "and the runtime's library launches from it" + ("" if done.returncode == 0 else "\n" + done.stdout))
linked = run("ldd", program, env=environment).stdout
expect("libkiln-runtime.so.0" in linked and "libkiln.so.0" not in linked, "without the compiler")
print(f"{len(faults)} faults")
sys.exit(1 if faults else 0)
