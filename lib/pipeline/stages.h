// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run_stage: the one choke point of the pipeline. It times a stage, skips it where the config says so,
// verifies the module behind it in builds with assertions, and begins none of a job that was told to stop.
#pragma once

#include <kiln/job.h>
#include <support/cancellation.h>
#include <support/support.h>

#include <functional>

namespace llvm {
class Module;
}

namespace kiln {

/// Whether the config wants this stage.
bool is_wanted(Stage stage, const CompilerConfig &config);

/// Error (Internal, naming the stage): the module is not well-formed. Does nothing in release builds.
Result<void> verify_after(Stage stage, const llvm::Module &module);

/// Hears of what is hardly meant; may be empty.
using WarnFunction = std::function<void(const Diagnostic &)>;

/// In a third of the time of Module::getInstructionCount, which filters debug intrinsics: debug information
/// is in records here, and none of them is an instruction.
uint64_t instruction_count(const llvm::Module &module);

/// While the timer is on, counts a module's instructions before and after a stage; where the stage multiplied
/// them, `warn` (null: nobody) hears of it, and the report has it too.
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
