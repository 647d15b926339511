// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The quick tier (SessionOptions::quick_tier): kernels that were launched with code assembled fast get their
// optimised code from a thread of the session's queue.
#pragma once

#include <devices/devices.h>
#include <job/job.h>
#include <kiln/session.h>
#include <support/cancellation.h>

#include <mutex>
#include <unordered_set>

namespace kiln {

/// Thread-safe.
class QuickTier {
public:
  QuickTier(Session::State &session, bool is_on) : session_(session), is_on_(is_on) {}
  bool is_on() const { return is_on_; }
  /// `kernel` runs fast code of `job` on `device`: assembles it well in the background, and swaps that in.
  /// The caller holds a CodeInstanceTable::use() over the job. What fails is told on the log and in the
  /// ledger.
  void improve(const CompilerJob &job, std::shared_ptr<DeviceBackend> device,
               std::shared_ptr<const KernelBackend> kernel);
  /// The session is being closed: what is under way stops where it can.
  void stop() { stopped_.cancel(); }

private:
  Result<void> make_and_swap(const Job &job, DeviceBackend &device, const KernelBackend &kernel);
  void run(const Job &job, DeviceBackend &device, const KernelBackend &kernel);
  Session::State &session_;
  const bool is_on_;
  const Cancellation stopped_;
  std::mutex mutex_;                                    ///< of what follows
  std::unordered_set<const KernelBackend *> under_way_; ///< each is held by its work
};

} // namespace kiln
