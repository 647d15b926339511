// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coarsener.h"

#include "call_scope.h"
#include "job_code.h"

#include <support/float_environment.h>
#include <support/stack.h>

namespace kiln {

namespace {

/// Behind everything that somebody waits for.
constexpr int background_priority = -1'000'000;

} // namespace

struct Coarsener::Demand {
  std::shared_ptr<Link> link;
  CompilerJob job; ///< of the coarse code. Its source may have gone: see make()
  std::weak_ptr<DeviceBackend> device;
  std::weak_ptr<const KernelBackend> kernel;
};

std::function<void()> Coarsener::on_demand(const CompilerJob &job, std::weak_ptr<DeviceBackend> device,
                                           std::weak_ptr<const KernelBackend> kernel) const {
  auto demand = std::make_shared<Demand>(Demand{link_, job, std::move(device), std::move(kernel)});
  demand->job.config.coarsen = true;
  return [demand = std::shared_ptr<const Demand>(std::move(demand))] {
    std::lock_guard lock(demand->link->mutex);
    if (demand->link->session) begin(*demand->link->session, demand);
  };
}

void Coarsener::stop() {
  link_->stopped.cancel();
  std::lock_guard lock(link_->mutex);
  link_->session = nullptr;
}

void Coarsener::begin(Session::State &session, std::shared_ptr<const Demand> demand) {
  session.background.begin();
  session.queue.add(background_priority, [&session, demand = std::move(demand)](bool begins) {
    if (begins && !demand->link->stopped.is_stopped()) run(session, *demand);
    session.background.end();
  });
}

void Coarsener::run(Session::State &session, const Demand &demand) {
  const CancellationScope stop(&demand.link->stopped);
  const CallScope call(session);
  const DefaultFloatEnvironment floats;
  Result<void> done = with_stack(2 * stack_for_limits, [&] {
    const UnobservedScope unobserved; // it is no product that anybody asked for
    return make(session, demand);
  });
  if (done.ok() || is_stop(done.error())) return;
  const std::string text = fmt::format(
      "a kernel keeps its entry as written, since making a coarse one failed: {}", done.error().what());
  session.log.warn("{}", text);
  if (session.timer.enabled()) session.timer.warn(stage_name(Stage::BackgroundCoarsen), text);
}

Result<void> Coarsener::make(Session::State &session, const Demand &demand) {
  const auto device = demand.device.lock();
  const auto kernel = demand.kernel.lock();
  if (!device || !kernel) return {};
  auto use = session.code.use();
  // What the job names is there as long as its world is; later definitions have their own kernels.
  if (demand.job.world < session.world.oldest()) return {};
  const TimedJob timed = session.products.timed(demand.job);
  StageScope scope(&session.timer, Stage::BackgroundCoarsen);
  JobCode source(session.prepared, demand.job, false, nullptr, nullptr);
  KILN_TRY(LoadedKernel coarse, source.prepare_on(device));
  if (kernel->take_coarse(*coarse.backend))
    session.compiler.kernels_coarsened.fetch_add(1, std::memory_order_relaxed);
  return {};
}

} // namespace kiln
