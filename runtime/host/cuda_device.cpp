// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_device.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln {

namespace {

// CUdevice_attribute (cuda.h).
enum Attribute {
  max_threads = 1,
  MaxBlockX = 2,
  MaxGridX = 5,
  SharedOfBlock = 8,
  WarpThreads = 10,
  RegistersOfBlock = 12,
  Multiprocessors = 16,
  L2Bytes = 38,
  ThreadsOfMultiprocessor = 39,
  Major = 75,
  Minor = 76,
  SharedOfMultiprocessor = 81,
  PageableMemoryAccess = 88,
  CooperativeLaunch = 95,
  SharedOptIn = 97,
  MemoryPools = 115,
  ClusterLaunch = 120
};

int attribute_of(const CudaDriver &driver, int device, int which) {
  int value = 0;
  driver.DeviceGetAttribute(&value, which, device);
  return value;
}

} // namespace

Result<GpuInfo> CudaDevice::describe(const CudaDriver &cu, int number) {
  if (number < 0 || number >= cu.device_count())
    return machine_error(fmt::format("there is no GPU {}: the driver sees {}", number,
                                     cu.device_count() == 1 ? "one, number 0"
                                                            : fmt::format("0 to {}", cu.device_count() - 1)));
  int device = 0;
  KILN_CHECK(cu.check(cu.DeviceGet(&device, number), "finding the GPU"));
  GpuInfo info{.number = number, .kind = DeviceKind::Cuda};
  char name[256] = "";
  cu.DeviceGetName(name, sizeof name - 1, device);
  info.name = name;
  info.sm = 10 * attribute_of(cu, device, Major) + attribute_of(cu, device, Minor);
  size_t total = 0;
  cu.DeviceTotalMem(&total, device);
  info.memory_bytes = total;
  info.multiprocessors = uint32_t(attribute_of(cu, device, Multiprocessors));
  return info;
}

Result<void> CudaDevice::start(int number) {
  CudaDriver &cu = *driver_;
  KILN_TRY(info_, describe(cu, number));
  KILN_CHECK(cu.check(cu.DeviceGet(&device_, number), "finding the GPU"));
  if (info_.sm < 50)
    return machine_error(fmt::format("{} is sm_{}: Kiln needs sm_50 or newer", info_.name, info_.sm));
  auto attribute = [&](int which) { return uint32_t(attribute_of(cu, device_, which)); };
  DeviceLimits &l = limits_;
  l.threads_of_block = attribute(max_threads);
  for (int i = 0; i < 3; i++) {
    l.block[size_t(i)] = attribute(MaxBlockX + i);
    l.grid[size_t(i)] = attribute(MaxGridX + i);
  }
  l.shared_bytes = std::max(attribute(SharedOptIn), attribute(SharedOfBlock));
  l.shared_bytes_of_multiprocessor = attribute(SharedOfMultiprocessor);
  l.registers_of_block = attribute(RegistersOfBlock);
  l.warp = attribute(WarpThreads);
  l.threads_of_multiprocessor = attribute(ThreadsOfMultiprocessor);
  l.l2_bytes = attribute(L2Bytes);
  l.cooperative = attribute(CooperativeLaunch);
  l.clusters = attribute(ClusterLaunch);
  has_pools_ = attribute(MemoryPools);
  reads_host_memory_ = attribute(PageableMemoryAccess);
  return {};
}

Result<std::shared_ptr<CudaDevice>> CudaDevice::open(std::shared_ptr<CudaDriver> driver, int number) {
  std::shared_ptr<CudaDevice> device(new CudaDevice());
  CudaDevice &d = *device;
  d.driver_ = std::move(driver);
  KILN_CHECK(d.start(number));
  KILN_CHECK(d.driver_->check(d.driver_->PrimaryContextRetain(&d.context_, d.device_),
                              "making a context on the GPU"));
  d.primary_ = true;
  KILN_CHECK(d.enter());
  return device;
}

Result<std::shared_ptr<CudaDevice>> CudaDevice::open_context(std::shared_ptr<CudaDriver> driver,
                                                             void *context) {
  if (!context)
    return usage_error("a null CUcontext: make one with cuCtxCreate, or use the GPU's primary context");
  std::shared_ptr<CudaDevice> device(new CudaDevice());
  CudaDevice &d = *device;
  d.driver_ = std::move(driver);
  d.context_ = context;
  if (int status = d.driver_->ContextSetCurrent(context)) {
    d.context_ = nullptr;
    return usage_error(d.driver_->error(status, "this is no CUcontext that lives").diagnostics()[0].message);
  }
  int handle = 0, found = 0;
  KILN_CHECK(d.driver_->check(d.driver_->ContextGetDevice(&handle), "finding the context's GPU"));
  for (int n = 0; n < d.driver_->device_count(); n++) {
    int each = 0;
    if (d.driver_->DeviceGet(&each, n) == 0 && each == handle) found = n;
  }
  KILN_CHECK(d.start(found));
  return device;
}

CudaDevice::~CudaDevice() {
  if (!context_) return;
  if (pool_) {
    (void)enter();
    driver_->MemPoolDestroy(pool_);
  }
  if (primary_) driver_->PrimaryContextRelease(device_);
}

Error CudaDevice::error(int status, const std::string &what) {
  Error error = driver_->error(status, what);
  if (!CudaDriver::is_sticky(status)) return error;
  std::lock_guard lock(mutex_);
  if (lost_.empty())
    lost_ = error.diagnostics()[0].message;
  else
    error.diagnostics()[0].notes.push_back({"the context was lost before: " + lost_, {}});
  return error;
}

Result<void> CudaDevice::synchronize() {
  KILN_CHECK(enter());
  return check(driver_->ContextSynchronize(), "waiting for the GPU");
}

void CudaDevice::capture_began() {
  std::lock_guard lock(mutex_);
  capturing_.push_back(std::this_thread::get_id());
}
void CudaDevice::capture_ended() {
  std::lock_guard lock(mutex_);
  if (auto it = std::find(capturing_.begin(), capturing_.end(), std::this_thread::get_id());
      it != capturing_.end())
    capturing_.erase(it);
}
bool CudaDevice::captures_here() const {
  std::lock_guard lock(mutex_);
  return std::find(capturing_.begin(), capturing_.end(), std::this_thread::get_id()) != capturing_.end();
}

} // namespace kiln
