#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The prompt on a terminal: lines are edited, completed and remembered. A pseudo-terminal plays the terminal; the
expected values are written here."""
import argparse
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

TIMEOUT = 60  # seconds until an expected text must be there
UP, LEFT, HOME, CONTROL_C, CONTROL_D, TAB = "\x1b[A", "\x1b[D", "\x01", "\x03", "\x04", "\t"


class Prompt:
    """`kiln repl` on a pseudo-terminal."""

    def __init__(self, kiln, home, *options, **environment):
        ours, theirs = pty.openpty()
        env = dict(os.environ, HOME=home, TERM="xterm", KILN_CACHE_DIR="", **environment)
        for name in {"XDG_STATE_HOME", "LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR"} - set(environment):
            env.pop(name, None)
        def take_terminal():
            os.setsid()
            os.close(os.open(os.ttyname(0), os.O_RDWR))  # the controlling terminal: Ctrl-C is a signal
        self.process = subprocess.Popen([kiln, "repl", *options], stdin=theirs, stdout=theirs, stderr=theirs, env=env,
                                        preexec_fn=take_terminal)
        os.close(theirs)
        self.terminal, self.seen, self.raw = ours, "", ""
        self.greeting = self.expect("kiln> ")

    def type(self, text):
        os.write(self.terminal, text.encode())

    def expect(self, text):
        """Waits until `text` was printed, leaves what came up to it behind, and gives that."""
        deadline = time.monotonic() + TIMEOUT
        while text not in self.seen:
            ready, _, _ = select.select([self.terminal], [], [], max(0, deadline - time.monotonic()))
            try:
                more = os.read(self.terminal, 65536).decode("utf-8", "replace") if ready else ""
            except OSError:  # the other side is closed
                more = ""
            if not more:
                sys.exit(f"prompt.py: {text!r} did not come; there was {self.seen!r}")
            self.raw += more
            self.seen += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", more)  # cursor movements apart
        before, _, self.seen = self.seen.partition(text)
        return before

    def line(self, text, *expected):
        self.type(text + "\n")
        for each in expected:
            self.expect(each)
        self.expect("kiln> ")

    def end(self, status=0):
        deadline = time.monotonic() + TIMEOUT
        while self.process.poll() is None and time.monotonic() < deadline:
            if select.select([self.terminal], [], [], 0.05)[0]:
                try:
                    os.read(self.terminal, 65536)
                except OSError:
                    pass
        if self.process.poll() is None:
            self.process.kill()
            sys.exit("prompt.py: the prompt did not end")
        os.close(self.terminal)
        if self.process.returncode != status:
            sys.exit(f"prompt.py: exit status {self.process.returncode} for {status}")


    def quit(self):
        self.type(CONTROL_D)
        self.end()


def require(holds, what):
    if not holds:
        sys.exit(f"prompt.py: {what}")


def check_answers(kiln, home):
    """`ans`, help, and lines that Julia's prompt takes for another mode."""
    p = Prompt(kiln, home, "--device", "cpu")
    for text in (r"^Kiln \d+\.\d+\.\d+: ", r"Device: .*\(\d+ threads\)", r"\?name", r"exit\(\) or Ctrl-D"):
        require(re.search(text, p.greeting, re.M), f"the greeting has no {text}: {p.greeting!r}")
    p.line("6 * 7", "\r\n42\r\n")
    p.line("ans + 1", "\r\n43\r\n")
    p.line("nothing")
    p.line("undefined_name", "UndefVarError")
    p.line("ans + 1", "\r\n44\r\n")                               # neither nothing nor an error
    p.type("50 + 5;\n")
    require("55" not in p.expect("kiln> "), "a `;` at the end of a line does not hide the value")
    p.line("ans", "\r\n55\r\n")
    p.line("x = 3; y = x + 4; # a comment\nans + 1", "\r\n8\r\n")
    p.line("\"Doubles a number.\" double(x) = 2x", "double (generic function with 1 method)")
    p.line("?double", "Doubles a number.", "[1] double(x)", "REPL[", ":1")
    p.line("\"A point.\" struct Point; x::Int; y::Float64; end")
    p.line("? Point", "A point.", "x::Int64", "y::Float64")
    p.line("?shfl_down_sync", "`delta` higher", "[1] shfl_down_sync(")
    p.line("?atomic_add!", "returns the old value", "Write `CUDA.atomic_add!`")
    p.line("?no_such_name", "not defined")
    p.line("?while", "keyword")
    p.line("?", "ans", "Ctrl-D")
    p.line("@code_llvm double(1.5)", "define double")
    p.line("@code_native double(1.5)", ".text")
    p.line("@code_typed double(Int32(1))", "Int32")
    p.line(";ls", "no shell mode", "another terminal")
    p.line("]add Example", "no package mode", "--project")
    p.quit()


def check_colour(kiln, home):
    green, red = "\x1b[1;32m", "\x1b[1;31mERROR:"
    for options, environment, is_coloured in (((), {}, True), ((), {"NO_COLOR": "1"}, False), (("--color", "never"), {}, False)):
        p = Prompt(kiln, home, "--device", "cpu", *options, **environment)
        p.line("undefined_name", "ERROR: UndefVarError")
        require((green in p.raw, red in p.raw) == (is_coloured, is_coloured), f"colours with {options}, {environment}: {p.raw!r}")
        p.quit()


def check_session(kiln, home, page):
    """Types the session that `page` shows, and compares what comes with it."""
    with open(page, encoding="utf-8") as file:
        steps = file.read().partition("```console\nkiln> ")[2].partition("\n```")[0].split("\nkiln> ")
    if len(steps) < 5:
        sys.exit(f"prompt.py: there is no session in {page}")
    p = Prompt(kiln, home, "--device", "cpu")
    for step in steps:
        lines = step.rstrip("\n").split("\n")
        typed = lines[:lines.index("end") + 1] if lines[0].startswith("function ") else lines[:1]
        p.type("\n".join(typed) + "\n")
        shown = p.expect("kiln> ").replace("\r", "").rstrip("\n").split("\n")
        pattern = ".*".join(re.escape(part) for part in "\n".join(lines).split("…"))  # … stands for any text
        if not re.fullmatch(pattern, "\n".join(shown)):
            sys.exit(f"prompt.py: {page} shows {lines}, the prompt {shown}")
    p.quit()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--session", required=True, help="a page that shows a session at the prompt, which is typed")
    arguments = parser.parse_args()
    kiln = os.path.abspath(arguments.kiln)
    with tempfile.TemporaryDirectory() as home:
        p = Prompt(kiln, home, "--device", "cpu")
        p.line("1200 + 34", "\r\n1234\r\n")
        p.line("12 + 34" + LEFT * 5 + "00", "\r\n1234\r\n")          # typed in the middle of the line
        p.line("900" + HOME + "7 * ", "\r\n6300\r\n")
        p.line("α = 41; α + 1" + LEFT + "2", "\r\n62\r\n")            # a character of two bytes is one
        p.line(UP, "\r\n62\r\n")                                      # the line before, again
        p.line("a_long_name_of_mine = 7777", "\r\n7777\r\n")
        p.line("1 + a_long_n" + TAB, "\r\n7778\r\n")                  # a variable's name
        p.line("isodd(Base.trailing_z" + TAB + "(8))", "\r\ntrue\r\n")  # a name of a module's
        p.type("leading_" + TAB + TAB)                               # several: the second TAB lists them
        p.expect("leading_ones  leading_zeros")
        p.line("zeros(Int32(1))", "\r\n31\r\n")
        p.line("function twice(x)\n" + TAB + "2x\nend\ntwice(21)", "\r\n42\r\n")
        p.line("10 + 1\n20 + 2\n30 + 3", "\r\n11\r\n", "\r\n22\r\n", "\r\n33\r\n")  # pasted
        p.type("no line of mi" + CONTROL_C)                          # given up
        p.expect("kiln> ")
        p.type("while true end\n")
        time.sleep(1)
        p.type(CONTROL_C)
        p.expect("InterruptException")
        p.expect("kiln> ")
        p.line("using CUDA; sum(CUDA.ones(Float32, 1000))", "\r\n1000.0f0\r\n")
        p.line("undefined_name", "UndefVarError")
        p.type("readline()\n")
        time.sleep(1)                                                # the terminal edits lines for the program
        p.line("what a program reads", "\"what a program reads\"")
        p.line("2^10", "\r\n1024\r\n")
        p.type(CONTROL_D)
        p.end()
        history = os.path.join(home, ".local/state/kiln/history")
        if os.stat(history).st_mode & 0o077:
            sys.exit("prompt.py: others may read the history")
        p = Prompt(kiln, home)                                       # lines of earlier prompts
        p.line(UP + " + 1", "\r\n1025\r\n")
        p.type("exit(3)\n")
        p.end(3)
        p = Prompt(kiln, home, KILN_HISTORY="")                      # no history: nothing before this line
        p.line(UP + "5 * 5", "\r\n25\r\n")
        p.type(CONTROL_D)
        p.end()
    with tempfile.TemporaryDirectory() as home:
        check_answers(kiln, home)
        check_colour(kiln, home)
        check_session(kiln, home, arguments.session)
    print("prompt: ok")


if __name__ == "__main__":
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    main()
