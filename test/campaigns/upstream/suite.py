#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Julia packages' own tests with `kiln script` on the CPU device, and counts the sites of @test that pass.

    suite.py cuda|gpuarrays [FILE...] [--sources FOLDER] [--kiln PROGRAM] [--out FILE | --check FILE] [--jobs N] [--limit SECONDS]

The folder is CUDA.jl's repository (test/core) or GPUArrays.jl's (test/testsuite), named by KILN_UPSTREAM_CUDA or _GPUARRAYS
too; it is not part of Kiln, and its files are read, not changed. FILE is a part of a file's name. --check fails where a site does not pass that passes in a FILE of --out. Each file is a process of its own, after this folder's prelude in the place of the package's setup.jl. A site
is FILE:LINE of a @test, @test_throws or @test_broken:

    pass      it ran, and never failed
    fail      it was false, or threw nothing, at least once
    error     it threw at least once
    unreached it never ran, and `reason` is what ended the testset or the statement around it
    text      it looks at LLVM IR or PTX (@filecheck, code_*), which differ by design: counted apart

Without the folder nothing runs, and the exit status is 77."""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
SITE = re.compile(r"^[^#]*@test(_throws|_broken)?\b")
TEXT = re.compile(r"@filecheck|\bcode_\w+|@device_code|\b(asm|ptx|ir|sass)\b")


class Suite:
    """What is run of a package: its files, and what stands in front of each."""

    def __init__(self, patterns, prelude, strip, run="include"):
        self.patterns, self.prelude, self.strip, self.run = patterns, prelude, strip, run

    def files(self, sources):
        found = [path for pattern in self.patterns for path in sorted(sources.glob(pattern))]
        return {str(path.relative_to(sources / self.strip)): path for path in found}


SUITES = {
    "cuda": Suite(["test/core/*.jl", "test/core/device/**/*.jl"], "cuda.jl", "test/core"),
    "gpuarrays": Suite(["test/testsuite/*.jl"], "gpuarrays.jl", "test/testsuite", "run_file"),
}


def sites(text):
    """line → is it about texts of code?"""
    return {number: bool(TEXT.search(line)) for number, line in enumerate(text.splitlines(), 1) if SITE.match(line)}


def short(reason):
    return re.sub(r"0x[0-9a-f]{6,}", "0x…", " ".join(reason.split()))[:240]


def literal(path):
    return json.dumps(str(path)).replace("$", "\\$")


def run_file(options, suite, name, path):
    """line → (status, reason), and what ended the process early."""
    with tempfile.TemporaryDirectory() as folder:
        log, script = pathlib.Path(folder, "log"), pathlib.Path(folder, "run.jl")
        script.write_text(f"include({literal(HERE / suite.prelude)})\n{suite.run}({literal(path.resolve())})\n")
        bound = options.memory << 30

        def limits():
            resource.setrlimit(resource.RLIMIT_AS, (bound, bound))

        command = [options.kiln, "script", "--device", "cpu", "--test-log", str(log), str(script)]
        ended = ""
        try:
            made = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=options.limit,
                                  preexec_fn=limits, text=True, errors="replace")  # fmt: skip
            said = made.stdout
            if made.returncode not in (0, 1):
                lines = [line for line in said.splitlines() if line.strip()]
                ended = f"the process ended with status {made.returncode}: {lines[-1][:160] if lines else ''}"
        except subprocess.TimeoutExpired as late:
            said = (late.stdout or b"").decode(errors="replace")
            ended = f"out of time: {options.limit:.0f} s"
        if options.show:
            print(said, flush=True)
        lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    records = []
    for line in lines:
        try:
            records.append(json.loads(line))
        except json.JSONDecodeError:
            ended = ended or "the last line of the log was cut"
    return judge(path, records, ended), ended


def judge(path, records, ended):
    found = sites(path.read_text())
    seen, ends = {}, []
    rank = {"pass": 0, "broken": 0, "fail": 1, "error": 2}
    for record in records:
        if not record["file"].endswith(str(path.name)):
            continue
        outcome, line = record["outcome"], record["line"]
        if outcome in ("outside", "statement"):
            ends.append((line, record["reason"]))
        elif outcome in rank:
            before = seen.get(line)
            if before is None or rank[outcome] > rank[before[0]]:
                seen[line] = ("pass" if outcome == "broken" else outcome), short(record["reason"])
    judged = {}
    last = max(seen, default=0)
    for line, is_text in found.items():
        # An expression of several lines is logged where its macro stands, which is the site's line.
        status, reason = seen.get(line, ("unreached", ""))
        if status == "unreached":
            reasons = [reason for at, reason in ends if at <= line and "Some tests did not pass" not in reason]
            at = [at for at, reason in ends if at <= line and "Some tests did not pass" not in reason]
            if ended and line > last:
                reason = ended
            elif reasons:
                reason = short(reasons[max(range(len(at)), key=lambda k: (at[k], -k))])
            else:
                reason = "behind a condition, or in a text that another process would run"
        judged[line] = ("text", "passes" if status == "pass" else reason) if is_text else (status, reason)
    return judged


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("suite", choices=sorted(SUITES))
    parser.add_argument("files", nargs="*")
    parser.add_argument("--sources", type=pathlib.Path, help="by default what KILN_UPSTREAM_<SUITE> names")
    parser.add_argument("--kiln", type=os.path.abspath, default=str(HERE.parent.parent.parent / "build/release/bin/kiln"))
    parser.add_argument("--out", help="a line a site: status, file:line, reason")
    parser.add_argument("--check", type=pathlib.Path, help="what --out wrote before: what passed there has to pass")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=300)
    parser.add_argument("--memory", type=int, default=16, help="of a process, in GiB of addresses")
    parser.add_argument("--show", action="store_true", help="what the processes print")
    options = parser.parse_intermixed_args()
    suite = SUITES[options.suite]
    variable = f"KILN_UPSTREAM_{options.suite.upper()}"
    options.sources = options.sources or pathlib.Path(os.environ.get(variable, "/nonexistent"))
    files = suite.files(options.sources)
    if not files:
        print(f"suite.py: no tests in the folder of --sources or {variable} ({options.sources}): skipped")
        return SKIPPED
    if options.files:
        files = {name: path for name, path in files.items() if any(part in name for part in options.files)}
    lines, total = [], collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda item: run_file(options, suite, *item), files.items())
        for (name, _), (judged, ended) in zip(files.items(), results):
            counts = collections.Counter(status for status, _ in judged.values())
            total.update({("device " if name.startswith("device/") else "") + status: n for status, n in counts.items()})
            lines += [f"{status:9} {name}:{line}\t{reason}".rstrip() for line, (status, reason) in judged.items()]
            told = ", ".join(f"{counts[s]} {s}" for s in ("pass", "fail", "error", "unreached", "text") if counts[s])
            print(f"{name}: {told} of {len(judged)}{'; ' + ended if ended else ''}", flush=True)
    if options.out:
        pathlib.Path(options.out).write_text("\n".join(lines) + "\n")
    if options.check:
        passed = {line.split()[1] for line in options.check.read_text().splitlines() if line.startswith("pass ")}
        lost = [line for line in lines if not line.startswith("pass ") and line.split()[1] in passed]
        print("".join(f"no longer: {line}\n" for line in lost), end="")
        return 1 if lost else 0
    for part in ("device ", ""):
        of = {status: total[part + status] for status in ("pass", "fail", "error", "unreached", "text")}
        every = sum(of.values())
        counted = every - of["text"]
        if every:
            print(f"{part or 'other '}: {of['pass']} of {every} ({100 * of['pass'] / every:.1f} %); without texts of code {of['pass']} of {counted} ({100 * of['pass'] / max(1, counted):.1f} %); {of}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
