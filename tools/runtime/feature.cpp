// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements kiln::has_feature() for libkiln-runtime.so, which contains no compiler. The version for
// libkiln.so is in lib/session/options/feature.cpp.
#include <kiln/c.h>
#include <kiln/feature.h>

#include <algorithm>
#include <array>

bool kiln::has_feature(std::string_view name) {
  static constexpr std::array names = {"bundle", "cuda", "error_code", "fork"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

extern "C" int kiln_has_feature(const char *name) { return name && kiln::has_feature(name) ? 1 : 0; }
