// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lowered.h"

#include <cassert>

namespace kiln {

namespace {
using effects::Pure, effects::Reads, effects::Writes, effects::Throws;
constexpr IntrinsicInfo table[] = {
#define KILN_INTRINSIC(name, min_args, max_args, rule, effects, doc)                                         \
  {#name, min_args, max_args, TypeRule::rule, uint8_t(effects)},
#include <kiln/extension/language/intrinsics.def>
#undef KILN_INTRINSIC
};
} // namespace

const IntrinsicInfo &info(Intrinsic intrinsic) {
  assert(intrinsic < Intrinsic::Count);
  return table[size_t(intrinsic)];
}

std::string_view bound_name(Intrinsic intrinsic) {
  switch (intrinsic) {
  case Intrinsic::egal: return "===";
  case Intrinsic::subtype: return "<:";
  case Intrinsic::setfield: return "setfield!";
  case Intrinsic::throw_: return "throw";
  case Intrinsic::typeof_: return "typeof"; // a keyword of GNU's C++
  default: return info(intrinsic).name;
  }
}

} // namespace kiln
