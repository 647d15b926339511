#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a launch from Python costs beside cuLaunchKernel itself and beside numba-cuda, CuPy, cuda-bindings and Triton, where these import.

    launch.py [--cpu] [--path FOLDER] [--rounds N] [--only NAME,...] [--json FILE] [--report FILE.md]

A round times each contender of a row in turn: launches of a kernel that does nothing, one block of 32 threads, without waiting between them.
cuLaunchKernel is called from C (cu_launch.c, built here by cc) for kernels whose parameters have the sizes of each contender's, in the same rounds:
`besides` is the median over the rounds of what is left when that is taken off. --path FOLDER stands first in sys.path: for a NumPy that
numba-cuda takes, say. Peers that do not import are named. Without a GPU, or with --cpu, Kiln alone on the CPU device."""

import argparse
import ctypes
import importlib
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import report

HERE = os.path.dirname(os.path.abspath(__file__))
COUNTS = (0, 1, 3, 16)
GOALS = {"no argument": 0.5, "1 torch array": 0.8, "3 torch arrays": 1.2, "16 torch arrays": 4.0}  # us besides cuLaunchKernel, issue 18
LAUNCHES = 400  # in one go: fewer than the driver queues


class Floor:
    """cuLaunchKernel from C."""

    def __init__(self, folder):
        library = os.path.join(folder, "cu_launch.so")
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", os.path.join(HERE, "cu_launch.c"), "-o", library, "-ldl"], check=True)
        self.library = ctypes.CDLL(library)
        self.library.cu_kernel.restype = ctypes.c_void_p
        self.library.cu_kernel.argtypes = [ctypes.c_char_p]
        self.library.cu_launches.restype = ctypes.c_double
        self.library.cu_launches.argtypes = [ctypes.c_void_p, ctypes.c_int]
        self.took = (ctypes.c_double * 2)()
        status = self.library.cu_open(self.took)
        if status:
            raise RuntimeError(f"the CUDA driver does not open: {status}")
        self.kernels = {}

    def loop(self, sizes):
        """A function that times launches of a kernel with parameters of these sizes: microseconds a launch."""
        if sizes not in self.kernels:
            parameters = ",\n".join(f".param .align {min(size & -size, 8)} .b8 p{i}[{size}]" for i, size in enumerate(sizes))
            function = self.library.cu_kernel(f".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry kernel(\n{parameters})\n{{ ret; }}\n".encode())
            if not function:
                raise RuntimeError(f"the driver does not take a kernel of {len(sizes)} parameters")
            self.kernels[sizes] = function
        return lambda count: self.library.cu_launches(self.kernels[sizes], count)


def loop_of(call, count, **names):
    """A function that times so many launches, `call` as text with a0, a1 ... for the arguments."""
    text = f"def loop(repeat, clock, {', '.join(names)}):\n    begin = clock()\n    for _ in repeat:\n        {call}\n    return clock() - begin\n"
    made = {}
    exec(text, made)
    import itertools

    return lambda count: made["loop"](itertools.repeat(None, count), time.perf_counter_ns, **names) / count / 1000


def parameter_sizes(ptx):
    """Bytes of each parameter of the entry in a PTX text."""
    entry = re.search(r"\.entry[^(]*\(([^)]*)\)", ptx)[1]
    sizes = []
    for line in filter(None, map(str.strip, entry.split(","))):
        array = re.search(r"\[(\d+)\]\s*$", line)
        sizes.append(int(array[1]) if array else int(re.search(r"\.[a-z](\d+)\s", line)[1]) // 8)
    return tuple(sizes)


def module_of(folder, name, text):
    """A module from text in a file, where libraries find its source."""
    with open(os.path.join(folder, name + ".py"), "w") as file:
        file.write(text)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(name)


def kernels_text(before, decorator="", body="return"):
    return before + "".join(f"{decorator}def kernel_{n}({', '.join(f'a{i}' for i in range(n))}):\n    {body}\n\n" for n in (*COUNTS, 17))


# ---- contenders: functions that take a row (name, count, arguments) and give {name: (loop, parameter sizes)}


class Kiln:
    def __init__(self, folder, on_cpu):
        from kiln import cuda

        self.cuda, self.on_cpu = cuda, on_cpu
        self.kernels = module_of(folder, "kernels_of_kiln", kernels_text(""))

    def __call__(self, kind, count, arrays):
        args = {"": [], "integers": list(range(count)), "torch": arrays.get("torch"), "numpy": arrays.get("numpy")}
        args["own"] = [self.cuda.to_device(a) for a in arrays["numpy"]] if kind == "own" else None
        args = args[kind]
        if args is None:
            return {}
        kernel = self.cuda.jit(getattr(self.kernels, f"kernel_{count}"))
        kernel[1, 32](*args[:count])
        sizes = () if self.on_cpu else parameter_sizes(next(iter(kernel.inspect("asm").values())))
        names = {f"a{i}": a for i, a in enumerate(args[:count])}
        given = ", ".join(names)
        return {"Kiln, k[1, 32](...)": (loop_of(f"k[1, 32]({given})", count, k=kernel, **names), sizes), "Kiln, configured once": (loop_of(f"k({given})", count, k=kernel[1, 32], **names), sizes)}


class Numba:
    def __init__(self, folder, on_cpu):
        os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")
        from numba import cuda

        self.cuda, self.kernels = cuda, module_of(folder, "kernels_of_numba", kernels_text(""))

    def __call__(self, kind, count, arrays):
        args = {"": [], "integers": list(range(count)), "torch": arrays.get("torch"), "own": None}.get(kind)
        if kind == "own":
            args = [self.cuda.to_device(a) for a in arrays["numpy"]]
        if args is None:
            return {}
        kernel = self.cuda.jit(getattr(self.kernels, f"kernel_{count}"))
        kernel[1, 32](*args[:count])
        names = {f"a{i}": a for i, a in enumerate(args[:count])}
        sizes = (8,) * (count if kind == "integers" else 7 * count)
        return {"numba-cuda, configured once": (loop_of(f"k({', '.join(names)})", count, k=kernel[1, 32], **names), sizes)}


class CuPy:
    def __init__(self, folder, on_cpu):
        import cupy

        self.cupy = cupy

    def __call__(self, kind, count, arrays):
        if kind not in ("", "own"):
            return {}
        kernel = self.cupy.RawKernel(f'extern "C" __global__ void kernel({", ".join(f"float* a{i}" for i in range(count))}) {{}}', "kernel")
        args = tuple(self.cupy.zeros(1000, "float32") for _ in range(count))
        names = {f"a{i}": a for i, a in enumerate(args)}
        given = ", ".join(names) + ("," if names else "")
        return {"CuPy RawKernel": (loop_of(f"k(grid, block, ({given}))", count, k=kernel, grid=(1,), block=(32,), **names), (8,) * count)}


class Bindings:
    def __init__(self, folder, on_cpu):
        from cuda.bindings import driver

        self.driver = driver

    def __call__(self, kind, count, arrays):
        if kind not in ("", "torch", "own"):
            return {}
        driver = self.driver
        entry = f".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry kernel({', '.join(f'.param .u64 p{i}' for i in range(count))})\n{{ ret; }}\n"
        status, module = driver.cuModuleLoadData(entry.encode() + b"\0")
        status, function = driver.cuModuleGetFunction(module, b"kernel")
        if int(status):
            raise RuntimeError(str(status))
        if kind == "torch":
            if not arrays.get("torch"):
                return {}
            names = {f"a{i}": a for i, a in enumerate(arrays["torch"][:count])}
            values = "".join(f"{name}.data_ptr(), " for name in names)
        else:
            names = {f"a{i}": 0 for i in range(count)}
            values = "".join(f"{name}, " for name in names)
        given = f"(({values}), types)" if count else "0"
        loop = loop_of(f"launch(k, 1, 1, 1, 32, 1, 1, 0, 0, {given}, 0)", count, launch=driver.cuLaunchKernel, k=function, types=(ctypes.c_void_p,) * count, **names)
        return {"cuda-bindings cuLaunchKernel" + (", data_ptr()" if kind == "torch" else ", addresses" if count else ""): (loop, (8,) * count)}


class Triton:
    def __init__(self, folder, on_cpu):
        import triton  # noqa: F401

        self.kernels = module_of(folder, "kernels_of_triton", kernels_text("import triton\n\n", "@triton.jit\n", "pass"))

    def __call__(self, kind, count, arrays):
        if kind not in ("", "torch") or not arrays.get("torch"):
            return {}
        names = {f"a{i}": a for i, a in enumerate(arrays["torch"][:count])}
        given = "".join(name + ", " for name in names)
        # Its kernels have two more pointers, to scratch memory.
        return {"Triton, kernel[grid](...)": (loop_of(f"k[grid]({given}num_warps=1)", count, k=getattr(self.kernels, f"kernel_{count}"), grid=(1,), **names), (8,) * (count + 2))}


PEERS = {"kiln": Kiln, "numba": Numba, "cupy": CuPy, "bindings": Bindings, "triton": Triton}


def row_of(name, kind, count, contenders, arrays, floor, rounds, wait, notes):
    """Times one row; dictionaries of its lines."""
    loops = {}
    for peer, contender in contenders.items():
        try:
            made = contender(kind, count, arrays)
            for loop, _ in made.values():
                loop(20)
                wait()
            loops.update(made)
        except Exception as error:  # a peer that fails costs its own line alone
            notes.append(f"{name}: {peer}: {type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}")
    floors = {sizes: floor.loop(sizes) for _, sizes in loops.values()} if floor else {}
    times, least = {key: [] for key in (*loops, *floors)}, {}
    order = [*floors.items(), *((key, loop) for key, (loop, _) in loops.items())]
    for turn in range(rounds):
        for key, loop in order[turn % len(order):] + order[: turn % len(order)]:
            times[key].append(loop(LAUNCHES))
            wait()
    lines = []
    for key, (_, sizes) in loops.items():
        least = min(times[key])
        line = {"row": name, "contender": key, "least": least, "median": statistics.median(times[key]), "bytes": sum(sizes)}
        if floor:
            line["floor_least"], line["floor_median"] = min(times[sizes]), statistics.median(times[sizes])
            line["besides"] = statistics.median(a - b for a, b in zip(times[key], times[sizes]))
            line["besides_least"] = least - line["floor_least"]
            if name in GOALS and key.startswith("Kiln"):
                line["goal"] = GOALS[name]
        lines.append(line)
    return lines


def report_of(lines, notes, machine):
    text = ["# What a launch from Python costs", "", machine, "", "Microseconds. *Besides*: cuLaunchKernel's own for parameters of that many bytes taken off, median over the rounds (least minus least).", "",
            "| arguments | contender | least | median | cuLaunchKernel, least | median | bytes | besides | goal |", "|---|---|---|---|---|---|---|---|---|"]  # fmt: skip
    for line in lines:
        has_floor = "besides" in line
        goal = f"{line['goal']} {'yes' if min(line['besides'], line['besides_least']) <= line['goal'] else 'NO'}" if "goal" in line else ""
        cells = [line["row"], line["contender"], f"{line['least']:.2f}", f"{line['median']:.2f}"]
        cells += [f"{line['floor_least']:.2f}", f"{line['floor_median']:.2f}", str(line["bytes"]), f"{line['besides']:.2f} ({line['besides_least']:.2f})", goal] if has_floor else [""] * 5
        text.append("| " + " | ".join(cells) + " |")
    return "\n".join(text + [""] + [f"- {note}" for note in notes]) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cpu", action="store_true")
    options.add_argument("--path", help="a folder that stands first in sys.path")
    options.add_argument("--rounds", type=int, default=21)
    options.add_argument("--only", help="contenders: " + ",".join(PEERS))
    report.add_options(options)
    options = options.parse_args()
    if options.path:
        sys.path.insert(0, options.path)
    import warnings

    import numpy as np

    warnings.simplefilter("ignore")
    import kiln
    from kiln import cuda

    on_cpu = options.cpu or not cuda.is_available()
    notes, contenders, arrays, floor = [f"NumPy {np.__version__}" + (f", {options.path} stands first in sys.path" if options.path else "")], {}, {}, None
    with tempfile.TemporaryDirectory() as folder:
        arrays["numpy"] = [np.zeros(1000, np.float32) for _ in range(16)]
        if not on_cpu:
            try:
                import torch

                arrays["torch"] = [torch.zeros(1000, device="cuda") for _ in range(16)]
            except ImportError as error:
                notes.append(f"torch: left out: {error}")
            floor = Floor(folder)
        for name in (options.only or ("kiln" if on_cpu else ",".join(PEERS))).split(","):
            try:
                contenders[name] = PEERS[name](folder, on_cpu)
            except Exception as error:
                notes.append(f"{name}: left out: {type(error).__name__}: {error}")
        for name, module in (("numba", "numba_cuda"), ("numba", "numba"), ("cupy", "cupy"), ("bindings", "cuda.bindings"), ("triton", "triton")):
            if name in contenders and module in sys.modules:
                notes.append(f"{module} {getattr(sys.modules[module], '__version__', '')}")
        rows = [("no argument", "", 0), ("16 integers", "integers", 16)]
        if arrays.get("torch"):
            rows += [(f"{n} torch array{'s' * (n > 1)}", "torch", n) for n in COUNTS[1:]]
        rows += [(f"{n} {'NumPy' if on_cpu else 'device'} array{'s' * (n > 1)}, the library's own" if not on_cpu else f"{n} NumPy array{'s' * (n > 1)}", "numpy" if on_cpu else "own", n) for n in COUNTS[1:]]
        lines = []
        for name, kind, count in rows:
            lines += row_of(name, kind, count, contenders, arrays, floor, options.rounds, cuda.synchronize, notes)
    machine = f"Kiln {kiln.kiln_version}, Python {sys.version.split()[0]}, {'the CPU device' if on_cpu else cuda.get_current_device().name}; {options.rounds} rounds of {LAUNCHES} launches, by turns."
    text = report_of(lines, notes, machine)
    report.write(options, text, {"lines": lines, "notes": notes})


if __name__ == "__main__":
    main()
