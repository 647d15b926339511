# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device arrays, streams and events, on whichever device there is."""

import numpy as np
import pytest

from kiln import cuda, errors


@cuda.jit
def increment(y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] += 1


def test_copies():
    host = np.arange(10, dtype=np.float32)
    device = cuda.to_device(host)
    increment[1, 32](device)
    assert device.copy_to_host().tolist() == list(range(1, 11)) and host[0] == 0
    into = np.zeros(10, np.float32)
    assert device.copy_to_host(into) is into and into[9] == 10
    device.copy_to_device(host)
    assert device.copy_to_host().tolist() == host.tolist()
    assert (device.shape, device.size, device.nbytes, device.ndim, device.dtype) == ((10,), 10, 40, 1, np.float32)


def test_parts_share_the_memory():
    device = cuda.to_device(np.zeros(10, np.float32))
    increment[1, 32](device[::2])
    assert device.copy_to_host().tolist() == [1, 0] * 5
    device[2:5] = 7
    assert device[3] == 7 and device[::3].copy_to_host().tolist() == [1, 7, 1, 0]
    device[-1] = 9
    assert device[9] == 9


@pytest.mark.parametrize("order", "CF")
def test_orders(order):
    host = np.asarray(np.arange(12.0).reshape(3, 4), order=order)
    device = cuda.to_device(host)
    assert np.array_equal(device.copy_to_host(), host) and device.strides == host.strides
    assert np.array_equal(device.T.copy_to_host(), host.T)
    assert np.array_equal(device[1:, ::2].copy_to_host(), host[1:, ::2])
    like = cuda.device_array_like(device)
    like.copy_to_device(device)
    assert like.strides == host.strides and np.array_equal(like.copy_to_host(), host)


def test_shapes():
    device = cuda.to_device(np.arange(12))
    assert device.reshape(3, 4)[2, 1] == 9
    assert device.reshape((2, -1)).shape == (2, 6)
    assert device.reshape(3, 4).ravel().shape == (12,)
    assert device.view(np.int32).shape == (24,)
    assert [part.copy_to_host().tolist() for part in device.split(5)] == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11]]


def test_what_does_not_fit():
    device = cuda.device_array(4, np.float32)
    with pytest.raises(ValueError, match="shape"):
        device.copy_to_device(np.zeros(5, np.float32))
    with pytest.raises(TypeError, match="dtype"):
        device.copy_to_device(np.zeros(4))
    with pytest.raises(ValueError):
        device.copy_to_host(np.zeros(5, np.float32))
    with pytest.raises(ValueError, match="negative"):
        cuda.device_array(-1)
    with pytest.raises(IndexError):
        device[7]


def test_host_arrays_are_copied_there_and_back():
    host = np.zeros(8, np.float32)
    increment[1, 32](host)
    increment[1, 32](host[::2])
    increment[1, 32](host[::-3])
    assert host.tolist() == [2, 2, 2, 1, 3, 1, 2, 2]


def test_streams_and_events():
    device = cuda.to_device(np.zeros(4, np.float32))
    stream = cuda.stream()
    begin, end = cuda.event(), cuda.event()
    begin.record(stream)
    with stream.auto_synchronize():
        increment[1, 32, stream](device)
    end.record(stream)
    end.synchronize()
    assert end.query() and begin.elapsed_time(end) >= 0
    assert device.copy_to_host(stream=stream).tolist() == [1] * 4
    cuda.synchronize()


def test_devices():
    device = cuda.get_current_device()
    assert device.WARP_SIZE == 32 and device.MAX_THREADS_PER_BLOCK == 1024
    with pytest.raises(IndexError, match="99"):
        cuda.gpus[99]


def test_the_cpu_device_is_number_0():
    """As the device of Numba's simulator."""
    if cuda.is_available():
        pytest.skip("there is a GPU")
    assert len(cuda.gpus) == len(list(cuda.gpus)) == len(cuda.list_devices()) == len(cuda.gpus.lst) == 1
    context = cuda.select_device(0)
    device = cuda.get_current_device()
    assert device.id == context.device.id == context.id == cuda.current_context().device.id == cuda.gpus.current.id == 0
    assert cuda.gpus[0] == device == cuda.current_context(0).device and cuda.gpus[-1] == device and device.name == "CPU"
    assert device.compute_capability == (9, 0) and len(device.uuid) == 40
    memory = cuda.current_context().get_memory_info()
    assert 0 < memory.free <= memory.total
    with cuda.gpus[0]:
        a = np.zeros(4)
        increment[1, 4](a)
    assert a.tolist() == [1] * 4
    for wrong in (1, -2, 99):
        with pytest.raises(IndexError, match="there are 1"):
            cuda.select_device(wrong)
    with pytest.raises(TypeError):
        cuda.gpus["0"]


@pytest.mark.parametrize("align", [False, True])
def test_records(align):
    dtype = np.dtype([("x", "f4"), ("n", "i8"), ("b", "?")], align=align)

    @cuda.jit
    def kernel(a):
        i = cuda.grid(1)
        r = a[i]
        r.x = r.n * 2.5
        a[i]["b"] = r["n"] > 1
        if i == 3:
            a[0]["n"] = 7

    a = np.zeros(4, dtype)
    a["n"] = np.arange(4)
    kernel[1, 4](a)
    assert a["x"].tolist() == [0, 2.5, 5, 7.5] and a["b"].tolist() == [False, False, True, True] and a["n"].tolist() == [7, 1, 2, 3]

    @cuda.jit
    def view(a):
        cuda.atomic.add(a["n"], 1, 10)

    if align:
        view[1, 4](a)
        assert a["n"].tolist() == [7, 41, 2, 3]
    else:
        with pytest.raises(errors.TypingError, match="not aligned"):
            view[1, 4](a)

    @cuda.jit
    def wrong(a):
        a[0].nowhere = 1

    with pytest.raises(errors.TypingError, match="no field nowhere"):
        wrong[1, 1](a)


MASK = (1 << 64) - 1


def rotl(x, k):
    return ((x << k) | (x >> (64 - k))) & MASK


def step(s):
    """xoroshiro128+ of Blackman and Vigna, with its first constants."""
    s0, s1 = s
    s1 ^= s0
    return (rotl(s0, 55) ^ s1 ^ (s1 << 14) & MASK, rotl(s1, 36))


def test_random_numbers():
    from kiln.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float64

    @cuda.jit
    def kernel(states, y):
        i = cuda.grid(1)
        for k in range(y.shape[1]):
            y[i, k] = xoroshiro128p_uniform_float64(states, i)

    states = create_xoroshiro128p_states(3, seed=42)
    words = states.copy_to_host()
    y = np.zeros((3, 5))
    kernel[1, 3](states, y)
    for i in range(3):
        s = int(words[i]["s0"]), int(words[i]["s1"])
        for k in range(5):
            assert y[i, k] == (((s[0] + s[1]) & MASK) >> 11) * 2.0**-53
            s = step(s)
