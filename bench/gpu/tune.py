#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tuner's figures: 64 candidates of a tiled matrix product from nothing, the same again, one more candidate, an exhaustive search
beside, and candidates that do not end or lose the device.

    tune.py --kiln PROGRAM [--size N] [--device cuda|cpu] [--json FILE]

Each search is a process of its own; NVIDIA's cache is off. `whole` is the process from its start to its end, `search` the tuner's own clock.
The winner's product is compared with one that NumPy computes in Float64. On the CPU, with a small size, it shows that the script works.
Ends with 77 (skipped) where there is no GPU, with 1 where something is not as it must be.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "tune.jl")
ENVIRONMENT = dict(os.environ, CUDA_CACHE_DISABLE="1")
# 64 candidates, all of which a block of up to 1,024 threads and 48 kB of shared memory can run.
PARAMETERS = {"BM": [64, 128], "BN": [64, 128], "BK": [4, 8, 16, 32], "TM": [4, 8], "TN": [4, 8]}
faults = []


def expect(holds, text):
    print(("ok      " if holds else "WRONG   ") + text, flush=True)
    if not holds:
        faults.append(text)


def run(words, status=0):
    began = time.monotonic()
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, env=ENVIRONMENT)
    whole = time.monotonic() - began
    if done.returncode != status:
        print(done.stdout[-3000:], done.stderr[-3000:])
        expect(False, f"{' '.join(words)} ends with {status}, not {done.returncode}")
    return done, whole


def name(candidate):
    return " ".join(f"{key}={value}" for key, value in candidate["values"].items())


class Search:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def __call__(self, function, arguments, parameters, *words, cache="cache", status=0):
        command = [self.options.kiln, "tune", SOURCE, function, "--device", self.options.device, "--cache", os.path.join(self.folder, cache), "--seed", "1"]
        command += [word for each in arguments for word in ("--arg", each)]
        command += [word for key, values in parameters.items() for word in ("--param", f"{key}={','.join(map(str, values))}")]
        done, whole = run(command + ["--json", "-"] + list(words), status)
        try:
            return json.loads(done.stdout), whole, done.stderr
        except ValueError:
            expect(False, f"{function}: no JSON: {done.stdout[:200]} {done.stderr[-1000:]}")
            return None, whole, done.stderr


def product(search, size, parameters, *words, **more):
    arguments = [f"zeros(Float32, {size}, {size})", f"rand(Float32, {size}, {size})", f"rand(Float32, {size}, {size})"]
    arguments += [f"Val(${key})" for key in PARAMETERS]
    reference = ["--reference", "simple", "--reference-threads", "16,16", "--reference-blocks", f"{size // 16},{size // 16}"]
    if search.options.device == "cpu":
        reference = ["--reference", ",".join(f"{key}={values[0]}" for key, values in parameters.items())]
    return search("tiled", arguments, parameters, "--threads", "(BM / TM) * (BN / TN)", "--blocks", "size(1, 1) / BM,size(1, 2) / BN",
                  "--flops", str(2 * size ** 3), *reference, *words, **more)


def tell(what, result, whole):
    best = result["candidates"][result["winner"]] if result["winner"] is not None else None
    print(f"{what}: whole {whole:.2f} s; search {result['seconds']:.3f} s: compile {result['compile_seconds']:.3f}, compare {result['check_seconds']:.3f}, "
          f"measure {result['measure_seconds']:.3f}; {result['compiled']} compiled, {result['measured']} measured, {result['rounds']} rounds, noise {100 * result['noise']:.2f} %"
          + (f"; winner {name(best)}: {best['ns'] / 1e3:.2f} us +- {100 * best['noise']:.2f} %, {result['flops'] / best['ns']:.0f} GFLOP/s" if best else ""), flush=True)


def check_values(options, folder, size, best):
    """The winner's product by NumPy, in Float64, from the arrays that the run wrote."""
    try:
        import numpy
    except ImportError:
        print("skipped: values, for there is no NumPy")
        return
    files = [os.path.join(folder, f"{i}.npy") for i in (1, 2, 3)]
    values = best["values"]
    words = [options.kiln, "run", SOURCE, "tiled", "--device", options.device, "--seed", "1", "--no-cache"]
    for each in [f"zeros(Float32, {size}, {size})", f"rand(Float32, {size}, {size})", f"rand(Float32, {size}, {size})"] + [f"Val({values[key]})" for key in PARAMETERS]:
        words += ["--arg", each]
    words += ["--threads", ",".join(map(str, best["threads"])), "--blocks", ",".join(map(str, best["blocks"]))]
    for i, path in enumerate(files):
        words += ["--out", f"{i + 1}={path}"]
    run(words)
    c, a, b = (numpy.load(path) for path in files)
    right = a.astype(numpy.float64) @ b.astype(numpy.float64)
    expect(float(numpy.max(numpy.abs(c - right))) <= 1e-4 * float(numpy.max(right)), f"the winner's product is NumPy's: {numpy.max(numpy.abs(c - right)) / numpy.max(right):.1e} apart")


def products(search, options, figures):
    size = options.size
    parameters = PARAMETERS if options.device != "cpu" else {"BM": [16, 32], "BN": [16], "BK": [4, 8], "TM": [4], "TN": [4]}
    count = 1
    for values in parameters.values():
        count *= len(values)
    colds = []
    for turn in range(3 if options.device != "cpu" else 1):
        cold, whole, _ = product(search, size, parameters, cache=f"cache{turn}")
        tell(f"cold, {count} candidates", cold, whole)
        expect(cold["compiled"] == count and cold["winner"] is not None and len(cold["candidates"]) == count, f"{count} are compiled")
        expect(all(c["state"] in ("measured", "dropped") for c in cold["candidates"]), "all are right")
        colds.append((cold, whole))
    warm, whole, _ = product(search, size, parameters, cache="cache0")
    tell("again", warm, whole)
    expect(warm["compiled"] == 0 and warm["measured"] == 0 and warm["winner"] == colds[0][0]["winner"], "nothing is compiled or measured again")
    figures["again_whole"] = whole
    more, whole, _ = product(search, size, dict(parameters, BK=parameters["BK"] + [64 // 4 if options.device == "cpu" else 2]), "--constraint",
                             f"BK != {16 if options.device == 'cpu' else 2} || BM + BN + TM + TN == {min(parameters['BM']) + min(parameters['BN']) + 8}", cache="cache0")
    tell("one more candidate", more, whole)
    expect(more["compiled"] == 1 and more["measured"] == 1, "one is compiled and measured")
    figures["one_more_whole"], figures["one_more_search"] = whole, more["seconds"]
    full, whole, _ = product(search, size, parameters, "--exhaustive", "--rounds", "12", cache="cache-exhaustive")
    tell("exhaustive", full, whole)
    figures["exhaustive_whole"] = whole
    times = {name(c): c["ns"] for c in full["candidates"]}
    best = min(times.values())
    for cold, _ in colds:
        winner = name(cold["candidates"][cold["winner"]])
        loss = times[winner] / best - 1
        expect(loss <= 0.02 or options.device == "cpu", f"the winner {winner} is {100 * loss:.2f} % off the exhaustive search's best")
    figures["cold"] = [{"whole": whole, "search": cold["seconds"], "compile": cold["compile_seconds"], "check": cold["check_seconds"], "measure": cold["measure_seconds"],
                        "winner": name(cold["candidates"][cold["winner"]]), "loss": times[name(cold["candidates"][cold["winner"]])] / best - 1} for cold, whole in colds]
    figures["samples"] = [sum(len(c["samples"]) for c in result["candidates"]) for result in (colds[0][0], full)]
    figures["worst_to_best"] = max(times.values()) / best
    check_values(options, search.folder, size, colds[0][0]["candidates"][colds[0][0]["winner"]])


def several_gpus(search, options, figures):
    """One GPU and all of them by turns, with the L2 cache flushed before each launch, so that measuring takes longest."""
    count = len(run(["nvidia-smi", "-L"])[0].stdout.splitlines())
    if count < 2:
        print("skipped: a search by several GPUs, for there is one")
        return
    rows = []
    for turn in range(3):
        one, _, _ = product(search, options.size, PARAMETERS, "--flush-l2", cache=f"one{turn}")
        all_, _, _ = product(search, options.size, PARAMETERS, "--flush-l2", "--devices", "all", cache=f"all{turn}")
        tell("one GPU", one, 0)
        tell(f"{count} GPUs", all_, 0)
        winners = [each["candidates"][each["winner"]] for each in (one, all_)]
        in_one = {name(c): c["ns"] for c in one["candidates"]}
        loss = in_one[name(winners[1])] / winners[0]["ns"] - 1
        expect(loss < 0.01, f"both find {name(winners[0])}, or its equal: {name(winners[1])}, {100 * loss:.2f} % off")
        expect(all_["measured"] == one["measured"], "each candidate is examined once")
        rows.append((one, all_))
    for key in ("seconds", "check_seconds", "measure_seconds"):
        ratios = sorted(all_[key] / one[key] for one, all_ in rows)
        print(f"{key}: {count} GPUs take {ratios[1]:.2f} ({ratios[0]:.2f} to {ratios[2]:.2f}) of one GPU's time", flush=True)
        figures[f"several_{key}"] = ratios


def lost_devices(search, options, figures):
    values = [1, 2, 3, 4, 5, 8] + ([7] if options.device != "cpu" else [])
    result, whole, said = search("bad", ["ones(Float32, 1000000)", "Val($N)"], {"N": values}, "--threads", "256", "--blocks", "cld(length(1), 256 * N)",
                                 "--reference", "plain", "--time-limit", "1", cache="cache-bad")
    if result is None:
        return
    tell("candidates that do not end", result, whole)
    states = {c["values"]["N"]: c["state"] for c in result["candidates"]}
    print("states:", states, said.strip().replace("\n", " | "))
    expect(states["3"] == "wrong" and states["5"] == "timed out" and all(states[str(n)] in ("measured", "dropped") for n in (1, 2, 4, 8)), "each has its state, and the search a winner")
    if options.device != "cpu":
        expect(states["7"] == "failed", "the one that writes nowhere has failed")
    figures["lost_whole"] = whole


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--size", type=int, default=2048)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--json")
    parser.add_argument("--only-several", action="store_true", help="only searches by several GPUs")
    options = parser.parse_args()
    if options.device != "cpu" and subprocess.run([options.kiln, "doctor"], stdout=subprocess.PIPE, text=True).stdout.find("sm_") < 0:
        print("skipped: no GPU")
        sys.exit(77)
    figures = {"device": options.device, "size": options.size}
    with tempfile.TemporaryDirectory() as folder:
        search = Search(options, folder)
        if options.only_several:
            several_gpus(search, options, figures)
            print(json.dumps(figures))
            sys.exit(1 if faults else 0)
        products(search, options, figures)
        done, _ = run([options.kiln, "tune", SOURCE, "tiled", "--device", options.device, "--cache", os.path.join(folder, "cache0"), "--seed", "1", "--recorded", "--explain"]
                      + [word for each in [f"zeros(Float32, {options.size}, {options.size})"] + [f"rand(Float32, {options.size}, {options.size})"] * 2 + [f"Val(${key})" for key in PARAMETERS] for word in ("--arg", each)]
                      + [word for key, values in PARAMETERS.items() for word in ("--param", f"{key}={values[0]}" if options.device == "cpu" else f"{key}={','.join(map(str, values))}")]
                      + ["--threads", "(BM / TM) * (BN / TN)", "--blocks", "size(1, 1) / BM,size(1, 2) / BN", "--flops", str(2 * options.size ** 3), "--reference", "simple",
                         "--reference-threads", "16,16", "--reference-blocks", f"{options.size // 16},{options.size // 16}"])
        print("\n".join(done.stdout.split("\n")[:24]))
        lost_devices(search, options, figures)
        if options.device != "cpu":
            several_gpus(search, options, figures)
    print(json.dumps(figures))
    if options.json:
        with open(options.json, "w") as file:
            json.dump(figures, file)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
