# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit: each .jl file says in RUN lines how kiln is called with it, each .ll file how kiln-opt is.

    %kiln          the program
    %opt           kiln-opt, which runs single rewrites over LLVM IR
    %status N CMD  runs CMD and fails unless its exit status is N
    %stack N CMD   runs CMD with a stack of N kilobytes
    %nest KIND N FILE   writes a kernel that nests N deep
    %filecheck     FileCheck
    %timings       reads what --timings wrote (timings.py)
    %examples_py   runs the commands of docs/examples (examples.py)
    %npy           writes and compares NumPy files (npy.py)
    %timings_inputs FOLDER   writes reports for kiln timings diff
    %merge_inputs FOLDER     writes reports for kiln timings merge
    %json E...     reads a JSON object; fails unless each expression of `d` is true
    %empty         fails unless its standard input is empty
    %ptxas         NVIDIA's assembler, under REQUIRES: ptxas
    %nvdisasm      NVIDIA's disassembler, under REQUIRES: nvdisasm
    %nvcc          NVIDIA's compiler of CUDA C, under REQUIRES: nvcc or in %if nvcc
    %dwarfdump     LLVM's reader of debug information, under REQUIRES: dwarfdump
    %llvm_as       LLVM's text to bitcode
    %libraries     the folder of libraries for --language (libraries/CMakeLists.txt)

A test that calls libdevice's functions says REQUIRES: libdevice; one that reads the counts of allocations, which a
sanitizer's malloc does not give, REQUIRES: allocations. One that links device code REQUIRES: nvjitlink. One that runs a program or lists all commands REQUIRES: programs.
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
from paths import PathTest, word

config.name = "kiln"
config.test_format = PathTest()
config.suffixes = [".jl", ".ll"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["exec_root"]
config.excludes = ["inputs", "libraries"]

# A test sees what it says itself, not what the caller's shell has set.
for name in list(config.environment):
    if name.startswith("KILN_"):
        del config.environment[name]
config.environment["KILN_CACHE_DIR"] = ""  # nor the user's cache
for name in ("HOME", "CUDA_HOME", "CUDA_PATH", "ASAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]


def script(name):
    return f"{sys.executable} {word(os.path.join(config.test_source_root, name))}"


config.substitutions += [
    ("%kiln", word(lit_config.params["kiln"])),
    ("%opt", word(lit_config.params["opt"])),
    ("%status", script("status.py")),
    ("%stack", script("stack.py")),
    ("%nest", script("nest.py")),
    ("%timings_inputs", script(os.path.join("inputs", "timings_diff.py"))),
    ("%merge_inputs", script(os.path.join("inputs", "timings_merge.py"))),
    ("%filecheck", lit_config.params["filecheck"]),
    ("%llvm_as", lit_config.params["llvm_as"]),
    ("%npy", script("npy.py")),
    ("%empty", script("empty.py")),
    ("%json", script("json_check.py")),
    ("%libraries", word(lit_config.params.get("libraries") or os.path.join(
        os.path.dirname(os.path.realpath(lit_config.params["kiln"])), "..", "test", "language", "lit", "libraries"))),
    ("%timings", script("timings.py")),
    ("%examples_py", script("examples.py")),
    ("%examples", word(os.path.join(config.test_source_root, "..", "..", "..", "docs", "examples"))),
]

# What the toolkit provides: tests without it show as unsupported.
homes = [os.environ[name] for name in ("KILN_CUDA_HOME", "CUDA_HOME", "CUDA_PATH") if name in os.environ]
folders = [os.path.join(home, "bin") for home in homes + ["/usr/local/cuda", "/opt/cuda"]]
ptxas = shutil.which("ptxas") or shutil.which("ptxas", path=os.pathsep.join(folders))
doctor = subprocess.run([lit_config.params["kiln"], "doctor"], capture_output=True, text=True, check=False).stdout
if re.search(r"^libdevice: .*\.bc", doctor, re.MULTILINE):
    config.available_features.add("libdevice")
if re.search(r"^nvJitLink: (?!.*cannot be loaded).*\.so", doctor, re.MULTILINE):
    config.available_features.add("nvjitlink")
if re.search(r"^  script ", subprocess.run([lit_config.params["kiln"], "--help"], capture_output=True, text=True, check=False).stdout, re.MULTILINE):
    config.available_features.add("programs")
else:
    config.excludes += ["program", "packages"]
if not lit_config.params["sanitize"]:
    config.available_features.add("allocations")
    config.available_features.add("file_limit") # ThreadSanitizer writes files of its own as it starts
dwarfdump = shutil.which("llvm-dwarfdump-22") or shutil.which("llvm-dwarfdump", path=os.path.dirname(lit_config.params["llvm_as"]))
if dwarfdump:
    config.available_features.add("dwarfdump")
    config.substitutions.append(("%dwarfdump", dwarfdump))
if shutil.which("spirv-val"):
    config.available_features.add("spirv_val")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
nvdisasm = shutil.which("nvdisasm") or shutil.which("nvdisasm", path=os.pathsep.join(folders))
if nvdisasm:
    config.available_features.add("nvdisasm")
    config.substitutions.append(("%nvdisasm", nvdisasm))
nvcc = shutil.which("nvcc", path=os.pathsep.join(folders + [os.environ.get("PATH", "")]))
if nvcc and "-ltoir" in subprocess.run([nvcc, "--help"], capture_output=True, text=True, check=False).stdout:
    config.available_features.add("nvcc")
    config.substitutions.append(("%nvcc", nvcc))
