// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row for each pass of LLVM's code generator. Its pass manager has no callbacks, so passes that do nothing
// but read the clock stand between the others, of a kind that leaves the order in which these run as it is.
#pragma once

#include <kiln/extension/language/internal/stage_timer.h>

#include <llvm/IR/LegacyPassManager.h>

#include <memory>
#include <string>

namespace kiln {

/// Adds to `passes` what is added to it, with a clock in front of each. Both outlive the run.
class TimedPasses final : public llvm::legacy::PassManagerBase {
public:
  TimedPasses(llvm::legacy::PassManagerBase &passes, Timer &timer);
  ~TimedPasses() override;
  void add(llvm::Pass *pass) override;
  void finish(); ///< of a run: the last pass is over

  class Clock;

private:
  llvm::legacy::PassManagerBase &passes_;
  const std::unique_ptr<Clock> clock_;
  /// That of the loop passes just added, which share one: another kind of pass between them would have them
  /// run over all loops one after the other, not together.
  std::shared_ptr<std::string> loop_passes_;
};

} // namespace kiln
