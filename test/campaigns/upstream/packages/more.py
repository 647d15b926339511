# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the kernels of geometry.jl and special.jl compute, in NumPy and Python's own mathematics."""
import math

import numpy as np


def about(axis, t):
    """The rotation about one of the three axes."""
    c, s = math.cos(t), math.sin(t)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m = np.eye(3)
    m[i, i], m[i, j], m[j, i], m[j, j] = c, -s, s, c
    return m


def rotations(x):
    (a, b, c), v = x[:3] / 4, x[3:6]
    X, Y, Z = 0, 1, 2
    return np.r_[about(Z, a) @ v, about(X, a) @ about(Y, b) @ about(Z, c) @ v, about(Y, a) @ v, about(X, a) @ v, about(Z, a)[:2, :2] @ v[:2],
                 (about(Z, a) @ about(Y, b) @ about(X, c)).T @ v, a]


def quaternions(x):
    q, p = x[:4], x[4:8]
    product = np.r_[q[0] * p[0] - q[1:] @ p[1:], q[0] * p[1:] + p[0] * q[1:] + np.cross(q[1:], p[1:])]
    conjugate = np.r_[q[0], -q[1:]]
    n = np.linalg.norm(q[1:])
    exponential = np.exp(q[0]) * np.r_[np.cos(n), q[1:] / n * np.sin(n)]
    return np.r_[product, q + 2 * p, conjugate / (q @ q), conjugate, exponential, q / np.linalg.norm(q), np.linalg.norm(q), p @ p]


def transforms(x):
    t, v = x[:3], x[3:6]
    A = x[:4].reshape(2, 2, order="F")
    return np.r_[t + v, t + x[:9].reshape(3, 3, order="F") @ v, np.hypot(x[0], x[1]), np.arctan2(x[1], x[0]), np.linalg.norm(v), np.arctan2(v[1], v[0]),
                 np.arctan2(v[2], np.hypot(v[0], v[1])), x[0] * np.cos(x[1]), x[0] * np.sin(x[1]), np.linalg.solve(A, x[6:8] - x[4:6])]


def distances(x):
    a, b = x[:3], x[3:6]
    d = np.abs(a - b)
    l1, p1, l2, p2 = np.radians(x[:4])
    h = np.sin((p2 - p1) / 2) ** 2 + np.cos(p1) * np.cos(p2) * np.sin((l2 - l1) / 2) ** 2
    return np.r_[np.sqrt(d @ d), d @ d, d.sum(), d.max(), (d ** 3).sum() ** (1 / 3), 1 - a @ b / np.linalg.norm(a) / np.linalg.norm(b), np.sqrt(d @ d),
                 2 * 6371 * np.arcsin(np.sqrt(h))]


def points(x):
    return np.r_[np.float32(x[0]), x[4], x[0] * x[1], x[1], x[6:9]]


def inverse(f, slope, start, value):
    t = start
    for _ in range(60):
        t -= (f(t) - value) / slope(t)
    return t


def psi(t, order):
    """Digamma (0) or trigamma (1): by recurrence to 30, from where the asymptotic series has 16 digits."""
    numbers = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6]
    shift = 0.0
    while t < 30:
        shift += 1 / t if order == 0 else 1 / t ** 2
        t += 1
    if order == 0:
        return math.log(t) - 1 / (2 * t) - sum(b / (2 * k * t ** (2 * k)) for k, b in enumerate(numbers, 1)) - shift
    return 1 / t + 1 / (2 * t ** 2) + sum(b / t ** (2 * k + 1) for k, b in enumerate(numbers, 1)) + shift


def bessel(n, t):
    """J_n by its integral, whose sum over equal steps converges faster than any power."""
    angles = (np.arange(200) + 0.5) * math.pi / 200
    return np.mean(np.cos(n * angles - t * np.sin(angles)))


def specials(x):
    t = x[:8]
    normal = lambda s: 2 / math.sqrt(math.pi) * math.exp(-s * s)
    rows = [[math.erf(s) for s in t], [math.erfc(s) for s in t], [math.exp(s * s) * math.erfc(s) for s in t],
            [inverse(math.erf, normal, 0.0, s / 8) for s in t], [inverse(math.erfc, lambda u: -normal(u), 0.0, s / 8) for s in t],
            [math.gamma(s) for s in t], [math.lgamma(s) for s in t], [psi(s, 0) for s in t], [psi(s, 1) for s in t],
            [math.gamma(a) * math.gamma(b) / math.gamma(a + b) for a, b in zip(t, x[1:9])],
            [bessel(0, s) for s in t], [bessel(1, s) for s in t], [bessel(3, s) for s in t]]
    return np.concatenate(rows)


def constants(x):
    pi = math.pi
    return np.array([2 * pi, math.sqrt(2 * pi), x[0] + math.log(2), np.float32(math.sqrt(0.5)), math.log(4 * pi), -math.log(2), math.log(10), 1 / (4 * pi)])


FILES = {"geometry.jl": [rotations, quaternions, transforms, distances, points], "special.jl": [specials, constants]}
NEEDS = {"geometry.jl": ["Rotations", "Quaternions", "RealDot", "CoordinateTransformations", "Distances", "GeometryBasics", "UnPack"],
         "special.jl": ["SpecialFunctions", "IrrationalConstants", "LogExpFunctions"]}
