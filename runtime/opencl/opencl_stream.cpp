// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opencl_stream.h"

#include <fmt/format.h>

#include <atomic>
#include <cstring>

namespace kiln {

namespace {

enum RecordStatus : uint32_t { None = 0, Complete = 2 }; // abi::ExceptionRecord::status

} // namespace

// ---- events

OpenClEvent::~OpenClEvent() { device_->driver().ReleaseEvent(handle_); }

bool OpenClEvent::done() const {
  int status = 0;
  return device_->driver().GetEventInfo(handle_, cl::EventStatus, sizeof status, &status, nullptr) !=
             cl::Success ||
         status <= 0;
}

void OpenClEvent::wait() const { device_->driver().WaitForEvents(1, &handle_); }

Result<std::optional<std::chrono::nanoseconds>> OpenClEvent::since(const OpenClEvent &begin) const {
  if (device_ != begin.device_)
    return usage_error("the two events are of different devices: their clocks have nothing in common");
  if (!done() || !begin.done()) return std::optional<std::chrono::nanoseconds>();
  const OpenClDriver &driver = device_->driver();
  auto time_of = [&](void *event) -> Result<uint64_t> {
    uint64_t time = 0;
    const int status = driver.GetEventProfilingInfo(event, cl::EventEnd, sizeof time, &time, nullptr);
    if (status == cl::NoProfilingInfo)
      return usage_error("an event of a command queue without profiling has no time: make the queue with "
                         "CL_QUEUE_PROFILING_ENABLE");
    KILN_CHECK(driver.check(status, "timing events", "clGetEventProfilingInfo"));
    return time;
  };
  KILN_TRY(const uint64_t from, time_of(begin.handle_));
  KILN_TRY(const uint64_t to, time_of(handle_));
  return std::optional(std::chrono::nanoseconds(int64_t(to - from)));
}

std::optional<std::chrono::nanoseconds> OpenClEvent::run_time() const {
  uint64_t start = 0, end = 0;
  const OpenClDriver &driver = device_->driver();
  if (!done() ||
      driver.GetEventProfilingInfo(handle_, cl::EventStart, sizeof start, &start, nullptr) != cl::Success ||
      driver.GetEventProfilingInfo(handle_, cl::EventEnd, sizeof end, &end, nullptr) != cl::Success)
    return std::nullopt;
  return std::chrono::nanoseconds(int64_t(end - start));
}

// ---- queues

Result<void> OpenClStream::start(std::shared_ptr<OpenClDevice> device) {
  device_ = std::move(device);
  KILN_TRY(void *record, device_->allocate_pinned(sizeof(abi::ExceptionRecord)));
  std::memset(record, 0, sizeof(abi::ExceptionRecord));
  record_ = static_cast<abi::ExceptionRecord *>(record);
  return {};
}

Result<std::shared_ptr<OpenClStream>> OpenClStream::make(std::shared_ptr<OpenClDevice> device) {
  std::shared_ptr<OpenClStream> stream(new OpenClStream());
  KILN_CHECK(stream->start(std::move(device)));
  const OpenClDriver &driver = stream->device_->driver();
  const uint64_t properties[] = {cl::QueueProperties, cl::Profiling, 0};
  int status = 0;
  stream->handle_ = driver.CreateCommandQueueWithProperties(
      stream->device_->context(), stream->device_->facts().device, properties, &status);
  KILN_CHECK(driver.check(status, "making a stream", "clCreateCommandQueueWithProperties"));
  return stream;
}

Result<std::shared_ptr<OpenClStream>> OpenClStream::adopt(std::shared_ptr<OpenClDevice> device, void *queue) {
  if (!queue)
    return usage_error("a null cl_command_queue: make one with clCreateCommandQueueWithProperties in the "
                       "device's context (Device::native_context)");
  std::shared_ptr<OpenClStream> stream(new OpenClStream());
  KILN_CHECK(stream->start(std::move(device)));
  OpenClStream &s = *stream;
  const OpenClDriver &driver = s.device_->driver();
  void *context = nullptr, *of_device = nullptr;
  uint64_t properties = 0;
  auto ask = [&](uint32_t what, auto &value) {
    return driver.check(driver.GetCommandQueueInfo(queue, what, sizeof value, &value, nullptr),
                        "using a cl_command_queue of the embedder", "clGetCommandQueueInfo");
  };
  KILN_CHECK(ask(cl::QueueContext, context));
  KILN_CHECK(ask(cl::QueueDevice, of_device));
  KILN_CHECK(ask(cl::QueueProperties, properties));
  if (context != s.device_->context() || of_device != s.device_->facts().device)
    return usage_error(fmt::format("the cl_command_queue is of another context or device than {}: make it in "
                                   "the device's context (Device::native_context)",
                                   s.device_->facts().info.name));
  if (properties & cl::OutOfOrder)
    return usage_error(
        "the cl_command_queue runs its work out of order, and a stream's work runs in order: make "
        "it without CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE");
  KILN_CHECK(driver.check(driver.RetainCommandQueue(queue), "using a cl_command_queue of the embedder",
                          "clRetainCommandQueue"));
  s.handle_ = queue;
  return stream;
}

OpenClStream::~OpenClStream() {
  if (handle_) {
    device_->driver().Finish(handle_);
    device_->driver().ReleaseCommandQueue(handle_);
  }
  device_->release_pinned(record_);
}

Result<void> OpenClStream::copy(void *to, const void *from, uint64_t bytes) {
  if (bytes == 0) return {};
  const OpenClDriver &driver = device_->driver();
  const int status = device_->has_usm()
                         ? device_->usm().EnqueueMemcpyINTEL(handle_, 0, to, from, bytes, 0, nullptr, nullptr)
                         : driver.EnqueueSVMMemcpy(handle_, 0, to, from, bytes, 0, nullptr, nullptr);
  KILN_CHECK(driver.check(status, fmt::format("copying {} bytes", bytes),
                          device_->has_usm() ? "clEnqueueMemcpyINTEL" : "clEnqueueSVMMemcpy"));
  return driver.check(driver.Flush(handle_), "copying", "clFlush");
}

Result<void> OpenClStream::fill(void *to, uint8_t value, uint64_t bytes) {
  if (bytes == 0) return {};
  const OpenClDriver &driver = device_->driver();
  const int status =
      device_->has_usm()
          ? device_->usm().EnqueueMemFillINTEL(handle_, to, &value, 1, bytes, 0, nullptr, nullptr)
          : driver.EnqueueSVMMemFill(handle_, to, &value, 1, bytes, 0, nullptr, nullptr);
  KILN_CHECK(driver.check(status, fmt::format("filling {} bytes", bytes),
                          device_->has_usm() ? "clEnqueueMemFillINTEL" : "clEnqueueSVMMemFill"));
  return driver.check(driver.Flush(handle_), "filling", "clFlush");
}

Result<std::shared_ptr<OpenClEvent>> OpenClStream::record() {
  const OpenClDriver &driver = device_->driver();
  void *event = nullptr;
  KILN_CHECK(driver.check(driver.EnqueueMarkerWithWaitList(handle_, 0, nullptr, &event), "recording an event",
                          "clEnqueueMarkerWithWaitList"));
  auto recorded = std::make_shared<OpenClEvent>(device_, event);
  KILN_CHECK(driver.check(driver.Flush(handle_), "recording an event", "clFlush"));
  return recorded;
}

Result<void> OpenClStream::wait(const OpenClEvent &event) {
  if (&event.device() != device_.get())
    return usage_error(
        fmt::format("the event is of {}, and the stream of {}, and OpenCL's contexts do not wait "
                    "for each other: Event::wait does on the host",
                    event.device().facts().info.name, device_->facts().info.name));
  const OpenClDriver &driver = device_->driver();
  void *const handle = event.handle();
  return driver.check(driver.EnqueueBarrierWithWaitList(handle_, 1, &handle, nullptr), "waiting for an event",
                      "clEnqueueBarrierWithWaitList");
}

bool OpenClStream::idle() {
  auto last = record();
  return !last.ok() || (*last)->done();
}

Result<std::optional<abi::ExceptionRecord>> OpenClStream::synchronize() {
  const OpenClDriver &driver = device_->driver();
  KILN_CHECK(driver.check(driver.Finish(handle_), "waiting for a stream", "clFinish"));
  // Skip incomplete records: a launch on another thread may be writing the record now.
  std::atomic_ref<uint32_t> status(record_->status);
  if (status.load(std::memory_order_acquire) != Complete) return std::optional<abi::ExceptionRecord>();
  std::optional<abi::ExceptionRecord> exception(*record_);
  record_->text[0] = '\0';
  status.store(None, std::memory_order_release);
  return exception;
}

} // namespace kiln
