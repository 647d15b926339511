# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory by pointers, managed arrays, memory managers of the program's own."""

import ctypes
import gc

import numpy as np
import pytest

from kiln import cuda
from kiln.cuda.cudadrv import driver


@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


def test_managed_arrays_are_numpys_and_kernels_write_to_them():
    array = cuda.managed_array(100, np.float64)
    array[:] = np.arange(100)
    assert isinstance(array, np.ndarray) and driver.is_device_memory(array)
    add_one[2, 64](array)
    cuda.synchronize()
    assert np.array_equal(array, np.arange(1, 101))
    add_one[2, 64](array[::2])
    cuda.synchronize()
    assert np.array_equal(array, np.arange(1, 101) + (np.arange(100) % 2 == 0))
    assert type(array.copy_to_host()) is np.ndarray
    made = array * 2  # lies in memory of NumPy's own: copied, as NumPy's arrays are
    add_one[2, 64](made)
    cuda.synchronize()
    assert np.array_equal(made, array * 2 + 1)


def test_managed_shapes_and_orders():
    array = cuda.managed_array((3, 4), np.int32, order="F")
    array[...] = np.arange(12).reshape(3, 4)
    assert array.flags.f_contiguous and array.sum() == 66
    assert cuda.managed_array((0, 3)).size == 0
    with pytest.raises(TypeError):
        cuda.managed_array(1.5)
    with pytest.raises(MemoryError):
        cuda.managed_array(1 << 60)


def test_managed_memory_is_given_back():
    array = cuda.managed_array(10)
    part = array[3:]
    del array
    gc.collect()
    part[:] = 5
    assert part.sum() == 35


def test_memory_by_pointers():
    context = cuda.current_context()
    here, back = np.arange(100, dtype=np.uint32), np.zeros(100, np.uint32)
    one, two = context.memalloc(400), context.memalloc(400)
    assert one.device_pointer_value != two.device_pointer_value and one.size == 400
    driver.host_to_device(one, here, 400)
    driver.device_to_device(two, one, 400)
    driver.device_to_host(back, two, 400)
    assert np.array_equal(here, back)
    driver.device_memset(two, 0xAB, 400)
    driver.device_to_host(back, two.view(4), 396)
    assert np.all(back[:99] == 0xABABABAB) and back[99] == 99
    with pytest.raises(TypeError, match="not memory of a device"):
        driver.host_to_device(here, one, 400)
    with pytest.raises(RuntimeError):
        one.view(0, 401)


def test_host_memory_is_a_buffer():
    for memory in (cuda.current_context().memhostalloc(64, mapped=True), cuda.current_context().memallocmanaged(64)):
        array = np.ndarray(64, np.uint8, memory)
        driver.device_memset(memory, 7, 64)
        cuda.synchronize()
        assert np.all(array == 7)


def test_finalizers_run_once():
    ran = []
    memory = driver.MemoryPointer(cuda.current_context(), ctypes.c_void_p(0xDEAD), 40, finalizer=lambda: ran.append(1))
    part = memory.own()
    assert memory.refct == 2
    del part
    gc.collect()
    assert ran == [] and memory.refct == 1
    del memory
    gc.collect()
    assert ran == [1]


class Counting(cuda.HostOnlyCUDAMemoryManager):
    """Counts its allocations, which are NumPy's memory."""

    interface_version = 1

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.alive, self.started, self.was_reset = {}, False, False

    def initialize(self):
        self.started = True

    def memalloc(self, size):
        assert self.started
        memory = np.zeros(max(size, 1), np.uint8)
        address = memory.ctypes.data
        self.alive[address] = size
        made = driver.AutoFreePointer(self.context, ctypes.c_void_p(address), size, finalizer=lambda: self.alive.pop(address))
        made.memory = memory
        return made

    def reset(self):
        self.was_reset = True

    def get_memory_info(self):
        return cuda.MemoryInfo(free=32, total=64)

    def get_ipc_handle(self, memory):
        return f"handle of {memory.size}"


@pytest.mark.skipif(cuda.is_available(), reason="its memory is the host's")
def test_a_memory_manager_of_the_programs_own():
    context = cuda.current_context()
    before = context.memory_manager
    context.memory_manager = mine = Counting(context=context)
    try:
        array = cuda.to_device(np.arange(10, dtype=np.float32))
        assert list(mine.alive.values()) == [40]
        add_one[1, 32](array)
        assert np.array_equal(array.copy_to_host(), np.arange(1, 11))
        assert array.get_ipc_handle()._ipc_handle == "handle of 40"
        assert context.get_memory_info().free == 32
        part = array[2:]
        del array
        gc.collect()
        assert mine.alive
        del part
        gc.collect()
        assert not mine.alive
        context.reset()
        assert mine.was_reset
    finally:
        context.memory_manager = before
    assert cuda.current_context().memory_manager is before


def test_what_is_no_memory_manager():
    class Newer(Counting):
        interface_version = 2

    with pytest.raises(RuntimeError, match="version 1 required"):
        cuda.set_memory_manager(Newer)
    with pytest.raises(RuntimeError, match="requires a context"):
        Counting()
    with pytest.raises(NotImplementedError):
        cuda.BaseCUDAMemoryManager(context=None).memalloc(1)
