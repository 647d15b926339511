// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the functions of kiln/session.h about devices, streams, kernels and launches.
#include "handles.h"

#include <session/session_state.h>

namespace kiln {

// ---- devices

Device Session::cpu() {
  return state_->runtime->is_of_this_process() ? Device(state_->launches.devices().cpu()) : Device();
}

Result<std::vector<GpuInfo>> Session::gpus() {
  CallScope call(state_->gate);
  KILN_CHECK(call.check());
  return state_->launches.devices().gpus().list();
}

Result<Device> Session::gpu(int number) {
  CallScope call(state_->gate);
  KILN_CHECK(call.check());
  KILN_TRY(auto device, state_->launches.devices().gpus().open(number));
  state_->log.timer.note_gpu(device->info().name);
  return Device(std::move(device));
}

Result<Device> Session::device(std::string_view name) {
  CallScope call(state_->gate);
  KILN_CHECK(call.check());
  KILN_TRY(const DeviceName read, read_device_name(name));
  KILN_TRY(auto device, state_->launches.devices().open(read));
  if (read.kind != DeviceKind::Cpu) state_->log.timer.note_gpu(device->info().name);
  return Device(std::move(device));
}

Result<std::vector<GpuInfo>> Session::devices(DeviceKind kind) {
  CallScope call(state_->gate);
  KILN_CHECK(call.check());
  return state_->launches.devices().list(kind);
}

Result<Device> Session::gpu_in_context(void *context) {
  CallScope call(state_->gate);
  KILN_CHECK(call.check());
  KILN_TRY(auto device, state_->launches.devices().gpus().open_context(context));
  state_->log.timer.note_gpu(device->info().name);
  return Device(std::move(device));
}

Stream Session::stream() {
  auto made = stream(cpu());
  return made.ok() ? std::move(*made) : Stream(); // an empty stream in a callback or a forked child
}

Result<Stream> Session::stream(const Device &on) {
  CallScope call(state_->gate);
  KILN_CHECK(call.check());
  KILN_CHECK(state_->launches.devices().check(on));
  KILN_TRY(auto made, state_of(on)->make_stream());
  return Stream(std::make_unique<Stream::State>(state_of(on), std::move(made)));
}

Result<Stream> Session::stream(const Device &on, void *cuda_stream) {
  CallScope call(state_->gate);
  KILN_CHECK(call.check());
  KILN_CHECK(state_->launches.devices().check(on));
  KILN_TRY(auto adopted, state_of(on)->adopt_stream(cuda_stream));
  return Stream(std::make_unique<Stream::State>(state_of(on), std::move(adopted)));
}

// ---- launches by name

Result<void> Session::launch(const Device &on, std::string_view function, const LaunchShape &shape,
                             ArgumentList arguments, const CompilerConfig &config,
                             const LaunchOptions &options) {
  CallScope call(state_->gate);
  KILN_CHECK(call.check());
  return state_->launches.launch(on, function, shape, arguments, config, options);
}

Result<void> Session::launch(Stream &stream, std::string_view function, const LaunchShape &shape,
                             ArgumentList arguments, const CompilerConfig &config,
                             const LaunchOptions &options) {
  CallScope call(state_->gate);
  KILN_CHECK(call.check());
  if (!stream.state_) return usage_error("a launch in an empty handle: Session::stream makes streams");
  return state_->launches.launch(*stream.state_, function, shape, arguments, config, options);
}

// ---- kernels by handle

Result<Kernel> Session::prepare(std::string_view call, const CompilerConfig &given, const Device &on) {
  const ComputingCall scope(state_->gate);
  KILN_CHECK(scope.check());
  JobService &jobs = state_->jobs;
  LaunchService &launches = state_->launches;
  KILN_CHECK(launches.devices().check(on));
  KILN_TRY(CompilerConfig config, launches.config_for(*state_of(on), given));
  auto use = jobs.use();
  KILN_TRY(CompilerJob job, jobs.job(call, config));
  return launches.prepare(job, on);
}

Result<CompilerConfig> Session::config_for(const Device &device, const CompilerConfig &config) const {
  CallScope scope(state_->gate);
  KILN_CHECK(scope.check());
  KILN_CHECK(state_->launches.devices().check(device));
  return state_->launches.config_for(*state_of(device), config);
}

Result<Kernel> Session::load_kernel(std::shared_ptr<const Artifact> artifact, const Device &on) {
  CallScope call(state_->gate);
  KILN_CHECK(call.check());
  KILN_CHECK(state_->launches.devices().check(on));
  KILN_TRY(LoadedKernel loaded, state_of(on)->load(std::move(artifact)));
  return Kernel(make_kernel(on, std::move(loaded)));
}

Result<void> Session::launch(const Kernel &kernel, const LaunchShape &shape,
                             std::span<const void *const> arguments, const LaunchOptions &options) {
  CallScope call(state_->gate);
  KILN_CHECK(call.check());
  if (!kernel) return usage_error("a launch of an empty handle: Session::prepare makes kernels");
  return launch_and_wait(kernel.state_.get(), *state_->runtime, "session", shape, arguments, options);
}

} // namespace kiln
