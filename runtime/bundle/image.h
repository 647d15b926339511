// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's CPU code as bundles hold it: linked when the bundle was made, position-independent. Loading it
// is a copy into pages of its own, the addresses that it refers to, and the pages' protection.
#pragma once

#include "format.h"

#include <host/host.h>
#include <support/support.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// An image whose parts lie within its blob, and whose places within its memory.
struct ImageView {
  bundle::ImageHeader header{};
  std::span<const std::byte> relocations, imports, names; ///< records may be misaligned: copy them out
  std::array<std::span<const std::byte>, bundle::SegmentCount> segments;
  uint64_t memory_bytes = 0;

  std::string_view name(uint32_t offset) const; ///< ends with NUL
};

/// Error: Input, in words that go behind "the code ".
Result<ImageView> read_image(std::span<const std::byte> blob);
/// Names of what the image wants of the process, each once.
std::vector<std::string> imports_of(const ImageView &image);

/// Into this process. The code calls host functions out of `functions`, which it keeps; null: none. Errors:
/// Machine (no memory, another kind of processor, a function that this process lacks), HostFunctionMissing,
/// Input as read_image.
Result<std::shared_ptr<const HostCode>> load_image(std::span<const std::byte> blob,
                                                   std::shared_ptr<HostFunctions> functions = {});

} // namespace kiln
