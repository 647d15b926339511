// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a benchmark cannot go on without: its error ends the program.
#pragma once

#include <kiln/c.h>
#include <kiln/result.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace bench {

inline void must(int status, kiln_error *error) {
  if (!status) return;
  std::fputs(kiln_error_text(error), stderr);
  std::exit(1);
}
template <class T> T must(kiln::Result<T> result) {
  if (result.ok()) return std::move(*result);
  std::fputs(result.error().what().c_str(), stderr);
  std::exit(1);
}

} // namespace bench
