// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes better code for loaded kernels, on background threads of the session's queue:
//   optimised code      for kernels that began with quickly assembled code (SessionOptions::quick_tier), and
//                       for hot kernels of the CPU that began in the first tier (SessionOptions::cpu_tier)
//   coarsened entries   for kernels with large launches (SessionOptions::coarsen, docs/design/coarsening.md)
#pragma once

#include "code_loader.h"

#include <session/call_scope.h>

#include <support/cancellation.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_set>

namespace kiln {

/// Thread-safe.
class KernelImprover {
public:
  /// All references must outlive it.
  KernelImprover(const CallGate &gate, CodeLoader &loader, const SessionOptions &options);
  bool has_quick_tier() const { return quick_tier_; }
  bool has_first_tier() const { return cpu_tier_ != SessionOptions::CpuTier::Optimized; }
  bool makes_coarse_entries() const { return coarsen_; }

  /// Assembles optimised code for `kernel`, which runs quickly assembled code of `job` on `device`, and makes
  /// later launches use it. The caller holds JobService::use(). Failures are reported in the log and the
  /// timings.
  void optimize(const CompilerJob &job, std::shared_ptr<DeviceBackend> device,
                std::shared_ptr<const KernelBackend> kernel);
  /// Returns the callback for KernelBackend::when_hot, which starts compiling optimised code and makes
  /// running and later launches use it. Empty for CpuTier::First. The rest is as for
  /// coarse_entry_on_demand().
  std::function<void()> optimize_on_demand(const CompilerJob &job, std::weak_ptr<DeviceBackend> device,
                                           std::weak_ptr<const KernelBackend> kernel);
  /// Returns the callback for KernelBackend::plan_coarse, which starts making the coarsened entry. The
  /// callback may outlive the session and then does nothing. It does not keep the job's definitions or the
  /// kernel in memory.
  std::function<void()> coarse_entry_on_demand(const CompilerJob &job, std::weak_ptr<DeviceBackend> device,
                                               std::weak_ptr<const KernelBackend> kernel);
  /// Cancels running work and refuses new work.
  void stop();
  /// Blocks until all started work has ended.
  void wait();

private:
  /// State shared with the callbacks, which may outlive the session.
  struct Link {
    const uint64_t process = process_token(); ///< callbacks do nothing in a forked child
    std::mutex mutex;                         ///< guards `improver`
    KernelImprover *improver = nullptr;       ///< null: stopped
    const Cancellation stopped;
  };
  struct Demand;
  /// Runs `recipe` on a thread of the queue. If it fails, reports "`failure`: error" as a warning of `stage`.
  /// Calls `ended` afterwards in any case, even if `recipe` never ran.
  void start(Stage stage, std::string failure, std::function<Result<void>()> recipe,
             std::function<void()> ended = {});
  Result<void> swap_in_optimized(const Job &job, DeviceBackend &device, const KernelBackend &kernel);
  /// Makes the code of a demand, and gives it to the demand's kernel.
  Result<void> make(const Demand &demand);
  /// Returns a callback that runs make() on a background thread, with the arguments of start().
  std::function<void()> on_demand(Demand demand, const char *failure);

  const CallGate &gate_;
  CodeLoader &loader_;
  JobService &jobs_;
  const SessionOptions::CpuTier cpu_tier_;
  const bool quick_tier_, coarsen_;
  const std::shared_ptr<Link> link_;
  std::mutex mutex_; ///< guards the following
  std::condition_variable idle_;
  unsigned running_ = 0;
  /// Kernels whose optimised code is being made; the queued work keeps them alive.
  std::unordered_set<const KernelBackend *> optimizing_;
};

} // namespace kiln
