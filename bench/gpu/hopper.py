#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/examples/hopper_matmul.jl beside cuBLAS on a GPU of compute capability 9.0, by turns in one run.

    hopper.py --kiln PROGRAM [--report FILE.md] [--rounds N] [--sizes 4096,8192] [--variants NAME,...]

Kiln compiles the kernel to a cubin, which is launched through the driver in PyTorch's stream; cuBLAS is torch.mm of the same matrices,
normally distributed. First a product of small integers is compared with PyTorch's element by element. A round measures each in turn,
--batch launches by events; a figure is the median of the rounds. Ends with 77 (skipped) where there is no such GPU, or no PyTorch.
"""
import argparse
import ctypes
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "docs", "examples", "hopper_matmul.jl")
ROWS, COLUMNS, SHARED = 256, 128, 4 * 49152 + 1024
# name: (elements of A and B, of C, blocks of a cluster, changes of the example's text)
VARIANTS = {"f16 to f32": ("Float16", "Float32", 2, {}), "bf16": ("BFloat16", "BFloat16", 2, {}),
            "f16 to f32 without clusters": ("Float16", "Float32", 1, {}), "bf16 without clusters": ("BFloat16", "BFloat16", 1, {}),
            "f16 to f32 in bands of 4": ("Float16", "Float32", 2, {"Band = 8i32": "Band = 4i32"}),
            "f16 to f32 in bands of 16": ("Float16", "Float32", 2, {"Band = 8i32": "Band = 16i32"})}
TENSOR_TYPE = {"Float16": 6, "BFloat16": 9}


class Driver:
    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")

    def __call__(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.library.cuGetErrorString(status, ctypes.byref(text))
            raise RuntimeError(f"{name}: {text.value.decode() if text.value else status}")

    def tensor_map(self, element, address, lengths, box):
        """As kiln/tensor_map.h makes it: 16-bit elements in two dimensions, swizzled over 128 bytes."""
        memory = ctypes.create_string_buffer(128 + 64)
        start = (ctypes.addressof(memory) + 63) // 64 * 64
        self("cuTensorMapEncodeTiled", ctypes.c_void_p(start), TENSOR_TYPE[element], 2, ctypes.c_void_p(address), (ctypes.c_uint64 * 2)(*lengths), (ctypes.c_uint64 * 1)(2 * lengths[0]),
             (ctypes.c_uint32 * 2)(*box), (ctypes.c_uint32 * 2)(1, 1), 0, 3, 2, 0)
        return memory, start


class Kernel:
    """The kernel as a cubin in PyTorch's context."""

    def __init__(self, driver, kiln, folder, name):
        self.driver, self.name = driver, name
        self.element, self.result, self.cluster, changes = VARIANTS[name]
        with open(EXAMPLE, encoding="utf-8") as file:
            text = file.read()
        for old, new in changes.items():
            assert old in text, old
            text = text.replace(old, new)
        source = os.path.join(folder, f"{abs(hash(name))}.jl")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        call = f"hopper_matmul(CuDeviceMatrix{{{self.result},1}}, Hopper.TensorMap{{{self.element},2}}, Hopper.TensorMap{{{self.element},2}}, Int32)"
        command = [kiln, "compile", source, call, "--target", "ptx", "--arch", "sm_90a", "--maxthreads", "288", "--name", "product"]
        command += ["--cluster", str(self.cluster)] if self.cluster > 1 else []
        cubin = source + ".cubin"
        subprocess.run(command + ["--emit", "cubin", "-o", cubin], check=True)
        self.resources = subprocess.run(command + ["--emit", "resources"], check=True, capture_output=True, text=True).stdout.strip()
        with open(cubin, "rb") as file:
            self.image = file.read()
        self.module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        driver("cuModuleLoadData", ctypes.byref(self.module), self.image)
        driver("cuModuleGetFunction", ctypes.byref(self.function), self.module, b"product")
        driver("cuFuncSetAttribute", self.function, 8, SHARED)  # the most dynamic shared memory
        self.state = (ctypes.c_uint64 * 64)()

    def launcher(self, torch, c, a, b):
        """c = b @ a of row-major matrices: in Julia's order C = A * B."""
        depth, rows = a.shape
        columns = b.shape[0]
        maps = [self.driver.tensor_map(self.element, a.data_ptr(), (rows, depth), (64, 64)), self.driver.tensor_map(self.element, b.data_ptr(), (depth, columns), (64, 128))]
        header = (ctypes.c_uint64 * 5)(c.data_ptr(), c.numel() * c.element_size(), rows, columns, c.numel())
        # The kernel's state comes first where it may throw: the exception record, which nothing here makes it write.
        record = torch.zeros(4096, dtype=torch.uint8, device="cuda")
        state = ctypes.c_uint64(record.data_ptr())
        count = ctypes.c_int32(depth)
        values = [ctypes.addressof(state)] * self.takes_state() + [ctypes.addressof(header), maps[0][1], maps[1][1], ctypes.addressof(count)]
        pointers = (ctypes.c_void_p * len(values))(*values)
        blocks = min(rows // ROWS * (columns // COLUMNS), torch.cuda.get_device_properties(0).multi_processor_count // self.cluster * self.cluster)
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        keep = (maps, header, record, state, count, values)

        def launch(_keep=keep):
            self.driver("cuLaunchKernel", self.function, blocks, 1, 1, 288, 1, 1, SHARED, stream, pointers, None)

        return launch

    def takes_state(self):
        """5 parameters or 4: the driver tells."""
        offset, size = ctypes.c_size_t(), ctypes.c_size_t()
        status = self.driver.library.cuFuncGetParamInfo(self.function, ctypes.c_size_t(4), ctypes.byref(offset), ctypes.byref(size))
        return 1 if status == 0 else 0


def types_of(torch, kernel):
    return (getattr(torch, {"Float16": "float16", "BFloat16": "bfloat16"}[kernel.element]), getattr(torch, {"Float32": "float32", "BFloat16": "bfloat16"}[kernel.result]))


def cublas(torch, c, a, b):
    if c.dtype == a.dtype:
        return lambda: torch.mm(b, a, out=c)
    return lambda: torch.mm(b, a, out_dtype=c.dtype, out=c)  # since PyTorch 2.8


def values(torch, kernel):
    """'' or how a product of small integers is wrong."""
    element, result = types_of(torch, kernel)
    for rows, columns, depth in ((256, 256, 64), (1024, 768, 640), (4352, 2304, 1024)):
        a, b = (torch.randint(-4, 5, shape, device="cuda").to(element) for shape in ((depth, rows), (columns, depth)))
        c = torch.full((columns, rows), 77, dtype=result, device="cuda")
        kernel.launcher(torch, c, a, b)()
        torch.cuda.synchronize()
        wanted = (b.double() @ a.double()).to(result)
        if not torch.equal(c, wanted):
            return f"{rows} x {columns} x {depth}: {int((c != wanted).sum())} of {c.numel()} elements differ"
    return ""


def timed(torch, run, batch):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    run()
    begin.record()
    for _ in range(batch):
        run()
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end) * 1e3 / batch


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--report")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--batch", type=int, default=10)
    parser.add_argument("--sizes", default="4096,8192")
    parser.add_argument("--variants", default="f16 to f32,bf16", help="or all")
    options = parser.parse_args()
    try:
        import torch
    except ImportError:
        print("skipped: no PyTorch")
        return 77
    if not torch.cuda.is_available() or torch.cuda.get_device_capability() != (9, 0):
        print("skipped: no GPU of compute capability 9.0")
        return 77
    torch.cuda.init()
    torch.zeros(1, device="cuda")
    driver, failed = Driver(), 0
    names = [name for name in VARIANTS if options.variants == "all" or name in options.variants.split(",")]
    lines = [f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}", "",
             f"Times are medians of {options.rounds} rounds of {options.batch} launches by turns, in microseconds, with minimum and maximum in parentheses. Speed is Kiln's TFLOP/s divided by cuBLAS's.", "",
             "| product | size | Kiln, us | TFLOP/s | cuBLAS, us | TFLOP/s | speed |", "|---|---|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        kernels = []
        for name in names:
            kernel = Kernel(driver, options.kiln, folder, name)
            wrong = values(torch, kernel)
            print(f"{'WRONG' if wrong else 'ok'}: {name}{': ' + wrong if wrong else ''}; {re.sub(chr(10), '; ', kernel.resources)[:300]}", file=sys.stderr, flush=True)
            failed += bool(wrong)
            kernels.append(kernel)
        for size in map(int, options.sizes.split(",")):
            measured = []
            for kernel in kernels:
                element, result = types_of(torch, kernel)
                a, b = (torch.randn(size, size, device="cuda").to(element) for _ in range(2))
                c, d = (torch.zeros(size, size, dtype=result, device="cuda") for _ in range(2))
                measured.append((kernel, kernel.launcher(torch, c, a, b), cublas(torch, d, a, b), c, d, [], []))
            for _ in range(options.rounds):
                for _, ours, theirs, _, _, mine, other in measured:
                    mine.append(timed(torch, ours, options.batch))
                    other.append(timed(torch, theirs, options.batch))
            for kernel, _, _, c, d, mine, other in measured:
                error = float((c.double() - d.double()).abs().max() / d.double().abs().max())
                if error > (1e-4 if c.dtype == torch.float32 else 1e-2):
                    failed += 1
                    print(f"WRONG: {kernel.name} {size}: differs from cuBLAS by {error}")
                x, y = statistics.median(mine), statistics.median(other)
                rate = 2 * size**3 / 1e6
                lines.append(f"| {kernel.name} | {size} | {x:.1f} ({min(mine):.1f} to {max(mine):.1f}) | {rate / x:.0f} | {y:.1f} ({min(other):.1f} to {max(other):.1f}) | {rate / y:.0f} | {y / x:.3f} |")
    report = "\n".join(lines) + "\n"
    print(report, flush=True)
    if options.report:
        with open(options.report, "w", encoding="utf-8") as out:
            out.write(report)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
