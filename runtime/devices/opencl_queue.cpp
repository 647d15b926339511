// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opencl_queue.h"

#include "outcome.h"

#include <support/count.h>

#include <algorithm>

namespace kiln {

namespace {

class OpenClEventBackend final : public EventBackend {
public:
  explicit OpenClEventBackend(std::shared_ptr<OpenClEvent> recorded)
      : EventBackend(opencl_api), event(std::move(recorded)) {}
  bool done() const override { return event->done(); }
  void wait() const override { event->wait(); }
  Result<std::optional<std::chrono::nanoseconds>> since(const EventBackend &begin) const override {
    return event->since(*static_cast<const OpenClEventBackend &>(begin).event);
  }
  const std::shared_ptr<OpenClEvent> event;
};

class OpenClStreamBackend final : public StreamBackend {
public:
  OpenClStreamBackend(std::shared_ptr<SessionRuntime> runtime, std::shared_ptr<OpenClStream> stream)
      : StreamBackend(opencl_api), runtime_(std::move(runtime)), stream_(std::move(stream)) {}
  void *native_handle() const override { return stream_->handle(); }

  Result<void> launch(const LoadedKernel &kernel, const LaunchShape &shape,
                      std::span<const void *const> arguments, const LaunchOptions &) override {
    return launch_in(*stream_, *runtime_, kernel, shape, arguments);
  }
  Result<void> launch(const GraphBackend &) override { return no_graphs(); }
  Result<void *> allocate(uint64_t bytes) override {
    return stream_->device()->allocate(bytes, stream_->handle());
  }
  void release(void *data, uint64_t bytes) override {
    stream_->device()->release(data, bytes, stream_->handle());
  }
  Result<void> copy(void *to, const void *from, uint64_t bytes) override {
    return stream_->copy(to, from, bytes);
  }
  Result<void> fill(void *to, uint8_t value, uint64_t bytes) override {
    return stream_->fill(to, value, bytes);
  }
  Result<void> record(Event::State &event) override {
    KILN_TRY(auto recorded, stream_->record());
    auto backend = std::make_shared<OpenClEventBackend>(std::move(recorded));
    std::lock_guard lock(event.mutex);
    event.last = std::move(backend);
    return {};
  }
  Result<void> wait(const Event::State &, std::shared_ptr<EventBackend> last) override {
    return stream_->wait(*static_cast<const OpenClEventBackend &>(*last).event);
  }
  bool idle() override { return stream_->idle(); }
  Result<void> synchronize() override { return wait_for(*stream_, *runtime_); }
  Result<void> capture_begin() override { return no_graphs(); }
  Result<std::shared_ptr<const GraphBackend>> capture_end() override { return no_graphs(); }

private:
  static Error no_graphs() {
    return usage_error("OpenCL devices have no graphs: launch the kernels in a stream one by one");
  }
  const std::shared_ptr<SessionRuntime> runtime_;
  const std::shared_ptr<OpenClStream> stream_;
};

Error wrong_shape(const OpenClKernel &kernel, const LaunchShape &shape) {
  const DeviceLimits &limits = kernel.device().facts().limits;
  const std::string &device = kernel.device().facts().info.name;
  if (auto fits_device = check_shape(shape, kernel.static_shared_bytes(), limits, device); !fits_device.ok())
    return fits_device.take_error();
  return usage_error(fmt::format("a block of {} threads: {} runs in at most {} on {}",
                                 uint64_t(shape.threads[0]) * shape.threads[1] * shape.threads[2],
                                 kernel.name(), kernel.max_threads(), device));
}

} // namespace

Result<LaunchSuggestion> OpenClKernelBackend::suggest(uint64_t) const {
  constexpr uint64_t threads_of_block = 256; // enough for local memory to pay, and for many blocks
  uint64_t threads = std::min<uint64_t>(threads_of_block, kernel_->max_threads());
  const uint64_t multiple = std::max<uint64_t>(kernel_->thread_multiple(), 1);
  if (threads > multiple) threads -= threads % multiple;
  return LaunchSuggestion{.threads = uint32_t(threads),
                          .blocks = std::max(kernel_->device().facts().info.multiprocessors, 1u)};
}

Result<GlobalVariable> OpenClKernelBackend::global(std::string_view name) const {
  return usage_error(fmt::format("the variable {} of a module cannot be found on an OpenCL device: pass its "
                                 "memory as an argument",
                                 name));
}

std::shared_ptr<StreamBackend> opencl_stream_backend(std::shared_ptr<SessionRuntime> runtime,
                                                     std::shared_ptr<OpenClStream> stream) {
  return std::make_shared<OpenClStreamBackend>(std::move(runtime), std::move(stream));
}

Result<void> launch_in(OpenClStream &stream, SessionRuntime &runtime, const LoadedKernel &loaded,
                       const LaunchShape &shape, std::span<const void *const> arguments) {
  OpenClKernel &kernel = static_cast<const OpenClKernelBackend &>(*loaded.backend).kernel();
  if (&kernel.device() != stream.device().get()) [[unlikely]]
    return usage_error(fmt::format("{} was prepared for {}, and the stream is on another OpenCL device ({}): "
                                   "prepare it for that one",
                                   kernel.name(), kernel.device().facts().info.name,
                                   stream.device()->facts().info.name));
  if (arguments.size() != kernel.artifact().parameters.size()) [[unlikely]]
    return usage_error(fmt::format(
        "{} takes {}, got {}", kernel.name(),
        counted(kernel.artifact().parameters.size(), "argument that has bytes", "arguments that have bytes"),
        arguments.size()));
  if (!fits(shape, kernel.static_shared_bytes(), kernel.device().facts().limits, kernel.max_threads()))
      [[unlikely]]
    return wrong_shape(kernel, shape);
  if (runtime.timer.enabled()) [[unlikely]]
    runtime.kernels.launched(kernel.artifact(), shape, 0);
  if (!runtime.timer.wants_kernels()) [[likely]]
    return stream.launch(kernel, shape, arguments);
  KILN_TRY(auto event, stream.launch_timed(kernel, shape, arguments));
  runtime.clock.launched(kernel.artifact().entry, std::move(event));
  return {};
}

Result<void> wait_for(OpenClStream &stream, const SessionRuntime &runtime) {
  KILN_TRY(const auto exception, stream.synchronize());
  if (exception) return copied_exception_error(*exception, runtime.sources);
  return {};
}

} // namespace kiln
