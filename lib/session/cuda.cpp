// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels on a GPU: compiled to a cubin, loaded by the CUDA driver.
#include "session.h"

namespace kiln {

Result<std::shared_ptr<CudaDevice>> Session::State::cuda_device(int number) {
  if (!cuda_driver_) {
    KILN_TRY(cuda_driver_, CudaDriver::open());
  }
  return CudaDevice::open(cuda_driver_, number);
}

Result<PreparedCuda> Session::State::prepare(const CompilerJob &job, CudaDevice &device) {
  auto use = code.use();
  PreparedCuda prepared;
  KILN_TRY(prepared.artifact, compile(job, ArtifactKind::Cubin));
  const auto types_of_arguments = job.source->arguments->as<DataType>()->params();
  for (const Artifact::Parameter &parameter : prepared.artifact->parameters) prepared.parameters.push_back(types_of_arguments[parameter.argument]);
  KILN_TRY(auto assembly, compile(job, ArtifactKind::Assembly)); // from the cache: the cubin was made of it
  StageScope scope(&timer, Stage::Load);
  // The barrier of a grid lies where %envreg1 and 2 say, which only a cooperative launch sets.
  bool cooperative = assembly->bytes.find("%envreg") != std::string::npos;
  const Artifact &cubin = *prepared.artifact;
  KILN_TRY(prepared.kernel, device.load(cubin.bytes, {.entry = cubin.entry, .has_kernel_state = cubin.has_kernel_state, .cooperative = cooperative, .static_shared = cubin.resources.shared_bytes}));
  return prepared;
}

} // namespace kiln
