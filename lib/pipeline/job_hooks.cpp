// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_hooks.h"

namespace kiln {

const JobHooks &hooks_of(const CompilerConfig &config) {
  struct NoHooks final : JobHooks {
    std::string name() const override { return {}; }
    std::string version() const override { return {}; }
  };
  static const NoHooks none;
  return config.hooks ? *config.hooks : none;
}

} // namespace kiln
