// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run_stage: the one choke point of the flow. It times a stage, skips it where the config says so, and checks
// the module after it in builds with assertions.
#pragma once

#include "driver.h"

namespace llvm {
class Module;
}

namespace kiln {

/// Whether the config wants this stage.
bool is_wanted(Stage stage, const CompilerConfig &config);

/// The module if it is well-formed; an Internal error naming the stage otherwise. Does nothing in release builds.
Result<void> verify_after(Stage stage, const llvm::Module &module);

/// Runs a stage that changes a module in place.
template <class Function> Result<void> run_stage(Driver &driver, const CompilerConfig &config, Stage stage, llvm::Module &module, Function &&fn) {
  if (!is_wanted(stage, config)) return {};
  StageScope scope(driver.timer, stage);
  KILN_CHECK(fn());
  return verify_after(stage, module);
}

/// Runs a stage that makes something new.
template <class Function> auto run_stage(Driver &driver, Stage stage, Function &&fn) {
  StageScope scope(driver.timer, stage);
  return fn();
}

} // namespace kiln
