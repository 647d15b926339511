#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hosts in an environment of their own.

    processes.py locale MANNERS    in a locale that writes 0,5, all texts and values are as in the locale C
    processes.py setuid MANNERS    a program with more rights than its caller reads nothing of the environment
    processes.py tools MANNERS     gdb finds the lines of native code, and perf its names

Exit status 77: the machine cannot show it, and the reason was printed.
"""
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, **more)
    return done


def expect(holds, what):
    print("ok     " if holds else "NOT SO ", what)
    if not holds:
        sys.exit(1)


def locale(manners, folder):
    if not shutil.which("localedef"):
        skip("localedef is not installed")
    made = run("localedef", "-i", "de_DE", "-f", "UTF-8", os.path.join(folder, "de_DE.UTF-8"))
    if made.returncode != 0:
        skip("localedef makes no de_DE.UTF-8: " + made.stderr.strip())
    environment = {**os.environ, "LOCPATH": folder}
    plain = run(manners, "texts", env={**environment, "LC_ALL": "C"})
    german = run(manners, "texts", env={**environment, "LC_ALL": "de_DE.UTF-8"})
    expect(plain.returncode == 0, "in the locale C: " + plain.stderr)
    expect(german.returncode == 0, "in the locale de_DE.UTF-8: " + german.stderr)
    expect(plain.stdout.startswith("the host writes 0.5\n"), "the host writes 0.5 in the locale C")
    if not german.stdout.startswith("the host writes 0,5\n"):
        skip("the C library does not take the locale from LOCPATH")
    texts = [text.split("\n", 1)[1] for text in (plain.stdout, german.stdout)]
    expect(texts[0] == texts[1], f"{len(texts[0])} bytes of typed code, IR and assembly, and 4 values, are the same")
    # By hand: the doubles next to 1e-310, the Float32 next to 0.1, the Float16 next to 0.1, and 2.5e10 times that.
    half = float.fromhex("0x1.998p-4")
    values = [1e-310, float.fromhex("0x1.99999ap-4"), half, 2.5e10 * half]
    expect([float.fromhex(line) for line in texts[0].strip().split("\n")[-4:]] == values, "the values are " + str(values))


def setuid(manners, folder):
    if os.getuid() != 0:
        skip("only root can make a program that has the rights of another user")
    os.chmod(folder, 0o755)
    program = os.path.join(folder, "manners")
    shutil.copy(manners, program)
    nobody = 65534
    os.chown(program, nobody, nobody)
    os.chmod(program, stat.S_ISUID | 0o755)
    home = os.path.join(folder, "home")
    os.mkdir(home, 0o777)
    os.chmod(home, 0o777)
    variables = {"KILN_LOG": "garbage", "KILN_CPU_THREADS": "garbage", "KILN_CACHE_DIR": os.path.join(home, "cache"),
                 "KILN_DUMP_DIR": os.path.join(home, "dump"), "KILN_TRACE_JOBS": os.path.join(home, "trace"), "HOME": home}
    environment = {**{name: value for name, value in os.environ.items() if not name.startswith("KILN")}, **variables}
    plain = run(manners, "setuid", env=environment)
    expect(plain.returncode != 0 and "KILN_" in plain.stderr, "without more rights the variables are read: " + plain.stderr.strip())
    more = run(program, "setuid", env=environment)
    if more.returncode == 0 and "the caller's rights" in more.stdout:
        skip("the file system takes no notice of setuid (nosuid)")
    if more.returncode != 0 and "error while loading shared libraries" in more.stderr:
        skip("the program needs libraries that a setuid program does not find: " + more.stderr.strip())
    expect(more.returncode == 0, "with them they are not: " + more.stderr.strip())
    expect(os.listdir(home) == [], "and nothing is written where they point")


def tools(manners, folder):
    shown = 0
    if shutil.which("gdb"):
        done = run("gdb", "-q", "-nx", "-batch", "-ex", "set confirm off", "-ex", "set breakpoint pending on", "-ex", "break spin.jl:4", "-ex", "run",
                   "-ex", "bt 1", "-ex", "info line", "--args", manners, "visible")
        if "ptrace" in done.stderr or "Cannot create process" in done.stderr:
            print("        gdb cannot trace here:", done.stderr.strip().split("\n")[-1])
        else:
            expect(re.search(r"Breakpoint 1, .*spin.* at .*spin\.jl:4", done.stdout) or "spin.jl:4" in done.stdout,
                   "gdb stops at line 4 of spin.jl:\n" + done.stdout[-1500:] + done.stderr[-1500:])
            shown += 1
    if shutil.which("perf"):
        data = os.path.join(folder, "perf.data")
        recorded = run("perf", "record", "-q", "-k", "1", "-e", "cpu-clock:u", "-o", data, manners, "visible", folder)
        if recorded.returncode != 0:
            print("        perf cannot record here:", (recorded.stderr.strip().split("\n") or [""])[-1])
        else:
            injected = run("perf", "inject", "--jit", "-i", data, "-o", data + ".jit", cwd=folder)
            report = run("perf", "report", "-i", data + ".jit", "--stdio", "--sort", "symbol")
            expect(injected.returncode == 0 and "spin" in report.stdout, "perf names the function:\n" + injected.stderr + report.stdout[-1500:])
            shown += 1
    if not shown:
        skip("neither gdb nor perf can show it here")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="kiln-guest-") as scratch:
        {"locale": locale, "setuid": setuid, "tools": tools}[sys.argv[1]](os.path.abspath(sys.argv[2]), scratch)
