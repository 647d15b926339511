# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kiln.precompile on executors: threads, processes, Dask's scheduler with worker processes, also with workers that are killed.

Each case is a program of its own. A second program then runs the kernels, and its timings show that it compiled none. A gate in the kernels' module
holds a share until the test has killed the worker that runs it."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import kiln

TYPES = ["void(f4[::1])", "void(f8[::1])", "void(i4[::1])", "void(i8[::1])"]
MODULE = """
import os, sys, time
from kiln import cuda

gate = os.environ.get("GATE")
if gate and "kiln._share" in sys.orig_argv:
    with open(f"{gate}/new-{os.getpid()}", "w") as file:
        file.write(str(os.getppid()))
    os.rename(f"{gate}/new-{os.getpid()}", f"{gate}/share-{os.getpid()}")  # whole
    while not os.path.exists(f"{gate}/go"):
        time.sleep(0.02)

@cuda.jit
def one(y):
    y[0] = 1

@cuda.jit
def two(y):
    y[0] = y[0] + 2

@cuda.jit
def wrong(y):
    y[0] = nowhere(y)

def run_one(n):
    import numpy as np
    y = np.zeros(1)
    one[1, 1](y)
    return y[0]
"""
PROGRAM = """
import os, pathlib, signal, sys, time, warnings
import kiln, numpy as np
from kiln import cuda
from kernels_of_test import one, two, wrong
warnings.simplefilter("ignore")
TYPES = {types!r}
PAIRS = [(one, TYPES), (two, TYPES)]

@cuda.jit
def local(y):
    y[0] = 3

def kill_worker():
    # The first worker that compiles a share; then the gate opens.
    gate = pathlib.Path(os.environ["GATE"])
    for _ in range(3000):
        shares = list(gate.glob("share-*"))
        if shares:
            break
        time.sleep(0.02)
    os.kill(int(shares[0].read_text()), signal.SIGKILL)
    (gate / "go").touch()

if __name__ == "__main__":
    {text}
"""
USE = """
kiln.start_timings()
for kernel in [KERNELS]:
    for dtype in (np.float32, np.float64, np.int32, np.int64):
        y = np.ones(1, dtype); kernel[1, 1](y)
        assert y[0] == {"one": 1, "two": 3, "local": 3}[kernel.__name__]
assert "LLVM back-end" not in str(kiln.timings()), str(kiln.timings())
"""


@pytest.fixture
def program(tmp_path):
    """Runs a program with a cache folder of its own; `variables` are of its environment."""
    (tmp_path / "kernels_of_test.py").write_text(MODULE)
    (tmp_path / "gate").mkdir()
    folder = str(tmp_path / "cache")

    def run(text, **variables):
        path = tmp_path / "program.py"
        path.write_text(PROGRAM.format(types=TYPES, text=text.strip().replace("\n", "\n    ")))
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)]), "KILN_CACHE_DIR": folder, "KILN_REMOTE_CACHE": "", **variables}
        done = subprocess.run([sys.executable, "-B", path], capture_output=True, text=True, timeout=300, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run.gate = {"GATE": str(tmp_path / "gate")}
    run.folder = tmp_path / "cache"
    run.use = lambda kernels, **variables: run(USE.replace("KERNELS", kernels), **variables)
    return run


PROCESSES = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
def pool(): return ProcessPoolExecutor(2, mp_context=get_context("spawn"))
"""
DASK = """
from distributed import Client, LocalCluster
cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
"""
FILL = "done = kiln.precompile([*PAIRS, (local, TYPES)], executor=executor)\nassert done.compiled == 12 and not done.failed and not done.lost, done\n"


def test_the_timings_would_show_a_compile(program):
    program("kiln.start_timings()\none[1, 1](np.zeros(1))\nassert 'LLVM back-end' in str(kiln.timings())")


def test_results_of_processes_come_back(program):
    program(PROCESSES + "with pool() as executor:\n    " + FILL.replace("\n", "\n    ") + "\nfrom kiln import _kiln\nassert not _kiln.is_open()  # nothing was compiled here")
    program.use("one, two, local")


def test_a_worker_may_have_compiled_before(program):
    text = PROCESSES + "from kernels_of_test import run_one\nwith pool() as executor:\n    assert list(executor.map(run_one, range(4))) == [1] * 4\n    "
    program(text + FILL.replace("\n", "\n    "))
    program.use("one, two, local")


def test_a_folder_for_all(program, tmp_path):
    shared = str(tmp_path / "shared")
    program(PROCESSES + f"with pool() as executor:\n    done = kiln.precompile(PAIRS, executor=executor, cache_dir={shared!r})\n    assert done.compiled == 8, done")
    assert not program.folder.exists()
    program.use("one, two", KILN_CACHE_DIR=shared)


def test_threads_of_this_process(program):
    program("from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as executor:\n    " + FILL.replace("\n", "\n    "))
    program.use("one, two, local")


def test_a_pool_with_apply_async(program):
    """As Ray's pool has, here of threads."""
    program("from multiprocessing.pool import ThreadPool\nwith ThreadPool(2) as executor:\n    " + FILL.replace("\n", "\n    "))
    program.use("one, two, local")


def test_failures_come_back(program):
    text = PROCESSES + "with pool() as executor:\n    done = kiln.precompile([(one, TYPES), (wrong, 'void(f4[::1])')], executor=executor)\n    print(done)\n    assert done.compiled == 4 and done.failed[0][0] == 'wrong'"
    assert "4 compiled, 1 failed" in program(text)


def test_wrong_executors(program):
    text = """
for wrong, variable in ((3, "x"), (object(), "x")):
    try:
        kiln.precompile(PAIRS, executor=wrong)
    except TypeError as error:
        print(error)
import multiprocessing
with multiprocessing.get_context("spawn").Pool(1) as pool:
    try:
        kiln.precompile(PAIRS, executor=pool)
    except TypeError as error:
        print(error)
from concurrent.futures import ThreadPoolExecutor
kiln.use_cache_dir("")
try:
    kiln.precompile(PAIRS, executor=ThreadPoolExecutor(1))
except ValueError as error:
    print(error)
"""
    out = program(text)
    assert out.count("executor needs submit") == 2 and "use concurrent.futures.ProcessPoolExecutor" in out and "keeps no cache" in out


def test_a_killed_process_of_a_pool(program):
    """The pool breaks. What the other tasks compiled is kept, and a second call with what was lost compiles the rest."""
    text = PROCESSES + """
import threading
threading.Thread(target=kill_worker, daemon=True).start()
executor = pool()
try:
    kiln.precompile(PAIRS, executor=executor)
    raise SystemExit("the pool did not break")
except kiln.PrecompileError as error:
    print(error)
    report, rest = error.report, error.kernels
    assert report.lost and report.compiled + len(report.lost) == 8 and not report.failed, report
    assert type(error.__cause__).__name__ == "BrokenProcessPool"
with pool() as executor:
    done = kiln.precompile(rest, executor=executor)
    assert done.compiled == len(report.lost), done
"""
    out = program(text, **program.gate)
    assert "the executor lost" in out and "of 8 kernels (BrokenProcessPool:" in out and "Give this error's `kernels` to kiln.precompile" in out
    program.use("one, two")


def test_what_a_broken_pool_has_done_is_kept(program):
    """The worker is killed when all but its own share are done."""
    text = PROCESSES + """
class Once:
    # Breaks at its last task, as a pool does.
    def __init__(self, pool): self.pool, self.left = pool, 7
    def submit(self, *task):
        if self.left == 0: raise RuntimeError("the pool is broken")
        self.left -= 1
        return self.pool.submit(*task)
with pool() as executor:
    try:
        kiln.precompile(PAIRS, executor=Once(executor), workers=2)
    except kiln.PrecompileError as error:
        assert error.kernels[0][0] is two and error.report.compiled == 7 and error.report.lost == [("two", ("array(int64, 1d, C)",))], error.report
        print("kept")
"""
    assert "kept" in program(text)
    program.use("one")


def test_dask(program):
    pytest.importorskip("distributed", reason="distributed is not installed")
    program(DASK + "with cluster, Client(cluster) as executor:\n    " + FILL.replace("\n", "\n    "))
    program.use("one, two, local")


def test_dask_with_a_killed_worker(program):
    """Dask starts another worker and repeats the killed one's shares."""
    pytest.importorskip("distributed", reason="distributed is not installed")
    text = DASK + """
import threading
with cluster, Client(cluster) as executor:
    before = set(executor.run(os.getpid).values())
    killer = threading.Thread(target=kill_worker, daemon=True)
    killer.start()
    done = kiln.precompile(PAIRS, executor=executor)
    assert done.compiled == 8 and not done.failed and not done.lost, done
    killer.join()
    for _ in range(500):
        after = set(executor.run(os.getpid).values())
        if len(after) == 2: break
        time.sleep(0.02)
    assert len(after & before) == 1, (before, after)  # one of them was killed
"""
    program(text, **program.gate)
    program.use("one, two")


def test_results_go_through_a_remote_cache(program, tmp_path):
    """Workers publish to the store, and another machine finds all there."""
    bin_folder = pathlib.Path(kiln.__file__).resolve().parents[2] / "build/release/bin"
    agent = shutil.which("kiln-agent", path=os.pathsep.join([str(bin_folder), os.environ.get("PATH", "")]))
    if agent is None:
        pytest.skip("kiln-agent is not built")
    (tmp_path / "store").mkdir()
    # A socket's path has at most 107 bytes.
    import tempfile

    with tempfile.TemporaryDirectory(prefix="kiln-agent-") as own:
        variables = {"PATH": os.pathsep.join([os.path.dirname(agent), os.environ["PATH"]]), "KILN_AGENT": f"{own}/agent.sock", "KILN_REMOTE_TRUST": "none", "KILN_REMOTE_CACHE": f"file://{tmp_path}/store"}
        try:
            program(PROCESSES + "with pool() as executor:\n    " + FILL.replace("\n", "\n    "), **variables)
            subprocess.run([agent, "stop", "--socket", variables["KILN_AGENT"]], check=True, timeout=60)  # after its uploads
            # A session waits only milliseconds for its agent. One that misses an answer on a busy machine compiles; the next session asks again.
            for attempt in range(20):
                try:
                    program.use("one, two, local", **variables, KILN_CACHE_DIR=str(tmp_path / f"other-{attempt}"))
                    break
                except AssertionError:
                    if attempt == 19:
                        raise
        finally:
            subprocess.run([agent, "stop", "--socket", variables["KILN_AGENT"]], check=False, timeout=60)
