// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of calls of einsum's host function, timed here: a call from Python would cost more than Kiln's.
#include "einsum.h"

#include <kiln/c.h>

#include <chrono>

using namespace seeds;

extern "C" {

struct Measured {
  double us, issue_us; ///< a call: until the stream is empty, and until the last call has returned
};

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
  const auto began = std::chrono::steady_clock::now();
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
  if (measured) {
    using Us = std::chrono::duration<double, std::micro>;
    const auto now = std::chrono::steady_clock::now();
    *measured = {Us(now - began).count() / double(calls), Us(issued - began).count() / double(calls)};
  }
  return 0;
}
}
