// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/device.h: the CPU and GPUs behind one handle, and their memory.
#include "device.h"

#include <unistd.h>

#include <cstdlib>

namespace kiln {

namespace {

/// The newest that LLVM 19 writes PTX for; the assembler or driver of a newer GPU takes it.
constexpr int newest_sm = 90;
constexpr size_t alignment = 256; ///< as the CUDA allocators'

uint64_t page_bytes(int what) {
  return uint64_t(std::max(0L, ::sysconf(what))) * uint64_t(std::max(0L, ::sysconf(_SC_PAGESIZE)));
}

} // namespace

Error empty_device() {
  return usage_error("an empty handle of a device: Session::cpu and Session::gpu make them");
}

void *allocate_host(uint64_t bytes) {
  if (bytes > SIZE_MAX - alignment) return nullptr;
  return std::aligned_alloc(alignment,
                            (std::max<uint64_t>(bytes, 1) + alignment - 1) / alignment * alignment);
}

// ---- of a session

Result<void> Session::State::check_device(const Device &device) const {
  if (!device) return empty_device();
  if (device.state()->runtime != runtime)
    return usage_error(
        fmt::format("the device ({}) is another session's: take this one's Session::cpu or Session::gpu",
                    device.info().name));
  return {};
}

std::shared_ptr<HostStream> Session::State::make_host_stream() {
  auto stream = std::make_shared<HostStream>(runtime->executor);
  std::lock_guard lock(device_mutex_);
  std::erase_if(host_streams_, [](const auto &each) { return each.expired(); });
  host_streams_.push_back(stream);
  return stream;
}

// Launches of GPUs are waited for by their streams, which hold all that they use; those of the CPU may use
// arrays that the embedder frees behind the session.
Session::State::~State() {
  for (const auto &each : host_streams_)
    if (auto stream = each.lock()) stream->wait_until_idle();
}

std::shared_ptr<Device::State> Session::State::cpu_device() {
  std::lock_guard lock(device_mutex_);
  if (!cpu_device_) {
    cpu_device_.reset(new Device::State{.runtime = runtime});
    cpu_device_->info = {.number = -1,
                         .name = "CPU",
                         .sm = 0,
                         .memory_bytes = page_bytes(_SC_PHYS_PAGES),
                         .multiprocessors = executor.threads()};
    cpu_device_->limits = Executor::limits();
  }
  return cpu_device_;
}

Result<std::shared_ptr<CudaDriver>> Session::State::cuda_driver() {
  std::lock_guard lock(device_mutex_);
  if (!cuda_driver_) {
    StageScope scope(&timer, "open the device"); // the driver looks at all there are
    KILN_TRY(cuda_driver_, CudaDriver::open());
  }
  return cuda_driver_;
}

Result<std::shared_ptr<Device::State>> Session::State::gpu(int number) {
  KILN_TRY(auto driver, cuda_driver());
  std::lock_guard lock(device_mutex_);
  for (const auto &each : gpus_)
    if (each->info.number == number && each->gpu->is_primary()) return each;
  StageScope scope(&timer, "open the device");
  KILN_TRY(auto device, CudaDevice::open(driver, number));
  gpus_.emplace_back(new Device::State{
      .runtime = runtime, .info = device->info(), .limits = device->limits(), .gpu = device});
  return gpus_.back();
}

Result<std::shared_ptr<Device::State>> Session::State::gpu_in_context(void *context) {
  KILN_TRY(auto driver, cuda_driver());
  std::lock_guard lock(device_mutex_);
  for (const auto &each : gpus_)
    if (each->gpu->context() == context) return each;
  KILN_TRY(auto device, CudaDevice::open_context(driver, context));
  gpus_.emplace_back(new Device::State{
      .runtime = runtime, .info = device->info(), .limits = device->limits(), .gpu = device});
  return gpus_.back();
}

Device Session::cpu() { return Device(state_->cpu_device()); }

Result<std::vector<GpuInfo>> Session::gpus() {
  KILN_TRY(auto driver, state_->cuda_driver());
  std::vector<GpuInfo> all;
  for (int n = 0; n < driver->device_count(); n++) {
    KILN_TRY(GpuInfo info, CudaDevice::describe(*driver, n));
    all.push_back(std::move(info));
  }
  return all;
}

Result<Device> Session::gpu(int number) {
  KILN_TRY(auto device, state_->gpu(number));
  return Device(std::move(device));
}

Result<Device> Session::gpu_in_context(void *context) {
  KILN_TRY(auto device, state_->gpu_in_context(context));
  return Device(std::move(device));
}

Result<std::shared_ptr<CudaStream>> Device::State::take_stream() {
  {
    std::lock_guard lock(mutex);
    if (!idle_streams.empty()) {
      auto stream = std::move(idle_streams.back());
      idle_streams.pop_back();
      return stream;
    }
  }
  return CudaStream::make(gpu);
}

// ---- the handle

bool Device::is_gpu() const { return state_ && state_->gpu; }
const GpuInfo &Device::info() const {
  static const GpuInfo none{};
  return state_ ? state_->info : none;
}
const DeviceLimits &Device::limits() const {
  static const DeviceLimits none{};
  return state_ ? state_->limits : none;
}
void *Device::native_context() const { return is_gpu() ? state_->gpu->context() : nullptr; }

TargetSpec Device::target() const { return state_ ? target_of(*state_) : TargetSpec(); }

TargetSpec target_of(const Device::State &device) {
  if (!device.gpu) return {};
  PtxOptions options;
  options.sm = std::min(device.info.sm, newest_sm);
  // PTX 8.0 came with CUDA 12.0, and each minor version has brought one.
  int version = device.gpu->driver().version();
  if (version < 13000) options.ptx_isa = std::min(options.ptx_isa, 80 + version % 1000 / 10);
  return options;
}

Result<Buffer> Device::allocate_pinned(uint64_t bytes) const {
  if (!state_) return empty_device();
  Buffer buffer;
  buffer.bytes_ = bytes;
  if (state_->gpu) {
    KILN_TRY(buffer.data_, state_->gpu->allocate_pinned(bytes));
  } else if (!(buffer.data_ = allocate_host(bytes))) {
    return machine_error(fmt::format("out of memory: {} bytes of host memory", bytes));
  }
  buffer.owner_.reset(new Buffer::Owner{.device = state_});
  return buffer;
}

MemoryCounters Device::memory() const {
  if (!state_) return {};
  if (state_->gpu) return state_->gpu->memory_counters();
  uint64_t current = state_->current_bytes;
  return {.current_bytes = current,
          .peak_bytes = state_->peak_bytes,
          .allocations = state_->allocations,
          .reserved_bytes = current};
}

Result<uint64_t> Device::free_memory() const {
  if (!state_) return empty_device();
  if (!is_gpu()) return page_bytes(_SC_AVPHYS_PAGES);
  KILN_TRY(auto bytes, state_->gpu->free_and_total());
  return bytes.first;
}

Result<void> Device::trim(uint64_t keep) const {
  return !state_ ? empty_device() : is_gpu() ? state_->gpu->trim(keep) : Result<void>();
}
Result<void> Device::set_kept_memory(uint64_t bytes) const {
  return !state_ ? empty_device() : is_gpu() ? state_->gpu->set_kept_memory(bytes) : Result<void>();
}
Result<void> Device::synchronize() const {
  return !state_ ? empty_device() : is_gpu() ? state_->gpu->synchronize() : Result<void>();
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
  if (owner_ && data_) owner_->release(data_, bytes_);
}

void Buffer::Owner::release(void *data, uint64_t bytes) {
  if (gpu) return gpu->release(uint64_t(reinterpret_cast<uintptr_t>(data)), bytes);
  if (device->gpu) return device->gpu->release_pinned(data);
  if (!queue) return std::free(data);
  device->current_bytes -= bytes;
  queue->task([](void *memory, const void *, uint64_t) { std::free(memory); }, data, nullptr, 0);
}

} // namespace kiln
