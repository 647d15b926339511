// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_code.h"

#include "driver_assembler.h"

#include <algorithm>

namespace kiln {

bool is_assembled_by_driver(const TargetSpec &target, int sm) {
  return target.is<PtxOptions>() && sm / 10 > target.get<PtxOptions>().sm / 10;
}

namespace {

/// Was the job refused because it needs what sm_90a alone has (runtime/device/ptx/mbarrier.jl says so)?
bool wants_sm_90a(const Error &error) {
  return std::ranges::any_of(error.diagnostics(), [](const Diagnostic &each) {
    return each.message.find("are sm_90a's alone") != std::string::npos;
  });
}

} // namespace

Result<std::shared_ptr<const Artifact>> JobCode::gpu_code(const std::shared_ptr<CudaDevice> &gpu) {
  auto code = code_of(job_, gpu);
  const TargetSpec &target = job_.config.target;
  // Code for sm_90 serves more GPUs and is what precompiled entries hold: sm_90a only for those that need it.
  if (code.ok() || gpu->info().sm != 90 || !target.is<PtxOptions>() || target.get<PtxOptions>().sm != 90 ||
      target.get<PtxOptions>().arch_specific || !wants_sm_90a(code.error()))
    return code;
  CompilerJob specific = job_;
  PtxOptions &options = specific.config.target.edit<PtxOptions>();
  options.arch_specific = true;
  options.ptx_isa = std::max(options.ptx_isa, 80); // which brought sm_90a
  return code_of(specific, gpu);
}

Result<std::shared_ptr<const Artifact>> JobCode::code_of(const CompilerJob &job,
                                                         const std::shared_ptr<CudaDevice> &gpu) {
  const int sm = gpu->info().sm;
  if (is_assembled_by_driver(job.config.target, sm))
    return code_.compiler().cubin_by(job, *driver_assembler(gpu, sm));
  if (tier_) {
    KILN_TRY(auto quick, code_.compiler().quick_cubin(job));
    if (quick) {
      is_quick_ = true;
      return std::shared_ptr<const Artifact>(std::move(quick));
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
