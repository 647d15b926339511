# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Timings, products, advice, and compiling before a program runs."""

import json
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import kiln
from kiln import cuda


@cuda.jit
def scale(y, a):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = y[i] * 2.0 + a


def test_timings(tmp_path):
    @cuda.jit
    def fresh(y):
        y[0] = 42

    kiln.start_timings()
    fresh[1, 1](np.zeros(1))
    report = kiln.timings()
    assert "inference" in str(report) and repr(report) == str(report)
    assert report.json()["kiln_timings"] >= 1
    page = report.html("the title of this page")
    assert page.lstrip().lower().startswith("<!doctype html") and "the title of this page" in page
    shown = report._repr_html_()
    assert shown.startswith("<iframe") and "<script" not in shown and "srcdoc=" in shown
    assert "frameElement" in shown  # the page's script that gives the frame its height; test/system/docs uses it in a browser
    for name, begin in (("t.html", "<!"), ("t.json", "{"), ("t.txt", " ")):
        report.save(tmp_path / name)
        assert (tmp_path / name).read_text().lstrip("\n").startswith(begin)


def details(page):
    return json.loads(re.search(r'id="details">(.*?)</script>', page, re.DOTALL)[1])


def test_events_are_kept_on_request():
    def fresh(y):
        y[0] = 43

    for events in (False, True):
        kiln.start_timings(events=events)
        cuda.jit(fresh)[1, 1](np.zeros(1))
        timeline = details(kiln.timings().html())["timeline"]
        assert (timeline is not None) == events
    assert timeline["threads"][0] == "main thread" and "inference" in timeline["names"] and timeline["dropped"] == 0
    names = [timeline["names"][event[0]] for event in timeline["events"] if event[0] >= 0]
    assert names.count("inference") == 1


def test_a_job_knows_its_source():
    @cuda.jit
    def placed(y):
        y[0] = 44

    kiln.start_timings()
    placed[1, 1](np.zeros(1))
    job, = kiln.timings().json()["jobs"]
    assert job["file"] == __file__ and job["line"] in range(placed.py_func.__code__.co_firstlineno, placed.py_func.__code__.co_firstlineno + 2)


def test_timings_of_kernels():
    y = np.zeros(4, np.float32)
    kiln.start_timings(kernels=True)
    for _ in range(3):
        scale[1, 4](y, 1.0)
    cuda.synchronize()
    timed, = (kernel for kernel in kiln.timings().json()["kernels"] if "executions" in kernel)
    times = timed["execution_ns"]
    assert timed["executions"] == 3 and 0 < times["min"] <= times["median"] <= times["max"] <= times["total"]
    kiln.start_timings()
    scale[1, 4](y, 1.0)
    assert not any("executions" in kernel for kernel in kiln.timings().json()["kernels"])


def test_inspect():
    y = np.zeros(4, np.float32)
    scale[1, 4](y, 1.0)
    assert all(".visible .entry" in text for text in scale.inspect("asm", cc=90).values())
    assert "define" in scale.inspect("llvm", "void(f4[::1], f8)")
    cubin = kiln.types.arguments_of("void(f8[::1], f8)")  # not compiled so far
    assert ".target sm_80" in scale.inspect("asm", cubin, cc=80)
    assert ".target sm_90a" in scale.inspect("asm", cubin, cc="90a")
    assert ".target sm_120f" in scale.inspect("asm", cubin, cc="sm_120f")
    for wrong, error in (("hopper", ValueError), (9.0, TypeError), ("91", ValueError)):
        with pytest.raises(error):
            scale.inspect("asm", cubin, cc=wrong)
    with pytest.raises(ValueError, match="asm"):
        scale.inspect("nothing")


def test_advice():
    @cuda.jit
    def columns(y, x):
        i = cuda.grid(1)
        y[i] = x[i, 0]

    report = columns.advice("void(f4[::1], f4[:, ::1])", cc=90)
    assert [each.rule for each in report] == ["stride"]
    assert report[0].file == __file__ and report[0].line == columns.py_func.__code__.co_firstlineno + 3
    assert "let cuda.threadIdx.x run along the last index" in report[0].hint and "threadIdx()" not in report[0].message
    assert "stride" in repr(report[0]) and "<table>" in report._repr_html_()

    @cuda.jit
    def narrow(y):
        y[cuda.grid(1)] = 1

    report = narrow.advice("void(f4[::1])", cc=90)
    assert report == []
    # docs/guide/advice.md lists ten rules. Those that did not run have a line each, or share one.
    left_out = [rule for text in report.not_checked for rule in text.split(": ")[0].split(", ")]
    assert report.num_checked == 10 - len(left_out)
    lines = [f"nothing found by {report.num_checked} rules", *(f"not checked: {text}" for text in report.not_checked)]
    assert str(report).split("\n") == repr(report).split("\n") == lines
    assert report._repr_html_().startswith(f"<p>{lines[0]}</p>")


def test_advice_about_lockstep():
    @cuda.jit
    def neighbour(y):
        values = cuda.shared.array(33, np.float32)
        i = cuda.threadIdx.x
        values[i] = y[i]
        y[i] = values[i + 1]

    report = neighbour.advice("void(f4[::1])", cc=90)
    assert [each.rule for each in report] == ["lockstep"]
    assert report[0].line == neighbour.py_func.__code__.co_firstlineno + 5
    assert "the thread 1 after it writes" in report[0].message and "cuda.syncwarp()" in report[0].hint

    @cuda.jit(check=True)
    def checked(y):
        values = cuda.shared.array(33, np.float32)
        i = cuda.threadIdx.x
        values[i] = y[i]
        y[i] = values[i + 1]

    with pytest.raises(kiln.errors.RaceError):
        checked[1, 32](np.ones(32, np.float32))
        cuda.synchronize()


def test_kernels_are_pickled_by_name():
    assert pickle.loads(pickle.dumps(scale)) is scale


PROGRAM = """
import sys
import kiln, numpy as np
from kiln import cuda
sys.path.insert(0, {tests!r})
import warnings; warnings.simplefilter("ignore")

@cuda.jit
def one(y):
    y[0] = 1

@cuda.jit
def two(y, x):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = x[i] * 3

if __name__ == "__main__":
    {text}
"""


def program(tmp_path, text, **variables):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(tests=str(tmp_path), text=text.replace("\n", "\n    ")))
    import os

    done = subprocess.run([sys.executable, "-B", path], capture_output=True, text=True, timeout=300, env={**os.environ, **variables})
    assert done.returncode == 0, done.stderr
    return done.stdout


FILL = """
done = kiln.precompile([(one, "void(f4[::1])"), (two, ["void(f4[::1], f4[::1])", "void(f8[::1], f8[::1])"])], cache_dir={folder!r}, {more})
assert done.compiled == {count} and not done.failed, done
"""
USE = """
kiln.start_timings()
y = np.zeros(8); two[1, 8](y, np.ones(8)); one[1, 1](y)
assert y.tolist() == [1] + [3] * 7
assert "LLVM back-end" not in str(kiln.timings()), str(kiln.timings())
"""


def test_precompile_fills_the_folder(tmp_path):
    folder = str(tmp_path / "cache")
    program(tmp_path, FILL.format(folder=folder, more="", count=3) + "one[1, 1](np.zeros(1))\n")
    program(tmp_path, USE.replace("one[1, 1](y)", "y[0] = 1"), KILN_CACHE_DIR=folder)
    program(tmp_path, FILL.format(folder=folder, more="cc=[80, 90]", count=6))


def test_precompile_says_what_failed(tmp_path):
    text = """
done = kiln.precompile([(one, "void(f4)"), (one, "void(f4[::1])")])
assert done.compiled == 1 and done.failed[0][0] == "one", done
print(done)
for wrong in ([one], [3]):
    try:
        kiln.precompile(wrong)
    except (TypeError, ValueError) as error:
        print(type(error).__name__)
"""
    out = program(tmp_path, text)
    assert "1 compiled, 1 failed" in out and "TypingError" in out and "ValueError\nTypeError" in out


def test_the_cache_is_chosen_before_the_first_compile(tmp_path):
    text = f"""
one[1, 1](np.zeros(1))
try:
    kiln.use_cache_dir({str(tmp_path)!r})
except RuntimeError as error:
    print(error)
"""
    assert "before the first compile" in program(tmp_path, text)


def test_remote_stores_are_chosen_before_the_first_compile(tmp_path):
    text = """
for wrong in ("cache.example", 3):
    try:
        kiln.use_remote_cache(wrong)
    except ValueError as error:
        print(error)
kiln.use_remote_cache()
one[1, 1](np.zeros(1))
try:
    kiln.use_remote_cache("redis://127.0.0.1:1")
except RuntimeError as error:
    print(error)
"""
    out = program(tmp_path, text)
    assert out.count("takes URLs") == 2 and "before the first compile" in out


def test_precompile_on_a_dask_cluster(tmp_path):
    pytest.importorskip("distributed", reason="distributed is not installed")
    folder = str(tmp_path / "cache")
    text = f"""
import os
from distributed import Client, LocalCluster
with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as client:
    {FILL.format(folder=folder, more="client=client", count=3).strip().replace(chr(10), chr(10) + "    ")}
    workers = client.run(os.getpid)
    assert len(set(workers.values()) - {{os.getpid()}}) == 2
from kiln import _kiln
assert not _kiln.is_open()  # nothing was compiled here
"""
    program(tmp_path, text)
    assert any((tmp_path / "cache").rglob("*"))
    program(tmp_path, USE.replace("one[1, 1](y)", "y[0] = 1"), KILN_CACHE_DIR=folder)
