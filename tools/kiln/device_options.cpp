// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that select a device, and targets whose code a device loads.
#include "options.h"

#include "process_clock.h"

#include <host/host.h>
#include <targets/targets.h>

namespace kiln::tool {

/// Returns the kind of devices that load a target's code.
static DeviceKind kind_for(const TargetCapabilities &capabilities) {
  return capabilities.runs_on_host ? DeviceKind::Cpu : capabilities.device;
}

Result<CompilerConfig> CompileOptions::config_on(Session &session, const Device &device) const {
  if (!device.is_gpu()) return config(true);
  KILN_TRY(std::vector<CompilerConfig> all, read_configs({.target = device.target()}, false));
  KILN_CHECK(check_device(all[0], device.kind()));
  return session.config_for(device, all[0]);
}

Result<void> check_device(const CompilerConfig &config, DeviceKind kind) {
  const DeviceKind wanted = kind_for(capabilities_of(config.target));
  if (wanted == kind) return {};
  constexpr std::string_view places[] = {"the CPU", "a GPU", "an OpenCL device"};
  return usage_error(fmt::format("--target {} is for {}: --device {}", config.target.name(),
                                 places[size_t(wanted)], device_kind_names[size_t(wanted)]));
}

/// The target's spec without options.
static Result<TargetSpec> default_spec(const Target &target) {
  return target.read_spec([](std::string_view, TargetOptionPlace) -> Result<void> { return {}; });
}

bool runs_on_host(std::string_view target_name) {
  const Target *target = find_target(target_name);
  if (!target) return true; // reading the options reports the name
  const auto defaults = default_spec(*target);
  return !defaults.ok() || target->capabilities(*defaults).runs_on_host;
}

Result<std::string> target_for(DeviceKind kind) {
  for (const Target *target : all_targets()) {
    const auto defaults = default_spec(*target);
    if (defaults.ok() && kind_for(target->capabilities(*defaults)) == kind)
      return std::string(target->name());
  }
  return usage_error(
      fmt::format("this build compiles no code for --device {}", device_kind_names[size_t(kind)]));
}

TargetCapabilities capabilities_of(const TargetSpec &spec) {
  return own_targets().of(spec).capabilities(spec);
}

Result<DeviceName> RunOptions::place() const {
  if (device.empty()) {
    const uint64_t began = Timer::now();
    auto driver = CudaDriver::open();
    note_before_session(stage_name(Stage::OpenDevice), began);
    return DeviceName{driver.ok() ? DeviceKind::Cuda : DeviceKind::Cpu, 0};
  }
  return read_device_name(device);
}

} // namespace kiln::tool
