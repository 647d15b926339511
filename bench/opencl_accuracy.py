#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors of mathematical functions on the CPU target and on an OpenCL device, in units in the last place (ulp).

    opencl_accuracy.py --kiln PROGRAM [--device opencl] [--count N] [--seed N] [--only NAME...]

Values are compared with the C library's at higher precision: Float64 for Float32, and 80 bits for Float64. Arguments are random, spread over
the range where the function's result is finite and normal. A row ends with `**worse**` if the device's largest error is above 1 ulp and above
the CPU's."""
import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np

# The range of arguments: (smallest, largest), spread evenly; "wide": magnitudes spread evenly in their exponents.
EVEN, WIDE = "even", "wide"
ONE = {
    "sin": (WIDE, 1e-3, 1e5), "cos": (WIDE, 1e-3, 1e5), "tan": (WIDE, 1e-3, 1e5), "asin": (EVEN, -1, 1), "acos": (EVEN, -1, 1), "atan": (WIDE, 1e-3, 1e5),
    "sinh": (EVEN, -80, 80), "cosh": (EVEN, -80, 80), "tanh": (EVEN, -9, 9), "asinh": (WIDE, 1e-3, 1e5), "acosh": (EVEN, 1, 1000), "atanh": (EVEN, -1, 1),
    "exp": (EVEN, -80, 80), "exp2": (EVEN, -120, 120), "exp10": (EVEN, -36, 36), "expm1": (EVEN, -5, 80), "log": (WIDE, 1e-30, 1e30),
    "log2": (WIDE, 1e-30, 1e30), "log10": (WIDE, 1e-30, 1e30), "log1p": (WIDE, 1e-5, 1e5), "cbrt": (WIDE, 1e-30, 1e30), "sqrt": (WIDE, 1e-30, 1e30),
}
TWO = {"hypot": ((WIDE, 1e-10, 1e10), (WIDE, 1e-10, 1e10)), "atan2": ((WIDE, 1e-10, 1e10), (WIDE, 1e-10, 1e10)), "pow": ((WIDE, 1e-3, 1e3), (EVEN, -10, 10))}
NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "atan2": "arctan2", "pow": "power"}
POSITIVE = {"log", "log2", "log10", "log1p", "sqrt", "acosh", "pow"}
EXPRESSIONS = {"atan2": "atan(x[i], y[i])", "pow": "x[i]^y[i]"}
TYPES = {"Float32": (np.float32, np.float64), "Float64": (np.float64, np.longdouble)}


def draw(random, spec, count, positive):
    how, low, high = spec
    if how == EVEN:
        return random.uniform(low, high, count)
    values = np.exp(random.uniform(np.log(low), np.log(high), count))
    return values if positive else values * random.choice([-1, 1], count)


def kernel_text():
    text = "using CUDA\n"
    for name in list(ONE) + list(TWO):
        expression = EXPRESSIONS.get(name) or (f"{name}(x[i], y[i])" if name in TWO else f"{name}(x[i])")
        text += (f"function apply_{name}(o, x, y)\n    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x\n"
                 f"    i <= length(o) && (@inbounds o[i] = {expression})\n    return\nend\n")
    return text


def ulps(values, exact):
    """Errors of the values, in distances between neighbours at the exact value."""
    rounded = exact.astype(values.dtype)
    with np.errstate(all="ignore"):
        error = np.abs(values.astype(exact.dtype) - exact) / np.spacing(np.abs(rounded)).astype(exact.dtype)
    good = np.isfinite(rounded) & (np.abs(rounded) >= np.finfo(values.dtype).tiny)
    error[np.isnan(values) & np.isfinite(exact)] = np.inf
    return error[good].astype(np.float64)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--device", default="opencl")
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    print(f"{options.count} arguments each, seed {options.seed}\n\n| function | type | CPU, ulp: mean, largest | {options.device}, ulp: mean, largest |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "apply.jl")
        with open(source, "w", encoding="utf-8") as file:
            file.write(kernel_text())
        paths = {part: os.path.join(folder, part + ".npy") for part in ("x", "y", "o")}
        for name in list(ONE) + list(TWO):
            specs = TWO.get(name) or (ONE[name],)
            if options.only and name not in options.only:
                continue
            for type_name, (dtype, wide) in TYPES.items():
                arguments = [draw(random, spec, options.count, name in POSITIVE and i == 0).astype(dtype) for i, spec in enumerate(specs)]
                np.save(paths["x"], arguments[0])
                np.save(paths["y"], arguments[-1])
                with np.errstate(all="ignore"):
                    if name == "exp10":
                        exact = np.power(wide(10), arguments[0].astype(wide))
                    else:
                        exact = getattr(np, NUMPY.get(name, name))(*(each.astype(wide) for each in arguments))
                largest, cells = [], []
                for device in ("cpu", options.device):
                    done = subprocess.run([options.kiln, "run", source, f"apply_{name}", "--arg", f"zeros({type_name}, {options.count})", "--arg", "@" + paths["x"],
                                           "--arg", "@" + paths["y"], "--threads", "256", "--blocks", str(-(-options.count // 256)), "--device", device,
                                           "--out", "1=" + paths["o"], "--quiet"], capture_output=True, text=True, check=False)
                    if done.returncode:
                        sys.exit(f"{name} on {device}: {done.stderr}")
                    errors = ulps(np.load(paths["o"]), exact)
                    largest.append(errors.max())
                    cells.append(f"{errors.mean():.2f}, {errors.max():.2f}")
                mark = " **worse**" if largest[1] > 1 and largest[1] > largest[0] else ""
                print(f"| {name} | {type_name} | {cells[0]} | {cells[1]}{mark} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
