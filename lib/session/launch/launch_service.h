// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Service LaunchService: devices, kernels that are ready to launch, and launches.
//   launch_table      lock-free cache of launches by name
//   launch_by_name    launches by a function's name
//   code_loader       loads compiled code; job_code: a job as a source of code
//   kernel_improver   better code for running kernels, made in the background
//   driver_assembler  a GPU's driver in place of an assembler
//   session_launch    the public functions; calls: kiln/extension/language/calls.h
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
  /// The config with the device's target in place of the native one. Errors: Usage.
  Result<CompilerConfig> config_for(const DeviceBackend &device, const CompilerConfig &given) const;

  // ---- by name (Session::launch)
  Result<void> launch(const Device &on, std::string_view function, const LaunchShape &shape,
                      std::span<const Argument> arguments, const CompilerConfig &config,
                      const LaunchOptions &options);
  Result<void> launch(const Stream::State &stream, std::string_view function, const LaunchShape &shape,
                      std::span<const Argument> arguments, const CompilerConfig &config,
                      const LaunchOptions &options);
  /// The kernel that a launch by name runs: cached until something is defined. Errors: Session::prepare's.
  Result<PinnedLaunch> kernel(const LaunchKey &key);
  uint64_t table_hits() const { return table_.hits(); }

  // ---- by job
  /// Loads a kernel on a device. `may_be_quick`: it may begin with fast code. Errors: Session::prepare's.
  KILN_PROGRAMS_API Result<Kernel> prepare(const CompilerJob &job, const Device &device,
                                           bool may_be_quick = true);
  /// Loads a plain function, whatever ABI its config names. Errors: Usage; those of Session::compile.
  /// `returns`: receives the type of its result, if not null.
  KILN_PROGRAMS_API Result<HostFunction> host_function(CompilerJob job, TypeRef *returns = nullptr);
  /// Is the job a kernel for the device's target? Error: Usage.
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
  LaunchTable table_; ///< last member: its kernels refer to the others
};

} // namespace kiln
