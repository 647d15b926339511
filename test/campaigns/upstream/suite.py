#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Julia packages' own tests with `kiln script`, and counts the sites of @test that pass.

    suite.py cuda|gpuarrays [FILE...] [--sources FOLDER] [--kiln PROGRAM] [--out FILE | --check FILE] [--jobs N] [--limit SECONDS] [--device cpu|cuda]
    suite.py packages [NAME...] [--sources FOLDER] ...

The folder is CUDA.jl's repository (test/core), GPUArrays.jl's (test/testsuite), or a folder of packages (NAME/test/runtests.jl). The variables
KILN_UPSTREAM_CUDA, _GPUARRAYS and _PACKAGES name them too. They are not part of Kiln, and their files are read, not changed. FILE is a part of a
file's name. --check fails where a site does not pass that passes in a FILE of --out. Each file of CUDA.jl and GPUArrays.jl, and each package, is
a process of its own. This folder's prelude stands in the place of setup.jl. If the folder of packages lacks ParallelTestRunner, the one in
stand_ins runs the test files. A site is FILE:LINE of a @test, @test_throws or another macro of Test:

    pass      it ran, and never failed
    fail      it was false, or threw nothing, at least once
    error     it threw at least once
    unreached it never ran, and `reason` is what ended the testset or the statement around it
    refused   as error or unreached, and the reason is a message by which Kiln refuses a feature
    lacks     it needs a package that the folder does not have, or a device
    text      it looks at LLVM IR or PTX (@filecheck, code_*), which differ by design: counted apart

Without the folder nothing runs, and the exit status is 77."""

import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
SITE = re.compile(r"^[^#]*@test(_throws|_broken)?\b")
ANY_SITE = re.compile(r"^[^#]*@test(_\w+)?\b")
TEXT = re.compile(r"@filecheck|\bcode_\w+|@device_code|\b(asm|ptx|ir|IR|sass)\b")
LACKS = re.compile(r"the package `(\w+)`(?: \[[-0-9a-f]+\])? was looked for in")
UNDEFINED = re.compile(r"UndefVarError(?:\[\d+\])?: `(@?\w+|\W+)` not defined")
NO_METHOD = re.compile(r"MethodError(?:\[\d+\])?: no method matching (\w+)\(")
REFUSED = re.compile(r"Kiln (has no|does not|cannot|refuses)|is not part of Kiln|ccall of a host function|foreign function")
STATUSES = ("pass", "fail", "error", "unreached", "refused", "lacks", "text")


class Suite:
    """What is run of a package: its files, and what stands in front of each."""

    site = SITE

    def __init__(self, patterns, prelude, strip, run="include"):
        self.patterns, self.prelude, self.strip, self.run = patterns, prelude, strip, run

    def units(self, sources):
        """name → what one process runs: its text, and the files of its sites by their names in the table."""
        found = [path for pattern in self.patterns for path in sorted(sources.glob(pattern))]
        return {str(path.relative_to(sources / self.strip)): Unit(self.text(path), {str(path.relative_to(sources / self.strip)): path}) for path in found}

    def text(self, path):
        return f"include({literal(HERE / self.prelude)})\n{self.run}({literal(path.resolve())})\n"


class Packages:
    """Each package of a folder, by its runtests.jl."""

    site = ANY_SITE
    # Kiln's own versions, whose operations are the compiler's.
    BUILT_IN = ("KernelAbstractions", "Atomix", "UnsafeAtomics")
    FROM_SOURCE = ("StaticArrays", "StaticArraysCore", "Adapt")
    # Names that tests take from packages by `using PACKAGE` alone.
    EXPORTS = {
        "Documenter": ("doctest", "DocMeta"),
        "DualNumbers": ("dual", "epsilon"),
        "Extents": ("extent",),
        "GeoInterface": ("geomtrait", "testgeometry", "ncoord", "ngeom", "getcoord", "getgeom"),
        "StableRNGs": ("StableRNG",),
    }

    def units(self, sources):
        units = {}
        for main in sorted(sources.glob("*/test/runtests.jl")):
            folder = main.parent
            files = {f"{folder.parent.name}/{path.relative_to(folder)}": path for path in sorted(folder.rglob("*.jl"))}
            # A runtests.jl that starts a Julia process a file: this process takes the files in turn.
            mains = (sorted(folder.glob("test_*.jl")) if "Base.julia_cmd()" in main.read_text(errors="replace") else []) or [main]
            text = "".join(f"include({literal(path.resolve())})\n" for path in mains)
            named = {*self.FROM_SOURCE, folder.parent.name} - {*self.BUILT_IN}
            places = ("--load-path", str(sources.resolve()), "--load-path", str(HERE / "stand_ins"))
            units[folder.parent.name] = Unit(text, files, folder=folder.parent, options=[*places, *(o for name in sorted(named) for o in ("--from-source", name))])
        return units


class Unit:
    def __init__(self, text, files, options=(), folder=None):
        self.text, self.files, self.options, self.folder = text, files, options, folder


SUITES = {
    "cuda": Suite(["test/core/*.jl", "test/core/device/**/*.jl"], "cuda.jl", "test/core"),
    "gpuarrays": Suite(["test/testsuite/*.jl"], "gpuarrays.jl", "test/testsuite", "run_file"),
    "packages": Packages(),
}


def sites(text, site, own=()):
    """line → is it about texts of code? `own`: macros of the tests, whose calls are no sites"""
    lines = re.sub(r'"""(?!")[^`]*?"""', lambda found: "\n" * found[0].count("\n"), text).splitlines()
    if own:
        lines = [re.sub(rf"@({'|'.join(sorted(own))})\b", "", line) for line in lines]
    return {number: bool(TEXT.search(line)) for number, line in enumerate(lines, 1) if site.match(line)}


def short(reason):
    return re.sub(r"0x[0-9a-f]{6,}", "0x…", " ".join(reason.split()))[:240]


def literal(path):
    return json.dumps(str(path)).replace("$", "\\$")


def run_unit(options, suite, unit):
    """site → (status, reason), and what ended the process early."""
    with tempfile.TemporaryDirectory() as folder:
        log, script = pathlib.Path(folder, "log"), pathlib.Path(folder, "run.jl")
        script.write_text(unit.text)
        bound = options.memory << 30

        def limits():
            if options.device == "cpu":  # CUDA reserves addresses for all memory of the machine
                resource.setrlimit(resource.RLIMIT_AS, (bound, bound))

        command = [options.kiln, "script", "--device", options.device, *unit.options, "--test-log", str(log), str(script)]
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
    return judge(suite, unit, records, ended), ended


class Outcomes:
    """The log's records about one file."""

    RANK = {"pass": 0, "broken": 0, "fail": 1, "error": 2}

    def __init__(self):
        self.seen, self.ends = {}, []

    def add(self, record):
        outcome, line = record["outcome"], record["line"]
        if outcome in ("outside", "statement"):
            if "Some tests did not pass" not in record["reason"]:
                self.ends.append((line, record["reason"]))
        elif outcome in self.RANK:
            before = self.seen.get(line)
            if before is None or self.RANK[outcome] > self.RANK[before[0]]:
                self.seen[line] = ("pass" if outcome == "broken" else outcome), short(record["reason"])

    def end_before(self, line):
        """The reason of the last end at or before the line, and of those at one line the first."""
        reasons = [(at, -k, reason) for k, (at, reason) in enumerate(self.ends) if at <= line]
        return short(max(reasons)[2]) if reasons else ""


def named(outcomes, texts, path):
    """What ended the file that includes `path`, where it names it."""
    pattern = re.compile(rf"\b{re.escape(path.stem)}\b")
    for other, text in texts.items():
        if other == path:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if pattern.search(line.split("#")[0]) and outcomes[other].end_before(number):
                return outcomes[other].end_before(number)
    return ""


def missing_names(records, texts):
    """name → the package that the folder lacks, for packages that the tests name, names that they take from one, and constants whose value does."""
    missing = {found[1]: found[1] for record in records if (found := LACKS.search(record["reason"]))}
    for package, names in Packages.EXPORTS.items():
        if package in missing:
            missing.update((name, package) for name in names)
    for text in texts.values():
        missing.update((name, package) for package, name in re.findall(r"^\s*import (\w+) as (\w+)", text, re.M) if package in missing)
        for package, names in re.findall(r"^\s*(?:using|import) (\w+): *(.+)$", text, re.M):
            if package in missing:
                missing.update((name.strip(" ()"), package) for name in names.split(","))
    constants = [found for text in texts.values() for found in re.findall(r"^const (\w+) = (\w+)\(", text, re.M)]
    missing.update((name, missing[function]) for name, function in constants if function in missing)
    return missing


def missing_methods(folder, missing):
    """name → the package that the folder lacks, for functions whose methods are all in an extension for that package."""
    project, found = folder / "Project.toml", {}
    if not project.exists():
        return found
    source = "\n".join(re.sub(r'""".*?"""', "", path.read_text(errors="replace"), flags=re.S) for path in (folder / "src").rglob("*.jl"))
    own = set(re.findall(r"^\s*(?:@\w+ )*(?:function )?(\w+)\(", source, re.M))
    for extension, triggers in tomllib.loads(project.read_text()).get("extensions", {}).items():
        for trigger in {missing[name] for name in ([triggers] if isinstance(triggers, str) else triggers) if name in missing}:
            for path in [*(folder / "ext").glob(f"{extension}.jl"), *(folder / "ext" / extension).rglob("*.jl")]:
                names = re.findall(rf"^\s*(?:function )?{folder.name}\.(\w+)\(", path.read_text(errors="replace"), re.M)
                found.update((name, trigger) for name in names if name not in own)
    return found


def judge(suite, unit, records, ended):
    texts = {path: path.read_text(errors="replace") for path in unit.files.values()}
    # A call of a macro that the tests define is no site: the tests inside of the macro's definition are.
    own = {name for text in texts.values() for name in re.findall(r"^\s*macro (test_\w+)\(", text, re.M)}
    outcomes = {path: Outcomes() for path in unit.files.values()}
    resolved = {path: str(path.resolve()) for path in outcomes}

    @functools.cache
    def path_of(file):
        wanted = "/" + file.lstrip("./")
        matches = [path for path, full in resolved.items() if full.endswith(wanted) or wanted.endswith(full)]
        return min(matches, key=lambda path: len(str(path)), default=None)

    for record in records:
        if path := path_of(record["file"]):
            outcomes[path].add(record)
    judged, missing = {}, missing_names(records, texts)
    methods = missing_methods(unit.folder, missing) if unit.folder else {}
    # A runner of tests, as in `P.@run`, starts the files that no other file names.
    runners = [missing[name] for text in texts.values() for name in re.findall(r"^(\w+)\.@run\b", text, re.M) if name in missing]
    for name, path in unit.files.items():
        of, text = outcomes[path], texts[path]
        last = max(of.seen, default=0)
        for line, is_text in sites(text, suite.site, own).items():
            # An expression of several lines is logged where its macro stands, which is the site's line.
            status, reason = of.seen.get(line, ("unreached", ""))
            if status == "unreached":
                reason = ended if ended and line > last else of.end_before(line) or named(outcomes, texts, path)
                if not reason and runners:
                    status, reason = "lacks", runners[0]
                reason = reason or "behind a condition, or in a text that another process would run"
            if is_text:
                status, reason = "text", "passes" if status == "pass" else reason
            elif status in ("error", "unreached") and (lacks := LACKS.search(reason)):
                status, reason = "lacks", lacks[1]
            elif status in ("error", "unreached") and (unknown := UNDEFINED.search(reason)) and unknown[1] in missing:
                status, reason = "lacks", missing[unknown[1]]
            elif status in ("error", "unreached") and (call := NO_METHOD.search(reason)) and call[1] in methods:
                status, reason = "lacks", methods[call[1]]
            elif status in ("error", "unreached") and REFUSED.search(reason):
                status = "refused"
            judged[f"{name}:{line}"] = status, reason
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
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--memory", type=int, default=16, help="of a process, in GiB of addresses")
    parser.add_argument("--causes", type=int, default=0, help="print as many causes of sites that do not pass, the most frequent first")
    parser.add_argument("--show", action="store_true", help="what the processes print")
    options = parser.parse_intermixed_args()
    suite = SUITES[options.suite]
    variable = f"KILN_UPSTREAM_{options.suite.upper()}"
    options.sources = options.sources or pathlib.Path(os.environ.get(variable, "/nonexistent"))
    units = suite.units(options.sources)
    if not units:
        print(f"suite.py: no tests in the folder of --sources or {variable} ({options.sources}): skipped")
        return SKIPPED
    if options.files:
        is_package = options.suite == "packages"
        units = {name: unit for name, unit in units.items() if (name in options.files if is_package else any(part in name for part in options.files))}
    lines, total, causes = [], collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda unit: run_unit(options, suite, unit), units.values())
        for (name, _), (judged, ended) in zip(units.items(), results):
            counts = collections.Counter(status for status, _ in judged.values())
            causes.update((status, reason) for status, reason in judged.values() if status not in ("pass", "text"))
            total.update({("device " if name.startswith("device/") else "") + status: n for status, n in counts.items()})
            lines += [f"{status:9} {site}\t{reason}".rstrip() for site, (status, reason) in judged.items()]
            told = ", ".join(f"{counts[s]} {s}" for s in STATUSES if counts[s])
            counted = sum(counts.values()) - counts["text"] - counts["lacks"]
            share = f" ({100 * counts['pass'] / max(1, counted):.1f} %)"
            print(f"{name}: {told} of {len(judged)}{share}{'; ' + ended if ended else ''}", flush=True)
    for (status, reason), sites_of in causes.most_common(options.causes):
        print(f"{sites_of:5} {status}: {reason}")
    if options.out:
        pathlib.Path(options.out).write_text("\n".join(lines) + "\n")
    if options.check:
        passed = {line.split()[1] for line in options.check.read_text().splitlines() if line.startswith("pass ")}
        lost = [line for line in lines if not line.startswith("pass ") and line.split()[1] in passed]
        print("".join(f"no longer: {line}\n" for line in lost), end="")
        return 1 if lost else 0
    for part in ("device ", ""):
        of = {status: total[part + status] for status in STATUSES}
        every = sum(of.values())
        counted = every - of["text"] - of["lacks"]
        if every:
            print(f"{part or 'other '}: {of['pass']} of {every} ({100 * of['pass'] / every:.1f} %); without texts of code and what lacks {of['pass']} of {counted} ({100 * of['pass'] / max(1, counted):.1f} %); {of}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
