// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets.h"

#include <native/native.h>
#include <ptx/ptx.h>

namespace kiln {

const Target &find_target(TargetKind kind) {
  switch (kind) {
  case TargetKind::Native: return native_target();
  case TargetKind::Ptx: return ptx_target();
  }
  return native_target(); // not reached: the kinds are all above
}

std::vector<const Target *> all_targets() { return {&native_target(), &ptx_target()}; }

const Target *find_target(std::string_view name) {
  for (const Target *target : all_targets())
    if (target->name() == name)
      return target;
  return nullptr;
}

} // namespace kiln
