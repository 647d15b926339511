// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run and bench on a GPU: copies of the arguments' arrays, launches, times.
#pragma once

#include "arguments.h"
#include "bench.h"

namespace kiln::tool {

/// One kernel with its arguments on a GPU, from upload to download.
class GpuRun {
public:
  GpuRun(Session::State &state, std::shared_ptr<CudaDevice> device) : state_(state), device_(std::move(device)) {}

  /// Compiles and loads the kernel, and copies every array that the arguments lead to to the device.
  Result<void> prepare(const CompilerJob &job, Arguments &arguments, const Value &function);
  const Artifact &artifact() const { return *prepared_.artifact; }
  /// One launch, to its end. Errors: Usage (a shape that the device cannot run), Input (an exception of the kernel).
  Result<void> launch(const LaunchShape &shape);
  /// The table of bench: time on the device by events, apart from the host's time a launch.
  Result<std::string> measure(const BenchOptions &options, const LaunchShape &shape);
  /// All arrays back into the host's.
  Result<void> download();

private:
  struct Copy {
    std::shared_ptr<HostArray> host;
    CudaBuffer device;
  };
  uint64_t device_address(uint64_t host) const;
  Result<void> finish();

  Session::State &state_;
  std::shared_ptr<CudaDevice> device_;
  PreparedCuda prepared_;
  std::vector<Copy> copies_;
  std::vector<void *> parameters_; ///< into the Arguments' bytes, whose pointers are the device's now
};

/// The number in "cuda" or "cuda:1"; nothing if that is no GPU's name.
std::optional<int> gpu_number(std::string_view device);

} // namespace kiln::tool
