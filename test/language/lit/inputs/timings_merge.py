# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs of timings_merge.jl: reports of a fleet, written by hand. Times are in milliseconds here, nanoseconds in the files.

    timings_merge.py FOLDER
"""
import json
import os
import sys

START = 1_700_000_000_000  # ms since 1970
NAMES = {"1" * 32: "f(Int64)", "2" * 32: "g(Int64)"}


def product(key, found, start, end, wait=0, compile=0, waited_for=""):
    return {"product": "asm", "key": key * 32, "found": found, "start_ns": start * 10**6, "end_ns": end * 10**6, "wait_ns": wait * 10**6, "compile_ns": compile * 10**6, "waited_for": waited_for}


def report(host, process, rank, start, products, build="aaaa", **more):
    jobs = [{"name": NAMES[each["key"]], "target": "native", "config": "", "key": each["key"], "calls": 1, "ns": 0, "share_ns": 0, "rows": [], "lookups": [], "products": [each]} for each in products]
    identity = {"version": "0.3.0", "build": build, "host": host, "process": process, "cpu": "a <fast> CPU", "gpu": None, "start_ns": (START + start) * 10**6, "rank": rank, "cache_folder": None}
    counters = {"remote_missing": len(products), "compiled": sum(each["found"] == "compiled" for each in products)}
    return {"kiln_timings": 1, "title": "", "process": identity, "counters": counters, "wall_ns": 500 * 10**6, "threads": 1, "rows": [], "jobs": jobs, "kernels": [], "warnings": [], **more}


first = report("a", 10, 0, 0, [product("1", "compiled", 10, 210, compile=200), product("2", "remote", 400, 401)])
second_products = [product("1", "joined", 5, 125, wait=120, waited_for="a:10"), product("2", "compiled", 130, 230, compile=100)]
second = report("b", 20, 1, 100, second_products)
third = report("b", 21, 2, 150, [product("1", "hedged", 20, 60, compile=40), product("2", "compiled", 70, 150, compile=80)])
late = report("b", 20, 1, 3_600_100, second_products)
later = report("c", 30, 3, 600_000, [product("1", "folder", 1, 2)])
other_build = report("c", 30, 2, 200, [product("1", "process", 5, 25, wait=20)], build="bbbb")
no_rank = report("d", 40, None, 10, [product("1", "joined", 0, 50, wait=50, waited_for="z:99")])
old = {name: value for name, value in first.items() if name != "process"}
wrong = report("e", 50, 4, 0, [product("1", "compiled", 10, 5)])
unknown = report("e", 51, 4, 0, [product("1", "guessed", 1, 5)])

os.chdir(sys.argv[1])
for name, value in {"first": first, "second": second, "third": third, "late": late, "later": later, "other_build": other_build, "no_rank": no_rank, "old": old, "wrong": wrong,
                    "unknown": unknown, "version": {**second, "kiln_timings": 2}, "other": {"some": "object"}, "both": [first, second]}.items():
    with open(f"{name}.json", "w", encoding="utf-8") as file:
        json.dump(value, file)
with open("cut.json", "w", encoding="utf-8") as file:
    file.write(json.dumps(first) + "\n" + json.dumps(second)[:-100])
with open("text.json", "w", encoding="utf-8") as file:
    file.write("no JSON at all")
