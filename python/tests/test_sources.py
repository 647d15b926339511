# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that are in no file: standard input, `-c`, prompts, consoles, exec, and exec by many threads."""

import os
import select
import subprocess
import sys
import time

import pytest

ENVIRONMENT = {**os.environ, "KILN_CACHE_DIR": "", "PYTHONWARNINGS": "ignore"}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A home of each test's own: Python keeps the history of its prompt there, and Kiln finds texts in it."""
    monkeypatch.setitem(ENVIRONMENT, "HOME", str(tmp_path))


PROGRAM = """import numpy as np
from kiln import cuda

def half(x):
    # a line that is not code
    return x / 2

@cuda.jit
def kernel(y):
    i = cuda.grid(1)

    if i < y.size:
        y[i] = half(y[i]) + text_length
text_length = len('''
def half(x): return 3
''')
y = np.array([2.0, 4.0])
kernel[1, 2](y)
print(y.tolist())
twice = cuda.jit(lambda y: y.__setitem__(0, y[0])) if False else None
"""
EXPECTED = "[24.0, 25.0]\n"  # 23 characters of text


def python(*arguments, **options):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=ENVIRONMENT, timeout=120, **options)


def test_standard_input_from_a_file(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    for arguments in (["-"], []):
        with open(path) as file:
            done = python(*arguments, stdin=file)
        assert done.stdout == EXPECTED, done.stderr


def test_standard_input_from_a_pipe():
    done = python("-", input=PROGRAM)
    assert done.returncode != 0 and "SourceError" in done.stderr
    assert "the source of `kernel` is missing" in done.stderr and "python FILE" in done.stderr and "`python - < FILE`" in done.stderr


def test_command():
    for arguments in (["-c", PROGRAM], ["-c" + PROGRAM], ["-Bc", PROGRAM], ["-W", "ignore", "-c", PROGRAM, "-c"]):
        done = python(*arguments)
        assert done.stdout == EXPECTED, done.stderr


class Terminal:
    """Python's prompt at a terminal of its own."""

    def __init__(self, *arguments):
        pty = pytest.importorskip("pty")
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, [sys.executable, "-q", *arguments], {**ENVIRONMENT, "TERM": "dumb", "PYTHON_BASIC_REPL": "1"})
        self.text = ""

    def read_until(self, wanted, seconds=60):
        end = time.monotonic() + seconds
        while wanted not in self.text and time.monotonic() < end:
            if select.select([self.file], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self.file, 65536).decode(errors="replace")
                except OSError:
                    break
        assert wanted in self.text, self.text
        seen, self.text = self.text.partition(wanted)[0], self.text.partition(wanted)[2]
        return seen

    def write(self, line):
        os.write(self.file, line.encode() + b"\n")

    def close(self):
        self.write("exit()")
        os.close(self.file)
        os.waitpid(self.pid, 0)


PROMPT = [
    "import numpy as np, readline",
    "from kiln import cuda",
    "def half(x):",
    "    return x / 2",
    "",
    "@cuda.jit",
    "def kernel(y):",
    "    i = cuda.grid(1)",
    "    if i < y.size:",
    "        y[i] = half(y[i]) + 1",
    "",
    "y = np.array([2.0, 4.0])",
    "kernel[1, 2](y)",
    "print('result', y.tolist())",
]


@pytest.mark.parametrize("arguments", [[], ["-i", "-c", "before = 1"]])
def test_the_prompt(arguments):
    terminal = Terminal(*arguments)
    terminal.read_until(">>>")
    for line in PROMPT:
        terminal.write(line)
    terminal.read_until("result [2.0, 3.0]")
    for line in ("def half(x):", "    return x / 4", "", "@cuda.jit", "def kernel(y):", "    y[0] = half(y[0])", "", "kernel[1, 1](y)", "print('again', y.tolist())"):
        terminal.write(line)  # defines both again: the launch must use these definitions
    terminal.read_until("again [0.5, 3.0]")
    terminal.close()


def test_a_prompt_without_history():
    done = python("-i", "-q", input="\n".join(PROMPT[:1] + PROMPT[1:]).replace(", readline", "") + "\n")
    if sys.version_info >= (3, 13):  # which keeps the text
        assert "result [2.0, 3.0]" in done.stdout
    else:
        assert "IPython" in done.stderr and "is missing" in done.stderr


def test_consoles():
    text = f"""
import code
console = code.InteractiveConsole()
for line in {PROMPT!r}:
    console.push(line)
"""
    done = python("-c", text)
    assert "result [2.0, 3.0]" in done.stdout, done.stderr


def test_cells_of_ipython():
    pytest.importorskip("IPython", reason="IPython is not installed")
    text = f"""
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in {chr(10).join(PROMPT)!r}.replace("import numpy as np, readline", "import numpy as np").split("\\n\\n"):
    shell.run_cell(cell, store_history=True)
"""
    done = python("-c", text)
    assert "result [2.0, 3.0]" in done.stdout, done.stderr


def test_helpers_that_exec_made():
    done = python("-c", f"program = {PROGRAM!r}\nexec(program, {{}})\n")
    assert done.stdout == EXPECTED, done.stderr


def test_exec_by_many_threads():
    """The audit hook that keeps texts of exec runs on all of them."""
    text = """
import sys, threading
import numpy as np
from kiln import cuda
@cuda.jit
def first(y):
    y[0] = 1
first[1, 1](np.zeros(1))
sys.setswitchinterval(1e-6)
errors = []
def work(number):
    try:
        for k in range(3000):
            scope = {}
            text = f"def f(): return {number * 10000 + k}"
            exec(text, scope)
            assert scope["f"]() == number * 10000 + k
    except BaseException as error:
        errors.append(repr(error))
def compile_some():
    try:
        for k in range(20):
            scope = {"cuda": cuda}
            text = f"def g(y):\\n    y[0] = {k}\\n"
            exec(text, scope)
            y = np.zeros(1)
            cuda.jit(scope["g"])[1, 1](y)
            assert y[0] == k
    except BaseException as error:
        errors.append(repr(error))
threads = [threading.Thread(target=work, args=(n,)) for n in range(8)] + [threading.Thread(target=compile_some)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(errors)
"""
    done = python("-c", text)
    assert done.stdout == "[]\n", done.stdout[:2000] + done.stderr
