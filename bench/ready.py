#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How soon the kernels of a cache image are ready: ready.py KILN READY [KERNELS] [RUNS]

Compiles KERNELS (1,000) small kernels for the CPU and to cubins, exports the folder as an OCI image, unpacks its layer, takes all rights to write
away, and opens it RUNS (11) times as the shared folder of a session that must not compile. Prints medians. READY is the program bench/ready.
Exit status 77: there is no assembler.
"""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile

KERNEL = """
function kernel{n}(y, x, a)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = muladd(a, x[i], y[i]) + {n}f0
    end
    return
end
"""
CALL = "kernel$N(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)"


def layer_of(layout):
    def blob(descriptor):
        return os.path.join(layout, "blobs", descriptor["digest"].replace(":", "/"))

    with open(os.path.join(layout, "index.json"), encoding="utf-8") as file:
        (manifest,) = json.load(file)["manifests"]
    with open(blob(manifest), encoding="utf-8") as file:
        (layer,) = json.load(file)["layers"]
    return blob(layer), layer["size"]


def main():
    kiln, ready = sys.argv[1:3]
    kernels, runs = (int(word) for word in (sys.argv[3:] + ["1000", "11"][len(sys.argv) - 3 :])[:2])
    scratch = tempfile.mkdtemp(prefix="kiln-ready-")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KILN_") or name == "KILN_CUDA_HOME"}

    def run(*words):
        return subprocess.run([str(word) for word in words], cwd=scratch, env=environment, check=True, capture_output=True, text=True).stdout

    try:
        with open(os.path.join(scratch, "kernels.jl"), "w", encoding="utf-8") as file:
            file.write("using CUDA\n" + "".join(KERNEL.format(n=n) for n in range(kernels)))
        with open(os.path.join(scratch, "kernels.json"), "w", encoding="utf-8") as file:
            json.dump({"files": ["kernels.jl"], "candidates": {"N": {"from": 0, "to": kernels - 1}}, "jobs": [CALL], "targets": ["native", {"target": "ptx"}]}, file)
        filled = run(kiln, "precompile", "kernels.json", "--cache", "cache", "--no-merge")
        if "0 failed" not in filled:
            sys.exit(filled)
        run(kiln, "cache", "export", "--oci", "image", "--cache", "cache")
        layer, size = layer_of(os.path.join(scratch, "image"))
        with tarfile.open(layer) as tar:
            tar.extractall(os.path.join(scratch, "root"), filter="fully_trusted") if hasattr(tarfile, "data_filter") else tar.extractall(os.path.join(scratch, "root"))
        run("chmod", "-R", "a-w", "root")
        print(f"{kernels} kernels for the CPU and as many cubins; the layer has {size / 1e6:.1f} MB. Medians of {runs} processes, in ms, and in parentheses ms of CPU time:\n")
        print("| kernels for | threads | open | load definitions | hold all code | sum |")
        print("|---|---|---|---|---|---|")
        for device in ("cpu", "gpu"):
            for threads in (1, os.cpu_count()):
                rows = [[float(part) for part in run(ready, "kernels.jl", kernels, "root/var/cache/kiln", device, threads).split()] for _ in range(runs)]
                steps = [*zip(*rows), [sum(row[0::2]) for row in rows], [sum(row[1::2]) for row in rows]]
                medians = [statistics.median(step) for step in steps]
                cells = [f"{wall:.1f} ({cpu:.1f})" for wall, cpu in zip(medians[0::2], medians[1::2])]
                print(f"| {device} | {threads} | {' | '.join(cells)} |")
    finally:
        subprocess.run(["chmod", "-R", "u+w", scratch], check=False)
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
