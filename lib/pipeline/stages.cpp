// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stages.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace kiln {

bool is_wanted(Stage stage, const CompilerConfig &config) {
  switch (stage) {
  case Stage::TargetLibraries:
  case Stage::RuntimeLibrary: return config.libraries;
  case Stage::MiddleEnd: return config.optimize;
  case Stage::Cleanup: return config.cleanup;
  case Stage::Validation: return config.validate;
  default: return true;
  }
}

Result<void> verify_after(Stage stage, const llvm::Module &module) {
#ifndef NDEBUG
  std::string text;
  llvm::raw_string_ostream out(text);
  if (llvm::verifyModule(module, &out))
    return internal_error(fmt::format("the module is broken after {}: {}", stage_name(stage), out.str()));
#endif
  (void)stage;
  (void)module;
  return {};
}

uint64_t instruction_count(const llvm::Module &module) {
  uint64_t count = 0;
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function) count += block.size();
  return count;
}

uint64_t GrowthNote::count() const { return instruction_count(module_); }

void GrowthNote::stage_is_over(const WarnFunction *warn) {
  if (!scope_.is_timed()) return;
  const uint64_t after = count();
  if (!scope_.note_instructions(before_, after) || !warn || !*warn) return;
  (*warn)(Diagnostic{
      .code = ErrorCode::None,
      .message =
          fmt::format("{} LLVM instructions became {} in the stage {}", before_, after, stage_name(stage_)),
      .hint = "what comes behind takes as many times longer: look for large unrolled or inlined loops, and "
              "mark what need not be inlined @noinline"});
}

} // namespace kiln
