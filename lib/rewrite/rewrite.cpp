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
#define KILN_REWRITE(function, name, phase, on_nested)                                                       \
  {RewritePhase::phase, {name, rewrites::function, on_nested}},
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

std::vector<Rewrite> rewrites_in_order(RewritePhase phase, const Target &target) {
  std::vector<Rewrite> common, own = target.rewrites(phase);
  for (const ListedRewrite &entry : listed)
    if (entry.phase == phase) common.push_back(entry.rewrite);
  // On emitted IR, the target's own rewrites run before the common ones, since they may emit throws.
  std::vector<Rewrite> &first = phase == RewritePhase::Emitted ? own : common;
  const std::vector<Rewrite> &second = phase == RewritePhase::Emitted ? common : own;
  first.insert(first.end(), second.begin(), second.end());
  return std::move(first);
}

Result<void> run_rewrites(RewritePhase phase, const Target &target, const CompilerConfig &config,
                          llvm::Module &module, Timer *timer) {
  for (const Rewrite &rewrite : rewrites_in_order(phase, target))
    KILN_CHECK(run_rewrite(rewrite, target, config, module, timer));
  return {};
}

Result<void> run_nested_rewrites(RewritePhase phase, const Target &target, const CompilerConfig &config,
                                 llvm::Module &module, Timer *timer) {
  for (const Rewrite &rewrite : rewrites_in_order(phase, target))
    if (rewrite.on_nested) KILN_CHECK(run_rewrite(rewrite, target, config, module, timer));
  return {};
}

} // namespace kiln
