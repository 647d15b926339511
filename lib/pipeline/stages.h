// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run_stage: the one choke point of the pipeline. It times a stage, skips it where the config says so,
// verifies the module behind it in builds with assertions, and begins none of a job that was told to stop.
#pragma once

#include <kiln/job.h>
#include <support/cancellation.h>
#include <support/support.h>

namespace llvm {
class Module;
}

namespace kiln {

/// Whether the config wants this stage.
bool is_wanted(Stage stage, const CompilerConfig &config);

/// Error (Internal, naming the stage): the module is not well-formed. Does nothing in release builds.
Result<void> verify_after(Stage stage, const llvm::Module &module);

/// Runs a stage that changes a module in place.
template <class Function>
Result<void> run_stage(Timer *timer, const CompilerConfig &config, Stage stage, llvm::Module &module,
                       Function &&fn) {
  if (!is_wanted(stage, config)) return {};
  KILN_CHECK(check_cancellation());
  StageScope scope(timer, stage);
  KILN_CHECK(fn());
  return verify_after(stage, module);
}

/// Runs a stage that makes something new. One that gives no Result cannot fail, and runs also where the job
/// was told to stop.
template <class Function> auto run_stage(Timer *timer, Stage stage, Function &&fn) {
  using Value = std::invoke_result_t<Function>;
  if constexpr (std::is_constructible_v<Value, Error>)
    if (Result<void> stopped = check_cancellation(); !stopped.ok()) return Value(stopped.take_error());
  StageScope scope(timer, stage);
  return fn();
}

} // namespace kiln
