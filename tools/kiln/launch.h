// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What run and bench share: from their command line to launches on the CPU or a GPU and the files of results.
#pragma once

#include "measure.h"
#include "options.h"

namespace kiln::tool {

/// The options of both commands.
struct LaunchCommand {
  CompileOptions compile;
  CommonOptions common;
  RunOptions launch;
};

/// Everything that the command line says, checked before any work.
struct LaunchPlan {
  const LaunchCommand &command;
  CompilerConfig config;
  LaunchShape shape;
  kiln::LaunchOptions limits;
  std::optional<int> gpu; ///< none: the CPU
  std::string context;    ///< of --ndrange, as an expression; empty: none
  std::vector<RunOptions::Output> outputs;
  std::optional<ArtifactKind> artifact; ///< to be written too
  const BenchOptions *bench = nullptr;  ///< null: one launch
};

/// Errors: Usage for options that do not go together, Input for what cannot be read or written.
Result<LaunchPlan> make_plan(const LaunchCommand &command);
/// In a session of its own.
Result<void> run_plan(const LaunchPlan &plan);

} // namespace kiln::tool
