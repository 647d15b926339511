// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of a session that is loaded, so that the next launch of the same artifact finds it. It stays as long
// as the artifact is cached or held elsewhere.
#pragma once

#include "job_compiler.h"

#include <devices/devices.h>
#include <jit/jit.h>

#include <functional>
#include <unordered_map>

namespace kiln {

/// Thread-safe. For what takes a job the caller holds a CodeInstanceTable::use() over the job and the call.
class PreparedCode {
public:
  /// All must outlive it.
  PreparedCode(JobCompiler &compiler, CodeInstanceTable &code, ObjectCache &objects, Timer &timer,
               std::shared_ptr<VisibleCode> visible)
      : compiler_(compiler), code_(code), objects_(objects), timer_(timer), loader_(std::move(visible)) {}
  JobCompiler &compiler() { return compiler_; }

  /// Ready to run in this process. Errors: Input, Machine.
  Result<PreparedFunction> function(const CompilerJob &job);
  /// What `load` made of the artifact for the device the last time, or makes now.
  Result<LoadedKernel> kept(const std::shared_ptr<const Artifact> &artifact, const DeviceBackend &device,
                            const std::function<Result<LoadedKernel>()> &load);
  /// Lets the code go whose artifact the cache has dropped and nobody else holds.
  void drop_unused();

  /// Notes the types of a kernel's parameters, and where in their bytes addresses lie.
  void describe_parameters(const CompilerJob &job, LoadedKernel &kernel);

private:
  /// What a plain function returns.
  Result<TypeRef> result_of(const CompilerJob &job, const Artifact &artifact);
  JobCompiler &compiler_;
  CodeInstanceTable &code_;
  ObjectCache &objects_;
  Timer &timer_;
  NativeLoader loader_;
  std::mutex mutex_; ///< of what follows
  std::unordered_map<const Artifact *, PreparedFunction> functions_;
  /// Of devices with code of their own, by device. By address, but only looked up.
  std::unordered_map<const Artifact *, std::unordered_map<const DeviceBackend *, LoadedKernel>> kernels_;
};

} // namespace kiln
