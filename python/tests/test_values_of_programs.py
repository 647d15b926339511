# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What programs hand to kernels besides numbers and arrays: named tuples, enumerations, records; and what kernels print of them."""

import collections
import enum
import math

import numpy as np
import pytest

from kiln import cuda, errors

Point = collections.namedtuple("Point", "x, y")
Pair = collections.namedtuple("Pair", ["first", "second"])
FROZEN = Point(3, 0.5)


class Color(enum.Enum):
    red = 1
    green = 2


def test_named_tuples():
    @cuda.jit
    def kernel(p, q, out):
        x, y = q
        out[0], out[1], out[2] = p.x, p.y, p[1]
        out[3], out[4] = x, len(p) + sum(p)
        out[5] = p == q
        out[6] = p == (3, 4) and 3 in p
        out[7] = FROZEN.x + FROZEN.y
        for item in p:
            out[8] += item

    out = np.zeros(9)
    kernel[1, 1](Point(3, 4), Point(5, 6.5), out)
    assert out.tolist() == [3, 4, 4, 5, 2 + 7, 0, 1, 3.5, 7]


def test_named_tuples_of_arrays_and_in_tuples():
    @cuda.jit
    def kernel(pair, nested):
        i = cuda.grid(1)
        if i < pair.first.size:
            pair.first[i] = pair.second.x * nested[0].y[i] + nested[1]

    a, b = np.zeros(4), np.arange(4.0)
    kernel[1, 32](Pair(a, Point(2, 3)), (Point(0, b), 1))
    assert a.tolist() == [1, 3, 5, 7]


def test_named_tuples_of_other_names_are_other_types():
    @cuda.jit
    def kernel(p, out):
        out[0] = p.x

    out = np.zeros(1)
    kernel[1, 1](Point(1, 2), out)
    with pytest.raises(errors.TypingError, match="no item x"):
        kernel[1, 1](Pair(1, 2), out)


def test_members_of_enumerations_by_name():
    @cuda.jit
    def kernel(c, out):
        out[0] = c == Color["red"]
        out[1] = c == Color["green"]
        out[2] = Color["green"] == Color.green

    out = np.zeros(3, bool)
    kernel[1, 1](Color.green, out)
    assert out.tolist() == [False, True, True]

    @cuda.jit
    def wrong(out):
        out[0] = Color["blue"] == Color.red

    with pytest.raises(errors.TypingError, match="Color has no member 'blue'"):
        wrong[1, 1](out)


def test_fields_of_an_array_of_records():
    @cuda.jit
    def kernel(r, out):
        i = cuda.grid(1)
        if i < r.size:
            out[i] = r.value1[i] + r.value2[i]

    r = np.rec.array([(1, 0.5), (2, 1.5), (3, 2.5)], dtype=[("value1", np.int64), ("value2", np.float64)])
    out = np.zeros(3)
    kernel[1, 3](r, out)
    assert out.tolist() == [1.5, 3.5, 5.5]
    with pytest.raises(errors.TypingError, match="no attribute value1"):
        kernel[1, 3](out, out)


def test_count_nonzero():
    @cuda.jit
    def kernel(a, out):
        out[0] = np.count_nonzero(a)

    for a in (np.array([0, 1, 2, 0]), np.array([[True, False], [True, True]]), np.array([0.0, -0.0, np.nan])):
        out = np.zeros(1, np.int64)
        kernel[1, 1](a, out)
        assert out[0] == np.count_nonzero(a)


def test_print(capfd):
    @cuda.jit
    def kernel(p, flag):
        if cuda.threadIdx.x == 1:
            index = cuda.threadIdx
            print(True, flag, (flag, 2), p, cuda.blockDim, index, index.x)

    kernel[1, 2](Point(1, 2), False)
    cuda.synchronize()
    assert capfd.readouterr().out == "True False (False, 2) (1, 2) (2, 1, 1) (1, 0, 0) 1\n"


def test_launch_configurations_that_are_wrong():
    @cuda.jit
    def kernel():
        pass

    with pytest.raises(ValueError, match=r"griddim must be a sequence of 1, 2 or 3 integers, got \[1, 2, 3, 4\]"):
        kernel[(1, 2, 3, 4), 1]
    with pytest.raises(TypeError, match=r"blockdim must be a sequence of integers, got \[3.0\]"):
        kernel[1, 3.0]
    with pytest.raises(ValueError, match="launch configuration was not specified"):
        kernel()
    with pytest.raises(ValueError, match="Got 4 launch bounds"):
        cuda.jit(launch_bounds=(1, 2, 3, 4))(lambda: None)


class OwnError(Exception):
    pass


def test_exceptions_of_the_program_s_own_classes():
    @cuda.jit("void(int32)", debug=True, opt=False)
    def kernel(x):
        if x == 1:
            raise OwnError
        elif x == 2:
            raise OwnError("foo")

    kernel[1, 1](0)
    for x, text in ((1, ""), (2, "foo")):
        with pytest.raises(OwnError, match=r"In function 'kernel', file \S+, line \d+, tid=\[0, 0, 0\] ctaid=\[0, 0, 0\]: " + text):
            kernel[1, 1](x)


class Foreign:
    def __init__(self, array):
        self.__cuda_array_interface__ = array.__cuda_array_interface__
        self.array = array


ON_DEVICE = cuda.to_device(np.arange(4.0))


def test_device_arrays_that_kernels_name():
    matrix, foreign = cuda.to_device(np.arange(6, dtype=np.int32).reshape(2, 3)), Foreign(cuda.to_device(np.array([7, 8])))
    strided, columns = matrix[:, ::2], cuda.to_device(np.asfortranarray(np.arange(6.0).reshape(2, 3)))

    @cuda.jit(device=True)
    def read(i):
        return ON_DEVICE[i]

    @cuda.jit
    def kernel(out):
        out[0], out[1], out[2] = read(2), matrix[1, 2], foreign[1]
        out[3], out[4], out[5] = strided[1, 1], columns[1, 2], matrix.shape[0] * 10 + strided.shape[1]
        ON_DEVICE[3] = 9

    out = np.zeros(6)
    kernel[1, 1](out)
    assert out.tolist() == [2, 5, 8, 5, 5, 22] and ON_DEVICE.copy_to_host()[3] == 9
    ON_DEVICE[2] = 20  # the elements are no constants
    kernel[1, 1](out)
    assert out[0] == 20


def test_guvectorize_with_outputs_of_others():
    @cuda.guvectorize(["void(int32[:], int32[:], int32[:])"], "(n),()->(n)")
    def add(x, y, res):
        for i in range(x.shape[0]):
            res[i] = x[i] + y[0]

    a, b, out = np.array([1, 2, 3], np.int32), np.array([2], np.int32), np.zeros(3, np.int32)
    add(a, b, out=out)
    assert out.tolist() == [3, 4, 5]
    held = cuda.device_array(3, np.int32)
    add(a, np.int32(5), out=Foreign(held))
    assert held.copy_to_host().tolist() == [6, 7, 8]
    with pytest.raises(ValueError, match="it has to be"):
        add(a.reshape(1, 3).repeat(2, 0), b, out=out)


def test_device_functions_are_no_kernels():
    @cuda.jit(device=True)
    def f():
        pass

    with pytest.raises(RuntimeError, match="Cannot compile a device function as a kernel"):
        f[1, 1]()


def test_parts_of_device_arrays_take_what_broadcasts():
    array = cuda.to_device(np.zeros((2, 3)))
    array[:] = [1, 2, 3]
    assert array.copy_to_host().tolist() == [[1, 2, 3]] * 2
    array[0] = [[[4, 5, 6]]]
    assert array.copy_to_host().tolist() == [[4, 5, 6], [1, 2, 3]]
    with pytest.raises(ValueError, match=r"could not broadcast input array from shape \(2,\) into shape \(2,3\)"):
        array[:] = [1, 2]


def test_what_votes_and_carveouts_refuse():
    @cuda.jit
    def kernel(mask, predicate, out):
        out[0] = cuda.all_sync(mask[0], predicate[0])

    out = np.zeros(1, np.int32)
    with pytest.raises(errors.TypingError, match="Mask type must be an integer"):
        kernel[1, 1](np.ones(1), out, out)
    with pytest.raises(errors.TypingError, match="Predicate must be an integer or boolean"):
        kernel[1, 1](out, np.ones(1), out)
    for carveout, text in ((150, "between -1 and 100"), (-2, "between -1 and 100"), ("much", "Invalid carveout value")):
        with pytest.raises(ValueError, match=text):
            cuda.jit(shared_memory_carveout=carveout)


def test_modf():
    @cuda.jit
    def kernel(x, out):
        for i in range(x.size):
            out[i, 0], out[i, 1] = math.modf(x[i])

    x = np.array([2.75, -2.75, np.inf, -np.inf, np.nan, -0.0, 0.25])
    out = np.zeros((x.size, 2))
    kernel[1, 1](x, out)
    wanted = np.stack(np.modf(x), axis=1)
    assert np.array_equal(out, wanted, equal_nan=True)
    assert np.array_equal(np.signbit(out[~np.isnan(x)]), np.signbit(wanted[~np.isnan(x)]))
