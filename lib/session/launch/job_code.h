// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CodeSource that compiles a job for the device that loads the kernel.
#pragma once

#include "code_loader.h"

namespace kiln {

class KernelImprover;

/// Returns true if only the GPU's driver can assemble the code for this GPU: the code's architecture has
/// another major version, so a cubin for it would not run.
bool is_assembled_by_driver(const Target &target, const TargetSpec &spec, int sm);

/// Compiles a job for the device that loads it. The job's target must be the device's.
class JobCode final : public CodeSource {
public:
  struct Options {
    bool share = false;       ///< share the loaded code with other callers through the object cache
    bool may_be_quick = true; ///< fast code may come first
    /// Makes optimised and coarsened code in the background; null: none is made.
    KernelImprover *improver = nullptr;
  };
  JobCode(CodeLoader &loader, const CompilerJob &job, const Options &options)
      : loader_(loader), job_(job), options_(options), timed_(loader.jobs().timed(job)) {}
  /// Compiles the job and loads the kernel. If it begins with quickly assembled code, starts the background
  /// assembling of optimised code. If it begins in the first tier, plans optimised code for a hot kernel.
  /// Errors: those of DeviceBackend::prepare.
  Result<LoadedKernel> prepare_on(const std::shared_ptr<DeviceBackend> &device);

  std::string name() const override { return std::string(job_.source->method->name.text()); }
  Result<LoadedFunction> host_function() override;
  Result<std::shared_ptr<const Artifact>> gpu_code(const std::shared_ptr<CudaDevice> &gpu) override;
  Result<std::shared_ptr<const Artifact>> object_code(const DeviceFacts &device) override;
  Result<LoadedKernel> loaded(const std::shared_ptr<const Artifact> &artifact, const DeviceBackend &device,
                              const std::function<Result<LoadedKernel>()> &load) override;

private:
  const Target &target() const { return loader_.jobs().target_of(job_); }
  void plan_coarse(const LoadedKernel &kernel) const;
  /// Makes code by `make`; if that fails, once more with the target's other options for the device.
  Result<std::shared_ptr<const Artifact>> make_code(
      const DeviceFacts &device, const std::function<Result<Compiled>(const CompilerJob &)> &make);
  Result<Compiled> code_of(const CompilerJob &job, const std::shared_ptr<CudaDevice> &gpu);
  CodeLoader &loader_;
  const CompilerJob &job_;
  const Options options_;
  std::shared_ptr<DeviceBackend> device_; ///< the argument of prepare_on
  Fingerprint key_;                       ///< cache key of the code that gpu_code or object_code returned
  bool is_quick_ = false;                 ///< gpu_code or host_function returned fast code
  const TimedJob timed_;                  ///< the device's work to load counts for the job
};

} // namespace kiln
