# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""datetime64 and timedelta64 in kernels, against NumPy."""

import operator

import numpy as np
import pytest

import kiln
from kiln import cuda, errors
from kiln._types import NPDatetime, NPTimedelta, from_dtype

DAYS = np.array(["1969-12-31", "2005-02-01", "NaT", "2024-02-29", "1600-01-01"], "M8[D]")
OTHER = np.array(["2000-01-01", "2005-02-01", "2001-01-01", "NaT", "2024-02-29"], "M8[D]")
SPANS = np.array([3, -7, "NaT", 0, 10**6], "m8[s]")
LONG = np.array([2, -7, 5, "NaT", 3], "m8[h]")


def computed(function, result, *arrays):
    out = np.zeros(arrays[0].size, result)

    @kiln.jit(device="cpu")
    def two(a, b, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = function(a[i], b[i])

    @kiln.jit(device="cpu")
    def one(a, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = function(a[i])

    (one if len(arrays) == 1 else two)[1, 32](*arrays, out)
    return out


def same(made, expected):
    assert made.dtype == expected.dtype
    np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize(
    "a, b", [(DAYS, OTHER), (SPANS, LONG), (LONG, SPANS), (DAYS, OTHER.astype("M8[ns]").astype("M8[s]")), (LONG, np.array([1, 2, "NaT", 3, 4], "m8[W]"))], ids=str
)
@pytest.mark.parametrize("name", ["eq", "ne", "lt", "le", "gt", "ge", "sub"])
def test_operators(name, a, b):
    function = getattr(operator, name)
    expected = function(a, b)
    same(computed(function, expected.dtype, a, b), expected)


@pytest.mark.parametrize("a, b", [(DAYS, SPANS), (DAYS, LONG), (SPANS, LONG), (LONG, DAYS), (DAYS.astype("M8[M]"), np.array([1, 2, 3, "NaT", -5], "m8[Y]"))], ids=str)
def test_sums(a, b):
    same(computed(operator.add, (a + b).dtype, a, b), a + b)


@pytest.mark.parametrize("b", [np.array([2, -3, 4, 5, 7]), np.array([2, -3, 4, 5, 7], np.int8), np.array([0.5, -2.25, np.nan, 1, 3.7])], ids=["int64", "int8", "float64"])
def test_products(b):
    same(computed(operator.mul, "m8[s]", SPANS, b), SPANS * b)
    same(computed(operator.mul, "m8[s]", b, SPANS), b * SPANS)
    same(computed(operator.truediv, "m8[s]", SPANS, b), SPANS / b)


def test_quotients():
    b = np.array([2, 3, 4, 5, "NaT"], "m8[m]")
    same(computed(operator.truediv, float, SPANS, b), SPANS / b)
    same(computed(operator.mod, "m8[s]", SPANS, b), SPANS % b)
    whole, by = np.array([7, -7, 90000, 1], "m8[s]"), np.array([2, 2, 1, 3], "m8[m]")
    same(computed(operator.floordiv, np.int64, whole, by), whole // by)


def test_signs_and_nat():
    same(computed(operator.neg, "m8[s]", SPANS), -SPANS)
    same(computed(abs, "m8[s]", SPANS), abs(SPANS))
    same(computed(np.isnat, bool, DAYS), np.isnat(DAYS))


def test_a_finer_result():
    days, other = DAYS[:4], OTHER[:4]  # a span of 292 years fits
    same(computed(operator.sub, "m8[ns]", days, other), (days - other).astype("m8[ns]"))


def test_scalars_constants_and_joins():
    day, long = np.datetime64("2005-02-01", "D"), np.timedelta64(36, "h")

    @kiln.jit(device="cpu")
    def kernel(a, limit, step, out, found):
        i = cuda.grid(1)
        if i < a.size:
            shift = step
            if a[i] > limit:
                shift = -step
            out[i] = a[i] + shift + long
            if a[i] == day:
                found[0] = i

    out, found = np.zeros(DAYS.size, "M8[h]"), np.zeros(1, np.int64)
    kernel[1, 32](DAYS, np.datetime64("2010-01-01", "D"), np.timedelta64(2, "D"), out, found)
    expected = DAYS + np.where(DAYS > np.datetime64("2010-01-01"), -np.timedelta64(2, "D"), np.timedelta64(2, "D")) + long
    same(out, expected)
    assert found[0] == 1


def test_in_records_and_shared_arrays():
    people = np.zeros(2, [("born", "M8[D]"), ("age", "m8[D]"), ("n", "i4")])
    people["born"] = DAYS[:2]

    @kiln.jit(device="cpu")
    def kernel(p, today):
        kept = cuda.shared.array(2, "M8[D]")
        i = cuda.threadIdx.x
        kept[i] = p[i].born
        cuda.syncthreads()
        p[i].age = today - kept[i]

    kernel[1, 2](people, np.datetime64("2026-11-24"))
    same(people["age"], np.datetime64("2026-11-24") - DAYS[:2])


def test_vectorize_and_guvectorize():
    date, span = from_dtype(DAYS.dtype), from_dtype(np.dtype("m8[D]"))
    assert (date, span) == (NPDatetime("D"), NPTimedelta("D"))
    whole = OTHER[:3]

    @cuda.vectorize([(date, date)])
    def between(a, b):
        return b - a

    same(between(DAYS[:3], whole), whole - DAYS[:3])

    @cuda.vectorize
    def later(a, b):
        return a + b

    same(later(DAYS, SPANS), DAYS + SPANS)

    @cuda.guvectorize([(date, date, span[:])], "(),()->()")
    def gaps(a, b, out):
        out[0] = b - a

    same(gaps(DAYS, OTHER), OTHER - DAYS)


def test_device_arrays_and_signatures():
    given = cuda.to_device(DAYS)
    same(given.copy_to_host(), DAYS)
    same(given.view(np.int64).copy_to_host(), DAYS.view(np.int64))

    @kiln.jit((NPDatetime("D")[::1], NPTimedelta("D")[::1]), device="cpu")
    def kernel(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = a[i] - a[0]

    out = np.zeros(DAYS.size, "m8[D]")
    kernel[1, 8](DAYS, out)
    same(out, DAYS - DAYS[0])


def test_errors():
    with pytest.raises(errors.TypingError, match="a calendar is between them"):
        computed(operator.sub, "m8[D]", DAYS, OTHER.astype("M8[M]"))
    with pytest.raises(errors.TypingError, match=r"no implementation of \+ for argument types \(datetime64\[D\], datetime64\[D\]\)"):
        computed(operator.add, "M8[D]", DAYS, OTHER)
    with pytest.raises(errors.TypingError, match="does not convert to the coarser"):
        computed(operator.sub, "m8[W]", DAYS, OTHER)
    with pytest.raises(errors.TypingError, match="a time is no number"):
        computed(operator.sub, np.int64, DAYS, OTHER)
    with pytest.raises(TypeError, match="times are of one unit"):
        computed(operator.neg, "m8[s]", np.zeros(2, "m8[10s]"))
    with pytest.raises(ValueError, match="has no unit 'x'"):
        NPDatetime("x")
