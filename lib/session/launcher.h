// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches by a function's name: a job is made of the name and the arguments' types once a world, and what is
// prepared of it is looked up after that.
#pragma once

#include "launch_table.h"
#include "prepared_code.h"
#include "quick_tier.h"
#include "resolve.h"

namespace kiln {

class Coarsener;

/// Thread-safe.
class Launcher {
public:
  /// All must outlive it.
  Launcher(CodeInstanceTable &code, const TargetList &targets, const JobResolver &jobs,
           PreparedCode &prepared, const Devices &devices, QuickTier *tier, const Coarsener *coarsener)
      : code_(code), targets_(targets), jobs_(jobs), prepared_(prepared), devices_(devices), tier_(tier),
        coarsener_(coarsener) {}

  /// The config with the device's target in place of the native one. Errors: Usage.
  Result<CompilerConfig> config_for(const DeviceBackend &device, const CompilerConfig &given) const;
  /// As Session::launch of a name.
  Result<void> launch(const Device &on, std::string_view function, const LaunchShape &shape,
                      std::span<const Argument> arguments, const CompilerConfig &config,
                      const LaunchOptions &options);
  /// The same in a stream.
  Result<void> launch(const Stream::State &stream, std::string_view function, const LaunchShape &shape,
                      std::span<const Argument> arguments, const CompilerConfig &config,
                      const LaunchOptions &options);
  /// The kernel that a launch by name runs. Errors: as Session::prepare.
  Result<PinnedLaunch> prepare(const LaunchKey &question);
  LaunchTable &table() { return table_; }
  const LaunchTable &table() const { return table_; }

private:
  PinnedLaunch find(const LaunchKey &question); ///< without making anything; empty: it is not there
  /// Finds the kernel, checks the arguments, and gives both to `run`.
  template <class Run>
  Result<void> launch(const std::shared_ptr<DeviceBackend> &on, std::string_view function,
                      std::span<const Argument> arguments, const CompilerConfig &config,
                      const LaunchOptions &options, Run &&run);
  CodeInstanceTable &code_;
  const TargetList &targets_;
  const JobResolver &jobs_;
  PreparedCode &prepared_;
  const Devices &devices_;
  QuickTier *const tier_;
  const Coarsener *const coarsener_;
  LaunchTable table_;
};

} // namespace kiln
