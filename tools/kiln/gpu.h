// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run and bench on a GPU: copies of the arguments' arrays, launches, times, by the API that an embedder has.
#pragma once

#include "arguments.h"
#include "measure.h"

#include <kiln/kiln.h>

namespace kiln::tool {

/// One kernel with its arguments on a GPU, from upload to download.
class GpuRun {
public:
  GpuRun(Session &session, Device device) : session_(session), device_(std::move(device)) {}

  /// Compiles and loads the kernel, and copies every array that the arguments lead to to the device.
  Result<void> prepare(const Job &job, Arguments &arguments, const Value &function);
  /// One launch, to its end. Errors: Usage (a shape that the device cannot run), Input (an exception of the
  /// kernel).
  Result<void> launch(const LaunchShape &shape);
  /// The table of bench: time on the device by events, apart from the host's time a launch.
  Result<std::string> measure(const BenchOptions &options, const LaunchShape &shape);
  /// All arrays back into the host's.
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
  std::vector<std::shared_ptr<HostArray>> arrays_; ///< that the mirror copies
  HostMirror mirror_{stream_};
  ParameterBytes bytes_; ///< whose pointers are the device's
  EntryParameters parameters_;
  std::vector<Event> begins_, ends_; ///< of a batch's launches
  Buffer flushed_;                   ///< larger than the L2 cache
};

} // namespace kiln::tool
