#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host loops of programs: minibatches of a network, small launches, and host code beside Python and NumPy, by turns.

    host_loops.py --kiln PROGRAM [--device cpu|cuda] [--rounds N] [--check]

A row has the median over the rounds, minimum and maximum in parentheses, and the goal. Rows of host code are ratios to
Python's or NumPy's time of the same round. --check: status 1 if a median misses its goal. Run it on an idle machine."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

DEVICE = """using CUDA
include("%s")
function resident()
    return parse(Int, split(read("/proc/self/statm", String))[2]) * 4096
end
function minibatches(turns)
    layers = [new_layer(20, 64, rectified, rectified_slope), new_layer(64, 10, logistic, logistic_slope)]
    x, y = CUDA.rand(20, 100), Float32.(CUDA.rand(10, 100) .> 0.5f0)
    for _ in 1:1000
        train!(layers, x, y, 0.1f0)
    end
    resident()
    synchronize()
    before = resident()
    start = time_ns()
    for _ in 1:turns
        train!(layers, x, y, 0.1f0)
    end
    synchronize()
    println("minibatch ", (time_ns() - start) / turns)
    println("growth ", max(resident() - before, 0) / turns)
end
function sums(turns)
    x, y = CUDA.rand(1000), CUDA.rand(1000)
    for _ in 1:300
        z = x .+ y
    end
    synchronize()
    start = time_ns()
    for _ in 1:turns
        z = x .+ y
    end
    println("sum ", (time_ns() - start) / turns)
    synchronize()
end
function fill_first(a)
    a[1] = 1.0f0
    return nothing
end
function launches(turns)
    x = CUDA.zeros(1000)
    for _ in 1:300
        @cuda fill_first(x)
    end
    synchronize()
    start = time_ns()
    for _ in 1:turns
        @cuda fill_first(x)
    end
    println("launch ", (time_ns() - start) / turns)
    synchronize()
end
minibatches(2000)
sums(2000)
launches(2000)
"""
HOST = """
function report(name, f, turns)
    f()
    f()
    start = time_ns()
    for _ in 1:turns
        f()
    end
    println(name, " ", (time_ns() - start) / turns)
end
squares() = [x * x + 1 for x in 1:1_000_000]
pairs_of_sums() = [(i + j) % 7 for i in 1:1000, j in 1:300]
text = join(("word" * string(i % 5000) for i in 1:100_000), ' ')
words = split(text)
function count_words()
    counts = Dict{String,Int}()
    for word in words
        counts[word] = get(counts, word, 0) + 1
    end
    return counts
end
function sum_by_number()
    sums = Dict{Int,Int}()
    for i in 1:100_000
        sums[i % 1000] = get(sums, i % 1000, 0) + i
    end
    return sums
end
numbers = [((i * 7919) % 1_000_003) / 7.0 for i in 1:1_000_000]
report("comprehension", squares, 10)
report("comprehension_2d", pairs_of_sums, 10)
report("dict_words", count_words, 3)
report("dict_numbers", sum_by_number, 3)
report("split", () -> split(text), 10)
report("sort", () -> sort(numbers), 5)
"""
PYTHON = """import time, numpy
def report(name, f, turns):
    f()
    f()
    start = time.perf_counter_ns()
    for _ in range(turns):
        f()
    print(name, (time.perf_counter_ns() - start) / turns)
def squares():
    return [x * x + 1 for x in range(1, 1_000_001)]
def pairs_of_sums():
    return [(i + j) % 7 for j in range(1, 301) for i in range(1, 1001)]
text = ' '.join(f"word{i % 5000}" for i in range(1, 100_001))
words = text.split()
def count_words():
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts
def sum_by_number():
    sums = {}
    for i in range(1, 100_001):
        sums[i % 1000] = sums.get(i % 1000, 0) + i
    return sums
numbers = numpy.array([(i * 7919 % 1_000_003) / 7.0 for i in range(1, 1_000_001)])
report("comprehension", squares, 10)
report("comprehension_2d", pairs_of_sums, 10)
report("dict_words", count_words, 3)
report("dict_numbers", sum_by_number, 3)
report("split", lambda: text.split(), 10)
report("sort", lambda: numpy.sort(numbers), 5)
"""
# name, text, unit in nanoseconds, goal on the CPU, goal on a GPU
DEVICE_ROWS = [("minibatch", "minibatch of a network, ms", 1e6, 0.6, 0.25),
               ("sum", "`x .+ y` of 1,000 elements, us", 1e3, 12, 12),
               ("launch", "`@cuda`, us", 1e3, 3, 3),
               ("growth", "memory growth of a minibatch, bytes", 1, 100, 100)]
HOST_ROWS = [("comprehension", "comprehension of 10^6 numbers"), ("comprehension_2d", "comprehension of 1,000 x 300 numbers"),
             ("dict_words", "Dict: count 100,000 words"), ("dict_numbers", "Dict: 100,000 sums by number"),
             ("split", "split of 100,000 words"), ("sort", "sort of 10^6 numbers, beside NumPy")]
HOST_GOAL = 3


def times(command, **environment):
    """{name: nanoseconds} that a process prints."""
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "KILN_CACHE_DIR": "", **environment}, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}


def row(text, values, goal):
    """Prints a row; returns true if the median meets the goal."""
    median = statistics.median(values)
    met = median <= goal
    print(f"| {text} | {median:.3g} ({min(values):.3g} to {max(values):.3g}) | {goal:g} | {'met' if met else 'missed'} |")
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    device, host, python = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        programs = {"device": DEVICE % os.path.join(HERE, "seeds", "network.jl"), "host": HOST}
        for name, text in programs.items():
            with open(os.path.join(folder, name + ".jl"), "w", encoding="utf-8") as file:
                file.write(text)
        script = [options.kiln, "script", "--device", options.device]
        for _ in range(options.rounds):
            device.append(times([*script, os.path.join(folder, "device.jl")]))
            host.append(times([*script, os.path.join(folder, "host.jl")]))
            python.append(times([sys.executable, "-c", PYTHON]))
    print("| row | median (minimum to maximum) | goal | |\n|---|---|---|---|")
    met = [row(text, [each[name] / unit for each in device], goal if options.device == "cpu" else gpu_goal)
           for name, text, unit, goal, gpu_goal in DEVICE_ROWS]
    met += [row(f"{text}, times Python's time" if "NumPy" not in text else f"{text}, times its time",
                [ours[name] / theirs[name] for ours, theirs in zip(host, python)], HOST_GOAL) for name, text in HOST_ROWS]
    return 1 if options.check and not all(met) else 0


if __name__ == "__main__":
    sys.exit(main())
