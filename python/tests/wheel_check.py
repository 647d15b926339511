# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the wheel of a build, installs it into an empty environment and runs kernels there. `wheel_check.py BUILD WORK`; 77: tools are missing.

The environment has NumPy and nothing else, and the process no variable: what the package finds, it brought along."""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True

import make_wheel as wheels  # noqa: E402

SMOKE = r"""
import sys, warnings
import numpy as np
warnings.simplefilter("ignore")
import kiln
from kiln import cuda, errors
assert kiln.__file__.startswith(sys.prefix), kiln.__file__

@cuda.jit
def saxpy(y, x, a):
    i = cuda.grid(1)
    if i < y.size:
        y[i] += a * x[i]

y, x = np.ones(1000, np.float32), np.arange(1000, dtype=np.float32)
saxpy[4, 256](y, x, np.float32(2))
assert np.array_equal(y, 1 + 2 * np.arange(1000, dtype=np.float32))
assert ".visible .entry" in next(iter(saxpy.inspect("asm", cc=90).values()))

@cuda.jit
def sums(y, x):
    part = cuda.shared.array(64, np.float32)
    i = cuda.threadIdx.x
    part[i] = x[i]
    cuda.syncthreads()
    if i == 0:
        for k in range(64):
            y[0] += part[k]

total = np.zeros(1, np.float32)
sums[1, 64](total, x)
assert total[0] == sum(range(64))

@cuda.jit
def wrong(y):
    y.nowhere[0] = 1

try:
    wrong[1, 1](y)
except errors.NumbaError as error:
    assert 'line' in str(error)
else:
    raise AssertionError("no error")

mapped = {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
for name in ("libkiln.so", "libtbb", "libfmt", "libzstd"):
    found = [path for path in mapped if name in path]
    assert found and all(path.startswith(sys.prefix) for path in found), (name, found)
assert not any("LLVM" in path for path in mapped)
print("smoke test passed:", kiln.__file__)
"""


def main() -> int:
    build, work = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    if lacking := wheels.missing():
        print(f"skipped: {sys.executable} lacks {', '.join(lacking)} (./x test installs them)")
        return 77
    made = wheels.make(build, sys.executable, work, work / "dist")
    assert "manylinux" in made.name, made
    venv = work / "venv"
    wheels.run(sys.executable, "-m", "venv", "--clear", "--without-pip", venv)
    python = venv / "bin/python"
    packages = pathlib.Path(wheels.run(python, "-c", "import site; print(site.getsitepackages()[0])").strip())
    wheels.run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--no-compile", made)
    numpy = pathlib.Path(wheels.run(sys.executable, "-c", "import numpy; print(numpy.__file__)").strip()).parent
    for name in ("numpy", "numpy.libs"):  # as pip would have brought it
        if (numpy.parent / name).exists():
            (packages / name).symlink_to(numpy.parent / name)
    program = work / "smoke.py"
    program.write_text(SMOKE)
    done = subprocess.run([python, "-B", program], env={}, cwd="/", timeout=300, check=False)
    if done.returncode == 0:  # a second process reads what the first has compiled
        done = subprocess.run([python, "-B", program], env={"KILN_CACHE_DIR": str(work / "cache"), "HOME": os.devnull}, cwd="/", timeout=300, check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
