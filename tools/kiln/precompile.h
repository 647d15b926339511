// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "options.h"

namespace kiln::tool {

/// kiln precompile ...
struct PrecompileCommand {
  std::string list, shard;
  uint32_t threads = 0;
  bool dry_run = false;

  void add_to(CLI::App &command);
};

Result<void> precompile(const CommonOptions &common, const PrecompileCommand &command);

} // namespace kiln::tool
