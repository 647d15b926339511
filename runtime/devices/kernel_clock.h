// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long kernels run (TimingOptions::kernels): by the steady clock on the CPU, by events on GPUs.
#pragma once

#include "kernel_stats.h"

#include <host/host.h>

#include <deque>

namespace kiln {

/// Thread-safe. Times only while the timer wants it; no call waits for a kernel.
class KernelClock final : public LaunchClock {
public:
  KernelClock(Timer &timer, KernelStats &stats) : timer_(timer), stats_(stats) {}
  /// Of the CPU.
  void ran(const Artifact &kernel, uint64_t start, uint64_t end) override;

  /// Around a launch in a GPU's stream. begin() gives null where it cannot be timed: in a graph that is being
  /// captured, and where an event cannot be made.
  std::shared_ptr<CudaEvent> begin(CudaStream &stream);
  void end(CudaStream &stream, const std::string &entry, std::shared_ptr<CudaEvent> begin);
  /// Takes the times of the launches that have ended into the statistics. Before a report.
  void collect();
  void clear();

private:
  /// A moment that is known on both clocks.
  struct Anchor {
    std::shared_ptr<CudaEvent> event;
    uint64_t at = 0;
  };
  struct Launch {
    std::string entry;
    std::shared_ptr<CudaEvent> begin, end;
    std::shared_ptr<const Anchor> anchor; ///< null: no trace events
  };
  struct Gpu {
    std::shared_ptr<CudaStream> stream; ///< for anchors: nothing else is in it
    std::shared_ptr<const Anchor> anchor;
    std::vector<std::shared_ptr<CudaEvent>> free;
  };
  static constexpr size_t max_pending = 64; ///< before a launch looks which have ended
  std::shared_ptr<const Anchor> anchor_of(Gpu &gpu, const std::shared_ptr<CudaDevice> &device);
  std::shared_ptr<CudaEvent> take_event(Gpu &gpu, CudaStream &stream);
  void collect_ended(); ///< under the mutex
  Timer &timer_;
  KernelStats &stats_;
  std::mutex mutex_; ///< of what follows
  std::map<const CudaDevice *, Gpu> gpus_;
  std::deque<Launch> pending_; ///< in the order of their launches
};

} // namespace kiln
