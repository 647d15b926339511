// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape of a cluster as a part of the kernel: LLVM 19 knows only the largest number of its blocks.
#include "passes.h"

#include <fmt/format.h>

namespace kiln::ptx {

Result<void> require_cluster(const PtxOptions &options, std::string &text) {
  const auto &[x, y, z] = options.cluster;
  if (x == 0) return {};
  // The body begins behind parameters and performance directives, on a line of its own.
  size_t entry = text.find(".entry "), body = entry == std::string::npos ? entry : text.find("\n{", entry);
  if (body == std::string::npos) return internal_error("the PTX of a kernel has no entry");
  text.insert(body, fmt::format("\n.explicitcluster\n.reqnctapercluster {}, {}, {}", x, y, z));
  return {};
}

} // namespace kiln::ptx
