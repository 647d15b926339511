# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs numba-cuda's own tests against kiln.cuda on the CPU device.

    suite.py TESTS [--out FILE] [--table FILE] [--jobs N] [--limit SECONDS] [MODULE ...]

TESTS is the folder numba_cuda/numba/cuda/tests of numba-cuda's wheel, copied to a place of its own. Each module is a process; a test that
ends its process is a crash, and the others of the module go on in the next process. FILE gets a line a test: status, id, reason."""

import argparse
import ast
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve()
# Out by design (the catalogue): numba's compiler from the inside, its extension API, texts of PTX and LLVM IR, debug information.
DESIGN = {
    "analysis", "byteflow", "ir", "ir_utils", "typeinfer", "typeconv", "extending", "extending_types", "overload", "debuginfo", "debuginfo_types", "tracing",
    "make_function_to_jit_function", "copy_propagate", "cffi", "bfloat16_bindings", "fp8_bindings", "cupy_bfloat16_interop", "compiler", "serialize", "lineinfo", "fastmath",
}  # fmt: skip
# Drivers, linkers and devices of NVIDIA's: nothing of it is on the CPU.
GPU = {
    "cuda_driver", "linker", "nvjitlink", "nvrtc", "nvvm_driver", "deallocations", "emm_plugins", "reset_device", "context_stack", "cuda_auto_context", "init",
    "host_alloc", "managed_alloc", "module_callbacks", "linkable_code", "inline_ptx", "is_fp16", "runtime", "select_device", "ipc", "multigpu", "profiler", "detect",
}  # fmt: skip
TEXTS = re.compile(r"inspect_asm|inspect_llvm|inspect_sass|inspect_lto|assertFileCheck|\bptx\b|get_asm_str|compile_ptx|inspect_types|\.ll\b")
# Tests of the extension API in modules of other tests, and what NVIDIA's NVVM alone makes.
EXTENSIONS = re.compile(r"StructModelType|test_overload_|test_issue5219|LTO-IR is made by NVIDIA")
# Reasons that say the same: texts of assembly, IR and messages, insides of numba's results.
INSIDES = re.compile(
    r"the text of numba's|\\t\.text|: \.text|ModuleID = 'kiln'|_type_annotation|no attribute 'inspect_llvm'|No implementation of function Function\(<"
    r"|Untyped global name|resolving callee type|'--ASSEMBLY|'--IR DUMP|DUMP_(BYTECODE|CFG|LLVM)|NotThere: numba\.(core\.types\.|cuda\.(deviceufunc|codegen|devicearray)\.)"
    r"|_compile_for_args|_codelibrary"
)
PUBLIC = re.compile(r"numba(\.cuda(\.testing|\.random|\.libdevice)?)?$")
NEAR = re.compile(r"numba(\.cuda)?\.(types|core\.errors|core\.config|core|errors|config|tests\.support|testing|random|libdevice|extending)$|numba(\.core)?\.(types|errors)$")


def class_of(text: str) -> str:
    """A: the public API alone; B: also types, errors, config and the tests' support; C: numba's insides."""
    found = "A"
    for node in ast.walk(ast.parse(text)):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            if not name.startswith("numba") or name.startswith("numba.cuda.tests.cuda"):
                continue
            if isinstance(node, ast.ImportFrom) and PUBLIC.match(name):
                if any(a.name in ("types", "config", "errors", "cgutils", "compiler", "typing", "utils", "launchconfig") for a in node.names):
                    found = max(found, "B" if {a.name for a in node.names} & {"types", "config", "errors"} else "C")
            elif not PUBLIC.match(name):
                found = max(found, "B" if NEAR.match(name) else "C")
    return found


# ---- one process: the tests of a module


class Reporter:
    """pytest's plugin: a line as a test begins, and one as it ends."""

    def __init__(self, out, done):
        self.out, self.done = out, done

    def write(self, **line):
        self.out.write(json.dumps(line) + "\n")
        self.out.flush()

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if name_of(item.nodeid) not in self.done]

    def pytest_collectreport(self, report):
        if report.failed:
            self.write(test=report.nodeid.replace("/", "."), status="import", reason=reason_of(str(report.longrepr)))

    def pytest_runtest_logstart(self, nodeid, location):
        self.write(test=name_of(nodeid), status="begun")

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            status = {"passed": "pass", "failed": "fail", "skipped": "skip"}[report.outcome]
            text = str(report.longrepr[2]) if report.skipped and isinstance(report.longrepr, tuple) else reason_of(str(report.longrepr))
            if hasattr(report, "wasxfail"):
                status = "pass"
            self.write(test=name_of(report.nodeid), status=status, reason="" if status == "pass" else text)


def name_of(nodeid: str) -> str:
    path, *rest = nodeid.split("::")
    return ".".join([pathlib.Path(path).stem, *rest])


def reason_of(text: str) -> str:
    """The exception's own line: the last that pytest marks as such."""
    lines = [line[4:].strip() for line in text.splitlines() if line.startswith("E   ")]
    first = next((line for line in reversed([l for l in lines if re.match(r"[\w.]+(Error|Exception|There|Warning|Failed|Interrupt|Exit)\b", l)])), None)
    return (first or (lines[0] if lines else text.strip().splitlines()[-1] if text.strip() else ""))[:240]


def child(tests: str, path: str, out: str) -> int:
    sys.path.insert(0, str(HERE.parent.parent))
    os.environ["KILN_NUMBA_TESTS"] = tests
    import numba_shim_path  # noqa: F401: made by the parent, installs the shim

    import pytest

    done = set()
    if os.path.exists(out):
        done = {json.loads(line)["test"] for line in open(out)}
    with open(out, "a") as held:
        return pytest.main(["-q", "--no-header", "-p", "no:cacheprovider", "--tb=short", "-W", "ignore", path], plugins=[Reporter(held, done)])


# ---- all modules


def run_module(tests: pathlib.Path, path: pathlib.Path, limit: float, hook: str) -> dict:
    """test → (status, reason)."""
    out = tempfile.mktemp(suffix=".jsonl")
    results, end = {}, time.monotonic() + limit
    paths = [hook, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "KILN_NUMBA_TESTS": str(tests), "PYTHONDONTWRITEBYTECODE": "1"}
    for _ in range(60):
        begun = None
        try:
            made = subprocess.run(
                [sys.executable, "-B", str(HERE), "--child", str(tests), str(path), out], env=environment, cwd=hook, capture_output=True, text=True,
                timeout=max(1, end - time.monotonic()),
            )  # fmt: skip
            code, said = made.returncode, made.stdout + made.stderr
        except subprocess.TimeoutExpired:
            code, said = None, ""
        for line in open(out) if os.path.exists(out) else ():
            entry = json.loads(line)
            if entry["status"] == "begun":
                begun = entry["test"]
            else:
                if results.get(entry["test"], ("",))[0] != "fail":  # one of its subtests failed before
                    results[entry["test"]] = entry["status"], entry["reason"]
                begun = None
        if begun is not None and begun not in results:
            fatal = [line for line in said.splitlines() if line.strip()]
            what = ("timeout", f"over {limit:.0f} s for the module") if code is None else ("crash", f"exit {code}: {fatal[-1][:160] if fatal else ''}")
            results[begun] = what
            with open(out, "a") as held:
                held.write(json.dumps({"test": begun, "status": what[0], "reason": what[1]}) + "\n")
            if code is not None:
                continue
        if not results and code not in (0, 5):
            results[path.stem] = "import", said.strip().splitlines()[-1][:200] if said.strip() else f"exit {code}"
        break
    if os.path.exists(out):
        os.unlink(out)
    return results


def sources(path: pathlib.Path) -> dict:
    """The text of each test, by name, with that of its class's methods that it calls."""
    text = path.read_text()
    made = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef):
            for each in node.body:
                if isinstance(each, ast.FunctionDef):
                    made[f"{path.stem}.{node.name}.{each.name}"] = ast.get_source_segment(text, each)
            for each, own in list(made.items()):  # with the methods that it calls
                prefix, _, name = each.rpartition(".")
                if name.startswith("test") and prefix == f"{path.stem}.{node.name}":
                    made[each] = own + "".join(made.get(f"{prefix}.{helper}", "") for helper in re.findall(r"self\.(\w+)\(", own))
        elif isinstance(node, ast.FunctionDef):
            made.setdefault(f"{path.stem}.{node.name}", ast.get_source_segment(text, node))
    return made


def judge(path: pathlib.Path, results: dict) -> dict:
    """A module that could not be imported has its tests by name; what fails by design is `out`, what a GPU is needed for `gpu`."""
    stem, texts = path.stem.removeprefix("test_"), sources(path)
    broken = next((reason for status, reason in results.values() if status == "import"), None)
    if broken is not None:
        names = [name for name in texts if name.split(".")[-1].startswith("test")]
        results = {name: ("fail", "import: " + broken) for name in names}
    judged = {}
    for name, (status, reason) in results.items():
        if status == "fail" and re.search(r"\.test_get_(regs_per_thread|const_mem|local_mem)", name):
            status = "gpu"  # what an assembler says of a GPU's code
        if status == "fail" and reason == "Unexpected success":
            status, reason = "pass", ""  # numba marks it as its own failure
        if status in ("fail", "timeout") or status == "skip":
            text = texts.get(re.sub(r"\[.*", "", name), "") or ""
            if stem in GPU or (status == "skip" and "needs a GPU" in reason) or "NVRTC" in reason or "cuda.bindings" in reason or "cuda.core" in reason:
                status = "gpu"
            elif status == "skip":
                pass
            elif stem in DESIGN or INSIDES.search(reason) or EXTENSIONS.search(f"{name} {reason}"):
                status = "out"
            elif TEXTS.search(text):
                status = "out"
        judged[name] = status, " ".join(reason.split()).replace(str(path.parent.parent), "TESTS")
    return judged


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("tests", type=pathlib.Path)
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--out")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=240)
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args()
    paths = [p for folder in ("cudapy", "cudadrv", "doc_examples") for p in sorted((options.tests / folder).glob("test_*.py"))]
    if options.modules:
        paths = [p for p in paths if p.stem.removeprefix("test_") in {m.removeprefix("test_") for m in options.modules}]
    with tempfile.TemporaryDirectory() as hook, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        # Children of the tests' own import it too, by the name that Python looks for.
        text = f"import sys\nsys.path.insert(0, {str(HERE.parent.parent)!r})\nfrom numba_tests import shim\nshim.install({str(options.tests)!r})\n"
        text = text.replace("numba_tests", HERE.parent.name + "_suite")
        os.symlink(HERE.parent, os.path.join(hook, HERE.parent.name + "_suite"))
        text = text.replace(f"sys.path.insert(0, {str(HERE.parent.parent)!r})", f"sys.path.insert(0, {hook!r})")
        pathlib.Path(hook, "numba_shim_path.py").write_text(text)
        pathlib.Path(hook, "sitecustomize.py").write_text("try:\n    import numba_shim_path\nexcept Exception:\n    import traceback; traceback.print_exc()\n")
        work = {pool.submit(run_module, options.tests, path, options.limit, hook): path for path in paths}
        lines, counts = [], collections.defaultdict(collections.Counter)
        for done in concurrent.futures.as_completed(work):
            path = work[done]
            kind = path.parent.name + " " + class_of(path.read_text())
            for name, (status, reason) in sorted(judge(path, done.result()).items()):
                lines.append(f"{status:8}{kind} {name}\t{reason}")
                counts[kind][status] += 1
            if not options.quiet:
                found = collections.Counter(line.split()[0] for line in lines if f" {path.stem}." in line)
                print(f"{path.stem}: {', '.join(f'{n} {s}' for s, n in sorted(found.items()))}", flush=True)
    lines.sort(key=lambda line: line[8:])
    if options.out:
        pathlib.Path(options.out).write_text("\n".join(lines) + "\n")
    for kind in sorted(counts):
        c = counts[kind]
        counted = sum(n for status, n in c.items() if status not in ("out", "gpu", "skip"))
        print(f"{kind}: {c['pass']} of {counted} pass ({100 * c['pass'] / max(1, counted):.1f} %); {dict(c)}")
    return 0


if __name__ == "__main__":
    sys.exit(child(*sys.argv[2:5]) if len(sys.argv) > 1 and sys.argv[1] == "--child" else main())
