// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of a target that no session knows.
#pragma once

#include <kiln/target.h>

namespace kiln::test {

struct NoTarget {
  static constexpr std::string_view target_name = "no_such";
  bool operator==(const NoTarget &) const = default;
  template <class Self, class Visitor> static void visit(Self &, Visitor &&) {}
};

} // namespace kiln::test
