#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What nvJitLink alone makes of texts like those that Kiln gives it, back to back: the bound of bench/many.

    many_bound.py --kiln PROGRAM [--threads N] [--seconds S] [--library libnvJitLink.so.13] [--members 1,4,32]

The text of a saxpy as Kiln compiles it, its entry repeated under other names, so that a text has as many kernels as Kiln merges. Nothing is
compiled, written or loaded beside it. Needs no GPU.
"""
import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
import threading
import time

SAXPY = """function saxpy(y, x, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        y[i] = a * x[i] + y[i] + 1f0
    end
    return
end
"""
CALL = "saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)"
PTX = 2  # nvJitLinkInputType


def texts(kiln, members):
    """A text of `members` kernels, of which no two are the same."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "saxpy.jl")
        with open(source, "w", encoding="utf-8") as out:
            out.write(SAXPY)
        done = subprocess.run([kiln, "compile", source, CALL, "--target", "ptx", "--arch", "sm_90", "-g0"], stdout=subprocess.PIPE, text=True, check=True,
                              env=dict(os.environ, KILN_CACHE_DIR=""))
    begin = done.stdout.index(".visible .entry")
    end = done.stdout.index("\n}", begin) + 3
    entry = done.stdout[begin:end]
    name = entry.split()[2].split("(")[0]
    one = "0f3F800000"  # the 1f0 that the kernel adds
    if one not in entry:
        sys.exit("the kernel's text has no constant to tell the copies apart")
    copies = [entry.replace(name, f"{name}_{n}").replace("$L__BB0_", f"$L__BB{n}_0_").replace(one, f"0f3F8{n:05X}") for n in range(members)]
    rest = done.stdout[end:].replace("$L__BB1_", "$L__BBrest_")
    return (done.stdout[:begin] + "".join(copies) + rest).encode() + b"\0"


class Linker:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def __getattr__(self, name):
        for suffix in ("", *(f"_{major}_{minor}" for major in (13, 12) for minor in range(10))):
            function = getattr(self.library, ("__" if suffix else "") + name + suffix, None)
            if function is not None:
                setattr(self, name, function)
                return function
        sys.exit(f"libnvJitLink has no {name}")

    def assemble(self, text):
        options = (ctypes.c_char_p * 2)(b"-arch=sm_90", b"-no-cache")
        handle, size = ctypes.c_void_p(), ctypes.c_size_t()
        status = self.nvJitLinkCreate(ctypes.byref(handle), 2, options)
        status = status or self.nvJitLinkAddData(handle, PTX, text, ctypes.c_size_t(len(text)), b"many.ptx")
        status = status or self.nvJitLinkComplete(handle) or self.nvJitLinkGetLinkedCubinSize(handle, ctypes.byref(size))
        cubin = ctypes.create_string_buffer(size.value)
        status = status or self.nvJitLinkGetLinkedCubin(handle, cubin)
        self.nvJitLinkDestroy(ctypes.byref(handle))
        if status:
            sys.exit(f"nvJitLink ended with {status}")


def rate(linker, text, threads, seconds):
    """Texts a second."""
    linker.assemble(text)
    done, until = [0] * threads, time.monotonic() + seconds

    def work(n):
        while time.monotonic() < until:
            linker.assemble(text)
            done[n] += 1

    begin = time.monotonic()
    all_threads = [threading.Thread(target=work, args=(n,)) for n in range(threads)]
    for thread in all_threads:
        thread.start()
    for thread in all_threads:
        thread.join()
    return sum(done) / (time.monotonic() - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--library", default="libnvJitLink.so.13")
    parser.add_argument("--members", default="1,4,32")
    options = parser.parse_args()
    linker = Linker(options.library)
    members = [int(each) for each in options.members.split(",")]
    print("nvJitLink alone, saxpys/s, kernels a text: " + ", ".join(map(str, members)))
    for threads in (1, options.threads):
        rates = [each * rate(linker, texts(options.kiln, each), threads, options.seconds) for each in members]
        print(f"{threads:2} threads: " + "  ".join(f"{each:.0f}" for each in rates), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
