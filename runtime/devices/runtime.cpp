// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/runtime.h: devices without a session.
#include "device.h"
#include "device_memory.h"
#include "device_set.h"
#include "launching.h"

#include <kiln/runtime.h>

#include <fmt/format.h>
#include <support/releasable_lock.h>

namespace kiln {

Error of_parent_process() {
  return usage_error(
      "this handle, or the session or runtime that it belongs to, is of the process that this one was forked "
      "from: open another one here, or call exec; what came along may be destroyed, and does nothing else");
}

Result<void> launch_and_wait(const Kernel::State *kernel, const SessionRuntime &owner, std::string_view maker,
                             const LaunchShape &shape, std::span<const void *const> arguments,
                             const LaunchOptions &options) {
  if (!owner.is_of_this_process()) return of_parent_process();
  const LoadedKernel &loaded = kernel->loaded;
  if (&kernel->device->runtime() != &owner)
    return usage_error(
        fmt::format("{} was prepared by another {}: launch it there, or in a stream of that {}", loaded.name,
                    maker, maker));
  KILN_CHECK(check_options(options, *kernel->device));
  KILN_CHECK(check_arguments(loaded.name, *loaded.artifact, loaded.memory, arguments));
  const ReleasedLocks released;
  return kernel->device->run(loaded, shape, arguments, options);
}

struct Runtime::State {
  explicit State(const ExecutorOptions &options)
      : shared(std::make_shared<SessionRuntime>(options, nullptr, nullptr)), devices(shared) {}
  std::shared_ptr<SessionRuntime> shared;
  Devices devices;
};

Runtime::Runtime(std::unique_ptr<State> state) : state_(std::move(state)) {}
Runtime::~Runtime() = default;

Result<std::unique_ptr<Runtime>> Runtime::open(const RuntimeOptions &options, const ProgramHeaders &headers) {
  KILN_CHECK(check_headers(headers, detail::runtime_structures()));
  ExecutorOptions executor;
  executor.threads = options.cpu_threads;
  executor.arena = options.cpu_arena;
  return std::unique_ptr<Runtime>(new Runtime(std::make_unique<State>(executor)));
}

Device Runtime::cpu() { return Device(state_->devices.cpu()); }
Result<std::vector<GpuInfo>> Runtime::gpus() { return state_->devices.gpus().list(); }
Result<Device> Runtime::gpu(int number) {
  KILN_TRY(auto device, state_->devices.gpus().open(number));
  return Device(std::move(device));
}
Result<Device> Runtime::device(std::string_view name) {
  KILN_TRY(const DeviceName read, read_device_name(name));
  KILN_TRY(auto device, state_->devices.open(read));
  return Device(std::move(device));
}
Result<std::vector<GpuInfo>> Runtime::devices(DeviceKind kind) { return state_->devices.list(kind); }
Result<Device> Runtime::gpu_in_context(void *context) {
  KILN_TRY(auto device, state_->devices.gpus().open_context(context));
  return Device(std::move(device));
}

Stream Runtime::stream() { return std::move(*stream(cpu())); } // cannot fail: the CPU always has a stream
Result<Stream> Runtime::stream(const Device &on) {
  KILN_CHECK(state_->devices.check(on));
  KILN_TRY(auto made, state_of(on)->make_stream());
  return Stream(std::make_unique<Stream::State>(state_of(on), std::move(made)));
}
Result<Stream> Runtime::stream(const Device &on, void *cuda_stream) {
  KILN_CHECK(state_->devices.check(on));
  KILN_TRY(auto adopted, state_of(on)->adopt_stream(cuda_stream));
  return Stream(std::make_unique<Stream::State>(state_of(on), std::move(adopted)));
}

Result<void> Runtime::launch(const Kernel &kernel, const LaunchShape &shape,
                             std::span<const void *const> arguments, const LaunchOptions &options) {
  if (!kernel) return usage_error("a launch of an empty handle: BundleKernel::load makes kernels");
  return launch_and_wait(kernel.state_.get(), *state_->shared, "runtime", shape, arguments, options);
}

} // namespace kiln
