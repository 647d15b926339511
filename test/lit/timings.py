# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program reads of --timings.

    timings.py table FILE   of --timings=json
    timings.py trace FILE   of --timings=trace:FILE (the format of chrome://tracing and Perfetto)
"""
import json
import sys

with open(sys.argv[2], encoding="utf-8") as file:
    data = json.load(file)

if sys.argv[1] == "table":
    rows = data["rows"]
    for row in rows:
        assert set(row) == {"name", "depth", "calls", "ns", "allocations", "allocated_bytes"}, row
        assert row["calls"] > 0 and row["ns"] >= 0, row
    outer = [row for row in rows if row["depth"] == 0]
    untimed = sum(row["ns"] for row in outer if row["name"] == "untimed")
    assert abs(sum(row["ns"] for row in outer) - data["wall_ns"]) <= data["wall_ns"] // 100, "the rows do not sum to the whole"
    print("stages:", ", ".join(row["name"] for row in outer))
    print(f"the stages cover {100 - 100 * untimed / data['wall_ns']:.0f} %")
else:
    events = data["traceEvents"]
    for event in events:
        assert event["ph"] == "X" and event["ts"] >= 0 and event["dur"] >= 0, event
        assert event["pid"] and event["tid"], event
    print("events:", ", ".join(event["name"] for event in sorted(events, key=lambda e: e["ts"])))
    print("every event has a beginning and an end")
