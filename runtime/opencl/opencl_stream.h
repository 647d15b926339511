// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command queues of an OpenCL device, their exceptions and events.
#pragma once

#include "opencl_program.h"

#include <chrono>
#include <optional>

namespace kiln {

/// A cl_event: a point in a queue's work.
class OpenClEvent {
public:
  OpenClEvent(std::shared_ptr<OpenClDevice> device, void *handle)
      : device_(std::move(device)), handle_(handle) {}
  ~OpenClEvent();
  OpenClEvent(const OpenClEvent &) = delete;
  OpenClEvent &operator=(const OpenClEvent &) = delete;
  OpenClDevice &device() const { return *device_; }
  void *handle() const { return handle_; }
  bool done() const; ///< true also after an error, which the queue's wait reports
  void wait() const;
  /// Time from `begin` to this event. No value: the device has not reached one of them. Error: Usage, for
  /// events of different devices or of a queue without profiling.
  Result<std::optional<std::chrono::nanoseconds>> since(const OpenClEvent &begin) const;
  /// Run time of the command whose event this is. No value: it is not done, or its queue has no profiling.
  std::optional<std::chrono::nanoseconds> run_time() const;

private:
  const std::shared_ptr<OpenClDevice> device_;
  void *const handle_;
};

/// An in-order command queue. Thread-safe.
class OpenClStream {
public:
  static Result<std::shared_ptr<OpenClStream>> make(std::shared_ptr<OpenClDevice> device);
  /// Uses the embedder's cl_command_queue, and holds a reference to it. The queue must be in order, and of
  /// the device's context (OpenClDevice::context). Error: Usage.
  static Result<std::shared_ptr<OpenClStream>> adopt(std::shared_ptr<OpenClDevice> device, void *queue);
  ~OpenClStream(); ///< waits until the queue is empty
  OpenClStream(const OpenClStream &) = delete;
  OpenClStream &operator=(const OpenClStream &) = delete;

  const std::shared_ptr<OpenClDevice> &device() const { return device_; }
  void *handle() const { return handle_; }

  /// As OpenClKernel::launch; the kernel must be of this device.
  Result<void> launch(OpenClKernel &kernel, const LaunchShape &shape,
                      std::span<const void *const> arguments) {
    return kernel.launch(handle_, shape, record_, arguments, nullptr);
  }
  /// Launches as above, and returns the launch's event, for its run time.
  Result<std::shared_ptr<OpenClEvent>> launch_timed(OpenClKernel &kernel, const LaunchShape &shape,
                                                    std::span<const void *const> arguments) {
    void *event = nullptr;
    KILN_CHECK(kernel.launch(handle_, shape, record_, arguments, &event));
    return std::make_shared<OpenClEvent>(device_, event);
  }
  Result<void> copy(void *to, const void *from, uint64_t bytes);
  Result<void> fill(void *to, uint8_t value, uint64_t bytes);
  Result<std::shared_ptr<OpenClEvent>> record();
  Result<void> wait(const OpenClEvent &event);
  bool idle();
  /// Waits until the queue is empty. Returns the first exception since the last call.
  Result<std::optional<abi::ExceptionRecord>> synchronize();

private:
  OpenClStream() = default;
  Result<void> start(std::shared_ptr<OpenClDevice> device);
  std::shared_ptr<OpenClDevice> device_;
  void *handle_ = nullptr;
  abi::ExceptionRecord *record_ = nullptr; ///< in pinned memory: kernels write it
};

} // namespace kiln
