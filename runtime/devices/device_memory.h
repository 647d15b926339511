// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a launch's arguments pass to the kernel: the ranges for the checker, and for copies to a GPU.
#pragma once

#include "loaded.h"

#include <cstring>

namespace kiln {

inline uint64_t address_of(const void *memory) { return uint64_t(reinterpret_cast<uintptr_t>(memory)); }
/// Word `index` of 8 bytes. An abi::ArrayHeader consists of such words.
inline uint64_t word_at(const std::byte *bytes, size_t index) {
  uint64_t word;
  std::memcpy(&word, bytes + 8 * index, sizeof word);
  return word;
}

/// Memory that a launch's arguments pass to the kernel.
struct DeviceMemory {
  std::vector<MemoryRange> ranges;
  bool has_pointers = false; ///< some are bare pointers to unknown memory
};
DeviceMemory device_memory(const Artifact &artifact, std::span<const MemoryPart> parts,
                           std::span<const void *const> arguments);
/// Checks that each argument has bytes, and that arrays describe possible memory. `call` is for messages.
/// Error: Usage.
Result<void> check_arguments(std::string_view call, const Artifact &artifact,
                             std::span<const MemoryPart> parts, std::span<const void *const> arguments);
/// Checks the arrays only; each argument must have bytes.
Result<void> check_arrays(std::string_view call, const Artifact &artifact, std::span<const MemoryPart> parts,
                          std::span<const void *const> arguments);
/// True if no byte is reachable from two arguments, as CompilerConfig::invariant_arguments requires.
bool are_apart(DeviceMemory memory);

} // namespace kiln
