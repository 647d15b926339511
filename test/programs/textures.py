#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textures of random arrays at random coordinates, against the formulas of the CUDA C++ Programming Guide in Python's float: textures.py --kiln PROGRAM [--device cpu|cuda] [--seed N] [--count N]"""
import itertools
import math
import random
import sys

from scripts import random_options, run_script

MODES = ("WRAP", "CLAMP", "MIRROR", "BORDER")


def place(i, n, mode):
    """Index of an element; None outside of a border."""
    if mode == "WRAP":
        return i % n
    if mode == "MIRROR":
        return (i % (2 * n)) if i % (2 * n) < n else 2 * n - 1 - i % (2 * n)
    if mode == "BORDER":
        return i if 0 <= i < n else None
    return min(max(i, 0), n - 1)


def taps(kind, x):
    if kind == "NearestNeighbour":
        return [(math.floor(x), 1.0)]
    i, a = math.floor(x - 0.5), x - 0.5 - math.floor(x - 0.5)
    if kind == "LinearInterpolation":
        return [(i, 1 - a), (i + 1, a)]
    # w0 to w3 of GPU Gems 2, chapter 20
    return [(i - 1, (a * (a * (-a + 3) - 3) + 1) / 6), (i, (a * a * (3 * a - 6) + 4) / 6), (i + 1, (a * (a * (-3 * a + 3) + 3) + 1) / 6), (i + 2, a**3 / 6)]


def sample(values, dims, kind, modes, normalized, coordinates):
    xs = [x * n if normalized else x - 0.5 for x, n in zip(coordinates, dims)]
    total = 0.0
    for chosen in itertools.product(*(taps(kind, x) for x in xs)):
        weight, index, step = 1.0, 0, 1
        for (i, w), n, mode in zip(chosen, dims, modes):
            at = place(i, n, mode)
            weight = weight * w if at is not None else 0.0
            index, step = index + (at or 0) * step, step * n
        total += weight * values[index]
    return total


def main():
    options = random_options(__doc__, 40)
    rng = random.Random(options.seed)
    lines, expected = ["using CUDA", "show_all(v) = println(join(v, ' '))"], []
    for _ in range(options.count):
        rank = rng.randrange(1, 4)
        kind = rng.choice(("NearestNeighbour", "LinearInterpolation", "CubicInterpolation")[: 3 if rank < 3 else 2])
        dims = [rng.randrange(1, 7) for _ in range(rank)]
        normalized = kind != "CubicInterpolation" and rng.random() < 0.5
        modes = [rng.choice(MODES) for _ in range(rank)]
        element = rng.choice(("Float32", "Float16") if kind != "NearestNeighbour" else ("Float32", "UInt8", "Int16"))
        values = [rng.randrange(0, 100) for _ in range(math.prod(dims))]
        # Multiples of 1/64 that are not at an edge of two elements: Float32 computes with them exactly.
        def coordinate(n):
            x = (rng.randrange(-3 * 64, (n + 3) * 64) | 1) / 64
            return x / n if normalized else x
        points = [tuple(coordinate(n) for n in dims) for _ in range(8)]
        source = "CuTextureArray" if rank == 3 or rng.random() < 0.5 else "CuArray"
        lines.append(f"a = reshape({element}[{', '.join(map(str, values))}], {', '.join(map(str, dims))})")
        mode_tuple = "".join(f"CUDA.ADDRESS_MODE_{m}, " for m in modes)
        lines.append(f"t = CuTexture({source}(a); interpolation=CUDA.{kind}(), address_mode=({mode_tuple}), normalized_coordinates={str(normalized).lower()})")
        lines.append(f"p = CuArray([{', '.join('(' + ''.join(f'{c!r}f0, ' for c in point) + ')' for point in points)}])")
        lines.append("show_all(Float64.(Array(broadcast((x, t) -> t[x...], p, Ref(t)))))")
        effective = [m if normalized or m == "BORDER" else "CLAMP" for m in modes]
        tolerance = 0 if kind == "NearestNeighbour" else 0.2 if element == "Float16" else 0.002
        expected.append((lines[-4:], [sample(values, dims, kind, effective, normalized, point) for point in points], tolerance))
    done = run_script(options.kiln, "\n".join(lines) + "\n", options.device)
    if done.returncode != 0:
        sys.exit(done.stderr)
    wrong = 0
    for (program, values, tolerance), line in zip(expected, done.stdout.splitlines(), strict=True):
        got = [float(x) for x in line.split()]
        if any(abs(x - y) > tolerance for x, y in zip(got, values, strict=True)):
            wrong += 1
            print("\n".join(program), f"\n  gives {got},\n  not {values}")
    print(f"{options.count} textures, {8 * options.count} values; {wrong} wrong")
    return wrong != 0


sys.exit(main())
