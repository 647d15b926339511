// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opencl_device.h"

#include "driver_faults.h"

#include <kiln/extension/language/internal/hint.h>

#include <fmt/format.h>

namespace kiln {

Result<std::shared_ptr<OpenClDevice>> OpenClDevice::open(std::shared_ptr<OpenClDriver> driver, int number,
                                                         OpenClMemory memory) {
  KILN_TRY(const OpenClFacts *facts, driver->device(number));
  KILN_CHECK(check_driver_faults(facts->info));
  std::shared_ptr<OpenClDevice> device(new OpenClDevice());
  OpenClDevice &d = *device;
  d.driver_ = std::move(driver);
  d.facts_ = *facts;
  if (memory == OpenClMemory::Svm && facts->has_svm) d.facts_.memory = OpenClMemory::Svm;
  if (d.facts_.memory == OpenClMemory::Usm) {
    d.usm_ = d.driver_->usm_functions(facts->platform);
    bool is_whole = true;
#define KILN_OPENCL_EXTENSION(result, name, ...) is_whole &= d.usm_.name != nullptr;
#include "opencl_functions.def"
    if (!is_whole) d.facts_.memory = facts->has_svm ? OpenClMemory::Svm : OpenClMemory::None;
  }
  if (d.facts_.memory == OpenClMemory::None)
    return machine_error(
        fmt::format("{} has neither unified shared memory (cl_intel_unified_shared_memory) nor fine-grained "
                    "shared virtual memory, so that kernels cannot follow pointers",
                    facts->info.name),
        "take another device: kiln doctor lists them; " + device_hint("cpu") + " runs the same kernel");
  int status = 0;
  d.context_ = d.driver_->CreateContext(nullptr, 1, &facts->device, nullptr, nullptr, &status);
  KILN_CHECK(d.driver_->check(status, fmt::format("opening {}", facts->info.name), "clCreateContext"));
  return device;
}

OpenClDevice::~OpenClDevice() {
  if (!context_) return;
  {
    std::lock_guard lock(pool_mutex_);
    shrink(0, true);
  }
  driver_->ReleaseContext(context_);
}

Result<void> OpenClDevice::grant_new_memory(void *kernel, uint64_t &stamp) {
  constexpr uint32_t yes = 1;
  auto set = [&](uint32_t what, size_t bytes, const void *value) {
    return driver_->check(driver_->SetKernelExecInfo(kernel, what, bytes, value),
                          "letting a kernel follow pointers", "clSetKernelExecInfo");
  };
  // A kernel that may access all memory of the process needs no list of blocks.
  if (facts_.has_svm && facts_.reaches_host_memory)
    (void)driver_->SetKernelExecInfo(kernel, cl::KernelHostMemory, sizeof yes, &yes);
  if (has_usm()) {
    for (uint32_t what : {cl::KernelHostUsm, cl::KernelDeviceUsm, cl::KernelSharedUsm})
      KILN_CHECK(set(what, sizeof yes, &yes));
    stamp = blocks_stamp_.load(std::memory_order_acquire);
    return {};
  }
  std::vector<void *> pointers;
  std::shared_lock lock(blocks_mutex_);
  for (const auto &[address, bytes] : blocks_)
    pointers.push_back(reinterpret_cast<void *>(uintptr_t(address)));
  if (!pointers.empty())
    KILN_CHECK(set(cl::KernelPointers, pointers.size() * sizeof(void *), pointers.data()));
  stamp = blocks_stamp_.load(std::memory_order_acquire);
  return {};
}

} // namespace kiln
