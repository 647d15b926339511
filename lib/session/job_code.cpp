// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_code.h"

#include "driver_assembler.h"

namespace kiln {

bool is_assembled_by_driver(const TargetSpec &target, int sm) {
  return target.is<PtxOptions>() && sm / 10 > target.get<PtxOptions>().sm / 10;
}

Result<std::shared_ptr<const Artifact>> JobCode::gpu_code(const std::shared_ptr<CudaDevice> &gpu) {
  const int sm = gpu->info().sm;
  if (is_assembled_by_driver(job_.config.target, sm))
    return code_.compiler().cubin_by(job_, *driver_assembler(gpu, sm));
  if (tier_) {
    KILN_TRY(auto quick, code_.compiler().quick_cubin(job_));
    if (quick) {
      is_quick_ = true;
      return std::shared_ptr<const Artifact>(std::move(quick));
    }
  }
  return code_.compiler().cubin(job_, [&] { return driver_assembler(gpu, 0); });
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
  if (coarsening.factor < 2 || (!has_entry && (!coarsener_ || any_hooks(job_.config)))) return;
  const uint64_t least = has_entry
                             ? 0
                             : uint64_t(coarsening.factor) * CoarsePlan::least_threads_of_multiprocessor *
                                   device_->info().multiprocessors;
  auto plan = CoarsePlan::make(coarsening, kernel.memory, least);
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
