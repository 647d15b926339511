// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of an OpenCL device: blocks of the driver, and a pool of freed blocks.
#include "opencl_device.h"

#include <fmt/format.h>

#include <iterator>

namespace kiln {

namespace {

constexpr uint64_t alignment = 256; ///< as CUDA's allocators
constexpr uint64_t large_bytes = uint64_t(1) << 20, large_step = uint64_t(1) << 16;

uint64_t rounded(uint64_t bytes) {
  const uint64_t step = bytes < large_bytes ? alignment : large_step;
  return (std::max<uint64_t>(bytes, 1) + step - 1) / step * step;
}

uint64_t address_of(const void *data) { return uint64_t(reinterpret_cast<uintptr_t>(data)); }

} // namespace

Result<void *> OpenClDevice::make_block(uint64_t bytes, bool is_pinned) {
  void *data = nullptr;
  if (has_usm()) {
    int status = 0;
    data = is_pinned ? usm_.HostMemAllocINTEL(context_, nullptr, bytes, alignment, &status)
                     : usm_.DeviceMemAllocINTEL(context_, facts_.device, nullptr, bytes, alignment, &status);
    KILN_CHECK(driver_->check(status, "allocating memory",
                              is_pinned ? "clHostMemAllocINTEL" : "clDeviceMemAllocINTEL"));
  } else {
    constexpr uint64_t read_write = 1, fine_grain_buffer = uint64_t(1) << 10;
    data = driver_->SVMAlloc(context_, read_write | fine_grain_buffer, bytes, 0);
  }
  if (!data) return make_error(ErrorCode::OutOfMemory, "the driver has no memory left");
  std::unique_lock lock(blocks_mutex_);
  blocks_.insert_or_assign(address_of(data), bytes);
  if (!has_usm()) blocks_stamp_.fetch_add(1, std::memory_order_release);
  return data;
}

void OpenClDevice::free_block(void *data) {
  {
    std::unique_lock lock(blocks_mutex_);
    blocks_.erase(address_of(data));
    if (!has_usm()) blocks_stamp_.fetch_add(1, std::memory_order_release);
  }
  if (has_usm())
    usm_.MemFreeINTEL(context_, data);
  else
    driver_->SVMFree(context_, data);
}

bool OpenClDevice::is_done(Kept &kept) const {
  if (!kept.event) return true;
  int status = 0;
  const int asked = driver_->GetEventInfo(kept.event, cl::EventStatus, sizeof status, &status, nullptr);
  if (asked == cl::Success && status > 0) return false;
  driver_->ReleaseEvent(kept.event);
  kept.event = nullptr;
  return true;
}

void *OpenClDevice::take_kept(uint64_t bytes, const void *queue) {
  // A block that is a quarter too large is reused too.
  const auto end = kept_.upper_bound(bytes + bytes / 4);
  for (auto at = kept_.lower_bound(bytes); at != end; ++at) {
    Kept &kept = at->second;
    if (kept.queue != queue && !is_done(kept)) continue;
    if (kept.event) driver_->ReleaseEvent(kept.event);
    void *data = kept.data;
    kept_bytes_ -= at->first;
    kept_.erase(at);
    return data;
  }
  return nullptr;
}

void OpenClDevice::shrink(uint64_t keep, bool waits) {
  for (auto at = kept_.begin(); at != kept_.end() && kept_bytes_ > keep;) {
    Kept &kept = at->second;
    if (kept.event && waits) driver_->WaitForEvents(1, &kept.event);
    if (!is_done(kept)) {
      ++at;
      continue;
    }
    free_block(kept.data);
    kept_bytes_ -= at->first;
    reserved_bytes_ -= at->first;
    at = kept_.erase(at);
  }
}

Error OpenClDevice::no_memory(uint64_t bytes, std::string_view what, const Error &why) {
  const Diagnostic &first = why.diagnostics()[0];
  return make_error(first.code,
                    fmt::format("{} of {} bytes on {}, which has {} bytes and whose buffers hold {}: {}",
                                what, bytes, facts_.info.name, facts_.info.memory_bytes, current_bytes_,
                                first.message),
                    {}, "free device memory, or use smaller arrays");
}

Result<void *> OpenClDevice::allocate(uint64_t bytes, void *queue) {
  if (bytes == 0) return static_cast<void *>(nullptr);
  if (facts_.allocation_bytes && bytes > facts_.allocation_bytes)
    return make_error(ErrorCode::OutOfMemory,
                      fmt::format("a buffer of {} bytes: {} allocates at most {}", bytes, facts_.info.name,
                                  facts_.allocation_bytes),
                      {}, "use smaller arrays");
  const uint64_t size = rounded(bytes);
  std::lock_guard lock(pool_mutex_);
  void *data = take_kept(size, queue);
  if (!data) {
    auto made = make_block(size, false);
    if (!made.ok() && !kept_.empty()) {
      shrink(0, true);
      made = make_block(size, false);
    }
    if (!made.ok()) return no_memory(bytes, "a buffer", made.error());
    data = *made;
    reserved_bytes_ += size;
  }
  allocations_++;
  current_bytes_ += bytes;
  peak_bytes_ = std::max(peak_bytes_, current_bytes_);
  return data;
}

void OpenClDevice::release(void *data, uint64_t bytes, void *queue) {
  if (!data) return;
  uint64_t size = 0;
  {
    std::shared_lock lock(blocks_mutex_);
    if (auto at = blocks_.find(address_of(data)); at != blocks_.end()) size = at->second;
  }
  Kept kept{.data = data, .queue = queue};
  if (driver_->EnqueueMarkerWithWaitList(queue, 0, nullptr, &kept.event) == cl::Success)
    driver_->Flush(queue);
  else
    driver_->Finish(queue);
  std::lock_guard lock(pool_mutex_);
  current_bytes_ -= bytes;
  kept_.emplace(size, kept);
  kept_bytes_ += size;
  if (kept_bytes_ > max_kept_bytes_) shrink(max_kept_bytes_, false);
}

Result<void *> OpenClDevice::allocate_pinned(uint64_t bytes) {
  auto made = make_block(rounded(bytes), true);
  if (made.ok()) return *made;
  std::lock_guard lock(pool_mutex_);
  return no_memory(bytes, "pinned memory", made.error());
}

void OpenClDevice::release_pinned(void *data) {
  if (data) free_block(data);
}

MemoryCounters OpenClDevice::counters() {
  std::lock_guard lock(pool_mutex_);
  return {.current_bytes = current_bytes_,
          .peak_bytes = peak_bytes_,
          .allocations = allocations_,
          .reserved_bytes = reserved_bytes_};
}

uint64_t OpenClDevice::free_bytes() {
  std::lock_guard lock(pool_mutex_);
  const uint64_t used = reserved_bytes_ - kept_bytes_;
  return facts_.info.memory_bytes > used ? facts_.info.memory_bytes - used : 0;
}

void OpenClDevice::trim(uint64_t keep) {
  std::lock_guard lock(pool_mutex_);
  shrink(keep, true);
}

void OpenClDevice::set_kept_memory(uint64_t bytes) {
  std::lock_guard lock(pool_mutex_);
  max_kept_bytes_ = bytes;
  shrink(bytes, false);
}

Result<void> OpenClDevice::check_pointer(uint64_t address) {
  if (!address || facts_.reaches_host_memory) return {};
  {
    std::shared_lock lock(blocks_mutex_);
    auto behind = blocks_.upper_bound(address);
    if (behind != blocks_.begin() && address - std::prev(behind)->first < std::prev(behind)->second)
      return {};
  }
  if (has_usm()) { // memory that the embedder allocated in this context
    constexpr uint32_t unknown = 0x4196;
    uint32_t type = unknown;
    if (usm_.GetMemAllocInfoINTEL(context_, reinterpret_cast<const void *>(uintptr_t(address)),
                                  cl::AllocationType, sizeof type, &type, nullptr) == cl::Success &&
        type != unknown)
      return {};
  }
  return usage_error(fmt::format("{:#x} is no memory that {} can access: copy host memory to a Buffer "
                                 "(Stream::allocate, Stream::copy), or take it pinned "
                                 "(Device::allocate_pinned)",
                                 address, facts_.info.name));
}

} // namespace kiln
