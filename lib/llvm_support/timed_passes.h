// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes timing rows for the passes of LLVM's code generator. Its legacy pass manager has no callbacks. Passes
// that only start a clock are therefore inserted between the others. A clock has the kind of the next pass,
// so that the order of the passes does not change.
#pragma once

#include <kiln/extension/language/internal/stage_timer.h>

#include <llvm/IR/LegacyPassManager.h>

#include <memory>
#include <string>

namespace kiln {

/// Adds passes to another pass manager, each after a clock pass. `passes` and `timer` must outlive the run.
class TimedPasses final : public llvm::legacy::PassManagerBase {
public:
  TimedPasses(llvm::legacy::PassManagerBase &passes, Timer &timer);
  ~TimedPasses() override;
  void add(llvm::Pass *pass) override;
  void finish(); ///< must be called after each run

  class Clock;

private:
  llvm::legacy::PassManagerBase &passes_;
  const std::unique_ptr<Clock> clock_;
  /// Name of the open group of loop passes, which share one clock. A clock between them would split the
  /// group, and each pass would run over all loops alone.
  std::shared_ptr<std::string> loop_passes_;
};

} // namespace kiln
