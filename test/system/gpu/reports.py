# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the program reports of a GPU: doctor's verdict, the JSON of run, kernels and waits in reports of timings."""
import json
import os
import re
import subprocess

SAXPY = ["saxpy.jl", "saxpy", "--arg", "ones(Float32, 1000000)", "--arg", "ones(Float32, 1000000)", "--arg", "2f0", "--threads", "256", "--blocks", "3907", "--device", "cuda"]
PROGRAM = """using CUDA
function fill_squares(y)
    i = threadIdx().x
    y[i] = i * i
    return
end
y = CUDA.zeros(Int64, 64)
for n in 1:100
    @cuda threads=64 fill_squares(y)
end
println(sum(Array(y)))
"""


def parsed(text):
    """The JSON object that a text is; an empty one for other texts, so that a check fails and the next one runs."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return {}


def reports(kiln, examples, folder):
    """Yields (what, right, how it was wrong)."""
    path = os.path.join(folder, "report")
    environment = {**os.environ, "KILN_CACHE_DIR": ""}

    def run(*words):
        return subprocess.run([kiln, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False)

    done = run("doctor", "--json")
    abilities = {each["name"]: each["available"] for each in parsed(done.stdout).get("abilities", [])}
    yield "doctor: a GPU can be used", abilities.get("run on a GPU") is True, done.stdout

    words = ["run", os.path.join(examples, SAXPY[0]), *SAXPY[1:]]
    done = run(*words, "--json")
    found = parsed(done.stdout)
    yield "run: JSON of a launch", found.get("blocks") == [3907, 1, 1] and found.get("threads") == [256, 1, 1] and found.get("device", "cpu") != "cpu", done.stdout + done.stderr

    done = run(*words, "--timing-kernels", f"--timings=html:{path}.html")
    page = open(f"{path}.html", encoding="utf-8").read() if done.returncode == 0 else ""
    data = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.S)
    report = json.loads(data[1]) if data else {}
    kernels = [kernel for kernel in report.get("kernels", []) if kernel.get("executions")]
    yield "page: the kernel's execution", len(kernels) == 1 and 0 < kernels[0]["execution_ns"]["min"] < 1e9, page[:500] + done.stderr
    yield "page: a lane for the GPU", "GPU 0" in page, page[:500] + done.stderr
    yield "page: the GPU's name", "NVIDIA" in json.dumps(report.get("process", {})), json.dumps(report.get("process", {}))

    with open(os.path.join(folder, "squares.jl"), "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    done = run("script", "--timings=json:squares.json", "squares.jl")
    yield "script: its sum", done.stdout == f"{sum(i * i for i in range(1, 65))}\n", done.stdout + done.stderr
    try:
        with open(os.path.join(folder, "squares.json"), encoding="utf-8") as file:
            report = parsed(file.read())
    except FileNotFoundError:
        report = {}
    if not report:
        yield "script: its report", False, done.stdout + done.stderr
        return
    calls = {}
    for row in report["rows"]:
        calls[row["name"]] = calls.get(row["name"], 0) + row["calls"]
    untimed = next(row["ns"] for row in report["rows"] if row["depth"] == 0 and row["name"] == "untimed")
    yield "script: launches and interpretation in the report", calls.get("launch", 0) >= 100 and calls.get("host interpretation", 0) > 0, json.dumps(calls)
    yield "script: at most a tenth is untimed", untimed < 0.1 * report["wall_ns"], f"{untimed} of {report['wall_ns']} ns"
