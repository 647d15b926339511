// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/feature.h>

#include <algorithm>
#include <array>

namespace kiln {

bool KILN_API_VERSION::has_feature(std::string_view name) {
  // docs/guide/embed-c.md describes each feature. No name may be removed before the soname changes.
  static constexpr std::array names = {
      "allocator",     "bundle",        "cache", "cuda", "environment", "error_code", "executor", "fork",
      "gdb",           "host_function", "log",   "nvtx", "perf",        "store",      "submit",
#ifdef KILN_HAS_ADVISE
      "advise",
#endif
#ifdef KILN_HAS_BUNDLER
      "bundle_writer",
#endif
#ifdef KILN_HAS_TUNE
      "tune",
#endif
  };
  return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace kiln
