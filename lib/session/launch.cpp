// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/session.h: from the name of a kernel, or its handle, to a launch on a device.
#include "launch_table.h"
#include "stream.h"

namespace kiln {

namespace {

/// The addresses of the bytes that the entry takes. `call` is for messages. Error: Usage for arguments that
/// do not have them.
Result<std::vector<void *>> addresses_of(std::string_view call, const LaunchTable::Prepared &prepared,
                                         std::span<const Argument> arguments) {
  const Artifact &artifact = *prepared.artifact();
  std::vector<void *> pointers;
  for (size_t i = 0; i < arguments.size(); i++) {
    const Argument &argument = arguments[i];
    const bool is_taken = pointers.size() < artifact.parameters.size() &&
                          artifact.parameters[pointers.size()].argument == i + 1;
    if (uint64_t wanted = is_taken ? artifact.parameters[pointers.size()].size : 0;
        wanted != argument.bytes.size())
      return usage_error(fmt::format("argument {} of {}: {} is {} bytes, got {}", i + 1, call, argument.type,
                                     wanted, argument.bytes.size()));
    if (is_taken)
      pointers.push_back(const_cast<std::byte *>(argument.bytes.data())); // compiled code only reads them
  }
  KILN_CHECK(check_arguments(call, artifact, prepared.memory(), pointers));
  return pointers;
}

std::vector<uint64_t> sizes_of(const Artifact &artifact) {
  std::vector<uint64_t> sizes;
  for (const Artifact::Parameter &parameter : artifact.parameters) sizes.push_back(parameter.size);
  return sizes;
}

} // namespace

Result<CompilerConfig> Session::State::config_for(const Device::State &device,
                                                  const CompilerConfig &given) const {
  CompilerConfig config = given;
  config.kernel = true;
  TargetSpec &target = config.target;
  KILN_TRY(const Target *of_config, targets.find(target.name()));
  const bool is_for_host = of_config->capabilities(target).runs_on_host;
  if (!device.gpu) {
    if (!is_for_host)
      return usage_error("the CPU runs what is compiled for the native target, and the config's is another");
    return config;
  }
  const GpuInfo &gpu = device.info;
  if (is_for_host) {
    TargetSpec any_cpu;
    any_cpu.fast_math = target.fast_math;
    if (target != any_cpu)
      return usage_error(
          fmt::format("{} runs what is compiled for ptx, and the config's target is a CPU", gpu.name));
    bool fast_math = target.fast_math;
    target = target_of(device);
    target.fast_math = fast_math;
  }
  if (!target.is<PtxOptions>())
    return config; // what another target makes for CUDA devices, the driver judges
  const PtxOptions &options = target.get<PtxOptions>();
  if (options.sm > gpu.sm || (options.arch_specific && options.sm != gpu.sm))
    return usage_error(fmt::format(
        "code for sm_{}{} does not run on {}, which is sm_{}: leave the target to the device, or take Device::target()",
        options.sm, options.arch_specific ? "a" : "", gpu.name, gpu.sm));
  return config;
}

Result<PinnedLaunch> Session::State::prepare_launch(const LaunchKey &question) {
  if (PinnedLaunch found = launches->find(question, world.age())) return found;
  KILN_TRY(CompilerConfig config, config_for(*question.device, question.config));
  if (question.interruptible) config.interruptible = true;
  if (question.may_overlap) config.invariant_arguments = false;
  std::string types;
  for (const Argument &argument : question.arguments) types += (types.empty() ? "" : ", ") + argument.type;
  auto use = code.use();
  KILN_TRY(CompilerJob job, this->job(fmt::format("{}({})", question.function, types), config));
  LaunchTable::Prepared prepared;
  if (question.device->gpu) {
    KILN_TRY(prepared.cuda, prepare_and_keep(job, *question.device));
  } else {
    KILN_TRY(prepared.native, prepare(job));
  }
  return launches->add(question, job.world, std::move(prepared));
}

Result<void> Session::launch(const Device &on, std::string_view function, const LaunchShape &shape,
                             std::span<const Argument> arguments, const CompilerConfig &given,
                             const LaunchOptions &options) {
  State &s = *state_;
  KILN_CHECK(s.check_device(on));
  if (function.empty())
    return usage_error("a launch of a kernel without a name: name a function that Session::load has defined");
  Device::State &device = *on.state();
  KILN_CHECK(check_options(options, on.is_gpu()));
  LaunchKey question{.device = on.state(),
                     .function = function,
                     .arguments = arguments,
                     .config = given,
                     .interruptible = options.time_limit.count() != 0};
  KILN_TRY(PinnedLaunch found, s.prepare_launch(question));
  KILN_TRY(std::vector<void *> pointers, addresses_of(function, *found, arguments));
  if (!on.is_gpu()) return s.launch(found->native, shape, pointers, options);
  if (given.invariant_arguments && !are_apart(device_memory(*found->artifact(), found->memory(), pointers))) {
    question.may_overlap = true; // arrays may overlap, as in Julia
    KILN_TRY(found, s.prepare_launch(question));
  }
  const PreparedCuda &prepared = found->cuda;
  for (size_t i = 0; i < pointers.size(); i++) {
    Result<void> reached;
    s.for_each_pointer(prepared.parameters[i], static_cast<std::byte *>(pointers[i]), [&](std::byte *at) {
      uint64_t address = 0;
      std::memcpy(&address, at, sizeof address);
      if (reached.ok()) reached = device.gpu->check_pointer(address);
    });
    if (reached.ok()) continue;
    Error error = reached.take_error();
    error.diagnostics()[0].message =
        fmt::format("argument {} of {}: {}", prepared.artifact->parameters[i].argument, function,
                    error.diagnostics()[0].message);
    return error;
  }
  return s.launch(device, prepared.kernel, shape, pointers, options);
}

Result<Kernel> Session::prepare(std::string_view call, const CompilerConfig &given, const Device &on) {
  State &s = *state_;
  KILN_CHECK(s.check_device(on));
  KILN_TRY(CompilerConfig config, state_->config_for(*on.state(), given));
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
  state->memory = state->prepared.memory;
  return Kernel(std::move(state));
}

Result<PreparedKernel> Session::State::prepare_kernel(const CompilerJob &job, const Device &device) {
  KILN_TRY(PreparedCuda prepared, prepare(job, *device.state()));
  auto state = std::make_shared<Kernel::State>();
  state->device = device.state();
  state->artifact = std::move(prepared.artifact);
  state->gpu = std::move(prepared.kernel);
  state->sizes = sizes_of(*state->artifact);
  state->memory = std::move(prepared.memory);
  return PreparedKernel{Kernel(std::move(state)), std::move(prepared.parameters)};
}

Result<Kernel> Session::load_kernel(std::shared_ptr<const Artifact> artifact, const Device &on) {
  KILN_CHECK(state_->check_device(on));
  if (!on.is_gpu())
    return usage_error("load_kernel takes cubins and PTX, for a GPU: the CPU's code is made by prepare");
  if (!artifact || (artifact->kind != ArtifactKind::Cubin && artifact->kind != ArtifactKind::Assembly))
    return usage_error("load_kernel takes an artifact that is a cubin or PTX");
  auto state = std::make_shared<Kernel::State>();
  state->device = on.state();
  KILN_TRY(state->gpu, state_->load(artifact, *on.state()));
  state->sizes = sizes_of(*artifact);
  state->artifact = std::move(artifact);
  return Kernel(std::move(state));
}

Result<void> Session::launch(const Kernel &kernel, const LaunchShape &shape,
                             std::span<const void *const> arguments, const LaunchOptions &options) {
  if (!kernel) return usage_error("a launch of an empty handle: Session::prepare makes kernels");
  const Kernel::State &k = *kernel.state_;
  if (k.device->runtime != state_->runtime)
    return usage_error(
        fmt::format("{} was prepared by another session: launch it there, or in a stream of that session",
                    k.artifact->entry));
  KILN_CHECK(check_options(options, k.gpu != nullptr));
  KILN_CHECK(check_arguments(k.artifact->entry, *k.artifact, k.memory, arguments));
  if (k.gpu) return state_->launch(*k.device, k.gpu, shape, arguments, options);
  // Compiled code only reads its parameters' bytes.
  std::span pointers(const_cast<void *const *>(arguments.data()), arguments.size());
  return state_->launch(k.prepared, shape, pointers, options);
}

Stream Session::stream() {
  auto device = state_->cpu_device();
  return Stream(
      std::make_unique<Stream::State>(Stream::State{.device = device, .queue = state_->make_host_stream()}));
}

Result<Stream> Session::stream(const Device &on) {
  KILN_CHECK(state_->check_device(on));
  if (!on.is_gpu()) return stream();
  KILN_TRY(auto made, CudaStream::make(on.state()->gpu));
  return Stream(std::make_unique<Stream::State>(Stream::State{.device = on.state(), .gpu = std::move(made)}));
}

Result<Stream> Session::stream(const Device &on, void *cuda_stream) {
  KILN_CHECK(state_->check_device(on));
  if (!on.is_gpu()) return usage_error("a CUstream belongs to a GPU, and the device is the CPU");
  KILN_TRY(auto adopted, CudaStream::adopt(on.state()->gpu, cuda_stream));
  return Stream(
      std::make_unique<Stream::State>(Stream::State{.device = on.state(), .gpu = std::move(adopted)}));
}

} // namespace kiln
