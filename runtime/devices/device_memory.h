// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory a launch's arguments give to the kernel: what its checker allows, what a GPU needs a copy of.
#pragma once

#include "loaded.h"

#include <cstring>

namespace kiln {

inline uint64_t address_of(const void *memory) { return uint64_t(reinterpret_cast<uintptr_t>(memory)); }
/// The index-th word of eight bytes: an abi::ArrayHeader is made of them.
inline uint64_t word_at(const std::byte *bytes, size_t index) {
  uint64_t word;
  std::memcpy(&word, bytes + 8 * index, sizeof word);
  return word;
}

/// Memory that a launch's arguments give to the kernel.
struct DeviceMemory {
  std::vector<MemoryRange> ranges;
  bool has_pointers = false; ///< bare ones too, of which nobody knows what is behind them
};
DeviceMemory device_memory(const Artifact &artifact, std::span<const MemoryPart> parts,
                           std::span<const void *const> arguments);
/// Is there a byte behind each argument, and do the arrays among them describe memory that there can be?
/// `call` is for messages. Error: Usage.
Result<void> check_arguments(std::string_view call, const Artifact &artifact,
                             std::span<const MemoryPart> parts, std::span<const void *const> arguments);
/// The second question alone, where each argument has its bytes.
Result<void> check_arrays(std::string_view call, const Artifact &artifact, std::span<const MemoryPart> parts,
                          std::span<const void *const> arguments);
/// Whether each byte is reached from one argument alone, as CompilerConfig::invariant_arguments wants it.
bool are_apart(DeviceMemory memory);

} // namespace kiln
