# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host arrays that share memory: a kernel sees one memory, on every device, and the host sees it afterwards."""
FILE = ["mirrors.jl"]


def check(kiln, checks):
    def run(entry, argument):
        return list(kiln.run(FILE, entry, [argument], threads=1, out=[1])[0].items)

    shared = [42, 0, 0, 0, 0, 0]
    apart = [41, 0, 0, 0, 0, 0]
    for text, wanted in (
        ("let a = zeros(Int64, 6); (a, a) end", shared),
        ("let a = zeros(Int64, 6); (a, reshape(a, 2, 3)) end", shared),
        ("let a = zeros(Int64, 6); (reshape(a, 3, 2), a) end", shared),
        ("let a = zeros(Int64, 6); Both(a, a) end", shared),
        ("let a = zeros(Int64, 6); Both(a, reshape(a, 1, 6)) end", shared),
        ("(zeros(Int64, 6), zeros(Int64, 6))", apart),
        ("Both(zeros(Int64, 6), zeros(Int64, 6))", apart),
    ):
        found = run("store_then_add", text)
        checks.true(found == wanted, f"store_then_add({text}): {found}, not {wanted}")
    found = run("store_lengths", "(zeros(Int64, 2), zeros(Int64, 0))")
    checks.true(found == [200, 0], f"an empty array beside another: {found}")
    found = run("store_nested", "let a = zeros(Int64, 4); ((a, (a, reshape(a, 2, 2))), 5) end")
    checks.true(found == [7, 0, 0, 3], f"store_nested: {found}")
