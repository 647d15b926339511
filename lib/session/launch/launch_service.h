// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Service LaunchService of a session: devices, loaded kernels, and launches. Files:
//   launch_table      lock-free cache of launches by name
//   launch_by_name    launches a kernel by its function's name
//   code_loader       loads compiled code; job_code: compiles a job for a device
//   kernel_improver   makes better code for loaded kernels in the background
//   driver_assembler  uses a GPU's driver as the assembler
//   session_launch    public functions of Session; calls: functions of kiln/extension/language/calls.h
#pragma once

#include "code_loader.h"
#include "kernel_improver.h"
#include "launch_table.h"

#include <devices/devices.h>

namespace kiln {

/// Thread-safe.
class LaunchService {
public:
  LaunchService(const SessionOptions &options, const CallGate &gate, JobService &jobs,
                std::shared_ptr<SessionRuntime> runtime, std::shared_ptr<VisibleCode> visible);
  ~LaunchService() { jobs_.objects().set_users({}); }
  LaunchService(const LaunchService &) = delete;
  LaunchService &operator=(const LaunchService &) = delete;
  /// Stops the background work.
  void close() { improver_.stop(); }

  const std::shared_ptr<SessionRuntime> &runtime() const { return runtime_; }
  Devices &devices() { return devices_; }
  /// Returns the config for a kernel on the device: replaces a native target by the device's target. Errors:
  /// Usage.
  Result<CompilerConfig> config_for(const DeviceBackend &device, const CompilerConfig &given) const;

  // ---- by name (Session::launch)
  Result<void> launch(const Device &on, std::string_view function, const LaunchShape &shape,
                      std::span<const Argument> arguments, const CompilerConfig &config,
                      const LaunchOptions &options);
  Result<void> launch(const Stream::State &stream, std::string_view function, const LaunchShape &shape,
                      std::span<const Argument> arguments, const CompilerConfig &config,
                      const LaunchOptions &options);
  /// Returns the kernel for a launch by name; cached until the next definition. Errors: those of
  /// Session::prepare.
  Result<PinnedLaunch> kernel(const LaunchKey &key);
  uint64_t table_hits() const { return table_.hits(); }

  // ---- by job
  /// Compiles a job and loads the kernel on a device. `may_be_quick`: quickly assembled code may be used
  /// first. Errors: those of Session::prepare.
  KILN_PROGRAMS_API Result<Kernel> prepare(const CompilerJob &job, const Device &device,
                                           bool may_be_quick = true);
  /// Compiles and loads a plain function, always with EntryAbi::Packed. *returns becomes the type of its
  /// result; `returns` may be null. Errors: Usage; those of Session::compile.
  KILN_PROGRAMS_API Result<HostFunction> host_function(CompilerJob job, TypeRef *returns = nullptr);
  /// Checks that the job is a kernel for the device's target. Error: Usage.
  Result<void> check_target(const Job &job, const Device &device) const;

  void wait_for_background() { improver_.wait(); }

private:
  PinnedLaunch find(const LaunchKey &key);
  template <class Run>
  Result<void> launch(const std::shared_ptr<DeviceBackend> &on, std::string_view function,
                      std::span<const Argument> arguments, const CompilerConfig &config,
                      const LaunchOptions &options, Run &&run);

  const std::shared_ptr<SessionRuntime> runtime_;
  JobService &jobs_;
  Devices devices_;
  CodeLoader loader_;
  KernelImprover improver_;
  LaunchTable table_; ///< last member, so that it is destroyed first: its kernels refer to the others
};

} // namespace kiln
