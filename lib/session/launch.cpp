// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/session.h: devices, streams, kernels and their launches.
#include "call_scope.h"
#include "job_code.h"

#include <support/float_environment.h>

namespace kiln {

// ---- devices

Device Session::cpu() {
  return state_->runtime->is_of_this_process() ? Device(state_->devices.cpu()) : Device();
}

Result<std::vector<GpuInfo>> Session::gpus() {
  CallScope call(*state_);
  KILN_CHECK(call.check());
  return state_->devices.gpus().list();
}

Result<Device> Session::gpu(int number) {
  CallScope call(*state_);
  KILN_CHECK(call.check());
  KILN_TRY(auto device, state_->devices.gpus().open(number));
  return Device(std::move(device));
}

Result<Device> Session::gpu_in_context(void *context) {
  CallScope call(*state_);
  KILN_CHECK(call.check());
  KILN_TRY(auto device, state_->devices.gpus().open_context(context));
  return Device(std::move(device));
}

Stream Session::stream() {
  auto made = stream(cpu());
  return made.ok() ? std::move(*made) : Stream(); // none within a callback, or in a child process
}

Result<Stream> Session::stream(const Device &on) {
  CallScope call(*state_);
  KILN_CHECK(call.check());
  KILN_CHECK(state_->devices.check(on));
  KILN_TRY(auto made, on.state()->make_stream());
  return Stream(std::make_unique<Stream::State>(on.state(), std::move(made)));
}

Result<Stream> Session::stream(const Device &on, void *cuda_stream) {
  CallScope call(*state_);
  KILN_CHECK(call.check());
  KILN_CHECK(state_->devices.check(on));
  KILN_TRY(auto adopted, on.state()->adopt_stream(cuda_stream));
  return Stream(std::make_unique<Stream::State>(on.state(), std::move(adopted)));
}

// ---- launches by name

Result<void> Session::launch(const Device &on, std::string_view function, const LaunchShape &shape,
                             std::span<const Argument> arguments, const CompilerConfig &config,
                             const LaunchOptions &options) {
  CallScope call(*state_);
  KILN_CHECK(call.check());
  return state_->launcher.launch(on, function, shape, arguments, config, options);
}

Result<void> Session::launch(Stream &stream, std::string_view function, const LaunchShape &shape,
                             std::span<const Argument> arguments, const CompilerConfig &config,
                             const LaunchOptions &options) {
  CallScope call(*state_);
  KILN_CHECK(call.check());
  if (!stream.state_) return usage_error("a launch in an empty handle: Session::stream makes streams");
  return state_->launcher.launch(*stream.state_, function, shape, arguments, config, options);
}

// ---- kernels by handle

Result<Kernel> Session::prepare(std::string_view call, const CompilerConfig &given, const Device &on) {
  CallScope scope(*state_);
  KILN_CHECK(scope.check());
  const DefaultFloatEnvironment floats;
  State &s = *state_;
  KILN_CHECK(s.devices.check(on));
  KILN_TRY(CompilerConfig config, s.launcher.config_for(*on.state(), given));
  auto use = s.code.use();
  KILN_TRY(CompilerJob job, s.job(call, config));
  KILN_TRY(PreparedKernel prepared, s.prepare_kernel(job, on));
  return std::move(prepared.kernel);
}

static std::shared_ptr<const Kernel::State> make_kernel(const Device &on, LoadedKernel loaded) {
  return make_of_process<Kernel::State>(Kernel::State{on.state(), std::move(loaded)});
}

Result<PreparedKernel> Session::State::prepare_kernel(const CompilerJob &job, const Device &on,
                                                      bool may_be_quick) {
  auto use = code.use();
  JobCode source(prepared, job, false, may_be_quick ? &tier : nullptr, &coarsener);
  KILN_TRY(LoadedKernel loaded, source.prepare_on(on.state()));
  std::vector<TypeRef> parameters = loaded.parameters;
  return PreparedKernel{Kernel(make_kernel(on, std::move(loaded))), std::move(parameters)};
}

Result<Kernel> Session::load_kernel(std::shared_ptr<const Artifact> artifact, const Device &on) {
  CallScope call(*state_);
  KILN_CHECK(call.check());
  KILN_CHECK(state_->devices.check(on));
  KILN_TRY(LoadedKernel loaded, on.state()->load(std::move(artifact)));
  return Kernel(make_kernel(on, std::move(loaded)));
}

Result<void> Session::launch(const Kernel &kernel, const LaunchShape &shape,
                             std::span<const void *const> arguments, const LaunchOptions &options) {
  CallScope call(*state_);
  KILN_CHECK(call.check());
  if (!kernel) return usage_error("a launch of an empty handle: Session::prepare makes kernels");
  return launch_and_wait(kernel.state_.get(), *state_->runtime, "session", shape, arguments, options);
}

} // namespace kiln
