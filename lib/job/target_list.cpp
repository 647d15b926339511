// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target_list.h"

#include <kiln/extension/llvm/hooks.h>

#include <fmt/format.h>

#include <algorithm>

namespace kiln {

Target::~Target() = default;
JobHooks::~JobHooks() = default;
Assembler::~Assembler() = default;
bool Assembler::can_merge(const CompilerConfig &, std::string_view) const { return false; }
const Assembler *Assembler::quick() const { return nullptr; }
bool Assembler::gains_from_quick(const CompilerConfig &, std::string_view) const { return false; }
Result<MergedObject> Assembler::assemble_merged(const CompilerConfig &, std::span<const AssemblerInput>,
                                                const SourceMap &) const {
  return internal_error(identity() + " was asked to merge kernels, which it cannot");
}

Result<void> TargetList::add(const Target &target) {
  if (target.name().empty()) return usage_error("a target without a name cannot be added to a session");
  if (find(target.name()).ok())
    return usage_error(
        fmt::format("there are two targets named {}: give one of them another name", target.name()));
  targets_.push_back(&target);
  return {};
}

Result<const Target *> TargetList::find(std::string_view name) const {
  std::string names;
  for (const Target *target : targets_) {
    if (target->name() == name) return target;
    names += (names.empty() ? "" : ", ") + std::string(target->name());
  }
  return usage_error(fmt::format("there is no target {}: there are {}", name, names));
}

const Target &TargetList::of(const TargetSpec &spec) const {
  auto found = std::ranges::find(targets_, spec.name(), &Target::name);
  assert(found != targets_.end());
  return **found;
}

} // namespace kiln
