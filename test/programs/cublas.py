#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Large matrix products of programs are cuBLAS', small ones are not: with a driver and a cuBLAS that compute on the host. Matrices hold small
whole numbers, so that every sum is exact, and Python works the same sums out.

    cublas.py --kiln PROGRAM --driver LIBRARY --cublas LIBRARY
"""
import argparse
import os
import subprocess
import sys
import tempfile

M, N, K = 130, 170, 200  # 4,420,000 multiplications: above the limit that the program sets

PROGRAM = f"""using CUDA, LinearAlgebra
@eval CUDA min_cublas_work = 1 << 22
M, N, K = {M}, {N}, {K}
a(i, j) = (3i + 5j) % 7 - 3
b(i, j) = (2i + 7j) % 5 - 2
function told(name, C)
    H = Array(C)
    s = zero(eltype(H))
    for j in axes(H, 2), i in axes(H, 1)
        s += H[i, j] * ((i + 3j) % 11)
    end
    println(name, " ", real(s), " ", imag(s))
end
for T in (Float32, Float64)
    A = CuArray(T[a(i, j) for i in 1:M, j in 1:K])
    B = CuArray(T[b(i, j) for i in 1:K, j in 1:N])
    told("plain", A * B)
    At = CuArray(T[a(j, i) for i in 1:K, j in 1:M])
    Bt = CuArray(T[b(j, i) for i in 1:N, j in 1:K])
    told("transposed", transpose(At) * Bt')
    C = CuArray(T[i - j for i in 1:M, j in 1:N])
    mul!(C, A, transpose(Bt), 2, 3)
    told("scaled", C)
    D = CuArray(fill(T(NaN), M, N))
    mul!(D, A, B)
    told("written", D)
end
z(i, j) = Complex(a(i, j), b(i, j))
for T in (ComplexF32, ComplexF64)
    A = CuArray(T[z(j, i) for i in 1:K, j in 1:M])
    B = CuArray(T[z(i, j) for i in 1:K, j in 1:N])
    C = CuArray(T[i for i in 1:M, j in 1:N])
    mul!(C, A', B, 1 + 2im, -1im)
    told("complex", C)
end
"""
SMALL = """using CUDA
A = CuArray(zeros(Float32, 500, 500))
B = A * A
println("made")
"""
WRONG = """using CUDA, LinearAlgebra
@eval CUDA min_cublas_work = 1 << 22
A = CuArray(zeros(Float32, 200, 200))
try
    mul!(A, A, CuArray(zeros(Float32, 100, 300)))
catch e
    println(typeof(e))
end
B = A * A
"""


def expected():
    a = lambda i, j: (3 * i + 5 * j) % 7 - 3
    b = lambda i, j: (2 * i + 7 * j) % 5 - 2
    rows, columns, depth = range(1, M + 1), range(1, N + 1), range(1, K + 1)

    def checksum(of):
        total = sum(of(i, j) * ((i + 3 * j) % 11) for i in rows for j in columns)
        return complex(total).real, complex(total).imag

    left = [[a(i, l) for l in depth] for i in rows]
    right = [[b(l, j) for l in depth] for j in columns]
    product = [[sum(x * y for x, y in zip(row, column)) for column in right] for row in left]
    plain = checksum(lambda i, j: product[i - 1][j - 1])
    scaled = checksum(lambda i, j: 2 * product[i - 1][j - 1] + 3 * (i - j))
    zl = [[complex(a(i, l), -b(i, l)) for l in depth] for i in rows]
    zr = [[complex(a(l, j), b(l, j)) for l in depth] for j in columns]
    zproduct = [[sum(x * y for x, y in zip(row, column)) for column in zr] for row in zl]
    whole = checksum(lambda i, j: (1 + 2j) * zproduct[i - 1][j - 1] - 1j * i)
    return [("plain", plain), ("transposed", plain), ("scaled", scaled), ("written", plain)] * 2 + [("complex", whole)] * 2


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("kiln", "driver", "cublas"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    wrong = []
    environment = dict(os.environ, KILN_CUDA_DRIVER=options.driver, KILN_CUBLAS=options.cublas, KILN_CACHE_DIR="")

    def run(program, **more):
        with tempfile.NamedTemporaryFile("w", suffix=".jl") as file:
            file.write(program)
            file.flush()
            return subprocess.run([options.kiln, "script", "--device", "cuda", file.name], capture_output=True, text=True, env=dict(environment, **more), timeout=300)

    def expect(condition, what, done):
        print("ok  " if condition else "FAIL", what)
        if not condition:
            wrong.append(what)
            print(done.returncode, done.stdout[-2000:], done.stderr[-2000:])

    done = run(PROGRAM)
    told = [(name, (float(real), float(imag))) for name, real, imag in (line.split() for line in done.stdout.splitlines())] if done.returncode == 0 else []
    expect(told == expected(), "ten products have Python's values", done)
    calls = [line.split()[1:] for line in done.stderr.splitlines() if line.startswith("gemm")]
    shape = [str(n) for n in (M, N, K)]
    real = [[forms[0], forms[1]] for forms in (("0", "0"), ("1", "2"), ("0", "1"), ("0", "0"))]
    wanted = [[number, *forms, *shape] for number in ("0", "1") for forms in real] + [[number, "2", "0", *shape] for number in ("4", "5")]
    expect(calls == wanted, "each was one call of cublasGemmEx, with the forms of its factors", done)
    done = run(SMALL, KILN_LOG="info")
    expect("gemm" not in done.stderr, "a small product asks no cuBLAS", done)
    done = run(WRONG, FAKE_CUBLAS_STATUS="13")
    expect(done.stdout.startswith("DimensionMismatch"), "shapes are looked at first", done)
    expect(done.returncode == 3 and "cuBLAS, a product of matrices: CUBLAS_STATUS_EXECUTION_FAILED (13)" in done.stderr, "what cuBLAS says is the program's error", done)
    done = run(PROGRAM, KILN_CUBLAS="/nowhere/libcublas.so", KILN_LOG="info")
    expect("gemm" not in done.stderr and "made without cuBLAS" in done.stderr and "/nowhere/libcublas.so" in done.stderr, "a library that is not there is told in the log", done)
    print(f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
