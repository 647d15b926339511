// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/session.h: from the name of a kernel, or its handle, to a launch on a device.
#include "stream.h"

namespace kiln {

namespace {

Error empty_device() { return usage_error("an empty handle of a device: Session::cpu and Session::gpu make them"); }

/// Do the arguments have the bytes that the entry takes? Error: Usage.
Result<void> check_arguments(std::string_view call, const Artifact &artifact, std::span<const Argument> arguments) {
  size_t count = 0, i = 0;
  for (const Argument &argument : arguments) count += !argument.bytes.empty();
  if (artifact.parameters.size() != count) return usage_error(fmt::format("{} takes {} arguments with bytes, got {}", call, artifact.parameters.size(), count));
  for (const Argument &argument : arguments) {
    if (argument.bytes.empty()) continue;
    if (artifact.parameters[i].size != argument.bytes.size())
      return usage_error(fmt::format("argument {} of {}: {} is {} bytes, got {}", i + 1, call, argument.type, artifact.parameters[i].size, argument.bytes.size()));
    i++;
  }
  return {};
}

std::vector<uint64_t> sizes_of(const Artifact &artifact) {
  std::vector<uint64_t> sizes;
  for (const Artifact::Parameter &parameter : artifact.parameters) sizes.push_back(parameter.size);
  return sizes;
}

} // namespace

Result<CompilerConfig> Session::State::config_for(const Device::State &device, const CompilerConfig &given) {
  CompilerConfig config = given;
  config.kernel = true;
  TargetSpec &target = config.target;
  if (!device.gpu) {
    if (target.kind != TargetKind::Native) return usage_error("the CPU runs what is compiled for the native target, and the config's is another");
    return config;
  }
  const GpuInfo &gpu = device.info;
  if (target.kind == TargetKind::Native) {
    if (!target.cpu.empty() || !target.features.empty()) return usage_error(fmt::format("{} runs what is compiled for ptx, and the config's target is a CPU", gpu.name));
    bool fast_math = target.fast_math;
    target = target_of(device);
    target.fast_math = fast_math;
  }
  if (target.sm > gpu.sm || (target.arch_specific && target.sm != gpu.sm))
    return usage_error(fmt::format("code for sm_{}{} does not run on {}, which is sm_{}: leave the target to the device, or take Device::target()", target.sm, target.arch_specific ? "a" : "", gpu.name, gpu.sm));
  return config;
}

Result<void> Session::launch(const Device &on, std::string_view function, const LaunchShape &shape, std::span<const Argument> arguments, const CompilerConfig &given, const LaunchOptions &options) {
  if (!on) return empty_device();
  State &s = *state_;
  Device::State &device = *on.state();
  KILN_CHECK(check_options(options, on.is_gpu()));
  KILN_TRY(CompilerConfig config, State::config_for(device, given));
  if (options.time_limit.count()) config.interruptible = true;
  std::string call(function), types;
  std::vector<void *> pointers;
  for (const Argument &argument : arguments) {
    types += (types.empty() ? "" : ", ") + argument.type;
    if (!argument.bytes.empty()) pointers.push_back(const_cast<std::byte *>(argument.bytes.data())); // compiled code only reads them
  }
  std::string signature = call + "(" + types + ")";
  if (!on.is_gpu()) {
    auto prepare = [&]() -> Result<PreparedFunction> {
      auto use = s.code.use();
      KILN_TRY(CompilerJob job, s.job(signature, config));
      return s.prepare(job);
    };
    KILN_TRY(PreparedFunction prepared, prepare());
    KILN_CHECK(check_arguments(call, *prepared.artifact, arguments));
    return s.launch(prepared, shape, pointers, options);
  }
  auto prepare = [&]() -> Result<PreparedCuda> {
    auto use = s.code.use();
    KILN_TRY(CompilerJob job, s.job(signature, config));
    return s.prepare_and_keep(job, device);
  };
  KILN_TRY(PreparedCuda prepared, prepare());
  KILN_CHECK(check_arguments(call, *prepared.artifact, arguments));
  if (config.invariant_arguments && !are_apart(s.device_memory(*prepared.artifact, prepared.parameters, pointers))) {
    config.invariant_arguments = false; // arrays may overlap, as in Julia
    KILN_TRY(prepared, prepare());
  }
  for (size_t i = 0; i < pointers.size(); i++) {
    Result<void> reached;
    s.for_each_pointer(prepared.parameters[i], static_cast<std::byte *>(pointers[i]), [&](std::byte *at) {
      uint64_t address = 0;
      std::memcpy(&address, at, sizeof address);
      if (reached.ok()) reached = device.gpu->check_pointer(address);
    });
    if (reached.ok()) continue;
    Error error = reached.take_error();
    error.diagnostics()[0].message = fmt::format("argument {} of {}: {}", prepared.artifact->parameters[i].argument, call, error.diagnostics()[0].message);
    return error;
  }
  return s.launch(device, prepared.kernel, shape, pointers, options);
}

Result<Kernel> Session::prepare(std::string_view call, const CompilerConfig &given, const Device &on) {
  if (!on) return empty_device();
  State &s = *state_;
  KILN_TRY(CompilerConfig config, State::config_for(*on.state(), given));
  auto use = s.code.use();
  KILN_TRY(CompilerJob job, s.job(call, config));
  if (on.is_gpu()) {
    KILN_TRY(PreparedKernel prepared, s.prepare_kernel(job, on));
    return std::move(prepared.kernel);
  }
  auto state = std::make_shared<Kernel::State>();
  state->device = on.state();
  KILN_TRY(state->prepared, s.prepare(job));
  state->artifact = state->prepared.artifact;
  state->sizes = sizes_of(*state->artifact);
  return Kernel(std::move(state));
}

Result<PreparedKernel> Session::State::prepare_kernel(const CompilerJob &job, const Device &device) {
  KILN_TRY(PreparedCuda prepared, prepare(job, *device.state()));
  auto state = std::make_shared<Kernel::State>();
  state->device = device.state();
  state->artifact = std::move(prepared.artifact);
  state->gpu = std::move(prepared.kernel);
  state->sizes = sizes_of(*state->artifact);
  return PreparedKernel{Kernel(std::move(state)), std::move(prepared.parameters)};
}

Result<Kernel> Session::load_kernel(std::shared_ptr<const Artifact> artifact, const Device &on) {
  if (!on) return empty_device();
  if (!on.is_gpu()) return usage_error("load_kernel takes cubins and PTX, for a GPU: the CPU's code is made by prepare");
  if (!artifact || (artifact->kind != ArtifactKind::Cubin && artifact->kind != ArtifactKind::Assembly)) return usage_error("load_kernel takes an artifact that is a cubin or PTX");
  auto state = std::make_shared<Kernel::State>();
  state->device = on.state();
  bool waits_for_grid = artifact->kind == ArtifactKind::Assembly && artifact->bytes.find("%envreg") != std::string::npos;
  KILN_TRY(state->gpu, state_->load(artifact, *on.state(), waits_for_grid));
  state->sizes = sizes_of(*artifact);
  state->artifact = std::move(artifact);
  return Kernel(std::move(state));
}

Result<void> Session::launch(const Kernel &kernel, const LaunchShape &shape, std::span<const void *const> arguments, const LaunchOptions &options) {
  if (!kernel) return usage_error("a launch of an empty handle: Session::prepare makes kernels");
  const Kernel::State &k = *kernel.state_;
  KILN_CHECK(check_options(options, k.gpu != nullptr));
  if (k.gpu) return state_->launch(*k.device, k.gpu, shape, arguments, options);
  // Compiled code only reads its parameters' bytes.
  std::span pointers(const_cast<void *const *>(arguments.data()), arguments.size());
  return state_->launch(k.prepared, shape, pointers, options);
}

Stream Session::stream() {
  auto device = state_->cpu_device();
  return Stream(std::make_unique<Stream::State>(Stream::State{.device = device, .queue = std::make_shared<HostStream>(state_->executor)}));
}

Result<Stream> Session::stream(const Device &on) {
  if (!on) return empty_device();
  if (!on.is_gpu()) return stream();
  KILN_TRY(auto made, CudaStream::make(on.state()->gpu));
  return Stream(std::make_unique<Stream::State>(Stream::State{.device = on.state(), .gpu = std::move(made)}));
}

Result<Stream> Session::stream(const Device &on, void *cuda_stream) {
  if (!on) return empty_device();
  if (!on.is_gpu()) return usage_error("a CUstream belongs to a GPU, and the device is the CPU");
  KILN_TRY(auto adopted, CudaStream::adopt(on.state()->gpu, cuda_stream));
  return Stream(std::make_unique<Stream::State>(Stream::State{.device = on.state(), .gpu = std::move(adopted)}));
}

} // namespace kiln
