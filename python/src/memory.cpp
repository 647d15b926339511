// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions for Python: GPU memory, streams and events. Launches on the CPU device do not use them.
#include "dispatcher.h"

namespace kiln::python {

namespace {

/// A block of memory, allocated and freed in the order of a GPU's default stream. Freed with this object.
struct Memory {
  Buffer buffer;
  int device = 0;
  uint64_t address() const { return reinterpret_cast<uint64_t>(buffer.data()); }
};

Engine &opened_engine() {
  Result<Engine *> got = [] {
    nb::gil_scoped_release release;
    return Engine::get();
  }();
  return *take(std::move(got));
}

Device gpu(int number) {
  Result<Engine *> got = [&] {
    nb::gil_scoped_release release;
    return number < first_opencl_device ? Engine::get_with_gpus() : Engine::get();
  }();
  return take(take(std::move(got))->gpu(number));
}

Memory allocate(int device, uint64_t bytes, bool is_pinned) {
  Device on = device < 0 ? opened_engine().cpu() : gpu(device);
  Memory made;
  made.device = device;
  made.buffer = take(is_pinned ? on.allocate_pinned(std::max<uint64_t>(bytes, 1))
                               : default_stream(on, device, 0).allocate(std::max<uint64_t>(bytes, 1)));
  return made;
}

/// Copies between any two addresses of host and GPU, in the stream `handle`. `waits`: returns only after the
/// copy.
void copy_memory(int device, uint64_t to, uint64_t from, uint64_t bytes, uint64_t handle, bool waits) {
  Stream &stream = default_stream(gpu(device), device, handle);
  Result<void> done = [&]() -> Result<void> {
    nb::gil_scoped_release release;
    KILN_CHECK(stream.copy(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), bytes));
    return waits ? stream.synchronize() : Result<void>();
  }();
  if (!done.ok() && is_left_out(done.error())) return;
  take(std::move(done));
}

void fill(int device, uint64_t to, uint8_t value, uint64_t bytes, uint64_t handle) {
  take(default_stream(gpu(device), device, handle).fill(reinterpret_cast<void *>(to), value, bytes));
}

/// Creates a stream and returns its native handle. The stream is never freed, because launches may be in it.
uint64_t make_new_stream(int device) {
  static auto *all = new std::vector<Stream>;
  all->push_back(take(opened_engine().session().stream(gpu(device))));
  return reinterpret_cast<uint64_t>(all->back().native_handle());
}

/// Waits until all current work in another library's stream is done.
void wait_for_stream(int device, uint64_t handle) {
  Stream &stream = default_stream(gpu(device), device, handle);
  Result<void> done = [&] {
    nb::gil_scoped_release release;
    return stream.synchronize();
  }();
  if (!done.ok() && is_left_out(done.error())) return;
  take(std::move(done));
}

nb::dict describe_gpu(int number) {
  const Device device = gpu(number);
  const GpuInfo &info = device.info();
  const DeviceLimits &limits = device.limits();
  nb::dict made;
  made["name"] = info.name;
  if (!info.driver.empty()) made["driver"] = info.driver;
  made["compute_capability"] = nb::make_tuple(info.sm / 10, info.sm % 10);
  made["total_memory"] = info.memory_bytes;
  made["MULTIPROCESSOR_COUNT"] = info.multiprocessors;
  made["MAX_THREADS_PER_BLOCK"] = limits.threads_of_block;
  for (int i = 0; i < 3; i++) {
    const char axis = "XYZ"[i];
    made[nb::str((std::string("MAX_BLOCK_DIM_") + axis).c_str())] = limits.block[size_t(i)];
    made[nb::str((std::string("MAX_GRID_DIM_") + axis).c_str())] = limits.grid[size_t(i)];
  }
  made["MAX_SHARED_MEMORY_PER_BLOCK"] = limits.shared_bytes;
  made["MAX_SHARED_MEMORY_PER_MULTIPROCESSOR"] = limits.shared_bytes_of_multiprocessor;
  made["MAX_THREADS_PER_MULTI_PROCESSOR"] = limits.threads_of_multiprocessor;
  made["WARP_SIZE"] = limits.warp;
  made["MAX_REGISTERS_PER_BLOCK"] = limits.registers_of_block;
  made["L2_CACHE_SIZE"] = limits.l2_bytes;
  made["free_memory"] = take(device.free_memory());
  return made;
}

} // namespace

void add_memory(nb::module_ &m) {
  nb::class_<Memory>(m, "Memory")
      .def_prop_ro("address", &Memory::address)
      .def_ro("device", &Memory::device)
      .def_prop_ro("bytes", [](const Memory &self) { return self.buffer.bytes(); });
  m.def("allocate", &allocate, nb::arg("device"), nb::arg("bytes"), nb::arg("pinned") = false);
  m.def("copy", &copy_memory, nb::arg("device"), nb::arg("to"), nb::arg("source"), nb::arg("bytes"),
        nb::arg("stream") = 0, nb::arg("waits") = true);
  m.def("fill", &fill, nb::arg("device"), nb::arg("to"), nb::arg("value"), nb::arg("bytes"),
        nb::arg("stream") = 0);
  m.def("make_stream", &make_new_stream);
  m.def("wait_for", &wait_for_stream, nb::arg("device"), nb::arg("stream"));
  m.def("describe_gpu", &describe_gpu);
  nb::class_<Event>(m, "Event")
      .def(nb::init<>())
      .def("record", [](Event &self, int device,
                        uint64_t handle) { take(default_stream(gpu(device), device, handle).record(self)); })
      .def("wait_in", [](Event &self, int device,
                         uint64_t handle) { take(default_stream(gpu(device), device, handle).wait(self)); })
      .def("query", &Event::done)
      .def("synchronize", &Event::wait, nb::call_guard<nb::gil_scoped_release>())
      .def("elapsed", [](const Event &from, const Event &to) {
        return double(take(Event::between(from, to)).count()) * 1e-6;
      });
}

} // namespace kiln::python
