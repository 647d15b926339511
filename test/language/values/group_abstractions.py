# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of KernelAbstractions over iteration spaces of one and two dimensions, and over the launch itself."""
import npy


def over(kiln, entry, args, ndrange, group, out):
    """Runs a kernel over an iteration space."""
    return kiln.run(["abstractions.jl"], entry, args, threads=None, options=["--ndrange", ndrange, "--workgroupsize", group], out=out)


def linear(kiln, checks):
    zeros = ["zeros(Int64, 10)"] * 3
    for where, arrays in (("ndrange", over(kiln, "linear_indices!", zeros, "10", "4", [1, 2, 3])),
                          ("launch", kiln.run(["abstractions.jl"], "linear_indices!", zeros, threads=5, blocks=2, out=[1, 2, 3]))):
        size = 4 if where == "ndrange" else 5
        for k in range(10):
            for array, wanted, what in zip(arrays, (k + 1, k % size + 1, k // size + 1), ("global", "local", "group")):
                checks.equal("Int64", array[k], wanted, f"{what} index {k} over the {where}")


def plane(kiln, checks):
    o, = over(kiln, "plane_indices!", ["zeros(Int64, 5, 6, 5)"], "5,6", "4,2", [1])
    for i in range(5):
        for j in range(6):
            wanted = [i + 1 + 100 * (j + 1), i % 4 + 1 + 100 * (j % 2 + 1), i // 4 + 1 + 100 * (j // 2 + 1), i + 1 + 5 * j, 2]
            for k in range(5):
                checks.equal("Int64", o[i, j, k], wanted[k], f"index {k} of {i, j}")
    o, = kiln.run(["abstractions.jl"], "plane_indices!", ["zeros(Int64, 6, 4, 1, 5)"], threads="3,2", blocks="2,2", out=[1])
    for i in range(6):
        for j in range(4):
            checks.equal("Int64", o[i, j, 0, 0], i + 1 + 100 * (j + 1), f"global index of {i, j} in a launch of planes")


def check(kiln, checks):
    linear(kiln, checks)
    plane(kiln, checks)
    o, = over(kiln, "sizes!", ["zeros(Int64, 4)"], "7,3", "4,2", [1])
    checks.true(list(o.items) == [4, 8, 7, 2], f"sizes {list(o.items)}")
    x = [float((7 * k) % 23) for k in range(48)]
    given = kiln.write("x", npy.vector("<f8", x))
    o, = over(kiln, "scaled_copy!", ["zeros(Float64, 48)", given, "3.0"], "48", "16", [1])
    o2, = kiln.run(["abstractions.jl"], "scaled_copy!", ["zeros(Float64, 48)", given, "3.0"], threads=48, out=[1])
    checks.true(list(o.items) == [3 * v for v in x] == list(o2.items), "scaled copy")
    o, = over(kiln, "turn_groups!", ["zeros(Float64, 37)", given], "37", "8", [1])
    for k in range(37):
        start, size = k // 8 * 8, min(8, 37 - k // 8 * 8)
        other = size - 1 - k % 8
        checks.equal("Float64", o[k], x[start + other] + other + 1, f"turned element {k}")
    o, = over(kiln, "sum_of_group!", ["zeros(Float64, 3)", given], "48", "16", [1])
    for g in range(3):
        checks.equal("Float64", o[g], sum(x[16 * g:16 * g + 16]), f"sum of group {g}")
    matrix = npy.Array("<f8", (8, 12), [float(k * k % 31) for k in range(96)])
    for pad in ([], ["Val(0)"]):
        o, = over(kiln, "transpose_tiles!", ["zeros(Float64, 12, 8)", kiln.write("m", matrix)] + pad, "8,12", "4,4", [1])
        checks.true(all(o[j, i] == matrix[i, j] for i in range(8) for j in range(12)), f"transposed with {pad}")
    o, = over(kiln, "through_function!", ["zeros(Int64, 5)"], "5", "4", [1])
    checks.true(list(o.items) == [7] * 5, "context passed on")
    o, = over(kiln, "ends_early!", ["zeros(Int64, 5)"], "5", "4", [1])
    checks.true(list(o.items) == [1, 2, 3, 0, 0], "early return")
    o, = over(kiln, "ends_early!", ["zeros(Int64, 5)"], "2", "4", [1])
    checks.true(list(o.items) == [1, 2, 0, 0, 0], "threads beyond the iteration space do nothing")
    o, = kiln.run(["abstractions.jl"], "host/add_captured!", ["ones(Int64, 6)"], threads=None, out=[1],
                  options=["--capture", "n=41", "--ndrange", "6", "--workgroupsize", "4"])
    checks.true(list(o.items) == [42] * 6, "nested kernel with a captured value")
    a = kiln.write("a", npy.vector("<i8", [3, 1, 4, 1, 5, 9, 2, 6]))
    o, = kiln.run(["abstractions.jl"], "intrinsics!", ["zeros(Int64, 8)", a], threads=4, blocks=2, out=[1])
    checks.true(list(o.items) == [v + 100 * (k // 4 + 1) + 824000 for k, v in enumerate([1, 4, 1, 3, 6, 2, 9, 5])], f"intrinsics {list(o.items)}")
