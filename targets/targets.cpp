// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets.h"

#include <native/native.h>
#include <ptx/ptx.h>
#include <spirv/spirv.h>

namespace kiln {

std::vector<const Target *> all_targets() { return {&native_target(), &ptx_target(), &spirv_target()}; }

Result<TargetList> list_targets(std::span<const Target *const> others) {
  TargetList list;
  for (const Target *target : all_targets()) KILN_CHECK(list.add(*target));
  for (const Target *target : others) KILN_CHECK(list.add(*target));
  return list;
}

const TargetList &own_targets() {
  static const TargetList list = *list_targets({}); // their names differ
  return list;
}

const Target *find_target(std::string_view name) {
  for (const Target *target : all_targets())
    if (target->name() == name) return target;
  return nullptr;
}

const Target &find_target(const TargetSpec &spec) {
  const Target *target = find_target(spec.name());
  assert(target);
  return *target;
}

} // namespace kiln
