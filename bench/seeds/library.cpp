// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What run.py cannot measure from Python, whose own calls cost more than Kiln's: loops of launches through a
// handle, and of einsum's host function, with wall time and allocations a call. The counters are those of
// count.cpp, where it is preloaded; -1 where it is not.
#include "einsum.h"

#include <kiln/c.h>

#include <chrono>
#include <cstring>
#include <dlfcn.h>

using namespace seeds;

namespace {

using Counter = int64_t (*)();
int64_t read(const char *name) {
  auto counter = reinterpret_cast<Counter>(::dlsym(RTLD_DEFAULT, name));
  return counter ? counter() : -1;
}

struct Watch {
  int64_t driver = read("seeds_driver_allocations"), host = read("seeds_host_allocations"),
          device = read("seeds_device_allocations");
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

} // namespace

extern "C" {

struct Measured {
  double us, issue_us;  ///< a call: until the stream is empty, and until the last call has returned
  int64_t host, device; ///< allocations of all calls together
  int64_t driver;       ///< of `host`, those that libcuda's own code makes
};

static Measured since(const Watch &w, std::chrono::steady_clock::time_point issued, uint64_t calls) {
  using Us = std::chrono::duration<double, std::micro>;
  const auto now = std::chrono::steady_clock::now();
  auto more = [](const char *name, int64_t before) { return before < 0 ? -1 : read(name) - before; };
  Measured m{Us(now - w.began).count() / double(calls), Us(issued - w.began).count() / double(calls), 0, 0,
             0};
  m.host = more("seeds_host_allocations", w.host);
  m.device = more("seeds_device_allocations", w.device);
  m.driver = more("seeds_driver_allocations", w.driver);
  return m;
}

/// A kernel through the C API's handles. Returns 0, or 1 for an error.
KILN_C_API int seeds_launch_loop(kiln_kernel *kernel, kiln_stream *stream, const kiln_shape *shape,
                                 const void *const *arguments, size_t count, uint64_t calls, Measured *out) {
  if (kiln_stream_synchronize(stream, nullptr) != 0) return 1;
  Watch watch;
  for (uint64_t i = 0; i < calls; i++)
    if (kiln_kernel_launch(kernel, stream, shape, arguments, count, nullptr) != 0) return 1;
  const auto issued = std::chrono::steady_clock::now();
  if (kiln_stream_synchronize(stream, nullptr) != 0) return 1;
  *out = since(watch, issued, calls);
  return 0;
}

struct EinsumLibrary {
  std::unique_ptr<kiln::Session> session;
  kiln::Device device;
  kiln::Stream stream;
  std::unique_ptr<Einsum> einsum;
  std::string error;
};

/// On GPU 0 and a stream of the caller's, or, without one, on the CPU. Null: an error.
KILN_C_API EinsumLibrary *seeds_einsum_open(void *cuda_stream) {
  auto session = kiln::Session::open({.cache_dir = ""});
  if (!session.ok()) return nullptr;
  auto library = std::make_unique<EinsumLibrary>();
  library->session = std::move(*session);
  library->device = library->session->cpu();
  library->stream = library->session->stream();
  if (cuda_stream) {
    auto device = library->session->gpu(0);
    if (!device.ok()) return nullptr;
    library->device = *device;
    auto stream = library->session->stream(library->device, cuda_stream);
    if (!stream.ok()) return nullptr;
    library->stream = std::move(*stream);
  }
  library->einsum = std::make_unique<Einsum>(*library->session, library->device, library->stream);
  return library.release();
}
KILN_C_API void seeds_einsum_close(EinsumLibrary *library) { delete library; }
KILN_C_API const char *seeds_einsum_error(const EinsumLibrary *library) { return library->error.c_str(); }

/// So many calls. With `allocate` each takes memory for its result from the stream's pool and gives it back,
/// as torch's einsum does from its own.
KILN_C_API int seeds_einsum_loop(EinsumLibrary *library, const char *spec, int dtype, const Tensor *out,
                                 const Tensor *a, const Tensor *b, uint64_t bytes, int allocate,
                                 uint64_t calls, Measured *measured) {
  auto failed = [&](const kiln::Error &error) {
    library->error = error.what();
    return 1;
  };
  const std::string_view text = spec;
  if (auto done = library->stream.synchronize(); !done.ok()) return failed(done.error());
  Watch watch;
  for (uint64_t i = 0; i < calls; i++) {
    Tensor to = *out;
    kiln::Buffer buffer;
    if (allocate) {
      auto made = library->stream.allocate(bytes);
      if (!made.ok()) return failed(made.error());
      buffer = std::move(*made);
      to.data = buffer.data();
    }
    auto done = (*library->einsum)(text, Dtype(dtype), to, *a, *b);
    if (!done.ok()) return failed(done.error());
  }
  const auto issued = std::chrono::steady_clock::now();
  if (auto done = library->stream.synchronize(); !done.ok()) return failed(done.error());
  if (measured) *measured = since(watch, issued, calls);
  return 0;
}

/// From source to kernels that can be launched on GPU 0, in a new session without a folder; the session's
/// opening is not counted.
KILN_C_API int seeds_prepare_many(const char *file, const char *const *calls, size_t count, double *seconds) {
  auto session = kiln::Session::open({.cache_dir = ""});
  if (!session.ok()) return 1;
  auto device = (*session)->gpu(0);
  if (!device.ok()) return 1;
  const auto began = std::chrono::steady_clock::now();
  if (!(*session)->load_file(file).ok()) return 1;
  std::vector<kiln::CompileRequest> requests;
  for (size_t i = 0; i < count; i++)
    requests.push_back({.call = calls[i], .config = {.target = device->target(), .debug_level = 0}});
  for (auto &kernel : (*session)->prepare_many(requests, *device))
    if (!kernel.ok()) return 1;
  *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return 0;
}
}
