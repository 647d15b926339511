// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timing rows for the passes of LLVM's code generator. Its pass manager has no callbacks, so clock passes are
// inserted between the others. Their kind preserves the order of the other passes.
#pragma once

#include <kiln/extension/language/internal/stage_timer.h>

#include <llvm/IR/LegacyPassManager.h>

#include <memory>
#include <string>

namespace kiln {

/// Adds each pass to `passes` with a clock before it. `passes` and `timer` must outlive the run.
class TimedPasses final : public llvm::legacy::PassManagerBase {
public:
  TimedPasses(llvm::legacy::PassManagerBase &passes, Timer &timer);
  ~TimedPasses() override;
  void add(llvm::Pass *pass) override;
  void finish(); ///< call after the last pass of a run

  class Clock;

private:
  llvm::legacy::PassManagerBase &passes_;
  const std::unique_ptr<Clock> clock_;
  /// Name of the current group of loop passes, which share a clock: another kind of pass between them would
  /// make them run over all loops one after the other, not together.
  std::shared_ptr<std::string> loop_passes_;
};

} // namespace kiln
