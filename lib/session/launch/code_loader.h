// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads compiled code. Attaches it to its artifact in the object cache, which frees both together.
#pragma once

#include <session/jobs/job_service.h>

#include <jit/jit.h>

#include <functional>

namespace kiln {

/// Thread-safe. The caller holds JobService::use() during the call and while it uses the job.
class CodeLoader {
public:
  CodeLoader(JobService &jobs, std::shared_ptr<VisibleCode> visible)
      : jobs_(jobs), loader_(std::move(visible), jobs.host_functions()) {}
  JobService &jobs() { return jobs_; }

  /// Compiles and loads the job in this process. Errors: Input, Machine.
  Result<LoadedFunction> host_function(const CompilerJob &job);
  /// The loaded code of the artifact under `key` on the device. Calls `load` if there is none.
  Result<LoadedKernel> on_device(Fingerprint key, const std::shared_ptr<const Artifact> &artifact,
                                 const DeviceBackend &device,
                                 const std::function<Result<LoadedKernel>()> &load);
  /// Positions of addresses in the parameters of the job's artifact.
  std::vector<MemoryPart> memory_of(const CompilerJob &job, const Artifact &artifact);

private:
  Result<TypeRef> result_of(const CompilerJob &job, const Artifact &artifact);
  JobService &jobs_;
  NativeLoader loader_;
};

} // namespace kiln
