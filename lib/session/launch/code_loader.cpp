// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "code_loader.h"

#include <launch/launch.h>

namespace kiln {

std::vector<MemoryPart> CodeLoader::memory_of(const CompilerJob &job, const Artifact &artifact) {
  const auto arguments = job.source->arguments->as<DataType>()->params();
  std::vector<TypeRef> parameters;
  for (const Artifact::Parameter &parameter : artifact.parameters)
    parameters.push_back(arguments[parameter.argument]);
  return memory_parts(jobs_.definitions().types(), parameters);
}

/// Returns the return type of a plain function: from the artifact, else from inference.
Result<TypeRef> CodeLoader::result_of(const CompilerJob &job, const Artifact &artifact) {
  ByteReader recorded(artifact.return_type);
  TypeReader reader(jobs_.definitions().world(), job.world, recorded);
  // No type if the artifact's return_type is empty.
  if (TypeRef type = reader.type(); type && !reader.has_absent()) return type;
  KILN_TRY(const CodeInstance *typed, jobs_.typed(job));
  return typed->result.type;
}

Result<LoadedFunction> CodeLoader::host_function(const CompilerJob &job) {
  const TimedJob timed_job = jobs_.timed(job);
  KILN_TRY(const Compiled compiled, jobs_.compile_with_keys(job, ArtifactKind::Object));
  return load(job, compiled);
}

Result<std::optional<LoadedFunction>> CodeLoader::first_tier(const CompilerJob &job) {
  const TimedJob timed_job = jobs_.timed(job);
  KILN_TRY(const Compiled compiled, jobs_.first_tier(job));
  if (!compiled.artifact) return std::optional<LoadedFunction>();
  KILN_TRY(LoadedFunction function, load(job, compiled));
  function.is_first_tier = true;
  return std::optional(std::move(function));
}

Result<LoadedFunction> CodeLoader::load(const CompilerJob &job, const Compiled &compiled) {
  const std::shared_ptr<const Artifact> &artifact = compiled.artifact;
  ObjectCache &objects = jobs_.objects();
  const Fingerprint key = compiled.keys.back();
  if (auto loaded = objects.attached<LoadedFunction>(key, *artifact, this)) return *loaded;
  StageScope scope(&jobs_.log().timer, Stage::Load);
  auto made = std::make_shared<LoadedFunction>(LoadedFunction{.artifact = artifact,
                                                              .code = nullptr,
                                                              .memory = memory_of(job, *artifact),
                                                              .checked = job.config.check,
                                                              .interruptible = job.config.interruptible});
  KILN_TRY(made->code, loader_.load(artifact->bytes, artifact->entry));
  if (!job.config.kernel) {
    KILN_TRY(made->result, result_of(job, *artifact));
  }
  const size_t bytes = made->code->bytes();
  return *objects.attach<LoadedFunction>(key, *artifact, this, std::move(made), bytes);
}

Result<LoadedKernel> CodeLoader::on_device(Fingerprint key, const std::shared_ptr<const Artifact> &artifact,
                                           const DeviceBackend &device,
                                           const std::function<Result<LoadedKernel>()> &load) {
  ObjectCache &objects = jobs_.objects();
  if (auto loaded = objects.attached<LoadedKernel>(key, *artifact, &device)) return *loaded;
  KILN_TRY(LoadedKernel made, load());
  return *objects.attach<LoadedKernel>(key, *artifact, &device,
                                       std::make_shared<LoadedKernel>(std::move(made)), 0);
}

} // namespace kiln
