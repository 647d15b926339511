// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

namespace kiln {

namespace {

// CUdevice_attribute and CUfunction_attribute (cuda.h).
enum Attribute { MaxThreads = 1, MaxBlockX = 2, MaxGridX = 5, Major = 75, Minor = 76, MaxSharedOptIn = 97 };
constexpr int MaxDynamicShared = 8;
constexpr unsigned HostMapped = 2, NonBlocking = 1;
constexpr uint64_t DefaultShared = 48 * 1024; ///< more has to be asked for

} // namespace

CudaBuffer &CudaBuffer::operator=(CudaBuffer &&other) noexcept {
  std::swap(driver_, other.driver_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}
CudaBuffer::~CudaBuffer() {
  if (address_) driver_->MemFree(address_);
}

CudaKernel::~CudaKernel() {
  if (exception_) driver_->MemFreeHost(exception_);
  if (library_) driver_->LibraryUnload(library_);
}

int CudaDevice::attribute(int which) const {
  int value = 0;
  driver_->DeviceGetAttribute(&value, which, device_);
  return value;
}

Result<std::shared_ptr<CudaDevice>> CudaDevice::open(std::shared_ptr<CudaDriver> driver, int number) {
  if (number < 0 || number >= driver->device_count())
    return machine_error(fmt::format("there is no GPU {}: the driver sees {}", number, driver->device_count() == 1 ? "one, number 0" : fmt::format("0 to {}", driver->device_count() - 1)));
  std::shared_ptr<CudaDevice> device(new CudaDevice());
  CudaDevice &d = *device;
  d.driver_ = std::move(driver);
  CudaDriver &cu = *d.driver_;
  KILN_CHECK(cu.check(cu.DeviceGet(&d.device_, number), "finding the GPU"));
  char name[256] = "";
  cu.DeviceGetName(name, sizeof name - 1, d.device_);
  d.name_ = name;
  d.sm_ = 10 * d.attribute(Major) + d.attribute(Minor);
  if (d.sm_ < 50) return machine_error(fmt::format("{} is sm_{}: Kiln needs sm_50 or newer", d.name_, d.sm_));
  d.max_threads_ = d.attribute(MaxThreads);
  d.max_shared_ = d.attribute(MaxSharedOptIn);
  for (int i = 0; i < 3; i++) {
    d.max_block_[i] = d.attribute(MaxBlockX + i);
    d.max_grid_[i] = d.attribute(MaxGridX + i);
  }
  KILN_CHECK(cu.check(cu.PrimaryContextRetain(&d.context_, d.device_), "making a context on the GPU"));
  KILN_CHECK(d.enter());
  KILN_CHECK(cu.check(cu.StreamCreate(&d.stream_, NonBlocking), "making a stream"));
  for (void *&mark : d.marks_) KILN_CHECK(cu.check(cu.EventCreate(&mark, 0), "making an event"));
  return device;
}

CudaDevice::~CudaDevice() {
  if (!context_) return;
  driver_->ContextSetCurrent(context_);
  for (void *mark : marks_)
    if (mark) driver_->EventDestroy(mark);
  if (stream_) driver_->StreamDestroy(stream_);
  driver_->PrimaryContextRelease(device_);
}

Result<void> CudaDevice::enter() { return driver_->check(driver_->ContextSetCurrent(context_), "entering the GPU's context"); }

Result<CudaBuffer> CudaDevice::allocate(uint64_t bytes) {
  KILN_CHECK(enter());
  CudaBuffer buffer;
  buffer.bytes_ = bytes;
  if (bytes == 0) return buffer;
  if (int status = driver_->MemAlloc(&buffer.address_, bytes)) {
    size_t available = 0, total = 0;
    driver_->MemGetInfo(&available, &total);
    return driver_->error(status, fmt::format("allocating {} bytes on {}, which has {} of {} MB left", bytes, name_, available >> 20, total >> 20));
  }
  buffer.driver_ = driver_;
  return buffer;
}

Result<void> CudaDevice::copy_in(const CudaBuffer &to, std::span<const std::byte> from) {
  if (from.empty()) return {};
  KILN_CHECK(enter());
  return driver_->check(driver_->MemcpyToDevice(to.address(), from.data(), from.size()), "copying to the GPU");
}

Result<void> CudaDevice::copy_out(std::span<std::byte> to, const CudaBuffer &from) {
  if (to.empty()) return {};
  KILN_CHECK(enter());
  return driver_->check(driver_->MemcpyToHost(to.data(), from.address(), to.size()), "copying from the GPU");
}

Result<std::shared_ptr<CudaKernel>> CudaDevice::load(std::string_view cubin, const KernelFacts &facts) {
  KILN_CHECK(enter());
  std::shared_ptr<CudaKernel> kernel(new CudaKernel());
  CudaKernel &k = *kernel;
  CudaDriver &cu = *driver_;
  k.driver_ = driver_;
  k.name_ = facts.entry;
  k.has_state_ = facts.has_kernel_state;
  k.cooperative_ = facts.cooperative;
  k.static_shared_ = facts.static_shared;
  if (int status = cu.LibraryLoadData(&k.library_, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0))
    return cu.error(status, fmt::format("loading {} on {} (sm_{})", k.name_, name_, sm_));
  void *handle = nullptr;
  KILN_CHECK(cu.check(cu.LibraryGetKernel(&handle, k.library_, k.name_.c_str()), "finding the kernel in its cubin"));
  KILN_CHECK(cu.check(cu.KernelGetFunction(&k.function_, handle), "loading the kernel"));
  if (k.has_state_) {
    void *record = nullptr;
    KILN_CHECK(cu.check(cu.MemHostAlloc(&record, sizeof(abi::ExceptionRecord), HostMapped), "allocating the exception record"));
    k.exception_ = static_cast<abi::ExceptionRecord *>(record);
    std::memset(record, 0, sizeof(abi::ExceptionRecord));
    KILN_CHECK(cu.check(cu.MemHostGetDevicePointer(&k.state_.exception, record, 0), "mapping the exception record"));
  }
  return kernel;
}

Result<void> CudaDevice::check(const CudaKernel &kernel, const LaunchShape &shape) const {
  uint64_t threads = 1;
  for (size_t i = 0; i < 3; i++) {
    if (shape.blocks[i] == 0 || shape.threads[i] == 0)
      return usage_error(fmt::format("a launch of {} blocks of {} threads: every dimension must be at least 1", fmt::join(shape.blocks, "x"), fmt::join(shape.threads, "x")));
    if (shape.blocks[i] > uint32_t(max_grid_[i])) return usage_error(fmt::format("a grid of {} blocks is too large: {} runs at most {}", fmt::join(shape.blocks, "x"), name_, fmt::join(max_grid_, "x")));
    if (shape.threads[i] > uint32_t(max_block_[i])) return usage_error(fmt::format("a block of {} threads: {} runs at most {} in each direction", fmt::join(shape.threads, "x"), name_, fmt::join(max_block_, "x")));
    threads *= shape.threads[i];
  }
  if (threads > uint64_t(max_threads_)) return usage_error(fmt::format("a block of {} threads: {} runs at most {}", threads, name_, max_threads_));
  if (shape.shared_bytes > uint64_t(max_shared_) || shape.shared_bytes + kernel.static_shared_ > uint64_t(max_shared_))
    return usage_error(fmt::format("a block with {} bytes of shared memory: {} has at most {}", shape.shared_bytes + kernel.static_shared_, name_, max_shared_));
  return {};
}

Result<void> CudaDevice::launch(CudaKernel &kernel, const LaunchShape &shape, std::span<void *const> arguments) {
  KILN_CHECK(check(kernel, shape));
  KILN_CHECK(enter());
  if (shape.shared_bytes + kernel.static_shared_ > DefaultShared)
    KILN_CHECK(driver_->check(driver_->FunctionSetAttribute(kernel.function_, MaxDynamicShared, int(shape.shared_bytes)), "asking for more shared memory"));
  constexpr size_t most = 1024; // parameters that the driver takes are 4 KB, 32 KB from CUDA 12.1 on
  void *pointers[most + 1];
  if (arguments.size() > most) return usage_error(fmt::format("{} takes {} parameters: at most {} are possible", kernel.name_, arguments.size(), most));
  size_t count = 0;
  if (kernel.has_state_) pointers[count++] = &kernel.state_;
  for (void *argument : arguments) pointers[count++] = argument;
  const auto &[blocks, threads, shared_bytes] = shape;
  if (kernel.cooperative_) {
    int status = driver_->LaunchCooperative(kernel.function_, blocks[0], blocks[1], blocks[2], threads[0], threads[1], threads[2], unsigned(shared_bytes), stream_, pointers);
    if (status == 720) // COOPERATIVE_LAUNCH_TOO_LARGE
      return input_error("LaunchError", fmt::format("a grid of {} blocks waits for all of them, and they do not fit on {} at once", fmt::join(blocks, "x"), name_), {}, "launch fewer blocks, each of which does more");
    return status ? Result<void>(driver_->error(status, "launching " + kernel.name_)) : Result<void>();
  }
  int status = driver_->LaunchKernel(kernel.function_, blocks[0], blocks[1], blocks[2], threads[0], threads[1], threads[2], unsigned(shared_bytes), stream_, pointers, nullptr);
  return status ? Result<void>(driver_->error(status, "launching " + kernel.name_)) : Result<void>();
}

Result<void> CudaDevice::synchronize(const CudaKernel &last) {
  KILN_CHECK(enter());
  int status = driver_->StreamSynchronize(stream_);
  return status ? Result<void>(driver_->error(status, "running " + last.name_)) : Result<void>();
}

Result<std::string> CudaDevice::read_text(uint64_t address) {
  std::string text;
  if (!address) return text;
  // A constant of unknown length, byte for byte: this is after an exception, and the end of its memory may be near.
  constexpr size_t most = 4096;
  for (char c = 0; text.size() < most; text += c) {
    KILN_CHECK(driver_->check(driver_->MemcpyToHost(&c, address + text.size(), 1), "reading an exception's text"));
    if (!c) break;
  }
  return text;
}

Result<CudaException> CudaDevice::take_exception(CudaKernel &kernel) {
  CudaException exception;
  if (!kernel.exception_ || !kernel.exception_->status) return exception;
  KILN_CHECK(enter());
  exception.record = *kernel.exception_;
  std::memset(kernel.exception_, 0, sizeof(abi::ExceptionRecord));
  KILN_TRY(exception.name, read_text(exception.record.name));
  KILN_TRY(exception.location, read_text(exception.record.location));
  return exception;
}

Result<void> CudaDevice::mark(int which) {
  KILN_CHECK(enter());
  return driver_->check(driver_->EventRecord(marks_[which], stream_), "recording an event");
}

Result<float> CudaDevice::milliseconds_between_marks() {
  float time = 0;
  KILN_CHECK(driver_->check(driver_->EventElapsedTime(&time, marks_[0], marks_[1]), "timing events"));
  return time;
}

} // namespace kiln
