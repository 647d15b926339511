# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types that C++ and Python exchange. The expected layouts are those of NumPy and ctypes."""

import copy
import ctypes
import pickle
import random

import numpy as np
import pytest

import kiln
from kiln import _elements, cuda, types
from kiln._kiln import Type, type_of_value

NUMBERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128", "bool"]
C_TYPES = {
    "int8": ctypes.c_int8, "int16": ctypes.c_int16, "int32": ctypes.c_int32, "int64": ctypes.c_int64, "uint8": ctypes.c_uint8, "uint16": ctypes.c_uint16,
    "uint32": ctypes.c_uint32, "uint64": ctypes.c_uint64, "float32": ctypes.c_float, "float64": ctypes.c_double, "bool": ctypes.c_bool,
}  # fmt: skip


def some_types():
    f4, i8 = Type.number("float32"), Type.number("int64")
    record = Type.record([("x", f4, 0), ("y", Type.nested(i8, (2, 3)), 8)], 56)
    return [
        f4, Type.datetime("D"), Type.timedelta("generic"), Type.text(3, 4), Type.text(5, 1), record, Type.vector(f4, 4), Type.pointer(record), Type.array(f4, 2, "A", True),
        Type.array(record, 0, "C"), Type.plain_tuple([f4, Type.plain_tuple([]), i8]), Type.named_tuple(["a", "b"], [i8, Type.array(i8, 1, "F")]), Type.none(), Type.other("Any"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name):
    made, dtype = Type.number(name), np.dtype(name)
    assert (made.size, made.alignment, repr(made)) == (dtype.itemsize, dtype.alignment, name)
    assert _elements.element_type(dtype) is made
    assert _elements.dtype_of(made) == dtype
    if name in C_TYPES:
        assert (made.size, made.alignment) == (ctypes.sizeof(C_TYPES[name]), ctypes.alignment(C_TYPES[name]))


def test_equal_types_are_one_object():
    for first, second in zip(some_types(), some_types()):
        assert first is second
        assert getattr(Type, first.kind)(*first.parameters) is first
        assert pickle.loads(pickle.dumps(first)) is first
        assert copy.deepcopy(first) is first
    assert len(set(some_types())) == len(some_types())
    assert Type.plain_tuple([Type.number("int8")]) is not Type.named_tuple(["0"], [Type.number("int8")])


def test_every_kind_has_a_class_of_numbas():
    for made in some_types():
        found = types.from_engine_type(made)
        assert isinstance(found, types.Type)
        if made.kind not in ("named_tuple", "none", "other"):
            assert found.engine_type is made


@pytest.mark.parametrize("dtype", ["U7", "S5", "M8[us]", "m8[Y]", "M8"])
def test_texts_and_times(dtype):
    dtype = np.dtype(dtype)
    made = _elements.element_type(dtype)
    assert (made.size, made.alignment) == (dtype.itemsize, dtype.alignment)
    assert _elements.dtype_of(made) == dtype


def random_dtype(rng, depth=2):
    fields = []
    for k in range(rng.randint(1, 5)):
        kind = rng.random()
        if kind < 0.15 and depth:
            element = random_dtype(rng, depth - 1)
        elif kind < 0.3:
            element = np.dtype(rng.choice(["U3", "S2", "M8[ns]", "m8[h]"]))
        else:
            element = np.dtype(rng.choice(NUMBERS))
        fields.append((f"f{k}", element, tuple(rng.randint(1, 4) for _ in range(rng.randint(1, 2)))) if rng.random() < 0.2 else (f"f{k}", element))
    return np.dtype(fields, align=rng.random() < 0.5)


def test_records_have_numpys_layout():
    rng = random.Random(1)
    for _ in range(300):
        dtype = random_dtype(rng)
        made = _elements.element_type(dtype)
        assert made.size == dtype.itemsize
        assert [(name, offset) for name, _, offset in made.fields] == [(name, dtype.fields[name][1]) for name in dtype.names]
        assert [field.size for _, field, _ in made.fields] == [dtype.fields[name][0].itemsize for name in dtype.names]
        assert _elements.dtype_of(made) == dtype
        assert types.from_engine_type(made).dtype == dtype


def test_tuples_have_cs_layout():
    rng = random.Random(2)
    for _ in range(300):
        names = [rng.choice(list(C_TYPES)) for _ in range(rng.randint(1, 7))]
        structure = type("structure", (ctypes.Structure,), {"_fields_": [(f"f{k}", C_TYPES[name]) for k, name in enumerate(names)]})
        made = Type.plain_tuple([Type.number(name) for name in names])
        assert (made.size, made.alignment) == (ctypes.sizeof(structure), ctypes.alignment(structure))
        assert [offset for _, _, offset in made.fields] == [getattr(structure, f"f{k}").offset for k in range(len(names))]


@pytest.mark.parametrize("layout,strides", [("C", 0), ("F", 0), ("A", 3)])
def test_arrays_are_a_pointer_and_sizes(layout, strides):
    structure = type("structure", (ctypes.Structure,), {"_fields_": [("data", ctypes.c_void_p), ("shape", ctypes.c_int64 * 3), ("strides", ctypes.c_int64 * strides)]})
    made = Type.array(Type.number("int8"), 3, layout)
    assert (made.size, made.alignment) == (ctypes.sizeof(structure), ctypes.alignment(structure))


def test_types_of_values():
    point = __import__("collections").namedtuple("point", "x y")
    assert type_of_value(3) is Type.number("int64")
    assert type_of_value(np.zeros((2, 3), np.float32).T) is Type.array(Type.number("float32"), 2, "F")
    assert type_of_value(cuda.to_device(np.zeros(3))) is Type.array(Type.number("float64"), 1, "C")
    assert type_of_value((1, 2.5)) is Type.plain_tuple([Type.number("int64"), Type.number("float64")])
    assert type_of_value(point(1, True)) is Type.named_tuple(["x", "y"], [Type.number("int64"), Type.number("bool")])
    assert types.typeof(point(1, True)) == types.Tuple((types.int64, types.boolean))


def test_what_is_no_type():
    with pytest.raises(ValueError, match="no number type has the name float"):
        Type.number("float")
    with pytest.raises(ValueError, match="no unit day"):
        Type.datetime("day")
    with pytest.raises(ValueError, match="layout"):
        Type.array(Type.number("int8"), 1, "B")
    with pytest.raises(ValueError, match="ends after its record"):
        Type.record([("x", Type.number("int64"), 4)], 8)
    with pytest.raises(TypeError):
        Type.pointer("Float32")


def test_a_text_in_a_tuple_lies_at_its_alignment():
    @kiln.jit(device="cpu")
    def read(y, t):
        y[0] = t[2]
        y[1] = 1 if t[1] == "abcde" else 0

    y = np.zeros(2)
    read[1, 1](y, (np.int8(1), np.bytes_(b"abcde"), np.float64(2.5), np.int8(3)))
    assert y.tolist() == [2.5, 1]


def test_overloads_have_the_types_of_records_and_vectors():
    dtype = np.dtype([("x", "f4"), ("n", "i8", (2,))], align=True)

    @kiln.jit(device="cpu")
    def fill(a):
        a[0]["x"] = 3

    a = np.zeros(2, dtype)
    fill[1, 1](a)
    (argument,) = fill.overloads[(types.Array(types.Record(dtype), 1, "C"),)].argtypes
    assert argument.dtype.dtype == dtype
    vector = cuda.vector_types.vector_types["float32x4"]
    assert types.from_engine_type(vector.engine_type) == vector
    assert (vector.engine_type.size, vector.engine_type.alignment) == (16, 4)


def test_types_of_results():
    def add(x, y):
        return x + y

    def pair(x):
        return x, 1j * x

    assert cuda.compile(add, (types.int32, types.float32))[1] == types.float64
    assert cuda.compile(pair, (types.float64,))[1] == types.Tuple((types.float64, types.complex128))
