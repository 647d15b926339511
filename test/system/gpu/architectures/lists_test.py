#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""values.json has the kernels of all files of test/language/values, and record.py reports kernels that need a newer architecture."""
import json
import os
import sys
import tempfile

import assemble
import record


def recording():
    """record.py as a whole, with a kernel that moves from sm_75 to sm_80."""
    record.recorded = lambda *_: {("a.jl",): ["f()"]}
    record.failing = lambda kiln, names, calls, arch, folder: calls if arch == "sm_75" else []
    with tempfile.TemporaryDirectory() as record.HERE:
        path = os.path.join(record.HERE, "values.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump([{"files": ["a.jl"], "since": "sm_75", "calls": ["f()"]}], file)
        for options, recorded, must_refuse in (([], "sm_75", True), (["--accept"], "sm_80", False), ([], "sm_80", False)):
            sys.argv = ["record.py", "--kiln", "kiln", *options]
            refused = ""
            try:
                record.main()
            except SystemExit as end:
                refused = str(end)
            with open(path, encoding="utf-8") as file:
                since = json.load(file)[0]["since"]
            if since != recorded or ("a.jl: f(): from sm_75 to sm_80" in refused) != must_refuse:
                yield f"record.py {' '.join(options)}: since is {since}, message `{refused}`"


def main():
    with open(os.path.join(assemble.HERE, "values.json"), encoding="utf-8") as file:
        values = json.load(file)
    assemble.check_list(values)
    wrong = [f"{file} does not exist" for file in (*assemble.EVERYWHERE, *assemble.LEFT_OUT) if not os.path.exists(os.path.join(assemble.VALUES, file))]

    def expect(got, wanted):
        if list(got) != wanted:
            wrong.append(f"got {list(got)}, expected {wanted}")

    known = [{"files": ["typed.jl", "a.jl"], "since": "sm_75", "calls": ["f(Int64)", "g(Int64)"]}, {"files": ["b.jl"], "only": ["sm_90a"], "calls": ["h()"]}]
    texts = {"typed.jl": "", "a.jl": "#! f(o; 7)\n#! fails(o): status 1: Error\n", "b.jl": "h() = 1\n"}
    expect(assemble.missing_kernels(known, texts), [])
    expect(assemble.missing_kernels(known, {**texts, "new.jl": "f() = 1\n"}), ["new.jl: values.json has no kernel of it: run record.py"])
    expect(assemble.missing_kernels(known, {**texts, "a.jl": "#! f(o)\n#! e(o)\n"}), ["a.jl: values.json has no e: run record.py"])
    expect(assemble.missing_kernels(known, {**texts, "b.jl": "#! kernels: h, i, j\n"}), ["b.jl: values.json has no i, j: run record.py"])

    before = record.steps_of(known)
    expect(record.risen(before, before, set()), [])
    later = record.steps_of([{**known[0], "since": "sm_80"}, known[1]])
    expect(record.risen(before, later, set()), ["typed.jl a.jl: f(Int64): from sm_75 to sm_80", "typed.jl a.jl: g(Int64): from sm_75 to sm_80"])
    expect(record.risen(later, before, set()), [])
    gone = {k: v for k, v in before.items() if k[1] != "h()"}
    expect(record.risen(before, gone, set()), [])  # no group runs it any more
    expect(record.risen(before, gone, {(("b.jl",), "h()")}), ["b.jl: h(): from sm_90a to none"])
    wrong += recording()
    print("\n".join(wrong) or "the lists are right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
