// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job as the source of a kernel's code, compiled for the requesting device.
#pragma once

#include "code_loader.h"

namespace kiln {

class KernelImprover;

/// True if only the GPU's driver can assemble the target's code. A cubin runs only on GPUs of its own major
/// version.
bool is_assembled_by_driver(const Target &target, const TargetSpec &spec, int sm);

/// `job` is for the device's target.
class JobCode final : public CodeSource {
public:
  struct Options {
    bool share = false;                 ///< share the loaded code with other callers
    bool may_be_quick = true;           ///< fast code may come first
    KernelImprover *improver = nullptr; ///< makes better code later; null: never
  };
  JobCode(CodeLoader &loader, const CompilerJob &job, const Options &options)
      : loader_(loader), job_(job), options_(options), timed_(loader.jobs().timed(job)) {}
  /// Loads the kernel. Starts the work on its optimised code if it begins with fast code. Errors: those of
  /// DeviceBackend::prepare.
  Result<LoadedKernel> prepare_on(const std::shared_ptr<DeviceBackend> &device);

  std::string name() const override { return std::string(job_.source->method->name.text()); }
  Result<LoadedFunction> host_function() override { return loader_.host_function(job_); }
  Result<std::shared_ptr<const Artifact>> gpu_code(const std::shared_ptr<CudaDevice> &gpu) override;
  Result<LoadedKernel> loaded(const std::shared_ptr<const Artifact> &artifact, const DeviceBackend &device,
                              const std::function<Result<LoadedKernel>()> &load) override;

private:
  const Target &target() const { return loader_.jobs().target_of(job_); }
  void plan_coarse(const LoadedKernel &kernel) const;
  Result<Compiled> code_of(const CompilerJob &job, const std::shared_ptr<CudaDevice> &gpu);
  CodeLoader &loader_;
  const CompilerJob &job_;
  const Options options_;
  std::shared_ptr<DeviceBackend> device_; ///< the argument of prepare_on
  Fingerprint key_;                       ///< of the code that gpu_code returned
  bool is_quick_ = false;                 ///< gpu_code returned fast code
  const TimedJob timed_;                  ///< the device's work to load counts for the job
};

} // namespace kiln
