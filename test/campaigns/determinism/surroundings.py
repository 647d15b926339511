# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""surroundings.py KILN: compiles the same file in other surroundings: another folder, another time of the file, another
TMPDIR. PTX, objects, bundles and cubins by both assemblers have to be the same bytes.

ptxas writes the time of a source into line tables where it finds the file (Triton issue 11091).
"""
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CALLS = ["calls(CuDeviceVector{Float32,1}, CuDeviceVector{Float64,1})", "throws(CuDeviceVector{Int32,1}, Int32)"]
LIST = """{"files": ["kernels.jl"], "targets": ["native", {"target": "ptx", "arch": "sm_90"}], "configs": [{"g": [1, 2]}],
 "jobs": [{"call": "recursive(CuDeviceVector{Int64,1})"}]}
"""
# name, folder of the sources, folder of temporary files, time of the sources
SURROUNDINGS = [("first", "a", "t", 1_000_000_000), ("touched", "a", "t", 1_700_000_000), ("moved", "another/folder", "t", 1_000_000_000),
                ("other TMPDIR", "a", "temporary/files", 1_000_000_000)]


def run(command, folder, environment):
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def products(kiln, assemblers):
    """(name, arguments, environment) of everything that is compared."""
    for level in ("-g1", "-g2"):
        for call in CALLS:
            yield f"PTX {level} {call}", ["compile", "kernels.jl", call, "--target", "ptx", level], {}
            yield f"object {level} {call}", ["compile", "kernels.jl", call, "--emit", "obj", level], {}
            for assembler in assemblers:
                yield (f"cubin by {assembler} {level} {call}", ["compile", "kernels.jl", call, "--target", "ptx", "--arch", "sm_90", "--emit", "cubin", level],
                       {"KILN_ASSEMBLER": assembler})
    for level in ("1", "2"):
        yield f"bundle -g{level}", ["bundle", f"list{level}.json"], {}


def main():
    kiln = os.path.abspath(sys.argv[1])
    plain = {name: value for name, value in os.environ.items() if not name.startswith("KILN_")} | {"KILN_CACHE_DIR": ""}
    doctor = run([kiln, "doctor"], HERE, plain)
    assemblers = [name for name, line in (("nvjitlink", "nvJitLink: /"), ("ptxas", "ptxas: /")) if f"\n{line}" in doctor]
    if len(assemblers) < 2:
        print(f"skipped in part: of nvJitLink and ptxas there is {', '.join(assemblers) or 'none'} (kiln doctor)")
    first, wrong, compared = {}, [], 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, folder, temporary, time in SURROUNDINGS:
            folder, temporary = os.path.join(scratch, folder), os.path.join(scratch, temporary)
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            os.makedirs(temporary, exist_ok=True)
            shutil.copy(os.path.join(HERE, "kernels.jl"), folder)
            for level in ("1", "2"):
                with open(os.path.join(folder, f"list{level}.json"), "w", encoding="utf-8") as file:
                    file.write(LIST.replace("[1, 2]", level))
            for file in os.listdir(folder):
                os.utime(os.path.join(folder, file), (time, time))
            for what, arguments, more in products(kiln, assemblers):
                run([kiln, *arguments, "-o", "out"], folder, {**plain, **more, "TMPDIR": temporary})
                with open(os.path.join(folder, "out"), "rb") as file:
                    digest = hashlib.sha256(file.read()).hexdigest()
                compared += name != "first"
                if first.setdefault(what, digest) != digest:
                    wrong.append(f"{name}: other bytes of {what}")
            if os.listdir(temporary):
                wrong.append(f"{name}: temporary files stay: {os.listdir(temporary)}")
    print("\n".join(wrong + [f"{compared} products compared, {len(wrong)} faults"]))
    return 1 if wrong or not compared else 0


sys.exit(main())
