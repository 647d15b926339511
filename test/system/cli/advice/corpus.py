# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus.py KILN: advice on the kernels of test/language/values, none of which is false.

Which kernels, and of which types: values_calls.txt, a line "FILES<tab>CALL" each, as a run of test/language/values compiles them (KILN_TRACE_JOBS). What is
found must be in right_advice.txt, "FILE<tab>RULE<tab>LINE OF CODE<tab>WHY IT IS RIGHT". What is there and is not found any more is told: the optimiser may have
learnt to do without it.

    corpus.py KILN --found    prints what is found in that form, without reasons
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
VALUES = os.path.join(HERE, "..", "..", "..", "language", "values")
BATCH = 60  # calls of one process
ENVIRONMENT = {**os.environ, "KILN_CACHE_DIR": "", "KILN_ASSEMBLER": "driver"}  # spills and occupancy are a GPU's, and a toolkit's, affair


def rows(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]


def batches():
    """([file], [call]) of at most BATCH calls."""
    by_files = {}
    for files, call in rows("values_calls.txt"):
        by_files.setdefault(files, []).append(call)
    for files, calls in by_files.items():
        for at in range(0, len(calls), BATCH):
            yield files.split(), calls[at:at + BATCH]


def source_line(path, number, cache={}):
    if path not in cache:
        with open(path, encoding="utf-8") as file:
            cache[path] = file.read().split("\n")
    return cache[path][number - 1].strip()


def advice_on(kiln, files, calls):
    """{(file, rule, line of code): the first call with it}"""
    command = [kiln, "advise", *[os.path.join(VALUES, file) for file in files], *calls, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT, timeout=540)
    if "libdevice" in done.stderr and done.returncode == 3:
        print("SKIPPED: no libdevice here, which some of these kernels need")
        sys.exit(77)
    if done.returncode:
        sys.exit(f"{' '.join(files)}: kiln advise ends with status {done.returncode}\n{done.stderr}")
    told = json.loads(done.stdout)
    reports = zip(calls, [each["report"] for each in told] if len(calls) > 1 else [told])
    found = {}
    for call, report in reports:
        for advice in report["advice"]:
            place = (os.path.basename(advice["file"]), advice["rule"], source_line(advice["file"], advice["line"]))
            found.setdefault(place, f"{call}\n    {advice['line']}:{advice['column']}: {advice['message']}; {advice['hint']}")
    return found


def main():
    kiln, found, count = os.path.abspath(sys.argv[1]), {}, 0
    for files, calls in batches():
        count += len(calls)
        found.update({place: what for place, what in advice_on(kiln, files, calls).items() if place not in found})
    if "--found" in sys.argv:
        for place in sorted(found):
            print("\t".join(place) + "\t")
        return
    right = {tuple(row[:3]): row[3] for row in rows("right_advice.txt")}
    assert all(right.values()), "each finding of right_advice.txt has its reason"
    false = sorted(set(found) - set(right))
    gone = sorted(set(right) - set(found))
    for place in false:
        print(f"{place[0]}: {place[1]}: {place[2]}\n  {found[place]}")
    for place in gone:
        print(f"{place[0]}: {place[1]}: not found any more: {place[2]}")
    print(f"{count} kernels, {len(found)} findings, {len(false)} that are not known to be right, {len(gone)} gone")
    sys.exit(1 if false else 0)


main()
