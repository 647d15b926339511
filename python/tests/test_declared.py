# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of linked code in kernels. The code is LLVM's text, which the CPU links too; CUDA C++ needs NVRTC."""

import numpy as np
import pytest

from kiln import cuda, errors, types
from kiln import _nvrtc
from kiln.cuda.cudadrv.error import NvrtcError

NUMBA = b"""
define i32 @times2(ptr %out, i32 %a) {
  %r = mul i32 %a, 2
  store i32 %r, ptr %out
  ret i32 0
}
define i32 @fill(ptr %out, ptr %to, float %x) {
  store float %x, ptr %to
  ret i32 0
}
"""
C = b"""
define double @half(double %x) {
  %r = fmul double %x, 5.0e-1
  ret double %r
}
define void @put(ptr %to, i64 %x) {
  store i64 %x, ptr %to
  ret void
}
define i64 @seven() {
  ret i64 7
}
"""
times2 = cuda.declare_device("times2", "int32(int32)", link=cuda.LinkableCode(NUMBA))
half = cuda.declare_device("half", "float64(float64)", link=[cuda.LinkableCode(C, "c.ll")], abi="c")


class FFI:
    """As cffi's class is named."""

    def from_buffer(self, array):
        raise NotImplementedError


FFI.__module__ = "cffi.api"
ffi = FFI()


def test_what_is_declared():
    assert times2.name == "times2" and times2.sig.args == (types.int32,) and times2.sig.return_type == types.int32
    with pytest.raises(NotImplementedError, match="kernels call it"):
        times2(1)
    for wrong in ("(int32,)", (types.int32,)):
        with pytest.raises(TypeError, match="Return type must be provided"):
            cuda.declare_device("f", wrong)
    with pytest.raises(NotImplementedError, match="ABI"):
        cuda.declare_device("f", "int32(int32)", abi="rust")
    with pytest.raises(ValueError, match="no name"):
        cuda.declare_device("a b", "int32(int32)")


def test_numba_s_convention():
    @cuda.jit
    def kernel(r, x):
        i = cuda.grid(1)
        if i < r.size:
            r[i] = times2(x[i]) + times2(x[i] + i)

    x = np.arange(10, dtype=np.int32)
    r = np.zeros_like(x)
    kernel[1, 32](r, x)
    assert (r == x * 6).all()


def test_c_s_convention_and_functions_between():
    @cuda.jit(device=True)
    def quarter(x):
        return half(half(x))

    @cuda.jit
    def kernel(r, x):
        r[0] = quarter(x)
        r[1] = half(3)  # an integer is converted

    r = np.zeros(2)
    kernel[1, 1](r, 10.0)
    assert r.tolist() == [2.5, 1.5]


def test_pointers_and_no_result():
    put = cuda.declare_device("put", types.void(types.CPointer(types.int64), types.int64), link=cuda.LinkableCode(C), abi="c")
    fill = cuda.declare_device("fill", types.void(types.CPointer(types.float32), types.float32), link=cuda.LinkableCode(NUMBA))
    seven = cuda.declare_device("seven", "int64()", abi="c")

    @cuda.jit(link=[cuda.LinkableCode(C)])
    def kernel(a, b):
        put(ffi.from_buffer(a), seven() * 2)
        fill(ffi.from_buffer(b), 1.5)

    a, b = np.zeros(2, np.int64), np.zeros(2, np.float32)
    kernel[1, 1](a, b)
    assert a.tolist() == [14, 0] and b.tolist() == [1.5, 0]


def test_pointers_as_arguments():
    @cuda.jit(types.void(types.CPointer(types.int32), types.int32, types.CPointer(types.float64)))
    def kernel(r, a, x):
        i = cuda.grid(1)
        if i < 4:
            r[i] = a * x[i]
            x[i] += 1

    r, x = cuda.to_device(np.zeros(4, np.int32)), cuda.to_device(np.arange(4.0))
    kernel[1, 32](*(p if isinstance(p, int) else p.__cuda_array_interface__["data"][0] for p in (r, 3, x)))
    assert r.copy_to_host().tolist() == [0, 3, 6, 9] and x.copy_to_host().tolist() == [1, 2, 3, 4]
    assert kernel.signatures == [(types.CPointer(types.int32), types.int32, types.CPointer(types.float64))]
    with pytest.raises(TypeError, match="No matching definition"):
        kernel[1, 32](1.5, 3, 2)


def test_what_cannot_be_called():
    of_arrays = cuda.declare_device("f1", "int32(float32[:])")

    @cuda.jit
    def kernel(a, r):
        r[0] = of_arrays(a)

    with pytest.raises(errors.TypingError, match="numbers and pointers"):
        kernel[1, 1](np.zeros(3, np.float32), np.zeros(1, np.int32))

    @cuda.jit
    def strided(a):
        times2(ffi.from_buffer(a))

    with pytest.raises(errors.TypingError, match="rows without gaps"):
        strided[1, 1](np.zeros(6)[::2])


def test_cuda_c_is_for_a_gpu():
    if cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(NotImplementedError, match="NVRTC for a GPU"):
        cuda.jit(link=[cuda.CUSource("extern")])(lambda: None)


def test_nvrtc():
    try:
        _nvrtc._library()
    except OSError as error:
        assert "nvidia-cuda-nvrtc" in str(error)
        pytest.skip("NVRTC is not installed")
    source = b'extern "C" __device__ int times3(int *out, int a) { *out = a * 3; return 0; }'
    assert b"times3" in _nvrtc.to_ptx(source, "times3.cu", (9, 0))
    with pytest.raises(NvrtcError, match="(?s)wrong.cu.*undefined"):
        _nvrtc.to_ptx(b"__device__ int f() { return nothing; }", "wrong.cu", (9, 0))
