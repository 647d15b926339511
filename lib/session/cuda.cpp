// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels on a GPU: compiled to a cubin, by the driver where nothing else can assemble it, and loaded.
#include "driver_assembler.h"
#include "stream.h"

#include <targets/targets.h>

namespace kiln {

Result<std::shared_ptr<const CudaKernel>> Session::State::load(
    const std::shared_ptr<const Artifact> &artifact, const Device::State &device) {
  StageScope scope(&timer, Stage::Load);
  KILN_TRY(auto driver, cuda_driver());
  KILN_TRY(auto module, modules_.get(*device.gpu, driver, artifact));
  KILN_TRY(auto kernel, CudaKernel::make(device.gpu, std::move(module)));
  return std::shared_ptr<const CudaKernel>(std::move(kernel));
}

Result<ObjectCache::ArtifactPtr> Session::State::device_code(const CompilerJob &job,
                                                             const Device::State &device) {
  // A cubin runs on GPUs of its own major version alone: for a newer one than Kiln knows its driver makes it,
  // from PTX.
  const Target &target = targets.of(job.config.target);
  const bool is_newer =
      job.config.target.is<PtxOptions>() && device.info.sm / 10 > job.config.target.get<PtxOptions>().sm / 10;
  if (!is_newer) {
    Result<ObjectCache::ArtifactPtr> cubin = compile(job, ArtifactKind::Cubin);
    if (cubin.ok() || cubin.error().kind() != ErrorKind::Machine || assemblers.of(target).ok()) return cubin;
    log.info("no assembler was found: the driver assembles {}", job.source->method->name.text());
  }
  KILN_TRY(Compiled made,
           compiler.compile_with(job, target, *driver_assembler(device.gpu, is_newer ? device.info.sm : 0)));
  if (trace) trace->record(job, ArtifactKind::Cubin);
  if (timer.enabled()) kernels.compiled(*made.artifact, job.config.target);
  return std::move(made.artifact);
}

Result<PreparedCuda> Session::State::prepare(const CompilerJob &job, const Device::State &device) {
  auto use = code.use();
  KILN_TRY(auto artifact, device_code(job, device));
  return load_prepared(job, device, std::move(artifact));
}

Result<PreparedCuda> Session::State::load_prepared(const CompilerJob &job, const Device::State &device,
                                                   std::shared_ptr<const Artifact> artifact) {
  PreparedCuda prepared;
  prepared.artifact = std::move(artifact);
  const auto types_of_arguments = job.source->arguments->as<DataType>()->params();
  for (const Artifact::Parameter &parameter : prepared.artifact->parameters)
    prepared.parameters.push_back(types_of_arguments[parameter.argument]);
  prepared.memory = memory_parts(prepared.parameters);
  KILN_TRY(prepared.kernel, load(prepared.artifact, device));
  return prepared;
}

Result<PreparedCuda> Session::State::prepare_and_keep(const CompilerJob &job, const Device::State &device) {
  auto use = code.use();
  auto kept = [&](const Artifact *artifact) -> const PreparedCuda * {
    std::lock_guard lock(prepared_mutex_);
    auto it = kept_.find({artifact, &device});
    return it == kept_.end() ? nullptr : &it->second;
  };
  KILN_TRY(auto artifact, device_code(job, device));
  if (const PreparedCuda *found = kept(artifact.get())) return *found;
  KILN_TRY(PreparedCuda prepared, load_prepared(job, device, std::move(artifact)));
  std::lock_guard lock(prepared_mutex_);
  return kept_.emplace(std::pair(prepared.artifact.get(), &device), prepared).first->second;
}

Result<void> Session::State::launch(Device::State &device, const std::shared_ptr<const CudaKernel> &kernel,
                                    const LaunchShape &shape, std::span<const void *const> arguments,
                                    const LaunchOptions &options) {
  StageScope scope(&timer, Stage::Launch);
  if (timer.enabled()) kernels.launched(kernel->artifact(), shape);
  KILN_TRY(auto stream, device.take_stream());
  Result<void> launched = stream->launch(kernel, cuda_launch(shape, options), arguments);
  // Also behind a launch that failed: an error of before shows here.
  Result<std::optional<CudaException>> done = stream->synchronize();
  {
    std::lock_guard lock(device.mutex);
    device.idle_streams.push_back(std::move(stream));
  }
  KILN_CHECK(std::move(launched));
  KILN_TRY(std::optional<CudaException> exception, std::move(done));
  if (exception) return exception_error(*exception, sources);
  return {};
}

} // namespace kiln
