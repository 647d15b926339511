// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run and bench on a GPU, through the embedder's API: copies arrays, launches and measures.
#pragma once

#include "arguments.h"
#include "measure.h"

#include <kiln/kiln.h>

namespace kiln::tool {

/// One kernel with its arguments on a GPU, from upload to download.
class GpuRun {
public:
  GpuRun(Session &session, Device device) : session_(session), device_(std::move(device)) {}

  /// Compiles and loads the kernel, and copies all arrays reachable from the arguments to the device.
  Result<void> prepare(const Job &job, Arguments &arguments, const Value &function);
  /// Launches once and waits for the end. Errors: Usage, for a shape that the device cannot run; Input, for
  /// an exception of the kernel.
  Result<void> launch(const LaunchShape &shape);
  /// Measures the device's time (by events) and the host's time, per launch.
  Result<Measurement> measure(const BenchOptions &options, const LaunchShape &shape);
  /// Copies all arrays back to the host.
  Result<void> download();

private:
  Result<void> put(const LaunchShape &shape) {
    return stream_.launch(kernel_, shape, parameters_.addresses());
  }
  Result<void> measure_batch(const BenchOptions &options, const LaunchShape &shape, double &host,
                             double &device);
  Result<void> measure_flushed(const BenchOptions &options, const LaunchShape &shape, double &host,
                               double &device);

  Session &session_;
  Device device_;
  Stream stream_;
  Kernel kernel_;
  std::vector<std::shared_ptr<HostArray>> arrays_; ///< the arrays that the mirror copies
  HostMirror mirror_{stream_};
  ParameterBytes bytes_; ///< with device pointers
  EntryParameters parameters_;
  std::vector<Event> begins_, ends_; ///< one per launch of a batch
  Buffer flushed_;                   ///< larger than the L2 cache
};

} // namespace kiln::tool
