// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's CPU code in a bundle: linked when the bundle was made, position-independent. Loading copies the
// code into pages of its own, writes the addresses of imported functions, and protects the pages.
#pragma once

#include "format.h"

#include <host/host.h>
#include <support/support.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A checked image: its tables and segments lie within the blob, and all relocations within the loaded
/// memory.
struct ImageView {
  bundle::ImageHeader header{};
  std::span<const std::byte> relocations, imports, names; ///< records may be misaligned: copy them out
  std::array<std::span<const std::byte>, bundle::SegmentCount> segments;
  uint64_t memory_bytes = 0;

  std::string_view name(uint32_t offset) const; ///< ends with NUL
};

/// Checks a blob and finds its tables and segments. The text of the Input error begins with "the code ".
Result<ImageView> read_image(std::span<const std::byte> blob);
/// Names that the image imports from the process, without duplicates.
std::vector<std::string> imports_of(const ImageView &image);

/// Loads the image into this process. The code holds `functions` and calls the embedder's host functions
/// through it. With null, it can call none. Errors: Machine (no memory, another kind of processor, a function
/// that this process lacks), HostFunctionMissing, Input (damaged blob).
Result<std::shared_ptr<const HostCode>> load_image(std::span<const std::byte> blob,
                                                   std::shared_ptr<HostFunctions> functions = {});

} // namespace kiln
