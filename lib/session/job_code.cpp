// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_code.h"

#include "compile_options.h"
#include "driver_assembler.h"

#include <architectures/architectures.h>

#include <algorithm>

namespace kiln {

bool is_assembled_by_driver(const TargetSpec &target, int sm) {
  return target.is<PtxOptions>() && !cubin_runs_on(arch_of(target.get<PtxOptions>()), sm);
}

Result<std::shared_ptr<const Artifact>> JobCode::gpu_code(const std::shared_ptr<CudaDevice> &gpu) {
  auto code = code_of(job_, gpu);
  const TargetSpec &target = job_.config.target;
  const GpuArch specific{gpu->info().sm, ArchVariant::Specific};
  // Plain code serves more GPUs and is what precompiled entries hold: `a` only for those that need it.
  if (code.ok() || !target.is<PtxOptions>() || arch_of(target.get<PtxOptions>()) != GpuArch{specific.sm} ||
      !least_isa(specific) || std::ranges::none_of(code.error().diagnostics(), [](const Diagnostic &each) {
        return each.code == ErrorCode::NeedsArchitecture;
      }))
    return code;
  CompilerJob again = job_;
  set_architecture(again.config.target, specific);
  return code_of(again, gpu);
}

Result<std::shared_ptr<const Artifact>> JobCode::code_of(const CompilerJob &job,
                                                         const std::shared_ptr<CudaDevice> &gpu) {
  const int sm = gpu->info().sm;
  if (is_assembled_by_driver(job.config.target, sm))
    return code_.compiler().cubin_by(job, *driver_assembler(gpu, sm));
  if (tier_) {
    auto quick = code_.compiler().quick_cubin(job);
    if (!quick.ok() && quick.error().kind() != ErrorKind::Machine) return quick.take_error();
    if (quick.ok() && *quick) {
      is_quick_ = true;
      return std::shared_ptr<const Artifact>(std::move(*quick));
    }
  }
  return code_.compiler().cubin(job, [&] { return driver_assembler(gpu, 0); });
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
  auto plan = CoarsePlan::make(coarsening, kernel.memory, least,
                               coarse_bytes_of(job_.config.target.get<PtxOptions>()));
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
