// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_code.h"

#include "driver_assembler.h"

#include <architectures/architectures.h>
#include <support/guard_target.h>

namespace kiln {

bool is_assembled_by_driver(const Target &target, const TargetSpec &spec, int sm) {
  const std::optional<GpuCode> code = target.gpu_code(spec);
  return code && !cubin_runs_on(arch_of(*code), sm);
}

Result<std::shared_ptr<const Artifact>> JobCode::gpu_code(const std::shared_ptr<CudaDevice> &gpu) {
  auto code = code_of(job_, gpu);
  if (code.ok()) return code;
  KILN_TRY(const auto other, guard_target(job_.config, [&]() -> Result<std::optional<TargetSpec>> {
             return target().retry(code.error(), job_.config.target, device_->facts());
           }));
  if (!other) return code;
  CompilerJob again = job_;
  again.config.target = *other;
  return code_of(again, gpu);
}

Result<std::shared_ptr<const Artifact>> JobCode::code_of(const CompilerJob &job,
                                                         const std::shared_ptr<CudaDevice> &gpu) {
  const int sm = gpu->info().sm;
  if (is_assembled_by_driver(target(), job.config.target, sm))
    return code_.compiler().cubin_by(job, *driver_assembler(gpu, target(), sm));
  if (tier_) {
    auto quick = code_.compiler().quick_cubin(job);
    if (!quick.ok() && quick.error().kind() != ErrorKind::Machine) return quick.take_error();
    if (quick.ok() && *quick) {
      is_quick_ = true;
      return std::shared_ptr<const Artifact>(std::move(*quick));
    }
  }
  return code_.compiler().cubin(job, [&] { return driver_assembler(gpu, target(), 0); });
}

Result<LoadedKernel> JobCode::prepare_on(const std::shared_ptr<DeviceBackend> &device) {
  device_ = device;
  KILN_TRY(LoadedKernel kernel, device->prepare(*this));
  if (is_quick_ && kernel.backend->running() == kernel.artifact.get())
    tier_->improve(job_, device, kernel.backend);
  return kernel;
}

/// Jobs that ask for a coarse entry have it in their own code; of others a launch has to be so large that the
/// device is full of threads that do several elements each.
void JobCode::plan_coarse(const LoadedKernel &kernel) const {
  const Coarsening &coarsening = kernel.artifact->coarsening;
  const bool has_entry = !coarsening.entry.empty();
  // Hooks of the embedder's are not called behind its back.
  if (coarsening.factor < 1 || (!has_entry && (!coarsener_ || any_hooks(job_.config)))) return;
  const uint64_t of_multiprocessor = coarsening.factor > 1
                                         ? coarsening.factor * CoarsePlan::least_threads_of_multiprocessor
                                         : CoarsePlan::least_threads_apart;
  const uint64_t least = has_entry ? 0 : of_multiprocessor * device_->info().multiprocessors;
  const std::optional<GpuCode> code = target().gpu_code(job_.config.target);
  if (!code) return;
  auto plan = CoarsePlan::make(coarsening, kernel.memory, least, coarse_bytes_of(*code));
  if (!plan) return;
  kernel.backend->plan_coarse(std::move(*plan),
                              has_entry ? nullptr : coarsener_->on_demand(job_, device_, kernel.backend));
}

Result<LoadedKernel> JobCode::loaded(const std::shared_ptr<const Artifact> &artifact,
                                     const DeviceBackend &device,
                                     const std::function<Result<LoadedKernel>()> &load) {
  auto loaded = [&]() -> Result<LoadedKernel> {
    KILN_TRY(LoadedKernel kernel, load());
    code_.describe_parameters(job_, kernel);
    plan_coarse(kernel);
    return kernel;
  };
  return keep_ ? code_.kept(artifact, device, loaded) : loaded();
}

} // namespace kiln
