#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Completes command lines of kiln in a shell that has read `kiln completion SHELL`: completion.py KILN SHELL SCRATCH

bash and fish are asked for the words of a line. bash and zsh also run on a terminal, where TAB completes the line. Exit status 77: the
shell is not installed."""
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import time

KILN, SHELL, SCRATCH = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
SCRIPT = os.path.join(SCRATCH, f"kiln.{SHELL}")
ENVIRONMENT = {**os.environ, "PATH": f"{os.path.dirname(KILN)}:{os.environ['PATH']}", "HOME": SCRATCH, "TERM": "dumb", "LC_ALL": "C.UTF-8",
               "XDG_CONFIG_HOME": SCRATCH, "XDG_DATA_HOME": SCRATCH}

# A line, with the cursor at its end, and the words that it may become.
LINES = [
    ("kiln comp", {"compile", "completion"}),
    ("kiln prec", {"precompile"}),
    ("kiln help prec", {"precompile"}),
    ("kiln cache s", {"stat", "sign"}),
    ("kiln --quiet cache ver", {"verify"}),
    ("kiln timings ", {"diff", "merge"}),
    ("kiln completion ", {"bash", "zsh", "fish"}),
    ("kiln compile a.jl --targ", {"--target"}),
    ("kiln compile a.jl --target ", {"native", "ptx", "spirv"}),
    ("kiln compile a.jl --emit llvm", {"llvm", "llvm-opt"}),
    ("kiln run a.jl f --device c", {"cpu", "cuda"}),
    ("kiln run a.jl f --device o", {"opencl"}),
    ("kiln cache stat --z", {"--zero"}),
    ("kiln run --color a", {"auto", "always"}),
    ("kiln compile -o nam", {"named.txt"}),
    ("kiln compile nam", {"named.txt"}),
]
# A line that is typed on a terminal, and what TAB makes of its end.
TYPED = [("kiln prec", "kiln precompile "), ("kiln cache ver", "kiln cache verify "), ("kiln compile a.jl --emit sas", "--emit sass "),
         ("kiln run --color=alw", "--color=always "), ("kiln bundle nam", "kiln bundle named.txt ")]

faults = 0


def expect(is_right, what):
    global faults
    faults += not is_right
    print("ok    " if is_right else "FAULT ", what)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT, cwd=SCRATCH, stdin=subprocess.DEVNULL, timeout=60)


def bash_words(line):
    """What the function leaves in COMPREPLY; readline's completion of files where it leaves nothing."""
    words = re.findall(r"=|[^\s=]+", line) + ([""] if line.endswith(" ") else [])
    code = (f"source {shlex.quote(SCRIPT)}; COMP_WORDS=({' '.join(map(shlex.quote, words))}); COMP_CWORD={len(words) - 1}; _kiln; "
            f"(( ${{#COMPREPLY[@]}} )) || COMPREPLY=($(compgen -f -- {shlex.quote(words[-1])})); printf '%s\\n' \"${{COMPREPLY[@]}}\"")
    return set(run("bash", "--norc", "--noprofile", "-c", code).stdout.split())


def fish_words(line):
    done = run("fish", "--no-config", "-c", f"source {shlex.quote(SCRIPT)}; complete -C {shlex.quote(line)}")
    return {each.split("\t")[0] for each in done.stdout.splitlines()}


class Terminal:
    """A shell on a terminal, ready to complete."""

    def __init__(self, command, setup):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(SCRATCH)
            os.execvpe(command[0], command, ENVIRONMENT)
        self.text = ""
        self.send(setup + "; echo rea''dy\n")
        self.read_until(lambda text: "ready" in text)

    def send(self, text):
        os.write(self.terminal, text.encode())

    def read_until(self, is_done, seconds=20):
        end = time.monotonic() + seconds
        while not is_done(self.text) and time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.terminal, 4096).decode(errors="replace")
                except OSError:
                    break
        return is_done(self.text)

    def completes(self, line, result):
        """Types the line and TAB, looks for the result, and clears the line."""
        self.text = ""
        self.send(line + "\t")
        # A shell may print the completed line again, or only the letters that it adds.
        plain = lambda text: re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|[\r\x07]|.\x08", "", text)
        found = self.read_until(lambda text: result.strip() in plain(text), 10)
        self.send("\x15")
        time.sleep(0.1)
        return found

    def close(self):
        self.send("\x15exit\n")
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def options_of_help(*words):
    text = run(KILN, *words, "--help").stdout.partition("\nOptions:\n")[2].split("\n\n")[0]
    return {option for line in text.split("\n") if (found := re.match(r"  (-[\w-]+(?:,-[\w-]+)*)", line)) for option in found[1].split(",")}


def main():
    if not shutil.which(SHELL):
        print(f"skipped {SHELL} is not installed")
        return 77
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    open(os.path.join(SCRATCH, "named.txt"), "w", encoding="utf-8").close()
    script = run(KILN, "completion", SHELL)
    expect(script.returncode == 0 and not script.stderr, f"kiln completion {SHELL}")
    with open(SCRIPT, "w", encoding="utf-8") as file:
        file.write(script.stdout)
    checked = run(SHELL, "-n", SCRIPT)
    expect(checked.returncode == 0, f"{SHELL} takes the script {checked.stderr}")
    expect("kiln worker" not in script.stdout, "hidden commands are left out")

    if SHELL in ("bash", "fish"):
        words_of = bash_words if SHELL == "bash" else fish_words
        for line, wanted in LINES:
            found = words_of(line)
            expect(found == wanted, f"`{line}`: {sorted(found)}")
        for command in (("compile",), ("run",), ("precompile",), ("cache", "stat"), ("doctor",)):
            line = " ".join(("kiln", *command, "-"))
            there = words_of(line) | words_of(line + "-")
            wanted = {option for option in options_of_help(*command) if SHELL == "bash" or option.startswith("--")}
            expect(wanted and wanted <= there, f"`{line}` completes each option of its help {sorted(wanted - there)}")
    if SHELL in ("bash", "zsh"):
        command, setup = {"bash": (["bash", "--norc", "--noprofile", "-i"], "bind 'set enable-bracketed-paste off'; bind 'set bell-style none'"),
                          "zsh": (["zsh", "-f", "-i"], "unsetopt zle_bracketed_paste; autoload -U compinit; compinit -u -D")}[SHELL]
        starts = {"sourced": f"{setup}; PS1='> '; source {shlex.quote(SCRIPT)}"}
        if SHELL == "zsh":  # as an installed file is: the shell loads it from a folder of functions
            functions = os.path.join(SCRATCH, "functions")
            os.makedirs(functions)
            shutil.copy(SCRIPT, os.path.join(functions, "_kiln"))
            starts["loaded"] = f"fpath=({shlex.quote(functions)} $fpath); {setup}; PS1='> '"
        for how, start in starts.items():
            terminal = Terminal(command, start)
            for line, result in TYPED:
                expect(terminal.completes(line, result), f"{how}: `{line}` TAB: `{result}` {'' if result.strip() in terminal.text else repr(terminal.text)}")
            terminal.close()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
