// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite.h"

#include "rewrites.h"

#include <llvm_support/llvm_support.h>

namespace kiln {
namespace {

struct ListedRewrite {
  RewritePhase phase;
  Rewrite rewrite;
};
constexpr ListedRewrite listed[] = {
#define KILN_REWRITE(function, name, phase) {RewritePhase::phase, {name, rewrites::function}},
#include "rewrites.def"
#undef KILN_REWRITE
};

Result<void> run_rewrite(const Rewrite &rewrite, const Target &target, const CompilerConfig &config,
                         llvm::Module &module, Timer *timer) {
  StageScope scope(timer, rewrite.name);
  KILN_CHECK(rewrite.run(target, config, module));
#ifndef NDEBUG
  KILN_CHECK(verify_ir(module, rewrite.name));
#endif
  return {};
}

} // namespace

Result<void> run_rewrites(RewritePhase phase, const Target &target, const CompilerConfig &config,
                          llvm::Module &module, Timer *timer) {
  auto of_target = [&]() -> Result<void> {
    for (const Rewrite &rewrite : target.rewrites(phase))
      KILN_CHECK(run_rewrite(rewrite, target, config, module, timer));
    return {};
  };
  if (phase == RewritePhase::Emitted) KILN_CHECK(of_target());
  for (const ListedRewrite &entry : listed)
    if (entry.phase == phase) KILN_CHECK(run_rewrite(entry.rewrite, target, config, module, timer));
  return phase == RewritePhase::Emitted ? Result<void>() : of_target();
}

} // namespace kiln
