// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels on a GPU: compiled to a cubin, or to PTX where only the driver can assemble it, and loaded.
#include "stream.h"

#include <targets/targets.h>

namespace kiln {

Result<std::shared_ptr<const CudaKernel>> Session::State::load(const std::shared_ptr<const Artifact> &artifact, const Device::State &device, bool waits_for_grid) {
  StageScope scope(&timer, Stage::Load);
  KILN_TRY(auto driver, cuda_driver());
  KILN_TRY(auto module, modules_.get(*device.gpu, driver, artifact));
  KILN_TRY(auto kernel, CudaKernel::make(device.gpu, std::move(module), waits_for_grid));
  return std::shared_ptr<const CudaKernel>(std::move(kernel));
}

Result<PreparedCuda> Session::State::prepare(const CompilerJob &job, const Device::State &device) {
  auto use = code.use();
  PreparedCuda prepared;
  // A cubin runs on GPUs of its own major version alone; PTX on all newer ones.
  bool driver_assembles = device.info.sm / 10 > job.config.target.sm / 10;
  if (driver_assembles && has_device_code(job.config))
    return usage_error(fmt::format("{} is newer than the code that Kiln makes for it, so its driver assembles; that links no files", device.info.name));
  KILN_TRY(auto assembly, compile(job, ArtifactKind::Assembly));
  if (!driver_assembles) {
    Result<ObjectCache::ArtifactPtr> cubin = compile(job, ArtifactKind::Cubin);
    if (cubin.ok()) {
      prepared.artifact = std::move(*cubin);
    } else {
      if (cubin.error().kind() != ErrorKind::Machine || has_device_code(job.config) || assemblers.of(find_target(job.config.target.kind)).ok()) return cubin.take_error();
      log.info("no assembler was found: the driver assembles {}", assembly->entry);
    }
  }
  if (!prepared.artifact) prepared.artifact = assembly;
  const auto types_of_arguments = job.source->arguments->as<DataType>()->params();
  for (const Artifact::Parameter &parameter : prepared.artifact->parameters) prepared.parameters.push_back(types_of_arguments[parameter.argument]);
  // The barrier of a grid lies where %envreg1 and 2 say, which only a cooperative launch sets.
  bool waits_for_grid = assembly->bytes.find("%envreg") != std::string::npos;
  KILN_TRY(prepared.kernel, load(prepared.artifact, device, waits_for_grid));
  return prepared;
}

Result<PreparedCuda> Session::State::prepare_and_keep(const CompilerJob &job, const Device::State &device) {
  auto use = code.use();
  auto kept = [&](const Artifact *artifact) -> const PreparedCuda * {
    std::lock_guard lock(prepared_mutex_);
    auto it = kept_.find({artifact, &device});
    return it == kept_.end() ? nullptr : &it->second;
  };
  // As prepare() does; where it finds nothing, prepare() tells why.
  bool driver_assembles = device.info.sm / 10 > job.config.target.sm / 10;
  if (auto artifact = compile(job, driver_assembles ? ArtifactKind::Assembly : ArtifactKind::Cubin); artifact.ok())
    if (const PreparedCuda *found = kept(artifact->get())) return *found;
  KILN_TRY(PreparedCuda prepared, prepare(job, device));
  std::lock_guard lock(prepared_mutex_);
  // Code whose artifact the cache has dropped, and nobody else holds, goes with it: two hold it here, entry and module.
  if (kept_.size() >= 64) std::erase_if(kept_, [](const auto &each) { return each.second.artifact.use_count() <= 2; });
  return kept_.emplace(std::pair(prepared.artifact.get(), &device), prepared).first->second;
}

Result<void> Session::State::launch(Device::State &device, const std::shared_ptr<const CudaKernel> &kernel, const LaunchShape &shape, std::span<const void *const> arguments, const LaunchOptions &options) {
  StageScope scope(&timer, Stage::Launch);
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
