// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_improver.h"

#include "job_code.h"

#include <session/options/environment.h>

#include <support/stack.h>

namespace kiln {

namespace {

/// Lower than the priority of any work for which a caller waits.
constexpr int background_priority = -1'000'000;

/// A CodeSource with finished code, which the device only loads.
class ReadyCode final : public CodeSource {
public:
  ReadyCode(std::string name, std::shared_ptr<const Artifact> code)
      : name_(std::move(name)), code_(std::move(code)) {}
  std::string name() const override { return name_; }
  Result<LoadedFunction> host_function() override { return internal_error("the quick tier is for GPUs"); }
  Result<std::shared_ptr<const Artifact>> gpu_code(const std::shared_ptr<CudaDevice> &) override {
    return code_;
  }
  Result<std::shared_ptr<const Artifact>> object_code(const DeviceFacts &) override { return code_; }
  Result<LoadedKernel> loaded(const std::shared_ptr<const Artifact> &, const Device::State &,
                              const std::function<Result<LoadedKernel>()> &load) override {
    return load();
  }

private:
  const std::string name_;
  const std::shared_ptr<const Artifact> code_;
};

} // namespace

struct KernelImprover::Demand {
  CompilerJob job; ///< its method may be freed once the job's world is too old
  std::weak_ptr<DeviceBackend> device;
  std::weak_ptr<const KernelBackend> kernel;
  Stage stage; ///< BackgroundOptimize or BackgroundCoarsen
};

KernelImprover::KernelImprover(const CallGate &gate, CodeLoader &loader, const SessionOptions &options)
    : gate_(gate), loader_(loader), jobs_(loader.jobs()), cpu_tier_(cpu_tier(options)),
      quick_tier_(options.quick_tier), coarsen_(options.coarsen), link_(std::make_shared<Link>()) {
  link_->improver = this;
}

void KernelImprover::stop() {
  link_->stopped.cancel();
  std::lock_guard lock(link_->mutex);
  link_->improver = nullptr;
}

void KernelImprover::wait() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return running_ == 0; });
}

void KernelImprover::start(Stage stage, std::string failure, std::function<Result<void>()> recipe,
                           std::function<void()> ended) {
  {
    std::lock_guard lock(mutex_);
    running_++;
  }
  jobs_.queue().add(background_priority, [this, stage, failure = std::move(failure),
                                          recipe = std::move(recipe), ended = std::move(ended)](bool begins) {
    if (begins && !link_->stopped.is_stopped()) {
      const CancellationScope stop(&link_->stopped);
      const ComputingCall call(gate_);
      if (Result<void> done = recipe(); !done.ok() && !is_stop(done.error()))
        jobs_.log().warn_of_stage(stage, fmt::format("{}: {}", failure, done.error().what()));
    }
    if (ended) ended();
    std::lock_guard lock(mutex_);
    if (--running_ == 0) idle_.notify_all();
  });
}

// ---- optimised code

void KernelImprover::optimize(const CompilerJob &job, std::shared_ptr<DeviceBackend> device,
                              std::shared_ptr<const KernelBackend> kernel) {
  auto held = jobs_.hold(job);
  if (!held.ok()) return; // the target threw an exception: the kernel keeps its code
  const KernelBackend *const address = kernel.get();
  {
    std::lock_guard lock(mutex_);
    // Another launch has already started the work for this kernel.
    if (!optimizing_.insert(address).second) return;
  }
  jobs_.compiler().quick_kernels.fetch_add(1, std::memory_order_relaxed);
  std::string failure =
      fmt::format("{} keeps the code that was assembled fast, since assembling it well failed", held->call());
  start(
      Stage::BackgroundAssemble, std::move(failure),
      [this, job = std::move(*held), device = std::move(device), kernel = std::move(kernel)] {
        return swap_in_optimized(job, *device, *kernel);
      },
      [this, address] {
        std::lock_guard lock(mutex_);
        optimizing_.erase(address);
      });
}

Result<void> KernelImprover::swap_in_optimized(const Job &job, DeviceBackend &device,
                                               const KernelBackend &kernel) {
  auto use = jobs_.use();
  KILN_TRY(CompilerJob resolved, jobs_.job_of(job));
  const TimedJob timed = jobs_.timed(resolved);
  auto assemble = [&] {
    StageScope scope(&jobs_.log().timer, Stage::BackgroundAssemble);
    return jobs_.compile(resolved, ArtifactKind::Cubin);
  };
  KILN_TRY(ObjectCache::ArtifactPtr code, assemble());
  KILN_CHECK(check_cancellation());
  StageScope scope(&jobs_.log().timer, Stage::SwapKernel);
  ReadyCode source(std::string(resolved.source->method->name.text()), std::move(code));
  KILN_TRY(LoadedKernel better, device.prepare(source));
  if (kernel.swap_in(*better.backend))
    jobs_.compiler().kernels_swapped.fetch_add(1, std::memory_order_relaxed);
  return {};
}

// ---- work on demand

std::function<void()> KernelImprover::on_demand(Demand demand, const char *failure) {
  return [link = link_, demand = std::make_shared<const Demand>(std::move(demand)), failure] {
    if (link->process != process_token()) return;
    std::lock_guard lock(link->mutex);
    KernelImprover *const improver = link->improver;
    if (!improver) return;
    improver->start(demand->stage, failure, [improver, demand] {
      return with_stack(2 * stack_for_limits, [&] {
        const UnobservedScope unobserved; // no user requested this product
        return improver->make(*demand);
      });
    });
  };
}

std::function<void()> KernelImprover::optimize_on_demand(const CompilerJob &job,
                                                         std::weak_ptr<DeviceBackend> device,
                                                         std::weak_ptr<const KernelBackend> kernel) {
  jobs_.compiler().quick_kernels.fetch_add(1, std::memory_order_relaxed);
  if (cpu_tier_ == SessionOptions::CpuTier::First || !jobs_.compiler().may_compile) return {};
  return on_demand({job, std::move(device), std::move(kernel), Stage::BackgroundOptimize},
                   "a kernel keeps code of the first tier, since optimising it failed");
}

std::function<void()> KernelImprover::coarse_entry_on_demand(const CompilerJob &job,
                                                             std::weak_ptr<DeviceBackend> device,
                                                             std::weak_ptr<const KernelBackend> kernel) {
  Demand demand{job, std::move(device), std::move(kernel), Stage::BackgroundCoarsen};
  demand.job.config.coarsen = true;
  return on_demand(std::move(demand),
                   "a kernel keeps its entry as written, since making a coarse one failed");
}

Result<void> KernelImprover::make(const Demand &demand) {
  const auto device = demand.device.lock();
  const auto kernel = demand.kernel.lock();
  if (!device || !kernel) return {};
  auto use = jobs_.use();
  // A kernel of swept definitions, which may be freed, keeps its code. Launches of later definitions have
  // another kernel.
  if (demand.job.world < jobs_.definitions().world().oldest()) return {};
  const bool is_coarse = demand.stage == Stage::BackgroundCoarsen;
  const TimedJob timed = jobs_.timed(demand.job);
  StageScope scope(&jobs_.log().timer, demand.stage);
  JobCode source(loader_, demand.job, {.may_be_quick = is_coarse});
  KILN_TRY(LoadedKernel made, source.prepare_on(device));
  const Compiler &compiler = jobs_.compiler();
  if (is_coarse) {
    if (kernel->take_coarse(*made.backend))
      compiler.kernels_coarsened.fetch_add(1, std::memory_order_relaxed);
    return {};
  }
  KILN_CHECK(check_cancellation());
  if (kernel->swap_in(*made.backend)) compiler.kernels_swapped.fetch_add(1, std::memory_order_relaxed);
  return {};
}

} // namespace kiln
