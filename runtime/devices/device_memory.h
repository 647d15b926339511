// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the memory that a kernel can reach through a launch's arguments, for access checks and for copies to
// a GPU.
#pragma once

#include "loaded.h"

#include <cstring>

namespace kiln {

inline uint64_t address_of(const void *memory) { return uint64_t(reinterpret_cast<uintptr_t>(memory)); }
/// Reads the 8-byte word with this index. An abi::ArrayHeader consists of such words.
inline uint64_t word_at(const std::byte *bytes, size_t index) {
  uint64_t word;
  std::memcpy(&word, bytes + 8 * index, sizeof word);
  return word;
}

/// Memory that a kernel can reach through its arguments.
struct DeviceMemory {
  std::vector<MemoryRange> ranges;
  bool has_pointers = false; ///< some arguments are bare pointers to memory of unknown size
};
DeviceMemory device_memory(const Artifact &artifact, std::span<const MemoryPart> parts,
                           std::span<const void *const> arguments);
/// Checks that each argument pointer is not null, and that arrays describe possible memory. `call`: name of
/// the API call in messages. Error: Usage.
Result<void> check_arguments(std::string_view call, const Artifact &artifact,
                             std::span<const MemoryPart> parts, std::span<const void *const> arguments);
/// Checks only the arrays. All argument pointers must be valid.
Result<void> check_arrays(std::string_view call, const Artifact &artifact, std::span<const MemoryPart> parts,
                          std::span<const void *const> arguments);
/// True if no byte is reachable through two arguments. CompilerConfig::invariant_arguments requires this.
bool are_apart(DeviceMemory memory);

} // namespace kiln
