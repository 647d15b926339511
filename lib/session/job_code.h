// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job as the source of a kernel's code: compiled for the device that asks.
#pragma once

#include "prepared_code.h"

namespace kiln {

/// Whether only the driver of a GPU of this architecture can assemble the target's code: a cubin runs on GPUs
/// of its own major version alone.
bool is_assembled_by_driver(const TargetSpec &target, int sm);

/// `job` is for the device's target. `keep`: what is loaded stays so as long as its artifact is cached.
class JobCode final : public CodeSource {
public:
  JobCode(PreparedCode &code, const CompilerJob &job, bool keep)
      : code_(code), job_(job), keep_(keep), timed_(code.compiler().timed(job)) {}
  std::string name() const override { return std::string(job_.source->method->name.text()); }
  Result<PreparedFunction> host_function() override { return code_.function(job_); } // which keeps it loaded
  Result<std::shared_ptr<const Artifact>> gpu_code(const std::shared_ptr<CudaDevice> &gpu) override;
  Result<LoadedKernel> loaded(const std::shared_ptr<const Artifact> &artifact, const DeviceBackend &device,
                              const std::function<Result<LoadedKernel>()> &load) override;

private:
  PreparedCode &code_;
  const CompilerJob &job_;
  const bool keep_;
  const TimedJob timed_; ///< what the device does to load it counts for the job
};

} // namespace kiln
