// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first OpenCL device, as component devices opens it, and the kernels of kernels.ll. Without a device the
// program exits with 77, so that ctest shows the tests as skipped.
#pragma once

#include "must.h"

#include <devices/devices.h>
#include <kiln/opencl.h>
#include <kiln/runtime.h>
#include <support/support.h>

#include <cstdio>
#include <cstdlib>

namespace kiln::test {

/// Exits with 77, the code for skipped tests, if there is no device.
inline Device open_device(Runtime &runtime) {
  avoid_opencl_driver_faults();
  auto opened = runtime.device("opencl");
  if (!opened.ok()) {
    std::fprintf(stderr, "skipped: %s\n", opened.error().what().c_str());
    std::_Exit(77);
  }
  return std::move(*opened);
}

/// An artifact with one of the kernels of kernels.ll.
inline std::shared_ptr<Artifact> kernel_of(const char *entry, std::vector<Artifact::Parameter> parameters,
                                           bool has_state) {
  auto artifact = std::make_shared<Artifact>();
  artifact->kind = ArtifactKind::Object;
  artifact->bytes = must(read_file(KILN_TEST_SPIRV));
  artifact->entry = entry;
  artifact->parameters = std::move(parameters);
  artifact->has_kernel_state = has_state;
  return artifact;
}
inline std::shared_ptr<Artifact> scale_kernel() {
  return kernel_of("scale", {{1, 8, 8}, {2, 8, 8}, {3, 4, 4}}, true);
}
inline std::shared_ptr<Artifact> throwing_kernel() { return kernel_of("throws", {{1, 8, 8}}, true); }

struct OnOpenCl {
  std::unique_ptr<Runtime> runtime = must(Runtime::open());
  Device device = open_device(*runtime);
  DeviceBackend &backend = *state_of(device);
  Stream stream = must(runtime->stream(device));

  LoadedKernel load(std::shared_ptr<const Artifact> artifact) {
    return must(backend.load(std::move(artifact)));
  }
  /// Copies values to a new buffer.
  template <class T> Buffer upload(const std::vector<T> &values) {
    Buffer buffer = must(stream.allocate(values.size() * sizeof(T)));
    must(stream.copy(buffer.data(), values.data(), buffer.bytes()));
    must(stream.synchronize());
    return buffer;
  }
  template <class T> std::vector<T> download(const Buffer &buffer) {
    std::vector<T> values(buffer.bytes() / sizeof(T));
    must(stream.copy(values.data(), buffer.data(), buffer.bytes()));
    must(stream.synchronize());
    return values;
  }
};

/// Arguments of `scale`.
struct ScaleArguments {
  void *array;
  int64_t count;
  float factor;
  const void *pointers[3] = {&array, &count, &factor};
};

template <class T> std::string failure(const Result<T> &result) {
  if (result.ok()) return "no error";
  const Diagnostic &d = result.error().diagnostics()[0];
  std::string text = fmt::format("{} {} / {}", int(result.error().kind()), d.message, d.hint);
  for (const Note &note : d.notes) text += " / " + note.text;
  return text;
}

} // namespace kiln::test
