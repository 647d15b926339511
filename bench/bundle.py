#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bundle.py KILN BUNDLE_LAUNCH [--kernels 1000] [--keep FOLDER]: opening a bundle of docs/examples and of many generated kernels, and the
first launch of each kernel, as a table in Markdown. Goals: opened in 50 ms, any kernel launched within 0.3 ms."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "examples")
VECTOR, MATRIX = "CuDeviceVector{Float32,1}", "CuDeviceMatrix{Float32,1}"
CALLS = {"saxpy.jl": [f"saxpy({VECTOR}, {VECTOR}, Float32)"], "matmul.jl": [f"matmul({MATRIX}, {MATRIX}, {MATRIX})"],
         "mandelbrot.jl": ["mandelbrot(CuDeviceMatrix{Int32,1}, ComplexF32, ComplexF32, Int32)"],
         "adam.jl": [f"adam({VECTOR}, {VECTOR}, {VECTOR}, Float32, Float32, Float32, Float32)"]}

# Kernels of several kinds: straight, with a loop, with shared memory and barriers, with what may throw.
FORMS = ["""function k{n}(y, x, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = a * x[i] + {n}f0
    end
    return
end
""", """function k{n}(y, x, a)
    i = threadIdx().x
    s = 0f0
    for j in 1:length(x)
        @inbounds s += x[j] * a + {n}f0
    end
    @inbounds y[i] = s
    return
end
""", """function k{n}(y, x, a)
    part = CuStaticSharedArray(Float32, 64)
    t = threadIdx().x
    @inbounds part[t] = x[t] * a
    sync_threads()
    @inbounds y[t] = part[blockDim().x - t + 1] + {n}f0
    return
end
""", """function k{n}(y, x, a)
    i = threadIdx().x
    y[i] = exp(x[i]) * a + {n}f0
    return
end
"""]

parser = argparse.ArgumentParser()
parser.add_argument("kiln")
parser.add_argument("launch")
parser.add_argument("--kernels", type=int, default=1000)
parser.add_argument("--keep")
options = parser.parse_args()
with tempfile.TemporaryDirectory() as folder:
    folder = options.keep or folder
    with open(os.path.join(folder, "generated.jl"), "w", encoding="utf-8") as file:
        file.write("using CUDA\n" + "".join(FORMS[n % len(FORMS)].format(n=n) for n in range(options.kernels)))
    jobs = [{"call": call, "files": [os.path.join(EXAMPLES, name)]} for name, calls in CALLS.items() for call in calls]
    jobs += [f"k{n}({VECTOR}, {VECTOR}, Float32)" for n in range(options.kernels)]
    with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as file:
        json.dump({"files": [os.path.join(folder, "generated.jl")], "jobs": jobs}, file)
    bundle = os.path.join(folder, "kernels.kiln")
    began = time.monotonic()
    made = subprocess.run([options.kiln, "bundle", os.path.join(folder, "manifest.json"), "-o", bundle], text=True, capture_output=True)
    if made.returncode:
        sys.exit(made.stdout + made.stderr)
    print(made.stdout.strip() + f"; made in {time.monotonic() - began:.1f} s\n")
    sys.exit(subprocess.run([options.launch, bundle]).returncode)
