// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdio>
#include <cstdlib>

namespace kiln::fuzz {

/// Adds to the API calls of this process. Their sum is printed at exit.
inline void count_calls(size_t accepted, size_t refused) {
  static size_t all_accepted, all_refused;
  static const bool prints =
      std::atexit([] {
        std::fprintf(stderr, "%zu calls, %zu of them refused\n", all_accepted + all_refused, all_refused);
      }) == 0;
  (void)prints;
  all_accepted += accepted;
  all_refused += refused;
}

} // namespace kiln::fuzz
