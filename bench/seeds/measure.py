# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device time between CUDA events, by turns. Needs PyTorch and a GPU."""
import re
import statistics
import time

import torch


class Bench:
    """All work goes into one stream of torch's, which Kiln launches into as well."""

    def __init__(self):
        self.stream = torch.cuda.Stream()
        torch.cuda.set_stream(self.stream)
        self.flushed = torch.empty(512 << 20, dtype=torch.int8, device="cuda")
        self.began = time.monotonic()

    def seconds(self):
        return time.monotonic() - self.began

    def batch(self, fn, reps, flush=True):
        """Median of so many calls in microseconds. With `flush` 512 MiB are written before each, as triton's do_bench does: that empties the
        second level of the cache, and keeps the host ahead of the device."""
        events = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(reps)]
        for a, b in events:
            if flush:
                self.flushed.zero_()
            a.record()
            fn()
            b.record()
        self.stream.synchronize()
        return statistics.median(a.elapsed_time(b) for a, b in events) * 1e3

    def rounds(self, functions, rounds=9, reps=15, flush=True):
        """{name: function} -> {name: {us, min, max, rounds}}: in each round each has its turn, and the figure is the median of the rounds'."""
        for fn in functions.values():
            for _ in range(3):
                fn()
        self.stream.synchronize()
        seen = {name: [] for name in functions}
        names = list(functions)
        for r in range(rounds):
            for name in names[r % len(names):] + names[:r % len(names)]:
                seen[name].append(self.batch(functions[name], reps, flush))
        return {name: {"us": statistics.median(x), "min": min(x), "max": max(x), "rounds": rounds} for name, x in seen.items()}

    def ceiling(self):
        """GB/s, read and written, of the best copy: torch's of 512 MiB and 4 GiB, and the driver's."""
        best, found = 0.0, {}
        for label, n in (("512 MiB", 1 << 27), ("4 GiB", 1 << 30)):
            a, b = torch.rand(n, device="cuda"), torch.empty(n, device="cuda")
            us = self.rounds({"copy": lambda: b.copy_(a)}, rounds=7, reps=5)["copy"]["us"]
            found[label] = 8 * n / us / 1e3
            del a, b
        torch.cuda.empty_cache()
        return max(found.values()), found


def worst(got, reference):
    """The largest difference, in absolute terms."""
    return float((got.double() - reference.double()).abs().max())


def card():
    """A short name of the GPU: "h200", "h100"."""
    name = torch.cuda.get_device_name()
    found = re.search(r"\b[A-Z]{1,2}\d{2,4}\b", name)
    return (found[0] if found else name.replace(" ", "_")).lower()


def machine():
    import platform
    p = torch.cuda.get_device_properties(0)
    out = {"gpu": p.name, "multiprocessors": p.multi_processor_count, "torch": torch.__version__, "cuda": torch.version.cuda, "python": platform.python_version()}
    try:
        import triton
        out["triton"] = triton.__version__
    except ImportError:
        pass
    try:
        import subprocess
        out["driver"] = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"], stdout=subprocess.PIPE, text=True, timeout=30).stdout.strip()
    except OSError:
        pass
    return out
