# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""64 candidates of a tiled matrix product (hidet issue 426), from source to kernels that can be launched, by all cores: bench/seeds/candidates.jl by Session::prepare_many in a
new session, by the program `kiln precompile`, and the same loops in CUDA C by NVRTC (16 sources of 4). Then a search for the fastest at 1024^3: two calls of each, seven of the best
eight; its winner against the best of 9 rounds of all."""
import ctypes
import glob
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import binding

HERE = os.path.dirname(os.path.abspath(__file__))
SIZE = 1024
TILES = [(bm, bn, bk, tm, tn) for bm in (32, 64, 128) for bn in (32, 64, 128) for bk in (4, 8) for tm in (4, 8) for tn in (4, 8)][:64]
VECTOR = "CuDeviceVector{Float32,1}"

CUDA_C = """extern "C" __global__ void product_%(i)d(float* __restrict__ C, const float* __restrict__ A, const float* __restrict__ B, int n, int k) {
  constexpr int BM = %(BM)d, BN = %(BN)d, BK = %(BK)d, TM = %(TM)d, TN = %(TN)d, across = BN / TN, threads = BM * BN / (TM * TN);
  __shared__ float As[BK][BM + 1], Bs[BK][BN];
  int thread = threadIdx.x, x = thread %% across, y = thread / across, row = blockIdx.y * BM, column = blockIdx.x * BN;
  float sums[TM][TN] = {};
  for (int first = 0; first < k; first += BK) {
    for (int at = thread; at < BM * BK; at += threads) As[at %% BK][at / BK] = A[(row + at / BK) * k + first + at %% BK];
    for (int at = thread; at < BN * BK; at += threads) Bs[at / BN][at %% BN] = B[(first + at / BN) * n + column + at %% BN];
    __syncthreads();
#pragma unroll
    for (int d = 0; d < BK; d++) {
      float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; i++) a[i] = As[d][y * TM + i];
#pragma unroll
      for (int j = 0; j < TN; j++) b[j] = Bs[d][x * TN + j];
#pragma unroll
      for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++) sums[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; i++)
#pragma unroll
    for (int j = 0; j < TN; j++) C[(row + y * TM + i) * n + column + x * TN + j] = sums[i][j] * %(salt)d.f;
}
"""


def call_of(tile):
    return f"tiled_product({VECTOR}, {VECTOR}, {VECTOR}, Int32, Int32, Val{{({','.join(map(str, tile))})}})"


def nvrtc():
    """A function that compiles CUDA C to a cubin, or None."""
    found = [p for d in ["/usr/local/cuda/lib64", "/usr/local/cuda/targets/x86_64-linux/lib"] + [os.path.join(p, "nvidia", "*", "lib") for p in sys.path if p.endswith("-packages")]
             for p in glob.glob(os.path.join(d, "libnvrtc.so.1[0-9]"))]
    if not found:
        return None
    lib = ctypes.CDLL(found[0])
    options = (ctypes.c_char_p * 1)(b"-arch=sm_90")

    def compile_one(source):
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        lib.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"k.cu", 0, None, None)
        status = lib.nvrtcCompileProgram(program, 1, options)
        lib.nvrtcGetCUBINSize(program, ctypes.byref(size))
        image = ctypes.create_string_buffer(max(1, size.value))
        lib.nvrtcGetCUBIN(program, image)
        lib.nvrtcDestroyProgram(ctypes.byref(program))
        if status or not size.value:
            raise RuntimeError(f"NVRTC: status {status}")
    return compile_one


def run(kiln, bench, options):
    import torch
    source = os.path.join(HERE, "candidates.jl")
    lib, errors, times = ctypes.CDLL(options.seeds_library), [], {}
    lib.seeds_prepare_many.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t, ctypes.POINTER(ctypes.c_double)]
    calls = (ctypes.c_char_p * len(TILES))(*[call_of(t).encode() for t in TILES])
    compile_one, program = nvrtc(), options.kiln_program

    def ours():
        seconds = ctypes.c_double()
        if lib.seeds_prepare_many(source.encode(), calls, len(TILES), ctypes.byref(seconds)):
            raise RuntimeError("prepare_many failed")
        return seconds.value

    def precompile():
        with tempfile.TemporaryDirectory() as folder:
            manifest = os.path.join(folder, "m.json")
            with open(manifest, "w", encoding="utf-8") as out:
                json.dump({"files": [source], "targets": [{"target": "ptx", "arch": "sm_90"}], "configs": [{"g": 0}], "jobs": [call_of(t) for t in TILES]}, out)
            began = time.monotonic()
            done = subprocess.run([program, "precompile", manifest], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  env=dict(os.environ, KILN_CACHE_DIR=os.path.join(folder, "cache"), CUDA_CACHE_DISABLE="1", LD_PRELOAD=""))
            if done.returncode:
                raise RuntimeError(done.stdout[-300:])
            return time.monotonic() - began

    salt = [1]

    def theirs():
        salt[0] += 1
        sources = [CUDA_C % dict(i=i, BM=t[0], BN=t[1], BK=t[2], TM=t[3], TN=t[4], salt=salt[0]) for i, t in enumerate(TILES)]
        with ThreadPoolExecutor(16) as pool:
            began = time.monotonic()
            list(pool.map(compile_one, ["\n".join(sources[i:i + 4]) for i in range(0, 64, 4)]))
            return time.monotonic() - began
    ways = {"Kiln, Session::prepare_many": ours, **({"Kiln, kiln precompile": precompile} if program else {}), **({"NVRTC, 16 sources of 4": theirs} if compile_one else {})}
    for _ in range(7):
        for name, way in ways.items():
            try:
                times.setdefault(name, []).append(way())
            except RuntimeError as e:
                errors.append(f"{name}: {e}")
    rows = [{"what": name, "seconds": median(x), "least": min(x), "most": max(x)} for name, x in times.items()]

    # The search.
    a, b = torch.rand(SIZE, SIZE, device="cuda") - 0.5, torch.rand(SIZE, SIZE, device="cuda") - 0.5
    c, reference = torch.empty_like(a), (a.double() @ b.double()).float()
    bench.stream.synchronize()
    kiln.load(source)
    began = time.monotonic()
    compiled = kiln.prepare_all([(call_of(t), {}) for t in TILES], options.threads)
    made = time.monotonic() - began
    functions, wrong = {}, 0
    for tile, kernel in zip(TILES, compiled):
        if isinstance(kernel, Exception):
            raise kernel
        functions[tile] = kernel.bind((SIZE // tile[1], SIZE // tile[0]), tile[0] * tile[1] // (tile[3] * tile[4]),
                                      [binding.array(t.data_ptr(), SIZE * SIZE) for t in (c, a, b)] + [binding.scalar("i", SIZE)] * 2)
    rough = sorted((bench.batch(go, 2), tile) for tile, go in functions.items())[:8]
    right = []
    for us, tile in rough:      # each result is compared before it may win
        c.fill_(float("nan"))
        functions[tile]()
        bench.stream.synchronize()
        if float((c - reference).abs().max()) < 1e-3:
            right.append(tile)
        else:
            wrong += 1
    winner = min(right, key=lambda tile: bench.batch(functions[tile], 7))
    took = time.monotonic() - began
    seen = bench.rounds(functions, 9, 3)
    best = min(seen, key=lambda t: seen[t]["us"])
    rows.append({"what": "Kiln, compiled and searched", "seconds": took, "least": made, "most": took, "right": not wrong and seen[winner]["us"] <= 1.02 * seen[best]["us"],
                 "winner": f"{winner}: {seen[winner]['us']:.1f} us; best of all {best}: {seen[best]['us']:.1f} us, slowest {max(s['us'] for s in seen.values()):.1f}"})
    return {"unit": "s", "rows": rows, "errors": errors, "columns": ["what", "seconds", "least", "most", "winner"],
            "seed": "hidet's local compile of its batch_matmul candidates 80 s, then 60 s (32 cores i9-13900K, RTX 4090; the pull request's own figures, other hardware)"}
