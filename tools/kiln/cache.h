// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "options.h"

namespace kiln::tool {

/// kiln cache ...
struct CacheOptions {
  CLI::App *stat = nullptr, *verify = nullptr, *gc = nullptr, *clear = nullptr, *export_to = nullptr,
           *import_from = nullptr, *explain = nullptr;
  std::string file;
  size_t sample = 32;

  void add_to(CLI::App &command, CommonOptions &common, CompileOptions &compile);
};

Result<void> cache(const CommonOptions &common, const CompileOptions &compile, const CacheOptions &options);

} // namespace kiln::tool
