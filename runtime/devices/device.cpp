// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles of devices and of their memory. Implements kiln/device.h.
#include "device.h"

#include <support/releasable_lock.h>

namespace kiln {

Error empty_device() {
  return usage_error("an empty handle of a device: a session or a runtime makes them (cpu, gpu, device)");
}

Result<void> check_device(const DeviceBackend *device) {
  if (!device) return empty_device();
  return device->runtime().is_of_this_process() ? Result<void>() : of_parent_process();
}

// ---- devices

DeviceKind Device::kind() const { return state_ ? state_->api().kind : DeviceKind::Cpu; }
bool Device::is_gpu() const { return kind() != DeviceKind::Cpu; }
const GpuInfo &Device::info() const {
  static const GpuInfo none{};
  return state_ ? state_->info() : none;
}
const DeviceLimits &Device::limits() const {
  static const DeviceLimits none{};
  return state_ ? state_->limits() : none;
}
void *Device::native_context() const { return state_ ? state_->native_context() : nullptr; }
TargetSpec Device::target() const { return state_ ? state_->target() : TargetSpec(); }

Result<Buffer> Device::allocate_pinned(uint64_t bytes) const {
  KILN_CHECK(check_device(state_.get()));
  Buffer buffer;
  buffer.bytes_ = bytes;
  buffer.owner_ = make_of_process<Buffer::Owner>(Buffer::Owner{state_, nullptr});
  KILN_TRY(buffer.data_, state_->allocate_pinned(bytes));
  return buffer;
}

MemoryCounters Device::memory() const {
  return check_device(state_.get()).ok() ? state_->memory() : MemoryCounters();
}
Result<uint64_t> Device::free_memory() const {
  KILN_CHECK(check_device(state_.get()));
  return state_->free_memory();
}
Result<void> Device::trim(uint64_t keep) const {
  KILN_CHECK(check_device(state_.get()));
  return state_->trim(keep);
}
Result<void> Device::set_kept_memory(uint64_t bytes) const {
  KILN_CHECK(check_device(state_.get()));
  return state_->set_kept_memory(bytes);
}
Result<void> Device::synchronize() const {
  KILN_CHECK(check_device(state_.get()));
  const ReleasedLocks released;
  return state_->synchronize();
}

// ---- buffers

Buffer::Buffer(Buffer &&other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)),
      owner_(std::move(other.owner_)) {}
Buffer &Buffer::operator=(Buffer &&other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(owner_, other.owner_);
  return *this;
}
Buffer::~Buffer() {
  if (!owner_ || !data_ || !owner_->device->runtime().is_of_this_process()) return;
  if (owner_->stream)
    owner_->stream->release(data_, bytes_);
  else
    owner_->device->release_pinned(data_);
}

} // namespace kiln
