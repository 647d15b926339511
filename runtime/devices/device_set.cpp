// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_set.h"

#include "cpu_backend.h"
#include "device.h"

namespace kiln {

Devices::Devices(std::shared_ptr<SessionRuntime> runtime) : runtime_(std::move(runtime)), gpus_(runtime_) {}

Devices::~Devices() {
  if (cpu_) cpu_->finish();
  gpus_.finish();
}

const std::shared_ptr<DeviceBackend> &Devices::cpu() {
  std::call_once(cpu_is_made_, [&] { cpu_ = open_cpu(runtime_); });
  return cpu_;
}

Result<void> Devices::check(const Device &device) const { return check(state_of(device).get()); }

Result<void> Devices::check(const DeviceBackend *device) const {
  if (!device) return empty_device();
  if (&device->runtime() != runtime_.get())
    return usage_error(
        fmt::format("the device ({}) is of another session or runtime: take one of this (cpu, gpu)",
                    device->info().name));
  return {};
}

} // namespace kiln
