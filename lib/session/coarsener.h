// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coarse entries for kernels whose launches want one (docs/design/coarsening.md): made by a thread of the
// session's queue once a launch could have used it, and given to the kernel.
#pragma once

#include <devices/devices.h>
#include <job/job.h>
#include <kiln/session.h>

#include <support/cancellation.h>

#include <functional>
#include <memory>

namespace kiln {

/// Thread-safe.
class Coarsener {
public:
  Coarsener(Session::State &session, bool is_on) : link_(std::make_shared<Link>()), is_on_(is_on) {
    link_->session = &session;
  }
  bool is_on() const { return is_on_; }
  /// What the second launch that could use a coarse entry calls (KernelBackend::plan_coarse). It may outlive
  /// the session, and then does nothing. It keeps neither the job's world nor the kernel alive.
  std::function<void()> on_demand(const CompilerJob &job, std::weak_ptr<DeviceBackend> device,
                                  std::weak_ptr<const KernelBackend> kernel) const;
  /// The session is being closed: what is under way stops where it can, and nothing begins.
  void stop();

private:
  /// What demands hold of the session.
  struct Link {
    std::mutex mutex;                  ///< of what follows
    Session::State *session = nullptr; ///< null: it is being closed
    const Cancellation stopped;
  };
  struct Demand;
  static void begin(Session::State &session, std::shared_ptr<const Demand> demand);
  static void run(Session::State &session, const Demand &demand);
  static Result<void> make(Session::State &session, const Demand &demand);
  const std::shared_ptr<Link> link_;
  const bool is_on_;
};

} // namespace kiln
