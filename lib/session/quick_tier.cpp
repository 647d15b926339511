// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quick_tier.h"

#include "call_scope.h"

#include <support/float_environment.h>

namespace kiln {

namespace {

/// Behind everything that somebody waits for.
constexpr int background_priority = -1'000'000;

/// Code that is there, for the device to load.
class ReadyCode final : public CodeSource {
public:
  ReadyCode(std::string name, std::shared_ptr<const Artifact> code)
      : name_(std::move(name)), code_(std::move(code)) {}
  std::string name() const override { return name_; }
  Result<PreparedFunction> host_function() override { return internal_error("the quick tier is for GPUs"); }
  Result<std::shared_ptr<const Artifact>> gpu_code(const std::shared_ptr<CudaDevice> &) override {
    return code_;
  }
  Result<LoadedKernel> loaded(const std::shared_ptr<const Artifact> &, const Device::State &,
                              const std::function<Result<LoadedKernel>()> &load) override {
    return load();
  }

private:
  const std::string name_;
  const std::shared_ptr<const Artifact> code_;
};

} // namespace

void QuickTier::improve(const CompilerJob &job, std::shared_ptr<DeviceBackend> device,
                        std::shared_ptr<const KernelBackend> kernel) {
  Session::State &s = session_;
  auto job_to_hold = s.held->hold(job);
  if (!job_to_hold.ok()) return; // the target threw: the code stays as it is
  {
    std::lock_guard lock(mutex_);
    if (!under_way_.insert(kernel.get()).second) return; // two launches prepared it at once
  }
  s.background.begin();
  s.compiler.quick_kernels.fetch_add(1, std::memory_order_relaxed);
  s.queue.add(background_priority, [this, held = HeldJobs::as_job(std::move(*job_to_hold)),
                                    device = std::move(device), kernel = std::move(kernel)](bool begins) {
    if (begins && !stopped_.is_stopped()) run(held, *device, *kernel);
    {
      std::lock_guard lock(mutex_);
      under_way_.erase(kernel.get());
    }
    session_.background.end();
  });
}

void QuickTier::run(const Job &job, DeviceBackend &device, const KernelBackend &kernel) {
  const CancellationScope stop(&stopped_);
  const CallScope call(session_);
  const DefaultFloatEnvironment floats;
  Result<void> done = make_and_swap(job, device, kernel);
  if (done.ok() || is_stop(done.error())) return;
  const std::string text =
      fmt::format("{} keeps the code that was assembled fast, since assembling it well failed: {}",
                  job.call(), done.error().what());
  session_.log.warn("{}", text);
  if (session_.timer.enabled()) session_.timer.warn(stage_name(Stage::BackgroundAssemble), text);
}

Result<void> QuickTier::make_and_swap(const Job &job, DeviceBackend &device, const KernelBackend &kernel) {
  Session::State &s = session_;
  auto use = s.code.use();
  KILN_TRY(CompilerJob compiled, s.held->job_of(job));
  const TimedJob timed = s.products.timed(compiled);
  auto assemble = [&] {
    StageScope scope(&s.timer, Stage::BackgroundAssemble);
    return s.compile(compiled, ArtifactKind::Cubin);
  };
  KILN_TRY(ObjectCache::ArtifactPtr code, assemble());
  KILN_CHECK(check_cancellation());
  StageScope scope(&s.timer, Stage::SwapKernel);
  ReadyCode source(std::string(compiled.source->method->name.text()), std::move(code));
  KILN_TRY(LoadedKernel better, device.prepare(source));
  if (kernel.swap_in(*better.backend)) s.compiler.kernels_swapped.fetch_add(1, std::memory_order_relaxed);
  return {};
}

} // namespace kiln
