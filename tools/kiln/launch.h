// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the commands run and bench: checks the command line, launches on the CPU or a GPU, and writes
// results.
#pragma once

#include "measure.h"
#include "options.h"

namespace kiln::tool {

/// Command-line options of run and bench.
struct LaunchCommand {
  CompileOptions compile;
  CommonOptions common;
  RunOptions launch;
  bool json = false;
};

/// The checked command line of run or bench. All checks are done before anything is loaded or compiled.
struct LaunchPlan {
  const LaunchCommand &command;
  CompilerConfig config;
  LaunchShape shape;
  kiln::LaunchOptions limits;
  DeviceName device;
  std::string context; ///< Julia expression of the iteration space, from --ndrange; empty: none
  std::vector<RunOptions::Output> outputs;
  std::optional<ArtifactKind> artifact; ///< product to write besides the results (--emit); empty: none
  bool is_gpu() const { return device.kind != DeviceKind::Cpu; } ///< CUDA or OpenCL
  const BenchOptions *bench = nullptr; ///< measurement options; null: `kiln run`, one launch
};

/// Checks the command line and makes a plan of it. Errors: Usage, for conflicting options; Input, for files
/// that cannot be read or written.
Result<LaunchPlan> make_plan(const LaunchCommand &command);
/// Runs the plan in a new session.
Result<void> run_plan(const LaunchPlan &plan);

} // namespace kiln::tool
