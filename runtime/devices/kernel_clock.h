// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures run times of kernels (TimingOptions::kernels): with the steady clock on the CPU, with events on
// GPUs.
#pragma once

#include "kernel_stats.h"

#include <host/host.h>
#include <opencl/opencl.h>

#include <deque>

namespace kiln {

/// Measures kernels while the session's timer asks for kernel times. Does not delay launches. Thread-safe.
class KernelClock final : public LaunchClock {
public:
  KernelClock(Timer &timer, KernelStats &stats) : timer_(timer), stats_(stats) {}
  /// Records a launch on the CPU.
  void ran(const Artifact &kernel, uint64_t start, uint64_t end) override;

  /// begin() and end() record events before and after a launch in a GPU's stream. begin() returns null if the
  /// launch cannot be timed: during a graph capture, or if no event can be made.
  std::shared_ptr<CudaEvent> begin(CudaStream &stream);
  void end(CudaStream &stream, const std::string &entry, std::shared_ptr<CudaEvent> begin);
  /// Records a launch on an OpenCL device, with its event. Traces have no rows of these launches.
  void launched(const std::string &entry, std::shared_ptr<OpenClEvent> event);
  /// Adds the times of ended launches to the statistics. Reports call this first.
  void collect();
  void clear();

private:
  /// One moment as a GPU event and as steady-clock time. Converts times of GPU events to host times.
  struct Anchor {
    std::shared_ptr<CudaEvent> event;
    uint64_t at = 0;
  };
  struct Launch {
    std::string entry;
    std::shared_ptr<CudaEvent> begin, end;
    std::shared_ptr<const Anchor> anchor; ///< null: no trace events
  };
  struct OpenClLaunch {
    std::string entry;
    std::shared_ptr<OpenClEvent> event;
  };
  struct Gpu {
    std::shared_ptr<CudaStream> stream; ///< for anchors only
    std::shared_ptr<const Anchor> anchor;
    std::vector<std::shared_ptr<CudaEvent>> free;
  };
  /// Number of launches in flight from which a launch also collects ended ones.
  static constexpr size_t max_pending = 64;
  std::shared_ptr<const Anchor> anchor_of(Gpu &gpu, const std::shared_ptr<CudaDevice> &device);
  std::shared_ptr<CudaEvent> take_event(Gpu &gpu, CudaStream &stream);
  void collect_ended(); ///< under the mutex
  Timer &timer_;
  KernelStats &stats_;
  std::mutex mutex_; ///< protects the members below
  std::map<const CudaDevice *, Gpu> gpus_;
  std::deque<Launch> pending_; ///< in launch order
  std::deque<OpenClLaunch> opencl_pending_;
};

} // namespace kiln
