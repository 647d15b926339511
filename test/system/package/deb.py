#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the Debian packages, unpacks them into an empty root, and builds and runs programs with what is there alone.

    deb.py --source TREE --build FOLDER --folder SCRATCH --cmake CMAKE --cpack CPACK --version VERSION

Ends with 77 (skipped) where dpkg's tools are missing."""
import argparse
import gzip
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
PACKAGES = {"kiln", "kiln-agent", "libkiln0", "libkiln-runtime0", "libkiln-programs0", "libkiln-dev", "libkiln-extension-dev", "libkiln-doc"}
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
expect(set(debs) - {"python3-kiln"} == PACKAGES, f"the packages are {', '.join(sorted(debs))}")

def installed_size(package):
    """KiB as Debian's policy counts them: each file in whole KiB, anything else as one."""
    root = os.path.join(options.folder, "alone", package)
    os.makedirs(root)
    run("dpkg-deb", "--extract", debs[package], root)
    kib = 0  # the root is in no listing
    for folder, folders, names in os.walk(root):
        for name in folders + names:
            path = os.path.join(folder, name)
            is_file = os.path.isfile(path) and not os.path.islink(path)
            kib += (os.path.getsize(path) + 1023) // 1024 if is_file else 1
    shutil.rmtree(root)
    return kib


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
    expect(int(field(deb, "Installed-Size")) == installed_size(package), f"{package}: its Installed-Size is that of its files, {field(deb, 'Installed-Size')} KiB")
    papers = os.path.join(PREFIX, "share/doc", package)
    expect(os.path.exists(os.path.join(papers, "copyright")) and os.path.exists(os.path.join(papers, "changelog.gz")), f"{package}: has its licence and its changelog")
shared = {path: who for path, who in owners.items() if len(who) > 1}
expect(owners and not shared, f"each of the {len(owners)} files is in one package {shared or ''}")
expect("llvm-22-dev" in field(debs["libkiln-extension-dev"], "Depends"), "the archive's package brings LLVM 22")
expect("llvm" not in field(debs["libkiln0"], "Depends").lower(), "the shared library's does not")
for package in ("libkiln-dev", "libkiln-programs0"):
    expect(re.search(r"libkiln0 \(= " + re.escape(options.version), field(debs[package], "Depends")), f"{package} is of the library's version")

wrong = [path for path in owners if re.match(r"\./usr/lib/(?!x86_64-linux-gnu/|aarch64-linux-gnu/|python3/dist-packages/kiln/)", path)]
expect(not wrong, f"libraries and build files lie in Debian's folder of the architecture {wrong[:3]}")
pages = {os.path.basename(path) for path, who in owners.items() if "/man/man1/" in path and who == ["libkiln-doc"]}
commands = re.findall(r"^  ([a-z]+)  ", run(os.path.join(PREFIX, "bin/kiln"), "--help").stdout, re.M)
expect(len(commands) > 10 and {"kiln.1.gz", *(f"kiln-{command}.1.gz" for command in commands)} <= pages, f"libkiln-doc has a man page of each command ({len(pages)})")
with gzip.open(os.path.join(PREFIX, "share/man/man1/kiln-compile.1.gz"), "rt") as page:
    text = page.read().replace("\\-", "-")
options_of_compile = re.findall(r"^  (-[^ ]+)", run(os.path.join(PREFIX, "bin/kiln"), "compile", "--help").stdout, re.M)
missing = [option for option in options_of_compile if option not in text]
expect(len(options_of_compile) > 20 and not missing, f"kiln-compile.1 has the options of kiln compile --help {missing}")
expect(".SH EXAMPLES" in text, "kiln-compile.1 has an example")
for path in ("bash-completion/completions/kiln", "zsh/vendor-completions/_kiln", "fish/vendor_completions.d/kiln.fish"):
    expect(owners.get(f"./usr/share/{path}") == ["kiln"], f"the package kiln has the completion script {path}")
if shutil.which("groff"):
    bad = [page for page in sorted(pages) if run("sh", "-c", f"gzip -dc {PREFIX}/share/man/man1/{page} | groff -man -Tutf8 -ww -z").stdout]
    expect(not bad, f"groff sets the man pages without a warning {bad[:3]}")
for path in ("guide/embed-cpp.md", "examples/embed.cpp", "examples/cprog/main.c", "CHANGELOG.md", "glossary.md"):
    expect(os.path.exists(os.path.join(PREFIX, "share/doc/libkiln-doc", path)), f"libkiln-doc has {path}")
if shutil.which("lintian"):
    said = run("lintian", "--fail-on", "error", "--no-tag-display-limit", *debs.values(), ok=False)
    mistakes = [line for line in said.stdout.splitlines() if line.startswith("E:")]
    expect(not mistakes and said.returncode in (0, 2), "lintian finds no error" + "".join("\n        " + line for line in mistakes[:10]))
else:
    print("skipped lintian is not installed")

library = next(os.path.join(folder, f) for folder, _, files in os.walk(PREFIX) for f in files if f == "libkiln.so")
library = os.path.dirname(library)
environment = dict(os.environ, LD_LIBRARY_PATH=library)
done = run(os.path.join(PREFIX, "bin/kiln"), "--version", ok=False)
expect(done.returncode == 0 and options.version in done.stdout, "the program runs: " + done.stdout.splitlines()[0])


python = os.path.join(options.source, "build/python-venv/bin/python") # has NumPy
if "python3-kiln" in debs and os.path.exists(python):
    saxpy = """
import numpy as np, kiln
@kiln.jit(device="cpu")
def saxpy(y, x, a):
    i = kiln.cuda.grid(1)
    if i < y.size:
        y[i] += a * x[i]
y, x = np.ones(1000, np.float32), np.arange(1000, dtype=np.float32)
saxpy[4, 256](y, x, np.float32(2))
assert (y == 1 + 2 * np.arange(1000)).all()
print(kiln.__file__)
"""
    packages = os.path.join(PREFIX, "lib/python3/dist-packages")
    done = run(python, "-B", "-c", saxpy, ok=False, cwd=options.folder, env=dict(environment, PYTHONPATH=packages, KILN_CACHE_DIR=""))
    expect(done.returncode == 0 and done.stdout.startswith(packages), "python3-kiln runs a kernel of Python with libkiln0's library" + ("" if done.returncode == 0 else "\n" + done.stdout))


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
