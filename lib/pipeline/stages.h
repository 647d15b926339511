// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run_stage runs each stage of the pipeline. It times the stage, and skips it if the config says so. In
// builds with assertions it verifies the module afterwards. It starts no stage of a cancelled job.
#pragma once

#include <kiln/job.h>
#include <support/cancellation.h>
#include <support/support.h>

#include <functional>

namespace llvm {
class Module;
}

namespace kiln {

/// True if the config includes this stage.
bool is_wanted(Stage stage, const CompilerConfig &config);

/// Error (Internal, naming the stage): the module is not well-formed. Does nothing in release builds.
Result<void> verify_after(Stage stage, const llvm::Module &module);

/// Receives warnings; may be empty.
using WarnFunction = std::function<void(const Diagnostic &)>;

/// Number of instructions. Three times as fast as Module::getInstructionCount, which filters debug
/// intrinsics: here debug information is in records, which are not instructions.
uint64_t instruction_count(const llvm::Module &module);

/// While the timer is on, counts a module's instructions before and after a stage. Strong growth is reported
/// to `warn` (null: not) and in the timing report.
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

/// Runs a stage that makes a new object. A stage that does not return a Result cannot fail, and runs also in
/// a cancelled job.
template <class Function> auto run_stage(Timer *timer, Stage stage, Function &&fn) {
  using Value = std::invoke_result_t<Function>;
  if constexpr (std::is_constructible_v<Value, Error>)
    if (Result<void> stopped = check_cancellation(); !stopped.ok()) return Value(stopped.take_error());
  StageScope scope(timer, stage);
  return fn();
}

} // namespace kiln
