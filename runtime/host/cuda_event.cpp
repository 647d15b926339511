// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events, exceptions and graphs of GPU streams.
#include "cuda_stream.h"

#include <cstring>

namespace kiln {

namespace {
enum RecordStatus : uint32_t { None = 0, Complete = 2 }; // abi::ExceptionRecord::status
} // namespace

Result<std::unique_ptr<ExceptionMailbox>> ExceptionMailbox::make(std::shared_ptr<CudaDevice> device) {
  std::unique_ptr<ExceptionMailbox> box(new ExceptionMailbox());
  CudaDriver &cu = device->driver();
  box->device_ = std::move(device);
  void *record = nullptr;
  KILN_CHECK(box->device_->enter());
  KILN_CHECK(box->device_->check(cu.MemHostAlloc(&record, sizeof(abi::ExceptionRecord),
                                                 cuda_flags::HostPortable | cuda_flags::HostMapped),
                                 "allocating an exception record"));
  std::memset(record, 0, sizeof(abi::ExceptionRecord));
  box->record_ = static_cast<abi::ExceptionRecord *>(record);
  KILN_CHECK(box->device_->check(cu.MemHostGetDevicePointer(&box->state_.exception, record, 0),
                                 "mapping an exception record"));
  return box;
}

ExceptionMailbox::~ExceptionMailbox() {
  if (record_ && device_->enter().ok()) device_->driver().MemFreeHost(record_);
}

Result<std::string> ExceptionMailbox::read_text(uint64_t address) {
  std::string text;
  if (!address) return text;
  // Read byte by byte: the length is unknown, and the string may end right before unmapped memory.
  constexpr size_t max_length = 4096;
  for (char c = 0; text.size() < max_length; text += c) {
    KILN_CHECK(device_->check(device_->driver().MemcpyToHost(&c, address + text.size(), 1),
                              "reading an exception's text"));
    if (!c) break;
  }
  return text;
}

Result<std::optional<CudaException>> ExceptionMailbox::take() {
  // Skip incomplete records: a launch on another thread may be writing the record now.
  std::atomic_ref<uint32_t> status(record_->status);
  if (status.load(std::memory_order_acquire) != Complete) return std::optional<CudaException>();
  KILN_CHECK(device_->enter());
  CudaException exception;
  exception.record = *record_;
  Result<std::string> name = read_text(record_->name), location = read_text(record_->location);
  status.store(None, std::memory_order_release);
  if (!name.ok()) return name.take_error();
  if (!location.ok()) return location.take_error();
  exception.name = std::move(*name);
  exception.location = std::move(*location);
  return std::optional<CudaException>(std::move(exception));
}

Result<std::shared_ptr<CudaEvent>> CudaEvent::make(std::shared_ptr<CudaDevice> device) {
  KILN_CHECK(device->enter());
  std::shared_ptr<CudaEvent> event(new CudaEvent());
  event->device_ = std::move(device);
  KILN_CHECK(
      event->device_->check(event->device_->driver().EventCreate(&event->handle_, 0), "making an event"));
  return event;
}

CudaEvent::~CudaEvent() {
  if (handle_ && device_->enter().ok()) device_->driver().EventDestroy(handle_);
}

bool CudaEvent::done() const {
  // In a lost context the query fails for ever. Return true then; synchronize() reports the error.
  return !device_->enter().ok() || device_->driver().EventQuery(handle_) != cuda_status::NotReady;
}

void CudaEvent::wait() const {
  if (device_->enter().ok()) device_->driver().EventSynchronize(handle_);
}

Result<std::optional<float>> CudaEvent::milliseconds_between(const CudaEvent &from, const CudaEvent &to) {
  if (&from.device() != &to.device())
    return usage_error("the two events are of different devices: their clocks have nothing in common");
  KILN_CHECK(from.device_->enter());
  float time = 0;
  int status = from.device_->driver().EventElapsedTime(&time, from.handle_, to.handle_);
  if (status == cuda_status::NotReady) return std::optional<float>();
  KILN_CHECK(from.device_->check(status, "timing events"));
  return std::optional<float>(time);
}

CudaGraph::~CudaGraph() {
  if (executable_ && device_->enter().ok()) device_->driver().GraphExecDestroy(executable_);
}

} // namespace kiln
