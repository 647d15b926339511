# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuda.compile: functions alone as PTX, in both ABIs. That the code links and computes is checked on a GPU, by test/system/gpu/python_arrays.py."""

import random as random_module
import re
from fractions import Fraction

import numpy as np
import pytest

import kiln
from kiln import cuda, errors, float32, float64, int16, int32, int64, types, uint32


def add(x, y):
    return x + y


def store(a, i, x):
    a[i] = x


def fails(x):
    if x < 0:
        raise ValueError("negative")
    return x


def header(text):
    found = re.findall(r"\.visible \.func ([^)]*\))?\s*(\w+)\(([^)]*)\)", text)
    assert len(found) == 1 and ".entry" not in text
    return [re.sub(r"\s+", " ", part).strip() for part in found[0]]


def sizes(parameters):
    return re.findall(r"\.(b\d+) ", parameters.replace("\n", " ") + " ")


def test_the_c_abi():
    text, result = cuda.compile(add, (float32, float32))
    back, name, parameters = header(text)
    assert result == float32 and name == "add" and "b32" in back and sizes(parameters) == ["b32", "b32"]
    assert "add.f32" in text or "add.rn.f32" in text


@pytest.mark.parametrize("signature, result, bits", [("int32(int32, int32)", int32, "b32"), ("int16(int16, int16)", int16, "b32"), (int64(int64, int64), int64, "b64"), ("uint32(uint32, uint32)", uint32, "b32"), ("float64(float32, int32)", float64, "b64")])
def test_a_signature_converts_the_result(signature, result, bits):
    text, got = cuda.compile(add, signature)
    assert got == result and bits in header(text)[0]


def test_results():
    assert cuda.compile(lambda a, b: a == b, (int32, int32))[1] == types.boolean
    assert cuda.compile(add, (int32, int32))[1] == int64
    assert cuda.compile(lambda x: 1j * x, (float64,))[1] == types.complex128
    assert cuda.compile(lambda x: (x, 1.0), (int32,))[1] == types.Tuple((int32, float64))
    text, result = cuda.compile(store, (float32[::1], int32, float32))
    assert result == types.none and header(text)[0] == ""


def test_names():
    assert header(cuda.compile(add, "int32(int32, int32)", abi_info={"abi_name": "_Z4funcii"})[0])[1] == "_Z4funcii"
    assert header(cuda.compile(lambda x: x, "int32(int32)", abi_info={"abi_name": "same"})[0])[1] == "same"
    assert header(cuda.compile_ptx(add, "int32(int32, int32)", device=True)[0])[1] != "add"


def test_numbas_abi():
    text, result = cuda.compile_ptx(add, (float32, float32), device=True)
    back, _, parameters = header(text)
    assert result == float32 and "b32" in back and sizes(parameters) == ["b64", "b32", "b32"]


def test_arrays_are_numbas_words_and_no_state_stands_before_them():
    for array, words in ((float32[::1], 7), (float32[:], 7), (float32[:, :], 9)):
        index = (lambda a, x: a[0]) if array.ndim == 1 else (lambda a, x: a[0, 1])
        assert sizes(header(cuda.compile(index, (array, int32))[0])[2]) == ["b64"] * words + ["b32"]
    text, _ = cuda.compile(fails, "int64(int64)")
    assert sizes(header(text)[2]) == ["b64"] and "exit;" in text


def test_the_architecture_and_options():
    assert ".target sm_80" in cuda.compile(add, (int32, int32), cc=(8, 0))[0]
    assert ".target sm_90a" in cuda.compile(add, (int32, int32), cc=(9, 0, "a"))[0]
    assert ".target sm_100f" in cuda.compile(add, (int32, int32), cc=(10, 0, "f"))[0]
    with pytest.raises(ValueError, match="no architecture sm_90f"):
        cuda.compile(add, (int32, int32), cc=(9, 0, "f"))
    divide = lambda x, y: x / y  # noqa: E731
    assert "div.rn.f32" in cuda.compile(divide, (float32, float32))[0]
    assert "div.approx.ftz.f32" in cuda.compile(divide, (float32, float32), fastmath=True)[0]
    assert ".debug_info" in cuda.compile(add, (float32, float32), debug=True, opt=False)[0]


def fill(a):
    a[cuda.grid(1)] = 1.0


def test_every_option_of_the_table_is_a_keyword_of_kernels():
    random = random_module.Random(5)
    for _ in range(6):
        registers, threads, blocks = random.randint(24, 255), 32 * random.randint(1, 8), random.randint(1, 4)
        given = {"maxregs": registers, "maxthreads": (threads, 2), "minblocks": blocks, "cluster": 2, "g": random.randint(0, 2), "ptx_isa": "8.3"}
        wanted = {"maxregs": f".maxnreg {registers}", "maxthreads": f".maxntid {threads}, 2, 1", "minblocks": f".minnctapersm {blocks}", "cluster": ".reqnctapercluster 2, 1, 1", "ptx_isa": ".version 8.3"}
        options = {name: given[name] for name in given if random.random() < 0.6}
        text = kiln.jit(**options)(fill)._product([types.float32[::1].engine_type], "asm", "90")
        for name, line in wanted.items():
            assert (line in text) == (name in options), (name, options)
        assert (".loc" in text) == (options.get("g") != 0)


def test_options_of_a_gpu_do_not_matter_to_the_cpu():
    a = np.zeros(4, np.float32)
    kiln.jit(device="cpu", maxregs=40, coarsen=True, launch_bounds=(128, 2))(fill)[1, 4](a)
    assert a.tolist() == [1, 1, 1, 1]


def test_what_is_wrong_with_an_option():
    with pytest.raises(TypeError, match='there is no option "maxreg"; did you mean "maxregs"'):
        kiln.jit(maxreg=1)
    for options, message in (
        ({"maxregs": 300}, '"maxregs" takes a whole number from 0 to 255, not `300`'),
        ({"O": 7}, '"O" takes a whole number from 0 to 3, not `7`'),
        ({"contract": "maybe"}, '"contract" takes default, off or on, not `maybe`'),
        ({"strip": "yes"}, '"strip" takes true or false, not a string'),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            kiln.jit(**options)(fill)._product([types.float32[::1].engine_type], "asm", "90")


def test_what_is_refused():
    with pytest.raises(NotImplementedError, match="C ABI is not supported for kernels"):
        cuda.compile(store, (float32[::1], int32, float32), device=False)
    with pytest.raises(TypeError, match="must have void return type"):
        cuda.compile_ptx(add, (int32, int32))
    with pytest.raises(NotImplementedError, match="Unsupported ABI: fastcall"):
        cuda.compile(add, (int32, int32), abi="fastcall")
    with pytest.raises(NotImplementedError, match="Unsupported output type: cubin"):
        cuda.compile(add, (int32, int32), output="cubin")
    with pytest.raises(NotImplementedError, match="gives a number or nothing"):
        cuda.compile(lambda x: (x, x), (int32,), abi="numba")
    with pytest.raises(errors.TypingError, match="foo"):
        cuda.compile(lambda x: x.foo, (int32,))


def test_contraction_is_numbas_on_a_gpu_and_an_option():
    multiply_add = lambda x, y, z: x * y + z  # noqa: E731
    signature = (float32, float32, float32)
    assert "fma.rn.f32" in cuda.compile(multiply_add, signature)[0]
    apart = cuda.compile(multiply_add, signature, contract=False)[0]
    assert "mul.rn.f32" in apart and "add.rn.f32" in apart and "fma" not in apart
    with pytest.raises(ValueError, match="contract is off, and fast math fuses"):
        cuda.compile(multiply_add, signature, contract=False, fastmath=True)


def test_products_and_sums_round_apart_on_the_cpu_unless_they_are_contracted():
    def difference(out, a, b):
        out[0] = a[0] * a[1] - b[0] * b[1]

    a, b = np.array([0.1, 0.3]), np.array([0.1, 0.3])
    results = []
    for options in ({}, {"fma": False}, {"contract": True}, {"fma": True}):
        out = np.ones(1)
        kiln.jit(device="cpu", **options)(difference)[1, 1](out, a, b)
        results.append(out[0])
    # Fused, one product keeps what the other's rounding dropped, by exact fractions.
    rest = Fraction(0.1) * Fraction(0.3) - Fraction(0.1 * 0.3)
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        fused = float(rest) if " fma " in file.read() else 0.0
    assert results == [0.0, 0.0, fused, fused]
