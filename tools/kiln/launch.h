// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by run and bench: from the command line to launches on the CPU or a GPU and result files.
#pragma once

#include "measure.h"
#include "options.h"

namespace kiln::tool {

/// The options of both commands.
struct LaunchCommand {
  CompileOptions compile;
  CommonOptions common;
  RunOptions launch;
  bool json = false;
};

/// A checked command line. The checks come before any work.
struct LaunchPlan {
  const LaunchCommand &command;
  CompilerConfig config;
  LaunchShape shape;
  kiln::LaunchOptions limits;
  std::optional<int> gpu; ///< empty: the CPU
  std::string context;    ///< of --ndrange, as an expression; may be empty
  std::vector<RunOptions::Output> outputs;
  std::optional<ArtifactKind> artifact; ///< an artifact to write as well
  const BenchOptions *bench = nullptr;  ///< null: one launch
};

/// Errors: Usage, for conflicting options; Input, for files that cannot be read or written.
Result<LaunchPlan> make_plan(const LaunchCommand &command);
/// Runs the plan in a new session.
Result<void> run_plan(const LaunchPlan &plan);

} // namespace kiln::tool
