# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every field of ``__cuda_array_interface__`` is checked, and the error names the field that is wrong."""

import ctypes

import numpy as np
import pytest

from kiln import cuda

a = np.arange(16, dtype=np.float64)
ADDRESS = a.ctypes.data


@cuda.jit(debug=True)
def add_one(y):
    for i in range(y.shape[0]):
        y[i] += 1.0


@cuda.jit
def add_one_each(y):
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            y[i, j] += 1.0


class Foreign:
    def __init__(self, *missing, **change):
        given = {"shape": (4,), "typestr": "<f8", "data": (ADDRESS, False), "version": 3, "strides": None, "stream": None, **change}
        self.__cuda_array_interface__ = {name: value for name, value in given.items() if name not in missing}


WRONG = [
    # shape
    ("shape", {"shape": (-1,)}), ("shape", {"shape": (2, -1)}), ("shape", {"shape": (2**40, 2**40)}), ("shape", {"shape": (2**70,)}), ("shape", {"shape": (2**63,)}),
    ("shape", {"shape": (-(2**70),)}), ("shape", {"shape": (2**61, 4)}), ("shape", {"shape": (2**62, 0)}), ("shape", {"shape": "abc"}), ("shape", {"shape": (1.5,)}),
    ("shape", {"shape": 4}), ("shape", {"shape": None}), ("shape", {"shape": ("4",)}), ("shape", {"shape": (None,)}), ("shape", {"shape": (1,) * 65}),
    ("shape", {"shape": np.zeros(2)}), ("shape", {"shape": {4: 1}}), ("shape", {"shape": (2**60,)}), ("shape", {"shape": (2**32, 2**32), "typestr": "|u1"}),
    # strides
    ("strides", {"strides": "a"}), ("strides", {"strides": (8, 8)}), ("strides", {"strides": ()}), ("strides", {"strides": 8}), ("strides", {"strides": (8.0,)}),
    ("strides", {"strides": (2**64,)}), ("strides", {"strides": (2**62,)}), ("strides", {"strides": (-(2**62),)}), ("strides", {"strides": (4,)}), ("strides", {"strides": (None,)}),
    # typestr
    ("typestr", {"typestr": None}), ("typestr", {"typestr": "f8"}), ("typestr", {"typestr": ""}), ("typestr", {"typestr": "<"}), ("typestr", {"typestr": "<f"}),
    ("typestr", {"typestr": "<f3"}), ("typestr", {"typestr": ">f8"}), ("typestr", {"typestr": "<q8"}), ("typestr", {"typestr": b"<f8"}), ("typestr", {"typestr": "<f8\n"}),
    ("typestr", {"typestr": "<f99999999999999999999"}), ("typestr", {"typestr": 8}), ("typestr", {"typestr": "|V8"}), ("typestr", {"typestr": np.dtype("f8")}),
    # data
    ("data", {"data": ("a", False)}), ("data", {"data": (None, False)}), ("data", {"data": (0, False)}), ("data", {"data": ADDRESS}), ("data", {"data": None}),
    ("data", {"data": (ADDRESS,)}), ("data", {"data": (ADDRESS, False, 1)}), ("data", {"data": (-8, False)}), ("data", {"data": (2**64, False)}), ("data", {"data": (1.5, False)}),
    ("data", {"data": (ADDRESS, "no")}), ("data", {"data": (ADDRESS, None)}), ("data", {"data": (ADDRESS + 1, False)}), ("data", {"data": b"12345678"}),
    # version, stream, mask, descr
    ("version", {"version": "3"}), ("version", {"version": None}), ("version", {"version": 4}), ("version", {"version": -1}), ("version", {"version": 2.0}), ("version", {"version": True}),
    ("stream", {"stream": 0}), ("stream", {"stream": -1}), ("stream", {"stream": "1"}), ("stream", {"stream": 2**64}), ("stream", {"stream": 1.0}), ("stream", {"stream": False}),
    ("mask", {"mask": a}), ("mask", {"mask": False}),
    ("descr", {"descr": "f8"}), ("descr", {"descr": [1]}), ("descr", {"descr": {"x": "f8"}}),
]  # fmt: skip


@pytest.mark.parametrize("take", [lambda made: add_one[1, 1](made), cuda.as_cuda_array, lambda made: cuda.to_device(made)], ids=["launch", "as_cuda_array", "to_device"])
@pytest.mark.parametrize("field, change", WRONG, ids=[f"{field}-{k}" for k, (field, _) in enumerate(WRONG)])
def test_wrong_fields(field, change, take):
    if field == "typestr" and take is not None and change["typestr"] == "|V8":
        change = {**change, "strides": None}
    before = a.copy()
    try:
        take(Foreign(**change))
    except (TypeError, ValueError, NotImplementedError) as error:
        assert f"'{field}'" in str(error)
    else:  # NumPy has such elements on the host, kernels have not
        assert take is not None and change.get("typestr") in (">f8", "|V8")
    assert (a == before).all()


@pytest.mark.parametrize("field", ["shape", "typestr", "data"])
def test_missing_fields(field):
    for take in (add_one[1, 1], cuda.as_cuda_array):
        with pytest.raises(TypeError, match=f"'{field}'.*missing"):
            take(Foreign(field))


@pytest.mark.parametrize("interface", [None, 3, "shape", [], (1, 2)])
def test_what_is_no_dictionary(interface):
    class Wrong:
        __cuda_array_interface__ = interface

    with pytest.raises(TypeError):
        add_one[1, 1](Wrong())


def test_what_is_right():
    cases = [
        ({}, [0, 1, 2, 3]),
        ({"shape": [4]}, [0, 1, 2, 3]),
        ({"shape": (np.int64(4),), "data": [ADDRESS, np.False_]}, [0, 1, 2, 3]),
        ({"strides": (16,)}, [0, 2, 4, 6]),
        ({"strides": (-8,), "data": (ADDRESS + 24, False)}, [3, 2, 1, 0]),
        ({"strides": (24,), "shape": (3,)}, [0, 3, 6]),
        ({"shape": (0,), "data": (0, False)}, []),
        ({"shape": (0,), "data": (None, False)}, []),
        ({"shape": (0,), "strides": (8,)}, []),
        ({"descr": [("", "<f8")], "version": 0}, [0, 1, 2, 3]),
        ({"stream": 1}, [0, 1, 2, 3]),
        ({"shape": (1,), "strides": (3,)}, [0]),
    ]
    for change, places in cases:
        a[:] = np.arange(16)
        add_one[1, 1](Foreign(**change))
        wanted = np.arange(16.0)
        wanted[places] += 1
        assert (a == wanted).all(), change
    for missing in ("version", "strides", "stream"):
        a[:] = np.arange(16)
        add_one[1, 1](Foreign(missing))
        assert (a[:4] == [1, 2, 3, 4]).all() and (a[4:] == np.arange(4, 16)).all()
    a[:] = np.arange(16)
    add_one_each[1, 1](Foreign(shape=(2, 3), strides=(8, 16)))  # elements that overlap are legal
    wanted = np.arange(16.0)
    for i in range(2):
        for j in range(3):
            wanted[i + 2 * j] += 1
    assert (a == wanted).all()


def test_random_interfaces():
    """A field at random with a value at random: taken where NumPy takes it for memory of this size, else an exception of Python's."""
    import random

    made = random.Random(37)
    numbers = [0, 1, 2, 3, 4, 7, 8, 16, -1, -8, 2**31, 2**40, 2**62, 2**63, 2**64, -(2**63), 1.5, None, "8", True]
    for _ in range(3000):
        rank = made.randrange(4)
        change = {
            "shape": tuple(made.choice(numbers) for _ in range(rank)),
            "strides": made.choice([None, tuple(made.choice(numbers) for _ in range(rank))]),
            "typestr": made.choice(["<f8", "<f4", "|u1", "<c16", "<i8", None, "|b1", "<f2", "<U4", "<M8[ns]"]),
        }
        try:
            array = cuda.as_cuda_array(Foreign(**change))
        except (TypeError, ValueError, NotImplementedError) as error:
            assert "field" in str(error), (change, error)
            continue
        assert all(isinstance(n, int) and n >= 0 for n in array.shape) and array.nbytes < 2**63


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


class ManagedTensor(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("held", ctypes.c_void_p), ("destroy", ctypes.c_void_p)]


NAME = b"dltensor"
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Exporter:
    """An array in DLPack, written by hand."""

    def __init__(self, shape, data=ADDRESS, ndim=None, bits=64, lanes=1, device=1, code=2):
        self.sizes = (ctypes.c_int64 * max(len(shape), 1))(*shape)
        self.held = ManagedTensor(DLTensor(data, device, 0, len(shape) if ndim is None else ndim, code, bits, lanes, self.sizes, None, 0), None, None)

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **_):
        return new_capsule(ctypes.addressof(self.held), NAME, None)


@pytest.mark.parametrize(
    "given, text",
    [
        ({"shape": (-1,)}, "negative"), ({"shape": (2**40, 2**40)}, "more bytes"), ({"shape": (2**62,)}, "more bytes"), ({"shape": (4,), "data": None}, "null"),
        ({"shape": (), "ndim": -1}, "dimensions"), ({"shape": (), "ndim": 65}, "dimensions"), ({"shape": (4,), "bits": 63}, "63 bits"), ({"shape": (4,), "lanes": 2}, "element type"),
        ({"shape": (4,), "device": 9}, "device"), ({"shape": (4,), "data": ADDRESS + 1}, "aligned"), ({"shape": (4,), "code": 77}, "element type"),
    ],
)  # fmt: skip
def test_wrong_dlpack(given, text):
    for take in (add_one[1, 1], cuda.as_cuda_array):
        with pytest.raises((TypeError, ValueError), match=text):
            take(Exporter(**given))


def test_right_dlpack():
    a[:] = np.arange(16)
    add_one[1, 1](Exporter((4,)))
    add_one[1, 1](Exporter((0,), data=None))
    assert a[:5].tolist() == [1, 2, 3, 4, 4]
