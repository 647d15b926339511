// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads compiled code into this process or onto a device. The loaded code is attached to its artifact in the
// object cache, which frees both together.
#pragma once

#include <session/jobs/job_service.h>

#include <jit/jit.h>

#include <functional>

namespace kiln {

/// Loads compiled code. Thread-safe. The caller must hold JobService::use() while it uses the job.
class CodeLoader {
public:
  CodeLoader(JobService &jobs, std::shared_ptr<VisibleCode> visible)
      : jobs_(jobs), loader_(std::move(visible), jobs.host_functions()) {}
  JobService &jobs() { return jobs_; }

  /// Compiles and loads the job in this process. Errors: Input, Machine.
  Result<LoadedFunction> host_function(const CompilerJob &job);
  /// Compiles and loads code of the job's first tier. No value: use host_function(). Errors: Input, Machine.
  Result<std::optional<LoadedFunction>> first_tier(const CompilerJob &job);
  /// Returns the code of an artifact that is loaded on the device; calls `load` if it is not loaded yet.
  /// `key` is the artifact's cache key.
  Result<LoadedKernel> on_device(Fingerprint key, const std::shared_ptr<const Artifact> &artifact,
                                 const DeviceBackend &device,
                                 const std::function<Result<LoadedKernel>()> &load);
  /// Returns the positions of memory addresses in the parameters of the job's artifact.
  std::vector<MemoryPart> memory_of(const CompilerJob &job, const Artifact &artifact);

private:
  Result<LoadedFunction> load(const CompilerJob &job, const Compiled &compiled);
  Result<TypeRef> result_of(const CompilerJob &job, const Artifact &artifact);
  JobService &jobs_;
  NativeLoader loader_;
};

} // namespace kiln
