#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The digest of a build (cmake/build_digest.cmake): builds of equal sources share cache entries, and all others do not.

build_digest_test.py CMAKE SOURCE
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CMAKE, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
FILES = {"include/kiln/abi.h": "struct A;\n", "include/kiln/deep/b.def": "B\n", "lib/support/a.cpp": "int a;\n", "flags.cmake": "-O2\n"}
FACTS = "Clang 22, -O2 -DNDEBUG"


def digest(root: pathlib.Path, facts: str = FACTS, sysroot: str = "", archives: str = "") -> str:
    out = root.parent / "digest.cpp"
    subprocess.run([CMAKE, f"-DROOT={root}", "-DPATHS=include;lib/support;flags.cmake", f"-DFACTS={facts}", f"-DSYSROOT={sysroot}",
                    f"-DLLVM_DIR={root}/llvm-22/lib/cmake/llvm", f"-DARCHIVES={archives}", f"-DOUT={out}", f"-DDEPFILE={out}.d",
                    "-P", SOURCE / "cmake/build_digest.cmake"], check=True)  # fmt: skip
    return re.search(r'return "([0-9a-f]{16})"', out.read_text()).group(1)


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        root = folder / "one tree" / "kiln"
        for name, text in FILES.items():
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        first = digest(root)

        inputs = {re.sub(r"\\ ", " ", line).rstrip(" \\").strip() for line in (root.parent / "digest.cpp.d").read_text().splitlines()[1:]}
        expected = {str(root / path) for path in [*FILES, "include/kiln", "include/kiln/deep", "lib/support"]}
        assert expected - {str(root / "include")} <= inputs, (expected, inputs)

        other = folder / "other"
        shutil.copytree(root, other)
        assert digest(other) == first, "the folder counts"
        (other / "include/.abi.h.swp").write_text("an editor's file")
        assert digest(other) == first, "hidden files count"

        seen = {first: "the sources"}

        def expect_new(what: str, made: str) -> None:
            assert made not in seen, f"{what} and {seen.get(made)} have one digest"
            seen[made] = what

        def after(what: str, change) -> None:
            tree = folder / "changed"
            shutil.copytree(root, tree)
            change(tree)
            expect_new(what, digest(tree))
            shutil.rmtree(tree)

        for name in FILES:
            after(f"another byte of {name}", lambda tree, name=name: (tree / name).write_text(FILES[name].replace("\n", " \n")))
        after("a new file", lambda tree: (tree / "include/kiln/new.h").write_text(""))
        after("a removed file", lambda tree: (tree / "include/kiln/deep/b.def").unlink())
        after("a renamed file", lambda tree: (tree / "lib/support/a.cpp").rename(tree / "lib/support/b.cpp"))
        after("a moved file", lambda tree: (tree / "include/kiln/abi.h").rename(tree / "include/kiln/deep/abi.h"))
        expect_new("other flags", digest(root, facts=FACTS + " -march=native"))

        # Packages of both architectures have one version; a file name has %3a in place of a colon.
        by_version = {}
        for version, architecture in (("1%3a22.1.8-1", "arm64"), ("1%3a22.1.8-1", "amd64"), ("1%3a22.1.8-2", "arm64")):
            sysroot = folder / architecture / version
            sysroot.mkdir(parents=True)
            (sysroot / "packages.txt").write_text(f"wanted\nllvm-22-dev_{version}_{architecture}\nllvm-22_{version}_{architecture}\n")
            by_version.setdefault(version, set()).add(digest(root, sysroot=str(sysroot)))
        for version, digests in by_version.items():
            assert len(digests) == 1, f"the architecture of LLVM's package counts: {digests}"
            expect_new(f"LLVM {version}", *digests)
        # An LLVM without a package: the archives count.
        for size in (10, 11):
            archive = folder / f"of {size}" / "libLLVMCore.a"
            archive.parent.mkdir()
            archive.write_bytes(bytes(size))
            expect_new(f"an archive of {size} bytes", digest(root, archives=str(archive)))
    print(f"{len(seen)} builds have {len(seen)} digests")


if __name__ == "__main__":
    main()
