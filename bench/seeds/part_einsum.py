# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small einsums at n = 16 (lightning-thunder issue 193): host microseconds a call. Counted is the wall time of many calls in a row and of the wait for the
last, over their number: of Kiln 2,000 calls of the C++ function bench/seeds/einsum from a C++ loop, with and without memory for the result taken and given back
in each; of torch as torch.utils.benchmark counts, from Python, memory for the result included."""
import ctypes
import os

CASES = (("bij, jk", (2, "n", "n"), ("n", "n")), ("bij, jk", (2, "n", 1), ("n", "n")), ("bij, jk", (2, "n", "n"), (1, "n")),
         ("bijk,bklj->bli", (2, 8, "n", "n"), (2, "n", 8, "n")), ("bijk,bklj->bli", (2, 8, "n", 1), (2, "n", 8, "n")), ("bijk,bklj->bli", (2, 8, "n", "n"), (2, "n", 8, 1)))
TYPES = ("float16", "bfloat16", "float32", "float64")   # in the order of Dtype in einsum.h


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("rank", ctypes.c_uint32), ("sizes", ctypes.c_int64 * 8)]


class Measured(ctypes.Structure):
    _fields_ = [("us", ctypes.c_double), ("issue_us", ctypes.c_double)]


def tensor(t):
    return Tensor(t.data_ptr(), t.dim(), (ctypes.c_int64 * 8)(*t.shape))


class Library:
    def __init__(self, path, stream):
        self.lib = ctypes.CDLL(path)
        self.lib.seeds_einsum_open.restype, self.lib.seeds_einsum_open.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
        self.lib.seeds_einsum_error.restype, self.lib.seeds_einsum_error.argtypes = ctypes.c_char_p, [ctypes.c_void_p]
        self.lib.seeds_einsum_loop.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int] + [ctypes.c_void_p] * 3 + [ctypes.c_uint64, ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p]
        self.handle = self.lib.seeds_einsum_open(stream)
        if not self.handle:
            raise RuntimeError("seeds_einsum_open failed")

    def loop(self, spec, out, a, b, calls, allocate=0):
        """Measured of so many calls into `out`."""
        got, given = Measured(), [tensor(t) for t in (out, a, b)]
        if self.lib.seeds_einsum_loop(self.handle, spec.encode(), TYPES.index(str(out.dtype).split(".")[1]), *[ctypes.byref(t) for t in given],
                                      out.numel() * out.element_size(), allocate, calls, ctypes.byref(got)):
            raise RuntimeError(self.lib.seeds_einsum_error(self.handle).decode())
        return got


def operands(torch, case, n, dtype):
    make = lambda shape: torch.rand(*[n if s == "n" else s for s in shape], device="cuda", dtype=torch.float64).sub_(0.5).to(getattr(torch, dtype))
    return make(case[1]), make(case[2])


def values(torch, library, bench, sizes):
    """[(what, largest difference, bound)] of all cases, types and sizes, against torch's einsum in Float64."""
    seen = []
    for n in sizes:
        for case in CASES:
            for dtype in TYPES:
                a, b = operands(torch, case, n, dtype)
                reference = torch.einsum(case[0], a.double(), b.double())
                out = torch.full(reference.shape, float("nan"), device="cuda", dtype=getattr(torch, dtype))
                bench.stream.synchronize()
                library.loop(case[0], out, a, b, 1)
                bound = {"float16": 2e-3, "bfloat16": 1.6e-2, "float32": 2e-5, "float64": 1e-12}[dtype] * (1 + float(reference.abs().max()))
                seen.append((f"{case[0]} n {n} {dtype}", float((out.double() - reference).abs().max()), bound))
    return seen


def run(kiln, bench, options):
    import torch
    import torch._dynamo
    from statistics import median
    from torch.utils.benchmark import Timer
    library = Library(options.seeds_library, bench.stream.cuda_stream)
    checked = values(torch, library, bench, (16, 128, 512))
    bad = [c for c in checked if not c[1] <= c[2]]
    errors = [f"{what}: off by {d}, allowed {b}" for what, d, b in bad]
    f = lambda eq, *xs: torch.einsum(eq, *xs)
    rows = []
    for case in CASES:
        a, b = operands(torch, case, 16, "float32")
        out = torch.empty_like(torch.einsum(case[0], a, b))
        torch._dynamo.reset()
        compiled = torch.compile(f, dynamic=False)
        compiled(case[0], a, b)
        peers = {"torch eager": f, "torch.compile": compiled}
        ours, taking, issued, theirs = [], [], [], {name: [] for name in peers}
        for allocate in (0, 1):
            library.loop(case[0], out, a, b, 8000, allocate)
        for _ in range(options.rounds):
            m = library.loop(case[0], out, a, b, 2000)
            ours.append(m.us)
            issued.append(m.issue_us)
            taking.append(library.loop(case[0], out, a, b, 2000, 1).us)
            for name, fn in peers.items():
                theirs[name].append(Timer("fn(eq, a, b)", globals={"fn": fn, "eq": case[0], "a": a, "b": b}).blocked_autorange(min_run_time=0.05).median * 1e6)
        medians = {name: median(x) for name, x in theirs.items()}
        best = min(medians, key=medians.get)
        shapes = " x ".join("(" + ",".join(map(str, t.shape)) + ")" for t in (a, b))
        rows.append({"what": f"{case[0]} {shapes}", "Kiln": median(ours), "Kiln, its memory taken": median(taking), "Kiln, calls alone": median(issued), **medians,
                     "best peer over Kiln": medians[best] / median(ours), "right": not bad})
        print(f"    {rows[-1]['what']}: Kiln {rows[-1]['Kiln']:.2f}, {medians}", flush=True)
    return {"unit": "us", "rows": rows, "errors": errors, "note": f"{len(checked)} values checked (cases x types x n = 16, 128, 512), {len(bad)} wrong.",
            "columns": ["what", "Kiln", "Kiln, its memory taken", "Kiln, calls alone", "torch eager", "torch.compile", "best peer over Kiln"],
            "seed": "the issue compares thunder with torch on other hardware by host latency; its cases and types are these"}
