// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_set.h"

#include "cpu_backend.h"
#include "device.h"

namespace kiln {

Devices::Devices(std::shared_ptr<SessionRuntime> runtime)
    : runtime_(std::move(runtime)), gpus_(runtime_), opencl_(runtime_) {}

Devices::~Devices() {
  if (cpu_) cpu_->finish();
  gpus_.finish();
}

const std::shared_ptr<DeviceBackend> &Devices::cpu() {
  std::call_once(cpu_is_made_, [&] { cpu_ = open_cpu(runtime_); });
  return cpu_;
}

Result<std::shared_ptr<DeviceBackend>> Devices::open(const DeviceName &name) {
  switch (name.kind) {
  case DeviceKind::Cpu: return cpu();
  case DeviceKind::Cuda: return gpus_.open(name.number);
  case DeviceKind::OpenCl: return opencl_.open(name.number);
  }
  return internal_error("a device of an unknown kind");
}

Result<std::vector<GpuInfo>> Devices::list(DeviceKind kind) {
  switch (kind) {
  case DeviceKind::Cpu: return std::vector<GpuInfo>{cpu()->info()};
  case DeviceKind::Cuda: return gpus_.list();
  case DeviceKind::OpenCl: return opencl_.list();
  }
  return internal_error("devices of an unknown kind");
}

Result<void> Devices::check(const Device &device) const { return check(state_of(device).get()); }

Result<void> Devices::check(const DeviceBackend *device) const {
  if (!device) return empty_device();
  if (&device->runtime() != runtime_.get())
    return usage_error(
        fmt::format("the device ({}) is of another session or runtime: take one of this (cpu, gpu, device)",
                    device->info().name));
  return {};
}

} // namespace kiln
