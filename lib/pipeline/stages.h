// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs each stage of the pipeline (run_stage). Times the stage, skips it if the config says so, and starts no
// stage of a cancelled job. Builds with assertions verify the module afterwards.
#pragma once

#include <kiln/job.h>
#include <support/cancellation.h>
#include <support/support.h>

#include <functional>

namespace llvm {
class Module;
}

namespace kiln {

/// True if the config does not disable this stage.
bool is_wanted(Stage stage, const CompilerConfig &config);

/// Verifies the module after a stage. Error (Internal, naming the stage): the module is not well-formed. Does
/// nothing in release builds.
Result<void> verify_after(Stage stage, const llvm::Module &module);

/// Receives warnings; may be empty.
using WarnFunction = std::function<void(const Diagnostic &)>;

/// Returns the number of instructions. Three times as fast as Module::getInstructionCount, which must skip
/// debug intrinsics. Kiln's modules have debug records instead, which are not instructions.
uint64_t instruction_count(const llvm::Module &module);

/// Scope that counts a module's instructions before and after a stage while the timer is enabled. Strong
/// growth is reported in the timing report, and to `warn` unless it is null.
class GrowthNote {
public:
  GrowthNote(StageScope &scope, Stage stage, const llvm::Module &module)
      : scope_(scope), stage_(stage), module_(module), before_(scope.is_timed() ? count() : 0) {}
  void stage_is_over(const WarnFunction *warn);

private:
  uint64_t count() const;
  StageScope &scope_;
  const Stage stage_;
  const llvm::Module &module_;
  const uint64_t before_;
};

/// Runs a stage that changes a module in place.
template <class Function>
Result<void> run_stage(Timer *timer, const CompilerConfig &config, Stage stage, llvm::Module &module,
                       Function &&fn, const WarnFunction *warn = nullptr) {
  if (!is_wanted(stage, config)) return {};
  KILN_CHECK(check_cancellation());
  StageScope scope(timer, stage);
  GrowthNote growth(scope, stage, module);
  KILN_CHECK(fn());
  growth.stage_is_over(warn);
  return verify_after(stage, module);
}

/// Runs a stage that makes a new object. If its function does not return a Result, it cannot fail, and it
/// runs even if the job is cancelled.
template <class Function> auto run_stage(Timer *timer, Stage stage, Function &&fn) {
  using Value = std::invoke_result_t<Function>;
  if constexpr (std::is_constructible_v<Value, Error>)
    if (Result<void> stopped = check_cancellation(); !stopped.ok()) return Value(stopped.take_error());
  StageScope scope(timer, stage);
  return fn();
}

} // namespace kiln
