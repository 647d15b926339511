// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job as the source of a kernel's code: compiled for the device that asks.
#pragma once

#include "coarsener.h"
#include "prepared_code.h"
#include "quick_tier.h"

namespace kiln {

/// Whether only the driver of a GPU of this architecture can assemble the target's code: a cubin runs on GPUs
/// of its own major version alone.
bool is_assembled_by_driver(const Target &target, const TargetSpec &spec, int sm);

/// `job` is for the device's target. `keep`: what is loaded stays so as long as its artifact is cached.
/// `tier`: which may give fast code in place of the optimised one; null, or one that is off: none.
/// `coarsener`: which makes a coarse entry when a launch could use one; null, or one that is off: none.
class JobCode final : public CodeSource {
public:
  JobCode(PreparedCode &code, const CompilerJob &job, bool keep, QuickTier *tier, const Coarsener *coarsener)
      : code_(code), job_(job), keep_(keep), tier_(tier && tier->is_on() ? tier : nullptr),
        coarsener_(coarsener && coarsener->is_on() ? coarsener : nullptr),
        timed_(code.compiler().timed(job)) {}
  /// What the device prepares, with its optimised code under way if it is fast code. Errors: as
  /// DeviceBackend::prepare.
  Result<LoadedKernel> prepare_on(const std::shared_ptr<DeviceBackend> &device);
  std::string name() const override { return std::string(job_.source->method->name.text()); }
  Result<PreparedFunction> host_function() override { return code_.function(job_); } // which keeps it loaded
  Result<std::shared_ptr<const Artifact>> gpu_code(const std::shared_ptr<CudaDevice> &gpu) override;
  Result<LoadedKernel> loaded(const std::shared_ptr<const Artifact> &artifact, const DeviceBackend &device,
                              const std::function<Result<LoadedKernel>()> &load) override;

private:
  const Target &target() const { return code_.compiler().target_of(job_); }
  void plan_coarse(const LoadedKernel &kernel) const;
  Result<std::shared_ptr<const Artifact>> code_of(const CompilerJob &job,
                                                  const std::shared_ptr<CudaDevice> &gpu);
  PreparedCode &code_;
  const CompilerJob &job_;
  const bool keep_;
  QuickTier *const tier_;
  const Coarsener *const coarsener_;
  std::shared_ptr<DeviceBackend> device_; ///< prepare_on's
  bool is_quick_ = false;                 ///< gpu_code gave fast code
  const TimedJob timed_;                  ///< what the device does to load it counts for the job
};

} // namespace kiln
