// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_code.h"

#include "driver_assembler.h"
#include "kernel_improver.h"

#include <architectures/architectures.h>
#include <support/guard_target.h>

namespace kiln {

bool is_assembled_by_driver(const Target &target, const TargetSpec &spec, int sm) {
  const std::optional<GpuCode> code = target.gpu_code(spec);
  return code && !cubin_runs_on(arch_of(*code), sm);
}

Result<std::shared_ptr<const Artifact>> JobCode::make_code(
    const DeviceFacts &device, const std::function<Result<Compiled>(const CompilerJob &)> &make) {
  auto made = make(job_);
  if (!made.ok()) {
    KILN_TRY(const auto other, guard_target(job_.config, [&]() -> Result<std::optional<TargetSpec>> {
               return target().retry(made.error(), job_.config.target, device);
             }));
    if (!other) return made.take_error();
    CompilerJob again = job_;
    again.config.target = *other;
    made = make(again);
    if (!made.ok()) return made.take_error();
  }
  key_ = made->keys.back();
  return std::move(made->artifact);
}

Result<LoadedFunction> JobCode::host_function() {
  if (options_.may_be_quick && options_.improver && options_.improver->has_first_tier()) {
    KILN_TRY(std::optional<LoadedFunction> first, loader_.first_tier(job_));
    is_quick_ = first.has_value();
    if (first) return std::move(*first);
  }
  return loader_.host_function(job_);
}

Result<std::shared_ptr<const Artifact>> JobCode::gpu_code(const std::shared_ptr<CudaDevice> &gpu) {
  return make_code(device_->facts(), [&](const CompilerJob &job) { return code_of(job, gpu); });
}

Result<std::shared_ptr<const Artifact>> JobCode::object_code(const DeviceFacts &device) {
  return make_code(device, [&](const CompilerJob &job) {
    return loader_.jobs().compile_with_keys(job, ArtifactKind::Object);
  });
}

Result<Compiled> JobCode::code_of(const CompilerJob &job, const std::shared_ptr<CudaDevice> &gpu) {
  JobService &jobs = loader_.jobs();
  const int sm = gpu->info().sm;
  if (is_assembled_by_driver(target(), job.config.target, sm))
    return jobs.cubin_by(job, *driver_assembler(gpu, target(), sm));
  if (options_.may_be_quick && options_.improver && options_.improver->has_quick_tier()) {
    auto quick = jobs.quick_cubin(job);
    if (!quick.ok() && quick.error().kind() != ErrorKind::Machine) return quick;
    if (quick.ok() && quick->artifact) {
      is_quick_ = true;
      return quick;
    }
  }
  return jobs.cubin(job, [&] { return driver_assembler(gpu, target(), 0); });
}

Result<LoadedKernel> JobCode::prepare_on(const std::shared_ptr<DeviceBackend> &device) {
  device_ = device;
  KILN_TRY(LoadedKernel kernel, device->prepare(*this));
  if (is_quick_ && !device->api().is_gpu())
    kernel.backend->when_hot(options_.improver->optimize_on_demand(job_, device, kernel.backend));
  else if (is_quick_ && kernel.backend->running() == kernel.artifact.get())
    options_.improver->optimize(job_, device, kernel.backend);
  return kernel;
}

/// Plans the use of a kernel's coarsened entry. With CompilerConfig::coarsen, the kernel's own module has it.
/// For other jobs a background thread makes it, only for launches that fill the device even with several
/// elements per thread.
void JobCode::plan_coarse(const LoadedKernel &kernel) const {
  const Coarsening &coarsening = kernel.artifact->coarsening;
  const bool has_entry = !coarsening.entry.empty();
  const bool may_make = options_.improver && options_.improver->makes_coarse_entries();
  // Background threads must not call the embedder's hooks.
  if (coarsening.factor < 1 || (!has_entry && (!may_make || any_hooks(job_.config)))) return;
  const uint64_t of_multiprocessor = coarsening.factor > 1
                                         ? coarsening.factor * CoarsePlan::min_threads_per_multiprocessor
                                         : CoarsePlan::min_threads_apart;
  const uint64_t least = has_entry ? 0 : of_multiprocessor * device_->info().multiprocessors;
  const std::optional<GpuCode> code = target().gpu_code(job_.config.target);
  if (!code) return;
  auto plan = CoarsePlan::make(coarsening, kernel.memory, least, coarse_bytes_of(*code));
  if (!plan) return;
  kernel.backend->plan_coarse(
      std::move(*plan),
      has_entry ? nullptr : options_.improver->coarse_entry_on_demand(job_, device_, kernel.backend));
}

Result<LoadedKernel> JobCode::loaded(const std::shared_ptr<const Artifact> &artifact,
                                     const DeviceBackend &device,
                                     const std::function<Result<LoadedKernel>()> &load) {
  auto loaded = [&]() -> Result<LoadedKernel> {
    KILN_TRY(LoadedKernel kernel, load());
    kernel.memory = loader_.memory_of(job_, *kernel.artifact);
    plan_coarse(kernel);
    return kernel;
  };
  return options_.share ? loader_.on_device(key_, artifact, device, loaded) : loaded();
}

} // namespace kiln
