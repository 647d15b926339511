# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The type parameters of docs/examples/layer_norm.jl and linear.jl as values: how each is called and launched."""
from dataclasses import asdict, dataclass, field, replace

import binding

ROWS, SMS = 8192, 132


@dataclass(unsafe_hash=True)
class LayerNorm:
    H: int
    V: int
    N: int
    T: int
    R: int
    sums: int
    kept: str
    order: str
    depth: int
    reads: str
    writes: str
    maxregs: int = 0
    grid: int = 0       # blocks, with order ahead; 0: as many as fit, by the registers that the kernel has
    found: dict = field(default=None, compare=False)

    @property
    def threads(self):
        return self.T * self.R

    def call(self):
        m, v = "CuDeviceMatrix{Float16,1}", "CuDeviceVector{Float16,1}"
        return (f"layer_norm({m}, {m}, {v}, {v}, {v}, {v}, Float32, Plan{{{self.H},{self.V},{self.N},{self.T},{self.R},{self.sums},{self.kept},:{self.order},{self.depth},:{self.reads},:{self.writes}}})")

    def options(self):
        return {"target": "ptx", "arch": "sm_90", "maxthreads": [self.threads], **({"maxregs": self.maxregs} if self.maxregs else {})}

    def resident(self):
        """Blocks on a multiprocessor, of 65,536 registers and 2,048 threads."""
        registers = -(-(self.found or {"registers": 32})["registers"] // 8) * 8
        return max(1, min(65536 // (registers * 32) // (self.threads // 32), 2048 // self.threads, 32, (227 << 10) // (self.shared + 1280)))

    @property
    def shared(self):
        """Bytes of dynamic shared memory."""
        return 2 * self.V * self.N * self.threads * self.depth

    def blocks(self, rows):
        whole = -(-rows // self.R)
        return min(whole, self.grid or SMS * self.resident()) if self.order == "ahead" else whole

    def arguments(self, y, x, vectors, rows):
        return [binding.array(t.data_ptr(), self.H, rows) for t in (y, x)] + [binding.array(t.data_ptr(), self.H) for t in vectors] + [binding.scalar("f", 1e-5)]

    def variants(self):
        """What the second round tries of one of the best: more blocks on a multiprocessor, other hints, fewer blocks in the grid."""
        registers = self.found["registers"]
        for limit in (32, 40, 48, 56, 64, 72, 80, 96, 128):
            if registers > limit >= registers * 0.6 and limit * self.threads <= 65536:
                yield replace(self, found=None, maxregs=limit)
        for reads in ("plain", "streaming", "once"):
            for writes in ("plain", "streaming", "once"):
                if (reads, writes) != (self.reads, self.writes):
                    yield replace(self, found=None, reads=reads, writes=writes)
        if self.order == "ahead":
            resident = self.resident()
            for k in {max(1, resident // 2), max(1, resident - 1), max(1, resident * 3 // 4)} - {resident}:
                yield replace(self, found=None, grid=SMS * k)
            turns = -(-ROWS // (SMS * resident * self.R))
            for t in range(turns, turns + 3):               # the same number of rows for each block
                yield replace(self, found=None, grid=-(-ROWS // (t * self.R)))

    def as_json(self):
        return {k: v for k, v in asdict(self).items() if k not in ("H", "found")}

    def __str__(self):
        return f"V{self.V} N{self.N} T{self.T} R{self.R} {self.sums} {self.kept} {self.order} {self.depth} {self.reads} {self.writes} regs<={self.maxregs} grid {self.grid}"


@dataclass(unsafe_hash=True)
class Linear:
    K: int
    M: int
    N: int
    WM: int
    WN: int
    WK: int
    C: int
    maxregs: int = 0
    found: dict = field(default=None, compare=False)

    @property
    def rows(self):
        return 16 * self.M * self.WM

    @property
    def columns(self):
        return 8 * self.N * self.WN

    @property
    def threads(self):
        return 32 * self.WM * self.WN * self.WK

    @property
    def shared(self):
        return 4 * self.rows * (self.columns + (8 - self.columns) % 32) * self.WK + (4 * self.rows * self.columns if self.C > 1 else 0)

    def call(self):
        m = "CuDeviceMatrix{Float16,1}"
        return f"linear({m}, {m}, {m}, CuDeviceVector{{Float16,1}}, Tiling{{{self.K},{self.M},{self.N},{self.WM},{self.WN},{self.WK},{self.C}}})"

    def options(self):
        return {"target": "ptx", "arch": "sm_90", "maxthreads": [self.threads], **({"maxregs": self.maxregs} if self.maxregs else {})}

    def blocks(self, rows=64, columns=768):
        return (columns // self.columns * self.C, rows // self.rows)

    def arguments(self, y, x, w, b):
        rows, depth, columns = x.shape[0], x.shape[1], w.shape[0]
        return [binding.array(y.data_ptr(), columns, rows), binding.array(x.data_ptr(), depth, rows), binding.array(w.data_ptr(), depth, columns), binding.array(b.data_ptr(), columns)]

    def as_json(self):
        return {k: v for k, v in asdict(self).items() if k not in ("K", "found")}

    def __str__(self):
        return f"M{self.M} N{self.N} warps {self.WM}x{self.WN}x{self.WK} cluster {self.C}"


def layer_norm_bytes(h, rows=ROWS):
    return 2 * rows * h * 2 + 4 * h * 2


def layer_norm_data(torch, h, rows=ROWS):
    """x, the four vectors, memory for the result, and what it should be, computed in Float32 by torch."""
    torch.manual_seed(h)
    x = torch.randn(rows, h, device="cuda", dtype=torch.float16)
    vectors = [torch.randn(h, device="cuda", dtype=torch.float16) for _ in range(4)]
    b1, b2, w, b = (v.float() for v in vectors)
    reference = torch.nn.functional.layer_norm(x.float() + b1 + b2, (h,), w, b, 1e-5)
    return x, vectors, torch.empty_like(x), reference


def linear_data(torch):
    torch.manual_seed(0)
    x = torch.randn(64, 768, device="cuda", dtype=torch.float16)
    w = torch.randn(768, 768, device="cuda", dtype=torch.float16) / 28
    b = torch.randn(768, device="cuda", dtype=torch.float16)
    return x, w, b, torch.empty(64, 768, device="cuda", dtype=torch.float16), x.float() @ w.float().t() + b.float()
