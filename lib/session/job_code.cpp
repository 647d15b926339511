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
  KILN_TRY(LoadedKernel kernel, device->prepare(*this));
  if (is_quick_ && kernel.backend->running() == kernel.artifact.get())
    tier_->improve(job_, device, kernel.backend);
  return kernel;
}

Result<LoadedKernel> JobCode::loaded(const std::shared_ptr<const Artifact> &artifact,
                                     const DeviceBackend &device,
                                     const std::function<Result<LoadedKernel>()> &load) {
  auto loaded = [&]() -> Result<LoadedKernel> {
    KILN_TRY(LoadedKernel kernel, load());
    code_.describe_parameters(job_, kernel);
    return kernel;
  };
  return keep_ ? code_.kept(artifact, device, loaded) : loaded();
}

} // namespace kiln
