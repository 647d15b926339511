#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels over packages' own sources, on the CPU, compared with NumPy; the same kernels are compiled to PTX.

    run.py --kiln PROGRAM --folder SCRATCH [NAME...]

KILN_REAL_PACKAGES names a folder with StaticArrays, StaticArraysCore, ForwardDiff, Accessors and others, with what they need, as their repositories have them
(StaticArrays/src/StaticArrays.jl); they are not part of Kiln. Without it, or without NumPy, nothing runs and the exit
status is 77.
"""
import argparse
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77
FROM_SOURCE = {"static_arrays.jl": ["StaticArrays", "StaticArraysCore"], "geometry.jl": ["StaticArrays", "StaticArraysCore"]}
NEEDS = {"fields.jl": ["Parameters", "UnPack", "OrderedCollections", "FillArrays"], "scipy.jl": ["SpecialFunctions", "IrrationalConstants", "LogExpFunctions"], "duals.jl": ["ForwardDiff", "DiffRules", "CommonSubexpressions", "SpecialFunctions"], "tools.jl": ["Accessors", "ConstructionBase", "MuladdMacro", "StructArrays"]}
TOLERANCE = 1e-12 # scipy_checks.py has its own

try:
    import numpy as np
    import more
except ImportError:
    np = None
try:
    import scipy_checks as by_scipy
except ImportError:
    by_scipy = None


def flat(*parts):
    """What `put` of the kernels leaves: matrices column by column."""
    out = []
    for part in parts:
        out.extend(np.asarray(part, dtype=float).ravel(order="F"))
    return np.array(out)


def of(x, at, *shape):
    n = int(np.prod(shape))
    return x[at:at + n].reshape(shape, order="F")


def constructors(x):
    i3, i4 = np.arange(1, 4), np.arange(1, 5)
    f32 = x.astype(np.float32)
    return flat(x[:3], x[:2], f32[:2], x[3:6], x[:4], x[:6], x[:6], x[:8], [x[0], 2 * x[1]], i4 * x[0], [x[0], x[2], x[4], x[1], x[3], x[5]],
                [x[i] + j for j in range(1, 4) for i in range(2)], x[:2], x[:3], [x[0], x[2], x[1], x[3]], f32[:2], [0, 0], [1] * 4, [x[0]] * 3, [0] * 3,
                np.eye(3), [0, 0], [1] * 4, 2 * np.eye(2), i3 * x[1], [1, 2.5, x[0]], i3)


def vectors(x):
    a, b = x[:3], x[3:6]
    return flat(a + b, a - b, -a, 2 * a, 3 * a, a / 4, a / 4, a @ b, a @ b, a @ b, np.outer(a, b), np.cross(a, b), np.cross(a, b), np.linalg.norm(a),
                np.abs(a).sum(), np.abs(a).max(), b / np.linalg.norm(b), a[0] + a[1] * a[2], a[1], a[[2, 0]], a, np.r_[a, b], np.r_[a, b], np.r_[a, b], np.r_[a, b],
                np.r_[a, x[6]], a[:2], np.r_[x[6], a], a[1:], [a[0], x[7], a[2]], a[::-1], np.cumsum(a), 2 * a + b, np.diff(a), np.sort(a), np.kron(a, b),
                3 + 3 + 1 + 1, 1, 1, 1, 1, 1, 1, 1, 6)


def broadcasts(x):
    a, b, m = x[:3], x[3:6], of(x, 0, 3, 2)
    return flat(a + b, a * b - 1, np.sqrt(np.abs(a)), a**2, m + a[:, None], m * a[:, None] + b[:, None], a[:, None] + b[None, :], a + [1, 2, 3], np.maximum(a, 0.5),
                np.where(a > 0.5, a, b), a.astype(np.float32), np.sum((a - b)**2), 2 * a + b**2 * np.sin(a), a * b + 1)


def reductions(x):
    a, m = x[:5], of(x, 0, 2, 3)
    return flat(a.sum(), a.prod(), a.max(), a.min(), (a**2).sum(), np.abs(a).max(), a.sum(), a[0] - a[1] - a[2] - a[3] - a[4], (a > 0.9).any(), (a > 0).all(),
                (a > 0.5).sum(), m.sum(), m.sum(axis=0), m.sum(axis=1), m.max(axis=0), a**2, 2 * a, 1, 6)


def matrices(x):
    A, B, C, v = of(x, 0, 3, 3), of(x, 9, 3, 3), of(x, 0, 2, 3), x[18:21]
    return flat(A + B, A.T, C.T, np.trace(A), np.diag(A), A + np.eye(3), A - 2 * np.eye(3), A[1, 2], A[:, 1],
                A[0], A[np.ix_([0, 2], [1, 2])], A[:, :2], np.kron([[1, 3], [2, 4]], C), np.linalg.norm(A), flat(C), flat(C), np.vstack([C, C]), np.hstack([C, C]),
                np.c_[A, v], np.abs(A - B))


def products(x):
    A, B, C, v = of(x, 0, 3, 3), of(x, 9, 3, 3), of(x, 0, 2, 3), x[18:21]
    S = np.triu(A) + np.triu(A, 1).T
    return flat(A @ B, A @ v, C @ A, C @ v, A.T @ B, v @ A, v @ A @ v, A @ A, S @ v, np.triu(A) @ v, np.diag(v) @ A, v * v, of(x, 0, 2, 2) @ [1, 2], of(x, 0, 2, 2) @ x[4:6], x[:3])


def solves(x):
    A2, A3, A4 = of(x, 0, 2, 2), of(x, 0, 3, 3), of(x, 0, 4, 4)
    return flat(np.linalg.det(A2), np.linalg.det(A3), np.linalg.det(A4), np.linalg.inv(A2), np.linalg.inv(A3), np.linalg.inv(A4), np.linalg.solve(A2, x[16:18]),
                np.linalg.solve(A3, x[16:19]), np.eye(3), np.linalg.solve(np.triu(A3), x[16:19]), np.linalg.solve(np.tril(A3), x[16:19]))


def expm(A):
    out, term = np.eye(len(A)), np.eye(len(A))
    for k in range(1, 60):
        term = term @ A / k
        out = out + term
    return out


def factorizations(x):
    A4, S = of(x, 0, 4, 4), of(x, 0, 3, 3)
    P = S @ S.T + 3 * np.eye(3)
    return flat(np.linalg.solve(A4, x[16:20]), S, P, np.linalg.eigvalsh(P), expm(of(x, 0, 2, 2)), S)


def mutables(x):
    m = x[:4] * np.arange(1, 5)
    first = m.copy()
    m[1] += 10
    M = of(x, 0, 2, 2).copy()
    M[0, 1] = 7
    n = np.array([x[0], 0, 0])
    return flat(first, m.sum(), m, M, np.linalg.det(M), m + 1, 2 * (m + 1), [x[4]] * 4, [0, 0, x[5]], n)


def fields(x):
    p, q = x[:3], x[3:6]
    return flat(p + q, 2 * p, 1, p @ q, p + 1)


def duals(x):
    a, b = x[:8], x[8:16]
    e = 1 + np.exp(-a)
    value = a * a + np.sin(a) / e - 3 * a ** 3
    slope = 2 * a + np.cos(a) / e + np.sin(a) * np.exp(-a) / e ** 2 - 9 * a ** 2
    near = np.abs(a - 1) < 0.5
    root = np.sqrt(a * b)
    of_a = b / (2 * root) + np.cos(b) / a - 1 / b + (a > 2 * b)
    of_b = a / (2 * root) - np.log(a) * np.sin(b) + a / b ** 2 + 2 * (a <= 2 * b)
    return flat(value, slope, slope, np.where(near, 2 * a, -1), root + np.log(a) * np.cos(b) - a / b + np.maximum(a, 2 * b), of_a, of_b)


def lenses(x):
    return flat(x[3], x[1], 2 * x[4], 7, x[1] * x[5], x[0], x[6] + 9, x[7])


def sums(x):
    a = x[:8]
    return flat(a * x[8:16] + x[1:9], a - x[1:9] * x[2:10], 1 + 2 * a + 3 * a ** 2 - 4 * a ** 3)


def structures(x):
    return flat(x[:6] - 2 * x[6:12], x[6:12], x[:3] + 1, x[:3] * x[1:4])


def settings(x):
    return flat(x[0], 3, 2 * x[0], 5 * x[2], x[1] - x[2])


def fills(x):
    return flat(x[0], 4 * x[0], 4, 1, 1, 0, x[1], 10)


FILES = {"fields.jl": [settings, fills], "duals.jl": [duals], "tools.jl": [lenses, sums, structures], "static_arrays.jl": [constructors, vectors, broadcasts, reductions, matrices, products, solves, factorizations, mutables, fields]}

if np is not None:
    FILES.update(more.FILES)
    NEEDS.update(more.NEEDS)

FILES["scipy.jl"] = by_scipy.CHECKS if by_scipy else []

# What is known not to work, with the reason: docs/known_faults.md.
KNOWN = {}


def options(arguments, file, packages):
    # The first kernel's process makes the packages' indices, the others follow them.
    return ["--load-path", packages, "--cache", os.path.join(arguments.folder, "cache")] + [o for name in FROM_SOURCE.get(file, []) for o in ("--from-source", name)]


def run(arguments, packages, file, check):
    generator = np.random.default_rng(7)
    x = generator.uniform(0.25, 2.0, 24) + np.eye(5)[:5, :5].ravel()[:24] * 3
    wanted = check(x)
    given, out = os.path.join(arguments.folder, "x.npy"), os.path.join(arguments.folder, f"{check.__name__}.npy")
    np.save(given, x)
    name = f"{file} {check.__name__}"
    command = [arguments.kiln, "run", os.path.join(HERE, file), check.__name__, "--arg", f"zeros(Float64, {len(wanted)})", "--arg", "@" + given, "--device", "cpu", "--out", f"1={out}"]
    done = subprocess.run(command + options(arguments, file, packages), capture_output=True, text=True, timeout=300)
    if done.returncode:
        return [f"{name}: status {done.returncode}\n{done.stderr[:arguments.show]}"]
    got = np.load(out)
    tolerance = by_scipy.TOLERANCES.get(check.__name__, TOLERANCE) if by_scipy else TOLERANCE
    far = np.flatnonzero(~np.isclose(got, wanted, rtol=tolerance, atol=tolerance))
    faults = [f"{name}: result {i + 1}: expected {wanted[i]!r}, got {got[i]!r}" for i in far[:5]]
    call = f"{check.__name__}(CuDeviceVector{{Float64,1}}, CuDeviceVector{{Float64,1}})"
    done = subprocess.run([arguments.kiln, "compile", os.path.join(HERE, file), call, "--target", "ptx", "-o", os.path.join(arguments.folder, "k.ptx")] + options(arguments, file, packages),
                          capture_output=True, text=True, timeout=300)
    return faults + ([f"{name} for PTX: status {done.returncode}\n{done.stderr[:arguments.show]}"] if done.returncode else [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--show", type=int, default=2000, help="characters of an error")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    packages = os.environ.get("KILN_REAL_PACKAGES")
    if not packages or np is None:
        print("skipped: " + ("KILN_REAL_PACKAGES names no folder of packages" if np else "there is no NumPy"))
        return SKIPPED
    os.makedirs(arguments.folder, exist_ok=True)
    shutil.rmtree(os.path.join(arguments.folder, "cache"), ignore_errors=True)
    failed = count = 0
    for file, checks in FILES.items():
        lacks = [name for name in NEEDS.get(file, []) if not os.path.isdir(os.path.join(packages, name))]
        if lacks:
            print(f"{file}: skipped, the folder has no {', '.join(lacks)}")
            continue
        if not checks:
            print(f"{file}: skipped, there is no SciPy")
        for check in checks:
            if arguments.names and check.__name__ not in arguments.names:
                continue
            count += 1
            faults = run(arguments, packages, file, check)
            if faults and check.__name__ in KNOWN:
                print(f"{file} {check.__name__}: known not to work: {KNOWN[check.__name__]}")
                count -= 1
                continue
            failed += bool(faults)
            print("\n".join(faults) if faults else f"{file} {check.__name__}: as NumPy")
    print(f"{count - failed} of {count} kernels are right")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
