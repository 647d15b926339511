#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the build into an empty prefix, and builds and runs programs against it with the system's compilers.

What can be taken for granted: a C and a C++ compiler, CMake, Python. Parts whose tools are missing (pkg-config) are named as skipped."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
for name in ("source", "build", "folder", "cmake", "version"):
    parser.add_argument("--" + name, required=True)
options = parser.parse_args()
PREFIX = os.path.join(options.folder, "prefix")
EXAMPLES = os.path.join(options.source, "docs/examples")
HERE = os.path.dirname(os.path.abspath(__file__))
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


def configure(name, source=None, ok=True, *more):
    build = os.path.join(options.folder, name)
    done = run(options.cmake, "-S", source or os.path.join(HERE, name), "-B", build, f"-DCMAKE_PREFIX_PATH={PREFIX}", f"-DEXAMPLES={EXAMPLES}",
               "-DCMAKE_BUILD_TYPE=Release", *more, ok=ok)
    return build, done


def page(name):
    """The files of a page of docs/howto, in a folder of their own."""
    folder = os.path.join(options.folder, "pages", name)
    run(sys.executable, "-B", os.path.join(options.source, "test/system/docs/howto.py"), "extract", os.path.join(options.source, f"docs/howto/{name}.md"),
        options.source, folder)
    return folder


def build_and_run(name, program, source=None, arguments=(), more=()):
    build, _ = configure(name, source, True, *more)
    run(options.cmake, "--build", build)
    done = run(os.path.join(build, program), *arguments, ok=False)
    expect(done.returncode == 0, f"{name}: builds, and its program ends with 0")
    if done.returncode:
        print(done.stdout)
    return build, done.stdout


def installed_files():
    library = next((os.path.join(PREFIX, lib) for lib in ("lib", "lib64", "lib/x86_64-linux-gnu")
                    if os.path.exists(os.path.join(PREFIX, lib, "libkiln.so"))), None)
    expect(library is not None, "libkiln.so is installed")
    shared = os.path.join(library, "libkiln.so")
    dynamic = run("readelf", "-dW", shared).stdout
    expect("Library soname: [libkiln.so.0]" in dynamic, "the soname is libkiln.so.0")
    needed = re.findall(r"\(NEEDED\).*\[(.*?)\]", dynamic)
    print("        needs", ", ".join(needed))
    expect(not any(name.startswith(("libLLVM", "libcuda", "libnv")) for name in needed), "it needs no library of LLVM or CUDA")
    expect("NODELETE" in dynamic, "it is never unloaded")
    names = [line.split()[-1].split("@")[0] for line in run("nm", "-D", "--defined-only", shared).stdout.splitlines()]
    foreign = [name for name in names if not re.match(r"kiln_|_ZN?K?[A-Z]*N?K?4kiln|_ZT[ISV]N4kiln|KILN_0$|__jit_debug_(?:descriptor|register_code)$", name)]
    expect(not foreign, f"it exports Kiln's names, and the two that gdb looks for ({len(names)}); others: {foreign[:5]}")
    private = [name for name in names if re.search(r"(?<!\d)5State|4llvm|3tbb|3fmt", name)]
    demangled = run("c++filt", *private).stdout.split("\n") if private else []
    expect(not private, f"it exports nothing private; but {demangled[:5]}")
    headers = [os.path.join(folder, f) for folder, _, files in os.walk(os.path.join(PREFIX, "include")) for f in files]
    headers = [h for h in headers if "/extension/llvm" not in h]  # those of libkiln-extension-dev
    outside = [f"{h}: {line.strip()}" for h in headers for line in open(h)
               if re.match(r"\s*#\s*include\s*<(llvm|tbb|oneapi|fmt|cuda|nvrtc)", line)]
    expect(headers and not outside, f"its {len(headers)} headers include none of LLVM, oneTBB, fmt or CUDA {outside}")
    unexported(shared, names)
    return library


def unexported(shared, exported):
    """What a program calls of the classes and functions that kiln/extension/language marks KILN_API must be there: the out-of-line members
    of the archive's object files that its headers declare."""
    declared = set()
    folder = os.path.join(PREFIX, "include/kiln/extension/language")
    for header in sorted(os.listdir(folder)):
        text = open(os.path.join(folder, header)).read()
        declared |= set(re.findall(r"^(?:class|struct) KILN_API (\w+)[^;]*?\{", text, re.M))
        declared |= set(re.findall(r"^KILN_API [^(;{]*?(\w+)\(", text, re.M))
    present = run("c++filt", input="\n".join(exported)).stdout
    missing = [name for name in sorted(declared) if not re.search(rf"\b{name}\b", present)]
    expect(len(declared) > 30 and not missing, f"it exports the {len(declared)} names that kiln/extension/language marks; but {missing}")


def pkg_config(library):
    if not shutil.which("pkg-config"):
        print("skipped pkg-config is not installed")
        return
    environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(library, "pkgconfig"))
    version = run("pkg-config", "--modversion", "kiln", env=environment).stdout.strip()
    expect(version == options.version, f"pkg-config gives version {version}")
    flags = run("pkg-config", "--cflags", "--libs", "kiln", env=environment).stdout.split()
    program = os.path.join(options.folder, "cprog_pkg_config")
    run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", os.path.join(EXAMPLES, "cprog/main.c"), "-o", program, *flags)
    done = run(program, ok=False, env=dict(environment, LD_LIBRARY_PATH=library))
    expect(done.returncode == 0, "pkg-config: a program in C, every warning an error, builds and runs")


def language(name):
    """A language outside the tree, and its programs."""
    build, _ = configure(name, os.path.join(EXAMPLES, name))
    run(options.cmake, "--build", build)
    check = os.path.join(options.source, f"test/system/api/{name}/check.py")
    done = run(sys.executable, "-B", check, os.path.join(build, name), os.path.join(EXAMPLES, name, "programs"), ok=False)
    expect(done.returncode == 0, f"{name}: builds, and its programs give the values worked out in Python")
    if done.returncode:
        print(done.stdout)
    return build


def lisp_tools(build, library):
    """The library of lisp with the installed program's tools."""
    kiln = os.path.join(PREFIX, "bin/kiln")
    if not os.path.exists(kiln):
        print("skipped the program kiln is not installed")
        return
    done = run(sys.executable, "-B", os.path.join(options.source, "test/system/api/lisp/tools.py"), os.path.join(build, "lisp"),
               os.path.join(build, "liblisp_language.so"), kiln, os.path.join(library, "libkiln-runtime.so.0"), os.path.join(EXAMPLES, "lisp"), ok=False)
    expect(done.returncode == 0, f"lisp: precompile, bundle and cache explain load its library {done.stdout if done.returncode else ''}")


def runtime():
    """What runs bundles, installed alone: no compiler beside it."""
    alone = os.path.join(options.folder, "runtime_prefix")
    for component in ("libkiln-runtime0", "libkiln-dev"):
        run(options.cmake, "--install", options.build, "--prefix", alone, "--component", component)
    files = [os.path.join(folder, f) for folder, _, names in os.walk(alone) for f in names]
    shared = next((f for f in files if f.endswith("libkiln-runtime.so.0")), "")
    expect(shared and not any(os.path.basename(f).startswith("libkiln.so.") or f.endswith(".a") for f in files), "the runtime is installed without the compiler")
    dynamic = run("readelf", "-dW", shared).stdout
    expect("Library soname: [libkiln-runtime.so.0]" in dynamic, "its soname is libkiln-runtime.so.0")
    with open(shared, "rb") as file:
        expect(b"Session::" not in (code := file.read()) and b"SessionOptions" not in code, "no message of it is about sessions' C++")
    needed = re.findall(r"\(NEEDED\).*\[(.*?)\]", dynamic)
    allowed = ("libtbb.", "libfmt.", "libstdc++.", "libm.", "libgcc_s.", "libc.", "ld-linux")
    expect(all(name.startswith(allowed) for name in needed), f"it needs {', '.join(needed)}: nothing of LLVM, CUDA or Kiln's compiler")
    stripped = os.path.join(options.folder, "runtime_stripped.so")
    run("strip", "-o", stripped, shared)
    with open(stripped, "rb") as file:
        code = file.read()
    expect(b"Session::" not in code and b"SessionOptions" not in code, "no message of it names what the compiler's library has")
    size = os.path.getsize(stripped)
    expect(size <= 1_500_000, f"it has {size} bytes, stripped; the limit is 1,500,000")
    symbols = run("nm", "-C", shared).stdout + run("nm", "-DC", shared).stdout
    foreign = [line for line in symbols.splitlines() if re.search(r"\bllvm::|\bLLVM[A-Z]|kiln::(?:v\d+_\d+::)?(Session|World|Parser|TypeContext)\b", line)]
    expect(len(symbols) > 1000 and not foreign, f"it has no symbol of LLVM or of the compiler {foreign[:3]}")
    names = [line.split()[-1].split("@")[0] for line in run("nm", "-D", "--defined-only", shared).stdout.splitlines()]
    others = [name for name in names if not re.match(r"kiln_|_ZN?K?[A-Z]*N?K?4kiln|_ZT[ISV]N4kiln|KILN_RUNTIME_0$", name)]
    expect(not others, f"it exports Kiln's names alone ({len(names)}); others: {others[:5]}")

    build = os.path.join(options.folder, "bundle_example")
    kiln = os.path.join(PREFIX, "bin/kiln")
    run(options.cmake, "-S", os.path.join(EXAMPLES, "bundle"), "-B", build, f"-DCMAKE_PREFIX_PATH={alone}", f"-DKILN={kiln}", "-DCMAKE_BUILD_TYPE=Release")
    run(options.cmake, "--build", build)
    program = os.path.join(build, "main")
    done = run(program, ok=False)
    expect(done.returncode == 0 and "three kernels on" in done.stdout, "docs/examples/bundle: builds with the typed wrappers against the runtime alone, and is right")
    if done.returncode:
        print(done.stdout)
    bundle = os.path.join(build, "kernels.kiln")
    done = run(program, "opencl", ok=False)
    on_opencl(done.returncode == 0 and "three kernels on" in done.stdout, "docs/examples/bundle", done.stdout)
    with open(bundle, "rb") as file:
        whole = file.read()
    broken = os.path.join(options.folder, "broken.kiln")
    for what, content, said in (("cut off", whole[:-100], "is cut off"), ("newer", whole[:8] + b"\x63" + whole[9:], "is of version 99"),
                                ("no bundle", b"something else entirely", "is no bundle of Kiln's")):
        with open(broken, "wb") as file:
            file.write(content)
        done = run(program, "cpu", broken, ok=False)
        expect(done.returncode == 1 and said in done.stdout, f"a bundle that is {what} is refused: {done.stdout.splitlines()[:1]}")
    maps = subprocess.run([program, "cpu", bundle], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=dict(os.environ, LD_DEBUG="libs"))
    expect("libkiln.so" not in maps.stdout and "libLLVM" not in maps.stdout, "no compiler is loaded into the program's process")
    c_build = os.path.join(options.folder, "runtime")
    run(options.cmake, "-S", os.path.join(HERE, "runtime"), "-B", c_build, f"-DCMAKE_PREFIX_PATH={alone}")
    run(options.cmake, "--build", c_build)
    done = run(os.path.join(c_build, "runtime"), bundle, ok=False)
    expect(done.returncode == 0 and "right" in done.stdout, "a program in C launches the same kernels")
    if done.returncode:
        print(done.stdout)


def on_opencl(ran, what, said):
    """A program that compares values itself ran on an OpenCL device."""
    if "OCL_ICD_VENDORS" not in os.environ:
        print(f"skipped: {what} on OpenCL: there is no OpenCL runtime")
        return
    expect(ran, f"{what}: runs on OpenCL" + ("" if ran else f"\n{said}"))


def refused():
    _, done = configure("both", None, False)
    expect(done.returncode != 0 and "KILN_LINKAGE" in done.stdout, "CMake refuses the shared library and the archive in one program")
    _, done = configure("both_extension", None, False)
    expect(done.returncode != 0 and "KILN_LINKAGE" in done.stdout, "CMake refuses Kiln::kiln and Kiln::extension in one program")
    source = os.path.join(options.folder, "unknown_component")
    os.makedirs(source, exist_ok=True)
    with open(os.path.join(source, "CMakeLists.txt"), "w") as out:
        out.write("cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES C)\nfind_package(Kiln 0.3 CONFIG REQUIRED COMPONENTS wings)\n")
    _, done = configure("unknown_component_build", source, False)
    expect(done.returncode != 0 and 'Kiln has no component "wings"' in " ".join(done.stdout.split()), "CMake names a component that there is not")
    with open(os.path.join(source, "CMakeLists.txt"), "w") as out:
        out.write("cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES C)\nfind_package(Kiln 0.9 CONFIG REQUIRED)\n")
    _, done = configure("unknown_version_build", source, False)
    expect(done.returncode != 0, "CMake refuses another minor version")
    with open(os.path.join(source, "CMakeLists.txt"), "w") as out:
        out.write("cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES C)\nfind_package(Kiln 0.2 CONFIG REQUIRED)\n")
    _, done = configure("old_version_build", source, False)
    expect(done.returncode != 0 and "the C++ API changed since 0.2" in " ".join(done.stdout.split()), "CMake tells where to read about the change since 0.2")


def subdirectory():
    build, _ = configure("subdirectory", None, True, f"-DKILN_SOURCE={options.source}", "-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++-22",
                         "-DCMAKE_C_COMPILER=clang-22")
    commands = json.load(open(os.path.join(build, "compile_commands.json")))
    own = [c["command"] for c in commands if "/outer.dir/" in c["command"]]
    expect(len(own) == 1, "subdirectory: the program is compiled once")
    leaked = [flag for flag in own[0].split() if flag.startswith(("-W", "-f", "-X", "-D")) and flag != "-DNDEBUG"]
    expect(not leaked, f"subdirectory: no flag of Kiln's reaches the program {leaked}")
    others = [c["file"] for c in commands if re.search(r"/(test|bench|tools/kiln|docs)/", c["file"][len(options.source):])
              and c["file"].startswith(options.source) and "/outer.dir/" not in c["command"]]
    expect(not others, f"subdirectory: the library alone is built {others[:3]}")


def tool(name):
    """LLVM 22's tool of this name, or None."""
    return next((path for path in (shutil.which(name + "-22"), shutil.which(name, path="/usr/lib/llvm-22/bin")) if path), None)


def target_amdgpu():
    """docs/examples/target_amdgpu, and what LLVM's own tools read of the code objects that it makes."""
    if not tool("ld.lld"):
        print("skipped target_amdgpu: LLVM's linker is not installed (lld-22)")
        return
    out = os.path.join(options.folder, "code_objects")
    os.makedirs(out)
    _, said = build_and_run("target_amdgpu", "target_amdgpu", os.path.join(EXAMPLES, "target_amdgpu"), [out])
    expect("no processor gfx1:" in said, "target_amdgpu: a processor that is not known is refused in words")
    # EF_AMDGPU_MACH of https://llvm.org/docs/AMDGPUUsage.html#amdgpu-ef-amdgpu-mach-table
    for gfx, machine, wavefront in (("gfx90a", 0x3F, 64), ("gfx1100", 0x41, 32)):
        def read(kernel, name, *arguments):
            return run(tool(name), *arguments, os.path.join(out, f"{kernel}.{gfx}.hsaco")).stdout
        for kernel in ("saxpy", "reduce", "histogram", "pick"):
            header = read(kernel, "llvm-readelf", "-h")
            flags = int(re.search(r"Flags:\s*(0x[0-9A-Fa-f]+)", header)[1], 16)
            expect("EM_AMDGPU" in header and "DYN (Shared object file)" in header and flags & 0xFF == machine,
                   f"{gfx} {kernel}: llvm-readelf reads a code object of this processor")
            symbols = read(kernel, "llvm-readelf", "--dyn-symbols")
            expect(len(re.findall(rf"OBJECT +GLOBAL.*{kernel}.*\.kd$", symbols, re.M)) == 1, f"{gfx} {kernel}: one kernel descriptor")
            expect(not re.search(r" UND \w", symbols), f"{gfx} {kernel}: nothing is undefined: no ockl, no ocml")
            notes = read(kernel, "llvm-readelf", "--notes")
            expect(f".wavefront_size: {wavefront}" in notes and ".max_flat_workgroup_size: 256" in notes, f"{gfx} {kernel}: wavefront and block in the metadata")
            code = read(kernel, "llvm-objdump", "-d")
            expect("s_endpgm" in code and "<unknown>" not in code, f"{gfx} {kernel}: llvm-objdump disassembles it")
            barriers, atomics = code.count("s_barrier"), len(re.findall(r"(?:global|flat)_atomic_|_cmpswap", code))
            expect((barriers > 0) == (kernel == "reduce") and (atomics > 0) == (kernel in ("reduce", "histogram")), f"{gfx} {kernel}: {barriers} barriers, {atomics} atomics")
        # Two arrays of pointer, bytes, dimension and length (32 bytes each), a float.
        places = re.findall(r"\.offset: +(\d+)\s+\.size: +(\d+)\s+\.value_kind: +by_value", read("saxpy", "llvm-readelf", "--notes"))
        expect(places == [("0", "32"), ("32", "32"), ("64", "4")], f"{gfx} saxpy: arguments lie as the language lays them out {places}")
        expect(".group_segment_fixed_size: 1024" in read("reduce", "llvm-readelf", "--notes"), f"{gfx} reduce: 256 floats of shared memory")


def derivative():
    """docs/examples/derivative: a compiler nested in jobs, through hooks."""
    build, _ = configure("derivative", os.path.join(EXAMPLES, "derivative"))
    run(options.cmake, "--build", build)
    check = os.path.join(options.source, "test/system/api/derivative/check.py")
    done = run(sys.executable, "-B", check, os.path.join(build, "derivative"), ok=False)
    expect(done.returncode == 0, "derivative: builds, and its derivatives are those worked out in Python")
    if done.returncode:
        print(done.stdout)


def programs(library):
    """The programs library, shared and as an archive."""
    installed = os.path.join(library, "libkiln-programs.so.0")
    if not os.path.exists(installed):
        print("skipped programs: the build leaves them out (KILN_BUILD_PROGRAMS)")
        return
    for name, holds in (("libkiln.so", False), ("libkiln-programs.so", True)):
        with open(os.path.join(library, name), "rb") as file:
            expect((b"; overlay: program" in file.read()) == holds, f"{name} holds {'the' if holds else 'no'} text of programs")
    names = [line.split()[-1].split("@")[0] for line in run("nm", "-D", "--defined-only", installed).stdout.splitlines()]
    others = [name for name in names if not re.match(r"kiln_programs_library$|kiln_program_\w+$|_ZNK?4kiln(?:\d+v\d+_\d+)?(?:7Program|16programs_library)|KILN_PROGRAMS_0$", name)]
    expect(not others, f"libkiln-programs.so exports kiln/program.h alone ({len(names)}); others: {others[:5]}")
    build_and_run("programs", "programs")
    build_and_run("programs_static", "programs", os.path.join(HERE, "programs"), (), ["-DSTATIC=ON"])


def emitter():
    """docs/examples/emitter: twice, so that the second process finds all in the folder."""
    out = os.path.join(options.folder, "emitter_files")
    os.makedirs(out)
    build, said = build_and_run("emitter", "emitter", os.path.join(EXAMPLES, "emitter"), [out])
    expect("from the folder 0, compiled 4" in said, "emitter: two kernels for the CPU and two for a GPU are compiled")
    expect(("sum as bitcode" in said) == bool(tool("llvm-as")), "emitter: bitcode where LLVM's assembler is there")
    again = run(os.path.join(build, "emitter"), out, ok=False).stdout
    expect("from the folder 4, compiled 0" in again, "emitter: a second process compiles nothing")
    print("\n".join("        " + line for line in said.splitlines()))
    ptxas = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
    for kernel in ("map", "sum"):
        if ptxas:
            done = run(ptxas, "-arch=sm_90", os.path.join(out, kernel + ".ptx"), "-o", os.devnull, ok=False)
            expect(done.returncode == 0, f"emitter: ptxas takes {kernel}.ptx {done.stdout}")


def hooks():
    """A program in C whose hook changes bitcode with LLVM's shared library; twice, so that the second process finds all in the folder."""
    if not os.path.exists("/usr/lib/llvm-22/lib/cmake/llvm"):
        print("skipped hooks: LLVM 22 is not installed (Debian: llvm-22-dev)")
        return
    cache = os.path.join(options.folder, "hooks_cache")
    build, said = build_and_run("hooks", "hooks", None, [cache])
    expect("with hooks 104, without 7781; compiled 2, hook calls 1" in said, "hooks: C changes a kernel by its bitcode")
    again = run(os.path.join(build, "hooks"), cache, ok=False).stdout
    expect("with hooks 104, without 7781; compiled 0, hook calls 0" in again, f"hooks: a second process compiles nothing {again}")


shutil.rmtree(options.folder, ignore_errors=True)
os.makedirs(options.folder)
run(options.cmake, "--install", options.build, "--prefix", PREFIX)
library = installed_files()
scratch = os.path.join(options.folder, "cprog_scratch")
os.makedirs(scratch)
_, said = build_and_run("cprog", "cprog", os.path.join(EXAMPLES, "cprog"), [scratch])
expect("broken.jl:2:" in said and "precompiled" in said, "cprog: walks an error and precompiles")
on_opencl("no opencl device" not in said, "cprog", said)
_, said = build_and_run("cprog", "arrays", os.path.join(EXAMPLES, "cprog"))
expect("mix: z[7] = -23" in said and "bad.arrays:1:9" in said, "arrays: a language in C, its kernels and its errors")
_, said = build_and_run("embed", "embed")
on_opencl("no opencl device" not in said, "embed", said)
lisp_tools(language("lisp"), library)
language("infix")
build_and_run("embed_static", "embed_static")
programs(library)
build_and_run("language", "language", None, (), [f"-DPAGE={page('add-a-language')}"])
build_and_run("extension", "extension", None, (), [f"-DPAGE={page('add-a-target')}"])
target_amdgpu()
derivative()
emitter()
hooks()
pkg_config(library)
runtime()
refused()
subdirectory()
installed = run(os.path.join(PREFIX, "bin/kiln"), "--version").stdout
expect(options.version in installed, "the installed program tells the version")
sys.exit(f"{len(faults)} of the checks failed" if faults else 0)
