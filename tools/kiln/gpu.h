// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel on a GPU for the commands run and bench: copies arrays, launches and measures.
#pragma once

#include "arguments.h"
#include "measure.h"

#include <kiln/kiln.h>

namespace kiln::tool {

/// One kernel and its arguments on a GPU. Call prepare(), then launch() or measure(), then download().
class GpuRun {
public:
  GpuRun(Session &session, Device device) : session_(session), device_(std::move(device)) {}

  /// Compiles and loads the kernel. Copies all arrays that the arguments contain or refer to to the device.
  Result<void> prepare(const Job &job, Arguments &arguments, const Value &function);
  /// Launches the kernel once and waits for its end. Errors: Usage, if the device cannot run this launch
  /// shape; Input, if the kernel throws an exception.
  Result<void> launch(const LaunchShape &shape);
  /// Measures the time per launch: on the device with events, and on the host.
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
  std::vector<std::shared_ptr<HostArray>> arrays_; ///< arrays of the arguments, in host memory
  HostMirror mirror_{stream_};
  ParameterBytes bytes_; ///< encoded kernel parameters; pointers to arrays are device pointers
  EntryParameters parameters_;
  std::vector<Event> begins_, ends_; ///< one per batch, or per launch with flush_l2
  Buffer flushed_;                   ///< twice the L2 cache; writing to it evicts other data
};

} // namespace kiln::tool
