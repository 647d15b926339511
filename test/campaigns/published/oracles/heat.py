# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Oracles of published simulations of heat and of ice, by NumPy."""

import functools
import re

from .outputs import TIME, near, numbers, require
from .registry import oracle

FOLDER = "luraess/geo-hpc-course"
SPEED = re.compile(r"Time = (\d\.\d{4}e[-+]\d\d) s, T_eff = (\d+\.\d\d) GB/s ")
ITERATION = re.compile(r"iter=(\d+), max\(err\)=(\d\.\d\de[-+]\d\d) ")
CELLS = 128
WIDTH = 10.0


def numpy():
    """Returns NumPy, which only these oracles need."""
    import numpy as module

    return module


@functools.cache
def start():
    """Returns the squared distance of each cell from the middle, and the bell over it."""
    np = numpy()
    width = WIDTH / CELLS
    middle = np.linspace(width / 2, WIDTH - width / 2, CELLS) - WIDTH / 2
    squared = (middle**2)[:, None] + (middle**2)[None, :]
    return squared, np.exp(-squared)


@functools.cache
def heat(steps):
    """Returns the temperature after each tenth step of explicit diffusion with fixed edges."""
    width = WIDTH / CELLS
    now = start()[1].copy()
    fields = []
    for step in range(1, steps + 1):
        inner = now[1:-1, 1:-1]
        around = now[2:, 1:-1] + now[:-2, 1:-1] + now[1:-1, 2:] + now[1:-1, :-2]
        now[1:-1, 1:-1] = inner + (around - 4 * inner) / 4.1  # the time step is width^2 / 4.1
        if step % 10 == 0:
            fields.append(now.copy())
    assert width > 0
    return fields


def ice_balance():
    np = numpy()
    return np.where(start()[0] > WIDTH / 4, -0.5, 0.5)


def growth(now):
    """Returns the rate of the thickness in the inner cells: nonlinear diffusion and mass balance."""
    np = numpy()
    width = WIDTH / CELLS
    x = -((0.5 * (now[:-1, 1:-1] + now[1:, 1:-1])) ** 3) * np.diff(now[:, 1:-1], axis=0) / width
    y = -((0.5 * (now[1:-1, :-1] + now[1:-1, 1:])) ** 3) * np.diff(now[1:-1, :], axis=1) / width
    return -np.diff(x, axis=0) / width - np.diff(y, axis=1) / width + ice_balance()[1:-1, 1:-1]


@functools.cache
def ice(steps):
    """Returns the thickness of the ice after each hundredth explicit step."""
    np = numpy()
    now, fields = start()[1].copy(), []
    for step in range(1, steps + 1):
        time = (WIDTH / CELLS) ** 2 / now.max() ** 3 / 4.1 / 4
        now[1:-1, 1:-1] = np.maximum(0, now[1:-1, 1:-1] + time * growth(now))
        if step % 100 == 0:
            fields.append(now.copy())
    return fields


@functools.cache
def steady_ice():
    """Returns the errors of damped iterations for steady ice, and the thickness, at each hundredth."""
    np = numpy()
    now, rate, errors, fields = start()[1].copy(), 0.0, [], []
    for iteration in range(1, 10001):
        before = now.copy()
        time = (WIDTH / CELLS) ** 2 / (1 + now[1:-1, 1:-1] ** 3) / 4.1 / 4
        rate = growth(now) + 0.96 * rate
        now[1:-1, 1:-1] = np.maximum(0, now[1:-1, 1:-1] + time * rate)
        if iteration % 100 == 0:
            errors.append(float(np.abs(now - before).max()))
            fields.append(now.copy())
            if errors[-1] < 1e-8:
                break
    return errors, fields


def check_speed(line, steps=190):
    match = SPEED.fullmatch(line)
    require(match, f"`{line}` does not match {SPEED.pattern}")
    expected = 2e-9 * CELLS * CELLS * 8 / (float(match[1]) / steps)
    near(float(match[2]), expected, max(0.051 * expected, 0.006), "T_eff")  # two digits, then two decimals


def check_fields(output, fields):
    require(output.value("drawn") == str(len(fields)), f"{output.value('drawn')} fields, not {len(fields)}")
    near(output.numbers("sums"), [float(field.sum()) for field in fields], 1e-9, "sum")
    rows = output.values("row")
    require(len(rows) == CELLS, f"{len(rows)} rows")
    for line, row in zip(rows, fields[-1]):
        near(numbers(line), row.tolist(), 1e-9, "temperature or thickness")


def own_lines(output):
    return [line for line in output.lines if not line.startswith("> ")]


def check_runs(output, first=(), runs=2):
    """Checks the lines of each run: `first`, then the speed and the time."""
    require(output.status == 0, f"status {output.status}")
    lines = [line for line in own_lines(output) if line != "nothing"]
    require(len(lines) == runs * (len(first) + 1) + 1, f"{len(lines)} lines")
    for line, pattern in zip(lines, first):
        require(re.fullmatch(pattern, line), f"`{line}` does not match {pattern}")
    check_speed(lines[len(first)])
    require(TIME.fullmatch(lines[len(first) + 1]), f"`{lines[len(first) + 1]}` is not a time")


@oracle(f"{FOLDER}/scripts/heat_2D_gpu.jl", "heat")
@oracle(f"{FOLDER}/solutions/heat_2D_gpu_fun.jl", "heat")
def heat_gpu(output):
    check_runs(output)
    check_fields(output, heat(200))


@oracle(f"{FOLDER}/solutions/heat_2D_loop_fun.jl", "heat")
def heat_loops(output):
    check_runs(output, (r"Threads\.nthreads\(\) = [1-9]\d*",))
    check_fields(output, heat(200))


@oracle(f"{FOLDER}/extras/heat_2D_gif_unicode.jl", "heat")
def heat_animation(output):
    check_runs(output, (r"Animation directory: \./viz2D_out/",), 1)
    check_fields(output, heat(200))


@oracle(f"{FOLDER}/scripts/heat_2D_gpu_fun_tmp.jl", "heat")
def exercise_gpu(output):
    """The exercise leaves its kernels empty: the temperature stays."""
    check_runs(output)
    check_fields(output, [start()[1]] * 20)


@oracle(f"{FOLDER}/scripts/heat_2D_loop_fun_tmp.jl", "heat")
def exercise_loops(output):
    """The exercise leaves the fluxes zero: the temperature stays."""
    check_runs(output, (r"Threads\.nthreads\(\) = [1-9]\d*",))
    check_fields(output, [start()[1]] * 20)


@oracle(f"{FOLDER}/scripts/heat_2D_loop_tmp.jl", "heat")
def exercise_loop(output):
    check_runs(output)
    check_fields(output, [start()[1]] * 20)


@oracle(f"{FOLDER}/solutions/sia_2D.jl", "heat")
def shallow_ice(output):
    lines = [line for line in own_lines(output) if line != "nothing"]
    require(output.status == 0 and len(lines) == 2, f"status {output.status}, {len(lines)} lines")
    check_speed(lines[0], 4990)
    fields = ice(5000)
    drawn, sums = output.value("drawn"), output.numbers("sums")
    require(drawn == str(len(fields)), f"{drawn} fields, not {len(fields)}")
    near(sums, [float(field.sum()) for field in fields], 1e-7, "volume")
    for line, row in zip(output.values("row"), fields[-1], strict=True):
        near(numbers(line), row.tolist(), 1e-7, "thickness")


def check_iterations(lines, errors):
    """The iteration oscillates; rounding differs between orders of sums, so that small errors differ by percents."""
    require(len(lines) == len(errors), f"{len(lines)} lines of iterations, not {len(errors)}")
    for index, (line, error) in enumerate(zip(lines, errors), 1):
        match = ITERATION.fullmatch(line)
        require(match and int(match[1]) == 100 * index, f"`{line}` is not iteration {100 * index}")
        require(
            abs(float(match[2]) - error) <= 0.02 * error, f"error {match[2]} in iteration {100 * index}, not {error}"
        )


@oracle(f"{FOLDER}/solutions/sia_2D_ss.jl")
def steady_state(output):
    require(output.status == 0, f"status {output.status}")
    errors = steady_ice()[0]
    check_iterations(output.lines[:-2], errors)
    check_speed(output.lines[-2], 100 * len(errors) - 10)
    require(TIME.fullmatch(output.lines[-1]), output.lines[-1])


@oracle(f"{FOLDER}/extras/sia_2D_ss_gif.jl", "heat")
def steady_animation(output):
    errors, fields = steady_ice()
    lines = [line for line in own_lines(output) if line != "nothing"]
    require(output.status == 0 and lines[0] == "Animation directory: ./viz2D_out/", lines[0])
    check_iterations(lines[1:-2], errors)
    require(re.fullmatch(r"T_eff = \d\.\d\de[-+]\d\d GB/s ", lines[-2]), lines[-2])
    check_fields_loosely(output, fields[:-1])  # the last iteration draws nothing


def check_fields_loosely(output, fields):
    require(output.numbers("drawn")[0] >= len(fields), f"{output.value('drawn')} drawings, not {len(fields)}")
    near(output.numbers("sums"), [float(field.sum()) for field in fields], 1e-4, "volume")
    for line, row in zip(output.values("row"), fields[-1], strict=True):
        near(numbers(line), row.tolist(), 1e-6, "thickness")


@oracle(f"{FOLDER}/solutions/heat_1D_2procs.jl", "heat")
def two_processes(output):
    np = numpy()
    lines = [line for line in own_lines(output) if line != "nothing"]
    require(len(lines) == 1 and TIME.fullmatch(lines[0]), f"{len(lines)} lines, the first `{lines[0]}`")
    left, right, cells = np.full(32, 10.0), np.full(32, 1.0), None
    both = np.concatenate([left[:-1], right[1:]])
    for _ in range(200):
        for part in (left, right):
            part[1:-1] += np.diff(part, 2) / 2.1
        left[-1], right[0] = right[1], left[-2]
        cells = np.concatenate([left[:-1], right[1:]])
        both = cells.copy()  # the program's global field is the same array as its local one
        both[1:-1] += np.diff(both, 2) / 2.1
    require(output.value("drawn") == "400", output.value("drawn"))
    for line in output.values("line"):
        near(numbers(line), both.tolist(), 1e-10, "temperature")
