// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepared_code.h"

#include <launch/launch.h>

namespace kiln {

namespace {

std::vector<TypeRef> parameters_of(const CompilerJob &job, const Artifact &artifact) {
  const auto types_of_arguments = job.source->arguments->as<DataType>()->params();
  std::vector<TypeRef> types;
  for (const Artifact::Parameter &parameter : artifact.parameters)
    types.push_back(types_of_arguments[parameter.argument]);
  return types;
}

} // namespace

void PreparedCode::describe_parameters(const CompilerJob &job, LoadedKernel &kernel) {
  kernel.parameters = parameters_of(job, *kernel.artifact);
  kernel.memory = memory_parts(code_.world().types(), kernel.parameters);
}

Result<TypeRef> PreparedCode::result_of(const CompilerJob &job, const Artifact &artifact) {
  World &world = code_.world();
  ByteReader recorded(artifact.return_type);
  TypeReader reader(world, job.world, recorded);
  if (TypeRef type = reader.type(); type && !reader.has_absent()) return type; // what is empty holds none
  KILN_TRY(const CodeInstance *typed, code_.get(*job.source, compiler_.facts_of(job), job.world));
  return typed->result.type;
}

Result<PreparedFunction> PreparedCode::function(const CompilerJob &job) {
  const TimedJob timed_job = compiler_.timed(job);
  KILN_TRY(Compiled compiled, compiler_.compile_with_keys(job, ArtifactKind::Object));
  const std::shared_ptr<const Artifact> artifact = std::move(compiled.artifact);
  std::unique_lock lock(mutex_);
  if (auto it = functions_.find(artifact.get()); it != functions_.end()) return it->second;
  StageScope scope(&timer_, Stage::Load);
  PreparedFunction prepared{.artifact = artifact,
                            .code = nullptr,
                            .parameters = parameters_of(job, *artifact),
                            .memory = {},
                            .checked = job.config.check,
                            .interruptible = job.config.interruptible};
  prepared.memory = memory_parts(code_.world().types(), prepared.parameters);
  KILN_TRY(prepared.code, loader_.load(artifact->bytes, artifact->entry));
  if (!job.config.kernel) {
    KILN_TRY(prepared.result, result_of(job, *artifact));
  }
  functions_.emplace(artifact.get(), prepared);
  lock.unlock();
  objects_.charge(compiled.keys.back(), *artifact, prepared.code->bytes());
  return prepared;
}

Result<LoadedKernel> PreparedCode::kept(const std::shared_ptr<const Artifact> &artifact,
                                        const DeviceBackend &device,
                                        const std::function<Result<LoadedKernel>()> &load) {
  {
    std::lock_guard lock(mutex_);
    if (auto found = kernels_.find(artifact.get()); found != kernels_.end())
      if (auto it = found->second.find(&device); it != found->second.end()) return it->second;
  }
  KILN_TRY(LoadedKernel loaded, load());
  std::lock_guard lock(mutex_);
  return kernels_[artifact.get()].emplace(&device, std::move(loaded)).first->second; // or another thread's
}

void PreparedCode::drop_unused() {
  decltype(functions_) functions; // both are freed without the lock: unloading takes a while
  decltype(kernels_) kernels;
  std::lock_guard lock(mutex_);
  for (auto next = functions_.begin(); next != functions_.end();) {
    const auto it = next++;
    if (it->second.artifact.use_count() == 1) functions.insert(functions_.extract(it));
  }
  for (auto next = kernels_.begin(); next != kernels_.end();) {
    const auto it = next++;
    const auto &on = it->second;
    const std::shared_ptr<const Artifact> &artifact = on.begin()->second.artifact;
    // On each device what is loaded holds it, and so does its kernel; the module that they share holds it, or
    // that which it is merged into.
    const long by_devices = 2 * long(on.size()) + (artifact->merged ? 0 : 1);
    if (artifact.use_count() <= by_devices) kernels.insert(kernels_.extract(it));
  }
}

} // namespace kiln
