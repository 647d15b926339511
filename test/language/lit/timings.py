# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program reads of --timings.

    timings.py table FILE   of --timings=json, checked against the schema of docs/guide/timings.md
    timings.py trace FILE   of --timings=trace:FILE (the format of chrome://tracing and Perfetto)
    timings.py page FILE    of --timings=html:FILE: the report in it, checked in the same way
    timings.py shares FILE  of a merged precompile: what threads recorded as a whole is what jobs add up to
    timings.py program FILE SECONDS  of a program whose host code runs for SECONDS at least: less than 10 % is untimed
"""
import json
import os
import re
import sys

STRING, COUNT, FLAG, SHARE = str, int, bool, float
ROW = {"name": STRING, "depth": COUNT, "calls": COUNT, "ns": COUNT, "self_ns": COUNT, "wait": FLAG}
ROW_MAY = {"share": FLAG, "job_ns": COUNT, "instructions_before": COUNT, "instructions_after": COUNT, "allocations": COUNT, "allocated_bytes": COUNT}
JOB = {"name": STRING, "target": STRING, "config": STRING, "key": STRING, "calls": COUNT, "ns": COUNT, "share_ns": COUNT, "file": STRING, "line": COUNT, "rows": list, "lookups": list, "products": list, "dumps": list}
DUMP = {"product": STRING, "path": STRING}
LOOKUP = {"product": STRING, "answer": STRING, "reason": STRING, "count": COUNT}
KERNEL = {"name": STRING, "job": STRING, "key": STRING, "assembler": STRING, "registers": COUNT, "spilled_bytes": COUNT, "stack_bytes": COUNT,
          "shared_bytes": COUNT, "constant_bytes": COUNT, "text_bytes": COUNT, "object_bytes": COUNT, "launches": COUNT}
KERNEL_MAY = {"coarse_factor": COUNT, "coarse_launches": COUNT, "threads": COUNT, "dynamic_shared_bytes": COUNT, "occupancy": SHARE, "limit": STRING}
WARNING = {"job": STRING, "stage": STRING, "text": STRING}
PRODUCT = {"product": STRING, "key": STRING, "found": STRING, "start_ns": COUNT, "end_ns": COUNT, "wait_ns": COUNT, "compile_ns": COUNT, "waited_for": STRING}
FOUND = {"folder", "process", "remote", "joined", "hedged", "compiled"}
PROCESS = {"version": STRING, "build": STRING, "host": STRING, "process": COUNT, "start_ns": COUNT}
PROCESS_MAY = {"cpu": STRING, "gpu": STRING, "rank": COUNT, "cache_folder": STRING}  # null where there is none
REPORT = {"kiln_timings": COUNT, "title": STRING, "process": dict, "wall_ns": COUNT, "threads": COUNT, "rows": list, "jobs": list, "kernels": list, "warnings": list}
ADVICE = {"job": STRING, "target": STRING, "rule": STRING, "file": STRING, "line": COUNT, "column": COUNT, "message": STRING, "hint": STRING}
NOT_CHECKED = {"job": STRING, "target": STRING, "text": STRING}
REPORT_MAY = {"advice": list, "not_checked": list, "counters": dict}  # counters: null with several sessions
ANSWERS = {"memory", "folder", "remote", "another thread", "another process", "made"}


def check(what, must, may=None):
    """`what` has all of `must`, nothing but these and `may`, each of its type; counts are not negative."""
    allowed = {**must, **(may or {})}
    assert set(must) <= set(what) <= set(allowed), (sorted(set(must) ^ set(what)), what)
    for name, value in what.items():
        assert type(value) is allowed[name], (name, value)
        assert not isinstance(value, int) or value >= 0, (name, value)


def without_nulls(what):
    return {name: value for name, value in what.items() if value is not None}


def check_rows(rows, whole):
    depth = 0
    stack = []  # the row that is open at each depth, and what its children took
    for row in rows:
        check(row, ROW, ROW_MAY)
        assert row["depth"] <= depth + (row is not rows[0]), row
        assert row["self_ns"] <= row["ns"], row
        depth = row["depth"]
        del stack[depth:]
        if stack:
            stack[-1][1] += row["ns"]
            assert stack[-1][1] + stack[-1][0]["self_ns"] <= stack[-1][0]["ns"], (stack[-1], row)
        stack.append([row, 0])
    outer = [row for row in rows if row["depth"] == 0]
    assert outer[-1]["name"] == "untimed" and [row["name"] for row in outer].count("untimed") == 1, outer
    assert abs(sum(row["ns"] for row in outer) - whole) <= whole // 100, "the rows do not sum to the whole"


def check_report(data, threads=1):
    check(without_nulls(data), REPORT, REPORT_MAY)
    check(without_nulls(data["process"]), PROCESS, PROCESS_MAY)
    assert set(data["process"]) == {*PROCESS, *PROCESS_MAY} and "counters" in data, data["process"]
    assert all(type(value) is int and value >= 0 for value in (data["counters"] or {}).values()), data["counters"]
    assert ("advice" in data) == ("not_checked" in data)
    for advice in data.get("advice", []):
        check(advice, ADVICE)
        assert any((advice["job"], advice["target"]) == (job["name"], job["target"]) for job in data["jobs"]), advice
    for left_out in data.get("not_checked", []):
        check(left_out, NOT_CHECKED)
    assert data["kiln_timings"] == 1
    for row in data["rows"]:
        assert {"allocations", "allocated_bytes", "job_ns"} <= set(row) and row["job_ns"] <= row["ns"], row
    if data["threads"] <= threads:
        check_rows(data["rows"], data["wall_ns"])
    for job in data["jobs"]:
        check(job, JOB)
        assert re.fullmatch("[0-9a-f]*", job["key"]), job
        others = sum(row["ns"] for row in job["rows"] if row["name"] == "other job")
        check_rows(job["rows"], job["ns"] + others)
        for dump in job["dumps"]:
            check(dump, DUMP)
            assert os.path.isfile(dump["path"]), dump
        for lookup in job["lookups"]:
            check(lookup, LOOKUP)
            assert lookup["answer"] in ANSWERS and lookup["count"] > 0, lookup
        for product in job["products"]:
            check(product, PRODUCT)
            assert product["found"] in FOUND and re.fullmatch("[0-9a-f]{32}", product["key"]), product
            assert product["start_ns"] + max(product["wait_ns"], product["compile_ns"]) <= product["end_ns"] <= data["wall_ns"], product
    for kernel in data["kernels"]:
        check(kernel, KERNEL, KERNEL_MAY)
    for warning in data["warnings"]:
        check(warning, WARNING)


def say(data):
    outer = [row for row in data["rows"] if row["depth"] == 0]
    untimed = sum(row["ns"] for row in outer if row["name"] == "untimed")
    print("stages:", ", ".join(row["name"] for row in outer))
    print("all stages:", ", ".join(row["name"] for row in data["rows"]))
    for job in data["jobs"]:
        print(f"job {job['name']} for {job['target']}, key {'known' if job['key'] else 'not known'}:", ", ".join(row["name"] for row in job["rows"]))
        print(f"  at {os.path.basename(job['file'])}:{job['line']}; kept: {' '.join(dump['product'] for dump in job['dumps'])}")
        for lookup in job["lookups"]:
            print(f"  {lookup['product']} from {lookup['answer']} ({lookup['reason']})")
    for kernel in data["kernels"]:
        print(f"kernel {kernel['name']} of {kernel['job']}: PTX {'' if kernel['text_bytes'] else 'un'}known, cubin {'' if kernel['object_bytes'] else 'un'}known")
    for warning in data["warnings"]:
        print(f"warning of {warning['job']}, {warning['stage']}: {warning['text']}")
    for advice in data.get("advice", []):
        print(f"advice of {advice['job']} for {advice['target']}: {advice['rule']} in line {advice['line']}, column {advice['column']}: {advice['hint']}")
    for left_out in data.get("not_checked", []):
        print(f"not checked of {left_out['job']}: {left_out['text']}")
    print(f"the stages cover {100 - 100 * untimed / data['wall_ns']:.0f} %")


NOT_OF_JOBS = {"untimed", "process start", "command line", "open the session", "read files", "front-end", "evaluate", "resolve", "cache flush",
               "cache publish", "write results"}


def check_shares(data):
    """Threads record all their rows apart from those of jobs: the two sums have nothing in common but the clock."""
    def of_jobs(name):
        return sum(row["ns"] for job in data["jobs"] for row in job["rows"] if row["name"] == name)

    def of_threads(name):
        return sum(row["ns"] for row in data["rows"] if row["name"] == name)

    for stage in ("inference", "LLVM middle-end", "LLVM back-end"):
        assert of_threads(stage) > 0 and of_jobs(stage) == of_threads(stage), (stage, of_jobs(stage), of_threads(stage))
    shares, assembled = of_jobs("assemble (share)"), of_threads("assemble")
    assert shares and abs(shares + of_jobs("assemble") - assembled) <= 0.05 * assembled + 1_000_000, (shares, assembled)
    for job in data["jobs"]:
        parts = [row for row in job["rows"] if row.get("share")]
        assert len(parts) == 1 and parts[0]["name"] == "assemble (share)" and parts[0]["ns"] == job["share_ns"], job
        assert 0 < job["share_ns"] < job["ns"] and job["calls"] == 1, job
    # All that threads computed between the loading and the flush is some job's; a machine that is busy makes waits and untimed time, not rows.
    def worked(rows):
        return sum(row["ns"] for row in rows if row["depth"] == 0 and not row["wait"] and row["name"] not in NOT_OF_JOBS)
    whole, jobs = worked(data["rows"]), sum(worked(job["rows"]) for job in data["jobs"])
    assert abs(whole - jobs) <= 0.05 * whole + 1_000_000, (whole, jobs)


def check_program(data, seconds):
    """The program measures its own time. Its rows have all of it, and leave little of the wall time."""
    def total(name):
        return sum(row["ns"] for row in data["rows"] if row["name"] == name)

    assert total("host interpretation") >= seconds * 1e9, (total("host interpretation"), seconds)
    assert total("run the program") >= total("host interpretation"), data["rows"]
    assert total("untimed") < 0.1 * data["wall_ns"], (total("untimed"), data["wall_ns"])


with open(sys.argv[2], encoding="utf-8") as file:
    text = file.read()

if sys.argv[1] == "trace":
    everything = json.loads(text)["traceEvents"]
    names = {event["tid"]: event["args"]["name"] for event in everything if event["ph"] == "M" and event["name"] == "thread_name"}
    counters = sorted({event["name"] for event in everything if event["ph"] == "C" and event["ts"] >= 0})
    assert all(type(value) is int and value >= 0 for event in everything if event["ph"] == "C" for value in event["args"].values())
    events = [event for event in everything if event["ph"] not in "MC"]
    for event in events:
        assert event["ph"] == "X" and event["ts"] >= 0 and event["dur"] >= 0, event
        assert event["pid"] and event["tid"] in names, event
        if "args" in event:
            check(event["args"], {"job": STRING, "target": STRING, "key": STRING})
    print("events:", ", ".join(event["name"] for event in sorted(events, key=lambda e: e["ts"])))
    print("events of jobs:", ", ".join(sorted({f"{e['args']['job']} for {e['args']['target']} {'with' if e['args']['key'] else 'without'} a key"
                                               for e in events if "args" in e})))
    print("threads:", ", ".join(names.values()))
    print("counters:", ", ".join(counters))
    print("every event has a beginning and an end")
else:
    if sys.argv[1] == "page":
        assert "://" not in text, "the page asks for something of the network"
        text = re.search(r'<script type="application/json" id="report">(.*?)</script>', text, re.DOTALL).group(1)
    report = json.loads(text)
    check_report(report)
    if sys.argv[1] == "shares":
        check_shares(report)
    if sys.argv[1] == "program":
        check_program(report, float(sys.argv[3]))
    say(report)
