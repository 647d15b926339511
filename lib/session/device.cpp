// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/device.h: handles of devices and of their memory.
#include "device.h"

namespace kiln {

Error empty_device() {
  return usage_error("an empty handle of a device: Session::cpu and Session::gpu make them");
}

// ---- devices

bool Device::is_gpu() const { return state_ && state_->api().is_gpu; }
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
  if (!state_) return empty_device();
  Buffer buffer;
  buffer.bytes_ = bytes;
  buffer.owner_ = std::make_shared<Buffer::Owner>(state_, nullptr);
  KILN_TRY(buffer.data_, state_->allocate_pinned(bytes));
  return buffer;
}

MemoryCounters Device::memory() const { return state_ ? state_->memory() : MemoryCounters(); }
Result<uint64_t> Device::free_memory() const {
  return state_ ? state_->free_memory() : Result<uint64_t>(empty_device());
}
Result<void> Device::trim(uint64_t keep) const { return state_ ? state_->trim(keep) : empty_device(); }
Result<void> Device::set_kept_memory(uint64_t bytes) const {
  return state_ ? state_->set_kept_memory(bytes) : empty_device();
}
Result<void> Device::synchronize() const { return state_ ? state_->synchronize() : empty_device(); }

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
  if (!owner_ || !data_) return;
  if (owner_->stream)
    owner_->stream->release(data_, bytes_);
  else
    owner_->device->release_pinned(data_);
}

} // namespace kiln
